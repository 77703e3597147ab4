#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A file of include/ritz/LAYER or src/LAYER includes only from its own layer and from those before it in RANKS.

usage: check_layers.py ROOT
"""
import pathlib
import re
import sys

RANKS = [["base"], ["linalg"], ["data", "graph", "cluster", "metrics"], ["model"], ["backends"], ["algorithms"],
         ["app"], ["cli", "python"]]
RANK = {layer: rank for rank, layers in enumerate(RANKS) for layer in layers}
INCLUDE = re.compile(r'^\s*#\s*include\s*["<](?:ritz/)?(\w+)/[^">]+[">]', re.MULTILINE)


def violations(root):
    """(file, included layer) for every include of a higher layer, and (file, None) for a folder that is no layer."""
    for folder in (root / "include" / "ritz", root / "src"):
        for path in sorted(folder.glob("*/**/*.[ch]pp")):
            layer = path.relative_to(folder).parts[0]
            if layer not in RANK:
                yield path, None
                continue
            for included in INCLUDE.findall(path.read_text(encoding="utf-8")):
                if RANK.get(included, -1) > RANK[layer]:
                    yield path, included


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    found = list(violations(root))
    for path, included in found:
        name = path.relative_to(root)
        print(f"{name}: its folder is not one of the layers" if included is None
              else f"{name}: includes from the higher layer {included}")
    print(f"layers: {len(found)} violations")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
