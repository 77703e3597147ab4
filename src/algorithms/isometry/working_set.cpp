// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "algorithms/isometry/parts.hpp"
#include "linalg/tall_products.hpp"
#include "ritz/base/parallel.hpp"

namespace ritz::isometry {

namespace {

constexpr Index kRowsPerTask = 4096;

std::uint64_t key_of(Index a, Index b) { return std::uint64_t(std::min(a, b)) << 32 | std::uint64_t(std::max(a, b)); }

}  // namespace

Index WorkingSet::add(const std::vector<WeightedPair>& pairs) {
  if (place_.empty()) place_.assign(std::size_t(X_->rows()), -1);
  std::vector<std::pair<std::uint64_t, WeightedPair>> fresh;
  for (const WeightedPair& pair : pairs) {
    const std::uint64_t key = key_of(pair.a, pair.b);
    if (!std::ranges::binary_search(known_, key)) fresh.emplace_back(key, pair);
  }
  std::ranges::stable_sort(fresh, {}, [](const auto& one) { return one.first; });
  const auto same = [](const auto& one, const auto& other) { return one.first == other.first; };
  fresh.erase(std::unique(fresh.begin(), fresh.end(), same), fresh.end());
  if (fresh.empty()) return 0;
  elsewhere_.reset();

  const Index before = size(), count = Index(fresh.size()), points_before = Index(rows_.size());
  const auto place_of = [&](Index row) {
    Index& place = place_[std::size_t(row)];
    if (place < 0) {
      place = Index(rows_.size());
      rows_.push_back(row);
    }
    return place;
  };
  weight_.conservativeResize(before + count);
  for (Index k = 0; k < count; ++k) {
    const WeightedPair& pair = fresh[std::size_t(k)].second;
    a_.push_back(place_of(pair.a));
    b_.push_back(place_of(pair.b));
    weight_(before + k) = pair.weight;
    const double squared = (X_->row(pair.a) - X_->row(pair.b)).squaredNorm();
    scale_.push_back(pair.weight / std::max(squared, 1e-290));  // points nearer than that are one
    known_.push_back(fresh[std::size_t(k)].first);
  }
  std::ranges::inplace_merge(known_, known_.begin() + before);
  points_.conservativeResize(Index(rows_.size()), X_->cols());
  for (Index i = points_before; i < points_.rows(); ++i) points_.row(i) = X_->row(rows_[std::size_t(i)]);
  return count;
}

void WorkingSet::keep(const std::vector<char>& kept) {
  std::vector<WeightedPair> left;
  for (Index i = 0; i < size(); ++i)
    if (kept[std::size_t(i)]) left.push_back(pair(i));
  *this = WorkingSet(*X_);
  add(left);
}

void WorkingSet::keep(Archive& archive) {
  archive(rows_, place_, a_, b_, scale_, weight_, known_);
  elsewhere_.reset();
  if (archive.restores()) points_ = (*X_)(rows_, Eigen::all);
}

WeightedPair WorkingSet::pair(Index i) const {
  return {rows_[std::size_t(a_[std::size_t(i)])], rows_[std::size_t(b_[std::size_t(i)])], weight_(i)};
}

SecantProducts* WorkingSet::elsewhere(const RunContext& context) const {
  if (!elsewhere_) elsewhere_ = backend_secants(points_, a_, b_, scale_, context);
  return elsewhere_->get();
}

Vector WorkingSet::measured(const Matrix& psi, const RunContext& context) const {
  Vector out = Vector::Zero(size());
  if (psi.rows() == 0) return out;
  if (SecantProducts* products = elsewhere(context))
    if (auto found = products->measured(psi.transpose(), context)) return *std::move(found);
  const RowMatrix Y = tall_product(points_, Matrix(psi.transpose()), context);
  const Index r = Y.cols();
  for_each_tile(tile_count(size(), kRowsPerTask), context, [&](Index t) {
    const Range range = tile_range(size(), kRowsPerTask, t);
    for (Index i = range.begin; i < range.end; ++i) {
      const double *u = Y.data() + a_[std::size_t(i)] * r, *v = Y.data() + b_[std::size_t(i)] * r;
      double sum = 0;
#pragma omp simd reduction(+ : sum)
      for (Index c = 0; c < r; ++c) sum += (u[c] - v[c]) * (u[c] - v[c]);
      out(i) = scale_[std::size_t(i)] * sum;
    }
  });
  return out;
}

Vector WorkingSet::measured_by(const Matrix& P, const RunContext& context) const {
  if (SecantProducts* products = elsewhere(context))
    if (auto found = products->measured_by(P, context)) return *std::move(found);
  const RowMatrix Z = tall_product(points_, P, context);
  Vector out(size());
  const Index d = columns();
  for_each_tile(tile_count(size(), kRowsPerTask), context, [&](Index t) {
    const Range range = tile_range(size(), kRowsPerTask, t);
    for (Index i = range.begin; i < range.end; ++i) {
      const Index a = a_[std::size_t(i)] * d, b = b_[std::size_t(i)] * d;
      const double *x = points_.data(), *z = Z.data();
      double sum = 0;
#pragma omp simd reduction(+ : sum)
      for (Index c = 0; c < d; ++c) sum += (x[a + c] - x[b + c]) * (z[a + c] - z[b + c]);
      out(i) = scale_[std::size_t(i)] * sum;
    }
  });
  return out;
}

Matrix WorkingSet::adjoint_times(const Vector& y, BlockIn B, const RunContext& context) const {
  if (SecantProducts* products = elsewhere(context))
    if (auto found = products->adjoint_times(y, B, context)) return *std::move(found);
  // XᵀLXB with the Laplacian L of the weights y·scale, on the points whose pairs have y ≠ 0.
  std::vector<Index> local(rows_.size(), -1), touched;
  const auto local_of = [&](Index place) {
    Index& at = local[std::size_t(place)];
    if (at < 0) {
      at = Index(touched.size());
      touched.push_back(place);
    }
    return at;
  };
  std::vector<Index> active;
  for (Index i = 0; i < size(); ++i)
    if (y(i) != 0) {
      active.push_back(i);
      local_of(a_[std::size_t(i)]);
      local_of(b_[std::size_t(i)]);
    }
  const Index k = B.cols();
  if (active.empty()) return Matrix::Zero(columns(), k);
  RowMatrix some(Index(touched.size()), columns());
  for (std::size_t t = 0; t < touched.size(); ++t) some.row(Index(t)) = points_.row(touched[t]);
  const RowMatrix Y = tall_product(some, B, context);
  RowMatrix spread = RowMatrix::Zero(some.rows(), k);
  for (const Index i : active) {
    const double weight = y(i) * scale_[std::size_t(i)];
    const Index a = local[std::size_t(a_[std::size_t(i)])] * k, b = local[std::size_t(b_[std::size_t(i)])] * k;
    const double* from = Y.data();
    double* to = spread.data();
#pragma omp simd
    for (Index c = 0; c < k; ++c) {
      const double change = weight * (from[a + c] - from[b + c]);
      to[a + c] += change;
      to[b + c] -= change;
    }
  }
  return tall_transposed_product(some, spread, context);
}

Matrix WorkingSet::adjoint(const Vector& y, const RunContext& context) const {
  const Matrix M = adjoint_times(y, Matrix::Identity(columns(), columns()), context);
  return 0.5 * (M + M.transpose());
}

RowMatrix WorkingSet::secants(const std::vector<Index>& which) const {
  RowMatrix V(Index(which.size()), columns());
  for (std::size_t k = 0; k < which.size(); ++k) {
    const auto i = std::size_t(which[k]);
    V.row(Index(k)) = std::sqrt(scale_[i]) * (points_.row(a_[i]) - points_.row(b_[i]));
  }
  return V;
}

}  // namespace ritz::isometry
