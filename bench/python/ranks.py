#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One Φ on 1, 2, … ranks of one thread each, as `ritz bench pairs` measures it: seconds, and efficiency against one rank.

    bench/python/ranks.py --program build/release/bin/ritz [--rows 16384] [--columns 784] [--ranks 1 2] [--repeats 3]

Numbers of ranks take turns, so that what else the machine does meets them alike; the best of the repeats counts. Cores that run
slower together than alone (shared caches, two threads a core, a lower clock) would be held against the ranks; so as many separate
programs, each with its part of the pairs, show beside it what the machine allows.
"""
import argparse
import json
import math
import subprocess

START = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "--quiet"]


def command(arguments, rows):
    return list(map(str, [arguments.program, "bench", "pairs", "--rows", rows, "--columns", arguments.columns, "--threads", 1,
                          "--repeats", 1, "--quiet", "--json"]))


def told(text):
    return json.loads(text)["result"]["tiled_seconds"]


def together(arguments, ranks):
    start = [*START, "-np", str(ranks)] if ranks > 1 else []
    done = subprocess.run([*start, *command(arguments, arguments.rows)], capture_output=True, text=True, check=True)
    return told(done.stdout)


def apart(arguments, programs):
    """The longest of them."""
    rows = round(arguments.rows / math.sqrt(programs))
    running = [subprocess.Popen(command(arguments, rows), stdout=subprocess.PIPE, text=True) for _ in range(programs)]
    return max(told(each.communicate()[0]) for each in running)


parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--program", default="build/release/bin/ritz")
parser.add_argument("--rows", type=int, default=16384)
parser.add_argument("--columns", type=int, default=784)
parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2])
parser.add_argument("--repeats", type=int, default=3)
arguments = parser.parse_args()

best = {ranks: [float("inf")] * 2 for ranks in arguments.ranks}
for _ in range(arguments.repeats):
    for ranks, found in best.items():
        best[ranks] = [min(old, measure(arguments, ranks)) for old, measure in zip(found, (together, apart))]
first = min(best)
whole = best[first][0] * first
print(f"{arguments.rows} x {arguments.columns}, gaussian\n\n| ranks | seconds | efficiency | as many programs, a part each | of what these allow |")
print("|---|---|---|---|---|")
for ranks, (ours, ceiling) in best.items():
    print(f"| {ranks} | {ours:.2f} | {100 * whole / (ours * ranks):.0f} % | {ceiling:.2f} | {100 * ceiling / ours:.0f} % |")
