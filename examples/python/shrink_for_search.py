# SPDX-License-Identifier: MIT
"""Vectors of 64 numbers are too long for a nearest-neighbour search. Do 12 do, if no distance may change by more than 40 %?

The measurements are learned from some digits and judged on others: how far distances change at the worst, and how many
of the ten true neighbours a search among the short vectors finds.
"""
import matplotlib.pyplot as plt
import numpy as np
import ritz
from ritz import metrics
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA
from sklearn.neighbors import NearestNeighbors
from sklearn.random_projection import GaussianRandomProjection

X = load_digits().data
X_train, X_test = X[:250], X[900:]


def recall(Z):
    true = NearestNeighbors(n_neighbors=10).fit(X_test).kneighbors(return_distance=False)
    found = NearestNeighbors(n_neighbors=10).fit(Z).kneighbors(return_distance=False)
    return np.mean([len(set(a) & set(b)) / 10 for a, b in zip(true, found)])


near = ritz.NearIsometry(distortion=0.4, rank=12).fit(X_train)
rank = near.rank_
pca = PCA(rank).fit(X_train)
random = GaussianRandomProjection(rank, random_state=0).fit(X_train)
print(f"{rank} numbers in place of {X.shape[1]} keep all {len(X_train)} digits' distances within 40 %; on {len(X_test)} others:")
for name, P in (("near isometry", near.components_), ("principal components", pca.components_),
                ("random projection", random.components_)):
    print(f"{name:>22}: distances change by {100 * metrics.distortion(X_test, P)['distortion']:5.1f} % at most, "
          f"{100 * recall(X_test @ P.T):.0f} % of the neighbours are found")

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
ritz.plotting.distance_ratios(near, ax=left).set_title("fitted digits", loc="left")
ritz.plotting.distance_ratios(near, X_test, ax=right).set_title("other digits", loc="left")
figure.savefig("shrink_for_search.png", dpi=110)
