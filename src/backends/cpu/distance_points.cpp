// SPDX-License-Identifier: MIT
#include "backends/cpu/distance_points.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <unordered_map>

#include "backends/ratio_scanner.hpp"
#include "linalg/dense/dense.hpp"
#include "linalg/power_scale.hpp"
#include "linalg/tall_products.hpp"
#include "ritz/base/parallel.hpp"

namespace ritz::cpu {

namespace {

constexpr Index kManyColumns = 64;   // from so many on principal coordinates may pay,
constexpr Index kRowsPerColumn = 4;  // for so many points a column
// Below this share of ‖Ψ‖²‖x‖², ‖Ψx_a − Ψx_b‖² is rounding: Ψ(x_a − x_b) is multiplied out instead.
constexpr double kNear = 1e-10;
constexpr double kFarOff = 100;  // points so many times their spread away from 0 are shifted before they are multiplied

// Groups of equal rows: for each row the first that equals it. NaN never gets here.
std::vector<Index> first_equal(DataView X) {
  std::vector<Index> first(std::size_t(X.rows()));
  std::unordered_multimap<std::uint64_t, Index> known;
  known.reserve(first.size());
  for (Index i = 0; i < X.rows(); ++i) {
    std::uint64_t hash = 1469598103934665603u;
    for (Index c = 0; c < X.cols(); ++c)
      hash = (hash ^ std::bit_cast<std::uint64_t>(X(i, c) + 0.0)) * 1099511628211u;  // −0 is 0
    first[std::size_t(i)] = i;
    const auto [begin, end] = known.equal_range(hash);
    Index found = i;
    for (auto at = begin; at != end; ++at)
      if (at->second < found && X.row(at->second) == X.row(i)) found = at->second;
    first[std::size_t(i)] = found;
    if (found == i) known.emplace(hash, i);
  }
  return first;
}

// Ratios do not depend on the scale.
RowMatrix plain(DataView data) {
  const double scale = data.size() > 0 ? plain_scale(data.cwiseAbs().maxCoeff()) : 1;
  return scale == 1 ? RowMatrix() : RowMatrix(scale * data);
}

}  // namespace

Points::Points(DataView data, std::vector<WeightedPair> some, const RunContext& context)
    : rescaled(plain(data)),
      X(rescaled.size() > 0 ? DataView(rescaled) : data),
      listed(std::move(some)),
      all(listed.empty()) {
  const Index n = X.rows(), d = X.cols();
  const std::vector<Index> first = first_equal(X);
  for (Index i = 0; i < n; ++i)
    if (first[std::size_t(i)] == i) rows.push_back(i);
  centre = n > 0 ? Eigen::RowVectorXd(X.colwise().mean()) : Eigen::RowVectorXd(Eigen::RowVectorXd::Zero(d));
  for (const Index i : rows) size = std::max(size, (X.row(i) - centre).norm());
  scale = size > 0 ? 1 / size : 1;
  if (n > 0) reach = std::sqrt(X.rowwise().squaredNorm().maxCoeff());
  if (reach > kFarOff * size) {
    shifted = X.rowwise() - X.row(0);
    reach = std::sqrt(shifted.rowwise().squaredNorm().maxCoeff());
  }
  if (!all) {
    const auto gone = std::remove_if(listed.begin(), listed.end(), [&](const WeightedPair& pair) {
      return first[std::size_t(pair.a)] == first[std::size_t(pair.b)];
    });
    coincident = Index(listed.end() - gone);
    listed.erase(gone, listed.end());
    pairs = Index(listed.size());
    return;
  }
  std::vector<Index> count(std::size_t(n), 0);
  for (const Index f : first) ++count[std::size_t(f)];
  for (const Index c : count) coincident += c * (c - 1) / 2;
  pairs = n * (n - 1) / 2 - coincident;
  for (const Index i : rows) copies.push_back(count[std::size_t(i)]);
  single.resize(Index(rows.size()), d);
  squared.resize(Index(rows.size()));
  const RowMatrix axes = principal_axes(context);
  principal = axes.size() > 0;
  for_each_tile(tile_count(single.rows(), kScanPanel), context, [&](Index t) {
    const Range part = tile_range(single.rows(), kScanPanel, t);
    RowMatrix x(part.size(), d), turned(principal ? part.size() : 0, d);
    for (Index i = 0; i < part.size(); ++i) x.row(i) = scale * (X.row(rows[std::size_t(part.begin + i)]) - centre);
    squared.segment(part.begin, part.size()) = x.rowwise().squaredNorm();
    if (principal)
      row_gemm(part.size(), d, d, 1, {x.data(), d}, Transpose::no, {axes.data(), d}, Transpose::no, 0,
               {turned.data(), d});
    single.middleRows(part.begin, part.size()) = (principal ? turned : x).cast<float>();
  });
}

// Any rotation is right; how near it is to the principal axes only tells how much it saves.
RowMatrix Points::principal_axes(const RunContext& context) const {
  const Index n = X.rows(), d = X.cols();
  if (d < kManyColumns || single.rows() < kRowsPerColumn * d) return {};
  const Matrix scatter = tall_weighted_gram(X, Vector::Ones(n), context) - double(n) * centre.transpose() * centre;
  if (!scatter.allFinite()) return {};
  return symmetric_eigen(scatter).vectors;
}

RowMatrix Points::times(const Matrix& B, const RunContext& context) const {
  return shifted.size() > 0 ? tall_product(shifted, B, context) : tall_product(X, B, context);
}

Images::Images(const Points& points, const Matrix& given, const RunContext& context) : psi(given) {
  const double scale = psi.size() > 0 ? plain_scale(psi.cwiseAbs().maxCoeff()) : 1;
  if (scale != 1) psi *= scale, grown = 1 / scale / scale;
  Y = points.times(psi.transpose(), context);
  rounding_ = kNear * psi.squaredNorm() * points.reach * points.reach;
}

double Images::ratio(const Points& points, Index a, Index b) const {
  const double q = (Y.row(a) - Y.row(b)).squaredNorm();
  if (q > rounding_) return times_grown(q / (points.X.row(a) - points.X.row(b)).squaredNorm());
  Eigen::RowVectorXd difference = points.X.row(a) - points.X.row(b);
  difference *= plain_scale(difference.cwiseAbs().maxCoeff());
  return times_grown((psi * difference.transpose()).squaredNorm() / difference.squaredNorm());
}

}  // namespace ritz::cpu
