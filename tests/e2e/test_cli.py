# SPDX-License-Identifier: MIT
"""The command line: every input format gives the same fit, every output reads back, every verb does what its help says."""
import gzip
import json as json_module
import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import ism_reference as reference
from conftest import facts, run_ritz, sparse_set, standardised

CALM = ["--kernel", "gaussian(sigma=2)", "--dim", 2, "--preset", "paper"]


def fit(*args, tmp_path, **how):
    """(JSON, W) of a reduction."""
    path = tmp_path / "W.npy"
    json = facts("reduce", *args, *CALM, "--save-projection", path, **how)
    return json, np.load(path)


@pytest.fixture(scope="module")
def plain(blobs, tmp_path_factory):
    return fit(*blobs.args, tmp_path=tmp_path_factory.mktemp("plain"))


def assert_same_fit(one, other):
    assert one[0]["objective"] == other[0]["objective"]
    assert np.array_equal(one[1], other[1])


def close_fit(one, other):
    """Sparse samples, or classes in another order, are summed otherwise: the same subspace up to rounding."""
    assert one[0]["objective"] == pytest.approx(other[0]["objective"], rel=1e-9)
    assert np.abs(one[1] @ one[1].T - other[1] @ other[1].T).max() < 1e-5


# Inputs


def rows_text(blobs, delimiter, header=None, label=True, quote=lambda c: c):
    lines = [delimiter.join(header)] if header else []
    for row, c in zip(blobs.X.tolist(), blobs.classes):
        lines.append(delimiter.join([repr(v) for v in row] + ([quote(c)] if label else [])))
    return "\n".join(lines) + "\n"


def test_a_header_and_text_labels_in_a_named_column_are_understood(blobs, plain, tmp_path):
    got = fit(blobs.csv, "--label-column", "colour", tmp_path=tmp_path)
    assert_same_fit(got, plain)
    assert sorted(got[0]["result"]["classes"]) == ["blue", "green", "red"]
    assert got[0]["result"]["class_counts"] == [20, 20, 20]
    assert {axis[0]["feature"] for axis in got[0]["result"]["top_loadings"]} <= set(blobs.names)


def test_the_label_column_may_be_a_number(blobs, plain, tmp_path):
    assert_same_fit(fit(blobs.csv, "--label-column", 5, tmp_path=tmp_path), plain)


def test_quoted_fields_may_hold_delimiters_and_quotes(blobs, plain, tmp_path):
    quote = {"red": '"dark, red"', "green": '"a ""green"" one"', "blue": '"blue"'}.get
    (tmp_path / "q.csv").write_text(rows_text(blobs, ",", ['"the left, side"'] + blobs.names[1:] + ["colour"], quote=quote))
    got = fit(tmp_path / "q.csv", "--label-column", "colour", tmp_path=tmp_path)
    close_fit(got, plain)
    assert sorted(got[0]["result"]["classes"]) == ['a "green" one', "blue", "dark, red"]
    names = {entry["feature"] for axis in got[0]["result"]["top_loadings"] for entry in axis}
    assert "the left, side" in names


@pytest.mark.parametrize("name, delimiter", [("x.tsv", "\t"), ("x.csv", ";"), ("x.txt", " "), ("x.csv", "\t"), ("noending", ",")])
def test_the_delimiter_is_detected(blobs, plain, tmp_path, name, delimiter):
    (tmp_path / name).write_text(rows_text(blobs, delimiter, blobs.names, label=False))
    assert_same_fit(fit(tmp_path / name, "--labels", blobs.labels, tmp_path=tmp_path), plain)


def test_windows_line_ends_a_byte_order_mark_and_no_final_newline_do_not_matter(blobs, plain, tmp_path):
    text = rows_text(blobs, ",", blobs.names + ["colour"]).rstrip("\n").replace("\n", "\r\n")
    (tmp_path / "w.csv").write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert_same_fit(fit(tmp_path / "w.csv", "--label-column", "colour", tmp_path=tmp_path), plain)


def test_gzipped_files_are_read_under_any_name(blobs, plain, tmp_path):
    for name in ["x.csv.gz", "x.csv"]:
        (tmp_path / name).write_bytes(gzip.compress(blobs.csv.read_bytes()))
        assert_same_fit(fit(tmp_path / name, "--label-column", "colour", tmp_path=tmp_path), plain)


def test_numpy_files_are_read_in_both_orders(blobs, plain, tmp_path):
    np.save(tmp_path / "c.npy", blobs.X)
    np.save(tmp_path / "f.npy", np.asfortranarray(blobs.X))
    np.save(tmp_path / "y.npy", blobs.y)
    for name in ["c.npy", "f.npy"]:
        assert_same_fit(fit(tmp_path / name, "--labels", blobs.labels, tmp_path=tmp_path), plain)
        close_fit(fit(tmp_path / name, "--labels", tmp_path / "y.npy", tmp_path=tmp_path), plain)


def test_an_npz_archive_holds_samples_and_labels(blobs, plain, tmp_path):
    np.savez(tmp_path / "a.npz", X=blobs.X, y=blobs.y)
    np.savez_compressed(tmp_path / "b.npz", X=blobs.X, y=blobs.y)
    for name in ["a.npz", "b.npz"]:
        close_fit(fit(tmp_path / name, "--labels", tmp_path / name, tmp_path=tmp_path), plain)


def test_matrix_market_files_are_read(blobs, plain, tmp_path):
    dense = "%%MatrixMarket matrix array real general\n60 4\n" + "".join(f"{v!r}\n" for v in blobs.X.T.ravel().tolist())
    (tmp_path / "x.mtx").write_text(dense)
    assert_same_fit(fit(tmp_path / "x.mtx", "--labels", blobs.labels, tmp_path=tmp_path), plain)


def test_sparse_files_give_the_dense_result(blobs, tmp_path):
    X = np.where(np.abs(blobs.X) > 1, blobs.X, 0)
    np.save(tmp_path / "x.npy", X)
    entries = [(i + 1, j + 1, v) for (i, j), v in np.ndenumerate(X) if v]
    (tmp_path / "x.mtx").write_text(f"%%MatrixMarket matrix coordinate real general\n60 4 {len(entries)}\n" +
                                    "".join(f"{i} {j} {v!r}\n" for i, j, v in entries))
    (tmp_path / "x.libsvm").write_text("".join(
        f"{label} " + " ".join(f"{j + 1}:{v!r}" for j, v in enumerate(row) if v) + "\n"
        for label, row in zip(blobs.y, X.tolist())))
    dense = fit(tmp_path / "x.npy", "--labels", blobs.labels, tmp_path=tmp_path)
    close_fit(fit(tmp_path / "x.mtx", "--labels", blobs.labels, tmp_path=tmp_path), dense)
    close_fit(fit(tmp_path / "x.libsvm", tmp_path=tmp_path), dense)


@pytest.mark.parametrize("kernel, make", [("linear", reference.linear), ("polynomial(degree=2,offset=1)", lambda: reference.polynomial(2)),
                                          ("gaussian(sigma=8)", lambda: reference.gaussian(8))])
def test_a_sparse_libsvm_set_is_reduced_by_every_route(tmp_path, kernel, make):
    path, X, y = sparse_set(900)
    json = facts("reduce", "--preset", "paper", path, "--kernel", kernel, "--dim", 2, "--curvature", "never", "--save-projection", tmp_path / "W.npy",
                 "--save-model", tmp_path / "m", "--save-embedding", tmp_path / "Z.npy")
    used = X[:, :json["data"]["d"]]  # the file does not tell of columns that are empty at the end

    F, Phi = reference.sums(standardised(used), y, np.load(tmp_path / "W.npy"), [(1, make())])

    assert json["status"] == "converged"
    assert json["objective"] == pytest.approx(F, rel=1e-9)
    assert reference.residual(Phi, np.load(tmp_path / "W.npy")) < 1.1e-6
    facts("transform", tmp_path / "m", path, "--save-embedding", tmp_path / "again.npy")
    assert np.array_equal(np.load(tmp_path / "Z.npy"), np.load(tmp_path / "again.npy"))


def test_standard_input_is_read_in_any_format(blobs, plain, tmp_path):
    np.save(tmp_path / "x.npy", blobs.X)
    assert_same_fit(fit("-", "--label-column", "colour", stdin=blobs.csv.read_bytes(), tmp_path=tmp_path), plain)
    assert_same_fit(fit("-", "--labels", blobs.labels, stdin=(tmp_path / "x.npy").read_bytes(), tmp_path=tmp_path), plain)
    assert_same_fit(fit("-", "--labels", blobs.labels, stdin=gzip.compress(blobs.plain.read_bytes()), tmp_path=tmp_path), plain)


def test_missing_values_are_dropped_or_replaced_by_the_mean(blobs, tmp_path):
    lines = blobs.csv.read_text().splitlines()
    lines[3] = re.sub("^[^,]*", "NA", lines[3])
    (tmp_path / "holes.csv").write_text("\n".join(lines) + "\n")
    args = [tmp_path / "holes.csv", "--label-column", "colour"]
    keep = np.arange(60) != 2
    np.save(tmp_path / "dropped.npy", blobs.X[keep])
    (tmp_path / "dropped.labels").write_text("".join(f"{c}\n" for c in blobs.classes[keep]))
    filled = blobs.X.copy()
    filled[2, 0] = blobs.X[keep, 0].mean()
    np.save(tmp_path / "filled.npy", filled)

    dropped = fit(*args, "--na", "drop", tmp_path=tmp_path)
    mean = fit(*args, "--na", "mean", tmp_path=tmp_path)

    close_fit(dropped, fit(tmp_path / "dropped.npy", "--labels", tmp_path / "dropped.labels", tmp_path=tmp_path))
    close_fit(mean, fit(tmp_path / "filled.npy", "--labels", blobs.labels, tmp_path=tmp_path))
    assert dropped[0]["data"]["n"] == 59 and mean[0]["data"]["n"] == 60
    assert run_ritz("reduce", *args, "--na", "reject").status == 3


def test_dropped_columns_are_left_out(blobs, tmp_path):
    np.save(tmp_path / "x.npy", blobs.X[:, [1, 2]])
    want = fit(tmp_path / "x.npy", "--labels", blobs.labels, tmp_path=tmp_path)
    got = fit(blobs.csv, "--label-column", "colour", "--drop-column", "left", "--drop-column", 4, tmp_path=tmp_path)
    assert_same_fit(got, want)


@pytest.mark.parametrize("scale, prepare", [("standard", standardised), ("center", lambda X: X - X.mean(axis=0)), ("none", lambda X: X)])
def test_the_columns_are_scaled_as_asked(blobs, tmp_path, scale, prepare):
    json, W = fit(*blobs.args, "--scale", scale, tmp_path=tmp_path)
    F, Phi = reference.sums(prepare(blobs.X), blobs.y, W, [(1, reference.gaussian(2))])
    assert json["objective"] == pytest.approx(F, rel=1e-10)
    assert reference.residual(Phi, W) < 1.1e-6


def test_a_sum_of_kernels_has_the_sum_of_their_objectives(blobs, tmp_path):
    json = facts("reduce", "--preset", "paper", *blobs.args, "--dim", 2, "--save-projection", tmp_path / "W.npy",
                 "--kernel", "0.7*gaussian(sigma=2)+0.3*polynomial(degree=3,offset=1)+2*multiquadric(offset=0.5)")
    W = np.load(tmp_path / "W.npy")
    terms = [(0.7, reference.gaussian(2)), (0.3, reference.polynomial(3)), (2, reference.multiquadric(0.5))]
    F, Phi = reference.sums(standardised(blobs.X), blobs.y, W, terms)
    assert json["objective"] == pytest.approx(F, rel=1e-10)
    assert reference.residual(Phi, W) == pytest.approx(json["certificate"]["first_order"], rel=1e-3, abs=1e-12)


# Outputs


def test_every_matrix_format_reads_back_to_the_same_numbers(blobs, plain, tmp_path):
    W = plain[1]
    readers = {"W.csv": lambda p: np.loadtxt(p, delimiter=","), "W.tsv": lambda p: np.loadtxt(p, delimiter="\t"),
               "W.txt": np.loadtxt, "W.npy": np.load, "W.csv.gz": lambda p: np.loadtxt(p, delimiter=","),
               "W.mtx": lambda p: np.loadtxt(p, skiprows=2).reshape(2, 4).T}
    for name, read in readers.items():
        facts("reduce", *blobs.args, *CALM, "--save-projection", tmp_path / name, "--bare")
        assert np.array_equal(read(tmp_path / name), W), name


def test_the_embedding_is_the_scaled_data_times_the_projection(blobs, tmp_path):
    facts("reduce", *blobs.args, *CALM, "--save-projection", tmp_path / "W.npy", "--save-embedding", tmp_path / "Z.csv")
    lines = (tmp_path / "Z.csv").read_text().splitlines()
    Z = np.loadtxt(lines[1:], delimiter=",")
    assert lines[0] == "axis1,axis2"
    assert np.allclose(Z, standardised(blobs.X) @ np.load(tmp_path / "W.npy"), rtol=0, atol=1e-12)


@pytest.mark.parametrize("kernel", ["gaussian(sigma=median)", "polynomial(degree=2)", "rbf-relative(neighbours=7)"])
@pytest.mark.parametrize("scale", ["standard", "center", "none"])
def test_transforming_the_training_data_gives_the_saved_embedding_exactly(blobs, tmp_path, kernel, scale):
    facts("reduce", blobs.csv, "--label-column", "colour", "--kernel", kernel, "--dim", 2, "--scale", scale,
          "--save-embedding", tmp_path / "Z.npy", "--save-model", tmp_path / "m.ritz")
    json = facts("transform", tmp_path / "m.ritz", blobs.plain, "--save-embedding", tmp_path / "again.npy")
    assert json["result"]["dimension"] == 2 and json["data"]["n"] == 60
    assert np.array_equal(np.load(tmp_path / "Z.npy"), np.load(tmp_path / "again.npy"))


def test_transform_writes_to_standard_output_by_default(blobs, tmp_path):
    facts("reduce", *blobs.args, *CALM, "--save-embedding", tmp_path / "Z.npy", "--save-model", tmp_path / "m")
    run = run_ritz("transform", tmp_path / "m", blobs.csv, "--label-column", "colour", "--quiet")
    assert run.status == 0 and run.err == ""
    assert np.array_equal(np.loadtxt(run.out.splitlines(), delimiter=",", skiprows=1), np.load(tmp_path / "Z.npy"))


def test_one_row_transforms_as_it_does_among_others(blobs, tmp_path):
    facts("reduce", *blobs.args, *CALM, "--save-embedding", tmp_path / "Z.npy", "--save-model", tmp_path / "m")
    np.save(tmp_path / "row.npy", blobs.X[[7]])
    facts("transform", tmp_path / "m", tmp_path / "row.npy", "--save-embedding", tmp_path / "z.npy")
    assert np.allclose(np.load(tmp_path / "z.npy"), np.load(tmp_path / "Z.npy")[[7]], rtol=0, atol=1e-14)


def test_the_trace_file_has_the_columns_of_the_json(blobs, tmp_path):
    json = facts("reduce", *blobs.args, *CALM, "--save-trace", tmp_path / "t.csv")
    header, *rows = (tmp_path / "t.csv").read_text().splitlines()
    table = dict(zip(header.split(","), np.loadtxt(rows, delimiter=",", ndmin=2).T))
    for column in ["iteration", "objective", "measure", "shift"]:
        assert table[column].tolist() == json["trace"][column]
    assert table["iteration"].tolist() == list(range(1, json["iterations"] + 1))


@pytest.mark.parametrize("dim", [1, 2, 3])
def test_the_plot_is_well_formed_svg_that_names_the_classes(blobs, tmp_path, dim):
    facts("reduce", "--preset", "paper", *blobs.args, "--dim", dim, "--plot", tmp_path / "p.svg")
    root = ElementTree.parse(tmp_path / "p.svg").getroot()
    text = " ".join(root.itertext())
    assert root.tag.endswith("svg")
    assert all(name in text for name in ["red", "green", "blue"])
    assert (tmp_path / "p.svg").read_text().count("<circle") + (tmp_path / "p.svg").read_text().count("<path") >= 20


@pytest.mark.parametrize("words", [lambda path: [f"--json={path}"], lambda path: ["--json", path]])
def test_json_goes_to_a_file_where_one_is_named(blobs, tmp_path, words):
    run = run_ritz("reduce", *blobs.args, *CALM, *words(tmp_path / "facts.json"), "--quiet")
    assert run.status == 0 and run.out == ""
    json = json_module.loads((tmp_path / "facts.json").read_text())
    assert json["status"] == "converged"


def test_json_does_not_swallow_the_next_argument(blobs):
    assert run_ritz("reduce", "--json", *blobs.args, *CALM, "--quiet").json["data"]["n"] == 60
    assert run_ritz("estimate", "reduce", "--json", blobs.plain, "--quiet").json["data"]["n"] == 60


def test_the_json_object_has_its_documented_keys(blobs, tmp_path):
    json = facts("reduce", *blobs.args, *CALM, "--save-model", tmp_path / "m")
    for key in ["ritz", "verb", "method", "status", "stop_reason", "iterations", "objective", "certificate", "options", "used",
                "data", "result", "files", "seconds", "peak_memory_bytes"]:
        assert key in json, key
    assert json["verb"] == "reduce" and json["method"] == "ism"
    assert json["ritz"] == run_ritz("--version").out.strip()
    assert json["data"]["n"] == 60 and json["data"]["d"] == 4 and re.fullmatch("[0-9a-f]+", json["data"]["hash"])
    assert json["files"] == {"model": str(tmp_path / "m")}
    assert json["peak_memory_bytes"] > 1e6 and all(s >= 0 for s in json["seconds"].values())


def test_the_summary_goes_to_standard_error_and_quiet_silences_it(blobs):
    loud = run_ritz("reduce", *blobs.args, *CALM)
    assert loud.status == 0 and loud.out == ""
    for words in ["60 samples, 4 features, 3 classes -> 2 dimensions", "found", "how sure", "axis 1"]:
        assert words in loud.err
    assert "\x1b" not in loud.err  # no colours or bars outside a terminal
    quiet = run_ritz("reduce", *blobs.args, *CALM, "--quiet")
    assert (quiet.status, quiet.out, quiet.err) == (0, "", "")


def test_verbose_prints_a_line_an_iteration(blobs):
    run = run_ritz("reduce", *blobs.args, *CALM, "--verbose", "--json")
    assert len(re.findall(r"^ism +\d+ +objective", run.err, flags=re.M)) == run.json["iterations"]


@pytest.mark.parametrize("kernel", ["linear", "squared", "gaussian(sigma=median)", "gaussian(sigma=0.5*median)", "gaussian(sigma=1.5)",
                                    "polynomial(degree=2,offset=0.5)", "multiquadric(offset=2)", "rbf-relative(neighbours=5)",
                                    "0.7*gaussian(sigma=median)+0.3*polynomial(degree=3,offset=1)", " 2 * linear + gaussian "])
def test_the_resolved_kernel_text_gives_the_same_fit_again(blobs, kernel):
    first = facts("reduce", "--preset", "paper", *blobs.args, "--dim", 2, "--kernel", kernel)
    again = facts("reduce", "--preset", "paper", *blobs.args, "--dim", 2, "--kernel", first["options"]["kernel"])
    assert again["objective"] == first["objective"]
    assert again["options"]["kernel"] == first["options"]["kernel"]
    assert first["given"]["kernel"] == kernel.strip()


# Options


def test_a_config_file_gives_options_that_the_command_line_overrules(blobs, tmp_path):
    (tmp_path / "run.ini").write_text("# a comment\n\nkernel = polynomial(degree=2,offset=1)\ndim=3\nmax_iterations = 700\nquiet = true\n")
    json = facts("reduce", *blobs.args, "--config", tmp_path / "run.ini")
    assert json["options"]["kernel"].startswith("polynomial(degree=2")
    assert (json["options"]["dim"], json["options"]["max_iterations"]) == (3, 700)
    json = facts("reduce", *blobs.args, f"--config={tmp_path / 'run.ini'}", "--dim", 1)
    assert json["options"]["dim"] == 1
    assert run_ritz("reduce", *blobs.args, "--config", tmp_path / "run.ini").err == ""


def test_a_holdout_is_classified_before_and_after(blobs):
    json = facts("reduce", *blobs.args, *CALM, "--holdout", 0.25, "--neighbours", 3)
    held = json["result"]["holdout"]
    assert (held["train"], held["test"], held["neighbours"]) == (45, 15, 3)
    assert held["accuracy_before"] > 0.7 and held["accuracy_after"] > 0.7
    assert facts("reduce", *blobs.args, *CALM, "--holdout", 0.25, "--seed", 1)["objective"] != json["objective"]


def test_the_papers_dimension_is_the_number_of_classes(blobs):
    json = facts("reduce", "--preset", "paper", *blobs.args, "--dim", "auto")
    assert json["given"]["dim"] == "auto" and json["options"]["dim"] == json["result"]["dimension"]
    assert json["options"]["dim"] == len(json["result"]["classes"])
    assert json["options"]["scale"] == "standard" and "setting" not in json["result"]


def test_all_columns_may_be_kept(blobs, tmp_path):
    json = facts("reduce", "--preset", "paper", *blobs.args, "--dim", 4, "--save-projection", tmp_path / "W.npy")
    W = np.load(tmp_path / "W.npy")
    assert json["status"] == "converged" and json["certificate"]["eigengap"] is None
    assert np.abs(W.T @ W - np.eye(4)).max() < 1e-12


def test_more_features_than_samples_are_reduced(tmp_path):
    rng = np.random.default_rng(2)
    np.save(tmp_path / "x.npy", rng.normal(size=(12, 50)))
    np.save(tmp_path / "y.npy", np.arange(12) % 2)
    json = facts("reduce", "--preset", "paper", tmp_path / "x.npy", "--labels", tmp_path / "y.npy", "--dim", 3)
    assert json["status"] == "converged"


def test_a_class_a_sample_and_two_samples_are_ordinary_inputs(tmp_path):
    np.save(tmp_path / "x.npy", np.random.default_rng(2).normal(size=(8, 3)))
    np.save(tmp_path / "y.npy", np.arange(8))
    assert facts("reduce", "--preset", "paper", tmp_path / "x.npy", "--labels", tmp_path / "y.npy", "--dim", 2)["result"]["class_counts"] == [1] * 8
    np.save(tmp_path / "x.npy", np.array([[0.0, 1], [1, 3]]))
    np.save(tmp_path / "y.npy", np.arange(2))
    assert facts("reduce", "--preset", "paper", tmp_path / "x.npy", "--labels", tmp_path / "y.npy", "--dim", 1)["status"] == "converged"


# Other verbs


def names_of(listing):
    return [line.split()[0] for line in listing.splitlines() if line and not line.startswith(" ")]


SET_NAMES = names_of(run_ritz("list", "sets").out)


def read_table(path):
    first, *rest = path.read_text().splitlines()
    return np.loadtxt(rest if re.search("[a-df-z]", first) else [first, *rest], delimiter=",", ndmin=2)


@pytest.mark.parametrize("name", SET_NAMES)
def test_a_synthetic_set_is_drawn_from_its_seed(name, tmp_path):
    for folder, seed in [("a", 3), ("b", 3), ("c", 4)]:
        (tmp_path / folder).mkdir()
        run = run_ritz("generate", name, "--output", tmp_path / folder / "set.csv", "--seed", seed,
                       f"--json={tmp_path / folder / 'facts.json'}", "--quiet")
        assert run.status == 0 and run.err == "", run
    json = json_module.loads((tmp_path / "a" / "facts.json").read_text())
    X = read_table(tmp_path / "a" / "set.csv")
    assert X.shape == (json["data"]["n"], json["data"]["d"])
    assert np.all(np.isfinite(X)) and X.std() > 0

    files = sorted(p.name for p in (tmp_path / "a").iterdir() if p.name != "facts.json")
    assert len(json["files"]) == len(files)
    for file in files:
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()
        if file.endswith(".labels"):
            labels = (tmp_path / "a" / file).read_text().split()
            assert len(labels) == len(X) and len(set(labels)) > 1
    assert (tmp_path / "a" / "set.csv").read_bytes() != (tmp_path / "c" / "set.csv").read_bytes()


def test_a_generated_set_can_be_reduced_straight_away(tmp_path):
    assert run_ritz("generate", "moons", "--samples", 120, "--output", tmp_path / "m.csv.gz", "--quiet").status == 0
    json = facts("reduce", "--preset", "paper", tmp_path / "m.csv.gz", "--labels", tmp_path / "m.original.labels", "--dim", 1)
    assert json["data"]["n"] == 120 and json["status"] == "converged"


def test_generate_writes_the_data_to_standard_output(tmp_path):
    run = run_ritz("generate", "spiral", "--samples", 20, "--quiet")
    assert run.status == 0 and len(run.out.splitlines()) == 21


def test_an_estimate_needs_no_data(blobs):
    json = facts("estimate", "reduce", "--rows", 60000, "--columns", 784, "--classes", 10, "--dim", 10)
    result = json["result"]
    assert json["status"] == "fine" and result["dimension"] == 10
    assert 60000 * 784 * 8 < result["memory_bytes"] < 2 * 2**30
    assert result["seconds"] > result["seconds_per_iteration"] > 0
    fast = facts("estimate", "reduce", "--rows", 60000, "--columns", 784, "--classes", 10, "--dim", 10, "--kernel", "polynomial(degree=3)")
    assert fast["result"]["operations_per_iteration"] < result["operations_per_iteration"] / 30


def test_an_estimate_reads_the_sizes_of_data(blobs):
    json = facts("estimate", "reduce", *blobs.args, "--dim", 2)
    assert json["data"] == {"n": 60, "d": 4, "classes": 3}


def test_an_estimate_beyond_the_budget_has_its_own_status():
    json = facts("estimate", "reduce", "--rows", 1000000, "--columns", 1000, "--max-memory", "1G", status=5)
    assert json["status"] == "too_large"


def test_the_bench_measures_against_dgemm():
    json = facts("bench", "pairs", "--rows", 300, "--columns", 20, "--dim", 2, "--repeats", 1)
    assert json["result"]["dgemm_rate"] > 1e8
    assert json["result"]["tiled_seconds"] > 0 and 0 < json["result"]["of_dgemm"] < 2


def test_the_lists_name_what_can_be_asked_for():
    kernels = run_ritz("list", "kernels").out
    for name in ["linear", "squared", "polynomial", "gaussian", "multiquadric", "rbf-relative"]:
        assert re.search(rf"^{name}\b", kernels, flags=re.M)
    assert "cpu" in names_of(run_ritz("list", "backends").out)
    assert len(SET_NAMES) >= 9


def test_the_version_is_a_number():
    run = run_ritz("--version")
    assert run.status == 0 and re.fullmatch(r"\d+\.\d+\.\d+\n", run.out)


def test_no_verb_shows_the_help_and_fails():
    run = run_ritz()
    assert run.status == 2
    assert "reduce" in run.out + run.err


RUN_FLAGS = ["--seed", "--threads", "--max-memory", "--time-limit", "--backend", "--quiet", "--verbose", "--json", "--config"]
DATA_FLAGS = ["--label-column", "--drop-column", "--na"]
FLAGS = {
    ("reduce",): RUN_FLAGS + DATA_FLAGS + ["--labels", "--dim", "--kernel", "--scale", "--holdout", "--neighbours", "--tolerance",
                                           "--max-iterations", "--curvature", "--save-projection", "--save-embedding",
                                           "--save-model", "--save-trace", "--plot"],
    ("transform",): RUN_FLAGS + DATA_FLAGS + ["--save-embedding"],
    ("estimate", "reduce"): RUN_FLAGS + DATA_FLAGS + ["--rows", "--columns", "--classes", "--dim", "--kernel"],
    ("generate",): RUN_FLAGS + ["--output", "--samples", "--features", "--noise"],
    ("bench", "pairs"): RUN_FLAGS + ["--rows", "--columns", "--repeats", "--kernel"],
    ("list",): ["--help"],
}


@pytest.mark.parametrize("verb", FLAGS, ids=" ".join)
def test_the_help_mentions_every_flag(verb):
    run = run_ritz(*verb, "--help")
    assert run.status == 0 and run.err == ""
    for flag in FLAGS[verb]:
        assert re.search(rf"^  .*{flag}\b", run.out, flags=re.M), flag
    assert "130 interrupted" in run.out
