# SPDX-License-Identifier: MIT
"""Cross-validation, loadings and choices of `ritz reduce`, against scikit-learn and NumPy."""
import json
import time

import numpy as np
import pytest

from conftest import INTERRUPTED, PATIENCE, NamedSet, Running, breast, data_file, facts, once, run_ritz, standardised, wine

SETS = {"wine": (wine, 3), "breast": (breast, 2)}


def fold_numbers(name):
    return np.random.default_rng(4).permutation(len(SETS[name][0]().load()[1])) % 10


@once
def evaluated(name, *more):
    named, classes = SETS[name]
    path = named().samples.with_suffix(".folds")
    np.savetxt(path, fold_numbers(name), fmt="%d")
    return facts("reduce", "--preset", "paper", *named().args, "--dim", classes, "--fold-file", path, *more)["result"]["folds"]


def parts(name, once):
    """Scaled training and test part of each fold, with their labels."""
    X, y = SETS[name][0]().load()
    if once:
        X = standardised(X)
    for fold in range(10):
        test = fold_numbers(name) == fold
        train_X, test_X = X[~test], X[test]
        if not once:
            mean, deviation = train_X.mean(0), train_X.std(0)
            train_X, test_X = (train_X - mean) / deviation, (test_X - mean) / deviation
        yield train_X, y[~test], test_X, y[test]


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("once", [False, True])
def test_the_machine_agrees_with_scikit_learn_fold_by_fold(name, once):
    from sklearn import svm
    found = evaluated(name, *(["--scale-once"] if once else []))["svm_all_features"]["values"]
    expected = [svm.SVC().fit(X, y).score(T, t) for X, y, T, t in parts(name, once)]
    assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", SETS)
def test_nearest_neighbours_agree_with_brute_force_fold_by_fold(name):
    found = evaluated(name)["knn_all_features"]["values"]
    for value, (X, y, T, t) in zip(found, parts(name, False)):
        distances = ((T[:, None, :] - X[None, :, :]) ** 2).sum(2)
        nearest = np.argsort(distances, axis=1, kind="stable")[:, :5]
        votes = np.array([np.bincount(y[row], minlength=3).argmax() for row in nearest])
        assert value == pytest.approx((votes == t).mean(), abs=0.5 / len(t))


@pytest.mark.parametrize("name, classes, objective", [("wine", 3, 1320.12), ("cancer", 2, 34493.04)])
def test_the_papers_protocol_gives_the_papers_numbers(name, classes, objective):
    stored = NamedSet(data_file(f"ism/{name}.csv"), data_file(f"ism/{name}.labels"))
    folds = facts("reduce", "--preset", "paper", *stored.args, "--dim", classes, "--fold-file", data_file(f"ism/{name}.folds"),
                  "--scale-once")["result"]["folds"]
    assert folds["objective_zero_diagonal"]["mean"] == pytest.approx(objective, rel=1e-4)
    values = folds["objective_zero_diagonal"]["values"]
    assert folds["objective_zero_diagonal"]["sd"] == pytest.approx(np.std(values), rel=1e-9)
    assert folds["svm"]["mean"] >= 0.95 and folds["knn"]["mean"] >= 0.95


def test_folds_that_cannot_be_used_are_refused(tmp_path):
    short = tmp_path / "short.folds"
    short.write_text("0\n1\n0\n")
    run = run_ritz("reduce", "--preset", "paper", *wine().args, "--fold-file", short)
    assert run.status in (2, 3) and "3 fold numbers for 178 samples" in run.err
    run = run_ritz("reduce", "--preset", "paper", *wine().args, "--folds", 1)
    assert run.status == 2 and "folds" in run.err


def test_the_bootstrap_tells_the_angles_of_its_resamples():
    found = facts("reduce", "--preset", "paper", *wine().args, "--dim", 2, "--bootstrap", 8)["result"]["bootstrap"]
    assert found["resamples"] == 8 and len(found["largest_angle_degrees"]) == 8
    assert 0 < min(found["largest_angle_degrees"]) and max(found["largest_angle_degrees"]) < 45


def test_relevance_sums_to_one_and_matches_the_projection(tmp_path):
    path = tmp_path / "W.npy"
    result = facts("reduce", "--preset", "paper", *wine().args, "--dim", 2, "--save-projection", path)["result"]
    W, weights = np.load(path), np.array(result["eigenvalues"])
    expected = np.sort((W**2 @ weights) / weights.sum())[::-1]
    assert [each["relevance"] for each in result["relevance"]] == pytest.approx(expected, rel=1e-9)
    assert expected.sum() == pytest.approx(1)


def test_ctrl_c_inside_the_machine_stops_soon_and_keeps_the_fit(tmp_path):
    rng = np.random.default_rng(1)  # labels by chance: every sample becomes a support vector, which takes long
    np.save(tmp_path / "x.npy", rng.normal(size=(18000, 6)))
    np.save(tmp_path / "y.npy", rng.integers(0, 3, 18000))
    run = Running("reduce", "--preset", "paper", tmp_path / "x.npy", "--labels", tmp_path / "y.npy", "--dim", 2, "--kernel", "linear",
                  "--folds", 3, "--verbose", f"--json={tmp_path / 'facts.json'}")
    run.wait_for(rb"fold 1 of \d+/ism +1 ")
    time.sleep(3)  # k-NN is done by then

    status, seconds = run.interrupt()

    assert status == INTERRUPTED and seconds < PATIENCE, (seconds, run.err)
    folds = json.loads((tmp_path / "facts.json").read_text())["result"]["folds"]
    assert folds["finished"] == 0 and "interrupted" in folds["notes"][-1]
