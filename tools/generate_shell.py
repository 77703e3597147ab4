#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes share/: manual pages and completion for shells, from the tables that the program itself works with.

  man/man1/ritz.1, ritz-VERB.1                     `ritz list tasks --json`, and `ritz VERB --help` for the rest
  bash-completion/completions/ritz                 verbs, flags, choices, files
  zsh/site-functions/_ritz                         the same, with the words of the help

usage: generate_shell.py --build FOLDER [--check]     (--check: nothing is written; fails where files are not up to date)
"""
import json
import re
import sys

import check_docs
import generate_reference as reference
import generated

FOLDER = reference.ROOT / "share"


class Verb:
    def __init__(self, name, summary, options, choices, positionals):
        self.name = name                # "estimate reduce"
        self.summary = summary
        self.options = options          # [(flag, default, help)]
        self.choices = choices          # {flag: [word]}
        self.positionals = positionals  # [(name, help)]


# --- manual pages -----------------------------------------------------------------------------------------------------

def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text


def page(title, parts, version):
    lines = [f'.\\" Made by tools/generate_shell.py; do not edit.', f'.TH {title.upper()} 1 "" "Ritz {version}" "User Commands"']
    for heading, body in parts:
        lines += [f".SH {heading}", *body]
    return "\n".join(lines) + "\n"


def option_lines(options):
    lines = []
    for flag, default, words in options:
        lines += [".TP", f"\\fB{roff(flag)}\\fR" + (f" (default: {roff(default)})" if default else ""), roff(words or "no more to say")]
    return lines


def verb_page(verb, version):
    name = "ritz-" + verb.name.replace(" ", "-")
    words = " ".join(name if name.startswith("[") else f"\\fI{name}\\fR" for name, _ in verb.positionals)
    parts = [("NAME", [f"{roff(name)} \\- {roff(verb.summary)}"]),
             ("SYNOPSIS", [f"\\fBritz {roff(verb.name)}\\fR {words} [\\fIoptions\\fR]"]),
             ("DESCRIPTION", [roff(verb.summary) + "."])]
    if verb.positionals:
        parts.append(("ARGUMENTS", sum(([".TP", f"\\fI{roff(a)}\\fR", roff(b or "see above")] for a, b in verb.positionals), [])))
    if verb.options:
        parts.append(("OPTIONS", option_lines(verb.options)))
    parts.append(("SEE ALSO", [".BR ritz (1)"]))
    return page(name, parts, version)


def main_page(verbs, statuses, version):
    listed = sum(([".TP", f"\\fBritz\\-{roff(verb.name.replace(' ', '-'))}\\fR(1)", roff(verb.summary)] for verb in verbs), [])
    ends = sum(([".TP", f"\\fB{number}\\fR", roff(reference.STATUSES[name])] for name, number in statuses), [])
    return page("ritz", [
        ("NAME", ["ritz \\- spectral learning: subspaces, kernels and embeddings"]),
        ("SYNOPSIS", ["\\fBritz\\fR \\fIverb\\fR [\\fIarguments\\fR]"]),
        ("DESCRIPTION", ["Each verb answers one question about a table of samples, and says how good its answer is.",
                         "\\fBritz\\fR \\fIverb\\fR \\fB\\-\\-help\\fR prints what its page says."]),
        ("VERBS", listed), ("EXIT STATUS", ends)], version)


# --- completion -------------------------------------------------------------------------------------------------------

def bash_completion(verbs):
    tree = {}
    for verb in verbs:
        first, _, second = verb.name.partition(" ")
        tree.setdefault(first, [])
        if second:
            tree[first].append(second)
    lines = ["# Made by tools/generate_shell.py; do not edit.", "_ritz() {",
             "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} verb=${COMP_WORDS[1]-} words=''",
             "  COMPREPLY=()", "  if ((COMP_CWORD == 1)); then", f'    words="{" ".join(tree)} --help --version"',
             '    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")', "    return", "  fi", "  case $verb in"]
    for first, below in tree.items():
        if below:
            lines += [f"    {first})", "      if ((COMP_CWORD == 2)); then",
                      f'        mapfile -t COMPREPLY < <(compgen -W "{" ".join(below)} --help" -- "$current")', "        return", "      fi",
                      '      verb="$verb ${COMP_WORDS[2]}"', "      ;;"]
    lines += ["  esac", '  case "$verb $previous" in']
    for verb in verbs:
        for flag, choices in sorted(verb.choices.items()):
            lines.append(f'    "{verb.name} {flag}") words="{" ".join(choices)}" ;;')
    lines += ["  esac", "  if [[ -z $words && $current == -* ]]; then", "    case $verb in"]
    for verb in verbs:
        lines.append(f'      "{verb.name}") words="{" ".join(flag for flag, _, _ in verb.options)} --help" ;;')
    lines += ["    esac", "  fi", "  if [[ $words ]]; then", '    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")', "  else",
              '    mapfile -t COMPREPLY < <(compgen -f -- "$current")', "    compopt -o filenames 2>/dev/null", "  fi", "}",
              "complete -F _ritz ritz"]
    return "\n".join(lines) + "\n"


def zsh_quoted(text):
    return re.sub(r"([\[\]:\\])", r"\\\1", text).replace("'", "'\\''")


def zsh_completion(verbs):
    lines = ["#compdef ritz", "# Made by tools/generate_shell.py; do not edit.", "_ritz() {", "  local -a verbs", "  verbs=("]
    first = {}
    for verb in verbs:
        first.setdefault(verb.name.partition(" ")[0], verb.summary)
    lines += [f"    '{name}:{zsh_quoted(summary)}'" for name, summary in first.items()]
    lines += ["  )", "  if ((CURRENT == 2)); then", "    _describe verb verbs", "    return", "  fi", "  local verb=$words[2]"]
    for name in first:
        below = [verb.name.partition(" ")[2] for verb in verbs if verb.name.startswith(name + " ")]
        if below:
            lines += [f"  if [[ $verb == {name} ]]; then", "    if ((CURRENT == 3)); then", f"      compadd {' '.join(below)}", "      return",
                      "    fi", '    verb="$verb $words[3]"', "  fi"]
    lines.append("  case $verb in")
    for verb in verbs:
        lines.append(f"    '{verb.name}')")
        lines.append("      _arguments \\")
        for flag, _, words in verb.options:
            chosen = verb.choices.get(flag)
            value = f":value:({' '.join(chosen)})" if chosen else ":value:_files"
            lines.append(f"        '{flag}[{zsh_quoted(words)}]{value}' \\")
        lines += ["        '*:file:_files'", "      ;;"]
    lines += ["  esac", "}", '_ritz "$@"']
    return "\n".join(lines) + "\n"


# --- facts ------------------------------------------------------------------------------------------------------------

def summaries(program, parent=""):
    text = reference.output_of(program, [*parent.split(), "--help"])
    below = text.partition("Subcommands:\n")[2].partition("\n\n")[0]
    joined = re.sub(r"\n {10,}", " ", below)
    return {name: " ".join(words.split()) for name, words in re.findall(r"^  ([a-z][\w-]*) +(.*)$", joined, re.MULTILINE)}


def positionals(program, verb):
    text = reference.output_of(program, [*verb.split(), "--help"])
    block = text.partition("Positionals:\n")[2].partition("\n\n")[0] or ""
    block = re.sub(r"\n {30}", " ", block)
    return [(line.split()[0], " ".join(line[30:].split())) for line in block.splitlines() if line.strip()]


def all_verbs(program):
    tasks = {task["verb"]: task for task in json.loads(reference.output_of(program, ["list", "tasks", "--json"]))}
    words, verbs = summaries(program), []
    for name in check_docs.verbs_of(program):
        first, _, second = name.partition(" ")
        summary = summaries(program, first).get(second) if second else words.get(name)
        rows = tasks.get(second or first, {"options": []})["options"]
        choices = {reference.flag(row["name"]): row["choices"] for row in rows if row["choices"]}
        options = [row for row in check_docs.help_options(program, name) if row[0] != "--help"]
        verbs.append(Verb(name, summary or words.get(first, ""), options, choices, positionals(program, name)))
    return verbs


def files(program):
    verbs, version = all_verbs(program), reference.output_of(program, ["--version"]).strip()
    statuses = reference.statuses_of((reference.ROOT / "include/ritz/base/error.hpp").read_text(encoding="utf-8"))
    made = {f"man/man1/ritz-{verb.name.replace(' ', '-')}.1": verb_page(verb, version) for verb in verbs}
    made["man/man1/ritz.1"] = main_page(verbs, statuses, version)
    made["bash-completion/completions/ritz"] = bash_completion(verbs)
    made["zsh/site-functions/_ritz"] = zsh_completion(verbs)
    return made


if __name__ == "__main__":
    sys.exit(generated.main(__doc__, "manual pages and completion", "generate_shell", FOLDER, files))
