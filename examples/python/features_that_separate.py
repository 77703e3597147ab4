# SPDX-License-Identifier: MIT
"""Which measurements of a cell's nucleus tell malignant tumours from benign ones, and how sure is that?

Thirty features of 569 biopsies are reduced to one direction. Loadings come with the interval that refits on resamples
span; samples that were kept out show whether one number does as well as thirty.
"""
import matplotlib.pyplot as plt
import numpy as np
import ritz
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

data = load_breast_cancer(as_frame=True)
X, y = data.data, data.target_names[data.target]
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)

ism = ritz.ISM(dim=1, bootstrap=20, random_state=0).fit(X_train, y_train)
all_features = make_pipeline(StandardScaler(), KNeighborsClassifier(5)).fit(X_train, y_train)
print(f"held-out biopsies classified right: {ism.score(X_test, y_test):.3f} in one direction, "
      f"{all_features.score(X_test, y_test):.3f} with all {X.shape[1]} features")
print("strongest loadings:")
print(ism.loadings_["ism0"].sort_values(key=abs, ascending=False).head(5).round(2).to_string())

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
ritz.plotting.loadings(ism, most=12, ax=left)
Z = ism.transform(X_test)[:, 0]
for kind, colour in zip(("malignant", "benign"), ritz.plotting.COLOURS):
    right.hist(Z[y_test == kind], bins=np.linspace(Z.min(), Z.max(), 30), alpha=0.7, color=colour, label=kind)
right.set_xlabel("held-out biopsies along the direction")
right.legend(frameon=False)
figure.savefig("features_that_separate.png", dpi=110)
