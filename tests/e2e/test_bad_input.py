# SPDX-License-Identifier: MIT
"""Bad inputs: one sentence that names what is wrong and where, the right exit status, and nothing left behind."""
import os
import struct
import subprocess

import numpy as np
import pytest

from conftest import PROGRAM, facts, run_ritz, table

USAGE, DATA, NOT_CONVERGED, MEMORY = 2, 3, 4, 5


@pytest.fixture
def place(tmp_path, blobs, monkeypatch):
    """A working folder with x.csv (60 x 4) and y.labels, and an empty folder 'out' for results."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.csv").write_bytes(blobs.plain.read_bytes())
    (tmp_path / "y.labels").write_bytes(blobs.labels.read_bytes())
    (tmp_path / "out").mkdir()
    return tmp_path


OUTPUTS = ["--save-projection", "out/W.csv", "--save-embedding", "out/Z.npy", "--save-model", "out/m.ritz",
           "--save-trace", "out/trace.csv", "--plot", "out/plot.svg", "--json=out/facts.json"]


def refused(*args, status, says, **how):
    """Runs a command that must fail: its message has every text of `says` and is one line, and no file is new."""
    before = sorted(os.listdir("."))
    run = run_ritz(*args, **how)
    assert run.status == status, run
    assert run.out == "", run
    assert run.err.startswith("ritz: ") and run.err.count("\n") == 1, run
    for text in [says] if isinstance(says, str) else says:
        assert text in run.err, run
    for bug in ["internal failure", "terminate called", "what():", "Assertion"]:
        assert bug not in run.err, run
    assert os.listdir("out") == [] and sorted(os.listdir(".")) == before, run
    return run


def reduce_refused(x="x.csv", *args, status, says, labels="y.labels", **how):
    return refused("reduce", x, *(["--labels", labels] if labels else []), *args, *OUTPUTS, status=status, says=says, **how)


# Files


def test_a_missing_file_is_named(place):
    reduce_refused("absent.csv", status=DATA, says="absent.csv")
    reduce_refused(labels="absent.labels", status=DATA, says="absent.labels")


def test_a_directory_is_no_data(place):
    reduce_refused("out", status=DATA, says=["out", "directory"])
    reduce_refused(labels="out", status=DATA, says=["out", "directory"])


@pytest.mark.parametrize("name", ["empty.csv", "empty.npy", "empty.idx", "empty.npz", "empty.libsvm", "empty.mtx", "empty.csv.gz"])
def test_an_empty_file_is_no_data(place, name):
    (place / name).write_bytes(b"")
    reduce_refused(name, status=DATA, says=name)


def test_a_header_without_rows_is_no_data(place):
    (place / "header.csv").write_text("left,right\n")
    reduce_refused("header.csv", status=DATA, says="header.csv")


def damaged_csv(place, line, change):
    lines = (place / "x.csv").read_text().splitlines()
    lines[line - 1] = change(lines[line - 1].split(","))
    (place / "bad.csv").write_text("\n".join(lines) + "\n")


def test_a_ragged_row_is_named(place):
    damaged_csv(place, 7, lambda f: ",".join(f + ["1.5"]))
    reduce_refused("bad.csv", status=DATA, says=["bad.csv, line 7", "5 fields", "4"])
    damaged_csv(place, 60, lambda f: ",".join(f[:2]))
    reduce_refused("bad.csv", status=DATA, says=["bad.csv, line 60", "2 fields", "4"])


@pytest.mark.parametrize("text, why", [("hello", "'hello' is not a number"), ("1.5x", "not a number"), ("nan", "missing"),
                                       ("NA", "missing"), ("", "missing"), ("inf", "infinite"), ("-Infinity", "infinite"),
                                       ("1e999", "1e999")])
def test_a_field_that_is_no_number_is_named_with_line_and_column(place, text, why):
    damaged_csv(place, 12, lambda f: ",".join([f[0], f[1], text, f[3]]))
    reduce_refused("bad.csv", status=DATA, says=["bad.csv, line 12, column 3", why])


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_binary_value_that_is_not_finite_is_named(place, blobs, value):
    X = blobs.X.copy()
    X[11, 2] = value
    np.save("bad.npy", X)
    reduce_refused("bad.npy", status=DATA, says=["bad.npy, row 12, column", "3"])


def test_labels_shorter_than_the_data_are_refused(place):
    (place / "short.labels").write_text("a\nb\n" * 20)
    reduce_refused(labels="short.labels", status=DATA, says=["short.labels", "40", "x.csv", "60"])


def test_one_class_only_is_refused(place):
    (place / "one.labels").write_text("same\n" * 60)
    reduce_refused(labels="one.labels", status=DATA, says=["'same'", "two classes"])


def test_a_table_is_no_label_file(place):
    reduce_refused(labels="x.csv", status=DATA, says="x.csv")


def test_one_sample_is_refused(place):
    (place / "single.csv").write_text("1,2,3\n")
    (place / "single.labels").write_text("a\n")
    reduce_refused("single.csv", labels="single.labels", status=DATA, says="one")


@pytest.mark.parametrize("kernel", ["gaussian(sigma=median)", "gaussian(sigma=1)", "linear", "polynomial(degree=3)",
                                    "rbf-relative(neighbours=7)"])
@pytest.mark.parametrize("scale", ["standard", "none"])
def test_points_that_are_all_equal_are_refused(place, kernel, scale):
    np.save("equal.npy", np.full((60, 4), 2.5))
    reduce_refused("equal.npy", "--kernel", kernel, "--scale", scale, status=DATA, says=["equal.npy", "all 60 points are equal"])


def test_a_constant_column_is_an_ordinary_input(place, blobs):
    X = blobs.X.copy()
    X[:, 1] = 7
    np.save("x.npy", X)

    json = facts("reduce", "x.npy", "--labels", "y.labels", "--dim", 2, "--save-projection", "out/W.npy")

    assert any("constant" in note and "x2" in note for note in json["notes"])
    W = np.load("out/W.npy")
    assert np.all(np.isfinite(W)) and np.abs(W[1]).max() < 1e-8
    assert np.isfinite(json["objective"])


def test_duplicate_points_are_an_ordinary_input(place, blobs):
    np.save("x.npy", np.repeat(blobs.X[:20], 3, axis=0))
    (place / "y").write_text("".join(f"{c}\n" for c in np.repeat(blobs.y[:20], 3)))
    for kernel in ["gaussian(sigma=median)", "rbf-relative(neighbours=7)"]:
        assert facts("reduce", "x.npy", "--labels", "y", "--dim", 2, "--kernel", kernel)["status"] == "converged"


def test_huge_and_tiny_values_never_crash(place, blobs):
    for factor in [1e-300, 1e-150, 1e150, 1e300]:
        np.save("x.npy", blobs.X * factor)
        run = run_ritz("reduce", "x.npy", "--labels", "y.labels", "--dim", 2, "--json", "--quiet")
        assert run.status in (0, DATA), run
        if run.status == 0:
            assert run.json["objective"] == pytest.approx(
                facts("reduce", "x.csv", "--labels", "y.labels", "--dim", 2)["objective"], rel=1e-6)


# Binary formats


@pytest.mark.parametrize("cut", [0.02, 0.05, 0.5, 0.99])
def test_a_truncated_npy_file_is_refused(place, blobs, cut):
    np.save("x.npy", blobs.X)
    whole = (place / "x.npy").read_bytes()
    (place / "cut.npy").write_bytes(whole[: int(len(whole) * cut)])
    reduce_refused("cut.npy", status=DATA, says="cut.npy")


def npy_header(shape):
    text = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode()


@pytest.mark.parametrize("shape", ["(1000000000000, 3)", "(9223372036854775807, 9223372036854775807)", "(-1, 3)", "(2, 3",
                                   "(99999999999999999999999, 1)", "()"])
def test_an_npy_header_is_not_believed(place, shape):
    (place / "huge.npy").write_bytes(npy_header(shape) + bytes(480))
    reduce_refused("huge.npy", status=DATA, says="huge.npy")


def test_a_truncated_or_boastful_idx_file_is_refused(place):
    for name, n, d in [("cut.idx", 60, 4), ("huge.idx", 4_000_000_000, 4_000_000_000)]:
        (place / name).write_bytes(struct.pack(">BBBBII", 0, 0, 8, 2, n, d) + bytes(200))
        reduce_refused(name, status=DATA, says=[name, str(n)])


def test_a_truncated_gzip_file_is_refused(place):
    import gzip

    whole = gzip.compress((place / "x.csv").read_bytes())
    (place / "cut.csv.gz").write_bytes(whole[: len(whole) // 2])
    reduce_refused("cut.csv.gz", status=DATA, says="cut.csv.gz")


def test_random_bytes_are_refused_in_every_format(place):
    rng = np.random.default_rng(5)
    for ending in ["csv", "npy", "npz", "idx", "mtx", "libsvm", "csv.gz"]:
        name = f"noise.{ending}"
        (place / name).write_bytes(rng.integers(0, 256, 3000, dtype=np.uint8).tobytes())
        reduce_refused(name, status=DATA, says=name)


# Model files


@pytest.fixture
def model(place):
    facts("reduce", "x.csv", "--labels", "y.labels", "--dim", 2, "--save-model", "m.ritz")
    return place / "m.ritz"


def transform_refused(name, **how):
    return refused("transform", name, "x.csv", "--save-embedding", "out/Z.csv", status=DATA, **how)


def test_a_truncated_model_is_refused(model):
    whole = model.read_bytes()
    for size in [0, 1, 7, 12, 19, 20, 100, len(whole) // 2, len(whole) - 9, len(whole) - 1]:
        model.with_name("cut.ritz").write_bytes(whole[:size])
        transform_refused("cut.ritz", says="cut.ritz")


def test_a_model_with_any_altered_byte_is_refused(model):
    whole = model.read_bytes()
    rng = np.random.default_rng(7)
    places = sorted({*range(24), *rng.integers(0, len(whole), 60).tolist(), len(whole) - 5, len(whole) - 1})
    for position in places:
        altered = bytearray(whole)
        altered[position] ^= 1 << int(rng.integers(0, 8))
        model.with_name("altered.ritz").write_bytes(altered)
        transform_refused("altered.ritz", says="altered.ritz")


def test_a_model_with_more_bytes_is_refused(model):
    model.with_name("long.ritz").write_bytes(model.read_bytes() + b"\0" * 8)
    transform_refused("long.ritz", says="long.ritz")


def test_other_files_are_no_models(place):
    transform_refused("x.csv", says="x.csv")
    transform_refused("out", says="out")
    transform_refused("absent.ritz", says="absent.ritz")


def test_transform_needs_the_columns_of_the_fit(model):
    np.save("wide.npy", np.ones((5, 6)))
    refused("transform", "m.ritz", "wide.npy", "--save-embedding", "out/Z.csv", status=DATA, says=["wide.npy", "6", "4"])


# Outputs


@pytest.mark.parametrize("flag, path", [("--save-projection", "absent/W.csv"), ("--save-embedding", "absent/Z.csv"),
                                        ("--save-model", "absent/m"), ("--save-trace", "absent/t.csv"),
                                        ("--plot", "absent/p.svg"), ("--save-projection", "x.csv/W.csv"),
                                        ("--save-projection", "out"), ("--save-projection", "")])
def test_an_output_that_cannot_be_written_is_refused_before_the_data_are_read(place, flag, path):
    refused("reduce", "absent.csv", "--labels", "y.labels", "--save-embedding" if flag != "--save-embedding" else "--plot",
            "out/first.svg" if flag == "--save-embedding" else "out/first.csv", flag, path, status=USAGE,
            says=path or flag)


def test_a_json_file_that_cannot_be_written_is_refused_before_the_data_are_read(place):
    refused("reduce", "absent.csv", "--labels", "y.labels", "--json=absent/facts.json", status=USAGE, says="absent/facts.json")


def test_a_folder_without_permission_is_refused(place):
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o555)
        other = {"user": 65534} if os.geteuid() == 0 else {}  # root may write everywhere
        run = subprocess.run([PROGRAM, "reduce", "absent.csv", "--labels", "y", "--save-projection", f"{folder}/W.csv"],
                             capture_output=True, text=True, cwd="/", **other)
        assert run.returncode == USAGE, run.stderr
        assert f"{folder}/W.csv" in run.stderr and "ermission" in run.stderr
        assert os.listdir(folder) == []


def test_an_ending_without_a_format_is_refused_before_the_data_are_read(place):
    refused("reduce", "absent.csv", "--labels", "y.labels", "--save-projection", "out/W.xyz", status=USAGE, says=["W.xyz", ".npy"])
    refused("reduce", "absent.csv", "--labels", "y.labels", "--plot", "out/p.gif", status=USAGE, says=["p.gif", ".svg"])


def test_two_outputs_need_two_names(place):
    reduce = ["reduce", "x.csv", "--labels", "y.labels"]
    refused(*reduce, "--save-projection", "out/a.csv", "--save-embedding", "out/a.csv", status=USAGE, says="out/a.csv")
    refused(*reduce, "--save-projection", "-", "--json", status=USAGE, says="standard output")


# Options


@pytest.mark.parametrize("dim, says", [("0", "--dim"), ("-1", "--dim"), ("two", "'two'"), ("1.5", "'1.5'"),
                                       ("5", ["--dim is 5", "[1, 4]"])])
def test_a_dimension_outside_the_data_is_refused(place, dim, says):
    reduce_refused("x.csv", "--dim", dim, status=USAGE, says=says)


@pytest.mark.parametrize("kernel, says", [
    ("gausian", ["'gausian'", "did you mean 'gaussian'?"]),
    ("polynomal(degree=2)", "did you mean 'polynomial'?"),
    ("gaussian(sigm=1)", ["'sigm'", "did you mean 'sigma'?"]),
    ("linear(sigma=1)", "sigma"),
    ("gaussian(sigma=-1)", "'-1'"),
    ("gaussian(sigma=0)", "'0'"),
    ("gaussian(sigma=wide)", "'wide'"),
    ("gaussian(sigma=1", "'('"),
    ("gaussian)sigma=1(", "gaussian)sigma=1("),
    ("", "empty"),
    ("linear++linear", "empty"),
    ("0*linear", "weight"),
    ("-1*linear", "weight"),
    ("polynomial(degree=0)", "degree"),
    ("polynomial(degree=2.5)", "'2.5'"),
    ("rbf-relative(neighbours=0)", "neighbours"),
])
def test_a_kernel_that_cannot_be_read_is_explained(place, kernel, says):
    reduce_refused("x.csv", "--kernel", kernel, status=USAGE, says=says)


def test_more_neighbours_than_points_are_refused(place):
    reduce_refused("x.csv", "--kernel", "rbf-relative(neighbours=60)", status=DATA, says=["neighbours=60", "60"])


@pytest.mark.parametrize("args, says", [
    (["reduce", "x.csv", "--max-itertions", "3"], ["--max-itertions", "did you mean '--max-iterations'?"]),
    (["reduce", "x.csv", "--kernal=linear"], ["--kernal", "did you mean '--kernel'?"]),
    (["transform", "m", "x.csv", "--save-embeding", "z"], "did you mean '--save-embedding'?"),
    (["estimate", "reduce", "--rowz", "5"], "did you mean '--rows'?"),
    (["bench", "pairs", "--rowz", "5"], "did you mean '--rows'?"),
    (["generate", "moons", "--sample", "5"], "did you mean '--samples'?"),
    (["reduse", "x.csv"], ["'reduse'", "did you mean 'reduce'?"]),
    (["estimate", "reduse"], ["'reduse'", "did you mean 'reduce'?"]),
    (["generate", "moon"], ["'moon'", "did you mean 'moons'?"]),
    (["list", "kernel"], ["'kernel'", "did you mean 'kernels'?"]),
    (["--verson"], "did you mean '--version'?"),
    (["reduce"], "X"),
    (["transform", "m"], "X"),
    (["generate"], "SET"),
    (["estimate", "reduce"], ["--rows", "--columns"]),
    (["reduce", "x.csv", "y.labels"], "'y.labels'"),
    (["reduce", "x.csv", "--labels"], "--labels"),
    (["reduce", "x.csv", "--json="], "--json="),
])
def test_a_command_that_cannot_be_read_is_explained(place, args, says):
    refused(*args, status=USAGE, says=says)


@pytest.mark.parametrize("option, value, says", [
    ("--threads", "-1", "--threads is -1"), ("--threads", "many", "'many'"), ("--seed", "-1", "--seed is -1"),
    ("--holdout", "2", "--holdout is 2"), ("--tolerance", "nan", "--tolerance is nan"),
    ("--max-iterations", "0", "--max-iterations is 0"), ("--scale", "standart", "standard|center|none"),
    ("--na", "what", "reject|drop|mean"), ("--backend", "gpu", "gpu"), ("--max-memory", "lots", "'lots'"),
    ("--time-limit", "-1", "--time-limit is -1"), ("--label-column", "2", ["--labels", "--label-column"]),
    ("--drop-column", "nosuch", "nosuch"), ("--drop-column", "9", "9"), ("--config", "bad.ini", "'--dmi'"),
    ("--config", "worse.ini", "worse.ini, line 2"),
])
def test_an_option_outside_its_range_is_explained(place, option, value, says):
    (place / "bad.ini").write_text("dmi = 2\n")
    (place / "worse.ini").write_text("# comment\ndim\n")
    reduce_refused("x.csv", option, value, status=USAGE, says=says)


def test_a_missing_config_file_is_named(place):
    reduce_refused("x.csv", "--config", "absent.ini", status=DATA, says="absent.ini")


def test_labels_are_asked_for(place):
    reduce_refused("x.csv", labels=None, status=USAGE, says=["--labels", "--label-column"])


def test_a_label_column_that_is_not_there_is_named(place):
    reduce_refused("x.csv", "--label-column", "colour", labels=None, status=USAGE, says="'colour'")
    reduce_refused("x.csv", "--label-column", "9", labels=None, status=USAGE, says="9")


def test_a_memory_budget_too_small_is_refused_before_the_work(place):
    reduce_refused("x.csv", "--max-memory", "100K", status=MEMORY, says=["--max-memory", "100 KiB"])
    reduce_refused("x.csv", "--max-memory", "1K", status=MEMORY, says=["x.csv", "1.0 KiB"])


# Runs that end early


def test_a_time_limit_without_any_result_says_so(place):
    reduce_refused("x.csv", "--time-limit", "1e-9", status=NOT_CONVERGED, says="time limit")


def test_one_iteration_is_not_converged_but_written(place):
    json = facts("reduce", "x.csv", "--labels", "y.labels", "--dim", 2, "--kernel", "gaussian", "--scale", "standard",
                 "--max-iterations", 1, *OUTPUTS[:-1], status=NOT_CONVERGED)
    assert json["status"] == "not_converged"
    assert json["iterations"] == 1
    assert sorted(os.listdir("out")) == ["W.csv", "Z.npy", "m.ritz", "plot.svg", "trace.csv"]
    W = table("out/W.csv")
    assert np.abs(W.T @ W - np.eye(2)).max() < 1e-12


def test_outputs_are_checked_by_every_verb_before_its_work(place):
    refused("generate", "sectors", "--output", "s.xyz", status=USAGE, says="s.xyz")
    refused("generate", "sectors", "--backend", "nonsense", status=USAGE, says="nonsense")
    refused("bench", "pairs", "--json=absent/x.json", status=USAGE, says="absent")


# Modes of reduce


@pytest.fixture
def tables(place, blobs):
    """Beside the samples: tables of targets or scores that fit, are short, constant in a column, or hold a NaN."""
    rng = np.random.default_rng(3)
    table = rng.normal(size=(60, 2))
    np.save("t.npy", table)
    np.save("short.npy", table[:50])
    constant = table.copy()
    constant[:, 1] = 3
    np.save("constant.npy", constant)
    (place / "nan.csv").write_text("1,2\n" * 4 + "1,nan\n" + "3,2\n" * 55)
    missing, infinite = table.copy(), table.copy()
    missing[4, 1], infinite[4, 1] = np.nan, np.inf
    np.save("nan.npy", missing)
    np.save("inf.npy", infinite)
    np.save("equal.npy", np.full((60, 4), 2.5))
    (place / "short.labels").write_text("a\nb\n" * 25)
    (place / "words.folds").write_text("a\nb\n" * 30)
    (place / "one.folds").write_text("1\n" * 60)
    (place / "short.folds").write_text("1\n2\n" * 25)
    return place


LABELS, TARGETS, SCORES = ["--labels", "y.labels"], ["--targets", "t.npy"], ["--scores", "t.npy", "--clusters", "3"]
CLUSTERS = ["--mode", "unsupervised", "--clusters", "3"]


@pytest.mark.parametrize("flags", [["--targets"], ["--clusters", "3", "--scores"]])
@pytest.mark.parametrize("name, says", [("short.npy", ["short.npy has 50 rows", "x.csv has 60"]),
                                        ("nan.npy", ["nan.npy, row 5", "missing"]), ("nan.csv", ["nan.csv, line 5, column 2", "missing"]),
                                        ("inf.npy", ["inf.npy, row 5", "infinite"]), ("constant.npy", ["column 2 is 3 for all"]),
                                        ("absent.npy", ["absent.npy"]), ("out", ["out", "directory"])])
def test_a_table_beside_the_samples_is_checked(tables, flags, name, says):
    run = reduce_refused("x.csv", *flags, name, labels=None, status=DATA, says=says)
    assert "--na" not in run.err  # which is about the samples


@pytest.mark.parametrize("how", [LABELS, TARGETS, SCORES, CLUSTERS], ids=["labels", "targets", "scores", "clusters"])
def test_the_samples_are_checked_in_every_mode(tables, how):
    X = np.load("t.npy").repeat(2, axis=1)
    X[3, 2] = np.nan
    np.save("bad.npy", X)
    for args, status, says in [(["x.csv", "--dim", 5], USAGE, ["--dim is 5", "[1, 4]"]), (["equal.npy"], DATA, "points are equal"),
                               (["bad.npy"], DATA, ["bad.npy, row 4", "missing"])]:
        refused("reduce", *args, *how, *OUTPUTS, status=status, says=says)


@pytest.mark.parametrize("args, says", [
    ([*LABELS, *TARGETS], ["labels", "targets", "not both"]),
    ([*TARGETS, "--target-column", "1"], ["--targets", "--target-column"]),
    (["--target-column", "nosuch"], ["'nosuch'", "x4"]),
    (["--target-column", "9"], "no column 9"),
    ([*TARGETS, "--target-kernel", "gausian"], ["'gausian'", "gaussian"]),
    ([*TARGETS, "--target-kernel", "gaussian", "--target-sigma", "wide"], ["--target-sigma", "'wide'"]),
    ([*TARGETS, "--target-error", "2"], "--target-error is 2"),
    ([*LABELS, "--target-kernel", "gaussian"], "--target-kernel"),
    ([*TARGETS, *CLUSTERS], ["--targets", "supervised"]),
    ([*SCORES, *LABELS, "--mode", "supervised"], ["--scores", "--mode semi"]),
    (["--scores", "t.npy", *CLUSTERS], ["--scores", "--mode semi"]),
    (["--mode", "semi", "--clusters", "3"], ["--mode semi", "--scores"]),
    (["--scores", "t.npy"], "--clusters"),
    ([*SCORES, "--mu", "-1"], "--mu is -1"),
    ([*CLUSTERS, "--mu", "1"], "--mu"),
    (["--mode", "unsupervised"], "--clusters"),
    (["--mode", "unsupervised", "--clusters", "1"], ["--clusters is 1", "[2, 59]"]),
    (["--mode", "unsupervised", "--clusters", "60"], ["--clusters is 60", "[2, 59]"]),
    (["--mode", "unsupervised", "--clusters", "many"], "'many'"),
    (["--mode", "unsupervise", "--clusters", "3"], ["'unsupervise'", "unsupervised"]),
    ([*LABELS, "--clusters", "3"], ["--clusters", "unsupervised"]),
    ([*CLUSTERS, "--kernel", "auto"], ["--kernel auto", "labels"]),
    ([*CLUSTERS, "--sigma", "auto"], ["--sigma auto", "labels"]),
    ([*CLUSTERS, "--kernel", "auto*gaussian+auto*linear"], ["auto*gaussian+auto*linear", "unsupervised"]),
    ([*LABELS, "--sigma", "3", "--kernel", "linear"], ["--sigma", "'linear'"]),
    ([*LABELS, "--sigma", "auto", "--kernel", "linear"], ["sigma", "linear"]),
    ([*LABELS, "--sigma", "2", "--kernel", "auto"], ["--kernel auto", "--sigma"]),
    ([*CLUSTERS, "--sigma", "nonsense"], ["--sigma", "'nonsense'", "median"]),
    ([*LABELS, "--sigma", "0"], "'0'"),
    ([*LABELS, "--folds", "1"], ["--folds is 1", "[2, 60]"]),
    ([*LABELS, "--folds", "61"], ["--folds is 61", "[2, 60]"]),
    ([*CLUSTERS, "--folds", "3", "--truth", "y.labels"], ["--folds", "supervised"]),
    ([*CLUSTERS, "--holdout", "0.3", "--truth", "y.labels"], ["--holdout", "supervised"]),
    ([*LABELS, "--save-labels", "out/l"], ["--save-labels", "unsupervised"]),
    ([*TARGETS, "--save-labels", "out/l"], ["--save-labels", "unsupervised"]),
    ([*CLUSTERS, "--save-labels", "absent/l"], "absent/l"),
    ([*LABELS, "--save-sparse-projection", "absent/W.csv"], "absent/W.csv"),
    ([*LABELS, "--save-sparse-projection", "out/W.xyz"], ["out/W.xyz", ".npy"]),
    ([*CLUSTERS, *LABELS, "--truth", "y.labels"], ["--truth", "labels"]),
    (["--truth", "y.labels"], ["--truth", "unsupervised", "--labels"]),
    ([*TARGETS, "--truth", "y.labels"], ["--truth", "unsupervised"]),
    ([*LABELS, "--solver", "isn"], ["--solver", "'isn'", "ism"]),
    ([*LABELS, "--precision", "low"], ["'low'", "double|mixed"]),
    ([*LABELS, "--approximate", "2"], "--approximate is 2"),
    ([*LABELS, "--restarts", "-1"], "--restarts is -1"),
    ([*LABELS, "--bootstrap", "-1"], "--bootstrap is -1"),
])
def test_options_that_do_not_go_together_are_explained(tables, args, says):
    refused("reduce", "x.csv", *args, *OUTPUTS, status=USAGE, says=says)


@pytest.mark.parametrize("args, says", [
    ([*CLUSTERS, "--truth", "short.labels"], ["short.labels has 50", "60"]),
    ([*LABELS, "--fold-file", "short.folds"], ["short.folds has 50", "60"]),
    ([*LABELS, "--fold-file", "words.folds"], ["words.folds", "'a'"]),
    ([*LABELS, "--fold-file", "one.folds"], ["one.folds", "two folds"]),
    ([*LABELS, "--fold-file", "absent.folds"], "absent.folds"),
])
def test_files_that_do_not_fit_the_samples_are_explained(tables, args, says):
    refused("reduce", "x.csv", *args, *OUTPUTS, status=DATA, says=says)


def test_a_model_of_targets_predicts_numbers(tables):
    facts("reduce", "x.csv", *TARGETS, "--save-model", "t.ritz")
    values = facts("predict", "t.ritz", "x.csv", "--save-labels", "out/l")["result"]["values"]
    assert len(values) == len(open("x.csv").read().split()) and all(float(v) is not None for line in values for v in line.split(","))


def test_a_relative_width_labels_no_new_samples(tables):
    facts("reduce", "x.csv", *CLUSTERS, "--kernel", "rbf-relative(neighbours=7)", "--save-model", "r.ritz")
    refused("predict", "r.ritz", "x.csv", "--save-labels", "out/l", status=USAGE, says=["rbf-relative", "Gaussian"])


@pytest.mark.parametrize("verb", ["predict", "check"])
def test_a_damaged_cluster_model_is_refused(tables, verb):
    facts("reduce", "x.csv", *CLUSTERS, "--save-model", "c.ritz")
    whole = (tables / "c.ritz").read_bytes()
    rng = np.random.default_rng(2)
    damaged = [whole[:size] for size in (0, 7, 20, len(whole) // 2, len(whole) - 1)]
    for position in rng.integers(0, len(whole), 8):
        damaged.append(whole[:position] + bytes([whole[position] ^ 4]) + whole[position + 1 :])
    outputs = ["--save-labels", "out/l"] if verb == "predict" else ["--json=out/facts.json"]
    (tables / "bad.ritz").touch()
    for content in damaged:
        (tables / "bad.ritz").write_bytes(content)
        refused(verb, "bad.ritz", "x.csv", *outputs, status=DATA, says="bad.ritz")


def test_predict_needs_the_columns_of_the_fit(tables):
    facts("reduce", "x.csv", *CLUSTERS, "--save-model", "c.ritz")
    refused("predict", "c.ritz", "t.npy", "--save-labels", "out/l", status=DATA, says=["t.npy", "2", "4"])
