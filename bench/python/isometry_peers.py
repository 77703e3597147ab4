#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`ritz isometry` beside principal components and random projections of the same rank, on public sets.

    bench/python/isometry_peers.py --program build/release/bin/ritz [--sets FOLDER] [--markdown docs/isometry-peers.md]

The sets are scikit-learn's and any CSV of --sets whose last column is called "label" (`peers.py --export FOLDER` writes
R's); columns are standardised. Half of the samples are fitted, the other half is new. Each projection is scaled so that
the smallest and largest ratio of the fitted pairs centre on 1. Distortion: the largest |ratio - 1| over the pairs.
Recall: how many of the 10 nearest new samples stay so. CPU seconds are those of the whole program.
"""
import argparse
import json
import pathlib
import subprocess
import tempfile

import peers  # one thread; and it ends the program where scikit-learn is not installed
import numpy as np
from scipy.spatial.distance import pdist
from sklearn import datasets
from sklearn.neighbors import NearestNeighbors

SETS = {name: load for name, load in peers.CLASSES_OF_SCIKIT.items() if name != "digits"} | {"diabetes": datasets.load_diabetes}
NEIGHBOURS = 10


def samples(name, folder):
    if name in SETS:
        X = SETS[name]().data
    else:
        X = peers.numbers_of(folder / f"{name}.csv")[:, :-1]
    return (X - X.mean(0)) / np.where(X.std(0) > 0, X.std(0), 1)


def ratios(X, psi):
    before = pdist(X, "sqeuclidean")
    return (pdist(X @ psi.T, "sqeuclidean")[before > 1e-18]) / before[before > 1e-18]


def recall(X, psi):
    def near(Y):
        found = NearestNeighbors(n_neighbors=NEIGHBOURS + 1).fit(Y).kneighbors(return_distance=False, n_neighbors=NEIGHBOURS)
        return [set(row) for row in found]
    return np.mean([len(a & b) / NEIGHBOURS for a, b in zip(near(X), near(X @ psi.T))])


def judged(fitted, new, psi):
    kept = ratios(fitted, psi)
    psi = psi * np.sqrt(2 / (kept.min() + kept.max()))
    return [np.abs(ratios(X, psi) - 1).max() for X in (fitted, new)] + [recall(new, psi)]


def by_ritz(program, X, *options):
    with tempfile.TemporaryDirectory() as folder:
        np.save(f"{folder}/x.npy", X)
        before = peers.children_seconds()
        run = subprocess.run([program, "isometry", f"{folder}/x.npy", *map(str, options), "--save-projection", f"{folder}/p.npy",
                              "--json", "--quiet"], capture_output=True, text=True)
        seconds = peers.children_seconds() - before
        if run.returncode != 0:
            raise RuntimeError(run.stderr)
        return np.load(f"{folder}/p.npy"), seconds, json.loads(run.stdout)


def rows_of(name, X, program, asked):
    order = np.random.default_rng(0).permutation(len(X))
    fitted, new = X[order[::2]], X[order[1::2]]
    psi, seconds, _ = by_ritz(program, fitted, "--distortion", asked)
    rank = len(psi)
    yield name, X.shape, "ritz", rank, *judged(fitted, new, psi), seconds
    psi, seconds, _ = by_ritz(program, fitted, "--objective", "recall", "--rank", rank)
    yield name, X.shape, "ritz, recall", rank, *judged(fitted, new, psi), seconds
    yield name, X.shape, "PCA", rank, *judged(fitted, new, np.linalg.svd(fitted - fitted.mean(0), full_matrices=False)[2][:rank]), None
    draws = [judged(fitted, new, np.random.default_rng(s).normal(size=(rank, X.shape[1]))) for s in range(5)]
    yield name, X.shape, "random, mean of 5", rank, *np.mean(draws, 0), None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--sets", type=pathlib.Path)
    parser.add_argument("--distortion", type=float, default=0.25)
    parser.add_argument("--cap", type=int, default=2000, help="a set of more rows is drawn down to so many")
    parser.add_argument("--markdown", type=pathlib.Path)
    asked = parser.parse_args()
    names = [*SETS, *sorted(path.stem for path in asked.sets.glob("*.csv"))] if asked.sets else [*SETS]
    lines = ["| set | samples × columns | projection | rows | distortion | of new samples | recall of 10, new | CPU s |",
             "|---|---|---|---:|---:|---:|---:|---:|"]
    for name in names:
        X = samples(name, asked.sets)
        X = X[np.random.default_rng(1).permutation(len(X))[: asked.cap]]
        for set_name, shape, method, rank, fitted, new, kept, seconds in rows_of(name, X, asked.program, asked.distortion):
            lines.append(f"| {set_name} | {shape[0]} × {shape[1]} | {method} | {rank} | {fitted:.3f} | {new:.3f} | {100 * kept:.1f} % | "
                         f"{'' if seconds is None else format(seconds, '.1f')} |")
            print(lines[-1], flush=True)
    if asked.markdown:
        asked.markdown.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
