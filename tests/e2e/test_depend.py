# SPDX-License-Identifier: MIT
"""`ritz depend` beside NumPy, on data whose dependence is known."""
import numpy as np
import pytest

from conftest import dataset, facts, run_ritz


def write(path, array):
    np.savetxt(path, array, delimiter=",", fmt="%.17g")
    return path


def gaussian(Z):
    squared = ((Z[:, None] - Z[None]) ** 2).sum(-1)
    width = np.median(np.sqrt(squared))
    return np.exp(-squared / (2 * width**2))


def hsic(K, L):
    n = len(K)
    H = np.eye(n) - 1 / n
    return np.trace(K @ H @ L @ H) / n**2


def standardised(Z):
    return (Z - Z.mean(0)) / Z.std(0)


@pytest.fixture
def tables(tmp_path):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(120, 4))
    Y = np.column_stack([X[:, 2] ** 2 + 0.1 * rng.normal(size=120)])
    return X, Y, write(tmp_path / "x.csv", X), write(tmp_path / "y.csv", Y)


def test_values_are_those_of_the_definition(tables):
    X, Y, x, y = tables
    found = facts("depend", x, y)
    K, L = gaussian(standardised(X)), gaussian(standardised(Y))
    expected = hsic(K, L)
    assert found["certificate"]["hsic"] == pytest.approx(expected, rel=1e-4)
    assert found["certificate"]["cka"] == pytest.approx(expected / np.sqrt(hsic(K, K) * hsic(L, L)), rel=1e-4)
    assert found["certificate"]["p"] <= 0.005


def test_only_the_feature_that_matters_is_called(tables):
    _, _, x, y = tables
    features = facts("depend", x, y)["result"]["features"]
    assert [f["name"] for f in features if f["false_discovery_rate"] <= 0.05] == ["x3"]
    linear = facts("depend", x, y, "--kernel", "linear", "--target-kernel", "linear")
    assert linear["certificate"]["p"] > 0.01, "a parabola is not a correlation"


def test_noise_is_called_noise(tmp_path):
    rng = np.random.default_rng(7)
    x = write(tmp_path / "x.csv", rng.normal(size=(300, 10)))
    labels = tmp_path / "y.txt"
    labels.write_text("\n".join(rng.choice(["a", "b", "c"], 300)) + "\n")
    run = run_ritz("depend", x, "--labels", labels)
    assert run.status == 0
    assert "NO evidence that they depend" in run.err
    assert facts("depend", x, "--labels", labels)["certificate"]["p"] > 0.05


def test_classes_depend_on_the_measurements_of_wine():
    wine = dataset("wine")
    run = run_ritz("depend", *wine.args)
    assert run.status == 0 and "they depend on each other" in run.err
    assert len(run.err.splitlines()) <= 24


def test_a_text_file_is_classes_and_a_column_can_be_the_other_side(tables, tmp_path):
    X, Y, x, _ = tables
    words = tmp_path / "y.txt"
    words.write_text("\n".join("high" if v > 1 else "low" for v in Y[:, 0]) + "\n")
    assert facts("depend", x, words)["data"]["against"] == "2 classes"
    both = write(tmp_path / "both.csv", np.column_stack([X, Y]))
    assert facts("depend", both, "--target-column", "5")["certificate"]["hsic"] == pytest.approx(
        facts("depend", x, tables[3])["certificate"]["hsic"], rel=1e-12)


@pytest.mark.parametrize("args, words", [
    ([], "nothing to compare"),
    (["y.csv", "--label-column", "1"], "exclude each other"),
    (["short.csv"], "rows"),
    (["y.csv", "--kernel", "multiquadric"], "multiquadric"),
    (["y.csv", "--kernel", "gausian"], "gaussian"),
    (["y.csv", "--permutations", "3"], "--permutations"),
])
def test_what_cannot_be_is_said_in_a_sentence(tables, tmp_path, args, words):
    write(tmp_path / "short.csv", np.arange(7.0)[:, None])
    run = run_ritz("depend", "x.csv", *args, cwd=tmp_path)
    assert run.status in (2, 3)
    assert words in run.err and len(run.err.strip().splitlines()) == 1
