# SPDX-License-Identifier: MIT
"""`ritz isometry`: the guarantee is checked by a NumPy loop of its own, ranks against the paper and the method page."""
import json as json_module
import os
import signal
import subprocess
import time
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from conftest import PROGRAM, data_file, dataset, facts, run_ritz, squares, table


def ratios(X, psi, pairs=None):
    """Squared distances after / before, of all pairs that are apart, in differences: nothing is cancelled."""
    X = np.asarray(X, dtype=np.float64)
    found = []
    if pairs is not None:
        D = X[pairs[:, 0]] - X[pairs[:, 1]]
        return ((D @ psi.T) ** 2).sum(1) / (D ** 2).sum(1)
    for a in range(len(X) - 1):
        D = X[a + 1:] - X[a]
        before = (D ** 2).sum(1)
        apart = before > 0
        found.append(((D[apart] @ psi.T) ** 2).sum(1) / before[apart])
    return np.concatenate(found)


def keep(tmp_path, X, delta, *args, **how):
    source, projection = tmp_path / "X.npy", tmp_path / "P.npy"
    np.save(source, X)
    json = facts("isometry", source, "--distortion", delta, "--save-projection", projection, *args, **how)
    return json, np.load(projection)


def digits(count):
    """Pictures of hand-written digits of 8 x 8 pixels."""
    return dataset("digits").load()[0][:count].astype(np.float32)


def fives(count):
    return np.load(data_file("isometry/mnist5_train_7x7_f32.npy"))[:count]


def small_squares():
    return squares(60, 7, seed=1)


# Ranks: the smaller of the paper's best method and of the method page's independent reference; for the digits one more
# than was found.
CASES = [
    ("fives", 95, 0.4, 7), ("fives", 95, 0.2, 10), ("fives", 95, 0.1, 14), ("fives", 200, 0.4, 8), ("fives", 200, 0.1, 17),
    ("digits", 150, 0.4, 9), ("digits", 150, 0.2, 13),
    ("squares", 60, 0.4, 4), ("squares", 60, 0.25, 5), ("squares", 60, 0.2, 6), ("squares", 60, 0.1, 8),
    pytest.param("fives", 500, 0.25, 14, marks=pytest.mark.slow), pytest.param("squares", 200, 0.4, 11, marks=pytest.mark.slow),
    pytest.param("squares", 200, 0.1, 17, marks=pytest.mark.slow),
]


@pytest.mark.parametrize("name, points, delta, rank", CASES)
def test_every_pair_is_kept_at_no_more_than_the_known_rank(tmp_path, name, points, delta, rank):
    X = {"fives": fives, "digits": digits, "squares": lambda n: small_squares() if n == 60 else squares(n, 14, seed=2)}[name](points)
    json, psi = keep(tmp_path, X, delta)
    truth = ratios(X, psi)
    assert np.abs(truth - 1).max() <= delta * (1 + 1e-9)
    assert json["certificate"]["distortion"] == pytest.approx(np.abs(truth - 1).max(), rel=1e-9)
    assert json["certificate"]["pairs"] == len(truth)
    assert json["certificate"]["lowest"] == pytest.approx(truth.min(), rel=1e-9)
    assert json["certificate"]["highest"] == pytest.approx(truth.max(), rel=1e-9)
    assert json["result"]["rank"] == len(psi) <= rank
    assert sum(json["result"]["histogram"]["counts"]) == len(truth)


# Trace optima of the method page (independent code beside the original NuMax), all ± 2e-4.
@pytest.mark.parametrize("name, delta, optimum, rank", [
    ("fives", 0.4, 10.949, 13), ("fives", 0.1, 17.737, 18), ("squares", 0.25, 7.7573, 6)])
def test_numax_reaches_the_known_optimum_with_its_certificate(tmp_path, name, delta, optimum, rank):
    X = fives(95) if name == "fives" else small_squares()
    json, psi = keep(tmp_path, X, delta, "--method", "numax", "--tolerance", 4e-4)
    certificate = json["certificate"]
    assert certificate["trace_bound"] <= optimum + 3e-4
    assert certificate["trace_bound"] >= optimum * (1 - 1e-3)
    assert optimum - 3e-4 <= certificate["trace"] <= optimum * (1 + 1e-3)
    assert certificate["trace"] == pytest.approx((psi ** 2).sum(), rel=1e-9)
    assert np.abs(ratios(X, psi) - 1).max() <= delta * (1 + 1e-9)
    assert abs(len(psi) - rank) <= 1


@pytest.mark.parametrize("method, rank", [("nile", 9), ("fromax", 9)])
def test_the_papers_methods_keep_every_pair(tmp_path, method, rank):
    X = small_squares()
    json, psi = keep(tmp_path, X, 0.25, "--method", method, "--rank", rank)
    assert json["result"]["rank"] == rank == len(psi)
    assert np.abs(ratios(X, psi) - 1).max() <= 0.25 * (1 + 1e-9)


def test_baselines_of_equal_rank_stand_beside_it(tmp_path):
    X = digits(95)
    json, psi = keep(tmp_path, X, 0.2, "--recall", 10)
    rows = {row["name"]: row for row in json["result"]["comparison"]}
    centred = X.astype(float) - X.mean(0, dtype=float)
    pca = np.linalg.svd(centred, full_matrices=False)[2][:len(psi)]
    low, high = ratios(X, pca).min(), ratios(X, pca).max()
    assert rows["pca"]["distortion"] == pytest.approx((high - low) / (high + low), rel=1e-6)
    assert rows["ritz"]["distortion"] < rows["pca"]["distortion"] < rows["random"]["distortion"]

    def neighbours(Z):
        D = ((Z[:, None] - Z[None]) ** 2).sum(2)
        np.fill_diagonal(D, np.inf)
        return np.argsort(D, axis=1, kind="stable")[:, :10]

    kept = [len(set(a) & set(b)) / 10 for a, b in zip(neighbours(X.astype(float)), neighbours(X @ psi.T))]
    assert rows["ritz"]["recall"] == pytest.approx(np.mean(kept), abs=2e-3)


def test_the_rank_may_be_given_and_csv_holds_the_same_measurements(tmp_path):
    np.save(tmp_path / "X.npy", small_squares())
    json = facts("isometry", tmp_path / "X.npy", "--distortion", 0.4, "--rank", 6, "--save-projection", tmp_path / "P.csv",
                 "--save-embedding", tmp_path / "Z.npy")
    psi = table(tmp_path / "P.csv")
    assert psi.shape == (6, 49) and json["result"]["rank"] == 6
    np.testing.assert_allclose(np.load(tmp_path / "Z.npy"), np.load(tmp_path / "X.npy") @ psi.T, atol=1e-12)


def test_only_the_pairs_of_a_file_are_kept_heavy_ones_closer(tmp_path):
    X = small_squares()
    rng = np.random.default_rng(0)
    pairs = np.array(sorted({tuple(sorted(rng.choice(60, 2, replace=False))) for _ in range(80)}))
    weight = rng.choice([1.0, 3.0], len(pairs))
    (tmp_path / "pairs.csv").write_text("i,j,weight\n" + "".join(f"{i},{j},{w}\n" for (i, j), w in zip(pairs, weight)))
    json, psi = keep(tmp_path, X, 0.3, "--pairs", tmp_path / "pairs.csv")
    assert (weight * np.abs(ratios(X, psi, pairs) - 1)).max() <= 0.3 * (1 + 1e-9)
    assert json["certificate"]["pairs"] == len(pairs)
    whole, _ = keep(tmp_path, X, 0.3)
    assert json["result"]["rank"] < whole["result"]["rank"]


@pytest.mark.parametrize("secants", ["sample:300", "nearest:4"])
def test_fewer_secants_on_request(tmp_path, secants):
    X = small_squares()
    json, psi = keep(tmp_path, X, 0.2, "--secants", secants, "--save-model", tmp_path / "model.ritz")
    if secants == "nearest:4":
        D = ((X[:, None] - X[None]) ** 2).sum(2)
        np.fill_diagonal(D, np.inf)
        near = np.argsort(D, axis=1)[:, :4]
        pairs = np.array(sorted({tuple(sorted((i, j))) for i in range(60) for j in near[i]}))
        assert json["certificate"]["pairs"] == len(pairs)
        assert np.abs(ratios(X, psi, pairs) - 1).max() <= 0.2 * (1 + 1e-9)
    else:
        assert json["certificate"]["pairs"] == 300
    check = facts("check", tmp_path / "model.ritz", tmp_path / "X.npy")
    assert check["status"] == "holds" and check["certificate"]["pairs"] == json["certificate"]["pairs"]


def test_duplicates_give_no_secant(tmp_path):
    X = small_squares()
    doubled = np.vstack([X, X[:20]])
    json, psi = keep(tmp_path, doubled, 0.25)
    assert json["certificate"]["coincident"] == 20
    assert json["certificate"]["pairs"] == 80 * 79 // 2 - 20
    assert np.abs(ratios(doubled, psi) - 1).max() <= 0.25 * (1 + 1e-9)


def test_a_model_measures_new_samples_and_check_tells_how_well(tmp_path):
    X = digits(400)
    np.save(tmp_path / "fit.npy", X[:200])
    np.save(tmp_path / "new.npy", X[200:])
    model = tmp_path / "model.ritz"
    facts("isometry", tmp_path / "fit.npy", "--distortion", 0.3, "--save-model", model, "--save-projection", tmp_path / "P.npy")
    psi = np.load(tmp_path / "P.npy")
    run = run_ritz("transform", model, tmp_path / "new.npy", "--save-embedding", tmp_path / "Z.npy", "--quiet")
    assert run.status == 0, run
    np.testing.assert_allclose(np.load(tmp_path / "Z.npy"), X[200:].astype(float) @ psi.T, rtol=1e-12, atol=1e-12)
    same = facts("check", model, tmp_path / "fit.npy")
    assert same["status"] == "holds" and same["data"]["same_as_fit"]
    new = facts("check", model, tmp_path / "new.npy")
    truth = ratios(X[200:], psi)
    assert new["certificate"]["distortion"] == pytest.approx(np.abs(truth - 1).max(), rel=1e-9)
    assert new["certificate"]["beyond"] == (np.abs(truth - 1) > 0.3).sum()
    assert new["status"] == ("holds" if np.abs(truth - 1).max() <= 0.3 else "exceeds") and not new["data"]["same_as_fit"]


def test_a_tampered_model_fails_its_check(tmp_path):
    X = small_squares()
    np.save(tmp_path / "X.npy", X)
    np.save(tmp_path / "narrow.npy", X[:, :40])
    facts("isometry", tmp_path / "X.npy", "--distortion", 0.3, "--save-model", tmp_path / "m.ritz")
    run = run_ritz("check", tmp_path / "m.ritz", tmp_path / "narrow.npy")
    assert run.status == 3 or run.status == 2, run
    assert "40 columns" in run.err and "49" in run.err


def test_the_pictures_show_band_and_ranks(tmp_path):
    X = small_squares()
    np.save(tmp_path / "X.npy", X)
    facts("isometry", tmp_path / "X.npy", "--distortion", 0.25, "--plot", tmp_path / "ratios.svg")
    text = (tmp_path / "ratios.svg").read_text()
    ElementTree.fromstring(text)
    assert 'class="band"' in text and "0.75" in text and "1.25" in text and "1,770 pairs" in text
    json = facts("isometry", tmp_path / "X.npy", "--sweep", "0.1,0.4", "--plot", tmp_path / "ranks.svg")
    ranks = [row["rank"] for row in json["result"]["sweep"]]
    assert ranks[0] > ranks[1] and all(row["rank"] < row["pca"] for row in json["result"]["sweep"])
    assert "principal components" in (tmp_path / "ranks.svg").read_text()


BAD = [
    (["--distortion=0"], 2, "--distortion is 0; it must lie between 0 and 1"),
    (["--distortion=1"], 2, "--distortion is 1; it must lie between 0 and 1"),
    (["--distortion=-0.1"], 2, "--distortion is -0.1"),
    (["--distortion=nan"], 2, "--distortion is nan"),
    ([], 2, "--distortion is required"),
    (["--distortion=0.2", "--rank", "50"], 2, "--rank is 50; it must lie in [1, 49]"),
    (["--distortion=0.2", "--recall", "60"], 2, "--recall is 60"),
    (["--distortion=0.2", "--secants", "few"], 2, "expected all, sample:N or nearest:K"),
    (["--distortion=0.2", "--method", "numax", "--rank", "5"], 2, "numax finds its own"),
    (["--distortion=0.2", "--sweep", "0.1,x"], 2, "--sweep: cannot read"),
    (["--sweep", "0.1,1.5"], 2, "1.5"),
]


@pytest.mark.parametrize("args, status, message", BAD)
def test_one_clear_sentence_for_what_cannot_be(tmp_path, args, status, message):
    np.save(tmp_path / "X.npy", small_squares())
    run = run_ritz("isometry", tmp_path / "X.npy", *args)
    assert run.status == status, run
    assert message in run.err and len(run.err.strip().splitlines()) == 1


@pytest.mark.parametrize("X, message", [
    ([[1, 2], [1, 2], [1, 2]], "all equal"), ([[1, 2]], "one sample only"), ([[1, 2], [3, float("nan")]], "NaN")])
def test_data_without_an_answer(tmp_path, X, message):
    np.save(tmp_path / "X.npy", np.array(X, dtype=float))
    run = run_ritz("isometry", tmp_path / "X.npy", "--distortion", 0.2)
    assert run.status == 3, run
    assert message.lower() in run.err.lower() and len(run.err.strip().splitlines()) == 1


@pytest.mark.parametrize("text, message", [
    ("0,1,2,3\n", "found 4 fields, expected 2 or 3"), ("0,77\n", "there is no sample 77"), ("3,3\n", "paired with itself"),
    ("0,1,-2\n", "is not a weight"), ("i,j\n", "has no pair")])
def test_a_pairs_file_that_makes_no_sense(tmp_path, text, message):
    (tmp_path / "pairs.csv").write_text(text)
    np.save(tmp_path / "X.npy", small_squares())
    run = run_ritz("isometry", tmp_path / "X.npy", "--distortion", 0.2, "--pairs", tmp_path / "pairs.csv")
    assert run.status == 3 and message in run.err, run


def test_a_rank_that_is_too_small_ends_with_status_six_and_the_least_distortion(tmp_path):
    np.save(tmp_path / "X.npy", small_squares())
    run = run_ritz("isometry", tmp_path / "X.npy", "--distortion", 0.25, "--rank", 3)
    assert run.status == 6, run
    least = float(run.err.split("at this rank is ")[1].split(";")[0])
    # Three measurements are not enough, but better than principal components at their best scale.
    X = small_squares()
    pca = np.linalg.svd(X - X.mean(0), full_matrices=False)[2][:3]
    low, high = ratios(X, pca).min(), ratios(X, pca).max()
    assert 0.25 < least < (high - low) / (high + low)


def test_ctrl_c_leaves_the_best_so_far_and_its_true_distortion(tmp_path):
    X = digits(1500).astype(float)
    np.save(tmp_path / "X.npy", X)
    process = subprocess.Popen([PROGRAM, "isometry", tmp_path / "X.npy", "--distortion", "0.1", "--save-projection",
                                tmp_path / "P.npy", "--quiet", f"--json={tmp_path / 'facts.json'}"], stderr=subprocess.PIPE)
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    process.wait(timeout=120)
    assert process.returncode in (130, 0)  # 0: it was faster
    certificate = json_module.loads((tmp_path / "facts.json").read_text())["certificate"]
    assert certificate["distortion"] == pytest.approx(np.abs(ratios(X, np.load(tmp_path / "P.npy")) - 1).max(), rel=1e-9)


def test_estimate_forecasts_without_running():
    json = facts("estimate", "isometry", "--rows", 60000, "--columns", 400)
    assert json["result"]["operations_per_sweep"] == 60000 * 59999 * 500
    assert 3e8 < json["result"]["memory_bytes"] < 3e9


def test_the_paper_is_reproduced_beside_its_numbers(tmp_path):
    data_file("isometry/squares_7x7_60_f64.npy")
    json = facts("reproduce", "near-isometric", "--only", "table7.1,table7.2", "--quick", "--methods", "auto,nile",
                 "--markdown", tmp_path / "tables.md", timeout=600)
    rows = json["result"]
    auto = {(row["part"], row["distortion"]): row for row in rows if row["method"] == "auto"}
    assert len(auto) == 6
    for row in auto.values():
        assert row["rank"] <= row["paper"]["rank"]  # the paper's best
        assert row["measured_distortion"] <= row["distortion"] * (1 + 1e-9)
    text = (tmp_path / "tables.md").read_text()
    assert "Table 7.1" in text and "Table 7.2" in text and "102" in text


@pytest.mark.slow
def test_levels_of_points_end_with_every_pair_kept(tmp_path):
    """More than 800 points are searched in levels; the guarantee is about all of them."""
    X = digits(1797)
    json, psi = keep(tmp_path, X, 0.3)
    assert np.abs(ratios(X, psi) - 1).max() <= 0.3 * (1 + 1e-9)
    assert json["certificate"]["pairs"] == 1797 * 1796 // 2
    assert json["result"]["rank"] < 55


@pytest.mark.slow
def test_a_rank_is_met_in_levels_and_more_rows_give_a_smaller_trace(tmp_path):
    X = digits(1500)
    found, _ = keep(tmp_path, X, 0.3)
    json, psi = keep(tmp_path, X, 0.3, "--rank", found["result"]["rank"] + 8)
    assert len(psi) == found["result"]["rank"] + 8
    assert np.abs(ratios(X, psi) - 1).max() <= 0.3 * (1 + 1e-9)
    assert json["certificate"]["trace_bound"] <= json["certificate"]["trace"] < found["certificate"]["trace"]


@pytest.mark.slow
def test_a_rank_too_small_where_points_come_in_levels(tmp_path):
    X = digits(1200).astype(float)
    np.save(tmp_path / "X.npy", X)
    run = run_ritz("isometry", tmp_path / "X.npy", "--distortion", 0.2, "--rank", 12)
    assert run.status == 6, run
    least = float(run.err.split("at this rank is ")[1].split(";")[0])
    pca = np.linalg.svd(X - X.mean(0), full_matrices=False)[2][:12]
    low, high = ratios(X, pca).min(), ratios(X, pca).max()
    assert 0.2 < least < 0.9 * (high - low) / (high + low)


@pytest.fixture(scope="module")
def mnist():
    if not os.environ.get("RITZ_LONG"):
        pytest.skip("half an hour on all of MNIST; set RITZ_LONG=1")
    return facts("reproduce", "near-isometric", "--only", "table7.3", timeout=7200)


@pytest.mark.slow
@pytest.mark.parametrize("delta, error, rank", [(0.4, 3.00, 72), (0.25, 3.15, 98), (0.1, 3.31, 167)])
def test_sixty_thousand_images(mnist, delta, error, rank):
    """The paper: sampled secants. Here: all pairs, within 2 GB; the table shows the seconds."""
    row = next(row for row in mnist["result"] if row["distortion"] == delta and row["asked_rank"] == rank)
    assert mnist["peak_memory_bytes"] < 2e9
    assert row["measured_distortion"] <= delta * (1 + 1e-9)
    assert row["rank"] <= rank and row["error"] <= error
