# SPDX-License-Identifier: MIT
"""Pictures of results with matplotlib: axes in (or new ones), axes out."""
from __future__ import annotations

from typing import Any

import numpy as np

from . import metrics

__all__ = ["embedding", "loadings", "convergence", "distance_ratios", "order_curve"]

# Told apart by eyes of all kinds, on white and in grey (Okabe and Ito); further classes begin anew with another marker.
COLOURS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#7f7f7f", "#000000"]
MARKERS = ["o", "s", "^", "D", "v", "P", "X"]


def _axes(ax: Any, title: str = "") -> Any:
    if ax is None:
        import matplotlib.pyplot as plt

        _, ax = plt.subplots(figsize=(5.5, 4.2), layout="constrained")
    ax.spines[["top", "right"]].set_visible(False)
    if title:
        ax.set_title(title, loc="left", fontsize="medium")
    return ax


def _fitted(estimator: Any, name: str, otherwise: str) -> Any:
    """An attribute that a fit leaves; where there is none, a sentence says which it is: not fitted, or not of this kind."""
    from sklearn.utils.validation import check_is_fitted

    check_is_fitted(estimator, "model_")
    if not hasattr(estimator, name):
        raise ValueError(f"{type(estimator).__name__} {otherwise}")
    return getattr(estimator, name)


def embedding(estimator: Any, X: Any = None, *, y: Any = None, dims: tuple[int, int] = (0, 1), ax: Any = None) -> Any:
    """The samples in two of the new dimensions, coloured by class, cluster or number.

    Parameters
    ----------
    estimator : fitted estimator
    X : array-like, default=None
        Samples to be placed; None: the fitted ones.
    y : array-like, default=None
        Classes or numbers; None: the clusters of the estimator, where it has such.
    dims : pair of int
    ax : matplotlib Axes, default=None
        None: new ones.
    """
    Z = np.asarray(_fitted(estimator, "embedding_", "keeps no fitted samples: give X") if X is None else estimator.transform(X))
    if y is None and X is None:
        y = getattr(estimator, "labels_", None)
    ax = _axes(ax, type(estimator).__name__)
    if len(dims) != 2 or not all(0 <= place < max(2, Z.shape[1]) for place in dims):
        raise ValueError(f"dims={dims!r}; two dimensions are needed, from 0 and below {Z.shape[1]}")
    if y is not None and np.shape(y)[:1] != (len(Z),):
        raise ValueError(f"y has {(*np.shape(y), 0)[0]} values for {len(Z)} samples")
    first, second = (Z[:, place] if place < Z.shape[1] else np.zeros(len(Z)) for place in dims)
    if y is None:
        ax.scatter(first, second, s=12, color=COLOURS[0], linewidths=0)
    elif np.asarray(y).dtype.kind == "f":
        points = ax.scatter(first, second, s=12, c=np.asarray(y), cmap="viridis", linewidths=0)
        ax.figure.colorbar(points, ax=ax, shrink=0.8)
    else:
        for place, value in enumerate(np.unique(np.asarray(y))):
            of = np.asarray(y) == value
            ax.scatter(first[of], second[of], s=14, color=COLOURS[place % len(COLOURS)],
                       marker=MARKERS[place // len(COLOURS) % len(MARKERS)], linewidths=0, label=str(value))
        ax.legend(frameon=False, markerscale=1.5, fontsize="small", loc="center left", bbox_to_anchor=(1, 0.5))
    ax.set_xlabel(f"dimension {dims[0] + 1}")
    ax.set_ylabel(f"dimension {dims[1] + 1}" if Z.shape[1] > dims[1] else "")
    return ax


def loadings(estimator: Any, *, axis: int = 0, most: int = 15, ax: Any = None) -> Any:
    """The strongest loadings of one axis, with their intervals where the fit had ``bootstrap`` > 0."""
    axes = np.asarray(_fitted(estimator, "components_", "has no loadings"))
    if not -len(axes) <= axis < len(axes):
        raise ValueError(f"axis={axis}; there are {len(axes)}, from 0")
    weights = axes[axis]
    names = getattr(estimator, "feature_names_in_", None)
    if names is None:
        names = np.array([f"x{i + 1}" for i in range(len(weights))])
    chosen = np.argsort(-np.abs(weights), kind="stable")[:most][::-1]
    ax = _axes(ax, f"{type(estimator).__name__}: axis {axis + 1}")
    places = np.arange(len(chosen))
    ax.barh(places, weights[chosen], height=0.7,
            color=[COLOURS[0] if weight >= 0 else COLOURS[4] for weight in weights[chosen]])
    found = {(row["feature"], row["axis"]): (row["low"], row["high"])
             for row in (estimator.result_.get("bootstrap") or {}).get("loadings", [])}
    for place, feature in zip(places, chosen):
        ends = found.get((str(names[feature]), axis + 1))
        if ends is not None:
            ax.plot(ends, [place, place], color="black", linewidth=1.2)
    ax.axvline(0, color="black", linewidth=0.8)
    ax.set_yticks(places, [str(names[feature]) for feature in chosen], fontsize="small")
    ax.set_xlabel("loading" + (", with what 90 % of the resamples span" if found else ""))
    return ax


def convergence(estimator: Any, *, ax: Any = None) -> Any:
    """The measure that the stop rule looks at, by iteration, with the tolerance."""
    ax = _axes(ax, f"{type(estimator).__name__}: {_fitted(estimator, 'message_', '')}")
    if not hasattr(estimator, "history_"):
        raise ValueError("a loaded model has no history: only a fit leaves one")
    iterations, measure = estimator.history_["iteration"], estimator.history_["measure"]
    ax.plot(iterations, measure, color=COLOURS[0], marker="o", markersize=3, linewidth=1.2)
    if np.nanmin(measure, initial=np.inf) > 0:
        ax.set_yscale("log")
    goal = estimator.options_.get("round_tolerance" if "labels_" in vars(estimator) else "tolerance")
    goal = estimator.options_.get("tolerance") if goal is None else goal
    if goal:
        ax.axhline(goal, color=COLOURS[6], linewidth=1, linestyle="--")
        ax.annotate("tolerance", (iterations[0], goal), textcoords="offset points", xytext=(2, 3), color=COLOURS[6],
                    fontsize="small")
    ax.set_xlabel("iteration")
    ax.set_ylabel("measure")
    return ax


def distance_ratios(estimator: Any, X: Any = None, *, bins: int = 200, ax: Any = None) -> Any:
    """How often squared distances change by which factor: of the fitted pairs, or over all pairs of X."""
    if X is None:
        if "histogram" not in _fitted(estimator, "result_", ""):
            raise ValueError(f"{type(estimator).__name__} does not count distances: give X")
        counts = np.array(estimator.result_["histogram"]["counts"], dtype=float)
        lowest, highest = estimator.result_["histogram"]["lowest"], estimator.result_["histogram"]["highest"]
    else:
        counts = np.array(metrics.distortion(X, estimator, bins=bins)["histogram"], dtype=float)
        lowest, highest = 0.0, 2.0
    edges = np.linspace(lowest, highest, len(counts) + 1)
    ax = _axes(ax, f"{type(estimator).__name__}: {estimator.components_.shape[0]} measurements of "
                   f"{estimator.components_.shape[1]} features")
    ax.stairs(counts / max(counts.sum(), 1), edges, fill=True, color=COLOURS[0])
    wide = estimator.options_.get("distortion")
    if wide:  # the band that was asked for
        for end in (1 - wide, 1 + wide):
            ax.axvline(end, color=COLOURS[4], linewidth=1, linestyle="--")
        ax.set_xlim(max(0, 1 - 1.5 * wide), 1 + 1.5 * wide)
    ax.set_xlabel("squared distance after / before")
    ax.set_ylabel("share of the pairs")
    return ax


def order_curve(estimator: Any, *, ax: Any = None) -> Any:
    """The rules for the dimension of a centre over the order, each as a part of its value at 0."""
    orders = _fitted(estimator, "result_", "").get("orders")
    if not orders:
        raise ValueError("the dimension was given; dim='auto' compares the orders")
    ax = _axes(ax, f"{type(estimator).__name__}: order {estimator.order_}")
    for colour, rule in zip(COLOURS, ("hybrid", "proposed", "santamaria")):
        values = np.array(orders[rule], dtype=float)
        ax.plot(orders["k"], values / values[0], color=colour, marker="o", markersize=4, label=rule)
    ax.axvline(estimator.order_, color=COLOURS[6], linewidth=1, linestyle="--")
    ax.set_xlabel("order k")
    ax.set_ylabel("cost / cost at 0")
    ax.legend(frameon=False)
    return ax
