// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "linalg/eigen/engine.hpp"
#include "ritz/base/error.hpp"

namespace ritz {
namespace {

// The first two are set by bench/eigen_bench.cpp (one core, one run, Gaussian kernel matrix, three pairs): dense takes
// 5 ms at n = 400 and 30 ms at n = 800, lanczos 1.6 and 6, a warm subspace 0.8 and 2; without gaps dense is as fast as
// any, and it is exact. The others are estimates from operation counts.
constexpr Index kDenseSize = 800;       // a matrix is at hand
constexpr Index kWarmDenseSize = 400;   // the same when there is a basis to start from
constexpr Index kFormedSize = 200;      // the matrix has to be formed, one product a column
constexpr Index kGramRank = 800;        // a larger core is worth iterating on
constexpr Index kDensePart = 5;         // more than n / 5 pairs
constexpr Index kWarmPart = 20;         // a warm start pays up to n / 20 pairs
constexpr Index kLargestFormed = 4000;  // never form larger ones unasked

EigenPlan automatic_plan(const OperatorView& op, const EigenRequest& request, bool have_start) {
  const Index n = op.size();
  const SymFactor* factor = op.factor();
  if (factor && factor->rank_bound() < n && factor->rank_bound() <= kGramRank)
    return {EigenMethod::gram, fmt::format("gram: r = {} < n = {}", factor->rank_bound(), n)};
  const auto* count = std::get_if<Count>(&request.pick);
  const bool warm = have_start && !(count && count->k * kWarmPart > n);
  const bool at_hand = op.dense() || factor;
  const Index dense_size = warm ? kWarmDenseSize : kDenseSize;
  if (at_hand && n <= dense_size) return {EigenMethod::dense, fmt::format("dense: n = {} <= {}", n, dense_size)};
  if (n <= kFormedSize)
    return {EigenMethod::dense,
            fmt::format("dense: n = {} <= {}, formed from products with the identity", n, kFormedSize)};
  if (count && count->k * kDensePart > n && (op.dense() || n <= kLargestFormed))
    return {EigenMethod::dense, fmt::format("dense: k = {} is more than a fifth of n = {}", count->k, n)};
  const Index limit = at_hand ? dense_size : kFormedSize;
  if (warm) return {EigenMethod::subspace, fmt::format("subspace: n = {} > {}, from the last basis", n, limit)};
  return {EigenMethod::lanczos, fmt::format("lanczos: n = {} > {}", n, limit)};
}

}  // namespace

EigenPlan plan_eigen(const OperatorView& op, const EigenRequest& request, EigenMethod asked, bool have_start) {
  const Index n = op.size();
  switch (asked) {
    case EigenMethod::automatic:
      break;
    case EigenMethod::dense:
      return {asked, fmt::format("dense: asked for, n = {}", n)};
    case EigenMethod::gram: {
      if (!op.factor())
        throw Error(ErrorCode::bad_option,
                    "the eigen method gram needs an operator given as a factor; use dense, lanczos or subspace");
      const Index r = op.factor()->rank_bound();
      if (r < n) return {asked, fmt::format("gram: asked for, r = {} < n = {}", r, n)};
      return {EigenMethod::dense, fmt::format("dense: gram was asked for, but r = {} >= n = {}", r, n)};
    }
    case EigenMethod::lanczos:
      return {asked, fmt::format("lanczos: asked for, n = {}", n)};
    case EigenMethod::subspace:
      return {asked, fmt::format("subspace: asked for, n = {}, started from {}", n,
                                 have_start ? "the last basis" : "a random block")};
  }
  return automatic_plan(op, request, have_start);
}

}  // namespace ritz
