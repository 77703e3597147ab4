# SPDX-License-Identifier: MIT
"""What cannot be done is said in one sentence, in Python's words, and changes nothing."""
import numpy as np
import pandas
import pytest
import ritz
import scipy.sparse

X = np.random.default_rng(0).normal(size=(40, 4))
Y = np.arange(40) % 2
NAN = np.where(np.arange(160).reshape(40, 4) == 77, np.nan, X)

CASES = {
    "NaN": (lambda: ritz.ISM().fit(NAN, Y), ValueError, "NaN"),
    "infinity": (lambda: ritz.ISM().fit(np.where(np.isnan(NAN), np.inf, X), Y), ValueError, "infinity"),
    "wrong length": (lambda: ritz.ISM().fit(X, Y[:39]), ValueError, "inconsistent numbers of samples"),
    "one class": (lambda: ritz.ISM().fit(X, np.zeros(40, int)), ValueError, "class|labels"),
    "no samples": (lambda: ritz.ISM().fit(np.empty((0, 4)), []), ValueError, "0 sample"),
    "no features": (lambda: ritz.ISM().fit(np.empty((40, 0)), Y), ValueError, r"0 feature"),
    "objects": (lambda: ritz.ISM().fit(np.array([["a", object()]] * 40, dtype=object), Y), (ValueError, TypeError), ""),
    "complex": (lambda: ritz.ISM().fit(X + 1j, Y), ValueError, "[Cc]omplex"),
    "one dimension": (lambda: ritz.ISM().fit(X[:, 0], Y), ValueError, "2D array"),
    "no y": (lambda: ritz.ISM().fit(X), ValueError, "requires y"),
    "dim": (lambda: ritz.ISM(0).fit(X, Y), ValueError, "dim"),
    "dim above the columns": (lambda: ritz.ISM(9).fit(X, Y), ValueError, r"^dim=9; it must lie in \[1, 4\]"),
    "kernel": (lambda: ritz.ISM(kernel="gausian").fit(X, Y), ValueError, "gaussian"),
    "choice": (lambda: ritz.ISM(scale="big").fit(X, Y), ValueError, "standard"),
    "number": (lambda: ritz.ISM(tolerance="x").fit(X, Y), ValueError, "tolerance"),
    "out of range": (lambda: ritz.ISM(tolerance=-1).fit(X, Y), ValueError, "^tolerance=-1"),
    "target": (lambda: ritz.ISM(target="what").fit(X, Y), ValueError, "target='what'"),
    "random_state": (lambda: ritz.ISM(random_state=-1).fit(X, Y), ValueError, "random_state=-1"),
    "n_jobs": (lambda: ritz.ISM(n_jobs="all").fit(X, Y), ValueError, "n_jobs='all'"),
    "backend": (lambda: ritz.ISM(backend="gpu9").fit(X, Y), ValueError, "gpu9"),
    "memory": (lambda: ritz.ISM(max_memory=1000).fit(X, Y), MemoryError, ""),
    "memory in words": (lambda: ritz.ISM(max_memory="lots").fit(X, Y), ValueError, "max_memory='lots'"),
    "clusters": (lambda: ritz.ISMClustering(0).fit(X), ValueError, "clusters"),
    "more clusters than samples": (lambda: ritz.ISMClustering(99).fit(X), ValueError, "clusters"),
    "given of one cluster": (lambda: ritz.AlternativeClustering(2).fit(X, np.zeros(40)), ValueError, "cluster|class"),
    "contradictory pairs": (lambda: ritz.PairwiseKernel(2).fit(X, must_link=[(0, 1), (1, 2)], cannot_link=[(0, 2)]), ValueError,
                            "must"),
    "a pair outside": (lambda: ritz.PairwiseKernel(2).fit(X, must_link=[(0, 99)]), ValueError, "99"),
    "pairs of three": (lambda: ritz.PairwiseKernel(2).fit(X, must_link=[(0, 1, 2)]), ValueError, "must_link has 3 columns"),
    "no pairs": (lambda: ritz.PairwiseKernel(2).fit(X), ValueError, "no pair to learn from: give must_link or cannot_link"),
    "neighbours": (lambda: ritz.VarianceUnfolding(neighbours=99).fit(X), ValueError, "99"),
    "distortion": (lambda: ritz.NearIsometry(1.5).fit(X), ValueError, "^distortion=1.5"),
    "rank": (lambda: ritz.NearIsometry(0.001, rank=1).fit(X), ValueError, "rank=1"),
    "one matrix": (lambda: ritz.SubspaceCenter().fit(X), ValueError, "list"),
    "no subspace": (lambda: ritz.SubspaceCenter().fit([]), ValueError, "no subspaces"),
    "spaces that differ": (lambda: ritz.SubspaceCenter().fit([X[:, :2], X[:30, :2]]), ValueError, "dimensions"),
    "a kernel of one's own": (lambda: ritz.ISM(kernel=lambda a, b: a @ b.T).fit(X, Y), ValueError, "user_kernel"),
    "no such file": (lambda: ritz.load("no/such/model.ritz"), FileNotFoundError, "no/such/model.ritz"),
    "no model": (lambda: ritz.load(__file__), OSError, "not a ritz model file"),
    "no such table": (lambda: ritz.datasets.read("no/such/table.csv"), OSError, "no/such/table.csv"),
    "no such set": (lambda: ritz.datasets.generate("mons"), ValueError, "moons"),
}

FRAME = pandas.DataFrame(X, columns=list("abcd"))
NAMES = np.array(["u", "v"])[Y]

CASES.update({
    "a column of names": (lambda: ritz.ISM().fit(FRAME.assign(town=pandas.Categorical(NAMES)), Y), ValueError, "column 'town' holds values such as '[uv]'"),
    "a column of texts": (lambda: ritz.VarianceUnfolding().fit(FRAME.assign(town=NAMES)), ValueError, "column 'town'"),
    "a column of dates": (lambda: ritz.ISM().fit(FRAME.assign(day=pandas.date_range("2020-01-01", periods=40)), Y), ValueError, "column 'day' holds dates"),
    "a column of durations": (lambda: ritz.ISM().fit(FRAME.assign(age=pandas.to_timedelta(Y, "D")), Y), ValueError, "column 'age' holds durations"),
    "a gap in a frame": (lambda: ritz.ISM().fit(FRAME.mask(FRAME > 2), Y), ValueError, "missing, the first in row [0-9]+, column '[abcd]'"),
    "a class that is missing": (lambda: ritz.ISM().fit(X, np.where(Y == 0, None, "a")), ValueError, "y contains NaN: 20 of 40"),
    "a class that is NA": (lambda: ritz.AlternativeClustering().fit(X, pandas.Series([1, None] * 20, dtype="Int64")), ValueError, "y contains NaN"),
    "classes of two kinds": (lambda: ritz.ISM().fit(X, np.array([1, "a"] * 20, dtype=object)), ValueError, "y mixes values of the types int, str"),
    "time limit": (lambda: ritz.ISM(time_limit=-1).fit(X, Y), ValueError, "^time_limit=-1"),
    "time limit in words": (lambda: ritz.ISM(time_limit="10").fit(X, Y), ValueError, "^time_limit='10'"),
    "callback": (lambda: ritz.ISM(callback=3).fit(X, Y), ValueError, "^callback=3"),
    "jobs": (lambda: ritz.ISM(n_jobs=2.5).fit(X, Y), ValueError, "^n_jobs=2.5"),
    "no fraction without classes": (lambda: ritz.PairwiseKernel(2, fraction=0.5).fit(X), ValueError, "from labels: give y$"),
    "pairs that are none": (lambda: ritz.PairwiseKernel(2).fit(X, must_link=5), ValueError, "^must_link=5"),
    "no clusters said": (lambda: ritz.PairwiseKernel(None).fit(X, must_link=[(0, 1)]), ValueError, "or give y$"),
    "colours": (lambda: ritz.VarianceUnfolding(2, method="cmvu").fit(X), ValueError, "give y$"),
    "distortion None": (lambda: ritz.NearIsometry(None).fit(X), ValueError, "^distortion=None"),
    "no pair at all": (lambda: ritz.NearIsometry(0.3).fit(X, pairs=[]), ValueError, "^pairs is empty"),
    "a subspace that is none": (lambda: ritz.SubspaceCenter().fit([X[:, :2], None]), ValueError, r"^X\[1\]=None"),
    "no subspaces but a number": (lambda: ritz.SubspaceCenter().fit(5), ValueError, "list"),
    "seed of a set": (lambda: ritz.datasets.generate("moons", random_state=-1), ValueError, "^random_state=-1"),
    "bins": (lambda: ritz.metrics.distortion(X, X[:2], bins=-1), ValueError, "^bins=-1"),
    "neighbours of a measure": (lambda: ritz.metrics.leave_one_out_accuracy(X, Y, 0), ValueError, "^neighbours=0"),
    "texts for a measure": (lambda: ritz.metrics.hsic([["x"]], [1]), ValueError, "X must hold numbers"),
    "an axis that is not there": (lambda: ritz.plotting.loadings(ritz.ISM(2, kernel="linear").fit(X, Y), axis=5), ValueError, "^axis=5; there are 2"),
    "loadings of an embedding": (lambda: ritz.plotting.loadings(ritz.VarianceUnfolding(2).fit(X)), ValueError, "no loadings"),
    "ratios without distances": (lambda: ritz.plotting.distance_ratios(ritz.ISM(2, kernel="linear").fit(X, Y)), ValueError, "give X"),
    "a picture before the fit": (lambda: ritz.plotting.embedding(ritz.ISM(2)), ValueError, "not fitted"),
    "a report with too few classes": (lambda: ritz.ISM(2, kernel="linear").fit(X, Y).report("never.html", X, Y[:4]), ValueError, "inconsistent"),
})



CASES.update({
    "dim in Python's words": (lambda: ritz.ISM(0).fit(X, Y), ValueError, "^dim=0; it must be a whole number from 1"),
    "a choice in Python's words": (lambda: ritz.ISM(scale=True).fit(X, Y), ValueError, "^scale=True; it must be one of standard, center, none"),
    "a tolerance that is no number": (lambda: ritz.ISM(tolerance=float("nan")).fit(X, Y), ValueError, "^tolerance=nan; it must lie in"),
    "an argument that is none": (lambda: ritz.ISM(clusters=2), TypeError, r"^ISM.__init__\(\) got an unexpected"),
    "complex values": (lambda: ritz.ISM().fit(X + 1j, Y), ValueError, "^Complex data not supported: X holds complex values$"),
    "complex values of a frame": (lambda: ritz.ISM().fit(FRAME.assign(z=X[:, 0] * 1j), Y), ValueError, "^column 'z' holds complex values"),
    "complex y": (lambda: ritz.ISM().fit(X, Y * 1j), ValueError, "^Complex data not supported: y holds complex values$"),
    "dates": (lambda: ritz.ISM().fit(X.astype(int).astype("M8[D]"), Y), ValueError, "^X holds dates, not numbers$"),
    "durations": (lambda: ritz.ISM().fit(X.astype(int).astype("m8[s]"), Y), ValueError, "^X holds durations, not numbers$"),
    "masked values": (lambda: ritz.ISM().fit(np.ma.masked_array(X, X > 1), Y), ValueError, "^X has [0-9]+ masked values"),
    "a gap among whole numbers": (lambda: ritz.ISM().fit(FRAME.assign(i=pandas.array([1, None] * 20, dtype="Int64")), Y), ValueError,
                                  "20 values are missing, the first in row 1, column 'i'"),
    "a column of months": (lambda: ritz.ISM().fit(FRAME.assign(m=pandas.period_range("2020", periods=40, freq="M")), Y), ValueError,
                           "^column 'm' holds values such as Period"),
    "targets beyond all numbers": (lambda: ritz.ISM().fit(X, X[:, 0] * 1e250), ValueError, "'target 1'"),
})


CASES.update({
    "lengths of a measure": (lambda: ritz.metrics.hsic(X, Y[:7]), ValueError, "^X has 40 rows, y has 7$"),
    "a kernel of targets": (lambda: ritz.metrics.hsic(X, X[:, 0], target_kernel="q"), ValueError, "^target_kernel='q'"),
    "complex values of a measure": (lambda: ritz.metrics.hsic(X * 1j, Y), ValueError, "^Complex data not supported: X"),
    "a label that is missing": (lambda: ritz.metrics.rand_index([None, "a"], [1, 2]), ValueError, "^first contains NaN: 1 of 2"),
    "a label that is NaN": (lambda: ritz.metrics.novelty([1, np.nan], [1, 2]), ValueError, "^first contains NaN"),
    "seed of a test": (lambda: ritz.metrics.dependence_test(X, Y, random_state=-1), ValueError, "^random_state=-1"),
})


def broken(part, place, value, kind="csr"):
    """A sparse matrix one of whose indices leads nowhere, as bytes from elsewhere may have it."""
    values = scipy.sparse.random(40, 4, 0.5, format=kind, random_state=0)
    getattr(values, part)[place] = value
    return values


CASES.update({
    f"{kind} whose {part} hold {value}": (lambda part=part, place=place, value=value, kind=kind: ritz.ISM().fit(broken(part, place, value, kind), Y),
                                          ValueError, f"^X is a broken sparse matrix: its {part}")
    for kind in ("csr", "csc") for part, place, value in (("indices", 5, 99), ("indices", 5, -1), ("indptr", 3, 10**6), ("indptr", 3, -5), ("indptr", 0, 3))
})


SURROGATE = "\ud800"  # half of a character: it cannot be written
CASES.update({
    "an option that is a matrix": (lambda: ritz.ISM(X).fit(X, Y), ValueError, "^dim is given a value of the type ndarray"),
    "an option that is an object": (lambda: ritz.ISM(kernel={}).fit(X, Y), ValueError, "^kernel is given a value of the type dict"),
    "an option with half a character": (lambda: ritz.ISM(kernel=SURROGATE).fit(X, Y), ValueError, "^kernel holds a character"),
    "an option with a null": (lambda: ritz.ISM(kernel="lin\0ear").fit(X, Y), ValueError, "^kernel holds a character"),
    "a class with half a character": (lambda: ritz.ISM().fit(X, np.array([SURROGATE, "b"])[Y]), ValueError, "^a class holds a character"),
    "a column with half a character": (lambda: ritz.ISM().fit(FRAME.rename(columns={"a": SURROGATE}), Y), ValueError, "^the name of a column holds"),
    "threads beyond all": (lambda: ritz.ISM(n_jobs=10**12).fit(X, Y), ValueError, "^n_jobs=1000000000000; it must be 4096"),
    "a seed beyond all": (lambda: ritz.ISM(random_state=2**64).fit(X, Y), ValueError, "^random_state=18446744073709551616"),
    "no samples but None": (lambda: ritz.ISM().fit(None, Y), ValueError, "^X is None"),
    "whole numbers beyond doubles": (lambda: ritz.ISM().fit(np.full((40, 2), 10**400, dtype=object), Y), ValueError, "^X holds a whole number"),
    "sparse NaN": (lambda: ritz.ISM().fit(scipy.sparse.coo_matrix(NAN), Y), ValueError, "one value is missing, the first in row 19, column 1"),
    "NA among objects": (lambda: ritz.ISM().fit(pandas.DataFrame({"a": [1, pandas.NA] * 20, "b": X[:, 0]}), Y), ValueError,
                         "20 values are missing, the first in row 1, column 'a'"),
    "texts in one of two columns of a name": (lambda: ritz.ISM().fit(pandas.concat([FRAME, pandas.DataFrame({"a": NAMES})], axis=1), Y), ValueError,
                                              "^column 'a' holds values such as"),
    "masked classes": (lambda: ritz.ISM().fit(X, np.ma.masked_array(Y, Y > 0)), ValueError, "^y has 20 masked values$"),
    "targets that are texts": (lambda: ritz.ISM(target="numbers").fit(X, NAMES), ValueError, "^y: could not convert"),
    "NaN to colour by": (lambda: ritz.VarianceUnfolding(2).fit(X, np.full(40, np.nan)), ValueError, "^Input y contains NaN"),
    "a group of zeros": (lambda: ritz.SubspaceCenter(1).fit(np.where(Y[:, None], X, 0), Y), ValueError, "all samples of group '0' are zero"),
    "nowhere to save": (lambda: ritz.ISM(2, kernel="linear").fit(X, Y).save(None), TypeError, "PathLike"),
    "nowhere to load from": (lambda: ritz.load(None), TypeError, "PathLike"),
    "a forecast of no estimator": (lambda: ritz.estimate(ritz.ISM, rows=3, columns=3), TypeError, "^estimator is"),
    "kinds that are none": (lambda: ritz.datasets.read(__file__, kinds="a"), ValueError, "^kinds='a'"),
    "like what is not fitted": (lambda: ritz.datasets.read(__file__, like=ritz.ISM()), ValueError, "^like=ISM"),
    "a set without a name": (lambda: ritz.datasets.generate(None), ValueError, "^there is no set None; known are"),
    "a cube to write": (lambda: ritz.datasets.write("never.csv", np.zeros((2, 2, 2))), ValueError, "^values has 3 dimensions"),
    "half a neighbour": (lambda: ritz.metrics.leave_one_out_accuracy(X, Y, 1.5), ValueError, "^neighbours=1.5"),
    "half a bin": (lambda: ritz.metrics.distortion(X, X[:2], bins=1.5), ValueError, "^bins=1.5"),
    "a dimension to draw that is not there": (lambda: ritz.plotting.embedding(ritz.ISM(2, kernel="linear").fit(X, Y), dims=(0, 7)), ValueError, "below 2$"),
    "too few colours to draw": (lambda: ritz.plotting.embedding(ritz.ISM(2, kernel="linear").fit(X, Y), y=Y[:3]), ValueError, "^y has 3 values"),
})


@pytest.mark.parametrize("case", CASES)
def test_bad_input_is_refused_in_one_sentence(case):
    work, kind, words = CASES[case]
    with pytest.raises(kind, match=words) as refused:
        work()
    assert not any(word in str(refused.value) for word in ("--", "reduce.", "FILE", "label_column"))


def test_a_fit_that_fails_changes_nothing():
    estimator = ritz.ISM(2).fit(X, Y)
    before = dict(vars(estimator))
    for bad, y in ((NAN, Y), (X, np.zeros(40, int)), (X[:, :1], Y)):
        with pytest.raises(ValueError):
            estimator.fit(bad, y)
        assert vars(estimator) == before


def test_other_data_must_have_the_same_features():
    estimator = ritz.ISM(2).fit(X, Y)
    for work in (estimator.transform, estimator.predict, estimator.check):
        with pytest.raises(ValueError, match="features"):
            work(X[:, :3])
    assert estimator.transform(X[:1]).shape == (1, 2)


def test_a_model_cannot_be_written_where_there_is_no_folder(tmp_path):
    with pytest.raises(OSError, match="nowhere"):
        ritz.ISM(2).fit(X, Y).save(tmp_path / "nowhere" / "m.ritz")


def test_many_different_numbers_are_taken_for_classes_with_a_warning():
    with pytest.warns(UserWarning, match="target='numbers'"):
        ritz.ISM(1).fit(X, np.arange(40) // 2)


def test_a_class_for_every_sample_is_told_of_names_and_dates_too():
    for y in ([f"n{i}" for i in range(40)], pandas.date_range("2024", periods=40)):
        with pytest.warns(UserWarning, match="40 different values in 40 samples"):
            ritz.ISM(1, kernel="linear").fit(X, y)


def test_numbers_of_pandas_own_types_are_numbers():
    whole = ritz.ISM(2, kernel="linear").fit(X, pandas.Series(Y, dtype="Int64"))
    assert whole.classes_.dtype == int and whole.predict(X).dtype == int
    numbers = pandas.Series(X[:, 0], dtype="Float64")
    assert np.array_equal(ritz.ISM(1).fit(X, numbers).components_, ritz.ISM(1).fit(X, X[:, 0]).components_)
    flags = pandas.DataFrame({"f": pandas.array(Y == 1, dtype="boolean"), "g": pandas.array(Y, dtype="Int64"), "h": X[:, 0]})
    assert ritz.ISM(1).fit(flags, Y).score(flags, Y) == 1


def test_sparse_with_repeated_entries_is_summed_not_changed():
    repeated = scipy.sparse.csr_matrix((np.ones(6), ([0, 0, 1, 2, 3, 3], [1, 1, 0, 2, 1, 0])), shape=(4, 3))
    repeated = scipy.sparse.csr_matrix((np.ones(6), np.array([1, 1, 0, 2, 1, 0]), np.array([0, 2, 3, 4, 6])), shape=(4, 3))
    before = repeated.indices.copy()
    one = ritz.ISM(1, kernel="linear").fit(repeated, [0, 1, 0, 1])
    other = ritz.ISM(1, kernel="linear").fit(scipy.sparse.csr_matrix(repeated.toarray()), [0, 1, 0, 1])
    assert np.array_equal(one.embedding_, other.embedding_) and np.array_equal(repeated.indices, before)
