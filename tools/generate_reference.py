#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes docs/reference/: what is true of every verb, from the tables that the program itself works with.

  options.md        `ritz list tasks --json`: inputs, options and outputs of every task; `ritz VERB --help` for the rest
  json.md           the keys that src/report/envelope.hpp names, and those of one small run of every task
  formats.md        `ritz list formats --json`
  exit-statuses.md  the numbers of ritz/base/error.hpp
  README.md         the index

usage: generate_reference.py --build FOLDER [--check]     (--check: nothing is written; fails where pages are not up to date)
"""
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import generated
from generated import Wrong

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "reference"
HEAD = "<!-- Made by tools/generate_reference.py; do not edit. -->\n"

# A small run of every task: its JSON has the keys that the page names. What is asked for here is what can be listed.
EXAMPLES = {
    "reduce": ["generate sectors --samples 90 --output x.csv",
               "reduce x.csv --labels x.class.labels --dim 2 --kernel linear --holdout 0.3 --bootstrap 3 --sparse"],
    "recluster": ["generate small-gauss --samples 80 --output x.csv",
                  "recluster x.csv --given x.feature1.labels --clusters 2 --dim 1"],
    "kernel": ["generate chessboard --samples 40 --output x.csv",
               "kernel x.csv --labels x.class.labels --fraction 0.2 --clusters 2"],
    "unfold": ["generate swiss-roll --samples 60 --output x.csv", "unfold x.csv --connect --dim 2"],
    "isometry": ["generate squares --samples 20 --output x.csv", "isometry x.csv --distortion 0.4 --recall 3"],
    "depend": ["generate sectors --samples 60 --output x.csv", "depend x.csv --labels x.class.labels --permutations 99"],
    "center": ["generate nested-ball --output x.csv", "center x.csv --dims x.dims.csv --dim 2"],
}

STATUSES = {
    "fine": "the work is done; of a loop: it converged",
    "internal_failure": "internal failure: please report it",
    "wrong_usage": "wrong usage: an option, an unknown name, a path that cannot be written",
    "bad_data": "bad data: a file that cannot be read or is damaged, one class only, sizes that do not match",
    "not_converged": "did not converge, and the best result is written, where there was one before the time limit; of "
                     "`check`: the certificate does not hold",
    "memory_budget": "the memory budget does not suffice; nothing was run",
    "infeasible": "there is no solution with what was asked for, and the message says how far one can go",
    "write_failed": "an output could not be written to its end: a full disk, a broken pipe; the other outputs are written",
    "interrupted": "interrupted by Ctrl-C; the best result is written. A second Ctrl-C ends at once",
}


# --- Markdown ---------------------------------------------------------------------------------------------------------

def table(columns, rows):
    def line(cells):
        return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |\n"
    return line(columns) + "|" + "---|" * len(columns) + "\n" + "".join(line(row) for row in rows)


def flag(name):
    return "--" + name.replace("_", "-")


def code(text):
    return f"`{text}`" if text else ""


def in_flags(text, owners):
    """As the program says it: center.group_column -> --group-column."""
    return re.sub(rf"(?<![\w./-])(?:{'|'.join(owners)})\.([a-z_]+)", lambda m: flag(m[1]), text)


# --- pages ------------------------------------------------------------------------------------------------------------

def values_of(row):
    if row["flag"]:
        return "a flag"
    if row["choices"]:
        return ", ".join(code(choice) for choice in row["choices"])
    return f"{row['kind']}, {row['low']} to {row['high']}" if row.get("low") else row["kind"]


def option_rows(rows, owners):
    return table(["flag", "default", "values", "meaning"],
                 [(code(flag(row["name"])), "" if row["flag"] else code(row["default"]), values_of(row),
                   in_flags(row["help"], owners)) for row in rows])


def own_flags(task):
    return {flag(row["name"]) for row in task["inputs"] + task["options"]} | {flag(row["option"]) for row in task["outputs"]}


def task_section(task, shared, owners):
    data = task["data"]
    inputs = [(code(data["name"]), "" if data["required"] else "may be left out",
               in_flags(data["help"], owners) or "the samples, a row each, in [any format](formats.md)")]
    inputs += [(code(flag(row["name"])), ", ".join(["required"] * row["required"] + ["may be given again"] * row["repeated"]),
                in_flags(row["help"], owners)) for row in task["inputs"] if row["value_name"]]
    rows = own_flags(task)
    inputs += [(code(name), code(default), words) for name, default, words in task["flags"] if name not in rows | shared]
    can = ["check"] + ["transform"] * task["transform"] + ["predict"] * task["predict"]
    text = f"## {task['verb']}\n\n{task['summary']}. Its models (`{task['method']}`) serve {', '.join(can)}.\n\n"
    text += table(["input", "", "meaning"], inputs) + "\n" + option_rows(task["options"], owners) + "\n"
    text += table(["output", "form", "meaning"], [(code(flag(row["option"])), row["form"], in_flags(row["help"], owners))
                                                  for row in task["outputs"]])
    if task["sizes"]:
        text += f"\n`ritz estimate {task['verb']}` takes the same options and, without data:\n\n"
        text += option_rows(task["sizes"], owners)
    return text


def options_page(tasks, run, others):
    """run: (flag, default, help) that all tasks share; others: {verb: such a list} of verbs that are no task."""
    owners = sorted({word for task in tasks for word in (task["verb"], task["method"])} | {"input", "run", "estimate", "check"})
    shared = {name for name, _, _ in run}
    parts = ["# Options\n\nOf every verb, as `ritz VERB --help` has them. A line such as `dim = 2` in a file given by `--config` is the "
             "same as the flag.\n\n## Of every task\n\n" + table(["flag", "default", "meaning"],
                                                                [(code(a), code(b), c) for a, b, c in run])]
    parts += [task_section(task, shared, owners) for task in tasks]
    for verb, rows in others.items():
        beside = shared <= {name for name, _, _ in rows}
        own = [(code(a), code(b), c) for a, b, c in rows if not beside or a not in shared]
        words = "\nBeside those of every task.\n" if beside else ""
        parts.append(f"## {verb}\n{words}" + ("\n" + table(["flag", "default", "meaning"], own) if own else ""))
    return HEAD + "\n".join(parts)


def kind_of(value):
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, (int, float)):
        return "number"
    if isinstance(value, str):
        return "text"
    if isinstance(value, list):
        return "list" + (f" of: {kind_of(value[0])}" if value else "")
    if isinstance(value, dict):
        return "object" + (f" with {', '.join(code(key) for key in value)}" if value else "")
    return "`null` where there is none"


def json_page(keys, examples, commands):
    """keys: [(key, meaning)]; examples: {verb: the object that a run of it printed}; commands: {verb: that run}."""
    for verb, facts in examples.items():
        missing, more = [k for k, _ in keys if k not in facts], [k for k in facts if k not in dict(keys)]
        if missing or more:
            raise Wrong(f"the object of {verb} has not {missing}, and has {more} besides")
    parts = ["# JSON\n\n`--json` prints one object, `--json=FILE` writes it to a file. Numbers have full precision; what is not finite is "
             "`null`. All tasks have the same keys; a model file keeps the same object, but for what passes with the run.\n\n" +
             table(["key", "holds"], [(code(key), meaning) for key, meaning in keys])]
    for verb, facts in examples.items():
        rows = [(code(f"{part}.{key}"), kind_of(value)) for part in ("certificate", "data", "result")
                for key, value in facts[part].items()]
        parts.append(f"## {verb}\n\nOf `ritz {commands[verb]}`:\n\n" + table(["key", "holds"], rows))
    return HEAD + "\n".join(parts)


def formats_page(formats):
    rows = [(row["name"], " ".join(code(ending) for ending in row["endings"]), row["help"],
             " and ".join(["samples"] * row["writes_samples"] + ["labels"] * row["writes_labels"]) or "–") for row in formats]
    return HEAD + ("# Formats\n\nOne row a sample, one column a feature. A format is told by the file's name and its first bytes; each may be "
                   "gzipped (`.gz` after the name), and `-` is standard input or output.\n\n" +
                   table(["format", "names", "what is read", "is written for"], rows) + """
Sparse data stay sparse wherever the method allows it.

**Labels** come from `--labels FILE` (one a line, any text) or from a column, `--label-column NAME`; a number counts from 1.
`--drop-column a,b` leaves columns out, `--columns a,b` takes no others. Texts, flags, dates and ids are recognised, and gaps are
dropped or filled in by `--na`: see [tables](../guide/tables.md). Infinite values are always an error, which names the file, the row and
the column.

Every output is written to a temporary file beside it and renamed when it is whole; paths are tried before the work begins. Data
and results go to files or standard output; the summary and progress go to standard error (`--quiet` silences both).
""")


def statuses_page(statuses):
    unknown = set(dict(statuses)) ^ set(STATUSES)
    if unknown:
        raise Wrong(f"exit statuses without a meaning, or meanings without a status: {sorted(unknown)}")
    return HEAD + "# Exit statuses\n\n" + table(["status", "meaning"], [(number, STATUSES[name]) for name, number in statuses])


def index_page(tasks):
    rows = [(f"[{task['verb']}](options.md#{task['verb']})", task["summary"], code(task["method"])) for task in tasks]
    return HEAD + """# Reference

Made from the program's own tables by `tools/generate_reference.py`; what it means is told by the [guides](../guide/README.md).

- [Options](options.md) of every verb
- [JSON](json.md): the one object that every task prints
- [Formats](formats.md) that are read and written
- [Exit statuses](exit-statuses.md)

""" + table(["task", "", "models"], rows)


# --- facts ------------------------------------------------------------------------------------------------------------

def envelope_keys(text):
    """[(key, meaning)] of the comment of envelope(): lines "//   key   meaning"."""
    keys = re.findall(r"^//   (\w+)  +(.+)$", text, re.MULTILINE)
    if not keys:
        raise Wrong("src/report/envelope.hpp names no keys")
    return keys


def statuses_of(text):
    body = re.search(r"enum class ExitStatus \{(.*?)\}", text, re.DOTALL)[1]
    return re.findall(r"(\w+) = (\d+)", body)


def output_of(program, words, folder="."):
    done = subprocess.run([program, *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise Wrong(f"ritz {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


def run_example(program, commands):
    with tempfile.TemporaryDirectory() as folder:
        for command in commands[:-1]:
            output_of(program, [*shlex.split(command), "--quiet"], folder)
        return json.loads(output_of(program, [*shlex.split(commands[-1]), "--quiet", "--json"], folder))


def pages(program):
    import check_docs  # reads --help
    tasks = json.loads(output_of(program, ["list", "tasks", "--json"]))
    without = [task["verb"] for task in tasks if task["verb"] not in EXAMPLES]
    if without:
        raise Wrong(f"no example for {', '.join(without)}: add one to EXAMPLES")
    for task in tasks:
        task["flags"] = [row for row in check_docs.help_options(program, task["verb"]) if row[0] != "--help"]
    run = [row for row in tasks[0]["flags"] if all(row in task["flags"] and row[0] not in own_flags(task) for task in tasks)]
    verbs = {task["verb"] for task in tasks}
    others = {verb: [row for row in check_docs.help_options(program, verb) if row[0] != "--help"]
              for verb in check_docs.verbs_of(program) if verb.split()[-1] not in verbs}
    examples = {task["verb"]: run_example(program, EXAMPLES[task["verb"]]) for task in tasks}
    keys = envelope_keys((ROOT / "src/report/envelope.hpp").read_text(encoding="utf-8"))
    text = {"json.md": json_page(keys, examples, {verb: EXAMPLES[verb][-1] for verb in examples})}
    text["options.md"] = options_page(tasks, run, others)
    text["formats.md"] = formats_page(json.loads(output_of(program, ["list", "formats", "--json"])))
    text["exit-statuses.md"] = statuses_page(statuses_of((ROOT / "include/ritz/base/error.hpp").read_text(encoding="utf-8")))
    text["README.md"] = index_page(tasks)
    return text


if __name__ == "__main__":
    sys.exit(generated.main(__doc__, "reference", "generate_reference", FOLDER, pages))
