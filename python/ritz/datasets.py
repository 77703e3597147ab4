# SPDX-License-Identifier: MIT
"""Synthetic sets, seeded as the program's, and files of all formats that the program reads."""
from __future__ import annotations

import difflib
from dataclasses import dataclass, field
from typing import Any, Mapping, Sequence

import numpy as np

from . import _core
from ._values import path_of, require_real, require_written, text_of, values_of_names

__all__ = ["Table", "generate", "sets", "formats", "read", "read_labels", "read_matrices", "write"]


@dataclass
class Table:
    """Samples with what is known of them."""

    X: Any  # array, or sparse matrix, of shape (n_samples, n_features)
    feature_names: list[str]
    y: np.ndarray | None = None  # class of each sample
    labels: dict[str, np.ndarray] = field(default_factory=dict)  # all truths that belong to a synthetic set, by name
    extra: dict[str, np.ndarray] = field(default_factory=dict)  # what else belongs to it, by name
    ids: list[str] = field(default_factory=list)  # names of the samples
    notes: list[str] = field(default_factory=list)  # what the reader did: rows dropped, values filled in

    def bases(self) -> list[np.ndarray]:
        """Of a collection of subspaces: a matrix each, whose columns span it."""
        dims = self.extra["dims"].ravel().astype(int)
        return np.split(np.asarray(self.X), np.cumsum(dims)[:-1], axis=1)

    def frame(self) -> Any:
        """As a data frame; needs pandas."""
        import pandas

        make = pandas.DataFrame.sparse.from_spmatrix if hasattr(self.X, "indptr") else pandas.DataFrame
        return make(self.X, columns=self.feature_names, index=self.ids or None)


def _labels(numbers: np.ndarray, names: list[str]) -> np.ndarray:
    return values_of_names(names)[numbers]


def sets() -> dict[str, str]:
    """Names of the synthetic sets, each with a line about it."""
    return dict(_core.sets())


def generate(name: str, *, samples: int = 0, features: int = 0, noise: float | None = None, snr: float | None = None,
             random_state: int = 0, return_X_y: bool = False) -> Any:
    """Draws one of the synthetic sets: the same numbers as ``ritz generate`` with the same seed.

    Parameters
    ----------
    name : str
        One of `sets`.
    samples, features : int, default=0
        0: the set's usual number.
    noise : float, default=None
        None: the set's usual amount.
    snr : float, default=None
        Of collections of subspaces: noise by its signal-to-noise ratio in dB.
    random_state : int, default=0
    return_X_y : bool, default=False
        (X, y) in place of a Table.
    """
    if isinstance(random_state, bool) or not isinstance(random_state, (int, np.integer)) or not 0 <= random_state < 2**64:
        raise ValueError(f"random_state={random_state!r}; it must be a whole number from 0 and below 2**64")
    if name not in (known := sets()):
        close = difflib.get_close_matches(str(name), known, 1)
        raise ValueError(f"there is no set {name!r}; " + (f"did you mean {close[0]!r}?" if close else f"known are: {', '.join(known)}"))
    asked = {"samples": samples, "features": features, "noise": noise, "snr": snr}
    texts = {option: text_of(value, option) for option, value in asked.items() if value is not None}
    X, names, labels, extra = _core.generate(name, texts, int(random_state))
    truths = {kind: _labels(*found) for kind, found in labels}
    table = Table(X, names, next(iter(truths.values()), None), truths, dict(extra))
    return (table.X, table.y) if return_X_y else table


def formats() -> dict[str, str]:
    """Names of the formats that are read, each with a line about it."""
    return {name: help_text for name, _, _, help_text in _core.formats()}


def read(path: Any, *, label_column: str | int | None = None, drop_columns: Sequence[str | int] = (), missing: str = "reject",
         id_column: str | int | None = None, columns: Sequence[str | int] = (), kinds: Mapping[str, str] | None = None,
         like: Any = None) -> Table:
    """Reads samples from a file of any of the `formats`, also gzipped; an error names the file, the row and the column.

    Parameters
    ----------
    path : str or path
    label_column, id_column : str or int, default=None
        Name, or number from 1, of the column that holds the labels, or the samples' names.
    drop_columns : sequence of str or int
        Columns to leave out.
    missing : {'reject', 'drop', 'mean', 'median', 'knn'}, default='reject'
        Missing values: reject them, drop their rows, or fill in the column's mean or median, or what the nearest complete
        samples have.
    columns : sequence of str or int
        Columns to take, and no others; none: all.
    kinds : mapping of str to str, default=None
        What a column is where it is not recognised: 'number', 'flag', 'category', 'ordered(low,medium,high)', 'date', 'id'.
    like : fitted estimator, default=None
        Of a model that the program fitted to a table (`ritz.load`): its columns are taken by name, and made numbers as there;
        `columns` and `kinds` do not apply.
    """
    if kinds is not None and not isinstance(kinds, Mapping):
        raise ValueError(f"kinds={kinds!r}; it must be a mapping such as {{'size': 'number'}}")
    if like is not None:
        if not hasattr(like, "model_"):
            raise ValueError(f"like={like!r}; it must be a fitted estimator")
        like = like.model_
    X, names, labels, ids, notes = _core.read_table(
        path_of(path), "" if label_column is None else str(label_column), _columns(drop_columns), str(missing),
        "" if id_column is None else str(id_column), _columns(columns),
        [f"{column}={kind}" for column, kind in (kinds or {}).items()], like)
    return Table(X, names, None if labels is None else _labels(*labels), ids=ids, notes=notes)


def _columns(names: Any) -> list[str]:
    """Names of columns, or one."""
    return [str(name) for name in ([names] if isinstance(names, (str, int)) else names)]


def read_labels(path: Any) -> np.ndarray:
    """One label a line, or an array of one column."""
    return _labels(*_core.read_labels(path_of(path)))


def read_matrices(path: Any) -> dict[str, np.ndarray]:
    """All matrices of a file by name: the arrays of NPZ and MAT, or the one table that it is, whose name is empty."""
    return dict(_core.read_matrices(path_of(path)))


def write(path: Any, values: Any, names: Sequence[str] = ()) -> None:
    """Writes a matrix; the ending picks the format, and a further .gz compresses."""
    if hasattr(values, "toarray"):  # of scipy
        values = values.toarray()
    require_real(values, "values")
    try:
        array = np.atleast_2d(np.asarray(values, dtype=float))
    except (TypeError, ValueError):
        raise ValueError("values must hold numbers") from None
    if array.ndim != 2:
        raise ValueError(f"values has {array.ndim} dimensions; it must have two")
    texts = [str(name) for name in names]
    for text in texts:
        require_written(text, "names")
    _core.write_matrix(path_of(path), array, texts)
