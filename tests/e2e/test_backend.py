# SPDX-License-Identifier: MIT
"""--backend: what is said where there is no card, and a module without a card in place of one."""
import os
from pathlib import Path

import pytest

from conftest import PROGRAM, facts, run_ritz, wine

FAKE = Path(PROGRAM).resolve().parent.parent / "tests" / "fake_module"
needs_fake = pytest.mark.skipif(not (FAKE / "libritz_cuda.so").exists(), reason="the module of the tests is not built")


def with_fake(how=""):
    return {**os.environ, "RITZ_PLUGINS": str(FAKE), "RITZ_FAKE": how}


def reduced(*more, **how):
    return facts("reduce", "--preset", "paper", *wine().args, "--dim", 2, *more, **how)


def test_without_a_card_everything_runs_on_the_cpu_and_says_why():
    assert reduced()["used"]["backend"].startswith("cpu: ")
    assert reduced("--backend", "cpu")["used"]["backend"] == "cpu"


def test_an_unknown_backend_is_named():
    run = run_ritz("reduce", *wine().args, "--backend", "auot")
    assert run.status == 2 and "auot" in run.err and "auto" in run.err


@needs_fake
def test_a_card_gives_what_the_cpu_gives():
    own, card = reduced("--backend", "cpu"), reduced("--backend", "cuda", env=with_fake())
    assert card["used"]["backend"] == "cuda: Fake"
    assert "(Fake)" in card["used"]["pairs"]
    assert card["objective"] == pytest.approx(own["objective"], rel=1e-10)


@needs_fake
def test_the_list_of_backends_says_why_one_is_not_there():
    assert "Fake, 1 GiB" in run_ritz("list", "backends", env=with_fake()).out
    assert "there is no NVIDIA driver" in run_ritz("list", "backends", env=with_fake("driver")).out
    assert "is not of this version" in run_ritz("list", "backends", env=with_fake("version")).out


@needs_fake
@pytest.mark.parametrize("how, status, says", [("driver", 2, "there is no NVIDIA driver"), ("vanish", 2, "fallen off the bus"),
                                               ("memory", 5, "free memory")])
def test_a_card_that_cannot_ends_the_run_in_one_sentence(how, status, says):
    run = run_ritz("reduce", "--preset", "paper", *wine().args, "--dim", 2, "--backend", "cuda", env=with_fake(how))
    assert run.status == status and says in run.err and run.err.count("\n") == 1
