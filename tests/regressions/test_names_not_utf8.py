# SPDX-License-Identifier: MIT
"""A column's name that is not UTF-8 threw inside the JSON library when the model was written: no file was left of a fit
that had taken its time."""
from conftest import run_ritz


def test_names_that_are_not_utf8_do_not_stop_the_outputs(blobs, tmp_path):
    (tmp_path / "latin.csv").write_bytes(b"caf\xe9,b,c,d\n" + blobs.plain.read_bytes())
    run = run_ritz("reduce", tmp_path / "latin.csv", "--labels", blobs.labels, "--save-model", tmp_path / "m", "--plot",
                   tmp_path / "p.svg", f"--json={tmp_path / 'facts.json'}")
    assert run.status == 0, run
    assert all((tmp_path / name).exists() for name in ["m", "p.svg", "facts.json"])
