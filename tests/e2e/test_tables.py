# SPDX-License-Identifier: MIT
"""Tables as pandas, R, Excel and databases write them, through every verb that takes one: the same numbers as of the plainly
numeric file, told by the hash of the data, or one sentence that names the cure."""
import gzip
import io
import shlex
import sqlite3

import numpy as np
import pandas as pd
import pytest

from conftest import facts, run_ritz

rng = np.random.default_rng(5)
N = 24
LABELS = np.repeat(["setosa", "versicolor", "virginica"], N // 3)
A, B = (np.round(rng.normal(size=N) + np.repeat([0, 2, 5], N // 3), 2) for _ in range(2))
C = np.round(1000 + 900 * rng.random(N) + np.repeat([0, 3000, 9000], N // 3), 1)
FLAG = rng.random(N) < 0.4
COLOR = np.array(["red", "green", "blue", "green"])[np.arange(N) * 7 % 4]
SIZE = np.array(["small", "medium", "large"])[np.arange(N) * 5 % 3]
DAYS = np.arange(N) * 37 % 400
FRAME = pd.DataFrame({"a": A, "b": B, "c": C})
DATES = pd.to_datetime("1970-01-01") + pd.to_timedelta(DAYS, unit="D")


def csv(frame, **how):
    return frame.to_csv(**{"index": False, **how})


def with_label(frame, name="label"):
    return frame.assign(**{name: LABELS})


def r_lines(frame, sep=" ", mark=".", header_rest="", names=None):
    """What R's write.table gives: texts in quotes, and the rows' names in front."""
    def field(value):
        return f'"{value}"' if isinstance(value, str) else repr(float(value)).replace(".", mark)
    names = names or range(1, len(frame) + 1)
    head = sep.join(f'"{c}"' for c in frame.columns)
    return "\n".join([header_rest + head] + [sep.join([f'"{name}"'] + [field(v) for v in row])
                                             for name, row in zip(names, frame.itertuples(index=False))]) + "\n"


def grouped(value, mark=",", point="."):
    return f"{value:,.1f}".replace(",", "_").replace(".", point).replace("_", mark)


GAPS = with_label(FRAME.assign(a=[np.nan if i in (2, 9) else v for i, v in enumerate(A)]))
HALF = GAPS.dropna()
L = with_label(FRAME)
D = with_label(FRAME.assign(d=DAYS))
MIXED = with_label(FRAME.assign(note=["broken" if i == 3 else str(v) for i, v in enumerate(DAYS)]))
CODES = np.array(["01234", "02139", "94110"])[np.arange(N) * 5 % 3]
CODED = with_label(pd.concat([FRAME, pd.get_dummies(pd.Series(CODES)).astype(int)], axis=1))
COUNTRY = np.array(["DE", "NA", "ZA", "CH"])[np.arange(N) * 7 % 4]
COUNTS = pd.DataFrame({"a": DAYS, "b": DAYS * 3 % 97, "c": 1 + np.arange(N) * 11 % 23 + 100 * np.repeat([0, 2, 5], N // 3)})
REMARKS = with_label(FRAME.assign(remark=[f"text {i // 2} {i % 2 if i > 3 else ''}" for i in range(N)]))

# name: (content, further options, the plainly numeric table)
TABLES = {
    "pandas": (csv(L), [], L),
    "pandas index": (csv(L, index=True), [], L),
    "pandas index twice": (csv(pd.read_csv(io.StringIO(csv(L, index=True))), index=True), [], L),
    "pandas numbers as names": (csv(with_label(pd.DataFrame(FRAME.values))), [], L),
    "pandas numbers as names, index": (csv(with_label(pd.DataFrame(FRAME.values)), index=True), [], L),
    "pandas, all quoted": (csv(L, quoting=1), [], L),
    "pandas booleans": (csv(with_label(FRAME.assign(f=FLAG))), [], with_label(FRAME.assign(f=FLAG.astype(int)))),
    "pandas dates": (csv(with_label(FRAME.assign(d=DATES.strftime("%Y-%m-%d")))), [], with_label(FRAME.assign(d=DAYS))),
    "pandas datetimes": (csv(with_label(FRAME.assign(d=DATES.strftime("%Y-%m-%d 12:00:00")))), [],
                         with_label(FRAME.assign(d=DAYS + 0.5))),
    "pandas categories": (csv(with_label(FRAME.assign(color=COLOR))), [],
                          with_label(pd.concat([FRAME, pd.get_dummies(pd.Series(COLOR)).astype(int)], axis=1))),
    "pandas gzip": (gzip.compress(csv(L).encode()), [], L),
    "R write.csv": (r_lines(L, ",", header_rest='"",'), [], L),
    "R write.table": (r_lines(L), [], L),
    "R write.csv2": (r_lines(L, ";", ",", header_rest='"";'), [], L),
    "R tabs, row names": (r_lines(L, "\t", names=[f"plant {i}" for i in range(N)]), [], L),
    "R logical and NA": (csv(with_label(FRAME.assign(f=np.where(FLAG, "TRUE", "FALSE"), a=GAPS.a)), na_rep="NA"), ["--na", "drop"],
                         with_label(FRAME.assign(f=FLAG.astype(int), a=GAPS.a)).dropna()),
    "Excel semicolon": ("\ufeff" + csv(L, sep=";", decimal=",", lineterminator="\r\n"), [], L),
    "Excel sep=": ("sep=;\r\n" + csv(L, sep=";", decimal=",", lineterminator="\r\n"), [], L),
    "Excel thousands": (csv(L.assign(c=[grouped(v) for v in C])), [], L),
    "Excel thousands, comma": (csv(L.assign(c=[grouped(v, ".", ",") for v in C], a=L.a.map(lambda v: str(v).replace(".", ",")),
                                            b=L.b.map(lambda v: str(v).replace(".", ","))), sep=";"), [], L),
    "Excel last delimiter": (csv(L).replace("\n", ",\n"), [], L),
    "Excel Latin-1": (csv(L.rename(columns={"a": "größe"}).replace("setosa", "sétosa")).encode("latin-1"), [], L),
    "database tabs, \\N": (csv(GAPS, sep="\t", na_rep="\\N"), ["--na", "drop"], HALF),
    "database NULL": (csv(GAPS, na_rep="NULL"), ["--na", "median"], GAPS.fillna({"a": GAPS.a.median()})),
    "database t/f": (csv(with_label(FRAME.assign(f=np.where(FLAG, "t", "f")))), [], with_label(FRAME.assign(f=FLAG.astype(int)))),
    "yes and no": (csv(with_label(FRAME.assign(f=np.where(FLAG, "yes", "no")))), [], with_label(FRAME.assign(f=FLAG.astype(int)))),
    "UCI ?": (csv(GAPS, na_rep="?"), ["--na", "median"], GAPS.fillna({"a": GAPS.a.median()})),
    "ids": (csv(L.assign(customer_id=np.arange(N) * 17 % 101 + 500, name=[f"p{i}" for i in range(N)])), [], L),
    "ordered": (csv(with_label(FRAME.assign(size=SIZE))), ["--kind", "size=ordered(small,medium,large)"],
                with_label(FRAME.assign(size=[1 + ["small", "medium", "large"].index(s) for s in SIZE]))),
    "some columns": (csv(L.assign(x=DAYS)[["x", "label", "c", "b", "a"]]), ["--columns", "c,a"], L[["c", "a"]].assign(label=LABELS)),
    "numbers with a word": (csv(MIXED), ["--kind", "note=number", "--na", "drop"],
                            with_label(FRAME.assign(note=DAYS)).drop(index=3)),
    "remarks": (csv(REMARKS), ["--drop-column", "remark"], L),
    "comments": ("# measured in May\n" + csv(L), [], L),
    "day first": (csv(D.assign(d=DATES.strftime("%d.%m.%Y"))), [], D),
    "month first": (csv(D.assign(d=DATES.strftime("%m/%d/%Y 12:00 AM"))), [], D),
    "year of two digits": (csv(D.assign(d=DATES.strftime("%d/%m/%y"))), [], D),
    "named months": (csv(D.assign(d=DATES.strftime("%d-%b-%Y"))), [], D),
    "SAS dates, . missing": (csv(D.assign(d=DATES.strftime("%d%b%Y").str.upper(), a=GAPS.a), na_rep="."), ["--na", "drop"],
                             D.assign(a=GAPS.a).dropna()),
    "US letters": (csv(D.assign(d=DATES.strftime("%B %d, %Y"))), [], D),
    "times": (csv(with_label(FRAME.assign(t=[f"{i % 24:02}:30" for i in range(N)]))), [],
              with_label(FRAME.assign(t=[(i % 24 * 60 + 30) * 60 / 86400 for i in range(N)]))),
    "dollars": (csv(L.assign(c=[f"${v:,.2f}" for v in C])), [], L),
    "euros": (csv(L.assign(c=[grouped(v, ".", ",") + " €" for v in C], a=L.a.map(lambda v: str(v).replace(".", ",")),
                           b=L.b.map(lambda v: str(v).replace(".", ","))), sep=";"), [], L),
    "percent": (csv(L.assign(a=[f"{v}%" for v in A])), [], L),
    "units": (csv(L.assign(b=[f"{v} kg" for v in B])), [], L),
    "accounting": (csv(L.assign(a=[f"({-v})" if v < 0 else v for v in A])), [], L),
    "typographer's minus": (csv(L).replace("-", "\u2212"), [], L),
    "French groups": (csv(L.assign(c=[grouped(v, "\u202f", ",") for v in C], a=L.a.map(lambda v: str(v).replace(".", ",")),
                                   b=L.b.map(lambda v: str(v).replace(".", ","))), sep=";"), [], L),
    "French groups, Latin-1": (csv(L.assign(c=[grouped(v, "\u00a0", ",") for v in C], a=L.a.map(lambda v: str(v).replace(".", ",")),
                                            b=L.b.map(lambda v: str(v).replace(".", ","))), sep=";").encode("latin-1"), [], L),
    "Swiss groups": (csv(L.assign(c=[grouped(v, "'") for v in C])), [], L),
    "words for nothing": (csv(GAPS.assign(a=[{2: "None", 9: "-"}.get(i, v) for i, v in enumerate(GAPS.a)])), ["--na", "drop"], HALF),
    "Excel errors in front": (csv(GAPS.assign(a=[{2: "#N/A", 9: "#REF!"}.get(i, v) for i, v in enumerate(GAPS.a)])), ["--na", "drop"], HALF),
    "colours in front": (csv(with_label(FRAME)[["label", "a", "b", "c"]]).replace("setosa", "#ff0000"), [], L),
    "any case of true": (csv(with_label(FRAME.assign(f=[str(v).upper() if i % 3 else str(v) for i, v in enumerate(FLAG)]))), [],
                         with_label(FRAME.assign(f=FLAG.astype(int)))),
    "scale in words": (csv(with_label(FRAME.assign(size=SIZE))), [],
                       with_label(FRAME.assign(size=[1 + ["small", "medium", "large"].index(s) for s in SIZE]))),
    "texts of two lines": (csv(with_label(FRAME.assign(color=[f"{c}\n, {c}" for c in COLOR]))), [],
                           with_label(pd.concat([FRAME, pd.get_dummies(pd.Series(COLOR)).astype(int)], axis=1))),
    "bars": (csv(L, sep="|"), [], L),
    "psql": (" a | b | c | label \n---+---+---+-------\n" + csv(L, sep="|", header=False).replace("|", " | ") + f"({N} rows)\n", [], L),
    "markdown": ("| a | b | c | label |\n|---|---|---|---|\n" + "".join(f"| {line.replace(',', ' | ')} |\n" for line in csv(L, header=False).split()), [], L),
    "single quotes": ("".join("'" + line.replace(",", "','") + "'\n" for line in csv(L).split()), [], L),
    "title": ("Report of sales\nCreated: 2024-01-01\n\n" + csv(L), [], L),
    "last delimiter in rows only": (csv(L).replace("\n", ",\n").replace(",\n", "\n", 1), [], L),
    "UTF-16": (csv(L, lineterminator="\r\n").encode("utf-16"), [], L),
    "UTF-16, the other way": (("\ufeff" + csv(L, sep="\t")).encode("utf-16-be"), [], L),
    "line of units": (csv(L).replace("\n", "\nkg,cm,EUR,\n", 1), [], L),
    "two lines of names": (csv(L).replace("\n", "\nmean,std,mean,\n", 1).replace("a,b,c,label", "x,x,y,label"), [], L),
    "places with zeros": (csv(with_label(FRAME.assign(zip=CODES))), [], CODED),
    "articles with zeros": (csv(with_label(FRAME.assign(article=[f"{i * 37:06}" for i in range(N)]))), [], L),
    "many codes with zeros": (csv(with_label(FRAME.assign(zip=[f"{i // 2 * 37 if i < 6 else i * 99:05}" for i in range(N)]))), [], L),
    "zeros that are numbers": (csv(with_label(FRAME.assign(zip=CODES))), ["--kind", "zip=number"],
                               with_label(FRAME.assign(zip=CODES.astype(int)))),
    "zeros everywhere": (csv(with_label(COUNTS.applymap("{:05}".format))), [], with_label(COUNTS)),
    "Namibia": (csv(with_label(FRAME.assign(country=COUNTRY))), ["--kind", "country=category(NA)"],
                with_label(pd.concat([FRAME, pd.get_dummies(pd.Series(COUNTRY)).astype(int)], axis=1))),
    "no Namibia": (csv(with_label(FRAME.assign(country=COUNTRY))), ["--na", "drop"],
                   with_label(pd.concat([FRAME, pd.get_dummies(pd.Series(COUNTRY)).astype(int)], axis=1))[COUNTRY != "NA"].drop(columns="NA")),
    "pandas months": (csv(D.assign(d=DATES.to_period("M").astype(str))), [],
                      D.assign(d=(DATES.to_period("M").to_timestamp() - pd.Timestamp("1970-01-01")).days)),
    "pandas quarters": (csv(D.assign(d=DATES.to_period("Q").astype(str))), [],
                        D.assign(d=(DATES.to_period("Q").to_timestamp() - pd.Timestamp("1970-01-01")).days)),
    "pandas durations": (csv(D.assign(d=pd.to_timedelta(DAYS * 12.0 - 60, unit="h"))), [], D.assign(d=DAYS / 2 - 2.5)),
    "pandas time zones": (csv(D.assign(d=(DATES + pd.Timedelta("12h")).tz_localize("Etc/GMT-6"))), [], D.assign(d=DAYS + 0.25)),
    "pandas nullable": (csv(with_label(FRAME.assign(i=pd.array([None if k in (2, 9) else k * 5 % 7 for k in range(N)], dtype="Int64"))),
                            na_rep="<NA>"), ["--na", "drop"], with_label(FRAME.assign(i=np.arange(N) * 5 % 7)).drop(index=[2, 9])),
    "pandas, names twice": (csv(L.rename(columns={"b": "a"})), [], L),
    "ja und nein": (csv(with_label(FRAME.assign(f=np.where(FLAG, "ja", "nein")))), [], with_label(FRAME.assign(f=FLAG.astype(int)))),
    "Swiss francs": (csv(L.assign(c=["CHF " + grouped(v, "'") for v in C])), [], L),
    "MySQL": ("+---+---+---+---+\n| a | b | c | label |\n+---+---+---+---+\n" +
              "".join(f"| {line.replace(',', ' | ')} |\n" for line in csv(L, header=False).split()) +
              f"+---+---+---+---+\n{N} rows in set (0.01 sec)\n", [], L),
    "empty columns": (csv(L.assign(e=np.nan, f="")), [], L),
    "empty columns without names": (csv(L).replace("\n", ",,,\n"), [], L),
    "UUIDs and telephones": (csv(L.assign(key=[f"{i * 7919:08x}-0000-4000-8000-{i:012x}" for i in range(N)],
                                          phone=[f"+41 79 {i:03} {i * 7 % 100:02} 11" for i in range(N)])), [], L),
    "fixed width": ("a      b      c       label\n" + "".join(f"{a:6.2f} {b:6.2f} {c:8.1f}  {y}\n" for a, b, c, y in zip(A, B, C, LABELS)), [], L),
    "quotes in quotes": (csv(L).replace("setosa", '"""setosa"""'), [], L),
    "empty lines and blanks": (csv(L).replace("\n", "  \n\n").replace(",", " , "), [], L),
}
VERBS = {
    "reduce": ["--label-column", "label", "--preset", "paper", "--dim", "1", "--kernel", "linear", "--curvature", "never"],
    "recluster": ["--given", "label", "--clusters", "2", "--dim", "1"],
    "kernel": ["--label-column", "label", "--fraction", "0.5"],
    "unfold": ["--label-column", "label", "--method", "spe", "--time-limit", "1"],
    "isometry": ["--label-column", "label", "--distortion", "0.6"],
    "center": ["--group-column", "label"],
    "depend": ["--label-column", "label", "--permutations", "19"],
}


def write(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def data_hash(verb, path, options):
    run = run_ritz(verb, path, *VERBS[verb], *options, "--threads", "1", "--json", "--quiet")
    assert run.status in (0, 4), run
    return run.json["data"]["hash"]


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_reads_every_table(verb, tmp_path):
    plain = {}
    for number, (name, (content, options, expected)) in enumerate(TABLES.items()):
        text = csv(expected)
        if text not in plain:
            plain[text] = data_hash(verb, write(tmp_path / f"plain{number}.csv", text), [])
        ending = ".csv.gz" if isinstance(content, bytes) and content[:2] == b"\x1f\x8b" else ".csv"
        assert data_hash(verb, write(tmp_path / f"t{number}{ending}", content), options) == plain[text], name


def test_there_are_tables_enough():
    assert len(TABLES) >= 25


@pytest.mark.parametrize("name,cure", [("Namibia", "category(NA)"), ("numbers with a word", "--kind 'note=number'"), ("remarks", "--drop-column 'remark'"),
                                       ("database NULL", "--na drop or --na mean")])
def test_what_cannot_be_read_is_one_sentence_with_its_cure(name, cure, tmp_path):
    path = write(tmp_path / "t.csv", TABLES[name][0])
    for verb in VERBS:
        run = run_ritz(verb, path, *VERBS[verb])
        assert run.status == 3 and cure in run.err and run.err.count("\n") == 1, run


def test_foreign_files_are_named(tmp_path):
    with sqlite3.connect(tmp_path / "t.db") as base:
        L.to_sql("t", base)
    marks = {"t.parquet": (b"PAR1\x15\0\0PAR1", "Parquet"), "t.feather": (b"ARROW1\0\0rest", "Feather"),
             "t.xls": (b"\xd0\xcf\x11\xe0\xa1\xb1\0\0", "Excel"), "t.rds": (gzip.compress(b"X\n\0\0\0\3\0\4"), "R object"),
             "t.xlsx": (b"PK\x03\x04\x14\0\x06\0[Content_Types].xml\0\0", "Excel"), "t.db": ((tmp_path / "t.db").read_bytes(), "SQLite"),
             "t.sql": (b"CREATE TABLE t (a int);\nINSERT INTO t VALUES (1);\n", "SQL"), "t.json": (L.to_json(orient="records").encode(), "JSON"), "t.html": (L.to_html().encode().replace(b"<table", b"<html><table", 1), "web page")}
    for file, (content, word) in marks.items():
        run = run_ritz("reduce", write(tmp_path / file, content), "--label-column", "label")
        assert run.status == 3 and word in run.err and "CSV" in run.err and run.err.count("\n") == 1, run


@pytest.fixture(scope="module")
def fitted(tmp_path_factory):
    """A model of a table with all kinds of columns and gaps."""
    folder = tmp_path_factory.mktemp("fitted")
    frame = with_label(FRAME.assign(color=COLOR, smoker=np.where(FLAG, "yes", "no"), born=DATES.strftime("%Y-%m-%d")))
    frame.loc[2, "a"] = np.nan
    frame.loc[5, "color"] = np.nan
    path = write(folder / "fit.csv", csv(frame))
    run = run_ritz("reduce", path, "--label-column", "label", "--na", "median", "--dim", "2", "--preset", "paper", "--kernel", "linear",
                   "--save-model", folder / "m.ritz", "--save-embedding", folder / "z.npy")
    assert run.status == 0, run
    return folder, frame, np.load(folder / "z.npy")


def transformed(folder, frame, *options):
    write(folder / "new.csv", csv(frame))
    run = run_ritz("transform", folder / "m.ritz", folder / "new.csv", *options, "--save-embedding", folder / "new.npy", "--quiet")
    assert run.status == 0, run
    return np.load(folder / "new.npy")


def test_transform_finds_columns_by_name_and_fills_what_the_fit_learnt(fitted):
    folder, frame, Z = fitted
    assert np.allclose(transformed(folder, frame), Z)  # the label column is no obstacle
    assert np.allclose(transformed(folder, frame[frame.columns[::-1]].assign(other="x")), Z)
    for row in (2, 5):  # the same coordinates in any company
        assert np.allclose(transformed(folder, frame.iloc[[row]].drop(columns="label")), Z[[row]])


def test_new_samples_that_do_not_fit_are_told_by_name(fitted):
    folder, frame, _ = fitted
    for changed, words in [(frame.drop(columns=["b", "color"]), ["'b'", "'color'"]),
                           (frame.replace({"color": {"red": "mauve"}}), ["'mauve'", "'color'", "--unseen other"]),
                           (frame.assign(b="x"), ["'b'", "not a number"])]:
        write(folder / "bad.csv", csv(changed))
        run = run_ritz("transform", folder / "m.ritz", folder / "bad.csv")
        assert run.status in (2, 3) and all(word in run.err for word in words) and run.err.count("\n") == 1, run
    other = transformed(folder, frame.replace({"color": {"red": "mauve"}}), "--unseen", "other")
    assert np.isfinite(other).all()


def test_predict_and_check_take_the_file_as_the_fit_did(fitted):
    folder, frame, _ = fitted
    permuted = write(folder / "permuted.csv", csv(frame[frame.columns[::-1]]))
    labels = facts("predict", folder / "m.ritz", permuted)["result"]["labels"]
    assert sorted(labels) == sorted(set(LABELS))
    assert facts("check", folder / "m.ritz", folder / "fit.csv")["data"]["same_as_fit"]
    assert facts("check", folder / "m.ritz", permuted)["data"]["same_as_fit"]


def test_predicting_what_was_fitted_is_told(fitted):
    folder, frame, _ = fitted
    run = run_ritz("predict", folder / "m.ritz", folder / "fit.csv", "--label-column", "label", "--save-labels", folder / "p.csv")
    assert run.status == 0 and "the samples of the fit" in run.err and "--holdout" in run.err, run
    other = write(folder / "half.csv", csv(frame.iloc[::2]))
    assert "the samples of the fit" not in run_ritz("predict", folder / "m.ritz", other, "--label-column", "label", "--save-labels", folder / "p.csv").err


def test_categories_are_kept_together_under_their_name(tmp_path):
    path = write(tmp_path / "t.csv", TABLES["pandas categories"][0])
    result = facts("reduce", path, *VERBS["reduce"])["result"]
    columns = {each["column"]: each["relevance"] for each in result["column_relevance"]}
    assert set(columns) == {"a", "b", "c", "color"} and sum(columns.values()) == pytest.approx(1)
    assert columns["color"] == pytest.approx(sum(e["relevance"] for e in result["relevance"] if e["feature"].startswith("color=")))


def test_pairs_may_be_numbers_or_recognised_names(tmp_path):
    path = write(tmp_path / "t.csv", csv(FRAME.assign(name=[f"p{i}" for i in range(N)])))
    numbers = write(tmp_path / "numbers.csv", "0,1,must\n0,20,cannot\n")
    names = write(tmp_path / "names.csv", "p0,p1,must\np0,p20,cannot\n")
    objectives = [facts("kernel", path, "--pairs", pairs, "--clusters", "2")["objective"] for pairs in (numbers, names)]
    assert objectives[0] == objectives[1]


def test_dropped_rows_are_kept_by_name(tmp_path):
    frame = GAPS.assign(name=[f"p{i}" for i in range(N)])
    json = facts("reduce", write(tmp_path / "t.csv", csv(frame)), *VERBS["reduce"], "--na", "drop")
    assert json["data"]["dropped_rows"] == [{"row": 3, "id": "p2"}, {"row": 10, "id": "p9"}]
    assert any("p2, p9" in note for note in json["notes"])


def test_neighbours_fill_gaps(tmp_path):
    path = write(tmp_path / "t.csv", csv(GAPS.drop(columns="label")))
    run = run_ritz("isometry", path, "--na", "knn", "--distortion", "0.6", "--save-model", tmp_path / "m", "--save-embedding", tmp_path / "z.npy")
    assert run.status in (0, 4), run
    write(tmp_path / "one.csv", csv(GAPS.drop(columns="label").iloc[[2]]))
    assert run_ritz("transform", tmp_path / "m", tmp_path / "one.csv", "--save-embedding", tmp_path / "one.npy").status == 0
    assert np.allclose(np.load(tmp_path / "one.npy"), np.load(tmp_path / "z.npy")[[2]])


def test_numbers_as_classes_are_asked_about(tmp_path):
    path = write(tmp_path / "t.csv", csv(FRAME.assign(medv=np.round(A * 3 + B, 2))))
    run = run_ritz("reduce", path, "--label-column", "medv")
    assert run.status == 2 and "did you mean --target-column 'medv'?" in run.err, run
    assert facts("reduce", path, "--label-column", "medv", "--kind", "medv=category", "--preset", "paper")["data"]["d"] == 3


def test_clusters_are_looked_for_where_nothing_else_is_told(tmp_path):
    path = write(tmp_path / "t.csv", csv(FRAME))
    assert facts("reduce", path, "--clusters", "3")["options"]["mode"] == "unsupervised"


@pytest.mark.parametrize("name", ["pandas categories", "R write.table", "UCI ?", "remarks", "ids", "pandas index"])
def test_describe_suggests_commands_that_run(name, tmp_path):
    content = TABLES[name][0]
    write(tmp_path / "my table.csv", content)
    json = facts("describe", "my table.csv", cwd=tmp_path)
    assert json["data"]["n"] == N and json["result"]["label"] == "label"
    assert json["result"]["commands"]
    for command in json["result"]["commands"]:
        run = run_ritz(*shlex.split(command)[1:], "--quiet", cwd=tmp_path)
        assert run.status in (0, 4), run


@pytest.mark.parametrize("content", ["", "\n\n", "a,b,label\n", "a,b,label\n1,2,x\n", "a\n" + "".join(f"{v}\n" for v in A),
                                     csv(L.assign(label=np.nan)), csv(L[["label"]])],
                         ids=["nothing", "blank lines", "a header", "a row", "a column", "no labels", "labels alone"])
def test_tables_with_too_little_are_told_in_a_sentence(content, tmp_path):
    path = write(tmp_path / "t.csv", content)
    for verb in VERBS:
        run = run_ritz(verb, path, *VERBS[verb])
        assert run.status in (2, 3) and run.err.count("\n") == 1 or (verb == "center" and run.status == 0), run


def test_describe_fits_a_screen_however_wide_the_table(tmp_path):
    frame = pd.DataFrame(rng.normal(size=(N, 300)), columns=[f"a gene with quite a long name {j}" for j in range(300)])
    frame["odd"] = MIXED["note"]
    write(tmp_path / "t.csv", csv(with_label(frame)))
    lines = run_ritz("describe", "t.csv", cwd=tmp_path).err.splitlines()
    assert len(lines) <= 24 and any("odd" in line and "OF NO USE" in line for line in lines)
    assert all(len(line) <= 80 for line in lines if "ritz " not in line)
    every = run_ritz("describe", tmp_path / "t.csv", "--verbose").err.splitlines()
    assert len(every) > 300


def test_describe_tells_what_is_there(tmp_path):
    frame = L.assign(color=COLOR, k=7, id=np.arange(N) + 1)
    frame.loc[3, "b"] = np.nan
    frame = pd.concat([frame, frame.iloc[[0]].assign(id=N + 1)])
    json = facts("describe", write(tmp_path / "t.csv", csv(frame)))
    columns = {column["name"]: column for column in json["result"]["columns"]}
    assert {name: column["kind"] for name, column in columns.items()} == {
        "a": "number", "b": "number", "c": "number", "label": "category", "color": "category", "k": "number", "id": "id"}
    assert columns["b"]["missing"] == 1 and columns["k"]["constant"] and columns["color"]["counts"]["green"] == sum(COLOR == "green")
    assert json["data"]["duplicate_rows"] == 1 and json["data"]["incomplete_rows"] == 1
    text = run_ritz("describe", tmp_path / "t.csv").err
    assert "ritz reduce" in text and "constant: 7" in text
    numbered = write(tmp_path / "n.csv", csv(L.assign(label=[0] * 4 + [1] * (N - 4))))
    assert f"'label': 2 of them, 4 to {N - 4} rows each" in run_ritz("describe", numbered).err
