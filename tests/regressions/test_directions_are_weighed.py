# SPDX-License-Identifier: MIT
"""With as many classes as columns all directions were kept, and an orthonormal W could not weigh them: letters were 8 points
below NCA. Whitening by the covariance inside the classes weighs them, and all features are kept where fewer lose too much."""
import numpy as np
import pytest

from conftest import facts, run_ritz, table


@pytest.fixture(scope="module")
def classes(tmp_path_factory):
    """Six classes in four columns, two of them large and without meaning."""
    folder = tmp_path_factory.mktemp("classes")
    rng = np.random.default_rng(2)
    labels = np.arange(240) % 6
    X = np.column_stack([rng.normal(size=(6, 2))[labels] * 2 + 0.5 * rng.normal(size=(240, 2)), rng.normal(size=(240, 2))])
    X[:, 2] += X[:, 0]
    np.savetxt(folder / "x.csv", X, delimiter=",", fmt="%.12f")
    np.savetxt(folder / "y", labels, fmt="%d")
    return folder, labels


def test_classes_scatter_by_one_in_every_direction(classes):
    folder, labels = classes
    how = ["reduce", folder / "x.csv", "--labels", folder / "y", "--dim", 4, "--scale", "whiten", "--whiten-by", "classes",
           "--shrinkage", 0]
    facts(*how, "--save-embedding", folder / "z.csv", "--save-model", folder / "m.ritz")
    Z = table(folder / "z.csv")
    inside = Z - np.array([Z[labels == c].mean(0) for c in range(6)])[labels]
    assert inside.T @ inside / len(Z) == pytest.approx(np.eye(4), abs=1e-6)
    assert run_ritz("check", folder / "m.ritz", folder / "x.csv", "--labels", folder / "y").status == 0


def test_the_choice_knows_it_and_beats_the_plain_columns(classes):
    folder, _ = classes
    setting = facts("reduce", folder / "x.csv", "--labels", folder / "y")["result"]["setting"]
    best = {}
    for tried in setting["tried"]:
        best[tried["scale"], tried["whiten_by"]] = max(best.get((tried["scale"], tried["whiten_by"]), 0), tried["score"])
    assert best["whiten", "classes"] > best["standard", "all"]


def test_it_needs_classes(classes):
    folder, _ = classes
    run = run_ritz("reduce", folder / "x.csv", "--clusters", 3, "--scale", "whiten", "--whiten-by", "classes")
    assert run.status == 2 and "class labels" in run.err


def test_all_features_are_kept_where_fewer_lose_too_much(tmp_path):
    rng = np.random.default_rng(4)
    centres = rng.normal(size=(40, 10))
    of = np.arange(400) % 40
    np.savetxt(tmp_path / "x.csv", centres[of] + 0.45 * rng.normal(size=(400, 10)), delimiter=",", fmt="%.6f")
    np.savetxt(tmp_path / "y", of % 2, fmt="%d")
    json = facts("reduce", tmp_path / "x.csv", "--labels", tmp_path / "y")
    assert json["options"]["dim"] == 10
