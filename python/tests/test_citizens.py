# SPDX-License-Identifier: MIT
"""Estimators among scikit-learn's: pipelines, searches, names, copies."""
import copy
import html
import os
import pickle
import warnings

import joblib
import numpy as np
import pandas
import pytest
import ritz
import scipy.sparse
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler


def test_pipeline_grid_search_and_cross_validation(wine):
    X, y = wine
    pipeline = make_pipeline(StandardScaler(), ritz.ISM(2, scale="none"), KNeighborsClassifier(5))
    assert cross_val_score(pipeline, X, y, cv=3).mean() > 0.9
    search = GridSearchCV(ritz.ISM(scale="standard"), {"dim": [1, 2], "kernel": ["linear", "gaussian(sigma=median)"]}, cv=StratifiedKFold(3)).fit(X, y)
    assert search.best_params_["dim"] == 2
    assert search.best_score_ > 0.9


def test_clone_keeps_parameters_and_forgets_the_fit(wine):
    fitted = ritz.ISM(3, kernel="linear", random_state=4).fit(*wine)
    again = clone(fitted)
    assert again.get_params() == fitted.get_params()
    assert not hasattr(again, "components_")


def test_columns_have_names(wine):
    X, y = wine
    fitted = ritz.ISM(2).fit(X, y)
    assert list(fitted.feature_names_in_) == list(X.columns)
    assert list(fitted.get_feature_names_out()) == ["ism0", "ism1"]
    assert fitted.loadings_.shape == (13, 2)
    assert list(fitted.loadings_.index) == list(X.columns)
    frame = fitted.set_output(transform="pandas").transform(X)
    assert isinstance(frame, pandas.DataFrame) and list(frame.columns) == ["ism0", "ism1"]
    assert list(frame.index) == list(X.index)
    with pytest.raises(ValueError, match="feature names"):
        fitted.transform(X.rename(columns={"alcohol": "spirit"}))


@pytest.mark.parametrize("form", [list, np.array, pandas.Series, lambda y: np.array(y, dtype=object)])
def test_labels_of_every_kind(wine, form):
    X, y = wine
    fitted = ritz.ISM(2).fit(X, form(list(y)))
    assert list(fitted.classes_) == ["red", "rosé", "white"]
    assert set(fitted.predict(X[:5])) <= {"red", "rosé", "white"}
    assert fitted.score(X, form(list(y))) > 0.9


# 100000 is not 1e+05, and identifiers of 64 bits may differ in their last digit alone.
@pytest.mark.parametrize("values", [[3, 10, 200], [0.5, 2.0, 10.0], ["10", "9", "b"], [False, True, True], [100000, 1000000, 7],
                                    [2**62, 2**62 + 1, 5], [0.5, 1e22, -1e300], np.array([2**64 - 1, 3, 4], dtype=np.uint64)])
def test_predicted_classes_are_those_given(wine, values, tmp_path):
    X, y = wine
    target = np.array(values)[np.unique(y, return_inverse=True)[1]]
    fitted = ritz.ISM(2, target="classes").fit(X, target)
    assert fitted.predict(X).dtype == target.dtype
    assert np.mean(fitted.predict(X) == target) > 0.9
    fitted.save(tmp_path / "m.ritz")
    assert np.mean(ritz.load(tmp_path / "m.ritz").predict(X) == target) > 0.9


def test_sparse_and_dense_agree(wine):
    X, y = wine
    dense = np.where(np.abs(X - X.mean()) > X.std(), X, 0)
    how = dict(scale="standard", kernel="gaussian(sigma=median)", solver="ism")
    one, other = ritz.ISM(2, **how).fit(dense, y), ritz.ISM(2, **how).fit(scipy.sparse.csr_matrix(dense), y)
    np.testing.assert_allclose(one.transform(dense), other.transform(scipy.sparse.csr_matrix(dense)), atol=1e-4)
    csc = ritz.ISM(2, **how).fit(scipy.sparse.csc_matrix(dense), y)
    assert np.array_equal(csc.embedding_, other.embedding_)


FITS = {
    "ISM": lambda X, y: ritz.ISM(2).fit(X, y),
    "ISMClustering": lambda X, y: ritz.ISMClustering(3, dim=2).fit(X),
    "AlternativeClustering": lambda X, y: ritz.AlternativeClustering(2, dim=2).fit(X, y),
    "PairwiseKernel": lambda X, y: ritz.PairwiseKernel(3).fit(X, must_link=[(0, 1), (60, 61)], cannot_link=[(0, 60), (0, 150)]),
    "VarianceUnfolding": lambda X, y: ritz.VarianceUnfolding(2).fit(X),
    "NearIsometry": lambda X, y: ritz.NearIsometry(0.4).fit(X),
    "SubspaceCenter": lambda X, y: ritz.SubspaceCenter(1, rank=2).fit(X, y),
}


@pytest.fixture(scope="module", params=FITS)
def fitted(request, wine):
    X = StandardScaler().fit_transform(wine[0])
    return FITS[request.param](X, wine[1]), X, wine[1]


def test_copies_give_the_same(fitted, tmp_path):
    estimator, X, y = fitted
    joblib.dump(estimator, tmp_path / "m.joblib")
    estimator.save(tmp_path / "m.ritz")
    for again in (pickle.loads(pickle.dumps(estimator)), copy.copy(estimator), copy.deepcopy(estimator),
                  joblib.load(tmp_path / "m.joblib"), ritz.load(tmp_path / "m.ritz")):
        assert type(again) is type(estimator)
        assert np.array_equal(again.transform(X), estimator.transform(X))
        if hasattr(estimator, "predict"):
            assert np.array_equal(again.predict(X), estimator.predict(X))
        if hasattr(estimator, "components_"):
            assert np.array_equal(again.components_, estimator.components_)
        assert again.certificate_ == estimator.certificate_


def test_the_certificate_holds_when_computed_anew(fitted):
    estimator, X, y = fitted
    found = estimator.check(X, y) if isinstance(estimator, ritz.SubspaceCenter) else estimator.check(X)
    assert found.holds or not estimator.converged_, found.text
    assert "--" not in found.text


def test_the_picture_in_a_notebook_shows_the_certificate(fitted):
    estimator = fitted[0]
    text = estimator._repr_html_()
    assert "certificate" in text and type(estimator).__name__ in text
    assert html.escape(estimator.summary_.splitlines()[0]) in text
    assert "<script" not in text
    assert "text/html" in estimator._repr_mimebundle_()
    assert "certificate" not in clone(estimator)._repr_html_()


def test_a_report_is_one_page_with_or_without_samples(fitted, tmp_path):
    estimator, X, y = fitted
    estimator.report(tmp_path / "alone.html")
    estimator.report(tmp_path / "whole.html", X, y)
    for name in ("alone", "whole"):
        text = (tmp_path / f"{name}.html").read_text(encoding="utf-8")
        assert text.startswith("<!DOCTYPE html>") and 'class="verdict' in text and "Content-Security-Policy" in text


def test_what_is_fitted_again_forgets_what_was(wine):
    X, y = wine
    estimator = ritz.ISM(2, sparse=True).fit(X, y)
    assert estimator.sparse_components_.shape == (2, 13)
    estimator.set_params(sparse=False).fit(X.to_numpy(), np.arange(len(X)) / 7.0)
    assert not hasattr(estimator, "sparse_components_") and not hasattr(estimator, "classes_")
    assert not hasattr(estimator, "feature_names_in_")


def test_random_state_is_a_seed_or_a_generator(wine):
    X, y = wine
    same = [ritz.ISM(2, restarts=2, random_state=np.random.RandomState(3)).fit(X, y).embedding_ for _ in range(2)]
    assert np.array_equal(*same)
    ritz.ISM(2, random_state=None).fit(X, y)


def test_a_loaded_model_has_the_parameters_it_was_asked_for(wine, tmp_path):
    """Not those that were chosen: another fit chooses anew."""
    X, y = wine
    for estimator, given in ((ritz.ISM(), y), (ritz.ISMClustering("auto", solver="ism"), None), (ritz.AlternativeClustering("auto"), y),
                             (ritz.PairwiseKernel("auto", fraction=0.4), y), (ritz.VarianceUnfolding(), None), (ritz.NearIsometry(0.5), None)):
        estimator.fit(X, given).save(tmp_path / "m.ritz")
        assert ritz.load(tmp_path / "m.ritz").get_params() == estimator.get_params()


def test_several_views_are_all_there():
    data = ritz.datasets.generate("small-gauss", samples=80)
    found = ritz.AlternativeClustering(2, dim=1, views=2).fit(data.X, data.y)
    assert np.array_equal(found.views_[0], found.labels_)
    assert all(len(view) == 80 for view in found.views_)
    both = np.column_stack([data.labels[name] for name in data.labels])
    ritz.AlternativeClustering(2, dim=1).fit(data.X, both)


def test_a_graph_alone_is_embedded():
    ring = np.array([(i, (i + 1) % 12) for i in range(12)])
    found = ritz.VarianceUnfolding(2, method="spe").fit(None, graph=ring)
    assert found.embedding_.shape == (12, 2)


def test_summaries_name_nothing_that_python_lacks(fitted):
    """The program's options for files are arguments, attributes and functions here."""
    estimator = fitted[0]
    assert not any(word in estimator.summary_ for word in ("FILE draws", "=FILE", "'ritz ")), estimator.summary_


@pytest.mark.parametrize("name", list(FITS)[:-1])  # the model of the last holds spaces
def test_names_of_features_go_through_a_model_file(name, wine, tmp_path):
    X, y = wine
    fitted = FITS[name](X, y)
    fitted.save(tmp_path / "m.ritz")
    again = ritz.load(tmp_path / "m.ritz")
    assert list(again.feature_names_in_) == list(X.columns)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.array_equal(again.transform(X), fitted.transform(X))


def test_a_table_is_read_as_the_program_read_that_of_the_model(program, tmp_path):
    rng = np.random.default_rng(3)
    frame = pandas.DataFrame({"size": rng.normal(size=60), "town": np.array(["Ulm", "Bonn", "Kiel"])[np.arange(60) % 3],
                              "weight": rng.normal(size=60), "kind": np.array(["a", "b"])[np.arange(60) % 2]})
    frame.loc[frame.kind == "b", "size"] += 3
    frame.to_csv(tmp_path / "old.csv", index=False)
    frame.drop(columns="kind").iloc[::-2, ::-1].to_csv(tmp_path / "new.csv", index=False)
    program("reduce", "old.csv", "--label-column", "kind", "--kernel", "linear", "--save-model", "m.ritz", "--quiet", cwd=tmp_path)
    program("transform", "m.ritz", "new.csv", "--save-embedding", "z.npy", "--quiet", cwd=tmp_path)
    model = ritz.load(tmp_path / "m.ritz")
    table = ritz.datasets.read(tmp_path / "new.csv", like=model)
    assert table.feature_names == list(model.feature_names_in_)
    assert np.array_equal(model.transform(table.frame()), np.load(tmp_path / "z.npy"))


def test_subspaces_may_have_names():
    bases = ritz.datasets.generate("arc", samples=6).bases()
    named = ritz.SubspaceCenter(1).fit({f"day {place}": basis for place, basis in enumerate(bases)})
    assert list(named.names_) == [f"day {place}" for place in range(len(bases))]
    assert np.array_equal(named.components_, ritz.SubspaceCenter(1).fit(bases).components_)


def test_groups_of_samples_have_a_centre_loadings_and_predictions(wine, program, tmp_path):
    X, y = wine
    names = np.asarray(y)
    fitted = ritz.SubspaceCenter(2, rank=3, center_groups=True).fit(X, pandas.Series(names, index=X.index, name="grower"))
    assert list(fitted.loadings_.index) == list(X.columns) and list(fitted.names_) == sorted(set(names))
    assert fitted.score(X, names) > 0.6 and fitted.predict(X).dtype == fitted.classes_.dtype
    assert fitted.check(X, names).holds
    X.assign(grower=names).to_csv(tmp_path / "wine.csv", index=False)
    program("center", "wine.csv", "--group-column", "grower", "--dim", "2", "--rank", "3", "--center-groups", "--save-model", "w.ritz", "--quiet",
            cwd=tmp_path)
    loaded = ritz.load(tmp_path / "w.ritz")
    assert np.array_equal(loaded.components_, fitted.components_) and np.array_equal(loaded.predict(X), fitted.predict(X))
    with pytest.raises(ValueError, match="it has no class to predict$"):
        ritz.SubspaceCenter(1).fit([X.to_numpy()[:5].T, X.to_numpy()[5:9].T]).predict(X)
    with pytest.raises(ValueError, match="groups of samples: give y$"):
        ritz.SubspaceCenter(1, center_groups=True).fit([X.to_numpy()[:5].T, X.to_numpy()[5:9].T])


def test_nested_projections_and_recall_ask_for_no_distortion(wine):
    X, _ = wine
    nested = ritz.NearIsometry(prefixes=[2, 4]).fit(X)
    assert nested.components_.shape == (4, 13) and list(nested.loadings_.index) == list(X.columns)
    assert ritz.NearIsometry(None, rank=3, objective="recall").fit(X).rank_ == 3
    with pytest.raises(ValueError, match="distortion"):
        ritz.NearIsometry(0.4, prefixes=[2, 4]).fit(X)


def test_threads_below_zero_leave_cores_alone(wine):
    X, y = wine
    assert np.array_equal(ritz.ISM(2, n_jobs=-2).fit(X, y).embedding_, ritz.ISM(2).fit(X, y).embedding_)


def test_pairs_suggestions_and_edges_come_back(capfd):
    X, y = ritz.datasets.generate("chessboard", samples=60, return_X_y=True)
    found = ritz.PairwiseKernel(2, fraction=0.7, suggest=3).fit(X, y)
    assert found.suggestions_.shape == (3, 2)
    assert set(found.pairs_) == {"i", "j", "link", "alpha", "kernel"} and set(found.pairs_["link"]) == {-1, 1}
    assert capfd.readouterr().out == ""
    assert set(ritz.VarianceUnfolding(2, connect=True).fit(X).graph_) == {"i", "j", "squared", "embedded"}


def test_pairs_are_drawn_from_classes_where_none_are_given():
    X, y = ritz.datasets.generate("chessboard", samples=60, return_X_y=True)
    drawn = ritz.PairwiseKernel(2).fit(X, y)
    assert np.array_equal(drawn.embedding_, ritz.PairwiseKernel(2, fraction=0.7).fit(X, y).embedding_)
    given = ritz.PairwiseKernel(2).fit(X, y, must_link=[(0, 2)], cannot_link=[(0, 1)])
    assert len(given.pairs_["i"]) < len(drawn.pairs_["i"])


def test_a_sample_of_zeros_adds_nothing_to_the_space_of_its_group(wine):
    X, y = StandardScaler().fit_transform(wine[0])[::9], wine[1][::9]
    more = ritz.SubspaceCenter(1).fit(np.vstack([X, np.zeros(13)]), [*y, y[0]])
    np.testing.assert_array_equal(more.components_, ritz.SubspaceCenter(1).fit(X, y).components_)
    assert any("1 sample is zero everywhere" in note for note in more.notes_)


def test_a_file_may_have_any_name(tmp_path, wine):
    name = os.fsencode(tmp_path) + b"/caf\xe9.ritz"
    fitted = ritz.ISM(2, kernel="linear").fit(*wine)
    fitted.save(name)
    assert np.array_equal(ritz.load(os.fsdecode(name)).components_, fitted.components_)
    with pytest.raises(OSError, match="caf"):
        ritz.load(name + b"x")


def test_scores_of_an_expert_guide_clusters():
    data = ritz.datasets.generate("small-gauss", samples=80)
    found = ritz.ISMClustering(2, dim=1).fit(data.X, scores=data.X[:, 1])
    assert found.options_["mode"] == "semi"


def test_numbers_are_predicted_by_the_mean_of_the_neighbours():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(120, 5))
    y = X @ [1.0, -1, 0, 0, 0] + 0.1 * rng.normal(size=120)
    estimator = ritz.ISM(1).fit(X[:80], y[:80])
    Z, new = estimator.transform(X[:80]).ravel(), estimator.transform(X[80:]).ravel()
    nearest = np.argsort(np.abs(new[:, None] - Z), axis=1)[:, :5]
    assert np.allclose(estimator.predict(X[80:]), y[:80][nearest].mean(axis=1))
    assert estimator.score(X[80:], y[80:]) > 0.8
    both = ritz.ISM(1).fit(X[:80], np.column_stack([y, -y])[:80])
    assert both.predict(X[80:]).shape == (40, 2)
