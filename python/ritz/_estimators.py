# SPDX-License-Identifier: MIT
"""The estimators: a task of the library each. Parameters, types and documentation are those of _parameters.py."""
from __future__ import annotations

import numbers
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.base import ClusterMixin
from sklearn.metrics import r2_score
from sklearn.utils import assert_all_finite, check_array, column_or_1d
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from . import _core
from ._base import Axes, Check, Projection, Transformer, required
from ._parameters import (AlternativeClusteringParameters, ISMClusteringParameters, ISMParameters, NearIsometryParameters,
                          PairwiseKernelParameters, SubspaceCenterParameters, VarianceUnfoldingParameters)
from ._values import columns_of, label_texts, plain, require_all_known, require_real, values_of_names


def _classes(y: Any, X: Any, *, broken: bool = False) -> np.ndarray:
    """A class for each sample; `broken`: numbers that are not whole may name one."""
    require_real(y)
    y = np.asarray(column_or_1d(plain(y), warn=True))
    require_all_known(y, "y")
    check_consistent_length(X, y)
    if y.dtype.kind == "f":
        assert_all_finite(y, input_name="y")
    if not (broken and y.dtype.kind == "f"):
        check_classification_targets(y)
    return y


def _named(classes: np.ndarray, numbers: np.ndarray, names: list[str]) -> np.ndarray:
    """Predictions as the values that were given: numbers of the model's names of classes, which are texts."""
    key = float if classes.dtype.kind == "f" else str  # 1e+22 is written in several ways
    by_name = {key(text): value for text, value in zip(label_texts(classes), classes)}
    return np.array([by_name[key(name)] for name in names], dtype=classes.dtype)[numbers]


def _rows(values: Any, name: str, columns: int | None = None) -> np.ndarray:
    if np.ndim(values) == 0:
        raise ValueError(f"{name}={values!r}; it must be a table of numbers")
    if np.size(values) == 0 and not hasattr(values, "tocsr"):
        raise ValueError(f"{name} is empty")
    try:
        array = np.asarray(check_array(values, dtype=np.float64, order="C", input_name=name, ensure_2d=False))
    except ValueError as error:
        raise ValueError(f"{name}: {error}" if "could not convert" in str(error) else str(error)) from None
    if array.ndim == 1 and columns is None:
        array = array[:, None]
    if array.ndim != 2:
        raise ValueError(f"{name} has {array.ndim} dimensions; it must have two")
    if columns is not None and array.shape[1] != columns:
        raise ValueError(f"{name} has {array.shape[1]} columns; it must have {columns}: the numbers of two samples")
    return array


class ISM(ISMParameters, Projection):
    _requires_y = True

    def fit(self, X: Any, y: Any = None) -> ISM:
        """Finds the directions.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Names of classes, or numbers to be explained; see ``target``.
        """
        with self._unchanged_on_error():
            X, y = self._samples(X, reset=True), plain(required("ISM", y))
            if self._numbers(y):
                require_real(y)
                targets = _rows(y, "y")
                check_consistent_length(X, targets)
                self._solve(X, inputs={"targets": targets})
            else:
                y = _classes(y, X, broken=True)
                self.classes_ = np.unique(y)
                if X.shape[0] > 20 and len(self.classes_) > X.shape[0] / 4:
                    how = "; target='numbers' takes it for numbers" if y.dtype.kind in "iuf" else ""
                    warnings.warn(f"y has {len(self.classes_)} different values in {len(y)} samples and is taken for classes{how}",
                                  stacklevel=2)
                self._solve(X, labels=y)
        return self

    def _numbers(self, y: Any) -> bool:
        if self.target not in ("auto", "classes", "numbers"):
            raise ValueError(f"target={self.target!r}; it must be 'auto', 'classes' or 'numbers'")
        if self.target != "auto":
            return bool(self.target == "numbers")
        require_real(y)
        values = np.asarray(y)
        if values.dtype.kind == "f":
            assert_all_finite(values, input_name="y")
        elif values.dtype.kind == "O":
            require_all_known(values, "y")
        kind = type_of_target(y, input_name="y")
        return kind.startswith("continuous") or kind == "multiclass-multioutput"

    def _keep_outputs(self, fitted: _core.Fitted) -> None:
        if self.sparse:
            self.sparse_components_ = fitted.matrix("sparse projection").T

    def _keep_model(self, model: _core.Model, facts: dict[str, Any]) -> None:
        super()._keep_model(model, facts)
        if facts["result"].get("classes") and not hasattr(self, "classes_"):
            self.classes_ = np.sort(values_of_names(facts["result"]["classes"]))

    def predict(self, X: Any) -> np.ndarray:
        """The most frequent class of a sample's nearest fitted samples in the new space; of numbers their mean."""
        numbers, names = self._predicted(X, self.neighbours)
        if not hasattr(self, "classes_"):
            values = np.array([[float(cell) for cell in name.split(",")] for name in names])[numbers]
            return values[:, 0] if values.shape[1] == 1 else values
        return _named(self.classes_, numbers, names)

    def score(self, X: Any, y: Any) -> float:
        """Share of the samples whose class `predict` finds; of numbers R², the share of their variance."""
        if hasattr(self, "model_") and not hasattr(self, "classes_"):
            return float(r2_score(y, self.predict(X)))
        return float(np.mean(self.predict(X) == _classes(y, X, broken=True)))


class _Clusters(Projection):
    labels_: np.ndarray

    def _keep_outputs(self, fitted: _core.Fitted) -> None:
        self.labels_ = fitted.labels("labels")[0]

    def predict(self, X: Any) -> np.ndarray:
        """The cluster of each sample, from 0."""
        return self._predicted(X)[0]

    def fit_predict(self, X: Any, y: Any = None, **fit_params: Any) -> np.ndarray:
        """Fits, and gives the clusters of the fitted samples."""
        return self.fit(X, y, **fit_params).labels_


class ISMClustering(ISMClusteringParameters, _Clusters, ClusterMixin):
    def fit(self, X: Any, y: Any = None, *, scores: Any = None) -> ISMClustering:
        """Finds clusters and directions.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : ignored
        scores : array-like of shape (n_samples, n_scores), default=None
            An expert's scores, that the clusters should go along with.
        """
        with self._unchanged_on_error():
            X = self._samples(X, reset=True)
            inputs = {} if scores is None else {"scores": _rows(scores, "scores")}
            self._solve(X, inputs=inputs, mode="semi" if inputs else "unsupervised")
        return self


class AlternativeClustering(AlternativeClusteringParameters, _Clusters):
    _requires_y = True

    def fit(self, X: Any, y: Any = None) -> AlternativeClustering:
        """Finds a clustering that differs.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,) or (n_samples, n_clusterings)
            The clustering to differ from, or several, a column each.
        """
        with self._unchanged_on_error():
            X = self._samples(X, reset=True)
            given = np.asarray(required("AlternativeClustering", y))
            if given.ndim == 2 and given.shape[1] > 1:
                check_consistent_length(X, given)
                columns = [np.unique(_classes(column, X), return_inverse=True)[1] for column in given.T]
                self._solve(X, inputs={"given": np.column_stack(columns).astype(float)})
            else:
                self._solve(X, inputs={"given": label_texts(_classes(y, X))})
        return self

    def _keep_outputs(self, fitted: _core.Fitted) -> None:
        super()._keep_outputs(fitted)
        further = [fitted.texts[f"labels.{view + 2}.txt"].split() for view in range(len(fitted.texts) - 1)]
        self.views_ = [self.labels_, *(np.unique(np.array(texts, dtype=int), return_inverse=True)[1] for texts in further)]


USUAL_FRACTION = 0.7  # of pairs that are drawn because there are none, and none were asked for by number


class PairwiseKernel(PairwiseKernelParameters, Transformer):
    def fit(self, X: Any, y: Any = None, *, must_link: Any = None, cannot_link: Any = None, edges: Any = None) -> PairwiseKernel:
        """Learns the kernel.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,), default=None
            Classes: pairs are drawn from them where none are given (``fraction``), and the clusters are compared with them.
        must_link, cannot_link : array-like of shape (n_pairs, 2), default=None
            Pairs of samples, by their numbers from 0, that belong together or apart.
        edges : array-like of shape (n_edges, 2), default=None
            The graph in place of the nearest neighbours.
        """
        with self._unchanged_on_error():
            X = self._samples(X, reset=True)
            inputs: dict[str, Any] = {}
            linked = [(_rows(given, name, 2), sign)
                      for name, given, sign in (("must_link", must_link, 1.0), ("cannot_link", cannot_link, -1.0))
                      if given is not None and np.shape(given)[:1] != (0,)]
            if linked:
                inputs["pairs"] = np.concatenate([np.column_stack([rows, np.full(len(rows), sign)]) for rows, sign in linked])
            if edges is not None:
                inputs["edges"] = _rows(edges, "edges", 2)
            drawn = {"fraction": str(USUAL_FRACTION)} if y is not None and not linked and self.fraction == 0 else {}
            self._solve(X, labels=None if y is None else _classes(y, X), inputs=inputs, **drawn)
        return self

    def _keep_outputs(self, fitted: _core.Fitted) -> None:
        self.embedding_ = fitted.matrix("kernel")
        self.pairs_ = columns_of(fitted.texts["pairs.txt"])
        if "link" in self.pairs_:
            self.pairs_["link"] = np.where(self.pairs_["link"] == "must", 1, -1)
        self.suggestions_ = np.array(self.result_.get("suggestions", []), dtype=int).reshape(-1, 2)

    def _keep_model(self, model: _core.Model, facts: dict[str, Any]) -> None:
        self.labels_ = model.array("labels").ravel().astype(np.int32)
        self._n_features_out = model.array("basis").shape[1]

    def predict(self, X: Any) -> np.ndarray:
        """The cluster of each sample, from 0."""
        check_is_fitted(self, "model_")
        return self.model_.predict(self._samples(X, reset=False), 1, self._run())[0]

    def fit_predict(self, X: Any, y: Any = None, **fit_params: Any) -> np.ndarray:
        """Fits, and gives the clusters of the fitted samples."""
        return self.fit(X, y, **fit_params).labels_


class VarianceUnfolding(VarianceUnfoldingParameters, Transformer):
    def fit(self, X: Any, y: Any = None, *, graph: Any = None) -> VarianceUnfolding:
        """Embeds the samples.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features), or None
            None: a graph alone, for ``method='spe'``.
        y : array-like of shape (n_samples,), default=None
            Classes, for ``method='cmvu'``; otherwise the embedding is only judged by them.
        graph : array-like of shape (n_edges, 2), default=None
            The edges in place of the nearest neighbours.
        """
        with self._unchanged_on_error():
            inputs = {} if graph is None else {"graph": _rows(graph, "graph", 2)}
            if X is not None or not inputs:
                X = self._samples(X, reset=True)
                if np.asarray(y).dtype.kind == "f":
                    assert_all_finite(np.asarray(y), input_name="y")
                y = None if y is None or self.method != "cmvu" and type_of_target(plain(y)).startswith("continuous") else _classes(y, X)
            # A graph that is given is taken as it is.
            self._solve(X, labels=y, inputs=inputs, **({"connect": "false"} if inputs else {}))
        return self

    def _keep_outputs(self, fitted: _core.Fitted) -> None:
        self.graph_ = columns_of(fitted.texts["graph.txt"])

    def _keep_model(self, model: _core.Model, facts: dict[str, Any]) -> None:
        self._n_features_out = model.array("embedding").shape[1]


class NearIsometry(NearIsometryParameters, Axes):
    def fit(self, X: Any, y: Any = None, *, pairs: Any = None) -> NearIsometry:
        """Finds the measurements.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : ignored
        pairs : array-like of shape (n_pairs, 2) or (n_pairs, 3), default=None
            The pairs that matter, by their samples' numbers from 0; a third column has their weights: a pair of weight w
            is kept within distortion / w. None: all, or as ``secants`` says.
        """
        with self._unchanged_on_error():
            X = self._samples(X, reset=True)
            inputs = {} if pairs is None else {"pairs": _rows(pairs, "pairs")}
            self._solve(X, inputs=inputs)
        return self

    def _texts(self, **more: str) -> dict[str, str]:
        texts = super()._texts(**more)
        # The least one is sought, or neighbours count: the default does not stand against that.
        if (self.prefixes is not None or self.objective == "recall") and self.distortion in (None, type(self)().distortion):
            texts.pop("distortion", None)
        elif isinstance(self.distortion, (str, bool)) or not isinstance(self.distortion, numbers.Real):
            raise ValueError(f"distortion={self.distortion!r}; it must be a number between 0 and 1")
        return texts

    def _keep_model(self, model: _core.Model, facts: dict[str, Any]) -> None:
        self.components_ = np.ascontiguousarray(model.array("projection"))
        self._n_features_out = self.rank_ = self.components_.shape[0]
        self.distortion_ = facts["certificate"]["distortion"]


class SubspaceCenter(SubspaceCenterParameters, Axes):
    _takes_sparse = False

    def fit(self, X: Any, y: Any = None) -> SubspaceCenter:
        """Finds the centre.

        Parameters
        ----------
        X : sequence or mapping of array-like of shape (n_features, dimension), or array-like of shape (n_samples, n_features)
            A subspace each, spanned by the columns, by name where it is a mapping; with y, a table of samples.
        y : array-like of shape (n_samples,), default=None
            The group of each sample: the samples of a group span its subspace.
        """
        with self._unchanged_on_error():
            if y is None:
                self._solve(None, inputs={"bases": self._bases(X)})
                self.n_features_in_ = self.components_.shape[1]
            else:
                name = str(getattr(y, "name", None) or "y")
                X, y = self._samples(X, reset=True), _classes(y, X)
                self.classes_ = np.unique(y)
                self._solve(X, labels=y, group_column=name)
        return self

    def _bases(self, X: Any) -> list[tuple[str, np.ndarray]]:
        if isinstance(X, np.ndarray) and X.ndim == 2:
            raise ValueError("X is one matrix; give a list with a matrix for each subspace, or y with the group of each sample")
        if not isinstance(X, (Sequence, Mapping, np.ndarray)) or isinstance(X, str):
            raise ValueError(f"X is a {type(X).__name__}; give a list with a matrix for each subspace")
        if len(X) == 0:
            raise ValueError("no subspaces: there is nothing to find the centre of")
        if isinstance(X, Mapping):
            return [(str(name), np.ascontiguousarray(_rows(basis, f"X[{name!r}]"))) for name, basis in X.items()]
        return [(f"s{place + 1}", np.ascontiguousarray(_rows(basis, f"X[{place}]"))) for place, basis in enumerate(X)]

    def _keep_outputs(self, fitted: _core.Fitted) -> None:
        table = columns_of(fitted.texts["distances.txt"])
        self.names_, self.distances_ = table["name"], table["distance"].astype(float)

    def _keep_model(self, model: _core.Model, facts: dict[str, Any]) -> None:
        self.components_ = model.array("center").T
        self.weights_ = model.array("weights").ravel()
        self._n_features_out = self.order_ = self.components_.shape[0]
        if "bases" in model.names and not hasattr(self, "classes_"):
            self.classes_ = np.sort(values_of_names(facts["result"]["names"]))

    def predict(self, X: Any) -> np.ndarray:
        """The group whose subspace is nearest to each sample; of a fit to samples in groups."""
        return _named(self.classes_ if hasattr(self, "classes_") else np.empty(0, dtype=int), *self._predicted(X))

    def score(self, X: Any, y: Any) -> float:
        """Share of the samples whose group `predict` finds."""
        return float(np.mean(self.predict(X) == _classes(y, X)))

    def fit_transform(self, X: Any, y: Any = None, **fit_params: Any) -> Any:
        """Fits, and gives the coordinates of the samples (rows) in the centre; a table of samples with y."""
        return self.fit(X, required("SubspaceCenter", y)).transform(X)

    def check(self, X: Any, y: Any = None, *, curvature: str = "auto") -> Check:
        """The certificate computed anew from the subspaces, trusting nothing of the solver."""
        check_is_fitted(self, "model_")
        if y is None:
            return self._checked(None, {"bases": self._bases(X)}, curvature)
        X = self._samples(X, reset=False)
        return self._checked(X, {}, curvature, _classes(y, X))
