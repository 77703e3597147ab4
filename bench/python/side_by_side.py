# SPDX-License-Identifier: MIT
"""Ritz beside the methods of scikit-learn that answer the same questions: quality on samples kept out, time, memory.

usage: PYTHONPATH=build/release/python python3 bench/python/side_by_side.py [--splits N] [--write]

--write puts the table into docs/guide/python-side-by-side.md. Each line is a process of its own, so that memory is that
of one method: what it takes beyond the data.
"""
import argparse
import json
import os
import pathlib
import platform
import subprocess
import sys
import time

ONE_THREAD = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "guide" / "python-side-by-side.md"


def split(name, seed):
    from sklearn import datasets
    from sklearn.model_selection import train_test_split
    from sklearn.preprocessing import StandardScaler
    X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    parts = train_test_split(X, y, stratify=y, random_state=seed, train_size=min(600, int(0.7 * len(X))))
    scaler = StandardScaler().fit(parts[0])
    return scaler.transform(parts[0]), scaler.transform(parts[1]), parts[2], parts[3]


def neighbours(Z_train, Z_test, y_train, y_test):
    from sklearn.neighbors import KNeighborsClassifier
    return KNeighborsClassifier(5).fit(Z_train, y_train).score(Z_test, y_test)


def reducers(classes):
    import ritz
    from sklearn.decomposition import KernelPCA
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.neighbors import NeighborhoodComponentsAnalysis
    return {"ritz.ISM": lambda: ritz.ISM(2), "LDA": lambda: LinearDiscriminantAnalysis(n_components=min(2, classes - 1)),
            "NCA": lambda: NeighborhoodComponentsAnalysis(2, random_state=0),
            "KernelPCA": lambda: KernelPCA(2, kernel="rbf")}


def unfolders(classes):
    import ritz
    from sklearn.manifold import Isomap, LocallyLinearEmbedding
    return {"ritz.VarianceUnfolding": lambda: ritz.VarianceUnfolding(2, scale="none"),
            "Isomap": lambda: Isomap(n_neighbors=5), "LLE": lambda: LocallyLinearEmbedding(n_neighbors=5, random_state=0)}


def shrinkers(classes):
    import ritz
    from sklearn.decomposition import PCA
    from sklearn.random_projection import GaussianRandomProjection
    return {"ritz.NearIsometry": lambda: ritz.NearIsometry(0.5, rank=12), "PCA": lambda: PCA(12),
            "random projection": lambda: GaussianRandomProjection(12, random_state=0)}


def clusterers(classes):
    import ritz
    from sklearn.cluster import KMeans, SpectralClustering
    return {"ritz.ISMClustering": lambda: ritz.ISMClustering(classes, scale="none"),
            "SpectralClustering": lambda: SpectralClustering(classes, random_state=0),
            "KMeans": lambda: KMeans(classes, n_init=10, random_state=0)}


# Question: its methods, its data sets, what is measured of the fitted method. A clustering without a rule for new samples
# gives each the cluster of the nearest fitted one.
def judged_classes(method, X_train, X_test, y_train, y_test):
    return neighbours(method.transform(X_train), method.transform(X_test), y_train, y_test)


def judged_distances(method, X_train, X_test, y_train, y_test):
    from ritz import metrics
    return metrics.distortion(X_test, method.components_)["distortion"]


def judged_clusters(method, X_train, X_test, y_train, y_test):
    from ritz import metrics
    if hasattr(method, "predict"):
        return metrics.adjusted_rand_index(method.predict(X_test), y_test)
    from sklearn.neighbors import KNeighborsClassifier
    return metrics.adjusted_rand_index(KNeighborsClassifier(1).fit(X_train, method.labels_).predict(X_test), y_test)


QUESTIONS = {
    "classes in 2 dimensions: share of held-out samples told by 5 neighbours": (
        reducers, ["wine", "breast_cancer", "digits"], judged_classes),
    "an unfolded plane: the same": (unfolders, ["wine", "digits"], judged_classes),
    "12 measurements: largest change of a squared distance of held-out samples (smaller is better)": (
        shrinkers, ["breast_cancer", "digits"], judged_distances),
    "clusters: adjusted Rand index of held-out samples": (clusterers, ["wine", "iris"], judged_clusters),
}


def peak_bytes():
    return next(int(line.split()[1]) * 1024 for line in open("/proc/self/status") if line.startswith("VmHWM"))


def measured(question, name, data, seed):
    methods, _, judge = QUESTIONS[question]
    import ritz
    ritz.metrics.rand_index([0, 1], [0, 1])  # what an import takes is not the method's
    X_train, X_test, y_train, y_test = split(data, seed)
    method = methods(len(set(y_train)))[name]()
    before, start = peak_bytes(), time.process_time()
    method.fit(X_train, y_train)
    seconds, memory = time.process_time() - start, peak_bytes() - before
    return {"value": float(judge(method, X_train, X_test, y_train, y_test)), "seconds": seconds, "memory": memory}


def table(splits):
    lines = []
    for question, (methods, sets, _) in QUESTIONS.items():
        lines += ["", f"**{question[0].upper()}{question[1:]}**", "", "| data | method | value | CPU seconds | memory, MB |", "|---|---|---|---|---|"]
        for data in sets:
            for name in methods(2):
                found = [json.loads(subprocess.run([sys.executable, "-W", "ignore", __file__, "--one", question, name, data, str(seed)],
                                                   check=True, capture_output=True, text=True, env=ONE_THREAD).stdout) for seed in range(splits)]
                middle = {key: sorted(run[key] for run in found)[len(found) // 2] for key in ("value", "seconds", "memory")}
                spread = [run["value"] for run in found]
                width = f" ({min(spread):.3f} to {max(spread):.3f})" if splits > 1 else ""
                lines.append(f"| {data} | {name} | {middle['value']:.3f}{width} | "
                             f"{middle['seconds']:.3f} | {middle['memory'] / 1e6:.0f} |")
                print(lines[-1], flush=True)
    return lines


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--write", action="store_true")
    arguments.add_argument("--splits", type=int, default=3)
    arguments.add_argument("--one", nargs=4)
    options = arguments.parse_args()
    if options.one:
        print(json.dumps(measured(*options.one[:3], int(options.one[3]))))
        return
    lines = table(options.splits)
    if options.write:
        import sklearn
        over = "One split" if options.splits == 1 else f"Medians over {options.splits} splits, with the range of the value"
        head = ["<!-- Made by bench/python/side_by_side.py --write; do not edit. -->", "# Ritz and scikit-learn side by side", "",
                f"{over}; columns are standardised. CPU seconds of one fit with one thread, and memory that it takes beyond the data.", f"{platform.machine()}, Python {platform.python_version()}, scikit-learn {sklearn.__version__}."]
        PAGE.write_text("\n".join(head + lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
