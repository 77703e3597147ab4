# SPDX-License-Identifier: MIT
"""A fit in Python and the program on the same file give the same bits, and the same model."""
import numpy as np
import pandas
import pytest
import ritz
import scipy.io
import scipy.sparse
from ritz import datasets


def flags(parameters):
    return [word for name, value in parameters.items()
            for word in ([f"--{name.replace('_', '-')}"] + ([] if value is True else [str(value)]))]


CASES = {
    "reduce": (ritz.ISM, dict(dim=2, kernel="gaussian(sigma=0.5*median)"), "sectors", 150, "embedding"),
    "clusters": (ritz.ISMClustering, dict(clusters=3, dim=2), "sectors", 90, "embedding"),
    "recluster": (ritz.AlternativeClustering, dict(clusters=2, dim=1), "small-gauss", 80, "embedding"),
    "kernel": (ritz.PairwiseKernel, dict(clusters=2, fraction=0.6), "chessboard", 80, "kernel"),
    "unfold": (ritz.VarianceUnfolding, dict(dim=2, connect=True), "swiss-roll", 80, "embedding"),
    "isometry": (ritz.NearIsometry, dict(distortion=0.4), "sectors", 60, "embedding"),
}


def stored(X, form, folder):
    """The file that the program reads, and the same numbers as Python has them."""
    if form == "dense":
        datasets.write(folder / "x.csv", X)
        return "x.csv", X
    if form == "pandas":
        frame = pandas.DataFrame(X, columns=[f"column {i}" for i in range(X.shape[1])])
        frame.to_csv(folder / "x.csv", index=False, float_format="%.17g")
        return "x.csv", frame
    if form == "float32":
        np.save(folder / "x.npy", X.astype(np.float32))
        return "x.npy", X.astype(np.float32)
    sparse = scipy.sparse.csr_matrix(np.where(np.abs(X) > 0.2, X, 0))
    scipy.io.mmwrite(folder / "x.mtx", sparse, precision=17)
    return "x.mtx", sparse


@pytest.mark.parametrize("form", ["dense", "pandas", "float32", "sparse"])
@pytest.mark.parametrize("case", CASES)
def test_python_and_program_agree_to_the_last_bit(case, form, program, tmp_path):
    kind, parameters, name, samples, output = CASES[case]
    data = datasets.generate(name, samples=samples)
    file, X = stored(data.X, form, tmp_path)
    np.savetxt(tmp_path / "y.txt", data.y, fmt="%s")
    verb = kind._verb
    words = flags(parameters)
    if case == "clusters":
        words += ["--mode", "unsupervised"]
    if case in ("reduce", "kernel"):
        words += ["--labels", "y.txt"]
    if case == "recluster":
        words += ["--given", "y.txt"]
    program(verb, file, *words, "--seed", 3, "--threads", 2, f"--save-{output}", "out.npy", "--save-model", "m.ritz", "--quiet",
            cwd=tmp_path, ok=(0, 4))

    estimator = kind(**parameters, random_state=3, n_jobs=1)
    estimator.fit(X, data.y if case in ("reduce", "kernel", "recluster") else None)

    assert np.array_equal(estimator.embedding_, np.load(tmp_path / "out.npy"))
    loaded = ritz.load(tmp_path / "m.ritz")
    assert type(loaded) is kind
    assert sorted(loaded.model_.names) == sorted(estimator.model_.names)
    for array in loaded.model_.names:
        assert np.array_equal(loaded.model_.array(array), estimator.model_.array(array), equal_nan=True), array
    assert np.array_equal(loaded.transform(X), estimator.transform(X))
    assert loaded.dim == estimator.dim if hasattr(estimator, "dim") else True
    estimator.save(tmp_path / "python.ritz")
    program("transform", "python.ritz", file, "--save-embedding", "again.npy", "--quiet", cwd=tmp_path)
    assert np.array_equal(np.load(tmp_path / "again.npy"), estimator.transform(X))


def test_a_centre_has_the_same_bits(program, tmp_path):
    data = datasets.generate("arc", samples=40)
    np.savez(tmp_path / "s.npz", **{f"s{i + 1:03}": basis for i, basis in enumerate(data.bases())})
    program("center", "s.npz", "--dim", 2, "--threads", 2, "--save-center", "c.npy", "--save-model", "m.ritz", "--quiet",
            cwd=tmp_path, ok=(0, 4))

    found = ritz.SubspaceCenter(2, n_jobs=1).fit(data.bases())

    assert np.array_equal(found.components_.T, np.load(tmp_path / "c.npy"))
    assert np.array_equal(ritz.load(tmp_path / "m.ritz").components_, found.components_)
    assert found.check(data.bases()).holds
    found.save(tmp_path / "python.ritz")
    program("check", "python.ritz", "s.npz", "--quiet", cwd=tmp_path)


def test_generated_sets_are_those_of_the_program(program, tmp_path):
    for name in datasets.sets():
        program("generate", name, "--seed", 5, "--output", "x.npy", "--quiet", cwd=tmp_path)
        found = datasets.generate(name, random_state=5)
        assert np.array_equal(found.X, np.load(tmp_path / "x.npy")), name
        for kind, labels in found.labels.items():
            assert np.array_equal(datasets.read_labels(tmp_path / f"x.{kind}.labels"), labels)


def test_numbers_are_explained_with_the_same_bits(program, tmp_path):
    from sklearn.datasets import load_diabetes
    X, y = load_diabetes(return_X_y=True)
    datasets.write(tmp_path / "x.csv", X[:100])
    datasets.write(tmp_path / "t.csv", y[:100, None])
    program("reduce", "x.csv", "--targets", "t.csv", "--dim", 2, "--save-embedding", "z.npy", "--quiet", cwd=tmp_path, ok=(0, 4))
    found = ritz.ISM(2, target="numbers").fit(X[:100], y[:100])
    assert np.array_equal(found.embedding_, np.load(tmp_path / "z.npy"))
