#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Forecasts of memory beside what is taken, for every verb over a grid of sizes; and whether a budget of about half of it is
kept or refused. One thread, a few steps of each fit: more of them take no more. Prints a line a case.

usage: tools/measure_memory.py PROGRAM [VERB…] [--scale S]      S times as many rows"""
import argparse
import json
import os
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from peak_memory import peak_of  # noqa: E402

SIZES = [(2000, 20), (6000, 20), (1500, 300), (300, 2000)]
STEPS = ["--max-iterations", "2"]
# verb: words for the fit, words for the forecast, sizes
CASES = {
    "reduce": (["--labels", "y.labels", "--dim", "2", "--kernel", "gaussian", "--scale", "standard", *STEPS],
               ["--dim", "2", "--kernel", "gaussian", "--scale", "standard", "--classes", "3"], SIZES),
    "reduce linear": (["--labels", "y.labels", "--dim", "2", "--kernel", "linear", "--scale", "standard", *STEPS],
                      ["--dim", "2", "--kernel", "linear", "--scale", "standard", "--classes", "3"], SIZES),
    "recluster": (["--given", "y.labels", "--clusters", "2", "--dim", "2", "--max-rounds", "2"], ["--clusters", "2", "--dim", "2"],
                  [(1000, 20), (2000, 20), (1000, 200), (200, 1500)]),
    "kernel": (["--labels", "y.labels", "--fraction", "0.05", "--neighbours", "10", *STEPS], ["--neighbours", "10", "--fraction", "0.05"],
               [(600, 20), (1500, 20), (600, 300), (200, 2000)]),
    "unfold": (["--neighbours", "5", "--dim", "2", "--connect", *STEPS], ["--neighbours", "5", "--dim", "2"], [(500, 20), (1500, 20), (500, 300), (200, 2000)]),
    "isometry": (["--distortion", "0.4", *STEPS], ["--distortion", "0.4"], [(1000, 20), (3000, 20), (600, 200), (150, 600)]),
    "depend": (["--labels", "y.labels", "--permutations", "19"], ["--permutations", "19"], SIZES),
    "center": (["--dim", "2", *STEPS], ["--dim", "2"], [(100, 400), (400, 400), (50, 4000), (1500, 100)]),  # subspaces and space
}
RANK = 10  # of a subspace


def used(command, folder):
    """(exit status, peak in bytes, what was said)"""
    peak, status, said = peak_of(command, "said", cwd=folder, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})
    return status, peak, (Path(folder) / "said").read_text() + said


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("verbs", nargs="*")
    parser.add_argument("--scale", type=float, default=1)
    asked = parser.parse_args()
    program, draw = asked.program.resolve(), np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as folder:
        base = used([program, "list", "kernels"], folder)[1]
        print(f"{'case':24} {'forecast':>9} {'peak':>9} {'peak/forecast':>14}   MiB, without {base / 2**20:.0f} of the program itself; at half of it")
        for name, (fit, forecast, sizes) in CASES.items():
            verb = name.split()[0]
            if asked.verbs and verb not in asked.verbs:
                continue
            for n, d in sizes:
                n = int(n * asked.scale)
                y = np.arange(n) % 3
                data, sizes = "x.npy", ["--rows", str(n), "--columns", str(d)]
                if verb == "center":
                    data, sizes = "x.npz", ["--subspaces", str(n), "--space", str(d), "--dimension", str(RANK)]
                    np.savez(Path(folder) / data, **{f"s{k}": draw.normal(size=(d, RANK)) for k in range(n)})
                else:
                    np.save(Path(folder) / data, draw.normal(size=(n, d)) + 2 * draw.normal(size=(3, d))[y])
                (Path(folder) / "y.labels").write_text("\n".join(map(str, y)) + "\n")
                said = used([program, "estimate", verb, *sizes, *forecast, "--threads", "1", "--json", "--quiet"], folder)
                status, peak, output = used([program, verb, data, *fit, "--threads", "1", "--quiet"], folder)
                if said[0] or status not in (0, 4):
                    print(f"{name} {n} x {d}: {said[2] if said[0] else output}".strip())
                    continue
                expected, taken = json.loads(said[2])["result"]["memory_bytes"], peak - base
                budget = max(int(taken / 2), 20 * 2**20)
                half = used([program, verb, data, *fit, "--threads", "1", "--quiet", "--max-memory", str(budget)], folder)
                kept = "refused" if half[0] == 5 else "kept" if half[1] - base <= budget else f"BROKEN: {half[1] / 2**20:.0f} at {budget / 2**20:.0f}"
                print(f"{name + f' {n} x {d}':24} {expected / 2**20:9.1f} {taken / 2**20:9.1f} {taken / expected:14.2f}   {kept}", flush=True)


if __name__ == "__main__":
    main()
