// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "ritz/model/monomials.hpp"
#include "ritz/model/pair_pass.hpp"

namespace ritz {

namespace {

// Evaluating a kernel at a pair costs about as much as this many multiply–adds of a matrix product (bench/pair_bench.cpp).
constexpr double kEvaluation = 40;

double direct_operations(const KernelTerm& term, double n, double d, double q, double r, bool by_class) {
  if (std::holds_alternative<Linear>(term.kernel)) return 2 * n * d * (r + q);
  if (std::holds_alternative<Squared>(term.kernel)) return 2 * n * d * (r + q);
  if (const auto* polynomial = std::get_if<Polynomial>(&term.kernel)) {
    const double m = monomial_count(Index(q), polynomial->degree - 1, polynomial->offset > 0);
    return 2 * n * d * (m * (by_class ? 1 : r) + q) + 2 * d * d * m * r;
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace

PairRoute plan_pairs(const KernelTerm& term, Index n, Index d, Index q, Index gamma_columns, bool by_class,
                     RouteChoice choice) {
  const double nn = double(n), dd = double(d), qq = double(q), r = double(gamma_columns);
  PairRoute route;
  route.tiled_operations = nn * nn * (dd + qq + r + kEvaluation / 2) + 2 * nn * dd * dd;
  route.direct_operations = direct_operations(term, nn, dd, qq, r, by_class);
  const bool possible = std::isfinite(route.direct_operations);
  route.tiled = choice == RouteChoice::tiled || !possible ||
                (choice == RouteChoice::cheaper && route.tiled_operations < route.direct_operations);
  const std::string name(std::visit([](const auto& k) { return k.name; }, term.kernel));
  if (!possible)
    route.reason = fmt::format("{}: tiles over pairs, {:.2g} operations", name, route.tiled_operations);
  else
    route.reason = fmt::format("{}: {}, {:.2g} operations against {:.2g}", name,
                               route.tiled ? "tiles over pairs" : by_class ? "exact sums by class" : "exact low-rank sums",
                               route.tiled ? route.tiled_operations : route.direct_operations,
                               route.tiled ? route.direct_operations : route.tiled_operations);
  return route;
}

Vector PairPass::degrees(BlockIn W, const KernelSum& kernel, const RunContext& context) {
  const Index n = sample_count();
  const RowMatrix ones = RowMatrix::Ones(n, 1);
  return kernel_product(W, kernel, ones, context).col(0);
}

}  // namespace ritz
