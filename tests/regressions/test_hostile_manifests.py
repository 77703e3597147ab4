# SPDX-License-Identifier: MIT
"""`replay` believed a manifest's inner kinds: a number where a text belongs, or a folder in its place, was an "internal
failure" with status 1. All of it is looked at before use now. The same of a file of options: /dev/zero had no end."""
import json

import numpy as np
import pytest

from conftest import run_ritz


@pytest.fixture(scope="module")
def manifest(tmp_path_factory):
    folder = tmp_path_factory.mktemp("manifest")
    np.savetxt(folder / "x.csv", np.random.default_rng(0).normal(size=(12, 3)), delimiter=",", fmt="%.17g")
    run = run_ritz("isometry", "x.csv", "--distortion", 0.3, "--save-embedding", "z.csv", "--manifest", "m.json", cwd=folder)
    assert run.status == 0, run
    assert run_ritz("replay", "m.json", cwd=folder).status == 0
    return folder, json.loads((folder / "m.json").read_text())


@pytest.mark.parametrize("change", [{"inputs": {"x.csv": 5}}, {"inputs": {"x.csv": None}}, {"ritz": 5}, {"outputs": [5]}, {"outputs": [None]},
                                    {"outputs": [{"kind": 5, "path": [], "sha256": 1}]}, {"arguments": [1]}, {"arguments": {}}, {"verb": []}])
def test_what_is_no_manifest_is_told(change, manifest):
    folder, honest = manifest
    (folder / "hostile.json").write_text(json.dumps({**honest, **change}))
    run = run_ritz("replay", "hostile.json", cwd=folder)
    assert run.status == 3 and "hostile.json is no manifest" in run.err, run


def test_a_folder_is_no_manifest(manifest):
    run = run_ritz("replay", ".", cwd=manifest[0])
    assert run.status == 3 and "cannot be read" in run.err, run


def test_options_without_end_are_refused(manifest):
    run = run_ritz("isometry", "x.csv", "--config", "/dev/zero", cwd=manifest[0], timeout=60)
    assert run.status == 3 and "more than a megabyte" in run.err, run


def test_a_manifest_without_end_is_none(manifest):
    run = run_ritz("replay", "/dev/zero", cwd=manifest[0], timeout=60)
    assert run.status == 3 and "/dev/zero is no manifest" in run.err, run
