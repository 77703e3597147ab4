# SPDX-License-Identifier: MIT
"""An output named like an input replaced it without a word, one output on a full disk lost those behind it, a dangling link
was replaced by a file, and the temporary files of killed runs stayed for ever."""
import os
import resource
import signal
import subprocess
import time

import numpy as np
import pytest

from conftest import PROGRAM, run_ritz



@pytest.fixture
def given(tmp_path):
    X = np.random.default_rng(0).normal(size=(20, 3))
    np.savetxt(tmp_path / "x.csv", X, delimiter=",", fmt="%.17g")
    (tmp_path / "y.labels").write_text("a\nb\n" * 10)
    return tmp_path, ["reduce", tmp_path / "x.csv", "--labels", tmp_path / "y.labels", "--dim", 1, "--threads", 1]


@pytest.mark.parametrize("flag, name", [("--save-embedding", "x.csv"), ("--save-embedding", "link.csv"), ("--save-model", "y.labels"),
                                        ("--json=", "x.csv")])
def test_an_output_that_is_an_input_is_refused(given, flag, name):
    folder, words = given
    (folder / "link.csv").symlink_to("x.csv")
    before = (folder / "x.csv").read_bytes(), (folder / "y.labels").read_bytes()
    asked = [f"{flag}{folder / name}"] if flag.endswith("=") else [flag, folder / name]
    run = run_ritz(*words, *asked)
    assert run.status == 2 and "which is read" in run.err, run
    assert before == ((folder / "x.csv").read_bytes(), (folder / "y.labels").read_bytes())


def test_facts_are_not_written_over_the_model(given):
    folder, words = given
    assert run_ritz(*words, "--save-model", folder / "m.ritz").status in (0, 4)
    before = (folder / "m.ritz").read_bytes()
    run = run_ritz("transform", folder / "m.ritz", folder / "x.csv", f"--json={folder / 'm.ritz'}")
    assert run.status == 2 and (folder / "m.ritz").read_bytes() == before, run


def test_one_output_that_fails_does_not_lose_the_others(given):
    folder, words = given
    (folder / "full.csv").symlink_to("/dev/full")
    run = run_ritz(*words, "--save-embedding", folder / "full.csv", "--save-model", folder / "ok.ritz", f"--json={folder / 'ok.json'}")
    assert run.status == 7 and "full.csv" in run.err, run
    assert (folder / "ok.ritz").exists() and (folder / "ok.json").exists()
    assert run_ritz("check", folder / "ok.ritz", folder / "x.csv", "--labels", folder / "y.labels").status == 0


def test_a_dangling_link_stays_a_link(given):
    folder, words = given
    (folder / "there").mkdir()
    (folder / "link.csv").symlink_to("there/z.csv")
    assert run_ritz(*words, "--save-embedding", folder / "link.csv").status in (0, 4)
    assert (folder / "link.csv").is_symlink() and (folder / "there" / "z.csv").exists()


@pytest.mark.parametrize("name", ["n" * 256, "loop"])
def test_a_name_that_cannot_be_is_refused_before_the_work(given, name):
    """It was told when the result was there, and lost; a link to itself was replaced by a file."""
    folder, words = given
    (folder / "loop").symlink_to("loop")
    run = run_ritz(*words, "--save-model", folder / name)
    assert run.status == 2 and (folder / "loop").is_symlink(), run


def test_leftovers_of_killed_runs_are_removed_and_those_of_living_ones_are_not(given):
    import fcntl
    folder, words = given
    dead, alive, other = folder / ".z.csv.99999.0.tmp", folder / ".z.csv.1.7.tmp", folder / ".z.csv.notes.tmp"
    for each in (dead, alive, other):
        each.write_text("half")
    with alive.open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert run_ritz(*words, "--save-embedding", folder / "z.csv").status in (0, 4)
        assert not dead.exists() and alive.exists() and other.exists()


def test_help_into_a_full_disk_is_not_fine():
    with open("/dev/full", "w") as full:
        assert subprocess.run([PROGRAM, "--help"], stdout=full, stderr=subprocess.DEVNULL).returncode == 7


def test_drawing_a_set_ends_at_ctrl_c(tmp_path):
    process = subprocess.Popen([PROGRAM, "generate", "moons", "--samples", "3000000", "--output", tmp_path / "m.csv"], stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while not any(tmp_path.glob(".m.csv.*.tmp")) and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("kilobytes", [150_000, 250_000, 350_000])
def test_a_narrow_address_space_is_said_and_does_not_hang(given, kilobytes):
    folder, words = given
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (kilobytes * 1024, kilobytes * 1024))
    run = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=60, preexec_fn=limit,
                         env={**os.environ, "OMP_WAIT_POLICY": "passive"})
    assert run.returncode == 5 and "ulimit" in run.stderr, run


@pytest.mark.parametrize("words", [["list", "sets"], ["--help"], ["nonsense"]])
@pytest.mark.parametrize("kilobytes", [90_000, 120_000, 200_000])
def test_words_alone_end_in_a_narrow_address_space(words, kilobytes):
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (kilobytes * 1024, kilobytes * 1024))
    run = subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=60, preexec_fn=limit,
                         env={**os.environ, "OMP_WAIT_POLICY": "passive"})
    assert run.returncode == (2 if words == ["nonsense"] else 0), run


def test_the_loader_called_by_name_runs_the_program():
    loader = "/lib64/ld-linux-x86-64.so.2"
    if not os.access(loader, os.X_OK):
        pytest.skip("no such loader here")
    environment = {key: value for key, value in os.environ.items() if key != "OMP_WAIT_POLICY"}
    run = subprocess.run([loader, PROGRAM, "list", "sets"], capture_output=True, text=True, env=environment)
    assert run.returncode == 0 and "moons" in run.stdout, run


def test_names_of_features_do_not_speak_to_the_terminal(given):
    folder, words = given
    (folder / "e.csv").write_text("\x1b]0;owned\x07,b\n" + "\n".join(f"{i},{i * i % 7}" for i in range(20)) + "\n")
    run = run_ritz("reduce", folder / "e.csv", *words[2:])
    assert run.status in (0, 4) and "\x1b" not in run.err and "\\x1b" in run.err, run
