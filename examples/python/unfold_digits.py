# SPDX-License-Identifier: MIT
"""What does the space of handwritten digits look like in two dimensions that can be trusted?

Five kinds of digits are unfolded so that neighbours keep their distances. A class that is told by the nearest neighbours
in the plane shows what two dimensions keep; new digits are placed without a new fit.
"""
import matplotlib.pyplot as plt
import ritz
from ritz import metrics
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA
from sklearn.manifold import Isomap
from sklearn.neighbors import KNeighborsClassifier

X, y = load_digits(n_class=5, return_X_y=True)
X_train, y_train, X_new, y_new = X[:300], y[:300], X[300:], y[300:]

unfolded = ritz.VarianceUnfolding(dim=2, neighbours=5).fit(X_train)
pca, isomap = PCA(2).fit_transform(X_train), Isomap(n_neighbors=5).fit_transform(X_train)
for name, Z in (("principal components", pca), ("Isomap", isomap), ("variance unfolding", unfolded.embedding_)):
    print(f"{name:>22}: {metrics.leave_one_out_accuracy(Z, y_train):.3f} of the digits are told by their neighbours")
placed = KNeighborsClassifier(5).fit(unfolded.embedding_, y_train).score(unfolded.transform(X_new), y_new)
print(f"{'new digits, placed':>22}: {placed:.3f}")
print(f"the objective is within {unfolded.certificate_['relative_gap']:.1%} of the best that there is")

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.6), layout="constrained")
for kind, colour in enumerate(ritz.plotting.COLOURS[:5]):
    left.scatter(*pca[y_train == kind].T, s=12, color=colour, linewidths=0)
left.set_title("principal components", loc="left")
ritz.plotting.embedding(unfolded, y=y_train, ax=right).set_title("variance unfolding", loc="left")
figure.savefig("unfold_digits.png", dpi=110)
