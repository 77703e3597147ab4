# SPDX-License-Identifier: MIT
"""How good a result is, measured as the program does."""
from __future__ import annotations

from typing import Any, Callable, NamedTuple

import numpy as np

from . import _core
from ._values import facts_of, label_texts, plain, require_all_known, require_real, text_of, threads_of

__all__ = ["hsic", "alignment", "dependence_test", "DependenceTest", "principal_angles", "subspace_distance", "distortion",
           "normalised_mutual_information", "rand_index", "adjusted_rand_index", "novelty", "leave_one_out_accuracy"]


def _matrix(values: Any, name: str) -> np.ndarray:
    if hasattr(values, "toarray"):  # of scipy
        values = values.toarray()
    require_real(values, name)
    try:
        array = np.ascontiguousarray(values, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must hold numbers") from None
    if array.ndim == 1:
        array = array[:, None]
    if array.ndim != 2 or array.size == 0:
        raise ValueError(f"{name} must be a matrix that is not empty")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} holds NaN or infinity")
    return array


def _numbers(labels: Any, name: str) -> list[int]:
    array = np.asarray(plain(labels))
    if array.ndim != 1:
        raise ValueError(f"{name} must have one dimension, a label a sample")
    require_all_known(array, name)
    if array.dtype.kind == "f" and np.isnan(array).any():
        raise ValueError(f"{name} contains NaN")
    numbers: list[int] = np.unique(array, return_inverse=True)[1].tolist()
    return numbers


def _dependence(X: Any, y: Any, kernel: str, target_kernel: str) -> tuple[float, float]:
    if target_kernel not in ("linear", "gaussian"):
        raise ValueError(f"target_kernel={target_kernel!r}; it must be 'linear' or 'gaussian'")
    target, labels = _target(X, y)
    return _core.dependence(_matrix(X, "X"), label_texts(target) if labels else None,
                            None if labels else _matrix(target, "y"), kernel, target_kernel)


def _target(X: Any, y: Any) -> tuple[np.ndarray, bool]:
    """y, a row a sample, and whether it holds classes: names, or whole numbers in one column."""
    target = np.asarray(plain(y))
    if np.ndim(target) == 0 or np.shape(X)[:1] != target.shape[:1]:
        raise ValueError(f"X has {(*np.shape(X), 0)[0]} rows, y has {(*target.shape, 0)[0]}")
    require_all_known(target, "y")
    return target, target.ndim == 1 and target.dtype.kind != "f"


def hsic(X: Any, y: Any, *, kernel: str = "gaussian(sigma=median)", target_kernel: str = "linear") -> float:
    """The Hilbert-Schmidt independence criterion Tr(HKH L) / (n - 1)²: 0 for independent X and y.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Taken as it is, not scaled.
    y : array-like of shape (n_samples,) or (n_samples, n_targets)
        Classes (whole numbers, texts): L is 1 for pairs of one class. Numbers with a point, or several columns: L is the
        kernel of their standardised values.
    kernel : str
        Of X; see ``ritz list kernels``.
    target_kernel : {'linear', 'gaussian'}, default='linear'
        Of numbers.
    """
    return _dependence(X, y, kernel, target_kernel)[0] / max(len(np.asarray(y)) - 1, 1) ** 2


def alignment(X: Any, y: Any, *, kernel: str = "gaussian(sigma=median)", target_kernel: str = "linear") -> float:
    """The cosine between the centred kernels of X and y, in [0, 1]: HSIC without its scale. Parameters as of `hsic`."""
    return _dependence(X, y, kernel, target_kernel)[1]


class DependenceTest(NamedTuple):
    """What `dependence_test` finds."""

    p: float  # chance of as large an HSIC where X and y have nothing to do with each other
    hsic: float
    cka: float
    features: list[dict[str, Any]]  # name, hsic, cka, p and false discovery rate of each, where asked for
    text: str  # the result on one screen


def dependence_test(X: Any, y: Any, *, features: bool = False, permutations: int = 1000, random_state: int = 0,
                    n_jobs: int = 0, **options: Any) -> DependenceTest:
    """Whether X and y depend on each other: HSIC beside what shuffled pairs give, as ``ritz depend`` does.

    Parameters
    ----------
    X : array-like or data frame of shape (n_samples, n_features)
    y : array-like of shape (n_samples,) or (n_samples, n_targets)
        Classes (whole numbers, texts), or numbers with a point or in several columns.
    features : bool, default=False
        Every feature by itself too, with the false discovery rate of Benjamini and Hochberg.
    permutations : int, default=1000
        p cannot be below 1/(1 + this).
    random_state, n_jobs : int, default=0
        Seed of the permutations; threads, 0 for all cores.
    **options
        Further options of ``ritz depend``: kernel, target_kernel, scale, level, …
    """
    if isinstance(random_state, bool) or not isinstance(random_state, (int, np.integer)) or not 0 <= random_state < 2**64:
        raise ValueError(f"random_state={random_state!r}; it must be a whole number from 0 and below 2**64")
    target, labels = _target(X, y)
    names = [str(name) for name in getattr(X, "columns", [])]
    texts = {name: text_of(value, name) for name, value in {**options, "features": features, "permutations": permutations}.items()}
    other = label_texts(target) if labels else _matrix(target, "y")
    found = _core.fit("depend", texts, _matrix(X, "X"), names, None, {"other": other},
                      {"threads": threads_of(n_jobs), "seed": int(random_state), "backend": "cpu", "observer": None, "max_memory": None,
                       "time_limit": None})
    facts = facts_of(found.json)
    certificate = facts["certificate"]
    return DependenceTest(certificate["p"], certificate["hsic"], certificate["cka"], facts["result"]["features"], found.text)


def principal_angles(A: Any, B: Any) -> np.ndarray:
    """Angles between the spans of the columns of A and B, increasing, in [0, π/2]; small ones are accurate too."""
    return _core.principal_angles(_matrix(A, "A"), _matrix(B, "B")).ravel()


# Ye and Lim (2016), Table 2, of the principal angles.
DISTANCES: dict[str, Callable[[np.ndarray], Any]] = {
    "asimov": lambda angles: angles.max(),
    "binet_cauchy": lambda angles: np.sqrt(max(0, 1 - np.prod(np.cos(angles) ** 2))),
    "chordal": lambda angles: np.sqrt(np.sum(np.sin(angles) ** 2)),
    "fubini_study": lambda angles: np.arccos(np.clip(np.prod(np.cos(angles)), 0, 1)),
    "geodesic": lambda angles: np.sqrt(np.sum(angles**2)),
    "martin": lambda angles: np.inf if np.cos(angles).min() < 1e-16 else np.sqrt(-2 * np.sum(np.log(np.cos(angles)))),
    "procrustes": lambda angles: 2 * np.sqrt(np.sum(np.sin(angles / 2) ** 2)),
    "projection": lambda angles: np.sin(angles.max()),
    "spectral": lambda angles: 2 * np.sin(angles.max() / 2),
}


def subspace_distance(A: Any, B: Any, distance: str = "geodesic", *, extra: bool = False) -> float:
    """Distance between the spans of the columns of A and B.

    Parameters
    ----------
    A, B : array-like of shape (n, p), (n, q)
    distance : str, default='geodesic'
        asimov, binet_cauchy, chordal, fubini_study, geodesic, martin, procrustes, projection or spectral.
    extra : bool, default=False
        Dimensions that only one of the two has count as right angles, which makes it a metric.
    """
    angles = principal_angles(A, B)
    if extra:
        ranks = [np.linalg.matrix_rank(_matrix(vectors, "A")) for vectors in (A, B)]
        angles = np.concatenate([angles, np.full(abs(ranks[0] - ranks[1]), np.pi / 2)])
    if distance not in DISTANCES:
        raise ValueError(f"distance={distance!r}; it must be one of {', '.join(DISTANCES)}")
    return float(DISTANCES[distance](angles))


def _axes_of(projection: Any) -> Any:
    if hasattr(projection, "get_params"):
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(projection, "model_")
    return getattr(projection, "components_", projection)


def distortion(X: Any, projection: Any, *, bins: int = 0) -> dict[str, Any]:
    """How far the linear map changes the squared distances of the rows of X, over all pairs.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    projection : array-like of shape (rank, n_features), or a fitted estimator
        y = P x; of an estimator its ``components_``.
    bins : int, default=0
        Of a histogram of the ratios over [0, 2].

    Returns
    -------
    dict
        distortion (the largest ``|ratio - 1|``), lowest and highest ratio, pairs, histogram.
    """
    if isinstance(bins, bool) or not isinstance(bins, (int, np.integer)) or not 0 <= bins <= 10**8:
        raise ValueError(f"bins={bins!r}; it must be a whole number from 0")
    return _core.distortion(_matrix(X, "X"), _matrix(_axes_of(projection), "projection"), bins)


def normalised_mutual_information(first: Any, second: Any) -> float:
    """I / √(H·H) of two partitions, in [0, 1]."""
    return _core.normalised_mutual_information(_numbers(first, "first"), _numbers(second, "second"))


def rand_index(first: Any, second: Any) -> float:
    """Share of the pairs of samples on which the partitions agree."""
    return _core.rand_index(_numbers(first, "first"), _numbers(second, "second"))


def adjusted_rand_index(first: Any, second: Any) -> float:
    """The Rand index, scaled so that independent partitions give 0 on average and equal ones 1."""
    return _core.adjusted_rand_index(_numbers(first, "first"), _numbers(second, "second"))


def novelty(labels: Any, given: Any) -> float:
    """The largest mutual information of a clustering with those that are given, as `AlternativeClustering` reports it.

    0: nothing of them is in it; 1: it is one of them. `given` has a clustering, or several as columns.
    """
    table = np.asarray(given)
    columns = list(table.T) if table.ndim == 2 else [table]
    return max(normalised_mutual_information(labels, column) for column in columns)


def leave_one_out_accuracy(X: Any, y: Any, neighbours: int = 5) -> float:
    """Share of the samples whose class their nearest neighbours tell, each sample left out in turn."""
    values, classes = _matrix(X, "X"), _numbers(y, "y")
    if len(values) != len(classes):
        raise ValueError(f"X has {len(values)} rows, y has {len(classes)}")
    if isinstance(neighbours, bool) or not isinstance(neighbours, (int, np.integer)) or not 1 <= neighbours < len(values):
        raise ValueError(f"neighbours={neighbours!r}; it must be a whole number in [1, {len(values) - 1}]")
    return _core.leave_one_out_accuracy(values, classes, neighbours)
