# SPDX-License-Identifier: MIT
"""Models from files, forecasts, and what is installed."""
from __future__ import annotations

import importlib
import platform
from typing import Any

import numpy as np

from . import _core, _estimators
from ._base import Estimator
from ._values import facts_of, path_of, text_of, value_of

_BY_VERB = {"recluster": _estimators.AlternativeClustering, "kernel": _estimators.PairwiseKernel,
            "unfold": _estimators.VarianceUnfolding, "isometry": _estimators.NearIsometry,
            "center": _estimators.SubspaceCenter}


def load(path: Any) -> Any:
    """The estimator of a model file, fitted: one that `save` or the program (``--save-model``) wrote.

    What passes with a fit (``embedding_``, ``history_``, ``summary_``) is not in it.
    """
    model = _core.Model.load(path_of(path))
    facts = facts_of(model.info)
    clusters = facts["options"].get("mode") in ("unsupervised", "semi")
    by_verb = {**_BY_VERB, "reduce": _estimators.ISMClustering if clusters else _estimators.ISM}
    estimator: Estimator = by_verb[model.verb]()
    for name, standard in estimator._standard.items():
        option = estimator._renamed.get(name, name)
        text = facts.get("given", {}).get(option, facts["options"].get(option))
        setattr(estimator, name, value_of(text, standard))
    estimator._keep_facts(facts)
    features = facts.get("feature_names") or []
    sizes = facts["data"]
    estimator.n_features_in_ = sizes["n"] if model.verb == "center" else sizes["d"]
    if features and features != [f"x{i + 1}" for i in range(len(features))]:
        estimator.feature_names_in_ = np.array(features, dtype=object)
    estimator._keep_model(model, facts)
    estimator.model_ = model
    return estimator


def estimate(estimator: Estimator, **sizes: int) -> tuple[float, bool, str]:
    """Forecast of a fit without data: bytes, whether they are free, and a text.

    >>> import ritz
    >>> ritz.estimate(ritz.ISM(2), rows=1000, columns=20)[1]
    True
    """
    if not isinstance(estimator, Estimator):
        raise TypeError(f"estimator is {estimator!r}; it must be one of this package's, such as ritz.ISM(2)")
    return _core.estimate(estimator._verb, estimator._texts(), {name: text_of(size, name) for name, size in sizes.items()},
                          estimator._run())


def show_versions() -> None:
    """Prints what a report of a problem should name."""
    lines = [("ritz", _core.version()), ("python", platform.python_version()), ("system", platform.platform())]
    for name in ("numpy", "scipy", "sklearn", "pandas", "matplotlib", "tqdm"):
        try:
            lines.append((name, importlib.import_module(name).__version__))
        except ImportError:
            lines.append((name, "not installed"))
    lines += [(f"backend {name}", description if available else "not available")
              for name, available, description in _core.backends()]
    for name, text in lines:
        print(f"{name:>14}: {text}")
