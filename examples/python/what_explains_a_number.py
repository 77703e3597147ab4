# SPDX-License-Identifier: MIT
"""Which combination of measurements foretells how diabetes progresses in the following year?

A number is explained in place of classes. Dependence of every kind counts (a Gaussian kernel of the target), and patients
who were kept out show whether the direction holds.
"""
import matplotlib.pyplot as plt
import ritz
from ritz import metrics
from sklearn.datasets import load_diabetes
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline

X, y = load_diabetes(return_X_y=True, as_frame=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)

model = make_pipeline(ritz.ISM(dim=1, target="numbers", target_kernel="gaussian"), KNeighborsRegressor(15))
model.fit(X_train, y_train)
ism = model[0]
plain = KNeighborsRegressor(15).fit(X_train, y_train)
print(f"R² of patients kept out: {model.score(X_test, y_test):.3f} from one direction, "
      f"{plain.score(X_test, y_test):.3f} from all {X.shape[1]} features")
print(f"alignment with the progression: {metrics.alignment(ism.transform(X_test), y_test.to_numpy(float)):.3f}")
print(ism.loadings_["ism0"].sort_values(key=abs, ascending=False).head(4).round(2).to_string())

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
ritz.plotting.loadings(ism, ax=left)
right.scatter(ism.transform(X_test)[:, 0], y_test, s=16, linewidths=0)
right.set(xlabel="the direction", ylabel="progression of patients kept out")
figure.savefig("what_explains_a_number.png", dpi=110)
