#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws 32 sets of classes of many kinds for bench/python/peers.py: bench/python/made_sets.py FOLDER, then
peers.py --sets FOLDER --only classes. Curved, nested, rare, wide, heavy-tailed, of counts, of answers, of pixels."""
import pathlib
import sys

import numpy as np
from sklearn import datasets

out = pathlib.Path(sys.argv[1])
out.mkdir(parents=True, exist_ok=True)
draw = np.random.default_rng(20261119)
sets = {}


def beside_noise(X, columns):
    return np.hstack([X, draw.normal(size=(len(X), columns)) * X.std()])


X, y = datasets.make_moons(400, noise=0.3, random_state=1)
sets["moons"] = (X, y)
sets["moons_noise8"] = (beside_noise(X, 8), y)
X, y = datasets.make_circles(400, noise=0.12, factor=0.5, random_state=2)
sets["circles"] = (X, y)
sets["circles_noise4"] = (beside_noise(X, 4), y)
X, y = datasets.make_blobs(450, 2, centers=3, random_state=170)
sets["aniso"] = (X @ np.array([[0.6, -0.64], [-0.41, 0.85]]), y)
X, y = datasets.make_blobs(600, 12, centers=6, cluster_std=4.0, random_state=3)
sets["blobs6"] = (X @ draw.normal(size=(12, 12)), y)
sets["class2"] = datasets.make_classification(600, 20, n_informative=2, n_redundant=2, n_clusters_per_class=1, flip_y=0.05, random_state=4)
sets["class3"] = datasets.make_classification(700, 25, n_informative=8, n_redundant=5, n_classes=3, n_clusters_per_class=2, random_state=5)
sets["class5rep"] = datasets.make_classification(800, 30, n_informative=10, n_redundant=5, n_repeated=5, n_classes=5, random_state=6)
sets["unbalanced"] = datasets.make_classification(800, 12, n_informative=4, n_classes=2, weights=[0.94], random_state=7)
sets["unbalanced3"] = datasets.make_classification(800, 12, n_informative=5, n_classes=3, weights=[0.85, 0.1], random_state=8)
sets["madelon"] = datasets.make_classification(800, 200, n_informative=5, n_redundant=15, n_clusters_per_class=8, class_sep=2, random_state=9)
sets["wide1000"] = datasets.make_classification(100, 1000, n_informative=20, n_classes=2, class_sep=2, random_state=10)
sets["quantiles"] = datasets.make_gaussian_quantiles(n_samples=600, n_features=6, n_classes=3, random_state=11)
X, y = datasets.make_hastie_10_2(800, random_state=12)
sets["hastie"] = (X, (y > 0).astype(int))
X, t = datasets.make_swiss_roll(600, noise=0.3, random_state=13)
sets["roll"] = (X, np.digitize(t, np.quantile(t, [0.25, 0.5, 0.75])))
X, t = datasets.make_s_curve(600, noise=0.1, random_state=13)
sets["scurve_noise"] = (beside_noise(X, 5), np.digitize(t, np.quantile(t, [0.33, 0.67])))
c = np.repeat(np.arange(40), 6)
sets["many40"] = ((draw.normal(size=(40, 15)) * 1.3)[c] + draw.normal(size=(240, 15)), c)
c = np.repeat(np.arange(8), 5)
sets["tiny5"] = (draw.normal(size=(8, 30))[c] + draw.normal(size=(40, 30)), c)
topic = draw.dirichlet(np.full(300, 0.05), 4)
y = np.arange(500) % 4
sets["counts"] = (np.array([draw.multinomial(40, 0.5 * topic[k] + 0.5 * topic.mean(0)) for k in y]), y)
X = draw.integers(0, 2, (500, 10))
sets["xor"] = (X + 0.25 * draw.normal(size=X.shape), X[:, 0] ^ X[:, 1])
y = np.arange(500) % 2
sets["variance"] = (draw.normal(size=(500, 8)) * np.where(y[:, None] == 1, 2.0, 0.8) * np.array([1, 1, 1, 1, 0, 0, 0, 0]) + draw.normal(size=(500, 8)) * np.array([0, 0, 0, 0, 1, 1, 1, 1]), y)
y = np.arange(500) % 3
sets["heavy"] = (draw.standard_t(1.5, size=(500, 10)) + 2 * np.eye(3, 10)[y], y)
y = np.arange(600) % 3
L = draw.normal(size=(600, 20)) + 0.6 * np.outer(np.arange(3)[y], draw.normal(size=20))
sets["likert"] = (np.clip(np.round(L + 3), 1, 5), y)
y = np.arange(80) % 2
X = draw.normal(size=(80, 2000))
X[:, :15] += 1.2 * y[:, None]
sets["gene2000"] = (X, y)
t = draw.uniform(0, 3 * np.pi, 600)
y = np.arange(600) % 2
sets["spiral"] = (np.c_[t * np.cos(t + np.pi * y), t * np.sin(t + np.pi * y)] + 0.35 * draw.normal(size=(600, 2)), y)
y = draw.choice(7, 800, p=[0.36, 0.48, 0.06, 0.01, 0.02, 0.03, 0.04])
con = (draw.normal(size=(7, 10)) * 0.8)[y] + draw.normal(size=(800, 10)) @ draw.normal(size=(10, 10)) * 0.5
soil = np.array([draw.choice(20, p=r0) for r0 in draw.dirichlet(np.full(20, 0.3), 7)[y]])
sets["forest"] = (np.hstack([con, np.eye(20)[soil]]), y)
t = np.linspace(0, 1, 60)
y = np.arange(300) % 3
sets["curves"] = (np.array([np.sin(2 * np.pi * (2 + k) * t + draw.uniform(0, 6.28)) for k in y]) + 0.7 * draw.normal(size=(300, 60)), y)
t = np.linspace(0, 1, 200)
y = np.arange(150) % 4
base = np.cumsum(draw.normal(size=(150, 200)), 1) * 0.5
sets["spectra"] = (base + np.array([3 * np.exp(-((t - 0.2 - 0.2 * k) / 0.02) ** 2) for k in y]), y)
X, _ = (datasets.make_low_rank_matrix(500, 40, effective_rank=6, random_state=14), 0)
w = draw.normal(size=40)
sets["lowrank"] = (X, (X @ w + 0.02 * draw.normal(size=500) > 0).astype(int))
y = np.arange(400) % 2
X = np.exp(1.5 * draw.normal(size=(400, 12)) + 0.6 * y[:, None] * np.array([1] * 4 + [0] * 8))
sets["lognormal"] = (X, y)
im = []
y = np.arange(300) % 3
for k in y:
    A = np.zeros((12, 12))
    i, j = draw.integers(1, 8, 2)
    if k == 0:
        A[i:i + 4, j:j + 4] = 1
    elif k == 1:
        A[i:i + 4, j] = 1
        A[i, j:j + 4] = 1
    else:
        A[i:i + 4, j + 1] = 1
        A[i + 1, j:j + 4] = 1
    im.append((A + 0.2 * draw.normal(size=A.shape)).ravel())
sets["shapes"] = (np.array(im), y)
for k, (X, y) in sets.items():
    X = np.asarray(X, float)
    np.savetxt(out / f"{k}.csv", np.c_[X, y], delimiter=",", fmt="%.8g", header=",".join([f"x{i}" for i in range(X.shape[1])] + ["label"]), comments="")
    print(k, X.shape)
