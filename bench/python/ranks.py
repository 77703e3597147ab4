#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One Φ on 1, 2, … ranks of one thread each, as `ritz bench pairs` measures it: seconds, and efficiency against one rank.

    bench/python/ranks.py --program build/release/bin/ritz [--rows 16384] [--columns 784] [--ranks 1 2] [--repeats 3]

Numbers of ranks take turns, so that what else the machine does meets them alike; the best of the repeats counts.
"""
import argparse
import json
import subprocess

START = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "--quiet"]


def seconds(arguments, ranks):
    command = [arguments.program, "bench", "pairs", "--rows", arguments.rows, "--columns", arguments.columns, "--threads", 1,
               "--repeats", 1, "--quiet", "--json"]
    if ranks > 1:
        command = [*START, "-np", ranks, *command]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["result"]["tiled_seconds"]


parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--program", default="build/release/bin/ritz")
parser.add_argument("--rows", type=int, default=16384)
parser.add_argument("--columns", type=int, default=784)
parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2])
parser.add_argument("--repeats", type=int, default=3)
arguments = parser.parse_args()

best = {ranks: float("inf") for ranks in arguments.ranks}
for _ in range(arguments.repeats):
    for ranks in best:
        best[ranks] = min(best[ranks], seconds(arguments, ranks))
first = min(best)
print(f"{arguments.rows} x {arguments.columns}, gaussian\n\n| ranks | seconds | efficiency |\n|---|---|---|")
for ranks, found in best.items():
    print(f"| {ranks} | {found:.2f} | {100 * best[first] * first / (found * ranks):.0f} % |")
