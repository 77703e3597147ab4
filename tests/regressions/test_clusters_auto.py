# SPDX-License-Identifier: MIT
"""The number of clusters had to be known. `--clusters auto` counts them, by the gap statistic, in all verbs that make clusters."""
import numpy as np
import pytest

from conftest import facts


@pytest.fixture(scope="module")
def groups(tmp_path_factory):
    """Four groups at the corners of a square, which two clusters explain no better than they would uniform points."""
    folder = tmp_path_factory.mktemp("groups")
    rng = np.random.default_rng(3)
    corner = np.arange(80) % 4
    X = np.column_stack([3 * (corner & 1), 3 * (corner >> 1)]) + 0.3 * rng.normal(size=(80, 2))
    np.savetxt(folder / "x.csv", X, delimiter=",", fmt="%.6f")
    np.savetxt(folder / "given", rng.integers(0, 2, 80), fmt="%d")
    (folder / "pairs").write_text("0,4,must\n1,5,must\n2,6,must\n3,7,must\n0,1,cannot\n0,2,cannot\n1,3,cannot\n2,3,cannot\n")
    return folder


@pytest.mark.parametrize("verb, more", [("reduce", []), ("recluster", ["--given", "given"]),
                                        ("kernel", ["--pairs", "pairs"])])
def test_clusters_are_counted(groups, verb, more):
    more = [groups / one if (groups / str(one)).exists() else one for one in more]
    json = facts(verb, groups / "x.csv", "--clusters", "auto", *more)
    assert json["options"]["clusters"] == 4
    assert any("gap" in text for text in json["used"].values())


def test_one_cloud_is_said_to_be_one(tmp_path):
    np.savetxt(tmp_path / "x.csv", np.random.default_rng(1).normal(size=(80, 3)), delimiter=",", fmt="%.6f")
    json = facts("reduce", tmp_path / "x.csv", "--clusters", "auto")
    assert json["options"]["clusters"] == 2 and "one cloud" in json["used"]["clusters"]


def test_a_cube_of_uniform_points_is_one_cloud(tmp_path):
    """Its corners, seen in the box of its leading directions, were taken for six clusters."""
    np.savetxt(tmp_path / "x.csv", np.random.default_rng(5).uniform(size=(200, 3)), delimiter=",", fmt="%.6f")
    assert "one cloud" in facts("reduce", tmp_path / "x.csv", "--clusters", "auto")["used"]["clusters"]
