# SPDX-License-Identifier: MIT
"""What a fit takes beside its data: the growth of the process beyond X, next to what `ritz.estimate` says.

usage: PYTHONPATH=build/release/python python3 bench/python/memory.py [ROWS COLUMNS]

X is drawn first (60,000 x 784 doubles, as MNIST has them); a copy of it anywhere on the way to the library would show.
"""
import sys
import time
import warnings

import numpy as np
import ritz


def peak():
    return next(int(line.split()[1]) * 1024 for line in open("/proc/self/status") if line.startswith("VmHWM"))


def main():
    rows, columns = map(int, sys.argv[1:3]) if len(sys.argv) > 2 else (60000, 784)
    warnings.simplefilter("ignore")
    X = np.random.default_rng(0).normal(size=(rows, columns))
    y = np.arange(rows) % 10
    X[np.arange(rows), y] += 3
    print(f"X: {rows} x {columns}, {X.nbytes / 1e6:.0f} MB")
    for scale in ("none", "standard"):
        how = dict(dim=2, kernel="gaussian(sigma=median)", solver="ism", curvature="never", max_iterations=2, scale=scale)
        estimator = ritz.ISM(**how)
        said = ritz.estimate(estimator, rows=rows, columns=columns)[0]
        ritz.ISM(**how).fit(X[:500], y[:500])  # what a first fit takes once is not this one's
        before, start = peak(), time.perf_counter()
        estimator.fit(X, y)
        grown = peak() - before
        print(f"scale={scale}: grew by {grown / 1e6:.0f} MB in {time.perf_counter() - start:.1f} s; estimate says {said / 1e6:.0f} MB, "
              f"X among them: {'within' if grown <= said else 'BEYOND'}")


if __name__ == "__main__":
    main()
