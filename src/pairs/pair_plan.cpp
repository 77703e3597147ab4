// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "model/monomials.hpp"
#include "ritz/pairs/pair_pass.hpp"

namespace ritz {

namespace {

// Evaluating a kernel at a pair costs about as much as this many multiply–adds of a matrix product
// (bench/pair_bench.cpp).
constexpr double kEvaluation = 40;

double direct_operations(const KernelTerm& term, const PairSizes& sizes) {
  const double n = double(sizes.n), d = double(sizes.d), columns = direct_columns(term, sizes);
  if (columns == 0) return std::numeric_limits<double>::infinity();
  // Sums by class need each sample once, whatever the number of classes.
  const bool shared = sizes.by_class && polynomial_parts(term.kernel);
  const double per_sample = shared ? columns / double(sizes.gamma_columns) : columns;
  return 2 * n * d * (per_sample + double(sizes.q)) + 2 * d * d * columns;
}

}  // namespace

double direct_columns(const KernelTerm& term, const PairSizes& sizes) {
  if (has_constant_slope(term.kernel)) return double(sizes.gamma_columns);
  if (const auto polynomial = polynomial_parts(term.kernel))
    return double(sizes.gamma_columns) * monomial_count(sizes.q, polynomial->degree - 1, polynomial->offset > 0);
  return 0;
}

double low_rank_operations(const PairSizes& sizes, double rank) {
  const double n = double(sizes.n), d = double(sizes.d), r = double(sizes.gamma_columns);
  const double factor = n * rank * (rank + 2 * double(sizes.q) + kEvaluation);
  // The factor times the data; then the two d × d products, each made once for both triangles.
  return factor + 2 * n * d * rank * (sizes.by_class ? 1 : r) + d * d * (rank * r + n);
}

PairRoute plan_pairs(const KernelTerm& term, const PairSizes& sizes, RouteChoice choice) {
  const double nn = double(sizes.n), dd = double(sizes.d), qq = double(sizes.q), r = double(sizes.gamma_columns);
  PairRoute route;
  route.tiled_operations = nn * nn * (dd + qq + r + kEvaluation / 2) + 2 * nn * dd * dd;
  route.direct_operations = direct_operations(term, sizes);
  const bool possible = std::isfinite(route.direct_operations);
  route.tiled = choice == RouteChoice::tiled || !possible ||
                (choice == RouteChoice::cheaper && route.tiled_operations < route.direct_operations);
  const std::string_view name = name_of(term.kernel);
  if (!possible)
    route.reason = fmt::format("{}: tiles over pairs, {:.2g} operations", name, route.tiled_operations);
  else
    route.reason = fmt::format("{}: {}, {:.2g} operations against {:.2g}", name,
                               route.tiled      ? "tiles over pairs"
                               : sizes.by_class ? "exact sums by class"
                                                : "exact low-rank sums",
                               route.tiled ? route.tiled_operations : route.direct_operations,
                               route.tiled ? route.direct_operations : route.tiled_operations);
  return route;
}

PairGradient PairPass::gradient(BlockIn W, const KernelSum& kernel, const RunContext& context) {
  const PairSums sums = this->sums(W, kernel, context);
  return {sums.phi.times(W), sums.objective, sums.error};
}

Vector PairPass::degrees(BlockIn W, const KernelSum& kernel, const RunContext& context) {
  const Index n = sample_count();
  const RowMatrix ones = RowMatrix::Ones(n, 1);
  return kernel_product(W, kernel, ones, context).col(0);
}

}  // namespace ritz
