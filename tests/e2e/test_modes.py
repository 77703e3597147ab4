# SPDX-License-Identifier: MIT
"""Clusters without labels and with scores: the method page's values, and what defines them recomputed in numpy."""

import numpy as np
import pytest
from numpy.linalg import norm
from sklearn import cluster, metrics

from conftest import cancer, face, facts, once, run_ritz, standardised, wine
from ism_reference import distances_squared, gaussian, linear, multiquadric, polynomial, rbf_relative, squared

SETS = {"wine": (wine, 3), "cancer": (cancer, 2), "face": (face, 20)}
KERNELS = ["gaussian", "linear", "squared", "multiquadric", "polynomial(degree=3)", "rbf-relative(neighbours=7)",
           "0.6*gaussian+0.4*linear"]


def agreement(a, b):
    return metrics.normalized_mutual_info_score(a, b, average_method="geometric")


def read_labels(path):
    return np.loadtxt(path, dtype=int)


class Clustering:
    """A finished run: its facts, W, labels and embedding."""

    def __init__(self, folder, *args):
        self.model = folder / "m.ritz"
        self.json = facts("reduce", "--preset", "paper", *args, "--save-projection", folder / "W.npy", "--save-labels", folder / "labels",
                          "--save-model", self.model, "--save-embedding", folder / "Z.npy")
        self.W, self.Z = np.load(folder / "W.npy"), np.load(folder / "Z.npy")
        self.labels = read_labels(folder / "labels")
        self.clusters = self.json["result"]["clusters"]


@pytest.fixture(scope="session")
def clustered(tmp_path_factory):
    """Unsupervised runs on a named set, each made once."""

    @once
    def run(name, kernel):
        named, k = SETS[name]
        return Clustering(tmp_path_factory.mktemp("clusters"), named().samples, "--mode", "unsupervised", "--clusters", k,
                          "--kernel", kernel, "--truth", named().labels)

    return run


# The method page (independent implementation, alternating, sigma = median): F, NMI. Its negated squared kernel is twice
# the linear one. Multiquadric on wine: there is a point with F = 392.90 and the labels of the linear kernel.
slow = pytest.mark.slow
PAGE = [("wine", "gaussian", 42.35, 0.878), ("wine", "linear", 1539.5, 0.839), ("wine", "squared", 2 * 1539.5, 0.839),
        ("wine", "multiquadric", 392.8, 0.839), ("cancer", "gaussian", 180.2, 0.841), ("cancer", "linear", 4559.3, 0.805),
        ("cancer", "squared", 2 * 4559.3, 0.805), ("cancer", "multiquadric", 1210.9, 0.822),
        pytest.param("face", "gaussian", 191.2, 0.930, marks=slow), pytest.param("face", "linear", 479932, 0.927, marks=slow)]


@pytest.mark.parametrize("name, kernel, objective, nmi", PAGE)
def test_the_values_of_the_method_page_are_met(clustered, name, kernel, objective, nmi):
    run = clustered(name, kernel)

    assert run.json["status"] == "converged"
    assert run.json["objective"] == pytest.approx(objective, rel=1e-3)
    assert run.clusters["nmi"] == pytest.approx(nmi, abs=0.03)
    truth = SETS[name][0]().load()[1]
    assert run.clusters["nmi"] == pytest.approx(agreement(run.labels, truth), abs=1e-12)
    # Honesty: clusterings that know nothing of a subspace stand beside it.
    assert 0.5 < run.clusters["nmi_spectral"] <= 1 and 0.5 < run.clusters["nmi_kmeans"] <= 1


def reference_kernel(name, X, width):
    return {"gaussian": gaussian(width), "linear": linear(), "squared": squared(), "multiquadric": multiquadric(),
            "polynomial(degree=3)": polynomial(), "rbf-relative(neighbours=7)": rbf_relative(X)}[name]


def gram(X, W, kernel):
    form, function = kernel
    Z = X @ W
    return function(Z @ Z.T if form == "dot" else distances_squared(Z))[0]


def centred_pairs(K, k):
    n = len(K)
    H = np.eye(n) - 1 / n
    values, vectors = np.linalg.eigh(H @ K @ H)
    return values[::-1][: k + 1], vectors[:, ::-1][:, :k]


def resolved_width(json):
    text = json["options"]["kernel"]
    return float(text.split("sigma=")[1].split(")")[0]) if "sigma=" in text else None


@pytest.mark.parametrize("kernel", KERNELS[:-1])
def test_the_objective_is_the_sum_of_the_leading_eigenvalues_of_the_centred_kernel_matrix(clustered, kernel):
    run = clustered("wine", kernel)
    X = standardised(wine().load()[0])

    values, U = centred_pairs(gram(X, run.W, reference_kernel(kernel, X, resolved_width(run.json))), 3)

    assert run.json["objective"] == pytest.approx(values[:3].sum(), rel=1e-6)
    assert run.clusters["quality"] == pytest.approx(values[:3].sum(), rel=1e-6)
    assert run.clusters["gap"] == pytest.approx(values[2] - values[3], rel=1e-3, abs=1e-6 * values[0])
    assert np.abs(run.W.T @ run.W - np.eye(3)).max() < 1e-12
    assert np.allclose(run.Z, X @ run.W, atol=1e-9)
    if kernel == "polynomial(degree=3)":
        assert "gaussian" in run.clusters["labelled_by"]
        return
    rows = U / norm(U, axis=1, keepdims=True)
    expected = cluster.KMeans(3, n_init=20, random_state=0).fit_predict(rows)
    assert agreement(expected, run.labels) >= 0.95


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_objective_never_falls_from_round_to_round(clustered, kernel):
    run = clustered("wine", kernel)
    objective = np.array(run.json["trace"]["objective"])

    assert run.json["status"] == "converged"
    assert np.diff(objective).min(initial=0) >= -1e-7 * abs(objective[-1])
    assert run.json["objective"] >= objective.max() * (1 - 1e-9)
    assert run.json["certificate"]["first_order"] <= 1.5e-3


def test_the_linear_kernel_finds_principal_components(clustered):
    W, X = clustered("wine", "linear").W, standardised(wine().load()[0])
    axes = np.linalg.svd(X)[2][:3].T
    assert np.linalg.svd(axes.T @ W)[1].min() > 1 - 1e-9


def test_the_saved_labels_are_numbered_by_appearance_and_are_those_of_the_facts(clustered):
    run = clustered("wine", "gaussian")
    assert len(run.labels) == 178 and sorted(set(run.labels)) == [1, 2, 3]
    first = [np.flatnonzero(run.labels == c)[0] for c in (1, 2, 3)]
    assert first == sorted(first)
    assert [int((run.labels == c).sum()) for c in (1, 2, 3)] == run.clusters["sizes"]
    assert run.json["used"]["dimension"] == "3, as many as clusters"


@pytest.mark.parametrize("kernel", ["gaussian", "linear", "squared", "multiquadric", "polynomial(degree=3)"])
def test_predicting_the_training_samples_gives_their_labels(clustered, kernel, tmp_path):
    run = clustered("wine", kernel)
    json = facts("predict", run.model, wine().samples, "--save-labels", tmp_path / "labels")
    assert np.array_equal(read_labels(tmp_path / "labels"), run.labels)
    assert json["result"]["counts"] == run.clusters["sizes"]


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_cluster_model_transforms_its_samples_and_its_certificate_holds(clustered, kernel, tmp_path):
    run = clustered("wine", kernel)

    facts("transform", run.model, wine().samples, "--save-embedding", tmp_path / "Z.npy")
    check = facts("check", run.model, wine().samples)

    assert np.array_equal(np.load(tmp_path / "Z.npy"), run.Z)
    assert check["status"] == "holds"
    assert check["objective"] == pytest.approx(run.json["objective"], rel=1e-6)


def groups(n, seed):
    """Three groups in two of three columns."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    X = rng.normal(size=(n, 3))
    X[:, :2] += 9 * np.array([[0, 0], [1, 0], [0.5, 0.9]])[y]
    return X, y


@pytest.mark.parametrize("scale", ["standard", "none"])
def test_new_samples_of_the_same_kind_are_labelled_alike(tmp_path, scale):
    X, y = groups(150, 1)
    new, truth = groups(400, 2)
    np.save(tmp_path / "x.npy", X)
    np.save(tmp_path / "new.npy", new)
    np.savetxt(tmp_path / "truth", truth, fmt="%d")
    run = Clustering(tmp_path, tmp_path / "x.npy", "--mode", "unsupervised", "--clusters", 3, "--dim", 2, "--scale", scale)

    json = facts("predict", run.model, tmp_path / "new.npy", "--labels", tmp_path / "truth", "--save-labels", tmp_path / "l")

    assert agreement(run.labels, y) > 0.98
    labels = read_labels(tmp_path / "l")
    assert agreement(labels, truth) > 0.98
    assert json["result"]["agreement"]["nmi"] == pytest.approx(agreement(labels, truth), abs=1e-12)
    # The same number means the same group in both.
    mean = [X[run.labels == c].mean(axis=0) for c in (1, 2, 3)]
    assert all(norm(new[labels == c].mean(axis=0) - mean[c - 1]) < 1 for c in (1, 2, 3))


def test_more_clusters_than_columns_keep_all_columns(tmp_path):
    rng = np.random.default_rng(5)
    y = np.arange(200) % 4
    np.save(tmp_path / "x.npy", np.c_[y % 2, y // 2] * 9 + rng.normal(size=(200, 2)))
    run = Clustering(tmp_path, tmp_path / "x.npy", "--mode", "unsupervised", "--clusters", 4)
    assert run.W.shape == (2, 2) and run.json["used"]["dimension"] == "2, all columns"
    assert agreement(run.labels, y) > 0.95


# Scores


@pytest.fixture(scope="module")
def two_structures(tmp_path_factory):
    """Two independent divisions: a in three columns, b in two; a noisy score tells of b."""
    folder = tmp_path_factory.mktemp("two")
    rng = np.random.default_rng(3)
    a, b = rng.integers(0, 2, 150), rng.integers(0, 2, 150)
    X = rng.normal(size=(150, 6))
    X[:, :3] += 6 * a[:, None]
    X[:, 3:5] += 6 * b[:, None]
    np.save(folder / "x.npy", X)
    np.save(folder / "s.npy", b + 0.1 * rng.normal(size=150))
    return folder, a, b


def scored(two_structures, tmp_path, *args):
    folder = two_structures[0]
    run = run_ritz("reduce", "--preset", "paper", folder / "x.npy", "--scores", folder / "s.npy", "--clusters", 2, "--dim", 1, *args,
                   "--save-labels", tmp_path / "l", "--save-model", tmp_path / "m", "--json", "--quiet")
    assert run.status in (0, 4), run  # the degrees move: with hardly any guidance the rounds may go on
    return run.json, read_labels(tmp_path / "l")


@pytest.mark.parametrize("mu", [[], ["--mu", 0.01], ["--mu", 1]])
def test_scores_pull_the_clusters_towards_what_they_tell(two_structures, tmp_path, mu):
    folder, a, b = two_structures
    json, labels = scored(two_structures, tmp_path, *mu)

    assert json["status"] == "converged" and json["options"]["mode"] == "semi"
    assert agreement(labels, b) > 0.98 and agreement(labels, a) < 0.05
    json = facts("predict", tmp_path / "m", folder / "x.npy", "--save-labels", tmp_path / "again")
    assert np.array_equal(read_labels(tmp_path / "again"), labels)
    assert facts("check", tmp_path / "m", folder / "x.npy")["status"] == "holds"


def test_scores_of_hardly_any_weight_leave_the_dominant_clusters(two_structures, tmp_path):
    folder, a, b = two_structures
    json, labels = scored(two_structures, tmp_path, "--mu", 1e-9)
    assert agreement(labels, a) > 0.98 and agreement(labels, b) < 0.05


def test_rounds_that_settle_far_below_an_earlier_one_keep_that_and_say_so(two_structures, tmp_path):
    """With hardly any guidance the degrees drift to a few samples against the rest, where F is a fifth lower."""
    short, early = scored(two_structures, tmp_path, "--mu", 1e-9, "--max-rounds", 30)
    long, late = scored(two_structures, tmp_path, "--mu", 1e-9, "--max-rounds", 1000)
    assert long["objective"] >= short["objective"] and np.array_equal(early, late)
    assert long["status"] == "not_converged" and "which is kept" in long["message"], long


def test_the_objective_with_scores_is_recomputed(two_structures, tmp_path):
    folder, a, b = two_structures
    mu, S = 0.01, np.load(folder / "s.npy")
    json, labels = scored(two_structures, tmp_path, "--mu", mu, "--save-projection", tmp_path / "W.npy")
    X = standardised(np.load(folder / "x.npy"))

    K = gram(X, np.load(tmp_path / "W.npy"), gaussian(resolved_width(json)))
    degree = K.sum(axis=1) ** -0.5
    leading = np.linalg.eigvalsh(degree[:, None] * K * degree)[-2:].sum()
    S = S - S.mean()

    assert json["result"]["clusters"]["quality"] == pytest.approx(leading, rel=1e-6)
    assert json["objective"] == pytest.approx(leading + mu * S @ K @ S, rel=1e-6)


@pytest.mark.parametrize("kernel", ["linear", "squared", "multiquadric"])
def test_a_kernel_without_positive_degrees_serves_without_them(two_structures, tmp_path, kernel):
    folder = two_structures[0]
    run = run_ritz("reduce", "--preset", "paper", folder / "x.npy", "--scores", folder / "s.npy", "--clusters", 2, "--kernel", kernel,
                   "--save-model", tmp_path / "m")
    assert run.status == 0, run
    assert run_ritz("check", tmp_path / "m", folder / "x.npy").status == 0


@pytest.mark.parametrize("kernel", ["gaussian", "polynomial(degree=2)", "rbf-relative(neighbours=7)"])
def test_a_kernel_with_positive_degrees_serves_with_scores(two_structures, tmp_path, kernel):
    json, labels = scored(two_structures, tmp_path, "--kernel", kernel, "--mu", 1)
    assert agreement(labels, two_structures[2]) > 0.98
