# SPDX-License-Identifier: MIT
"""Wines differ by grape. What else do they differ by?

The cultivar is a clustering that is known; asked for is one that owes nothing to it, and the measurements that make it.
"""
import matplotlib.pyplot as plt
import ritz
from ritz import metrics
from sklearn.cluster import KMeans
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

data = load_wine(as_frame=True)
X, cultivar = data.data, data.target_names[data.target]

second = ritz.AlternativeClustering(clusters=2, dim=2, random_state=0).fit(X, cultivar)
first = KMeans(3, n_init=10, random_state=0).fit_predict(StandardScaler().fit_transform(X))
print(f"agreement with the cultivars (0: none, 1: the same): k-means {metrics.novelty(first, cultivar):.3f}, "
      f"second clustering {metrics.novelty(second.labels_, cultivar):.3f}")
means = X.groupby(second.labels_).mean().T
change = ((means[1] - means[0]) / X.std()).sort_values(key=abs, ascending=False)
print("what its two clusters differ by, in standard deviations:")
print(change.head(4).round(2).to_string())

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
ritz.plotting.embedding(second, ax=left).set_title("by the clusters found", loc="left")
ritz.plotting.embedding(second, y=cultivar, ax=right).set_title("the same places by cultivar", loc="left")
figure.savefig("a_second_clustering.png", dpi=110)
