# SPDX-License-Identifier: MIT
"""`ritz unfold` beside PCA, Isomap and LLE, and `ritz kernel` beside k-means and spectral clustering, on public sets.

    RITZ_PROGRAM=build/release/bin/ritz python3 bench/python/unfold_peers.py [--only unfold|kernel] [--tables FOLDER] [--write docs]

Trustworthiness (10 neighbours) and leave-one-out accuracy of 5-NN in two dimensions; adjusted Rand index with 0, 15, 60 and
240 random pairs (the mean of three draws); CPU seconds of one thread. The sets are scikit-learn's; a folder of tables (CSV with a
header, the last column the class; `peers.py --export FOLDER` writes R's) adds more. All columns are standardised. --write DOCS puts
the tables into DOCS/peers-unfold.md and DOCS/peers-kernel.md.
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

SCIKIT = ("iris", "wine", "breast_cancer", "digits")
UNFOLD_PAGE = """# Unfold beside Isomap, LLE and PCA

`bench/python/unfold_peers.py --only unfold --write docs` embeds each set in two dimensions, every method with its defaults and 5
neighbours, all columns standardised. *Trustworthiness* (10 neighbours): 1 where nobody comes near who was far. *5-NN*: each sample's
class by the others, in %. CPU seconds of one thread. "exit 4": not certified to the tolerance within 5 minutes.
`cmvu` sees the labels, so that its accuracy is no evidence. No option was chosen by a set of this table; scikit-learn's sets were
looked at while the solver was made, the others once, at the end.

"""
KERNEL_PAGE = """# Kernel beside k-means and spectral clustering

`bench/python/unfold_peers.py --only kernel --cap {cap} --draws {draws} --write docs` gives the adjusted Rand index of k clusters, k the
number of classes, on at most {cap} samples of a set, all columns standardised. k-means (20 starts) and spectral clustering (10 nearest
neighbours) take no pairs; `ritz kernel` without options takes 15, 60 or 240 pairs drawn at random and told rightly (draws: {draws}). CPU
seconds of one thread. How much the samples' own kernel counts beside the learned one was decided on iris, wine, breast_cancer, digits, glass,
ionosphere, pima, soybean, vehicle, votes, vowel and zoo; the others were looked at once, at the end.

"""
PROGRAM = os.environ.get("RITZ_PROGRAM", "build/release/bin/ritz")
NEIGHBOURS = 5
DRAWS, CAP = 3, 2500


def standardised(X):
    X = X[:, X.std(0) > 1e-9]
    return (X - X.mean(0)) / X.std(0)


def sets(folder):
    for name in SCIKIT:
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


class Table:
    """Rows of Markdown, shown while they are made."""

    def __init__(self, columns):
        self.lines = []
        self.add(columns)
        self.add(["---"] * len(columns))

    def add(self, cells):
        self.lines.append("| " + " | ".join(cells) + " |")
        print(self.lines[-1], flush=True)


def means(values):
    return [f"{np.mean(column):.2f}" for column in zip(*values)]


def unfold_table(folder, work):
    table, found = Table(["set", "method", "trustworthiness", "5-NN %", "CPU s"]), {}
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
            near = trustworthiness(X, Z, n_neighbors=10)
            found.setdefault(method, []).append((near, 100 * right, seconds))
            table.add([f"{name} ({len(X)} × {X.shape[1]})", method + (" (sees the labels)" if "cmvu" in method else ""), f"{near:.3f}",
                       f"{100 * right:.1f}", f"{seconds:.2f}{remark}"])
    for method, values in found.items():
        near, right, seconds = np.mean(values, 0)
        table.add([f"**mean of {len(values)}**", method, f"{near:.3f}", f"{right:.1f}", f"{seconds:.2f}"])
    return table.lines


def drawn(y, count, rng):
    pairs = {}
    while len(pairs) < count:
        i, j = sorted(rng.choice(len(y), 2, replace=False))
        pairs[i, j] = "must" if y[i] == y[j] else "cannot"
    return "".join(f"{i},{j},{link}\n" for (i, j), link in pairs.items())


def some_of(X, y):
    rows = np.random.default_rng(0).permutation(len(y))[:CAP]
    return X[rows], y[rows]


def kernel_table(folder, work):
    table = Table(["set", "k-means, 0 pairs", "spectral, 0 pairs", "ritz, 15 pairs", "60 pairs", "240 pairs", "CPU s, 240"])
    found = []
    for name, X, y in sets(folder):
        X, y = some_of(X, y)
        X, classes = standardised(X), len(np.unique(y))
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
            cells.append(np.mean(scores))
        found.append([simple, spectral, *cells, seconds])
        table.add([f"{name} ({len(X)} × {X.shape[1]})", *means([found[-1]])])
    table.add([f"**mean of {len(found)}**", *means(found)])
    return table.lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=["unfold", "kernel"])
    parser.add_argument("--tables", help="a folder of further CSV tables")
    parser.add_argument("--write", type=pathlib.Path, help="the folder of documentation that the tables go to")
    parser.add_argument("--draws", type=int, default=DRAWS, help="of pairs")
    parser.add_argument("--cap", type=int, default=CAP, help="samples of a set, for the kernels")
    asked = parser.parse_args()
    globals().update(DRAWS=asked.draws, CAP=asked.cap)
    pages = {"unfold": (UNFOLD_PAGE, unfold_table), "kernel": (KERNEL_PAGE, kernel_table)}
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        for task, (page, fill) in pages.items():
            if asked.only not in (None, task):
                continue
            lines = fill(asked.tables, work)
            if asked.write:
                (asked.write / f"peers-{task}.md").write_text(page.format(cap=CAP, draws=DRAWS) + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
