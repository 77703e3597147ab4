# SPDX-License-Identifier: MIT
"""Spectral learning: subspaces, kernels and embeddings, as scikit-learn estimators.

>>> import ritz
>>> from sklearn.datasets import load_wine
>>> X, y = load_wine(return_X_y=True)
>>> ism = ritz.ISM(dim=2).fit(X, y)
>>> ism.transform(X).shape
(178, 2)
"""
from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from . import _core

if TYPE_CHECKING:
    from . import datasets, metrics, plotting
    from ._estimators import (ISM, AlternativeClustering, ISMClustering, NearIsometry, PairwiseKernel, SubspaceCenter,
                              VarianceUnfolding)
    from ._loading import estimate, load, show_versions

__version__: str = _core.version()

# Names, and the module that each comes from: scikit-learn is imported with the first estimator.
_HOMES = {
    "ISM": "_estimators", "ISMClustering": "_estimators", "AlternativeClustering": "_estimators",
    "PairwiseKernel": "_estimators", "VarianceUnfolding": "_estimators", "NearIsometry": "_estimators",
    "SubspaceCenter": "_estimators", "load": "_loading", "estimate": "_loading", "show_versions": "_loading",
    "datasets": "", "metrics": "", "plotting": "",
}
__all__ = ["ISM", "ISMClustering", "AlternativeClustering", "PairwiseKernel", "VarianceUnfolding", "NearIsometry",
           "SubspaceCenter", "load", "estimate", "show_versions", "datasets", "metrics", "plotting"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'ritz' has no attribute {name!r}")
    home = _HOMES[name]
    module = importlib.import_module(f".{home or name}", __name__)
    value = getattr(module, name) if home else module
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
