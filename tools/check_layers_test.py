# SPDX-License-Identifier: MIT
"""The layer check must be able to fail."""
import check_layers


def put(root, name, text):
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_lower_and_own_layers_are_allowed(tmp_path):
    put(tmp_path, "src/model/a.cpp", '#include <vector>\n#include "model/b.hpp"\n#include "ritz/linalg/eigen.hpp"\n')
    put(tmp_path, "src/data/c.cpp", '#include "ritz/metrics/clustering.hpp"\n#include <sys/stat.h>\n')

    assert list(check_layers.violations(tmp_path)) == []


def test_a_higher_layer_is_named(tmp_path):
    public = put(tmp_path, "include/ritz/base/a.hpp", '#include "ritz/linalg/eigen.hpp"\n')
    private = put(tmp_path, "src/backends/cpu/b.cpp", '  # include "algorithms/ism.hpp"\n')

    assert list(check_layers.violations(tmp_path)) == [(public, "linalg"), (private, "algorithms")]


def test_a_folder_that_is_no_layer_is_named(tmp_path):
    path = put(tmp_path, "src/util/a.cpp", "")

    assert list(check_layers.violations(tmp_path)) == [(path, None)]
