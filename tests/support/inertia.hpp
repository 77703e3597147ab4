// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "ritz/base/types.hpp"

namespace ritz::test {

// Σ squared distance to the mean of the own cluster.
inline double inertia_of(const RowMatrix& points, const std::vector<int>& labels, int clusters) {
  double sum = 0;
  for (int c = 0; c < clusters; ++c) {
    Eigen::RowVectorXd mean = Eigen::RowVectorXd::Zero(points.cols());
    int count = 0;
    for (Index i = 0; i < points.rows(); ++i)
      if (labels[std::size_t(i)] == c) mean += points.row(i), ++count;
    if (count > 0) mean /= count;
    for (Index i = 0; i < points.rows(); ++i)
      if (labels[std::size_t(i)] == c) sum += (points.row(i) - mean).squaredNorm();
  }
  return sum;
}

}  // namespace ritz::test
