# SPDX-License-Identifier: MIT
"""What all estimators share: from parameters and arrays to the library, and from its outcome to attributes."""
from __future__ import annotations

import contextlib
import html
import numbers
import warnings
from typing import Any, ClassVar, Iterator, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from . import _core
from ._progress import Bar, observer_of
from ._values import array_fault, column_fault, facts_of, first_gap, label_texts, path_of, require_sound, require_written, text_of, threads_of

try:  # scikit-learn >= 1.6
    from sklearn.utils.validation import validate_data as _validate_data
except ImportError:
    def _validate_data(estimator: Any, X: Any, **how: Any) -> Any:
        return estimator._validate_data(X, **how)


class Check(NamedTuple):
    """What `check` finds: computed anew from the data, trusting nothing of the solver."""

    holds: bool
    status: str  # "holds", "fails", or of other data than the fitted ones "exceeds"
    text: str
    facts: dict[str, Any]


class Tags(BaseEstimator):
    """What scikit-learn asks about an estimator, before 1.6 and since."""

    _requires_y: ClassVar[bool] = False
    _takes_sparse: ClassVar[bool] = True

    def _more_tags(self) -> dict[str, Any]:
        return {"requires_y": self._requires_y}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = self._requires_y
        tags.input_tags.sparse = self._takes_sparse
        return tags


class Estimator(Tags):
    _verb: ClassVar[str]
    _renamed: ClassVar[dict[str, str]]
    _standard: ClassVar[dict[str, Any]]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if cls.__doc__ is None:
            cls.__doc__ = next((base.__doc__ for base in cls.__mro__[1:] if "Parameters" in base.__name__), None)
        begin = vars(cls.__mro__[1]).get("__init__")  # errors about arguments name the estimator
        if begin is not None and "Parameters" in begin.__qualname__:
            begin.__qualname__ = f"{cls.__name__}.__init__"

    # --- in ----------------------------------------------------------------------------------------------------------

    def _texts(self, **more: str) -> dict[str, str]:
        """The options that differ from what the library takes by itself."""
        texts = {}
        for name, standard in self._standard.items():
            value = getattr(self, name)
            if value is None or (type(value) is type(standard) and value == standard):
                continue
            if callable(value):
                raise ValueError(f"{name} is a function; a kernel of one's own is written in C++ with ritz::user_kernel: "
                                 "called for every pair from Python it would take hours")
            texts[self._renamed.get(name, name)] = text_of(value, name)
        return {**texts, **more}

    def _run(self, observer: Any = None) -> dict[str, Any]:
        seed = self.random_state
        if seed is None or isinstance(seed, np.random.RandomState):
            seed = check_random_state(seed).randint(2**31 - 1)
        if not isinstance(seed, (int, np.integer)) or isinstance(seed, bool) or not 0 <= seed < 2**64:
            raise ValueError(f"random_state={seed!r}; it must be a whole number from 0 and below 2**64, a RandomState or None")
        limit = self.time_limit
        if limit is not None and not (isinstance(limit, numbers.Real) and not isinstance(limit, bool) and float(limit) >= 0):
            raise ValueError(f"time_limit={limit!r}; it must be a number of seconds from 0, or None")
        if self.callback is not None and not callable(self.callback):
            raise ValueError(f"callback={self.callback!r}; it must be a function of path, iteration, objective, measure and seconds")
        return {"threads": threads_of(self.n_jobs), "seed": int(seed), "backend": str(self.backend or "auto"), "observer": observer,
                "max_memory": None if self.max_memory is None else str(self.max_memory),
                "time_limit": None if limit is None else float(limit)}

    def _samples(self, X: Any, reset: bool) -> Any:
        """Checked: a C-ordered array or a CSR matrix of doubles; what is that already is not copied."""
        given = X
        if fault := array_fault(X, "X"):
            raise ValueError(fault)
        require_sound(X)
        try:
            X = _validate_data(self, X, reset=reset, dtype=np.float64, order="C", ensure_min_samples=2 if reset else 1,
                               accept_sparse="csr" if self._takes_sparse else False)
        except OverflowError:
            raise ValueError("X holds a whole number beyond the range of doubles") from None
        except (TypeError, ValueError) as error:  # where a column of a frame is no number, or a value missing: which
            fault = column_fault(given) or (first_gap(given) if "contains NaN" in str(error) or "NAType" in str(error) else "")
            if fault:
                raise ValueError(fault) from None
            raise
        if hasattr(X, "indptr") and not X.has_canonical_format:
            X = X.copy()
            X.sum_duplicates()
        return X

    @contextlib.contextmanager
    def _unchanged_on_error(self) -> Iterator[None]:
        """A fit begins without what an earlier one left, and one that fails changes nothing."""
        before = dict(self.__dict__)
        for name in [name for name in before if name.endswith("_") and not name.startswith("_") and name not in self._standard]:
            del self.__dict__[name]
        try:
            yield
        except BaseException:
            if "model_" not in self.__dict__:
                self.__dict__.clear()
                self.__dict__.update(before)
            raise

    def _solve(self, X: Any, labels: Any = None, inputs: dict[str, Any] | None = None, **more: str) -> None:
        texts = self._texts(**more)
        bar = Bar(type(self).__name__, _core.goal(self._verb, texts)) if self.verbose else None
        names = [str(name) for name in getattr(self, "feature_names_in_", [])]
        for name in names:
            require_written(name, "the name of a column")
        try:
            fitted = _core.fit(self._verb, texts, X, names, None if labels is None else label_texts(labels), inputs or {},
                               self._run(observer_of(self.callback, bar)))
        finally:
            if bar is not None:
                bar.close()
        self._keep(fitted)
        if fitted.error is not None:
            raise fitted.error
        if not self.converged_ and self.stop_reason_ != "stopped_by_observer":
            warnings.warn(f"{type(self).__name__} did not converge: {self.message_}", ConvergenceWarning, stacklevel=3)

    # --- out ---------------------------------------------------------------------------------------------------------

    def _keep(self, fitted: _core.Fitted) -> None:
        facts = facts_of(fitted.json)
        self._keep_facts(facts)
        self.history_ = {name: np.array(values, dtype=float) for name, values in facts["trace"].items()}
        self.summary_ = fitted.text
        embedding = fitted.matrix("embedding")
        if embedding.shape[0] > 0:
            self.embedding_ = embedding
        self._keep_outputs(fitted)
        model = fitted.model()
        self._keep_model(model, facts)
        self.model_ = model

    def _keep_facts(self, facts: dict[str, Any]) -> None:
        for name in ("certificate", "result", "options", "message", "stop_reason", "notes", "used", "objective", "seconds"):
            setattr(self, name + "_", facts.get(name))
        self.n_iter_ = facts["iterations"]
        self.converged_ = facts["status"] == "converged"

    def _keep_outputs(self, fitted: _core.Fitted) -> None:
        """What this fit alone leaves."""

    def _keep_model(self, model: _core.Model, facts: dict[str, Any]) -> None:
        """What a model file holds too."""

    # --- models ------------------------------------------------------------------------------------------------------

    def check(self, X: Any, *, curvature: str = "auto") -> Check:
        """The certificate computed anew from the fitted data; of other data, a measurement.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The data that the estimator was fitted to, or others.
        curvature : {'auto', 'always', 'never'}, default='auto'
            The largest eigenvalue of the tangent Hessian, where there is one (auto: when it is cheap).

        Returns
        -------
        Check
            With the fields holds, status, text and facts.
        """
        check_is_fitted(self, "model_")
        return self._checked(self._samples(X, reset=False), {}, curvature)

    def _checked(self, X: Any, inputs: dict[str, Any], curvature: str = "auto", labels: Any = None) -> Check:
        holds, status, text, facts = self.model_.check(X, None if labels is None else label_texts(labels), inputs, curvature,
                                                       self._run())
        return Check(holds, status, text, facts_of(facts))

    def save(self, path: Any) -> None:
        """Writes the model file, for `ritz.load` and for the program's transform, predict and check."""
        check_is_fitted(self, "model_")
        self.model_.save(path_of(path))

    def report(self, path: Any, X: Any = None, y: Any = None) -> None:
        """Writes one HTML page about the fit, to look at and to pass on: the answer, pictures, the certificate.

        Parameters
        ----------
        path : str or path-like
            Where the page goes.
        X : array-like or sparse matrix of shape (n_samples, n_features), default=None
            Samples to show; without them those that the model keeps.
        y : array-like of shape (n_samples,), default=None
            Classes to colour them by.
        """
        check_is_fitted(self, "model_")
        samples = None if X is None else self._samples(X, reset=False)
        if samples is not None and y is not None:
            check_consistent_length(samples, y)
        names = [str(name) for name in getattr(self, "feature_names_in_", [])]
        text = self.model_.report(samples, names, None if X is None or y is None else label_texts(y), self._run())
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def __sklearn_is_fitted__(self) -> bool:
        return "model_" in self.__dict__

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = dict(super().__getstate__())
        return {**state, "callback": None}  # a function of this process

    # --- notebooks ---------------------------------------------------------------------------------------------------

    def _repr_html_(self) -> str:
        words = html.escape(repr(self))
        if not self.__sklearn_is_fitted__():
            return f"<pre>{words}</pre>"
        rows = {"status": self.message_, "objective": self.objective_, "iterations": self.n_iter_,
                **{name: value for name, value in self.certificate_.items()
                   if isinstance(value, (int, float, str)) and value != ""}}
        cells = "".join(f"<tr><th style='text-align:left'>{html.escape(name)}</th>"
                        f"<td style='text-align:left'>{html.escape(_shown(value))}</td></tr>" for name, value in rows.items())
        notes = "".join(f"<li>{html.escape(note)}</li>" for note in self.notes_)
        said = f"<pre style='white-space:pre-wrap'>{html.escape(self.summary_.rstrip())}</pre>" if hasattr(self, "summary_") else ""
        listed = f"<ul>{notes}</ul>" if notes and not said else ""  # the summary has them
        return f"<pre>{words}</pre>{said}<details open><summary>certificate</summary><table>{cells}</table></details>{listed}"

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._repr_html_()}


def _shown(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


class Transformer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Estimator):
    """Places samples in a new space."""

    def transform(self, X: Any) -> Any:
        """The samples in the new space.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_dimensions)
        """
        check_is_fitted(self, "model_")
        return self.model_.transform(self._samples(X, reset=False), self._run())

    def fit_transform(self, X: Any, y: Any = None, **fit_params: Any) -> Any:
        """Fits, and gives the fitted samples in the new space."""
        return self.fit(X, y, **fit_params).embedding_

    def _predicted(self, X: Any, neighbours: int = 5) -> tuple[np.ndarray, list[str]]:
        check_is_fitted(self, "model_")
        numbers, names, _ = self.model_.predict(self._samples(X, reset=False), neighbours, self._run())
        return numbers, names


class Axes(Transformer):
    """Axes that are combinations of the features."""

    components_: np.ndarray

    @property
    def loadings_(self) -> Any:
        """The axes as a data frame, a row a feature; needs pandas."""
        import pandas

        check_is_fitted(self, "model_")
        names = getattr(self, "feature_names_in_", [f"x{i + 1}" for i in range(self.n_features_in_)])
        return pandas.DataFrame(self.components_.T, index=names, columns=self.get_feature_names_out())


class Projection(Axes):
    """Axes that a method of the library calls W."""

    def _keep_model(self, model: _core.Model, facts: dict[str, Any]) -> None:
        self.components_ = model.array("W").T
        self._n_features_out = self.components_.shape[0]


def required(name: str, y: Any) -> Any:
    if y is None:
        raise ValueError(f"This {name} estimator requires y to be passed, but the target y is None.")
    return y
