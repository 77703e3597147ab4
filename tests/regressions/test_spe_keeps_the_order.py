# SPDX-License-Identifier: MIT
"""SPE's default stopped before it used a single constraint, and its check refused a model without one for a false reason.
The order is kept to 1e-6 now, and a model whose order nobody violates is checked like any other."""
import numpy as np

from conftest import facts

# Zachary's karate club, from 1.
KARATE = """2-1 3-1 3-2 4-1 4-2 4-3 5-1 6-1 7-1 7-5 7-6 8-1 8-2 8-3 8-4 9-1 9-3 10-3 11-1 11-5 11-6 12-1 13-1 13-4 14-1 14-2 14-3
14-4 17-6 17-7 18-1 18-2 20-1 20-2 22-1 22-2 26-24 26-25 28-3 28-24 28-25 29-3 30-24 30-27 31-2 31-9 32-1 32-25 32-26 32-29 33-3
33-9 33-15 33-16 33-19 33-21 33-23 33-24 33-30 33-31 33-32 34-9 34-10 34-14 34-15 34-16 34-19 34-20 34-21 34-23 34-24 34-27 34-28
34-29 34-30 34-31 34-32 34-33"""


def largest_violation(F, edges, n):
    D = ((F[:, None] - F)**2).sum(2)
    joined = np.zeros((n, n), bool)
    joined[tuple(edges.T)] = joined[tuple(edges.T[::-1])] = True
    strangers = ~joined & ~np.eye(n, dtype=bool)
    return max(D[i][joined[i]].max() - D[i][strangers[i]].min() for i in range(n) if joined[i].any() and strangers[i].any())


def test_the_karate_club_keeps_its_order_by_default(tmp_path):
    edges = np.array([[int(v) - 1 for v in pair.split("-")] for pair in KARATE.split()])
    np.savetxt(tmp_path / "karate.csv", edges, delimiter=",", fmt="%d")
    json = facts("unfold", "--graph", tmp_path / "karate.csv", "--method", "spe", "--save-model", tmp_path / "m")
    assert json["status"] == "converged" and json["result"]["slack"] <= 1e-6 and json["result"]["constraints"] > 0
    assert facts("check", tmp_path / "m")["status"] == "holds"


def test_samples_keep_their_order_by_default(tmp_path):
    X = np.random.default_rng(1).normal(size=(60, 3))
    np.savetxt(tmp_path / "X.csv", X, delimiter=",", fmt="%.17g")
    json = facts("unfold", tmp_path / "X.csv", "--method", "spe", "--save-kernel", tmp_path / "F.npy", "--save-graph", tmp_path / "e.csv",
                 "--save-model", tmp_path / "m")
    assert json["status"] == "converged" and json["result"]["slack"] <= 1e-6
    assert facts("check", tmp_path / "m", tmp_path / "X.csv")["status"] == "holds"


def test_an_order_that_nobody_violates_is_checked_without_dual_values(tmp_path):
    """Two triangles, far apart by themselves: no triple is needed."""
    (tmp_path / "e.csv").write_text("0,1\n1,2\n0,2\n3,4\n4,5\n3,5\n")
    json = facts("unfold", "--graph", tmp_path / "e.csv", "--method", "spe", "--save-model", tmp_path / "m")
    assert json["status"] == "converged" and json["result"]["constraints"] == 0
    assert facts("check", tmp_path / "m")["status"] == "holds"


def test_a_table_of_copies_keeps_its_order(tmp_path):
    """First-order steps left a violation of 1e-5 for hundreds of rounds; with a margin a dozen rounds end within the order."""
    X = np.random.default_rng(2).normal(size=(150, 4))
    X = np.vstack([X, X[:80], np.tile(X[0], (10, 1))])
    np.savetxt(tmp_path / "X.csv", X, delimiter=",", fmt="%.17g")
    json = facts("unfold", tmp_path / "X.csv", "--method", "spe", "--rounds", 40, "--save-model", tmp_path / "m")
    assert json["status"] == "converged" and json["result"]["slack"] <= 1e-6
    assert facts("check", tmp_path / "m", tmp_path / "X.csv")["status"] == "holds"


def test_no_kernel_is_taken_for_zero(tmp_path):
    """Where most of A(alpha) is positive the search knows it by its negative side; every other round ended with a kernel of zeros."""
    rng = np.random.default_rng(4)
    rates = rng.gamma(0.3, 1, size=(3, 300))
    X = rng.poisson(rates[rng.integers(0, 3, 240)])
    np.savetxt(tmp_path / "X.csv", X, delimiter=",", fmt="%d")
    json = facts("unfold", tmp_path / "X.csv", "--method", "spe", "--save-trace", tmp_path / "t.csv", "--save-model", tmp_path / "m")
    trace = np.genfromtxt(tmp_path / "t.csv", delimiter=",", names=True)
    assert json["status"] == "converged" and len(trace) > 2 and np.all(trace["objective"] != 0)
    assert facts("check", tmp_path / "m", tmp_path / "X.csv")["status"] == "holds"
