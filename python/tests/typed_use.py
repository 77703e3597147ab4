# SPDX-License-Identifier: MIT
"""Checked by mypy and never run: what is annotated is what a user's editor sees."""
import numpy as np
import ritz

X = np.zeros((4, 2))
ism: ritz.ISM = ritz.ISM(2, kernel="linear", scale="center", random_state=3).fit(X, [0, 1, 0, 1])
labels: np.ndarray = ritz.ISMClustering(3).fit(X).labels_
center: ritz.SubspaceCenter = ritz.SubspaceCenter("auto").fit([X, X])
near: float = ritz.metrics.subspace_distance(X, X, "chordal")
table: ritz.datasets.Table = ritz.datasets.read("x.csv", missing="mean")
ritz.ISM(scale="large")  # type: ignore[arg-type]
ritz.ISM(2, 3)  # type: ignore[misc, arg-type]
ritz.NearIsometry(distorsion=0.2)  # type: ignore[call-arg]
