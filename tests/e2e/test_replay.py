# SPDX-License-Identifier: MIT
"""A manifest holds what a run was, and `ritz replay` says whether it can be had again."""
import hashlib
import json

import pytest
from conftest import run_ritz


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("replay")
    assert run_ritz("generate", "sectors", "--samples", "90", "--output", "x.csv", "--quiet", cwd=folder).status == 0
    (folder / "options.txt").write_text("kernel = linear\n")
    run = run_ritz("reduce", "x.csv", "--labels=x.class.labels", "--dim", "2", "--config", "options.txt", "--save-model", "x.ritz",
                   "--save-trace", "trace.csv", "--report=x.html", "--plot", "x.svg", "--json=x.json", "--manifest", "x.manifest", cwd=folder)
    assert run.status == 0 and "wrote manifest" in run.err, run
    return folder


def test_a_manifest_names_options_versions_and_files_by_their_sha256(folder):
    manifest = json.loads((folder / "x.manifest").read_text())
    assert manifest["verb"] == "reduce" and "--kernel=linear" in manifest["arguments"] and manifest["options"]["dim"] == 2
    assert manifest["seed"] == 0 and manifest["versions"]["ritz"] == manifest["ritz"]
    for path, found in manifest["inputs"].items():
        assert found == hashlib.sha256((folder / path).read_bytes()).hexdigest()
    outputs = {output["kind"]: output for output in manifest["outputs"]}
    assert set(manifest["inputs"]) == {"x.csv", "x.class.labels"} and set(outputs) == {"model", "trace", "plot", "report"}
    assert outputs["model"]["sha256"] == hashlib.sha256((folder / "x.ritz").read_bytes()).hexdigest()
    assert "sha256" not in outputs["trace"]  # it holds seconds


def test_a_replay_agrees_to_the_bit_and_leaves_nothing(folder):
    before = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    run = run_ritz("replay", "x.manifest", "--json", cwd=folder)
    assert run.status == 0 and "the bits agree" in run.err, run
    assert run.json["status"] == "same" and len(run.json["result"]["compared"]) == 4
    assert before == {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}


def test_other_bits_are_told(folder):
    manifest = json.loads((folder / "x.manifest").read_text())
    manifest["outputs"][0]["sha256"] = "0" * 64
    (folder / "other.manifest").write_text(json.dumps(manifest))
    run = run_ritz("replay", "other.manifest", cwd=folder)
    assert run.status == 4 and "THE BITS DIFFER" in run.err and "DIFFERENT model" in run.err


def test_changed_inputs_and_what_is_no_manifest_are_refused(folder):
    (folder / "y.csv").write_bytes((folder / "x.csv").read_bytes() + b" ")
    text = (folder / "x.manifest").read_text().replace("x.csv", "y.csv")
    (folder / "y.manifest").write_text(text)
    run = run_ritz("replay", "y.manifest", cwd=folder)
    assert run.status == 3 and "y.csv is not the file of the run" in run.err
    (folder / "elsewhere").mkdir()
    run = run_ritz("replay", "../x.manifest", cwd=folder / "elsewhere")
    assert run.status == 3 and "x.c" in run.err and "in the folder of the run" in run.err, run
    for content in ("{", "[]", "{}", '{"manifest": 1}', '{"manifest": 1, "verb": 2, "arguments": [], "inputs": {}, "outputs": []}'):
        (folder / "no.manifest").write_text(content)
        run = run_ritz("replay", "no.manifest", cwd=folder)
        assert run.status == 3 and "no manifest" in run.err, run
    assert run_ritz("replay", "nowhere", cwd=folder).status == 3
    run = run_ritz("reduce", "-", "--labels", "x.class.labels", "--manifest", "m", cwd=folder)
    assert run.status == 2 and "standard input" in run.err
