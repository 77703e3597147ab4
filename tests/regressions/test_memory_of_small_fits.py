# SPDX-License-Identifier: MIT
"""The sweep over pairs kept room for all pairs of every tile (309 MB for 3000 x 20), and a free embedding was made certain by dense
matrices whatever was allowed (118 MB at 54): now both keep to what they need; and `estimate` knows that few samples are fitted in
their span, and that drawn pairs tell about nearly all."""
import numpy as np
import pytest

from conftest import facts

MIB = 2**20


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    def make(n, d):
        path = tmp_path_factory.mktemp("small") / "x.npy"
        draw = np.random.default_rng(1)
        np.save(path, draw.normal(size=(n, d)) + 2 * draw.normal(size=(3, d))[np.arange(n) % 3])
        return path
    return make


def test_a_sweep_keeps_the_worst_pairs_alone(table):
    run = facts("isometry", table(3000, 20), "--distortion", 0.4, "--max-iterations", 1, "--threads", 1)
    assert run["peak_memory_bytes"] < 150 * MIB, run["peak_memory_bytes"]


def test_an_embedding_is_made_certain_within_the_budget(table):
    run = facts("unfold", table(1500, 20), "--neighbours", 5, "--max-iterations", 2, "--threads", 1, "--max-memory", "60M", status=4)
    assert run["peak_memory_bytes"] < 80 * MIB, run["peak_memory_bytes"]  # 20 of them the program's own


def forecast(*args):
    return facts("estimate", *args, "--threads", 1)["result"]["memory_bytes"]


def test_few_samples_are_forecast_in_their_span():
    words = ["--dim", 2, "--kernel", "gaussian", "--scale", "standard", "--classes", 3]
    assert forecast("reduce", "--rows", 300, "--columns", 2000, *words) < 60e6


def test_drawn_pairs_are_forecast():
    assert 50e6 < forecast("kernel", "--rows", 600, "--columns", 20, "--fraction", 0.05, "--neighbours", 10) < 120e6
