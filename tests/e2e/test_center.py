# SPDX-License-Identifier: MIT
"""Centres of subspaces through the command line: reference optima in numpy, order rules, files, models, errors."""
import json as js
import re
import xml.etree.ElementTree as xml

import numpy as np
import pytest

from conftest import data_file, facts, generated, run_ritz, table


def example():
    """(5.5) of the paper."""
    a, b, c, d = np.sqrt([2 / 3, 1 / 6, 7 / 8, 1 / 8])
    return [np.array([[a, 0], [b, 0], [b, 0], [0, c], [0, d]]), np.array([[b, 0], [a, 0], [b, 0], [0, d], [0, c]]),
            np.array([[b], [b], [a], [0], [0]])]


def basis(rng, n, p):
    return np.linalg.qr(rng.normal(size=(n, p)))[0]


def around(rng, n, k, count, spread, extra=0):
    common = basis(rng, n, k)
    return common, [np.linalg.qr(np.hstack([common + spread * rng.normal(size=(n, k)), rng.normal(size=(n, extra))]))[0]
                    for _ in range(count)]


def primal(U, bases):
    return max(min(U.shape[1], X.shape[1]) - np.linalg.norm(U.T @ X) ** 2 for X in bases)


def dual(weights, bases, k):
    S = sum(w * X @ X.T for w, X in zip(weights, bases))
    return sum(w * min(k, X.shape[1]) for w, X in zip(weights, bases)) - np.linalg.eigvalsh(S)[-k:].sum()


def saved(folder, bases, name="s"):
    paths = [folder / f"{name}{i}.csv" for i in range(len(bases))]
    for path, X in zip(paths, bases):
        np.savetxt(path, X, delimiter=",", fmt="%.17g")
    return paths


def loaded(path):
    return table(path)


def test_the_example_has_its_radii_and_order_one(tmp_path):
    files = saved(tmp_path, example())
    one = facts("center", *files, "--dim", 1)
    two = facts("center", *files, "--dim", 2, "--save-center", tmp_path / "U.csv")
    assert one["objective"] == pytest.approx(1 / 9, abs=1e-10)
    assert two["objective"] == pytest.approx((14 - 3 * 7 ** 0.5) / 24, abs=1e-10)
    assert one["certificate"]["gap"] < 1e-10 and two["certificate"]["gap"] < 1e-10
    assert np.allclose(one["result"]["weights"], 1 / 3, atol=1e-6)
    assert np.allclose(two["result"]["weights"], [0.5, 0.5, 0], atol=1e-6) and two["result"]["support"] == [0, 1]
    U = loaded(tmp_path / "U.csv")
    assert U.shape == (5, 2) and np.allclose(U.T @ U, np.eye(2), atol=1e-12)
    assert primal(U, example()) == pytest.approx(two["objective"], abs=1e-12)
    auto = facts("center", *files, "--rule", "proposed")
    assert auto["result"]["order"] == 1
    orders = auto["result"]["orders"]
    assert orders["k"] == [0, 1, 2] and orders["proposed"] == pytest.approx([1, 2 / 9, two["objective"]], abs=1e-9)
    assert orders["selected"]["proposed"] == 1


def test_both_bounds_are_those_of_numpy(tmp_path):
    rng = np.random.default_rng(1)
    _, bases = around(rng, 12, 3, 25, 0.2, extra=2)
    json = facts("center", *saved(tmp_path, bases), "--dim", 3, "--save-center", tmp_path / "U.npy")
    U = np.load(tmp_path / "U.npy")
    assert json["objective"] == pytest.approx(primal(U, bases), abs=1e-12)
    assert json["certificate"]["dual"] == pytest.approx(dual(json["result"]["weights"], bases, 3), abs=1e-12)
    assert -1e-12 <= json["certificate"]["gap"] < 1e-9
    d = [3 - np.linalg.norm(U.T @ X) ** 2 for X in bases]
    assert np.allclose(json["result"]["distances"], d, atol=1e-12)
    assert all(d[i] > json["objective"] - 1e-6 for i in json["result"]["support"])


@pytest.mark.parametrize("name", ["fig5_seed1", "fig6_seed1", "fig7a_seed1", "fig8_n40_seed1", "fig10_n5_seed1"])
def test_the_stored_cases_have_their_certified_optima(name):
    expected = js.loads(data_file("subspaces/expected.json").read_text())[name]["k"]
    files = [data_file(f"subspaces/{name}_bases_f64.npy"), "--dims", data_file(f"subspaces/{name}_dims_i32.npy")]
    for k, values in expected.items():
        json = facts("center", *files, "--dim", k)
        assert values["dual_lower"] - 1e-8 <= json["certificate"]["dual"] <= values["dual_upper"] + 1e-8
        assert json["objective"] <= values["best_primal"] + 1e-6
        if values["gap"] < 1e-8:
            assert json["certificate"]["gap"] < 1e-8 and json["certificate"]["closed"]
        else:  # a true gap is told, not hidden
            assert json["certificate"]["gap"] > 1e-3 and not json["certificate"]["closed"]
            assert "strong duality" in json["used"]["duality"]


def test_all_ways_to_give_subspaces_are_the_same(tmp_path):
    rng = np.random.default_rng(2)
    _, bases = around(rng, 8, 2, 10, 0.3, extra=1)
    one_by_one = facts("center", *saved(tmp_path, bases), "--dim", 2)["objective"]
    np.savez(tmp_path / "many.npz", **{f"s{i:02d}": X for i, X in enumerate(bases)})
    np.savez_compressed(tmp_path / "split.npz", bases=np.hstack(bases), dims=[3] * 10)
    np.save(tmp_path / "beside.npy", np.hstack(bases))
    (tmp_path / "dims.csv").write_text("3\n" * 10)
    np.save(tmp_path / "rows.npy", np.hstack(bases).T.copy())
    table = "".join(",".join(map(repr, row.tolist())) + f",g{i:02d}\n" for i, X in enumerate(bases) for row in (X @ basis(rng, 3, 3)).T)
    (tmp_path / "groups.csv").write_text("a,b,c,d,e,f,g,h,group\n" + table)
    for args in ([tmp_path / "many.npz"], [tmp_path / "split.npz"], [tmp_path / "beside.npy", "--dims", tmp_path / "dims.csv"],
                 [tmp_path / "rows.npy", "--dims", tmp_path / "dims.csv", "--rows"],
                 [tmp_path / "groups.csv", "--group-column", "group"]):
        assert facts("center", *args, "--dim", 2)["objective"] == pytest.approx(one_by_one, abs=1e-9)


@pytest.mark.parametrize("compressed", [False, True])
def test_mat_files_hold_many_subspaces_also_in_cells(tmp_path, compressed):
    io = pytest.importorskip("scipy.io")
    rng = np.random.default_rng(3)
    _, bases = around(rng, 8, 2, 9, 0.3)
    expected = facts("center", *saved(tmp_path, bases), "--dim", 2)["objective"]
    io.savemat(tmp_path / "a.mat", {f"s{i}": X for i, X in enumerate(bases)}, do_compression=compressed)
    cells = np.empty((1, 9), dtype=object)
    for i, X in enumerate(bases):
        cells[0, i] = X
    io.savemat(tmp_path / "b.mat", {"X": cells, "note": "text is passed over"}, do_compression=compressed)
    for name in ("a.mat", "b.mat"):
        json = facts("center", tmp_path / name, "--dim", 2)
        assert json["data"]["subspaces"] == 9 and json["objective"] == pytest.approx(expected, abs=1e-9)
    assert json["result"]["names"][2] == "X{3}"
    broken = (tmp_path / "a.mat").read_bytes()
    (tmp_path / "cut.mat").write_bytes(broken[:len(broken) // 2])
    run = run_ritz("center", tmp_path / "cut.mat", "--dim", 2)
    assert run.status == 3 and "damaged" in run.err


def test_leading_subspaces_of_data_matrices_are_those_of_the_svd(tmp_path):
    rng = np.random.default_rng(4)
    common = basis(rng, 9, 2)
    data = [common @ rng.normal(size=(2, 40)) * 3 + 0.2 * rng.normal(size=(9, 40)) for _ in range(6)]
    files = saved(tmp_path, data)
    leading = [np.linalg.svd(A)[0][:, :2] for A in data]
    json = facts("center", *files, "--rank", 2, "--dim", 2, "--save-center", tmp_path / "U.csv")
    assert json["objective"] == pytest.approx(primal(loaded(tmp_path / "U.csv"), leading), abs=1e-10)
    share = facts("center", *files, "--energy", 0.9, "--dim", 2)
    assert share["data"]["largest_dimension"] == 2 == share["data"]["smallest_dimension"]


def test_dependent_vectors_are_found_and_told(tmp_path):
    rng = np.random.default_rng(5)
    X = basis(rng, 6, 2)
    json = facts("center", *saved(tmp_path, [X, np.column_stack([X, X[:, 0] + X[:, 1]])]), "--dim", 2)
    assert json["objective"] < 1e-12 and json["data"]["largest_dimension"] == 2
    assert any("depend on the others" in note for note in json["notes"])


def test_a_model_is_checked_and_gives_coordinates(tmp_path):
    rng = np.random.default_rng(6)
    _, bases = around(rng, 7, 2, 8, 0.3)
    files = saved(tmp_path, bases)
    json = facts("center", *files, "--dim", 2, "--save-model", tmp_path / "m.ritz", "--save-center", tmp_path / "U.csv")
    check = facts("check", tmp_path / "m.ritz", *files)
    assert check["status"] == "holds" and check["data"]["same_as_fit"]
    assert check["objective"] == pytest.approx(json["objective"], abs=1e-12)
    assert check["certificate"]["gap"] == pytest.approx(json["certificate"]["gap"], abs=1e-12)
    other = facts("check", tmp_path / "m.ritz", *saved(tmp_path, [basis(rng, 7, 2) for _ in range(8)], "t"), status=4)
    assert other["status"] == "fails"
    X = rng.normal(size=(5, 7))
    np.savetxt(tmp_path / "x.csv", X, delimiter=",", fmt="%.17g")
    facts("transform", tmp_path / "m.ritz", tmp_path / "x.csv", "--save-embedding", tmp_path / "z.csv")
    assert np.allclose(loaded(tmp_path / "z.csv"), X @ loaded(tmp_path / "U.csv"), atol=1e-12)


def test_nothing_in_common_is_an_answer(tmp_path):
    rng = np.random.default_rng(7)
    np.savez(tmp_path / "s.npz", *[basis(rng, 40, rng.integers(3, 6)) for _ in range(30)])
    json = facts("center", tmp_path / "s.npz", "--save-model", tmp_path / "m.ritz", "--save-center", tmp_path / "U.csv")
    assert json["result"]["order"] == 0 and json["result"]["orders"]["selected"]["hybrid"] == 0
    assert "center" not in json["files"] and not (tmp_path / "U.csv").exists()
    assert facts("check", tmp_path / "m.ritz", tmp_path / "s.npz")["status"] == "holds"


def test_an_outlier_is_listed_by_name(tmp_path):
    rng = np.random.default_rng(8)
    _, bases = around(rng, 15, 2, 20, 0.05)
    bases[4] = basis(rng, 15, 2)
    json = facts("center", *saved(tmp_path, bases), "--dim", 2)
    assert [each["index"] for each in json["result"]["outliers"]] == [4]
    assert json["result"]["outliers"][0]["name"].endswith("s4.csv")


@pytest.mark.parametrize("solver", ["subgradient", "subgradient_printed", "renard"])
def test_the_baselines_bracket_the_optimum_less_closely(tmp_path, solver):
    path = generated("nested-ball", 60)
    args = [path, "--dims", path.with_suffix(".dims.csv"), "--dim", 3]
    best = facts("center", *args)["objective"]
    run = run_ritz("center", *args, "--solver", solver, "--max-iterations", 200, "--json", "--quiet")
    assert run.status in (0, 4)
    assert run.json["certificate"]["dual"] <= best + 1e-9 <= run.json["objective"] + 2e-9
    assert run.json["method"] == solver


def test_pictures_are_svg(tmp_path):
    files = saved(tmp_path, example())
    for more in ([], ["--dim", 1]):
        facts("center", *files, *more, "--plot", tmp_path / "p.svg")
        assert xml.parse(tmp_path / "p.svg").getroot().tag.endswith("svg")


@pytest.mark.parametrize("name, sphere", [("nested-ball", 70), ("arc", 200)])
def test_generated_subspaces_lie_around_their_centre(tmp_path, name, sphere):
    facts("generate", name, "--output", tmp_path / "s.csv", "--seed", 2)
    B = np.loadtxt(tmp_path / "s.csv", delimiter=",", skiprows=1)
    dims = np.loadtxt(tmp_path / "s.dims.csv").astype(int)
    Z = loaded(tmp_path / "s.center.csv")
    d = [3 - np.linalg.norm(Z.T @ X) ** 2 for X in np.split(B, np.cumsum(dims)[:-1], axis=1)]
    assert max(d) < 1 + 1e-9 and sum(x > 1 - 1e-9 for x in d) == sphere
    json = facts("center", tmp_path / "s.csv", "--dims", tmp_path / "s.dims.csv", "--dim", 3, "--save-center", tmp_path / "U.csv")
    assert json["objective"] == pytest.approx(1, abs=1e-8)
    assert primal(loaded(tmp_path / "U.csv"), [Z]) < 1e-12


def test_noise_is_drawn_by_its_ratio_to_the_signal(tmp_path):
    quiet, loud = (facts("generate", "arc", "--snr", snr, "--output", tmp_path / f"{snr}.csv") and
                   facts("center", tmp_path / f"{snr}.csv", "--dims", tmp_path / f"{snr}.dims.csv", "--dim", 3)["objective"]
                   for snr in (40, 0))
    assert 1 < quiet < 1.2 < loud


@pytest.mark.parametrize("bases, more, words", [
    ([np.eye(4)[:, :2], np.eye(5)[:, :2]], [], "all must lie in the same"),
    ([np.eye(4)[:, :2], np.array([[1, 0], [0, 0], [1, 0], [0, 0.0]])], [], "column 2 is zero"),
    ([np.eye(4)[:, :2]], ["--dim", 5], "must lie in [1, 4]"),
    ([np.eye(4)[:, :2]], ["--rank", 3], "--rank is 3"),
    ([np.eye(4)[:, :2]], ["--rank", 1, "--energy", 0.5], "give one of them"),
    ([np.array([[1.0], [np.inf]])], [], "infinite"),
])
def test_bad_input_is_one_sentence(tmp_path, bases, more, words):
    run = run_ritz("center", *saved(tmp_path, bases), *more)
    assert run.status in (2, 3) and words in run.err and run.err.count("\n") == 1


def test_an_empty_basis_and_wrong_dimensions_are_refused(tmp_path):
    np.savez(tmp_path / "empty.npz", a=np.eye(3)[:, :1], b=np.zeros((3, 0)))
    run = run_ritz("center", tmp_path / "empty.npz")
    assert run.status == 3 and "empty" in run.err
    np.save(tmp_path / "b.npy", np.eye(3))
    (tmp_path / "d.csv").write_text("1\n1\n")
    run = run_ritz("center", tmp_path / "b.npy", "--dims", tmp_path / "d.csv")
    assert run.status in (2, 3) and "sum to 2" in run.err


def test_the_reproduction_of_the_example_is_exact(tmp_path):
    json = facts("reproduce", "gmeb", "--only", "example,figure5", "--trials", 2, "--markdown", tmp_path / "r.md", "--plot", tmp_path / "f.svg")
    rows = {row["k"]: row for row in json["result"] if row["part"] == "example"}
    assert abs(rows[1]["objective"] - 1 / 9) < 1e-10 and abs(rows[2]["objective"] - rows[2]["exact"]) < 1e-10
    solvers = {row["solver"]: row for row in json["result"] if row["part"] == "figure5"}
    assert solvers["ours (newton)"]["distance"] * 1000 < solvers["Algorithm A.1"]["distance"]
    assert "Figure 5" in (tmp_path / "r.md").read_text() and (tmp_path / "f-figure5a.svg").exists()


@pytest.mark.slow
def test_ten_thousand_subspaces_fit_into_two_gigabytes(tmp_path):
    rng = np.random.default_rng(9)
    n, M, k = 500, 10_000, 5
    common = basis(rng, n, k)
    dims = rng.integers(5, 21, size=M)
    bases = np.empty((n, dims.sum()))
    at = 0
    for p in dims:
        X = rng.normal(size=(n, p)) / n ** 0.5
        X[:, :k] = common + 0.5 * X[:, :k]
        bases[:, at:at + p] = X
        at += p
    np.save(tmp_path / "b.npy", bases)
    np.save(tmp_path / "d.npy", dims)
    json = facts("center", tmp_path / "b.npy", "--dims", tmp_path / "d.npy", "--dim", k, timeout=600)
    assert json["peak_memory_bytes"] < 2e9
    assert json["certificate"]["gap"] < 1e-8


def around_with_strangers(rng, strangers=10):
    common, bases = around(rng, 20, 3, 90, 0.05)
    return common, bases + [basis(rng, 20, 3) for _ in range(strangers)]


def off(U, common):
    return U.shape[1] - np.linalg.norm(U.T @ common) ** 2


def test_mean_and_flag_are_the_leading_eigenvectors_of_the_average_projector(tmp_path):
    rng = np.random.default_rng(31)
    _, bases = around(rng, 12, 3, 25, 0.3, extra=2)
    np.savez(tmp_path / "s.npz", bases=np.hstack(bases), dims=[5] * 25)
    vectors = np.linalg.eigh(sum(X @ X.T for X in bases))[1][:, ::-1]
    json = facts("center", tmp_path / "s.npz", "--method", "mean", "--dim", 3, "--save-center", tmp_path / "U.npy")
    assert off(np.load(tmp_path / "U.npy"), vectors[:, :3]) < 1e-12 and abs(json["certificate"]["gap"]) < 1e-12
    facts("center", tmp_path / "s.npz", "--method", "flag", "--save-center", tmp_path / "F.npy")
    flag = np.load(tmp_path / "F.npy")
    assert flag.shape == (12, 5) and all(off(flag[:, :k], vectors[:, :k]) < 1e-12 for k in range(1, 6))


def test_few_strangers_move_the_minimax_centre_but_not_the_median(tmp_path):
    common, bases = around_with_strangers(np.random.default_rng(32))
    np.savez(tmp_path / "s.npz", bases=np.hstack(bases), dims=[3] * 100)
    found = {}
    for name, more in {"minimax": [], "median": ["--method", "median"], "karcher": ["--method", "karcher"], "dropped": ["--drop-outliers"]}.items():
        json = facts("center", tmp_path / "s.npz", "--dim", 3, *more, "--save-center", tmp_path / f"{name}.npy", "--save-model", tmp_path / f"{name}.ritz")
        found[name] = off(np.load(tmp_path / f"{name}.npy"), common)
        assert json["status"] == "converged" and run_ritz("check", tmp_path / f"{name}.ritz", tmp_path / "s.npz").status == 0
    assert found["median"] < 0.1 * found["minimax"] and found["dropped"] < 0.1 * found["minimax"]
    assert json["result"]["dropped"] == list(range(90, 100)) and not any(json["result"]["weights"][90:])
    assert json["objective"] == pytest.approx(primal(np.load(tmp_path / "dropped.npy"), bases[:90]), abs=1e-12)


def test_every_step_rule_of_the_paper_approaches_the_dual_optimum(tmp_path):
    files = saved(tmp_path, example())
    for rule in ("adaptive", "constant", "length", "root", "harmonic"):
        json = run_ritz("center", *files, "--dim", 1, "--solver", "subgradient", "--step", rule, "--step-size", 0.3, "--max-iterations", 300, "--json").json
        assert json["certificate"]["dual"] == pytest.approx(1 / 9, abs=0.02)


def test_a_sample_goes_to_the_group_whose_subspace_is_nearest(tmp_path):
    rng = np.random.default_rng(33)
    names, planes = ["a", "b", "c"], [basis(rng, 6, 2) for _ in range(3)]
    offsets = 5 * rng.normal(size=(3, 6))
    table = lambda count: [(x, g) for g in range(3) for x in offsets[g] + rng.normal(size=(count, 2)) @ planes[g].T + 1e-3 * rng.normal(size=(count, 6))]
    def write(path, rows):
        path.write_text("u,v,w,x,y,z,group\n" + "".join(",".join(map(repr, x.tolist())) + f",{names[g]}\n" for x, g in rows))
    write(tmp_path / "train.csv", table(20))
    new = table(10)
    write(tmp_path / "new.csv", new)
    args = ["center", tmp_path / "train.csv", "--group-column", "group", "--center-groups", "--rank", 2, "--dim", 1]
    json = facts(*args, "--save-model", tmp_path / "m.ritz")
    assert sorted(row["feature"] for row in json["result"]["loadings"]) == list("uvwxyz")
    assert sum(row["share"] for row in json["result"]["loadings"]) == pytest.approx(1)
    assert run_ritz("check", tmp_path / "m.ritz", tmp_path / "train.csv").status == 0
    run_ritz("predict", tmp_path / "m.ritz", tmp_path / "new.csv", "--label-column", "group", "--save-labels", tmp_path / "labels.txt")
    assert (tmp_path / "labels.txt").read_text().split() == [names[g] for _, g in new]
    whole = facts("center", tmp_path / "train.csv", "--group-column", "group", "--center-groups", "--dim", 1)
    assert whole["data"]["largest_dimension"] == 6  # the noise spans the rest, rounding adds none
    run = run_ritz("center", *saved(tmp_path, planes), "--center-groups")
    assert run.status == 2 and "--group-column" in run.err


def test_unrelated_subspaces_have_nothing_in_common_without_a_solve_to_the_end(tmp_path):
    """300 unrelated subspaces of R^100 took 68 CPU seconds: every order was solved to 1e-10 to be thrown away."""
    rng = np.random.default_rng(34)
    np.savez(tmp_path / "s.npz", bases=np.hstack([basis(rng, 100, 5) for _ in range(300)]), dims=[5] * 300)
    json = facts("center", tmp_path / "s.npz")
    assert json["result"]["order"] == 0 and any("solved roughly" in note for note in json["notes"])
    hybrid = json["result"]["orders"]["hybrid"]
    assert min(hybrid[1:]) > hybrid[0] + 0.5  # costs that a solve to the end would only raise


def test_groups_of_a_table_are_found_by_name(tmp_path):
    """A model of groups places and labels a file that still has the column of the groups, in any order of the columns."""
    import pandas as pd
    rng = np.random.default_rng(3)
    groups = np.repeat([0, 1], 30)
    bases = [np.linalg.qr(rng.normal(size=(5, 2)))[0] for _ in range(2)]
    X = np.array([bases[g] @ rng.normal(size=2) for g in groups]) + 0.01 * rng.normal(size=(60, 5))
    frame = pd.DataFrame(X, columns=list("abcde")).assign(day=groups)
    frame.to_csv(tmp_path / "t.csv", index=False)
    assert run_ritz("center", tmp_path / "t.csv", "--group-column", "day", "--rank", 2, "--save-model", tmp_path / "m", "--quiet").status == 0
    frame[["day", "e", "d", "c", "b", "a"]].to_csv(tmp_path / "new.csv", index=False)
    run = run_ritz("predict", tmp_path / "m", tmp_path / "new.csv", "--label-column", "day", "--json", "--quiet")
    assert run.status == 0 and run.json["result"]["agreement"]["accuracy"] > 0.9, run
    for name in ("t", "new"):
        run = run_ritz("transform", tmp_path / "m", tmp_path / f"{name}.csv", "--save-embedding", tmp_path / f"{name}.npy")
        assert run.status == 0, run
    assert np.allclose(np.load(tmp_path / "t.npy"), np.load(tmp_path / "new.npy"))
    assert facts("check", tmp_path / "m", tmp_path / "t.csv")["status"] == "holds"


def test_groups_that_fill_the_space_are_told_so(tmp_path):
    import pandas as pd
    rng = np.random.default_rng(3)
    pd.DataFrame(rng.normal(size=(60, 3)), columns=list("abc")).assign(day=np.repeat([0, 1], 30)).to_csv(tmp_path / "t.csv", index=False)
    found = run_ritz("center", tmp_path / "t.csv", "--group-column", "day")
    assert "NOTHING that would tell" in found.err and "--rank 2" in found.err, found
    assert "NOTHING" not in run_ritz("center", tmp_path / "t.csv", "--group-column", "day", "--rank", 2).err


def test_groups_that_are_the_same_are_told_so_without_rounding(tmp_path):
    """The columns of a category sum to one, and so do another's: all groups lack the same direction, and 3.6e-15 is no distance."""
    rng = np.random.default_rng(1)
    lines = [f"{x:.3f},{y:.3f},{'uvw'[i % 3]},{'pq'[i // 2 % 2]},{'ab'[i % 2]}" for i, (x, y) in enumerate(rng.normal(size=(60, 2)))]
    (tmp_path / "t.csv").write_text("x,y,k,l,group\n" + "\n".join(lines) + "\n")
    run = run_ritz("center", "t.csv", "--group-column", "group", "--report", "p.html", cwd=tmp_path)
    assert run.status == 0 and "all subspaces are the same" in run.err and "--rank 2" in run.err and "e-1" not in run.err, run
    head = re.search(r"<h1>.*?</dl>", (tmp_path / "p.html").read_text(), re.S)[0]
    assert not re.search(r"\de-1\d", head), head
