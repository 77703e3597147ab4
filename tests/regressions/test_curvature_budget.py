# SPDX-License-Identifier: MIT
"""Unasked, the second-order certificate took 30 to 40 times the fit (DNA: 17.1 s against 0.45). It is capped by the
fit's own sweeps."""
from conftest import dataset, facts


def test_a_curvature_that_would_take_longer_than_the_fit_waits_to_be_asked_for():
    digits = dataset("digits", 1200)
    certificate = facts("reduce", *digits.args, "--dim", 9, "--preset", "paper")["certificate"]
    assert certificate["curvature"] is None and "curvature always" in certificate["curvature_note"].replace("-", " ").replace("_", " ")
