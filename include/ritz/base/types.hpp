// SPDX-License-Identifier: MIT
// The number types every layer shares.
#pragma once

#include <Eigen/Dense>
#include <Eigen/Sparse>

#include <limits>

namespace ritz {

using Index = Eigen::Index;
using Matrix = Eigen::MatrixXd;  // bases, eigenvectors, small square matrices: column-major
using Vector = Eigen::VectorXd;
using Sparse = Eigen::SparseMatrix<double>;
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using SparseRows = Eigen::SparseMatrix<double, Eigen::RowMajor>;  // sparse samples, one row each
using DataView = const Eigen::Ref<const RowMatrix>&;              // samples are rows, as NumPy hands them over: no copy
using BlockIn = const Eigen::Ref<const Matrix>&;
using BlockOut = Eigen::Ref<Matrix>;

inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

}  // namespace ritz
