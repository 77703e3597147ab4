# SPDX-License-Identifier: MIT
"""`ritz check` recomputes a certificate from the model file and the data; `ritz predict` labels new samples."""
import json
import struct
import zlib

import numpy as np
import pytest

from conftest import breast, facts, run_ritz, wine


def fit(folder, data, *more):
    model = folder / "m.ritz"
    fitted = facts("reduce", "--preset", "paper", *data.args, "--save-model", model, *more)
    return model, fitted


def with_header(path, change):
    """The model file with its header changed and its checksum made right again."""
    raw = path.read_bytes()
    length = struct.unpack("<Q", raw[12:20])[0]
    header = json.loads(raw[20:20 + length])
    change(header)
    text = json.dumps(header).encode()
    body = raw[:12] + struct.pack("<Q", len(text)) + text + raw[20 + length:-4]
    changed = path.with_name("changed.ritz")
    changed.write_bytes(body + struct.pack("<I", zlib.crc32(body)))
    return changed


@pytest.mark.parametrize("kernel", ["gaussian", "polynomial(degree=3)", "linear", "multiquadric", "rbf-relative"])
def test_check_finds_the_certificate_of_the_fit(tmp_path, kernel):
    data = wine()
    model, fitted = fit(tmp_path, data, "--dim", 2, "--kernel", kernel)

    checked = facts("check", model, data.samples)

    assert checked["status"] == "holds"
    assert checked["data"]["same_as_fit"]
    assert checked["objective"] == pytest.approx(fitted["objective"], rel=1e-10)
    for key in ["first_order", "eigengap", "phi_norm", "curvature"]:
        assert checked["certificate"][key] == pytest.approx(fitted["certificate"][key], rel=1e-5, abs=1e-7 * fitted[
            "certificate"]["phi_norm"])


def test_check_works_on_the_fitted_rows_of_a_hold_out(tmp_path):
    data = breast()
    model, fitted = fit(tmp_path, data, "--dim", 1, "--holdout", 0.3)

    checked = facts("check", model, data.samples)

    assert checked["status"] == "holds"
    assert checked["data"]["n"] == fitted["result"]["holdout"]["train"]


def test_check_refuses_an_early_stopped_fit(tmp_path):
    data = wine()
    model = tmp_path / "m.ritz"
    early = run_ritz("reduce", "--preset", "paper", *data.args, "--dim", 3, "--max-iterations", 1, "--save-model", model, "--quiet")
    assert early.status == 4

    checked = facts("check", model, data.samples, status=4)

    assert checked["status"] == "fails"
    assert not checked["result"]["stationary"]


def test_check_notices_another_projection_and_other_data(tmp_path, blobs):
    model, _ = fit(tmp_path, blobs, "--dim", 2)
    other = tmp_path / "other.csv"
    np.savetxt(other, blobs.X + np.random.default_rng(0).normal(size=blobs.X.shape), delimiter=",")

    checked = facts("check", model, other, status=4)

    assert not checked["data"]["same_as_fit"]
    assert not checked["result"]["objective_agrees"]


def test_check_takes_labels_given_again(tmp_path, blobs):
    model, _ = fit(tmp_path, blobs, "--dim", 2)

    assert facts("check", model, *blobs.args)["status"] == "holds"

    shuffled = tmp_path / "shuffled.labels"
    shuffled.write_text("".join(f"{c}\n" for c in np.random.default_rng(0).permutation(blobs.classes)))
    assert facts("check", model, blobs.plain, "--labels", shuffled, status=4)["status"] == "fails"


def test_check_names_wrong_rows(tmp_path, blobs):
    model, _ = fit(tmp_path, blobs, "--dim", 2)
    fewer = tmp_path / "fewer.csv"
    np.savetxt(fewer, blobs.X[:50], delimiter=",")

    run = run_ritz("check", model, fewer)

    assert run.status == 3
    assert "50 rows" in run.err and "60" in run.err


@pytest.mark.parametrize("change, sentence", [
    (lambda h: h["info"]["options"].update(kernel="nonsense"), "nonsense"),
    (lambda h: h["info"].pop("options"), "does not say its"),
    (lambda h: h["info"].pop("objective"), "does not say its objective"),
    (lambda h: h["arrays"].__setitem__(0, {**h["arrays"][0], "name": "V"}), "has no array"),
])
def test_an_altered_model_is_refused_in_one_sentence(tmp_path, blobs, change, sentence):
    model, _ = fit(tmp_path, blobs, "--dim", 2)

    run = run_ritz("check", with_header(model, change), blobs.plain)

    assert run.status in (2, 3), run
    assert sentence in run.err
    assert run.err.count("\n") == 1


def test_predict_labels_new_samples(tmp_path, blobs):
    model, _ = fit(tmp_path, blobs, "--dim", 2)
    rng = np.random.default_rng(5)
    y = np.arange(300) % 3
    new = tmp_path / "new.csv"
    np.savetxt(new, rng.normal(size=(300, 4)) + 3 * np.eye(3, 4)[y], delimiter=",")
    truth = tmp_path / "truth.labels"
    truth.write_text("".join(f"{c}\n" for c in np.array(["red", "green", "blue"])[y]))
    labels = tmp_path / "found.labels"

    found = facts("predict", model, new, "--labels", truth, "--save-labels", labels)

    assert found["result"]["agreement"]["accuracy"] > 0.85
    words = labels.read_text().split()
    assert len(words) == 300
    assert np.mean(np.array(words) == np.array(["red", "green", "blue"])[y]) == pytest.approx(
        found["result"]["agreement"]["accuracy"])


def test_predict_prints_labels_to_standard_output(tmp_path, blobs):
    model, _ = fit(tmp_path, blobs, "--dim", 2)

    run = run_ritz("predict", model, blobs.plain, "--neighbours", 1, "--quiet")

    assert run.status == 0
    assert run.out.split() == list(blobs.classes)  # each sample is its own nearest neighbour


def test_what_check_says_can_be_read(tmp_path):
    """Residuals and eigengaps are for --verbose, JSON, and where something is wrong."""
    data = wine()
    model, _ = fit(tmp_path, data, "--dim", 2)

    plain = run_ritz("check", model, data.samples)
    details = run_ritz("check", model, data.samples, "--verbose")

    assert plain.status == 0 and "the certificate holds" in plain.err and "these data give what the model says" in plain.err, plain
    assert not any(word in plain.err for word in ("eigengap", "dominance", "first order")), plain
    assert "eigengap" in details.err and "first order" in details.err, details
