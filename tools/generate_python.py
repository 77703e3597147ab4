#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes python/ritz/_parameters.py: the parameters of the estimators, with types, defaults and documentation, from the
tables that the program itself works with (`ritz list options --json`).

usage: generate_python.py --build FOLDER [--check]     (--check: nothing is written; fails where the file is not up to date)
"""
import argparse
import json
import keyword
import pathlib
import re
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
FILE = ROOT / "python" / "ritz" / "_parameters.py"

# Of a verb's options some decide between estimators, name files, or belong to another estimator of the verb.
CLUSTERS_ONLY = ["clusters", "mu", "label_by", "round_tolerance", "max_rounds"]
LABELS_ONLY = ["target_kernel", "target_sigma", "target_error", "holdout", "neighbours", "choose_by", "choose_folds", "folds",
               "scale_once", "bootstrap"]

COMMON = {
    "embedding_": ("ndarray of shape (n_samples, n_dimensions)", "The fitted samples in the new space."),
    "certificate_": ("dict", "Numbers that tell how good the result is, whatever found it."),
    "result_": ("dict", "What was found, as the program's JSON object has it."),
    "options_": ("dict", "All options as they were used; ``auto`` and 0 are replaced by what was chosen."),
    "history_": ("dict of ndarray", "One array a column, an entry an iteration: iteration, objective, measure, seconds, …"),
    "n_iter_": ("int", "Iterations."),
    "objective_": ("float", "What was made large or small, at the end."),
    "converged_": ("bool", "Whether the iteration settled; otherwise ``message_`` says why it ended."),
    "message_": ("str", "Why the iteration ended."),
    "notes_": ("list of str", "What one should know: a constant column, a dropped pair."),
    "summary_": ("str", "The result on one screen, for people."),
    "model_": ("Model", "What ``transform``, ``predict``, ``check`` and ``save`` work with."),
    "n_features_in_": ("int", "Number of features of the fitted samples."),
    "feature_names_in_": ("ndarray of str", "Their names, where X was a data frame with texts as column names."),
}
COMPONENTS = {"components_": ("ndarray of shape (n_dimensions, n_features)", "The new axes, a row each, orthonormal."),
              "loadings_": ("DataFrame of shape (n_features, n_dimensions)", "The same with names; needs pandas.")}
CLUSTERS = {"labels_": ("ndarray of shape (n_samples,)", "Cluster of each sample, from 0.")}

ESTIMATORS = [
    dict(name="ISM", verb="reduce", first="dim", without=["mode", "fold_file", *CLUSTERS_ONLY],
         head="The few directions of the data that tell classes apart, or explain numbers.",
         extra=[("target", "Literal['auto', 'classes', 'numbers']", "auto",
                 "what y is: names of classes, or numbers to be explained; auto: numbers where y has several columns or "
                 "values that are not whole")],
         attributes={**COMPONENTS, "classes_": ("ndarray", "The classes of y, where it has such.")},
         example=[">>> from sklearn.datasets import load_wine", ">>> X, y = load_wine(return_X_y=True)",
                  ">>> ritz.ISM(2).fit(X, y).transform(X).shape", "(178, 2)"]),
    dict(name="ISMClustering", verb="reduce", first="clusters", without=["mode", "fold_file", *LABELS_ONLY],
         defaults={"clusters": 2},
         head="Clusters, and the few directions of the data that show them.",
         attributes={**COMPONENTS, **CLUSTERS},
         example=[">>> from sklearn.datasets import load_iris", ">>> X, y = load_iris(return_X_y=True)",
                  ">>> ritz.ISMClustering(3).fit(X).labels_.shape", "(150,)"]),
    dict(name="AlternativeClustering", verb="recluster", first="clusters", without=["image_shape"],
         defaults={"clusters": 2},
         head="A second clustering: one that differs from those that are given, in directions of its own.",
         attributes={**COMPONENTS, **CLUSTERS,
                     "views_": ("list of ndarray", "The labels of all clusterings found, the first of which is ``labels_``.")},
         example=[">>> X, truth = ritz.datasets.generate('small-gauss', samples=80, return_X_y=True)",
                  ">>> ritz.AlternativeClustering(2, dim=1).fit(X, truth).labels_.shape", "(80,)"]),
    dict(name="PairwiseKernel", verb="kernel", first="clusters", without=[],
         more={"fraction": ["0: with y and no pairs, 0.7."]},
         head="A kernel, and clusters, from pairs of samples that belong together or apart.",
         attributes={**CLUSTERS, "pairs_": ("dict of ndarray", "The pairs that were used: i, j, link (+1, -1), alpha and "
                                                               "kernel value."),
                     "suggestions_": ("ndarray of shape (suggest, 2)", "Pairs most worth asking about next.")},
         example=[">>> X, y = ritz.datasets.generate('chessboard', samples=40, return_X_y=True)",
                  ">>> ritz.PairwiseKernel(2).fit(X, must_link=[(0, 2)], cannot_link=[(0, 1)]).labels_.shape", "(40,)"]),
    dict(name="VarianceUnfolding", verb="unfold", first="dim", without=["vertices"], defaults={"connect": True},
         head="Few dimensions that keep the distances of neighbours, or who they are.",
         attributes={"graph_": ("dict of ndarray", "The edges: i, j, and the squared distance before and after.")},
         example=[">>> X = ritz.datasets.generate('swiss-roll', samples=100).X",
                  ">>> ritz.VarianceUnfolding(2).fit_transform(X).shape", "(100, 2)"]),
    dict(name="NearIsometry", verb="isometry", first="distortion", without=["sweep"], defaults={"distortion": 0.25},
         more={"distortion": ["Not asked for with ``prefixes`` or ``objective='recall'``."]},
         head="The fewest linear measurements of samples that keep their distances.",
         attributes={"components_": ("ndarray of shape (rank, n_features)", "The measurements, a row each: y = P x."),
                     "loadings_": COMPONENTS["loadings_"],
                     "rank_": ("int", "How many they are."),
                     "distortion_": ("float", "The largest change of a squared distance, measured over the pairs.")},
         example=[">>> from sklearn.datasets import load_iris", ">>> X, y = load_iris(return_X_y=True)",
                  ">>> ritz.NearIsometry(0.4).fit(X).distortion_ <= 0.4", "True"]),
    dict(name="SubspaceCenter", verb="center", first="dim", without=["group_column", "rows"],
         instead={"center_groups": "with y: take each group's mean off its samples first, so that the means do not decide."},
         head="What linear subspaces have in common, and in how many dimensions.",
         attributes={"components_": ("ndarray of shape (order, n_features)", "An orthonormal basis of the centre, a row each."),
                     "loadings_": COMPONENTS["loadings_"],
                     "order_": ("int", "Dimensions of the centre; 0: nothing in common."),
                     "distances_": ("ndarray of shape (n_subspaces,)", "Squared distance of each subspace to the centre."),
                     "weights_": ("ndarray of shape (n_subspaces,)", "What each counts; those that are farthest carry it.")},
         example=[">>> bases = ritz.datasets.generate('nested-ball').bases()",
                  ">>> ritz.SubspaceCenter(2).fit(bases).components_.shape[0]", "2"]),
]

RUN = [
    ("n_jobs", "int | None", None, "threads; None or -1: all cores. The result has the same bits for any number"),
    ("random_state", "int | np.random.RandomState | None", 0, "seed of all random draws"),
    ("max_memory", "int | str | None", None, "memory budget in bytes, or a text such as '2G'; more is refused before the work "
                                             "begins. None: what is free"),
    ("time_limit", "float | None", None, "seconds; then the best result so far is kept"),
    ("backend", "str", "cpu", "where the heavy sums run"),
    ("verbose", "int", 0, "1: a line of progress (a bar where tqdm is installed)"),
    ("callback", "Callable[[str, int, float, float, float], object] | None", None,
     "called after every iteration with its path, number, objective, measure and seconds; true stops the run, and the best "
     "result is kept"),
]


def parameter(name):
    return name + "_" if keyword.iskeyword(name) else name


def described(row):
    """(type, default) of an option."""
    kind, text, choices = row["kind"], row["default"], row["choices"]
    if row["flag"] or sorted(choices) == ["false", "true"]:
        return "bool", text == "true"
    if choices:
        return f"Literal[{', '.join(map(repr, choices))}]", text
    if kind == "a whole number":
        return "int", int(text)
    if kind == "a number":
        return "float", number(text)
    if kind.startswith("a whole number, or several"):
        return "int | Sequence[int] | str | None", None
    if kind.endswith(", or auto"):
        return ("int" if "whole" in kind else "float") + " | Literal['auto']", text if text == "auto" else number(text)
    if kind.startswith("a positive number"):
        return "float | str", text
    if text:
        return "str", text
    return ("float | str | None" if "a number" in row["help"] else "str | None"), None


def number(text):
    value = float(text)
    return int(value) if value == int(value) and "e" not in text and "." not in text else value


def in_python(text, owners):
    """As Python says it: reduce.mode semi -> mode semi, 'ritz list kernels' stays."""
    return re.sub(rf"(?<![\w./-])(?:{'|'.join(owners)})\.([a-z_]+)", lambda m: f"``{parameter(m[1])}``", text)


def wrapped(text, indent):
    return textwrap.fill(text, 110, initial_indent=indent, subsequent_indent=indent, break_long_words=False,
                         break_on_hyphens=False)


def sentence(text):
    return text + ("" if text.endswith(".") else ".")


def estimator(spec, task, owners):
    rows = [row for row in task["options"] if row["name"] not in spec["without"]]
    rows.sort(key=lambda row: row["name"] != spec["first"])
    defaults = spec.get("defaults", {})
    known = {row["name"] for row in task["options"]}
    unknown = [name for name in [*spec["without"], spec["first"], *defaults] if name not in known]
    if unknown:
        raise SystemExit(f"{spec['name']}: the verb {spec['verb']} has no option {', '.join(unknown)}")
    parameters = []
    for row in rows:
        kind, value = described(row)
        help_text = sentence(in_python(row["help"], owners))
        help_text = " ".join([spec.get("instead", {}).get(row["name"], help_text), *spec.get("more", {}).get(row["name"], [])])
        if "low" in row:
            help_text += f" In [{row['low']}, {row['high']}]."
        parameters.append((parameter(row["name"]), kind, defaults.get(row["name"], value), help_text))
    parameters += [(name, kind, value, sentence(text)) for name, kind, value, text in [*spec.get("extra", []), *RUN]]
    lines = [f"class {spec['name']}Parameters:", f'    """{spec["head"]}', "", "    Parameters", "    ----------"]
    for name, kind, value, text in parameters:
        lines += [f"    {name} : {kind}, default={value!r}", wrapped(text, " " * 8)]
    lines += ["", "    Attributes", "    ----------"]
    for name, (kind, text) in {**spec["attributes"], **COMMON}.items():
        lines += [f"    {name} : {kind}", wrapped(text, " " * 8)]
    lines += ["", "    Examples", "    --------", "    >>> import ritz", *("    " + line for line in spec["example"]), '    """', ""]
    options = {parameter(row["name"]): row["name"] for row in rows}
    standard = {parameter(row["name"]): described(row)[1] for row in rows}
    lines += [f"    _verb: ClassVar[str] = {spec['verb']!r}",
              f"    _renamed: ClassVar[dict[str, str]] = { {key: value for key, value in options.items() if key != value} !r}",
              "    # What the library takes where nothing is said.", "    _standard: ClassVar[dict[str, Any]] = {",
              wrapped(", ".join(f"{key!r}: {value!r}" for key, value in standard.items()) + ",", " " * 8), "    }", ""]
    lines += ["    def __init__(", "        self,"]
    for place, (name, kind, value, _) in enumerate(parameters):
        lines += [f"        {name}: {kind} = {value!r},"] + (["        *,"] if place == 0 else [])
    lines += ["    ) -> None:", *(f"        self.{name} = {name}" for name, *_ in parameters), "", ""]
    return "\n".join(lines)


def generated(program):
    facts = json.loads(subprocess.run([program, "list", "options", "--json"], check=True, capture_output=True, text=True).stdout)
    tasks = {task["verb"]: task for task in facts}
    owners = [*tasks, *(task["method"] for task in facts), "input", "run"]
    head = ['# SPDX-License-Identifier: MIT', '# Made by tools/generate_python.py; do not edit.',
            '"""The parameters of the estimators, from the option tables of the library."""',
            'from __future__ import annotations', '', 'from collections.abc import Sequence',
            'from typing import Any, Callable, ClassVar, Literal', '',
            'import numpy as np', '', '']
    return "\n".join(head) + "\n" + "\n".join(estimator(spec, tasks[spec["verb"]], owners) for spec in ESTIMATORS).rstrip() + "\n"


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--build", type=pathlib.Path, required=True)
    arguments.add_argument("--check", action="store_true")
    options = arguments.parse_args()
    text = generated(options.build / "bin" / "ritz")
    if not options.check:
        FILE.write_text(text, encoding="utf-8")
    elif not FILE.exists() or FILE.read_text(encoding="utf-8") != text:
        sys.exit(f"{FILE.relative_to(ROOT)} is not up to date: run tools/generate_python.py --build FOLDER")


if __name__ == "__main__":
    main()
