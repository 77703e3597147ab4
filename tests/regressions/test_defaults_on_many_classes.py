# SPDX-License-Identifier: MIT
"""Many small classes, a little more than 500 samples: the rows that settings are judged by were drawn as a part held out, which
none of the classes could spare, and a run without options ended with advice about an option nobody had given. Clusters of wide
or structureless tables stopped at 100 rounds, and nothing said what would make them go on."""
import numpy as np
import pytest

from conftest import run_ritz


def test_many_small_classes_need_no_options(tmp_path):
    rng = np.random.default_rng(3)
    labels = np.repeat(np.arange(120), 5)
    np.savetxt(tmp_path / "x.csv", 2 * rng.normal(size=(120, 10))[labels] + 0.6 * rng.normal(size=(600, 10)), delimiter=",",
               fmt="%.6f")
    np.savetxt(tmp_path / "y", labels, fmt="%d")
    run = run_ritz("reduce", tmp_path / "x.csv", "--labels", tmp_path / "y")
    assert run.status == 0, run.err


@pytest.mark.parametrize("seed, n, d, clusters", [(0, 60, 300, 2), (7, 60, 300, 2), (6, 200, 10, 3), (11, 200, 10, 3)])
def test_clusters_without_structure_converge(tmp_path, seed, n, d, clusters):
    np.savetxt(tmp_path / "x.csv", np.random.default_rng(seed).normal(size=(n, d)), delimiter=",", fmt="%.6f")
    assert run_ritz("reduce", tmp_path / "x.csv", "--mode", "unsupervised", "--clusters", clusters).status == 0


def test_what_stops_at_its_limit_says_what_would_go_on(tmp_path):
    rng = np.random.default_rng(5)
    np.savetxt(tmp_path / "x.csv", rng.normal(size=(200, 10)), delimiter=",", fmt="%.6f")
    np.savetxt(tmp_path / "y", np.arange(200) % 2, fmt="%d")
    run = run_ritz("reduce", tmp_path / "x.csv", "--mode", "unsupervised", "--clusters", 3, "--max-rounds", 2)
    assert run.status == 4 and "--max-rounds 20 goes on" in run.out + run.err
    run = run_ritz("reduce", tmp_path / "x.csv", "--labels", tmp_path / "y", "--dim", 2, "--scale", "standard",
                   "--solver", "ism", "--max-iterations", 2)
    assert run.status == 4 and "--max-iterations 20 goes on" in run.out + run.err
