// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "linalg/eigen/engine.hpp"
#include "ritz/base/error.hpp"

namespace ritz {
namespace {

// bench/eigen_bench.cpp compares the methods around these numbers.
constexpr Index kDenseSize = 800;       // a matrix is at hand
constexpr Index kFormedSize = 200;      // it has to be formed, one product a column
constexpr Index kGramRank = 800;        // a larger core is worth iterating on
constexpr Index kDensePart = 5;         // more than n / 5 pairs
constexpr Index kLargestFormed = 4000;  // never form larger ones unasked

EigenPlan automatic_plan(const OperatorView& op, const EigenRequest& request, bool have_start) {
  const Index n = op.size();
  const SymFactor* factor = op.factor();
  if (factor && factor->rank_bound() < n && factor->rank_bound() <= kGramRank)
    return {EigenMethod::gram, fmt::format("gram: r = {} < n = {}", factor->rank_bound(), n)};
  if ((op.dense() || factor) && n <= kDenseSize)
    return {EigenMethod::dense, fmt::format("dense: n = {} <= {}", n, kDenseSize)};
  if (n <= kFormedSize)
    return {EigenMethod::dense,
            fmt::format("dense: n = {} <= {}, formed from products with the identity", n, kFormedSize)};
  const auto* count = std::get_if<Count>(&request.pick);
  if (count && count->k * kDensePart > n && (op.dense() || n <= kLargestFormed))
    return {EigenMethod::dense, fmt::format("dense: k = {} is more than a fifth of n = {}", count->k, n)};
  if (have_start) return {EigenMethod::subspace, fmt::format("subspace: n = {}, started from the last basis", n)};
  return {EigenMethod::lanczos,
          fmt::format("lanczos: n = {} > {}", n, op.dense() || factor ? kDenseSize : kFormedSize)};
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
