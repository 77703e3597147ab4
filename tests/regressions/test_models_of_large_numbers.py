# SPDX-License-Identifier: MIT
"""Samples near 1e150 were fitted, but the models were refused by their own gate ("a number that is out of range"): status 0
and no check. Unfolding of samples far from 1 without scaling ended in words about matrices, or with an embedding that
`check` did not know again. Fits of any size are checked now, or refused with the cure."""
import numpy as np
import pytest

from conftest import run_ritz

HOW = {"reduce": ["--labels", "y.labels", "--dim", 1], "recluster": ["--given", "y.labels", "--clusters", 2],
       "kernel": ["--labels", "y.labels", "--fraction", 0.5, "--neighbours", 4], "unfold": ["--dim", 1, "--neighbours", 4, "--connect"]}


@pytest.fixture
def sized(tmp_path):
    draw = np.random.default_rng(5)
    y = np.arange(24) % 2
    X = draw.normal(size=(24, 3)) + 2
    X[:, 0] += 3 * y
    (tmp_path / "y.labels").write_text("".join("ab"[k] + "\n" for k in y))

    def write(scale):
        np.savetxt(tmp_path / "x.csv", scale * X, delimiter=",", fmt="%.17g")
        return tmp_path
    return write


@pytest.mark.parametrize("verb,more", [(verb, more) for verb in HOW for more in ([], ["--scale", "none"]) if (verb, more) != ("unfold", ["--scale", "none"])])
def test_a_fit_of_large_numbers_is_checked(verb, more, sized):
    folder = sized(1e150)
    run = run_ritz(verb, "x.csv", *HOW[verb], *more, "--save-model", "m.ritz", cwd=folder)
    assert run.status == 0, run
    check = run_ritz("check", "m.ritz", "x.csv", *(HOW[verb][:2] if verb == "reduce" else []), cwd=folder)
    assert check.status == 0 and "holds" in check.err, check
    assert run_ritz("transform", "m.ritz", "x.csv", cwd=folder).status == 0


@pytest.mark.parametrize("scale", [1e-160, 1e-120, 1e60])
def test_unfolding_says_that_distances_are_too_far_from_1(scale, sized):
    run = run_ritz("unfold", "x.csv", *HOW["unfold"], "--scale", "none", "--save-model", "m.ritz", cwd=sized(scale))
    assert run.status == 3 and "--scale" in run.err and "neighbours lie" in run.err, run
