// SPDX-License-Identifier: MIT
#include "model/measurement.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "ritz/base/parallel.hpp"

namespace ritz {

namespace {

constexpr Index kOperationsPerTile = 1 << 18;  // less is done sooner than another thread wakes up

Index per_tile(Index operations_each) {
  return std::max<Index>(64, kOperationsPerTile / std::max<Index>(1, operations_each));
}

// out = S·y, row by row: the order of a row's sum is the order of its entries.
Vector sparse_product(const SparseRows& S, const Vector& y, const RunContext& context) {
  Vector out(S.rows());
  const Index tile = per_tile(4 * (1 + S.nonZeros() / std::max<Index>(1, S.rows())));
  for_each_tile(tile_count(S.rows(), tile), context, [&](Index t) {
    const Range rows = tile_range(S.rows(), tile, t);
    for (Index r = rows.begin; r < rows.end; ++r) {
      double sum = 0;
      for (SparseRows::InnerIterator it(S, r); it; ++it) sum += it.value() * y(it.col());
      out(r) = sum;
    }
  });
  return out;
}

}  // namespace

Measurements::Measurements(Index n, const std::vector<std::vector<EntryTerm>>& rows) : n_(n) {
  std::vector<std::pair<Index, Index>> places;
  for (const auto& row : rows)
    for (const EntryTerm& term : row) {
      assert(term.i >= 0 && term.i < n && term.j >= 0 && term.j < n);
      places.emplace_back(std::min(term.i, term.j), std::max(term.i, term.j));
    }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  for (const auto& [i, j] : places) slots_.push_back({i, j});

  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t k = 0; k < rows.size(); ++k)
    for (const EntryTerm& term : rows[k]) {
      const std::pair<Index, Index> place{std::min(term.i, term.j), std::max(term.i, term.j)};
      const auto at = std::lower_bound(places.begin(), places.end(), place) - places.begin();
      entries.emplace_back(int(k), int(at), term.value);
    }
  rows_.resize(Index(rows.size()), Index(slots_.size()));
  rows_.setFromTriplets(entries.begin(), entries.end());
  columns_ = rows_.transpose();
  // value·K_ij with i ≠ j is ⟨M, K⟩ for a symmetric M with value/2 on either side.
  for (Index s = 0; s < columns_.rows(); ++s)
    if (slots_[std::size_t(s)].i != slots_[std::size_t(s)].j)
      for (SparseRows::InnerIterator it(columns_, s); it; ++it) it.valueRef() *= 0.5;
}

Vector Measurements::measure(const Vector& slot_values, const RunContext& context) const {
  return sparse_product(rows_, slot_values, context);
}

Vector Measurements::adjoint(const Vector& y, const RunContext& context) const {
  return sparse_product(columns_, y, context);
}

Vector Measurements::slot_values(const RowMatrix& F, const RunContext& context) const {
  Vector values(slots());
  const Index tile = per_tile(F.cols());
  for_each_tile(tile_count(slots(), tile), context, [&](Index t) {
    const Range part = tile_range(slots(), tile, t);
    for (Index s = part.begin; s < part.end; ++s)
      values(s) = F.row(slots_[std::size_t(s)].i).dot(F.row(slots_[std::size_t(s)].j));
  });
  return values;
}

Vector Measurements::slot_values(const RowMatrix& U, const RowMatrix& V, const RunContext& context) const {
  Vector values(slots());
  const Index tile = per_tile(2 * U.cols());
  for_each_tile(tile_count(slots(), tile), context, [&](Index t) {
    const Range part = tile_range(slots(), tile, t);
    for (Index s = part.begin; s < part.end; ++s) {
      const auto [i, j] = slots_[std::size_t(s)];
      values(s) = U.row(i).dot(V.row(j)) + U.row(j).dot(V.row(i));
    }
  });
  return values;
}

Measurements pair_entries(Index n, const std::vector<SignedPair>& pairs) {
  std::vector<std::vector<EntryTerm>> rows;
  rows.reserve(pairs.size());
  for (const SignedPair& pair : pairs) rows.push_back({{pair.i, pair.j, pair.sign}});
  return {n, rows};
}

Measurements pair_distances(Index n, const std::vector<SignedPair>& pairs) {
  std::vector<std::vector<EntryTerm>> rows;
  rows.reserve(pairs.size());
  for (const SignedPair& pair : pairs) rows.push_back({{pair.i, pair.i, 1}, {pair.j, pair.j, 1}, {pair.i, pair.j, -2}});
  return {n, rows};
}

}  // namespace ritz
