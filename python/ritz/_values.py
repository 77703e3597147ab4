# SPDX-License-Identifier: MIT
"""Between Python's values and the library's texts."""
from __future__ import annotations

import csv
import io
import json
from typing import Any

import numpy as np


def text_of(value: Any) -> str:
    """An option's value as the library reads it."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, (list, tuple, np.ndarray)):
        return ",".join(map(text_of, value))
    return str(value)


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


def label_texts(y: Any) -> list[str]:
    """Class labels as a file would have them: whole numbers without a point."""
    values = np.asarray(y)
    if values.dtype.kind == "f":
        return [str(int(v)) if v == int(v) else repr(v) for v in values.tolist()]
    return [str(v) for v in values.tolist()]


def values_of_names(names: list[str]) -> np.ndarray:
    """Class names of a model file: whole numbers, numbers or texts."""
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
