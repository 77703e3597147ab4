# SPDX-License-Identifier: MIT
import os
import pathlib
import subprocess

import matplotlib
import numpy as np
import pytest

matplotlib.use("Agg")
ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def program():
    """Runs the program: program("reduce", "x.csv", …, cwd=folder)."""
    path = pathlib.Path(os.environ.get("RITZ_PROGRAM", ROOT / "build/release/bin/ritz"))
    if not path.exists():
        pytest.skip(f"no program at {path}: build it, or set RITZ_PROGRAM")

    def run(*words, cwd, ok=(0,)):
        done = subprocess.run([path, *map(str, words)], cwd=cwd, capture_output=True, text=True, timeout=300)
        assert done.returncode in ok, done.stderr
        return done
    return run


@pytest.fixture(scope="session")
def wine():
    from sklearn.datasets import load_wine
    data = load_wine(as_frame=True)
    return data.data, np.array(["red", "rosé", "white"])[data.target]
