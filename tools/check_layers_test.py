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
])
def test_pairs_are_swept_by_backends_only(put, loop):
    path = put("src/algorithms/isometry/a.cpp", loop)
    put("src/backends/cpu/b.cpp", loop)

    assert [each for each, _ in found(put, "pairs")] == [path]


@pytest.mark.parametrize("text", ["LAPACKE_dsyevd(x);", "Eigen::SelfAdjointEigenSolver<Matrix> s(A);",
                                  "Eigen::EigenSolver<Matrix> s(A);", "A.llt().solve(b)"])
def test_decompositions_are_called_in_linalg_only(put, text):
    path = put("src/algorithms/center/a.cpp", text)
    put("src/linalg/dense/b.cpp", text)
    put("src/tasks/kernel/check.cpp", text)
    put("src/algorithms/center/c.cpp", "EigenSolver eigen(method);")

    assert [each for each, _ in found(put, "dense")] == [path]


def test_a_row_that_is_forgotten_is_named(put):
    put("src/model/kernel_list.hpp", '#include "model/kernels/linear.hpp"\n')
    put("src/model/kernels/linear.hpp")
    path = put("src/model/kernels/cosine.hpp")

    assert [each for each, _ in found(put, "lists")] == [path]


def test_a_header_that_nobody_includes_is_named(put):
    path = put("src/model/lonely.hpp")

    assert found(put, "unused") == [(path, "is included by nobody")]
