#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Keeps README.md, CONTRIBUTING.md and docs/ true.

  ```console   each line "$ …" is run, in one scratch folder per document, and its output compared with the lines
               below it; an ellipsis (…) stands for anything within a line, a line of its own for any lines
  ```cpp       compiled against the installed library; run where it has a main(), and compared with a ```text block
               that follows directly
  <!-- options: VERB --> … <!-- end of options -->
               the table made from `ritz VERB --help`; --write puts it there
  `--flag`     must be a flag of some verb; links to files must lead somewhere

usage: check_docs.py --build FOLDER [--write] [DOCUMENT…]
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OPTIONS = re.compile(r"(<!-- options: ([\w ]+) -->\n).*?(<!-- end of options -->)", re.DOTALL)


class Wrong(Exception):
    pass


def output_of(command, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    return done.returncode, done.stdout


def matches(expected, found):
    """Whether the lines agree, where … in `expected` stands for anything."""
    parts = []
    for line in expected.strip().splitlines():
        if line.strip() == "…":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(".*".join(re.escape(piece) for piece in line.rstrip().split("…")) + r"[ ]*\n")
    return re.fullmatch("".join(parts), found.strip("\n") + "\n") is not None


def compare(what, expected, found):
    if not matches(expected, found):
        raise Wrong(f"{what}: the document says\n{expected}\nbut it gives\n{found}")


def check_console(text, folder, environment):
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        lines = part.replace("\\\n", " ").split("\n", 1)
        command, expected = lines[0], lines[1] if len(lines) > 1 else ""
        command = command.replace("python3 tools/", f"{shlex.quote(sys.executable)} {shlex.quote(str(ROOT))}/tools/")
        status, found = output_of(["bash", "-c", command], cwd=folder, env=environment)
        if status != 0 and "$?" not in command:
            raise Wrong(f"$ {command}\nexit status {status}:\n{found}")
        if expected.strip():
            compare(f"$ {command}", expected, found)


def check_cpp(text, expected, folder, prefix, inside):
    """`inside`: folders of headers that are not installed, for pages about the library's own rooms."""
    source, program = folder / "snippet.cpp", folder / "snippet"
    source.write_text(text, encoding="utf-8")
    runs = re.search(r"\bint main\(", text) is not None
    pkg_config = next(prefix.glob("**/ritz.pc")).parent
    flags = subprocess.check_output(["pkg-config", "--static", "--cflags", "--libs", "ritz"], text=True,
                                    env=os.environ | {"PKG_CONFIG_PATH": str(pkg_config)})
    mode = ["-o", str(program)] if runs else ["-fsyntax-only"]
    status, found = output_of(["c++", "-std=c++20", "-Wall", "-Wextra", str(source), *mode, *(f"-I{each}" for each in inside),
                               *shlex.split(flags)])
    if status != 0:
        raise Wrong(f"a C++ snippet does not compile:\n{text}\n{found}")
    if runs:
        status, found = output_of([str(program)], cwd=folder)
        if status != 0:
            raise Wrong(f"a C++ snippet ends with status {status}:\n{text}\n{found}")
        if expected is not None:
            compare("a C++ snippet", expected, found)


def verbs_of(program, parent=""):
    """All verbs that `ritz --help` lists, those within them as "estimate reduce"."""
    _, text = output_of([program, *parent.split(), "--help"])
    below = re.findall(r"^  ([a-z][\w-]*) ", text.partition("Subcommands:\n")[2].partition("\n\n")[0], re.MULTILINE)
    return sum((verbs_of(program, f"{parent} {word}".strip()) for word in below), []) or ([parent] if parent else [])


def help_options(program, verb):
    """(flag, default, help) of every option that `ritz VERB --help` lists."""
    _, text = output_of([program, *verb.split(), "--help"])
    # All groups of options, everyday ones first. The words begin in column 30, on a line of their own where what is
    # before them is longer.
    lines = re.sub(r"\n {30}", "\t", text.partition("\nOptions:\n")[2]).splitlines()
    options = []
    for line in lines:
        spec, words = line.split("\t", 1) if "\t" in line else (line[:30], line[30:])
        flag = re.match(r"  (?:-\w,)?(--[a-z-]+)(.*)", spec)
        if not flag:
            continue
        default = re.match(r" [\w|]+=(.*)", flag[2])
        options.append((flag[1], default[1].strip() if default else "", words.strip()))
    return options


def options_table(program, verb):
    rows = ["| flag | default | meaning |", "|---|---|---|"]
    for flag, default, words in help_options(program, verb):
        if flag != "--help":
            cells = [f"`{flag}`", f"`{default}`" if default else "", words]
            rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(rows) + "\n"


def check_flags(text, known):
    for flag in re.findall(r"`(--[a-z][a-z-]*)", text):
        if flag not in known:
            raise Wrong(f"no verb has the flag {flag}")


def check_links(path, text):
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        if not (path.parent / target).exists():
            raise Wrong(f"the link to {target} leads nowhere")


def check_document(path, program, prefix, known, write):
    text = path.read_text(encoding="utf-8")
    with_tables = OPTIONS.sub(lambda m: m[1] + options_table(program, m[2]) + m[3], text)
    if with_tables != text:
        if not write:
            raise Wrong("its table of options is not that of the program; run tools/check_docs.py --write")
        path.write_text(with_tables, encoding="utf-8")
    check_flags(BLOCK.sub("", with_tables), known)
    check_links(path, BLOCK.sub("", with_tables))
    environment = os.environ | {"PATH": f"{pathlib.Path(program).parent}:{os.environ['PATH']}"}
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        blocks = list(BLOCK.finditer(with_tables))
        for block, after in zip(blocks, blocks[1:] + [None]):
            if block[1] == "console":
                check_console(block[2], folder, environment)
            elif block[1] == "cpp":
                follows = after and after[1] == "text" and not with_tables[block.end():after.start()].strip()
                check_cpp(block[2], after[2] if follows else None, pathlib.Path(folder), prefix,
                          [ROOT / "src"] if path.parent.name == "extend" else [])
            else:
                continue
            count += 1
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("documents", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    program = str(arguments.build.resolve() / "bin" / "ritz")
    known = {flag for verb in verbs_of(program) for flag, _, _ in help_options(program, verb)} | {"--version"}
    documents = arguments.documents or [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("docs/**/*.md"))]
    failures = 0
    with tempfile.TemporaryDirectory() as prefix:
        subprocess.check_call(["cmake", "--install", str(arguments.build), "--prefix", prefix], stdout=subprocess.DEVNULL)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as several:  # snippets wait for a compiler on one core
            checks = [several.submit(check_document, path.resolve(), program, pathlib.Path(prefix), known, arguments.write)
                      for path in documents]
        for path, check in zip(documents, checks):
            name = path.resolve().relative_to(ROOT)
            try:
                count = check.result()
                print(f"{name}: {count} snippets" if count else name)
            except Wrong as wrong:
                failures += 1
                print(f"{name}: {wrong}")
    print(f"documents: {len(documents) - failures} passed, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
