# SPDX-License-Identifier: MIT
"""`check` looked at what predictions use only where the model named the data's hash, and not at the targets of a projection, the samples
of spe, the groups of a centre, the number of neighbours, or labels that a word of the model called those of k-means: now at all of it."""
import copy

import numpy as np
import pytest

from conftest import run_ritz
from model_files import load, save


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("beside")
    draw = np.random.default_rng(5)
    X = np.vstack([draw.normal(size=(12, 3)) + [3 * c, 0, 0] for c in range(2)])
    np.savetxt(folder / "x.csv", X, delimiter=",", fmt="%.17g")
    np.savetxt(folder / "t.csv", X @ [1, 2, 3], fmt="%.17g")
    y = np.repeat(["a", "b"], 12)
    (folder / "y.labels").write_text("\n".join(y) + "\n")
    (folder / "g.csv").write_text("p,q,r,group\n" + "".join(",".join(map(repr, row)) + f",{c}\n" for row, c in zip(X.tolist(), y)))
    return folder


LABELS = ["--labels", "y.labels"]
FITS = {
    "classes": ["reduce", "x.csv", *LABELS, "--dim", 2],
    "targets": ["reduce", "x.csv", "--targets", "t.csv", "--dim", 1],
    "gaussian targets": ["reduce", "x.csv", "--targets", "t.csv", "--dim", 1, "--target-kernel", "gaussian"],
    "clusters": ["reduce", "x.csv", "--clusters", 2, "--dim", 2],
    "kernel": ["kernel", "x.csv", *LABELS, "--fraction", 0.5, "--neighbours", 4],
    "unfold": ["unfold", "x.csv", "--dim", 2, "--neighbours", 5, "--connect"],
    "ridge": ["unfold", "x.csv", "--dim", 2, "--neighbours", 5, "--connect", "--ridge", 0.1],
    "mve": ["unfold", "x.csv", "--dim", 2, "--neighbours", 5, "--connect", "--method", "mve"],
    "spe": ["unfold", "x.csv", "--dim", 2, "--neighbours", 5, "--connect", "--method", "spe"],
    "groups": ["center", "g.csv", "--group-column", "group", "--rank", 2, "--center-groups"],
    "depend": ["depend", "x.csv", *LABELS, "--permutations", 19],
}


@pytest.fixture(scope="module")
def checked(place):
    """The run of `check` of a model of FITS after `change(header, arrays)`."""
    made = {}

    def check(name, change=lambda header, arrays: None):
        if name not in made:
            run = run_ritz(*FITS[name], "--save-model", "m.ritz", "--threads", 1, cwd=place)
            assert run.status == 0, run
            made[name] = load(place / "m.ritz")
        header, arrays = made[name]
        header, arrays = copy.deepcopy(header), {key: value.copy() for key, value in arrays.items()}
        change(header, arrays)
        save(place / "changed.ritz", header, arrays)
        return run_ritz("check", "changed.ritz", FITS[name][1], *(LABELS if name == "depend" else []), "--threads", 1, cwd=place)

    return check


@pytest.mark.parametrize("name", FITS)
def test_an_honest_model_holds(checked, name):
    assert checked(name).status == 0


def other_data(header):
    header["info"]["data"]["hash"] = "0000000000000000"


def shifted(name, and_other_data=False):
    def change(header, arrays):
        arrays[name][:] = arrays[name][::-1] + 1
        if and_other_data:
            other_data(header)
    return change


def neighbours(header, arrays):
    header["info"]["options"]["neighbours"] += 3


def by_samples(header, arrays):
    header["info"]["used"]["clusters"] = "k-means of the samples"
    header["info"]["result"]["clusters"]["by"] = "samples"
    labels = np.arange(24) % 2
    F = arrays["basis"] * np.sqrt(np.maximum(arrays["weights"].ravel(), 0))
    if header["info"]["options"]["normalise_rows"]:
        F = F / np.maximum(np.linalg.norm(F, axis=1, keepdims=True), 1e-300)
    arrays["labels"] = labels[:, None].astype(float)
    arrays["centers"] = np.array([F[labels == c].mean(0) for c in range(2)])


def nowhere(header, arrays):
    arrays["cluster_centers"][:] = 0


def names(header, arrays):
    header["info"]["result"]["names"].reverse()


@pytest.mark.parametrize("name, change", [
    ("classes", shifted("Z", True)), ("targets", shifted("targets")), ("gaussian targets", shifted("targets")),
    ("clusters", nowhere), ("kernel", shifted("degrees", True)), ("kernel", shifted("reach", True)), ("kernel", by_samples), ("kernel", neighbours),
    ("unfold", shifted("X", True)), ("unfold", neighbours), ("spe", shifted("X")), ("spe", shifted("mean")), ("spe", neighbours),
    ("groups", shifted("means")), ("groups", shifted("bases")), ("groups", names), ("depend", shifted("null"))])
def test_what_predictions_use_is_what_the_data_give(checked, name, change):
    run = checked(name, change)
    assert run.status == 4, run


@pytest.mark.parametrize("name, array", [("kernel", "reach"), ("ridge", "kernel_alpha")])
def test_a_part_left_out_is_missed(checked, name, array):
    run = checked(name, lambda header, arrays: arrays.pop(array))
    assert run.status == 3 and array in run.err, run


@pytest.mark.parametrize("name, array, value", [("ridge", "penalties", np.inf), ("spe", "penalties", np.nan), ("mve", "kernel_factor", 1e154),
                                                ("mve", "drawn_to", 1e154)])
def test_numbers_that_nothing_can_be_made_of_are_refused(checked, name, array, value):
    run = checked(name, lambda header, arrays: arrays[array].fill(value))
    assert run.status in (3, 4), run
