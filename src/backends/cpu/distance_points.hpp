// SPDX-License-Identifier: MIT
// What a sweep over ratios of distances stands on: the points, and their images under a map.
#pragma once

#include <vector>

#include "ritz/base/context.hpp"
#include "ritz/base/types.hpp"
#include "ritz/pairs/distance_sweep.hpp"

namespace ritz::cpu {

using SingleRows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// The points, and which pairs of them.
struct Points {
  const RowMatrix rescaled;  // empty: as they are
  const Eigen::Ref<const RowMatrix> X;
  std::vector<WeightedPair> listed;
  bool all = true;
  std::vector<Index> rows;    // distinct points: rows of X
  std::vector<Index> copies;  // how often each of them occurs
  Index pairs = 0, coincident = 0;
  // Distinct points, centred and scaled to norm 1 at most, in single precision.
  Eigen::RowVectorXd centre;
  double scale = 1, size = 0;
  RowMatrix shifted;  // to the first point, where they lie far from 0; empty: as they are
  double reach = 0;   // the largest norm of what is multiplied
  SingleRows single;  // in principal coordinates, the largest first, where `principal`
  bool principal = false;
  Vector squared;  // their squared norms

  Points(DataView data, std::vector<WeightedPair> some, const RunContext& context);
  RowMatrix times(const Matrix& B, const RunContext& context) const;

 private:
  RowMatrix principal_axes(const RunContext& context) const;
};

// Ψ, scaled where its squares would not be numbers, and the images of the points.
struct Images {
  RowMatrix psi;
  double grown = 1;  // of the true ratio in that of the scaled Ψ
  RowMatrix Y;       // rows of X times Ψᵀ

  Images(const Points& points, const Matrix& given, const RunContext& context);
  double ratio(const Points& points, Index a, Index b) const;  // from the differences, in double precision

 private:
  double times_grown(double ratio) const { return ratio > 0 ? grown * ratio : 0; }
  double rounding_ = 0;
};

}  // namespace ritz::cpu
