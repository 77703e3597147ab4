# SPDX-License-Identifier: MIT
"""Each rule of the house must be able to fail."""
import check_layers
import pytest

ORDER = """set(RITZ_LAYERS
    base
    linalg
    data
    graph metrics
    model
    backends
    algorithms
    tasks)
set(RITZ_PROGRAM_LAYERS
    reproduce
    cli)
"""


@pytest.fixture
def put(tmp_path):
    def write(name, text=""):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return name

    write("cmake/layers.cmake", ORDER)
    write.root = tmp_path
    return write


def found(put, rule):
    return [(path, what) for name, path, what in check_layers.violations(put.root) if name == rule]


def test_lower_and_own_layers_are_allowed(put):
    put("src/model/a.cpp", '#include <vector>\n#include "model/b.hpp"\n#include "ritz/linalg/eigen.hpp"\n')
    put("src/graph/c.cpp", '#include "ritz/metrics/clustering.hpp"\n#include <sys/stat.h>\n')

    assert check_layers.violations(put.root) == []


def test_a_higher_layer_is_named(put):
    public = put("include/ritz/base/a.hpp", '#include "ritz/linalg/eigen.hpp"\n')
    private = put("src/backends/cpu/b.cpp", '  # include "algorithms/ism.hpp"\n')

    assert [path for path, _ in found(put, "layers")] == [public, private]


def test_a_folder_that_is_no_layer_is_named(put):
    path = put("src/util/a.cpp")

    assert found(put, "layers") == [(path, "its folder is not one of the layers")]


def test_what_a_folder_keeps_to_itself_is_not_included_elsewhere(put):
    put("src/data/formats/record.hpp")
    path = put("src/graph/a.cpp", '#include "data/formats/record.hpp"\n')
    put("src/data/io.cpp", '#include "data/formats/record.hpp"\n')

    assert [each for each, _ in found(put, "private")] == [path]


def test_a_public_header_includes_public_ones_only(put):
    path = put("include/ritz/model/a.hpp", '#include "linalg/dense.hpp"\n')

    assert [each for each, _ in found(put, "private")] == [path]


def test_kernels_are_seen_by_model_and_backends_only(put):
    put("src/model/kernel_list.hpp")
    path = put("src/algorithms/ism/a.cpp", '#include "model/kernel_list.hpp"\n')
    put("src/backends/cpu/b.cpp", '#include "model/kernel_list.hpp"\n')

    assert [each for each, _ in found(put, "private")] == [path]


def test_a_verb_does_not_include_another(put):
    put("src/tasks/registry.cpp", '#include "tasks/reduce/task.hpp"\n#include "tasks/kernel/task.hpp"\n')
    put("src/tasks/reduce/task.cpp")
    put("src/tasks/model/access.hpp")
    path = put("src/tasks/kernel/task.cpp", '#include "tasks/reduce/task.hpp"\n#include "tasks/model/access.hpp"\n')

    assert [each for each, _ in found(put, "verbs")] == [path]


@pytest.mark.parametrize("text", ['std::cout << "x";', 'printf("x");', 'throw Error("--dim is 0");'])
def test_the_library_neither_prints_nor_names_flags(put, text):
    path = put("src/model/a.cpp", text)
    put("src/cli/b.cpp", text)
    put("src/model/c.cpp", '// --dim\nthrow Error("model.dim -- or so");')

    assert [each for each, _ in found(put, "words")] == [path]


@pytest.mark.parametrize("loop", [
    "for (Index i = 0; i < n; ++i)\n  for (Index j = i + 1; j < n; ++j) f(i, j);",
    "for (Index j = 1; j < n; ++j)  // the other order\n  for (Index i = 0; i < j; ++i) f(i, j);",
    "for (Index i = 0; i < X.rows(); ++i) {\n  context.poll();\n  for (Index j = 0; j < X.rows(); ++j) {\n    f(i, j);\n  }\n}",
    "for (Index i = 0; i < n; i += tile) {\n  pack(i);\n  for (Index j = i; j < n; j += tile) product(i, j);\n}",
    "for_each_tile(tile_count(n, kRows), context, [&](Index t) {\n  for (Index j = 0; j < n; ++j) f(t, j);\n});",
    "for (Index t = 0; t < tile_count(n, kRows); ++t) {\n  for (Index j = 0; j < n; ++j) f(t, j);\n}",
    "for_each_tile(tiles * (tiles + 1) / 2, context, [&](Index t) { product(t); });",
])
def test_pairs_are_swept_by_backends_only(put, loop):
    path = put("src/algorithms/isometry/a.cpp", loop)
    put("src/backends/cpu/b.cpp", loop)

    assert [each for each, _ in found(put, "pairs")] == [path]


@pytest.mark.parametrize("loop", [
    "for (Index i = 0; i < n; ++i) f(i);\nfor (Index j = 0; j < n; ++j) g(j);",
    "for (Index i = 0; i < n; ++i) {\n  for (Index j = 0; j < d; ++j) f(i, j);\n}\nfor (Index k = 0; k < n; ++k) g(k);",
    "for (Index i = 0; i < d; ++i)\n  for (Index j = 0; j < d; ++j) f(i, j);",
])
def test_loops_over_samples_and_columns_are_free(put, loop):
    put("src/algorithms/isometry/a.cpp", loop)

    assert found(put, "pairs") == []


def test_an_excuse_that_is_not_needed_is_named(put):
    path = put("src/graph/pairs.cpp", "for (Index i = 0; i < n; ++i) f(i);")

    assert [each for each, _ in found(put, "pairs")] == [path]


@pytest.mark.parametrize("text", ["LAPACKE_dsyevd(x);", "Eigen::SelfAdjointEigenSolver<Matrix> s(A);",
                                  "Eigen::EigenSolver<Matrix> s(A);", "A.llt().solve(b)"])
def test_decompositions_are_called_in_linalg_only(put, text):
    path = put("src/algorithms/center/a.cpp", text)
    put("src/linalg/dense/b.cpp", text)
    put("src/tasks/kernel/check.cpp", text)
    put("src/algorithms/center/c.cpp", "EigenSolver eigen(method);")

    assert [each for each, _ in found(put, "dense")] == [path]


@pytest.mark.parametrize("table, rows, kept, forgotten, text", [
    ("src/model/kernel_list.hpp", '#include "model/kernels/linear.hpp"', "src/model/kernels/linear.hpp", "src/model/kernels/cosine.hpp", "{}"),
    ("src/model/loss_list.hpp", '#include "model/losses/hinge.hpp"', "src/model/losses/hinge.hpp", "src/model/losses/huber.hpp", "{}"),
    ("src/data/formats/format_list.cpp", "extern const FormatRow csv, mat;\nlist = {&csv};", "src/data/formats/csv.cpp",
     "src/data/formats/mat.cpp", "extern const FormatRow {} = 1;"),
    ("src/data/synthetic/sets.cpp", '{"moons", "two", moons},', "src/data/synthetic/moons.cpp", "src/data/synthetic/rings.cpp",
     "Generated {}(const GenerateOptions& options);"),
    ("src/backends/backends.cpp", "static cpu backend;", "src/backends/a/cpu.hpp", "src/backends/b/vulkan.hpp",
     "class {} final : public Backend"),
    ("src/tasks/registry.cpp", '#include "tasks/reduce/task.hpp"', "src/tasks/reduce/task.cpp", "src/tasks/unfold/task.cpp", "{}"),
    ("src/reproduce/reproduction.cpp", "Paper gmeb();\nPaper kdac();\nall = {gmeb()};", "src/reproduce/a/gmeb.cpp",
     "src/reproduce/b/kdac.cpp", "Paper {}() {{"),
])
def test_a_row_that_is_forgotten_is_named(put, table, rows, kept, forgotten, text):
    put(table, rows)
    for path in (kept, forgotten):
        put(path, text.format(path.split("/")[-1].split(".")[0]))

    assert [each for each, _ in found(put, "lists")] == [forgotten]


def test_contributing_draws_the_layers_in_the_order_that_is_kept():
    root = check_layers.pathlib.Path(__file__).parents[1]
    drawn = (root / "CONTRIBUTING.md").read_text().split("```text\nbase")[1].split("```")[0]
    ranks = [part.split(" · ") for part in ("base" + drawn).replace("\n", " ").split("→")]

    order = check_layers.layers_of(root)

    assert [sorted(each.strip() for each in rank) for rank in ranks] == [sorted(rank) for rank in order]


def test_a_header_that_nobody_includes_is_named(put):
    path = put("src/model/lonely.hpp")

    assert found(put, "unused") == [(path, "is included by nobody")]


def test_every_table_is_found_in_this_tree():
    tree = check_layers.Tree(check_layers.pathlib.Path(__file__).parents[1])
    for files, row, table, _ in check_layers.TABLES:
        assert table in tree.files
        matching = [text for path, text in tree.files.items() if check_layers.re.fullmatch(files, path)]
        rows = [name for text in matching for name in check_layers.re.findall(row, text, check_layers.re.MULTILINE)] if row else matching
        assert len(rows) >= 2, files
