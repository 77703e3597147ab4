# SPDX-License-Identifier: MIT
"""A kernel learned from pairs, through the command line: reference optima, clusters, models, errors."""
import os
import shutil
import time
import xml.etree.ElementTree as xml

import numpy as np
import pytest

from conftest import NamedSet, case_file, data_file, dataset, facts, run_ritz, sparse_set, standardised, wine


def case(name, samples=None):
    """Arguments that replay a stored instance: its own edges and pairs, nothing added to them."""
    X = samples or case_file(f"{name}.X.csv")
    return [X, "--edges", case_file(f"{name}.edges.csv"), "--pairs", case_file(f"{name}.pairs.csv"), "--closure", "raw",
            "--clusters", 2]


def mid(name):
    return case(f"mid_{name}", data_file("npkl/heart.csv") if name == "heart" else dataset(name).samples)


def setting(loss, C, form, value, p=2):
    return ["--loss", loss, "--penalty", C, f"--{form}", value, "--power", p]


TINY = [(setting("linear", 0.5, "budget", 2, 1), 1.552970177213), (setting("linear", 0.5, "budget", 2, 1.5), 1.250869647501),
        (setting("linear", 0.5, "budget", 2), 1.165652690170), (setting("linear", 0.5, "budget", 2, 3), 1.112393185986),
        (setting("linear", 0.5, "budget", 2, 4), 1.093181279833), (setting("linear", 0.5, "ridge", 0.5), 0.679373097050),
        (setting("square-hinge", 1, "budget", 1), 4.447429511243), (setting("square-hinge", 1, "budget", 8), 2.243711199),
        (setting("square-hinge", 1, "ridge", 0.1), 1.903500569), (setting("hinge", 1, "budget", 1), 10.301364464796),
        (setting("hinge", 1, "budget", 8), 7.195533177172), (setting("hinge", 1, "ridge", 0.1), 2.759961754838)]
IRIS30 = [(setting("square-hinge", 1, "budget", 1), 29.480967844), (setting("square-hinge", 1, "budget", 30), 18.073027734),
          (setting("square-hinge", 1, "ridge", 0.1), 16.510213364)]
MID = [("heart", setting("square-hinge", 1, "ridge", 0.01), 70.408089), ("heart", setting("hinge", 1, "ridge", 0.01), 87.460457),
       ("heart", setting("square-hinge", 1, "budget", 270), 113.381028),
       ("heart", setting("linear", 0.1, "budget", 1, 1), 0.094896764424),
       ("iris", setting("square-hinge", 1, "ridge", 0.01), 29.932553), ("wine", setting("square-hinge", 1, "ridge", 0.01), 40.487098)]


def assert_optimum(args, expected, rel=1e-6):
    json = facts("kernel", *args, "--tolerance", 1e-7)
    assert json["status"] == "converged"
    assert json["objective"] == pytest.approx(expected, rel=rel)
    certificate = json["certificate"]
    assert -1e-10 <= certificate["gap"] <= 1e-6 * abs(certificate["primal"])
    assert certificate["gap"] == pytest.approx(certificate["primal"] - certificate["dual"], abs=1e-12)


@pytest.mark.parametrize("options, expected", TINY)
def test_tiny8_has_the_reference_optima(options, expected):
    assert_optimum(case("tiny8") + options, expected)


def test_the_hinge_with_a_small_budget_is_the_linear_loss():
    pairs = [facts("kernel", *case("tiny8"), *setting(loss, 1, "budget", 1)) for loss in ("hinge", "linear")]
    assert pairs[0]["certificate"]["primal"] == pytest.approx(pairs[1]["certificate"]["primal"], rel=1e-9)


@pytest.mark.parametrize("options, expected", IRIS30)
def test_iris30_has_the_reference_optima(options, expected):
    assert_optimum(case("iris30") + options, expected)


@pytest.mark.parametrize("name, options, expected", MID)
def test_the_middle_cases_have_the_reference_optima(name, options, expected):
    assert_optimum(mid(name) + options, expected)


@pytest.mark.skipif(shutil.which("csdp") is None, reason="csdp is not installed")
@pytest.mark.parametrize("name", ["tiny8", "iris30"])
@pytest.mark.parametrize("loss", ["linear", "square-hinge", "hinge", "square"])
@pytest.mark.parametrize("capacity", [["--budget", 1, "--power", 1], ["--budget", 4], ["--ridge", 0.1]])
def test_the_general_solver_finds_the_same_optimum(name, loss, capacity):
    """CSDP knows nothing of our dual: its objective lies within both gaps of ours, which bounds the distance."""
    ours, theirs = (facts("kernel", *case(name), "--loss", loss, *capacity, "--solver", solver, "--tolerance", 1e-6)
                    for solver in ("automatic", "csdp"))
    assert theirs["used"]["solver"] == "csdp"
    assert ours["status"] == "converged"
    a, b = ours["certificate"], theirs["certificate"]
    slack = 1e-9 * max(1, abs(a["primal"]))
    assert a["dual"] <= b["primal"] + slack and b["dual"] <= a["primal"] + slack
    assert a["primal"] == pytest.approx(b["primal"], rel=1e-4, abs=1e-5)


def nopos6():
    return [case_file("nopos6.X.csv"), "--pairs", case_file("nopos6.pairs.csv"), "--closure", "raw", "--neighbours", 2, "--scale",
            "none", "--clusters", 2]


@pytest.mark.parametrize("options", [["--power", 2], ["--power", 1.5], ["--power", 4], ["--power", 2, "--budget", 3],
                                     ["--power", 1, "--budget", 3]])
def test_pairs_that_are_too_weak_leave_a_kernel_of_zeros_and_it_is_said(tmp_path, options):
    run = run_ritz("kernel", *nopos6(), "--loss", "linear", "--penalty", 0.05, *options, "--json", "--save-kernel",
                   tmp_path / "F.npy", "--save-labels", tmp_path / "y.txt", "--save-model", tmp_path / "m", "--plot",
                   tmp_path / "p.svg")
    assert run.status == 0, run
    assert "K = 0" in run.err and "all are in cluster 1" in run.err and "--penalty" in run.err
    assert run.json["objective"] == 0 and run.json["result"]["rank"] == 0
    assert np.load(tmp_path / "F.npy").shape == (6, 0)
    assert (tmp_path / "y.txt").read_text() == "1\n" * 6
    assert facts("predict", tmp_path / "m", case_file("nopos6.X.csv"))["result"]["counts"] == [6]
    assert facts("check", tmp_path / "m", case_file("nopos6.X.csv"))["status"] == "holds"


# --- against formulas written out here ------------------------------------------------------------------------------


def laplacian(n, edges):
    S = np.zeros((n, n))
    for i, j in edges.astype(int):
        S[i, j] = S[j, i] = 1
    degree = S.sum(1)
    root = np.where(degree > 0, 1 / np.sqrt(np.maximum(degree, 1)), 0)
    return np.diag((degree > 0).astype(float)) - root[:, None] * S * root


def read_used_pairs(path):
    rows = np.genfromtxt(path, delimiter=",", names=True, dtype=None, encoding=None)
    return rows["i"], rows["j"], np.where(rows["link"] == "must", 1, -1), rows["alpha"], rows["kernel"]


LOSSES = {"square-hinge": lambda r, C: C / 2 * np.maximum(r, 0)**2, "hinge": lambda r, C: C * np.maximum(r, 0),
          "square": lambda r, C: C / 2 * r**2}


@pytest.mark.parametrize("loss", LOSSES)
def test_the_objective_is_that_of_the_saved_factor_and_the_dual_that_of_the_saved_alpha(tmp_path, loss):
    C, G = 0.7, 0.02
    json = facts("kernel", *mid("iris"), "--loss", loss, "--penalty", C, "--ridge", G, "--save-kernel", tmp_path / "F.npy",
                 "--save-pairs", tmp_path / "pairs.csv")
    F = np.load(tmp_path / "F.npy")
    i, j, t, alpha, value = read_used_pairs(tmp_path / "pairs.csv")
    K = F @ F.T
    L = laplacian(150, np.loadtxt(case_file("mid_iris.edges.csv"), delimiter=","))
    primal = np.sum(L * K) + 2 * np.sum(LOSSES[loss](1 - t * K[i, j], C)) + G / 2 * np.sum(K * K)
    assert json["objective"] == pytest.approx(primal, rel=1e-10)
    np.testing.assert_allclose(value, K[i, j], atol=1e-12)
    A = -L
    np.add.at(A, (i, j), alpha * t)
    np.add.at(A, (j, i), alpha * t)
    eigenvalues = np.linalg.eigvalsh(A)
    conjugate = {"square-hinge": alpha**2 / (2 * C), "hinge": 0 * alpha, "square": alpha**2 / (2 * C)}[loss]
    dual = 2 * np.sum(alpha - conjugate) - np.sum(np.maximum(eigenvalues, 0)**2) / (2 * G)
    assert json["certificate"]["dual"] == pytest.approx(dual, rel=1e-8)
    assert json["result"]["pairs"]["satisfied"] == pytest.approx(np.mean(t * K[i, j] > 0))
    assert json["result"]["positive_eigenvalues"] == pytest.approx(np.sum(eigenvalues > 1e-9), abs=2)
    assert json["result"]["trace"] == pytest.approx(np.trace(K))


def test_the_graph_is_that_of_the_nearest_neighbours_of_standardised_columns(blobs, tmp_path):
    from scipy.spatial.distance import cdist
    X = standardised(blobs.X)
    D = cdist(X, X)
    np.fill_diagonal(D, np.inf)
    near = np.zeros(D.shape, bool)
    np.put_along_axis(near, np.argsort(D, axis=1)[:, :4], True, axis=1)
    for kind, joined in (("union", near | near.T), ("mutual", near & near.T)):
        graph = facts("kernel", *blobs.args, "--fraction", 0.6, "--neighbours", 4, "--scale", "standard", "--graph",
                      kind)["result"]["graph"]
        assert graph["edges"] == joined.sum() // 2
        assert graph["isolated"] == np.sum(joined.sum(1) == 0)


def test_clusters_are_compared_with_the_truth_beside_the_trivial_answers(blobs, tmp_path):
    from sklearn.metrics import adjusted_rand_score, rand_score
    json = facts("kernel", *blobs.args, "--fraction", 0.5, "--save-labels", tmp_path / "y.txt")
    labels = np.loadtxt(tmp_path / "y.txt", dtype=int)
    result = json["result"]
    assert json["options"]["clusters"] == 3 and sorted(np.bincount(labels)[1:]) == sorted(result["clusters"]["sizes"])
    assert result["rand"] == pytest.approx(rand_score(blobs.y, labels))
    assert result["adjusted_rand"] == pytest.approx(adjusted_rand_score(blobs.y, labels))
    names = {each["name"]: each for each in result["baselines"]}
    assert set(names) == {"learned kernel", "k-means", "constrained k-means", "random labels", "one cluster"}
    assert names["one cluster"]["rand"] == pytest.approx(rand_score(blobs.y, np.zeros(60)))
    assert names["one cluster"]["adjusted_rand"] == 0
    rng = np.random.default_rng(0)
    drawn = np.mean([rand_score(blobs.y, rng.integers(0, 3, 60)) for _ in range(300)])
    assert names["random labels"]["rand"] == pytest.approx(drawn, abs=0.01)
    text = run_ritz("kernel", *blobs.args, "--fraction", 0.5).err
    assert "constrained k-means" in text and "one cluster" in text


def test_the_clusters_are_those_of_the_rows_of_the_factor(blobs, tmp_path):
    """Each sample is with the center (the mean of its cluster's rows) that is nearest."""
    for unit in ("true", "false"):
        facts("kernel", *blobs.args, "--fraction", 0.5, "--scale", "standard", "--normalise-rows", unit, "--save-labels", tmp_path / "y.txt",
              "--save-kernel", tmp_path / "F.csv")
        F, y = np.loadtxt(tmp_path / "F.csv", delimiter=",", skiprows=1, ndmin=2), np.loadtxt(tmp_path / "y.txt", dtype=int)
        if unit == "true":
            F = F / np.maximum(np.linalg.norm(F, axis=1, keepdims=True), 1e-300)
        centers = np.array([F[y == c].mean(0) for c in (1, 2, 3)])
        np.testing.assert_array_equal(np.argmin(((F[:, None] - centers)**2).sum(2), axis=1) + 1, y)


# --- pairs ----------------------------------------------------------------------------------------------------------


def test_pairs_may_name_samples_by_their_ids(tmp_path):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(30, 2)) + 4 * (np.arange(30)[:, None] % 2)
    names = [f"sample-{i}" for i in range(30)]
    (tmp_path / "X.csv").write_text("who,a,b\n" + "".join(f"{m},{x!r},{y!r}\n" for m, (x, y) in zip(names, X.tolist())))
    np.savetxt(tmp_path / "plain.csv", X, delimiter=",", fmt="%.17g")
    numbers = [(0, 2, "must"), (0, 1, "cannot"), (4, 6, "+1"), (4, 5, "-1")]
    (tmp_path / "ids.csv").write_text("one,other,link\n" + "".join(f"{names[i]},{names[j]},{t}\n" for i, j, t in numbers))
    (tmp_path / "numbers.csv").write_text("".join(f"{i},{j},{t}\n" for i, j, t in numbers))
    by_id = facts("kernel", tmp_path / "X.csv", "--id-column", "who", "--pairs", tmp_path / "ids.csv", "--clusters", 2,
                  "--suggest", 3, "--save-pairs", tmp_path / "used.csv")
    by_number = facts("kernel", tmp_path / "plain.csv", "--pairs", tmp_path / "numbers.csv", "--clusters", 2, "--suggest", 3)
    assert by_id["objective"] == by_number["objective"]
    assert by_id["result"]["suggestions"] == [[names[i], names[j]] for i, j in by_number["result"]["suggestions"]]
    assert (tmp_path / "used.csv").read_text().splitlines()[1].startswith("sample-0,sample-1,cannot,")
    run = run_ritz("kernel", tmp_path / "X.csv", "--id-column", "who", "--pairs", tmp_path / "numbers.csv", "--clusters", 2)
    assert run.status == 3 and "no sample has the id" in run.err


def write_pairs(path, rows):
    path.write_text("".join(f"{i},{j},{t}\n" for i, j, t in rows))
    return path


def test_the_closure_adds_what_follows_and_raw_does_not(blobs, tmp_path):
    pairs = write_pairs(tmp_path / "p.csv", [(0, 3, "must"), (3, 6, "must"), (1, 4, "must"), (0, 1, "cannot"), (0, 3, "must")])
    closed = facts("kernel", blobs.plain, "--pairs", pairs, "--clusters", 2)["result"]["pairs"]
    raw = facts("kernel", blobs.plain, "--pairs", pairs, "--clusters", 2, "--closure", "raw")["result"]["pairs"]
    assert (closed["given"], closed["must"], closed["cannot"], closed["derived"], closed["repeated"]) == (5, 4, 6, 6, 1)
    assert (raw["must"], raw["cannot"], raw["derived"], raw["repeated"]) == (3, 1, 0, 1)


CHAIN = [(4, 2, "must"), (7, 9, "must"), (2, 7, "must"), (20, 21, "cannot"), (9, 4, "cannot")]


def test_contradictory_pairs_are_explained_by_the_shortest_chain(blobs, tmp_path):
    pairs = write_pairs(tmp_path / "p.csv", CHAIN)
    run = run_ritz("kernel", blobs.plain, "--pairs", pairs, "--clusters", 2)
    assert run.status == 6 and run.err.count("\n") == 1
    assert "row 5" in run.err and "4 - 2 - 7 - 9" in run.err


def test_contradictory_pairs_can_be_dropped_or_kept(blobs, tmp_path):
    pairs = write_pairs(tmp_path / "p.csv", CHAIN)
    args = ["kernel", blobs.plain, "--pairs", pairs, "--clusters", 2, "--on-conflict"]
    dropped = facts(*args, "drop")
    assert dropped["result"]["pairs"]["dropped"] == 1 and any("dropped" in note for note in dropped["notes"])
    soft = facts(*args, "soft")
    assert soft["result"]["pairs"]["used"] == 5 and soft["result"]["pairs"]["contradicted"] == 1
    both = write_pairs(tmp_path / "both.csv", [(0, 1, "must"), (1, 0, "cannot")])
    soft = facts("kernel", blobs.plain, "--pairs", both, "--clusters", 2, "--on-conflict", "soft", "--penalty", 9)
    assert soft["result"]["pairs"]["used"] == 2 and soft["result"]["pairs"]["satisfied"] <= 0.5


def test_drawn_pairs_depend_on_the_seed_only(blobs):
    runs = [facts("kernel", *blobs.args, "--fraction", 0.6, "--seed", seed)["result"]["pairs"] for seed in (1, 1, 2)]
    assert runs[0] == runs[1] and runs[0] != runs[2]


def test_active_pairs_name_few_samples(blobs, tmp_path):
    json = facts("kernel", *blobs.args, "--fraction", 0.5, "--active", 4, "--save-pairs", tmp_path / "p.csv")
    i, j, *_ = read_used_pairs(tmp_path / "p.csv")
    everything = facts("kernel", *blobs.args, "--fraction", 0.5)["result"]["pairs"]["used"]
    assert 0 < json["result"]["pairs"]["used"] < everything
    # Four samples cover all pairs: some choice of them does.
    ends = sorted(set(i) | set(j), key=lambda s: -np.sum((i == s) | (j == s)))
    from itertools import combinations
    assert any(all(a in four or b in four for a, b in zip(i, j)) for four in combinations(ends[:12], 4))


def known_pairs(n, pairs):
    """Group of each sample, and which groups are apart, by plain search."""
    group = list(range(n))
    for i, j, t in pairs:
        if t > 0:
            old, new = group[j], group[i]
            group = [new if g == old else g for g in group]
    apart = {frozenset((group[i], group[j])) for i, j, t in pairs if t < 0}
    return group, apart


def test_suggestions_are_new_and_one_a_group(blobs, tmp_path):
    json = facts("kernel", *blobs.args, "--fraction", 0.6, "--suggest", 8, "--save-pairs", tmp_path / "p.csv")
    i, j, t, *_ = read_used_pairs(tmp_path / "p.csv")
    group, apart = known_pairs(60, list(zip(i, j, t)))
    pairs = json["result"]["suggestions"]
    assert 0 < len(pairs) <= 8 and len({tuple(pair) for pair in pairs}) == len(pairs)
    for a, b in pairs:
        assert group[a] != group[b] and frozenset((group[a], group[b])) not in apart
    run = run_ritz("kernel", *blobs.args, "--fraction", 0.6, "--suggest", 8, "--quiet")
    assert run.out == "".join(f"{a},{b}\n" for a, b in pairs)
    run = run_ritz("kernel", *blobs.args, "--fraction", 0.6, "--suggest", 8, "--quiet", "--save-suggestions", tmp_path / "s.csv")
    assert run.out == "" and (tmp_path / "s.csv").read_text() == "".join(f"{a},{b}\n" for a, b in pairs)


def test_answers_to_suggestions_make_the_clusters_better_than_as_many_random_pairs():
    X, y = wine().samples, wine().load()[1]
    asked = []
    import tempfile
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "p.csv")
        rng = np.random.default_rng(0)
        pairs = [tuple(rng.choice(178, 2, replace=False)) for _ in range(30)]
        for _ in range(4):
            with open(path, "w") as out:
                out.writelines(f"{a},{b},{'must' if y[a] == y[b] else 'cannot'}\n" for a, b in pairs)
            result = facts("kernel", X, "--pairs", path, "--truth", wine().labels, "--suggest", 15)["result"]
            asked.append(result["adjusted_rand"])
            pairs += [tuple(pair) for pair in result["suggestions"]]
    assert asked[-1] > asked[0] and asked[-1] > 0.85


# --- later --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [[], ["--graph", "mutual"], ["--budget", 60], ["--loss", "hinge"], ["--power", 1.5],
                                     ["--loss", "linear", "--penalty", 0.2], ["--low-rank", 20], ["--power", 1, "--budget", 20]])
def test_a_model_labels_its_own_samples_and_its_certificate_holds(blobs, tmp_path, options):
    model = tmp_path / "m.ritz"
    json = facts("kernel", *blobs.args, "--fraction", 0.6, "--save-model", model, "--save-labels", tmp_path / "y.txt",
                 "--save-kernel", tmp_path / "F.npy", *options)
    check = facts("check", model, blobs.plain)
    assert check["status"] == "holds" and check["data"]["same_as_fit"]
    assert check["certificate"]["primal"] == pytest.approx(json["certificate"]["primal"], rel=1e-9)
    assert check["certificate"]["gap"] <= 2e-6 * abs(json["certificate"]["primal"])
    facts("predict", model, blobs.plain, "--save-labels", tmp_path / "again.txt")
    assert (tmp_path / "again.txt").read_text() == (tmp_path / "y.txt").read_text()
    facts("transform", model, blobs.plain, "--save-embedding", tmp_path / "Z.npy")
    np.testing.assert_allclose(np.load(tmp_path / "Z.npy"), np.load(tmp_path / "F.npy"), atol=1e-14)


def test_new_samples_follow_the_rule_for_points_without_pairs(blobs, tmp_path):
    """(1 + lambda_r) v_r(x) = sum over the neighbours j of v_r(j)/sqrt(k D_j), with A, K and the graph made here."""
    from scipy.spatial.distance import cdist
    train, test = blobs.X[:45], blobs.X[45:]
    np.savetxt(tmp_path / "train.csv", train, delimiter=",", fmt="%.17g")
    np.savetxt(tmp_path / "test.csv", test, delimiter=",", fmt="%.17g")
    np.savetxt(tmp_path / "y.txt", blobs.y[:45], fmt="%d")
    G, k = 0.05, 4
    facts("kernel", tmp_path / "train.csv", "--labels", tmp_path / "y.txt", "--fraction", 0.7, "--ridge", G, "--scale", "standard", "--neighbours", k,
          "--save-model", tmp_path / "m", "--save-kernel", tmp_path / "F.npy")
    facts("transform", tmp_path / "m", tmp_path / "test.csv", "--save-embedding", tmp_path / "Z.npy")
    F = np.load(tmp_path / "F.npy")
    mean, deviation = train.mean(0), train.std(0)
    T, Q = (train - mean) / deviation, (test - mean) / deviation
    D = cdist(T, T)
    np.fill_diagonal(D, np.inf)
    S = np.zeros(D.shape)
    np.put_along_axis(S, np.argsort(D, axis=1)[:, :k], 1, axis=1)
    degree = np.maximum(S, S.T).sum(1)
    near = np.argsort(cdist(Q, T), axis=1)[:, :k]
    eigenvalues = G * np.sum(F**2, axis=0)  # K = A₊/G, V orthonormal
    expected = np.array([sum(F[j] / np.sqrt(k * degree[j]) for j in row) for row in near]) / (1 + eigenvalues)
    np.testing.assert_allclose(np.load(tmp_path / "Z.npy"), expected, atol=1e-9)


@pytest.mark.parametrize("name, least", [("iris", 0.88), ("wine", 0.84), ("breast_cancer", 0.80)])
def test_held_out_samples_are_predicted_better_than_by_chance(tmp_path, name, least):
    """The page's experiment: learn on 70 %, extend to 30 %; Rand index over three splits."""
    from sklearn.metrics import rand_score
    X, y = dataset(name).load()
    scores = []
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(len(y))
        train, test = order[:7 * len(y) // 10], order[7 * len(y) // 10:]
        for part, rows in (("train", train), ("test", test)):
            np.savetxt(tmp_path / f"{part}.csv", X[rows], delimiter=",", fmt="%.17g")
        np.savetxt(tmp_path / "y.txt", y[train], fmt="%d")
        facts("kernel", tmp_path / "train.csv", "--labels", tmp_path / "y.txt", "--fraction", 0.7, "--seed", seed, "--save-model",
              tmp_path / "m")
        facts("predict", tmp_path / "m", tmp_path / "test.csv", "--save-labels", tmp_path / "p.txt")
        scores.append(rand_score(y[test], np.loadtxt(tmp_path / "p.txt", dtype=int)))
    assert np.mean(scores) >= least


def test_check_sees_an_altered_graph_and_other_data(blobs, tmp_path):
    facts("kernel", *blobs.args, "--fraction", 0.6, "--save-model", tmp_path / "m")
    other = blobs.X.copy()
    other[:20] += np.random.default_rng(2).normal(size=(20, 4))
    np.savetxt(tmp_path / "other.csv", other, delimiter=",", fmt="%.17g")
    check = facts("check", tmp_path / "m", tmp_path / "other.csv", status=4)
    assert check["status"] == "fails" and not check["data"]["same_as_fit"]
    run = run_ritz("transform", tmp_path / "m", case_file("tiny8.X.csv"))
    assert run.status == 3 and "2 columns" in run.err and "made for 4" in run.err


def test_the_plot_shows_the_samples(blobs, tmp_path):
    facts("kernel", *blobs.args, "--fraction", 0.6, "--plot", tmp_path / "p.svg", "--save-trace", tmp_path / "t.csv")
    text = "".join(xml.parse(tmp_path / "p.svg").getroot().itertext())
    assert "eigenvalue" in text and "3 clusters" in text
    trace = np.genfromtxt(tmp_path / "t.csv", delimiter=",", names=True)
    assert {"iteration", "objective", "measure", "evaluations", "positive"} <= set(trace.dtype.names)


# --- accuracies, sizes --------------------------------------------------------------------------------------------------

# The method page's column "std": mean and deviation over 20 repetitions. It gives no deviation for spiral; 0.05 stands in,
# a little less than is measured. Of soybean's 47 samples the pairs that are kept back for the choice of a scale cost 0.004.
ACCURACIES = {"chessboard": (0.750, 0.075), "glass": (0.757, 0.020), "heart": (0.846, 0.026), "iris": (0.975, 0.009),
              "soybean-small": (1.0, 0.005), "spiral": (0.659, 0.05), "wine": (0.976, 0.010)}


@pytest.mark.slow
@pytest.mark.parametrize("name", ACCURACIES)
def test_the_defaults_reach_the_accuracies_of_the_method_page(name):
    mean, deviation = ACCURACIES[name]
    stored = dataset(name) if name in ("iris", "wine") else NamedSet(data_file(f"npkl/{name}.csv"), data_file(f"npkl/{name}.labels"))
    args = ["kernel", *stored.args, "--fraction", 0.7]
    results = [facts(*args, "--seed", seed)["result"] for seed in range(12)]
    assert np.mean([result["rand"] for result in results]) >= mean - deviation
    assert np.mean([result["adjusted_rand"] for result in results]) >= np.mean(
        [result["baselines"][1]["adjusted_rand"] for result in results]) - 0.02


def test_sparse_data_stay_sparse_from_end_to_end(tmp_path):
    X, _, y = sparse_set()
    json = facts("kernel", X, "--fraction", 0.7, "--tolerance", 1e-3, "--save-model", tmp_path / "m", "--save-labels",
                 tmp_path / "y.txt")
    assert json["status"] == "converged" and json["certificate"]["relative_gap"] <= 1e-3
    assert json["options"]["ridge"] == 0.001 and json["options"]["neighbours"] in (5, 10)
    assert json["result"]["adjusted_rand"] > 0.3
    same = (y[:, None] == y)[np.triu_indices(len(y), 1)].mean()
    assert json["result"]["baselines"][4]["rand"] == pytest.approx(same, abs=1e-9)
    assert facts("check", tmp_path / "m", X)["status"] == "holds"
    facts("predict", tmp_path / "m", X, "--save-labels", tmp_path / "again.txt")
    assert (tmp_path / "again.txt").read_text() == (tmp_path / "y.txt").read_text()
    other = facts("predict", tmp_path / "m", sparse_set(500)[0], "--save-labels", tmp_path / "other.txt")
    assert sum(other["result"]["counts"]) == 500


@pytest.mark.slow
def test_fifty_thousand_samples_with_a_hundred_thousand_pairs_fit_into_two_gigabytes(tmp_path):
    rng = np.random.default_rng(7)
    n = 50_000
    y = rng.integers(0, 5, n)
    np.save(tmp_path / "X.npy", rng.normal(size=(n, 3)) + 4 * rng.normal(size=(5, 3))[y])
    i, j = rng.integers(0, n, 100_000), rng.integers(0, n, 100_000)
    keep = i != j
    rows = np.stack([i[keep], j[keep], np.where(y[i[keep]] == y[j[keep]], 1, -1)], axis=1)
    np.savetxt(tmp_path / "pairs.csv", rows, delimiter=",", fmt="%d")
    np.savetxt(tmp_path / "y.txt", y, fmt="%d")
    start = time.monotonic()
    json = facts("kernel", tmp_path / "X.npy", "--pairs", tmp_path / "pairs.csv", "--closure", "raw", "--truth",
                 tmp_path / "y.txt", "--loss", "linear", "--penalty", 0.05, "--neighbours", 10, "--max-memory", "2G", timeout=1500)
    print(time.monotonic() - start, json["seconds"], json["peak_memory_bytes"], json["result"]["rank"])
    assert json["status"] == "converged" and json["peak_memory_bytes"] < 2 * 2**30
    assert json["result"]["rank"] > 0


def test_the_forecast_grows_with_edges_pairs_and_rank():
    def forecast(*more, **how):
        return facts("estimate", "kernel", "--rows", 50000, "--columns", 3, *more, **how)["result"]["memory_bytes"]

    plain = forecast("--neighbours", 10)
    assert plain < 2 * 2**30
    assert forecast("--neighbours", 20) > plain and forecast("--neighbours", 10, "--pair-count", 10**6) > plain
    assert forecast("--neighbours", 10, "--rank", 500) > plain
    forecast("--rank", 5000, "--max-memory", "1G", status=5)


def test_a_time_limit_keeps_the_best_kernel():
    json = facts("kernel", sparse_set()[0], "--fraction", 0.7, "--tolerance", 1e-14, "--time-limit", 3, status=4)
    assert json["stop_reason"] in ("time_limit", "stalled") and json["result"]["rank"] > 0


# --- errors -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("content, status, message", [
    ("0,1,must\n0,60,must\n", 3, "there is no sample 60; the 60 samples are numbered from 0 to 59"),
    ("3,3,must\n", 3, "line 1: 3 is paired with itself"),
    ("", 3, ""),
    ("i,j,link\n", 3, "has no pair"),
    ("0,1,perhaps\n", 3, "must, cannot"),
    ("0,1\n", 3, "found 2 fields, expected 3"),
])
def test_a_bad_pairs_file_is_explained_in_a_sentence(blobs, tmp_path, content, status, message):
    (tmp_path / "p.csv").write_text(content)
    run = run_ritz("kernel", blobs.plain, "--pairs", tmp_path / "p.csv", "--clusters", 2)
    assert run.status == status and message in run.err and run.err.count("\n") == 1, run
    assert "p.csv" in run.err


@pytest.mark.parametrize("options, status, message", [
    (["--clusters", 2], 2, "--pairs FILE, or have them drawn"),
    (["PAIRS", "--fraction", 0.5, "--clusters", 2], 2, "--pairs and --fraction"),
    (["PAIRS"], 2, "--clusters K"),
    (["PAIRS", "--clusters", 1], 2, "[2, 60]"),
    (["PAIRS", "--clusters", 61], 2, "[2, 60]"),
    (["PAIRS", "--clusters", 2, "--neighbours", 60], 2, "needs more than 60 samples; there are 60"),
    (["PAIRS", "--clusters", 2, "--ridge", 1, "--budget", 1], 2, "give one of them"),
    (["PAIRS", "--clusters", 2, "--power", 1], 2, "needs a budget"),
    (["PAIRS", "--clusters", 2, "--power", 0.5], 2, "--power is 0.5"),
    (["PAIRS", "--clusters", 2, "--loss", "hing"], 2, "did you mean 'hinge'?"),
    (["PAIRS", "--clusters", 2, "--penalty", 0], 2, "--penalty is 0"),
    (["--fraction", 0.5, "--clusters", 2], 2, "--labels FILE"),
    (["PAIRS", "--clusters", 2, "--low-rank", 61], 2, "60 samples"),
    (["PAIRS", "--clusters", 2, "--save-suggestions", "s.csv"], 2, "--suggest N"),
    (["PAIRS", "--clusters", 2, "--truth", "SHORT"], 3, "2 labels"),
    (["--labels", "SHORT", "--fraction", 0.5], 3, "2 labels"),
    (["PAIRS", "--clusters", 2, "--edges", "EDGES", "--neighbours", 3], 2, "give one of them"),
    (["PAIRS", "--clusters", 2, "--save-kernel", "F.xls"], 2, "F.xls"),
    (["PAIRS", "--clusters", 2, "--graph", "both"], 2, "mutual|union"),
])
def test_what_cannot_be_done_is_said_in_a_sentence(blobs, tmp_path, options, status, message):
    pairs = write_pairs(tmp_path / "p.csv", [(0, 3, "must"), (0, 1, "cannot")])
    (tmp_path / "short.txt").write_text("a\nb\n")
    (tmp_path / "e.csv").write_text("0,1\n")
    names = {"PAIRS": ["--pairs", pairs], "SHORT": [tmp_path / "short.txt"], "EDGES": [tmp_path / "e.csv"]}
    words = [word for option in options for word in names.get(option, [option])]
    run = run_ritz("kernel", blobs.plain, *words, cwd=tmp_path)
    assert run.status == status and message in run.err and run.err.count("\n") == 1, run
    assert sorted(os.listdir(tmp_path)) == ["e.csv", "p.csv", "short.txt"]


def test_a_budget_that_does_not_bind_is_named(tmp_path):
    run = run_ritz("kernel", *mid("heart"), "--budget", 270**2)
    assert run.status == 4 and "does not bind" in run.err and "--ridge" in run.err


def test_a_b_matching_gives_everyone_as_many_neighbours(tmp_path):
    rng = np.random.default_rng(4)
    X = np.concatenate([rng.normal(size=(30, 3)) + 5 * c for c in range(3)])
    X[0] = 100  # an outlier, which nobody has among its nearest
    np.savetxt(tmp_path / "X.csv", X, delimiter=",")
    (tmp_path / "y").write_text("".join(f"{i // 30}\n" for i in range(90)))
    asked = ["kernel", tmp_path / "X.csv", "--labels", tmp_path / "y", "--fraction", 0.7, "--neighbours", 6, "--graph"]
    matched, union = facts(*asked, "b-matching", "--save-model", tmp_path / "m"), facts(*asked, "union")
    assert matched["result"]["graph"]["edges"] == 90 * 6 / 2 < union["result"]["graph"]["edges"]
    assert matched["used"]["graph"].startswith("b-matching: at most")
    facts("check", tmp_path / "m", tmp_path / "X.csv")  # makes the graph anew
    facts("predict", tmp_path / "m", tmp_path / "X.csv", "--save-labels", tmp_path / "again")
