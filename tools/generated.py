# SPDX-License-Identifier: MIT
"""What the generators of committed files have in common: they write a folder, or say what in it is not up to date."""
import argparse
import pathlib


class Wrong(Exception):
    """What was generated would not be true."""


def stale(made, folder):
    """Names of files that are not as they were made, or should not be there."""
    there = {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in folder.rglob("*") if path.is_file()}
    return sorted(name for name in made.keys() | there.keys() if made.get(name) != there.get(name))


def write(made, folder, changed):
    for name in changed:
        path = folder / name
        if name not in made:
            path.unlink()
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(made[name], encoding="utf-8")


def main(about, what, tool, folder, make):
    """make(program): {name within the folder: text}. Returns the exit status."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    try:
        made = make(str(arguments.build.resolve() / "bin" / "ritz"))
    except Wrong as wrong:
        print(f"{what}: {wrong}")
        return 1
    changed = stale(made, folder)
    if not arguments.check:
        write(made, folder, changed)
        print(f"{what}: {len(changed)} of {len(made)} files written")
        return 0
    for name in changed:
        print(f"{folder.name}/{name} is not up to date; run tools/{tool}.py")
    print(f"{what}: {len(made.keys() - set(changed))} of {len(made)} files up to date")
    return 1 if changed else 0
