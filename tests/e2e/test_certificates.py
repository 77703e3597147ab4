# SPDX-License-Identifier: MIT
"""Random problems over options, early stops, tolerances, threads and scales: what a certificate says is recomputed by NumPy
and must not be better than the truth; status 0 must mean that `check` holds. A few in every run; --count 500 by hand."""
import numpy as np
import pytest

from conftest import run_ritz
from model_files import load

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


def standard(X):
    Z = X / np.abs(X).max()
    return (Z - Z.mean(0)) / Z.std(0)


def squares(Z):
    return np.square(Z[:, None] - Z[None]).sum(2)


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
        Z = standard(X)
        W = np.load(tmp_path / "W.npy")
        assert np.abs(W.T @ W - np.eye(q)).max() < 1e-9, seed
        F = Z @ W
        K = np.exp(-squares(F) / (2 * sigma**2))
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


def test_recluster(count, tmp_path):
    for seed in range(count):
        draw, X, y, more = problem(seed, tmp_path)
        run = run_ritz("recluster", tmp_path / "x.csv", "--given", tmp_path / "y.labels", "--clusters", 2, *more[:2], "--save-model", tmp_path / "m.ritz",
                       "--save-projection", tmp_path / "W.npy")
        checked(run, tmp_path, tmp_path / "x.csv")
        W = np.load(tmp_path / "W.npy")
        assert np.abs(W.T @ W - np.eye(W.shape[1])).max() < 1e-9, seed


def test_depend(count, tmp_path):
    for seed in range(count):
        draw, X, y, more = problem(seed, tmp_path)
        sigma = float(draw.uniform(0.5, 3))
        labels = ["--labels", tmp_path / "y.labels"]
        run = run_ritz("depend", tmp_path / "x.csv", *labels, "--kernel", f"gaussian(sigma={sigma})", "--scale", "standard", *more[:2],
                       "--permutations", int(draw.choice([19, 50])), "--seed", seed, "--save-model", tmp_path / "m.ritz", "--json")
        checked(run, tmp_path, tmp_path / "x.csv", *labels)
        n, certificate = len(X), run.json["certificate"]
        H = np.eye(n) - 1 / n
        L = H @ np.equal.outer(y, y) @ H
        truth = np.trace(np.exp(-squares(standard(X)) / (2 * sigma**2)) @ L) / n**2
        missed = run.json["options"]["tolerance"] * n  # of the trace of the kernel
        assert abs(certificate["hsic"] - truth) <= missed * np.linalg.eigvalsh(L).max() / n**2, (seed, truth, certificate)
        null = load(tmp_path / "m.ritz")[1]["null"].ravel()
        assert certificate["p"] == pytest.approx((1 + (null >= certificate["hsic"]).sum()) / (1 + len(null))), seed


LOSSES = {"square-hinge": (lambda r: np.square(np.maximum(r, 0)) / 2, lambda a: a * a / 2, (0, np.inf)),
          "hinge": (lambda r: np.maximum(r, 0), lambda a: 0 * a, (0, 1)),
          "square": (lambda r: r * r / 2, lambda a: a * a / 2, (-np.inf, np.inf))}


def test_kernel(count, tmp_path):
    """min tr LK + 2 Σ ℓ(1 − s·K_ij) + G/2·tr K² over K ⪰ 0, and its dual: both values from the kernel and α of the model."""
    for seed in range(count):
        draw, X, y, more = problem(seed, tmp_path)
        loss, k = draw.choice(list(LOSSES)), 3
        run = run_ritz("kernel", tmp_path / "x.csv", "--labels", tmp_path / "y.labels", "--fraction", draw.choice([0.3, 0.9]), "--neighbours", k,
                       "--loss", loss, "--scale", "standard", "--graph", "union", "--ridge", 0.05, "--power", 2, *more, "--save-model", tmp_path / "m.ritz", "--json")
        checked(run, tmp_path, tmp_path / "x.csv")
        n, Z = len(X), standard(X)
        near = np.argsort(squares(Z) + np.diag(np.full(n, np.inf)), axis=1)[:, :k]
        G = np.zeros((n, n))
        G[np.arange(n)[:, None], near] = 1
        G = np.maximum(G, G.T)
        degree = G.sum(1)
        L = np.eye(n) - G / np.sqrt(np.outer(degree, degree))
        arrays = load(tmp_path / "m.ritz")[1]
        K = arrays["basis"] @ np.diag(arrays["weights"].ravel()) @ arrays["basis"].T
        (i, j), s, alpha = arrays["pairs"][:, :2].astype(int).T, arrays["pairs"][:, 2], arrays["alpha"].ravel()
        value, conjugate, (low, high) = LOSSES[loss]
        assert alpha.min() >= low - 1e-9 and alpha.max() <= high + 1e-9, seed
        primal = np.sum(L * K) + 2 * value(1 - s * K[i, j]).sum() + 0.05 / 2 * np.sum(K * K)
        A = -L
        np.add.at(A, (i, j), alpha * s)
        np.add.at(A, (j, i), alpha * s)
        dual = 2 * (alpha - conjugate(alpha)).sum() - np.square(np.maximum(np.linalg.eigvalsh(A), 0)).sum() / (2 * 0.05)
        said, near_enough = run.json["certificate"], 1e-7 * (1 + len(s))
        assert said["primal"] >= primal - near_enough and said["dual"] <= dual + near_enough, (seed, primal, dual, said)
        assert run.status == 4 or primal - dual <= 1.01 * run.json["options"]["tolerance"] * max(abs(primal), abs(dual)) + near_enough, (seed, primal, dual)


def test_unfold(count, tmp_path):
    """min −tr K + C/2·Σ(d_K − d)² over centred K ⪰ 0; α bounds it by α·d − |α|²/2C where H + Σ α·M has no positive eigenvalue."""
    for seed in range(count):
        draw, X, y, more = problem(seed, tmp_path)
        run = run_ritz("unfold", tmp_path / "x.csv", "--dim", 1, "--neighbours", 3, "--connect", "--method", "mvu", "--scale", "standard", *more,
                       "--save-model", tmp_path / "m.ritz", "--json")
        checked(run, tmp_path, tmp_path / "x.csv")
        n, arrays = len(X), load(tmp_path / "m.ritz")[1]
        (i, j), F, C = arrays["edges"].astype(int).T, arrays["kernel_factor"], arrays["penalties"][0, 0]
        d = squares(standard(X))[i, j]
        F = F - F.mean(0)
        primal = -np.sum(F * F) + C / 2 * np.square(np.square(F[i] - F[j]).sum(1) - d).sum()
        said, rounding = run.json["certificate"], 1e-7 * C * (d @ d)
        assert said["primal"] >= primal - rounding, (seed, primal, said)
        if "alpha" not in arrays:
            assert run.status == 4, seed
            continue
        alpha = arrays["alpha"].ravel()
        A = np.eye(n) - 1 / n
        for (p, q, sign) in ((i, i, 1), (j, j, 1), (i, j, -1), (j, i, -1)):
            np.add.at(A, (p, q), sign * alpha)
        over = max(np.linalg.eigvalsh(A).max(), 0)
        dual = alpha @ d - alpha @ alpha / (2 * C) - over * np.sum(F * F)
        assert said["dual"] <= dual + rounding, (seed, dual, said, over)


@pytest.mark.parametrize("method", ["spe", "cmvu", "mve"])
def test_status_0_of_other_unfoldings_means_that_the_check_holds(method, count, tmp_path):
    for seed in range((count + 2) // 3):
        draw, X, y, more = problem(seed, tmp_path)
        run = run_ritz("unfold", tmp_path / "x.csv", "--dim", 1, "--neighbours", 3, "--connect", "--method", method, "--labels", tmp_path / "y.labels", *more,
                       "--save-model", tmp_path / "m.ritz")
        checked(run, tmp_path, tmp_path / "x.csv")
