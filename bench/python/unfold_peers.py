# SPDX-License-Identifier: MIT
"""`ritz unfold` beside PCA, Isomap and LLE, and `ritz kernel` beside k-means and spectral clustering, on public sets.

    RITZ_PROGRAM=build/release/bin/ritz python3 bench/python/unfold_peers.py [--only unfold|kernel] [--tables FOLDER]

Trustworthiness (10 neighbours) and leave-one-out accuracy of 5-NN in two dimensions; adjusted Rand index with 0, 15, 60 and
240 random pairs (the mean of three draws); CPU seconds of one thread. The sets are scikit-learn's; a folder of tables (CSV with a
header, the last column the class) adds more. All columns are standardised.
"""
import argparse
import os
import pathlib
import resource
import subprocess
import tempfile
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np  # noqa: E402
from sklearn import datasets  # noqa: E402
from sklearn.cluster import KMeans, SpectralClustering  # noqa: E402
from sklearn.decomposition import PCA  # noqa: E402
from sklearn.manifold import Isomap, LocallyLinearEmbedding, trustworthiness  # noqa: E402
from sklearn.metrics import adjusted_rand_score  # noqa: E402
from sklearn.model_selection import LeaveOneOut, cross_val_score  # noqa: E402
from sklearn.neighbors import KNeighborsClassifier  # noqa: E402

PROGRAM = os.environ.get("RITZ_PROGRAM", "build/release/bin/ritz")
NEIGHBOURS = 5
DRAWS = 3


def standardised(X):
    X = X[:, X.std(0) > 0]
    return (X - X.mean(0)) / X.std(0)


def sets(folder):
    for name in ("iris", "wine", "breast_cancer", "digits"):
        found = getattr(datasets, "load_" + name)()
        yield name, standardised(found.data), found.target
    X, position = datasets.make_s_curve(800, random_state=0)
    yield "s-curve", standardised(X), np.digitize(position, np.quantile(position, [0.25, 0.5, 0.75]))
    for path in sorted(pathlib.Path(folder).glob("*.csv")) if folder else []:
        rows = [line.replace('"', "").split(",") for line in path.read_text().splitlines()[1:]]
        try:
            X = np.array([row[:-1] for row in rows], float)
        except ValueError:
            continue  # texts among the features
        if 50 <= len(X) <= 2500:
            yield path.stem, standardised(X), np.unique([row[-1] for row in rows], return_inverse=True)[1]


def ritz(*args):
    """CPU seconds and exit status."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    status = subprocess.run([PROGRAM, *map(str, args), "--threads", "1", "--quiet"]).returncode
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, status


def timed(fit):
    start = time.process_time()
    result = fit()
    return result, time.process_time() - start


def unfold_table(folder, work):
    print("| set | method | trustworthiness | 5-NN % | CPU s |\n|---|---|---|---|---|")
    for name, X, y in sets(folder):
        np.save(work / "X.npy", X)
        (work / "y.labels").write_text("".join(f"{c}\n" for c in y))
        rows = {
            "PCA": lambda: PCA(2).fit_transform(X),
            "Isomap": lambda: Isomap(n_neighbors=NEIGHBOURS).fit_transform(X),
            "LLE": lambda: LocallyLinearEmbedding(n_neighbors=NEIGHBOURS, random_state=0).fit_transform(X),
        }
        results = {method: (*timed(fit), "") for method, fit in rows.items()}
        for method in ("mvu", "mve", "spe", "cmvu"):
            labels = ["--labels", work / "y.labels"] if method == "cmvu" else []
            seconds, status = ritz("unfold", work / "X.npy", "--method", method, *labels, "--save-embedding", work / "Z.npy",
                                   "--time-limit", 300)
            results["ritz " + method] = np.load(work / "Z.npy"), seconds, "" if status == 0 else f", exit {status}"
        for method, (Z, seconds, remark) in results.items():
            right = cross_val_score(KNeighborsClassifier(5), Z, y, cv=LeaveOneOut()).mean()
            print(f"| {name} ({len(X)} × {X.shape[1]}) | {method}{' (sees the labels)' if 'cmvu' in method else ''} | "
                  f"{trustworthiness(X, Z, n_neighbors=10):.3f} | {100 * right:.1f} | {seconds:.2f}{remark} |", flush=True)


def drawn(y, count, rng):
    pairs = {}
    while len(pairs) < count:
        i, j = sorted(rng.choice(len(y), 2, replace=False))
        pairs[i, j] = "must" if y[i] == y[j] else "cannot"
    return "".join(f"{i},{j},{link}\n" for (i, j), link in pairs.items())


def kernel_table(folder, work):
    print("| set | k-means | spectral | ritz, 15 pairs | 60 | 240 | CPU s, 240 |\n|---|---|---|---|---|---|---|")
    for name, X, y in sets(folder):
        classes = len(np.unique(y))
        np.save(work / "X.npy", X)
        simple = adjusted_rand_score(y, KMeans(classes, n_init=20, random_state=0).fit(X).labels_)
        spectral = adjusted_rand_score(y, SpectralClustering(classes, affinity="nearest_neighbors", n_neighbors=10,
                                                             random_state=0).fit(X).labels_)
        cells, seconds = [], 0.0
        for count in (15, 60, 240):
            scores = []
            for draw in range(DRAWS):
                (work / "pairs.csv").write_text(drawn(y, count, np.random.default_rng(draw)))
                seconds, _ = ritz("kernel", work / "X.npy", "--pairs", work / "pairs.csv", "--clusters", classes, "--save-labels",
                                  work / "found.labels")
                scores.append(adjusted_rand_score(y, np.loadtxt(work / "found.labels", dtype=str)))
            cells.append(f"{np.mean(scores):.2f}")
        print(f"| {name} ({len(X)} × {X.shape[1]}) | {simple:.2f} | {spectral:.2f} | {' | '.join(cells)} | {seconds:.2f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=["unfold", "kernel"])
    parser.add_argument("--tables", help="a folder of further CSV tables")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        if asked.only != "kernel":
            unfold_table(asked.tables, work)
        if asked.only != "unfold":
            kernel_table(asked.tables, work)


if __name__ == "__main__":
    main()
