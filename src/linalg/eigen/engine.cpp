// SPDX-License-Identifier: MIT
#include "linalg/eigen/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/subspace.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/parallel.hpp"
#include "ritz/linalg/products.hpp"

namespace ritz::detail {
namespace {

constexpr Index kRowsPerTile = 256;
constexpr double kMinimalWork = 1 << 20;  // multiplications that pay for waking the other threads

Index most_pairs(const Selection& pick) {
  if (const auto* count = std::get_if<Count>(&pick)) return count->k;
  const auto* above = std::get_if<Above>(&pick);
  return above ? above->max_rank : std::get<LeadingCluster>(pick).max_rank;
}

}  // namespace

void Product::operator()(BlockIn in, BlockOut out) {
  context_.poll();
  if (const Matrix* a = op_.dense()) {
    RunContext tiles = context_;
    if (double(a->size()) * double(in.cols()) < kMinimalWork) tiles.threads = 1;
    for_each_tile(tile_count(size(), kRowsPerTile), tiles, [&](Index t) {
      const Range rows = tile_range(size(), kRowsPerTile, t);
      // A is symmetric: columns instead of rows are contiguous.
      multiply_transposed(a->middleCols(rows.begin, rows.size()), in, out.middleRows(rows.begin, rows.size()));
    });
  } else {
    op_.apply(in, out);
  }
  columns_ += in.cols();
  if (!out.allFinite()) throw Error(ErrorCode::not_finite, "the operator's product with a finite block is not finite");
}

Matrix Product::of(BlockIn in) {
  Matrix out(in.rows(), in.cols());
  (*this)(in, out);
  return out;
}

void check_request(Index size, const EigenRequest& request) {
  if (size < 1) throw Error(ErrorCode::bad_shape, "an operator of size 0 has no eigenvalues");
  if (!(request.tolerance >= 0))
    throw Error(ErrorCode::bad_option,
                fmt::format("the eigen tolerance is {}; it must not be negative", request.tolerance));
  if (const auto* count = std::get_if<Count>(&request.pick)) {
    if (count->k >= 1 && count->k <= size) return;
    throw Error(ErrorCode::bad_option,
                fmt::format("{} eigenpairs are asked for; the number must lie in [1, {}] because "
                            "the operator is {} x {}",
                            count->k, size, size, size));
  }
  if (const auto* above = std::get_if<Above>(&request.pick); above && std::isnan(above->threshold))
    throw Error(ErrorCode::bad_option, "the eigenvalue threshold is not a number");
  if (const auto* cluster = std::get_if<LeadingCluster>(&request.pick); cluster && !(cluster->relative_gap >= 0))
    throw Error(
        ErrorCode::bad_option,
        fmt::format("the relative gap of an eigenvalue cluster is {}; it must not be negative", cluster->relative_gap));
  if (const Index most = most_pairs(request.pick); most < 1)
    throw Error(ErrorCode::bad_option, fmt::format("max_rank is {}; it must be at least 1", most));
}

double boundary(const EigenRequest& request, const Vector& decreasing, double norm) {
  constexpr double kEverything = -std::numeric_limits<double>::infinity();
  if (const auto* above = std::get_if<Above>(&request.pick)) return sign_of(request.end) * above->threshold;
  if (const auto* count = std::get_if<Count>(&request.pick))
    return count->k <= decreasing.size() ? decreasing(count->k - 1) : kEverything;
  const double gap = std::get<LeadingCluster>(request.pick).relative_gap;
  return decreasing.size() > 0 ? decreasing(0) - gap * norm : kEverything;
}

Index rank_limit(Index size, const EigenRequest& request) {
  const Index most = most_pairs(request.pick);
  return std::holds_alternative<Count>(request.pick) ? most : std::min(size, most);
}

Cut cut(const EigenRequest& request, const Vector& decreasing, double norm) {
  const Index limit = rank_limit(decreasing.size(), request);
  if (std::holds_alternative<Count>(request.pick)) return {std::min(limit, decreasing.size()), false};
  const double lowest = boundary(request, decreasing, norm);
  const bool closed = std::holds_alternative<LeadingCluster>(request.pick);
  const auto wanted = [&](double value) { return closed ? value >= lowest : value > lowest; };
  const Index satisfying = std::count_if(decreasing.data(), decreasing.data() + decreasing.size(), wanted);
  return {std::min(limit, satisfying), satisfying > limit};
}

EigenPairs judge(Candidates candidates, const EigenRequest& request) {
  const Index count = candidates.values.size();
  const double allowed = request.tolerance * candidates.norm;
  EigenPairs pairs;
  pairs.norm = candidates.norm;
  pairs.next = candidates.next;
  std::vector<Index> kept;
  double worst = 0;
  for (Index j = 0; j < count; ++j) {
    const double residual = (candidates.images.col(j) - candidates.values(j) * candidates.vectors.col(j)).stableNorm();
    if (residual <= allowed) {
      kept.push_back(j);
      pairs.residual = std::max(pairs.residual, residual);
    } else {
      // The first value not returned is now this one.
      if (Index(kept.size()) == j) pairs.next = candidates.values(j);
      worst = std::max(worst, residual);
    }
  }
  pairs.values = candidates.values(kept);
  pairs.vectors = candidates.vectors(Eigen::all, kept);
  fix_signs(pairs.vectors);

  if (candidates.capped) {
    pairs.complete = false;
    pairs.message = fmt::format("more eigenvalues satisfy the request than max_rank = {}",
                                rank_limit(candidates.vectors.rows(), request));
  }
  const auto* exact = std::get_if<Count>(&request.pick);
  const Index asked = exact ? exact->k : count;
  if (Index(kept.size()) < asked) {
    pairs.complete = false;
    if (!pairs.message.empty()) pairs.message += "; ";
    pairs.message += fmt::format("{} of {} eigenpairs reached the tolerance", kept.size(), asked);
    if (Index(kept.size()) < count)
      pairs.message +=
          fmt::format("; the worst residual is {:.3g} where {:.3g} is allowed ({:.3g} times the norm {:.3g})", worst,
                      allowed, request.tolerance, candidates.norm);
  }
  return pairs;
}

Matrix formed(const OperatorView& op, Product& multiply) {
  if (op.dense()) return *op.dense();
  const Index n = op.size();
  constexpr Index kColumns = 128;  // a block large enough for BLAS-3 inside the operator, small enough to poll often
  Matrix a(n, n);
  for (Index begin = 0; begin < n; begin += kColumns) {
    const Index width = std::min(kColumns, n - begin);
    Matrix unit = Matrix::Zero(n, width);
    unit.middleRows(begin, width).setIdentity();
    multiply(unit, a.middleCols(begin, width));
  }
  // Products round differently on both sides of the diagonal.
  const Matrix transposed = a.transpose();
  return 0.5 * (a + transposed);
}

bool may_form(Index size, const RunContext& context) {
  constexpr Index kLargest = 4000;  // seconds on one core: 0.2 at n = 1600, growing with the cube
  constexpr double kCopies = 4;     // the matrix, its reduction, vectors and their images
  return size <= kLargest && kCopies * 8.0 * double(size) * double(size) <= double(context.max_memory);
}

}  // namespace ritz::detail
