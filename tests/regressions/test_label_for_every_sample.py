# SPDX-License-Identifier: MIT
"""The matrix of classes was made before memory was counted: a label for every sample took n x n numbers, and the machine
swapped. It is refused before."""
import numpy as np

from conftest import run_ritz


def test_a_label_for_every_sample_is_refused_before_memory_is_taken(tmp_path):
    n = 12000
    np.save(tmp_path / "x.npy", np.random.default_rng(0).normal(size=(n, 3)))
    (tmp_path / "y.labels").write_text("\n".join(map(str, range(n))) + "\n")
    run = run_ritz("reduce", tmp_path / "x.npy", "--labels", tmp_path / "y.labels", "--max-memory", "300M")
    assert run.status == 5 and "--max-memory" in run.err, run
