# SPDX-License-Identifier: MIT
"""Random problems over options, early stops, tolerances, threads and scales: what a certificate says is recomputed by NumPy
and must not be better than the truth; status 0 must mean that `check` holds. A few in every run; --count 500 by hand."""
import numpy as np
import pytest

from conftest import run_ritz

SCALES = [1, 1, 1, 1e-150, 1e-30, 1e30, 1e150]


def problem(seed, folder):
    draw = np.random.default_rng(seed)
    n, d = int(draw.integers(6, 40)), int(draw.integers(2, 6))
    X = draw.normal(size=(n, d)) * draw.uniform(0.2, 3, size=d) + draw.normal(size=d)
    y = draw.integers(0, int(draw.integers(2, 4)), size=n)
    y[:3] = [0, 1, y[2]]
    X += 2 * np.eye(d)[y % d]
    scale = draw.choice(SCALES)
    np.savetxt(folder / "x.csv", scale * X, delimiter=",", fmt="%.17g")
    (folder / "y.labels").write_text("\n".join(map(str, y)) + "\n")
    more = ["--threads", int(draw.choice([1, 2, 7]))]
    if draw.random() < 0.3:
        more += ["--max-iterations", int(draw.choice([1, 2, 5]))]
    return draw, scale * X, y, more


def checked(run, folder, *data):
    """The status is one of a run that ended, and 0 means that the certificate holds."""
    assert run.status in (0, 4), run
    check = run_ritz("check", folder / "m.ritz", *data, "--json")
    if run.status == 0:
        assert check.status == 0, (run.err, check.err)
    return check


def test_isometry(count, tmp_path):
    for seed in range(count):
        draw, X, _, more = problem(seed, tmp_path)
        asked = float(draw.choice([0.05, 0.2, 0.5]))
        run = run_ritz("isometry", tmp_path / "x.csv", "--distortion", asked, "--method", draw.choice(["numax", "nile", "fromax"]), *more,
                       "--save-model", tmp_path / "m.ritz", "--save-projection", tmp_path / "P.npy", "--json")
        if run.status == 6:
            continue
        checked(run, tmp_path, tmp_path / "x.csv")
        P, (i, j) = np.load(tmp_path / "P.npy"), np.triu_indices(len(X), 1)
        Z = X / np.abs(X).max()
        secants = Z[i] - Z[j]
        ratios = np.square(secants @ P.T).sum(1) / np.square(secants).sum(1)
        truth = np.abs(ratios - 1).max()
        assert run.json["certificate"]["distortion"] >= truth - 1e-9 * (1 + truth), (seed, truth, run.json["certificate"])
        assert run.status == 4 or truth <= asked * (1 + 1e-8), seed


def test_reduce(count, tmp_path):
    for seed in range(count):
        draw, X, y, more = problem(seed, tmp_path)
        sigma, q = float(draw.uniform(0.5, 3)), int(draw.integers(1, X.shape[1] + 1))
        run = run_ritz("reduce", tmp_path / "x.csv", "--labels", tmp_path / "y.labels", "--dim", q, "--kernel", f"gaussian(sigma={sigma})",
                       "--scale", "standard", "--tolerance", draw.choice(["1e-2", "1e-6"]), "--solver", draw.choice(["ism", "gm", "sm", "dg"]), *more,
                       "--save-model", tmp_path / "m.ritz", "--save-projection", tmp_path / "W.npy", "--json")
        checked(run, tmp_path, tmp_path / "x.csv", "--labels", tmp_path / "y.labels")
        Z = X / np.abs(X).max()
        Z = (Z - Z.mean(0)) / Z.std(0)
        W = np.load(tmp_path / "W.npy")
        assert np.abs(W.T @ W - np.eye(q)).max() < 1e-9, seed
        F = Z @ W
        K = np.exp(-np.square(F[:, None] - F[None]).sum(2) / (2 * sigma**2))
        Y = (y[:, None] == np.unique(y)).astype(float)
        H = np.eye(len(y)) - 1 / len(y)
        truth = np.trace(H @ Y @ Y.T @ H @ K)
        assert run.json["objective"] <= truth + 1e-9 * (1 + abs(truth)), (seed, truth, run.json["objective"])


def test_center(count, tmp_path):
    for seed in range(count):
        draw = np.random.default_rng(seed)
        n, k = int(draw.integers(3, 8)), int(draw.integers(2, 5))
        files = []
        for each in range(k):
            files.append(tmp_path / f"{each}.csv")
            np.savetxt(files[-1], draw.choice(SCALES) * draw.normal(size=(n, int(draw.integers(1, 3)))), delimiter=",", fmt="%.17g")
        run = run_ritz("center", *files, "--dim", 1, "--threads", int(draw.choice([1, 2])), "--save-model", tmp_path / "m.ritz", "--json")
        checked(run, tmp_path, *files)
        certificate = run.json["certificate"]
        assert certificate["dual"] <= certificate["primal"] + 1e-9, seed


@pytest.mark.parametrize("verb", ["recluster", "kernel", "unfold"])
def test_status_0_means_that_the_check_holds(verb, count, tmp_path):
    for seed in range(count):
        draw, X, y, more = problem(seed, tmp_path)
        labels = tmp_path / "y.labels"
        words = {"recluster": ["--given", labels, "--clusters", 2],
                 "kernel": ["--labels", labels, "--fraction", draw.choice([0.3, 0.9]), "--neighbours", 3, "--loss", draw.choice(["square-hinge", "hinge", "square"])],
                 "unfold": ["--dim", 1, "--neighbours", 3, "--connect", "--method", draw.choice(["mvu", "spe"])]}[verb]
        run = run_ritz(verb, tmp_path / "x.csv", *words, *(more if verb != "recluster" else more[:2]), "--save-model", tmp_path / "m.ritz")
        checked(run, tmp_path, tmp_path / "x.csv")
