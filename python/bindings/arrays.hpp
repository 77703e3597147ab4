// SPDX-License-Identifier: MIT
// Between numpy and the library: what goes in is looked at, what comes out is handed over.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ritz/data/dataset.hpp"
#include "ritz/tasks/task.hpp"

namespace ritz::python {

namespace py = pybind11;
using Rows = py::array_t<double, py::array::c_style | py::array::forcecast>;

py::array_t<double> to_numpy(RowMatrix&& values);  // moved, not copied
py::array_t<double> to_numpy(Matrix&& values);     // columns one after the other, as they lie
py::tuple to_numpy(const Labels& labels);          // (number of each sample's class, names of the classes)
py::object to_python(Dataset&& data);              // an array, or a sparse matrix

RowMatrix matrix_of(const Rows& values);
// X: an array of two dimensions, or a sparse matrix in rows (scipy's CSR, columns in order). Without names the features
// are x1, x2, …, as those of a file without a header.
std::shared_ptr<Dataset> dataset_of(const py::object& X, const std::vector<std::string>& feature_names,
                                    const std::optional<std::vector<std::string>>& labels);
// By name: an array is a matrix, a list of texts is labels, a list of (name, array) is named matrices.
Inputs inputs_of(const py::object& X, const std::vector<std::string>& feature_names,
                 const std::optional<std::vector<std::string>>& labels, const py::dict& others);

}  // namespace ritz::python
