# SPDX-License-Identifier: MIT
"""An expert has no time to label, but can say of two flowers whether they are of one kind. How far does that go?

Each round asks about the pairs that the kernel is least sure of. Clusters are compared with the species, which the fit
never sees.
"""
import matplotlib.pyplot as plt
import numpy as np
import ritz
from ritz import metrics
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris
from sklearn.preprocessing import StandardScaler

X, species = load_iris(return_X_y=True)
rng = np.random.default_rng(1)
asked = [tuple(rng.choice(len(X), 2, replace=False)) for _ in range(10)]

plain = metrics.adjusted_rand_index(KMeans(3, n_init=10, random_state=0).fit_predict(StandardScaler().fit_transform(X)), species)
print(f"k-means without pairs: adjusted Rand index {plain:.3f}")
counts, scores = [], []
for _ in range(4):
    together = [pair for pair in asked if species[pair[0]] == species[pair[1]]]
    apart = [pair for pair in asked if species[pair[0]] != species[pair[1]]]
    kernel = ritz.PairwiseKernel(clusters=3, suggest=10, random_state=0).fit(X, must_link=together, cannot_link=apart)
    counts.append(len(asked))
    scores.append(metrics.adjusted_rand_index(kernel.labels_, species))
    print(f"{counts[-1]:3d} pairs: {scores[-1]:.3f}")
    asked += [tuple(pair) for pair in kernel.suggestions_]

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
left.plot(counts, scores, marker="o", label="kernel from pairs")
left.axhline(plain, color="grey", linestyle="--", label="k-means")
left.set(xlabel="pairs asked about", ylabel="adjusted Rand index", ylim=(0, 1))
left.legend(frameon=False, loc="lower right")
ritz.plotting.embedding(kernel, y=species, ax=right)
figure.savefig("a_kernel_from_pairs.png", dpi=110)
