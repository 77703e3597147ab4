# SPDX-License-Identifier: MIT
"""Between Python's values and the library's texts."""
from __future__ import annotations

import csv
import io
import json
import os
from typing import Any

import numpy as np


def text_of(value: Any, name: str) -> str:
    """The value of an option, as the library reads it."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, (list, tuple)) or isinstance(value, np.ndarray) and value.ndim == 1:
        return ",".join(text_of(each, name) for each in value)
    if not isinstance(value, (str, int, np.integer)):
        raise ValueError(f"{name} is given a value of the type {type(value).__name__}; it must be a number, a text, or True or False")
    require_written(text := str(value), name)
    return text


def require_written(text: str, name: str) -> None:
    """Refuses what a text cannot hold when it is written: half of a pair of surrogates, a null."""
    if "\0" in text or not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text):
        raise ValueError(f"{name} holds a character that cannot be written: {ascii(text[:80])}")


def path_of(path: Any) -> bytes:
    """The name of a file as the system has it: any bytes, also such as are no text."""
    name = os.fsencode(path)
    if b"\0" in name:
        raise ValueError("the name of a file holds a null byte")
    return name


def value_of(text: Any, standard: Any) -> Any:
    """An option's value as Python has it, from a model's JSON; `standard`: one of the same kind."""
    if isinstance(standard, bool):
        return text is True or text == "true"
    if isinstance(text, str):
        if text == "":
            return None
        if not isinstance(standard, str) or standard in ("auto", "median"):
            for kind in (int, float):
                try:
                    return kind(text)
                except ValueError:
                    pass
    return text


MOST_THREADS = 4096  # as the program


def threads_of(n_jobs: Any) -> int:
    """Threads as the library counts them, 0 for all cores; below 0 as joblib: -2 leaves one core alone."""
    if n_jobs is None:
        return 0
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, (int, np.integer)):
        raise ValueError(f"n_jobs={n_jobs!r}; it must be a number of threads, -1 or None for all cores, -2 for all but one, and so on")
    if n_jobs > MOST_THREADS:
        raise ValueError(f"n_jobs={n_jobs}; it must be {MOST_THREADS} at most")
    if n_jobs >= -1:
        return max(int(n_jobs), 0)
    return max(len(os.sched_getaffinity(0)) + 1 + int(n_jobs), 1)


def label_texts(y: Any) -> list[str]:
    """Class labels as a file would have them: whole numbers without a point."""
    values = np.asarray(y)
    if values.dtype.kind == "f":
        return [str(int(v)) if abs(v) < 2**53 and v == int(v) else repr(v) for v in values.tolist()]
    texts = [str(v) for v in values.tolist()]
    if values.dtype.kind not in "iub":
        for text in set(texts):
            require_written(text.replace("\0", ""), "a class")
    return texts


def is_missing(value: Any) -> bool:
    """None, NaN, pandas' NA and NaT."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, (float, np.floating)) and value != value


_NO_NUMBERS = {"M": "dates", "m": "durations", "c": "complex values"}  # by numpy's letter of the kind


def column_fault(X: Any) -> str:
    """Of a data frame: which column holds something else than numbers; empty where none does."""
    if not (hasattr(X, "columns") and hasattr(X, "dtypes")):
        return ""
    for place, (name, kind) in enumerate(zip(X.columns, X.dtypes)):
        what = _NO_NUMBERS.get(getattr(kind, "kind", ""), "")
        if not what and getattr(kind, "kind", "") == "O":
            values = [value for value in X.iloc[:, place].tolist() if not is_missing(value)] if hasattr(X, "iloc") else []
            odd = next((value for value in values if not _is_number(value)), None)
            what = "" if odd is None else f"values such as {odd!r}"
        if what:
            how = " (for names sklearn.preprocessing.OneHotEncoder within sklearn.compose.ColumnTransformer)" if what.startswith("v") else ""
            return f"column {name!r} holds {what}, not numbers: leave it out, or make numbers of it first{how}"
    return ""


def _is_number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True


def array_fault(X: Any, name: str) -> str:
    """Of an array: dates and durations, which numpy would make numbers of, and values that a mask hides."""
    if X is None:
        return f"{name} is None; it must be a table of numbers, a row a sample"
    kind = getattr(getattr(X, "dtype", None), "kind", "")
    if kind == "c":
        return f"Complex data not supported: {name} holds complex values"
    if kind in _NO_NUMBERS:
        return f"{name} holds {_NO_NUMBERS[kind]}, not numbers"
    if isinstance(X, np.ma.MaskedArray) and (hidden := int(np.sum(X.mask))):
        how = "; sklearn.impute.SimpleImputer fills in X.filled(numpy.nan)" if name == "X" else ""
        return f"{name} has {hidden} masked values{how}"
    return ""


def first_gap(X: Any) -> str:
    """Where the first NaN of X stands, and how many there are."""
    if hasattr(X, "tocsr"):
        entries = X.tocsr().tocoo()
        gaps = np.isnan(entries.data)
        rows, columns = entries.row[gaps], entries.col[gaps]
    elif hasattr(X, "iloc"):
        rows, columns = np.nonzero(X.isna().to_numpy())
    else:
        rows, columns = np.nonzero(np.isnan(np.asarray(X, dtype=float)))
    if rows.size == 0:
        return ""
    names = list(getattr(X, "columns", []))
    column = repr(names[columns[0]]) if names else str(columns[0])
    many = f"{rows.size} values are" if rows.size > 1 else "one value is"
    return (f"X contains NaN: {many} missing, the first in row {rows[0]}, column {column} (from 0); "
            "sklearn.impute.SimpleImputer fills such values in")


def require_sound(X: Any) -> None:
    """Refuses a compressed sparse matrix whose index arrays contradict its shape: scipy takes them as they are."""
    if not (hasattr(X, "indptr") and hasattr(X, "indices") and getattr(X, "format", "") in ("csr", "csc")):
        return
    ends, across = (X.shape[0], X.shape[1]) if X.format == "csr" else (X.shape[1], X.shape[0])
    starts, places = np.asarray(X.indptr), np.asarray(X.indices)
    if len(starts) != ends + 1 or starts[0] != 0 or (starts[1:] < starts[:-1]).any() or starts[-1] > min(len(places), len(X.data)):
        raise ValueError("X is a broken sparse matrix: its indptr does not begin at 0, falls, or ends beyond its values")
    places = places[:starts[-1]]
    if places.size and not (places.min() >= 0 and places.max() < across):
        raise ValueError(f"X is a broken sparse matrix: its indices lie in [{places.min()}, {places.max()}], not in [0, {across - 1}]")


def plain(y: Any) -> Any:
    """Columns of pandas' Int64, Float64 and boolean without gaps as numbers; numpy and scikit-learn make objects or floats of them."""
    kinds: dict[str, Any] = {"i": np.int64, "u": np.uint64, "f": np.float64, "b": np.bool_}
    kind = getattr(y, "dtype", None)
    if kind is None or isinstance(kind, np.dtype) or getattr(kind, "kind", "") not in kinds or y.isna().any():
        return y
    return y.to_numpy(dtype=kinds[kind.kind])


def require_real(values: Any, name: str = "y") -> None:
    if getattr(getattr(values, "dtype", None), "kind", "") == "c" or isinstance(values, np.ma.MaskedArray):
        if fault := array_fault(values, name):
            raise ValueError(fault)


def require_all_known(y: np.ndarray, name: str) -> None:
    """Refuses classes some of which are missing, or that are no names or numbers."""
    if y.dtype.kind != "O":
        return
    gaps = [place for place, value in enumerate(y.ravel().tolist()) if is_missing(value)]
    if gaps:
        raise ValueError(f"{name} contains NaN: {len(gaps)} of {y.size} values are missing, the first at {gaps[0]} (from 0)")
    kinds = sorted({type(value).__name__ for value in y.ravel().tolist()})
    if len(kinds) > 1 and "str" in kinds:
        raise ValueError(f"{name} mixes values of the types {', '.join(kinds)}: make texts of all, or numbers")


def values_of_names(names: list[str]) -> np.ndarray:
    """Class names of a model file: whole numbers, numbers, truth values as Python writes them, or texts."""
    if names and set(names) <= {"False", "True"}:
        return np.array([name == "True" for name in names])
    for kind in (int, float):
        try:
            return np.array([kind(name) for name in names])
        except ValueError:
            pass
    return np.array(names, dtype=str)


def facts_of(text: str) -> dict[str, Any]:
    facts: dict[str, Any] = json.loads(text)
    return facts


def columns_of(text: str) -> dict[str, np.ndarray]:
    """A table of delimited text by its columns; numbers where all are."""
    rows = list(csv.reader(io.StringIO(text)))
    if not rows:
        return {}
    columns: dict[str, np.ndarray] = {}
    for place, name in enumerate(rows[0]):
        cells = [row[place] for row in rows[1:]]
        for kind in (int, float):
            try:
                columns[name] = np.array([kind(cell) for cell in cells])
                break
            except ValueError:
                columns[name] = np.array(cells)
    return columns
