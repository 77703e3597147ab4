// SPDX-License-Identifier: MIT
#include "ritz/algorithms/kernel_dual.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "ritz/base/random.hpp"
#include "support/npkl_case.hpp"

using namespace ritz;
using namespace ritz::kernel_dual;
using ritz::test::pairs_case;

namespace {

Capacity ridge(double G, double p = 2) { return {Capacity::Form::ridge, G, p}; }
Capacity budget(double B, double p = 2) { return {Capacity::Form::budget, B, p}; }

double relative(double a, double b) { return std::abs(a - b) / std::abs(b); }

struct Expected {
  const char* name;
  Index n;
  const char* loss;
  double penalty;
  Capacity capacity;
  double objective;
};

// What the page prints for the linear loss is max ⟨A, K⟩ − capacity, A = C·ΣtT − L: the primal without its constant.
double page_objective(const Problem& problem, double primal) {
  const auto* linear = std::get_if<LinearLoss>(&problem.loss);
  return linear ? problem.weight * linear->penalty * problem.targets.sum() - primal : primal;
}

}  // namespace

TEST_CASE("the optimum and the gap of every reference case") {
  const Expected table[] = {
      {"tiny8", 8, "linear", 0.5, budget(2, 1), 1.552970177213},
      {"tiny8", 8, "linear", 0.5, budget(2, 1.5), 1.250869647501},
      {"tiny8", 8, "linear", 0.5, budget(2, 2), 1.165652690170},
      {"tiny8", 8, "linear", 0.5, budget(2, 3), 1.112393185986},
      {"tiny8", 8, "linear", 0.5, budget(2, 4), 1.093181279833},
      {"tiny8", 8, "linear", 0.5, ridge(0.5), 0.679373097050},
      {"tiny8", 8, "square-hinge", 1, budget(1), 4.447429511243},
      {"tiny8", 8, "square-hinge", 1, budget(8), 2.243711199},
      {"tiny8", 8, "square-hinge", 1, ridge(0.1), 1.903500569},
      {"tiny8", 8, "hinge", 1, budget(1), 10.301364464796},
      {"tiny8", 8, "hinge", 1, budget(8), 7.195533177172},
      {"tiny8", 8, "hinge", 1, ridge(0.1), 2.759961754838},
      {"tiny8", 8, "square", 1, budget(1), 4.447429511244593},
      {"tiny8", 8, "square", 1, ridge(0.1), 1.9035005690985884},
      {"iris30", 30, "square-hinge", 1, budget(1), 29.480967844},
      {"iris30", 30, "square-hinge", 1, budget(30), 18.073027734},
      {"iris30", 30, "square-hinge", 1, ridge(0.1), 16.510213364},
      {"mid_heart", 270, "square-hinge", 1, ridge(0.01), 70.408089},
      {"mid_heart", 270, "hinge", 1, ridge(0.01), 87.460457},
      {"mid_heart", 270, "square-hinge", 1, budget(270), 113.381028},
      {"mid_heart", 270, "linear", 0.1, budget(1, 1), 0.094896764424},
      {"mid_iris", 150, "square-hinge", 1, ridge(0.01), 29.932553},
      {"mid_wine", 178, "square-hinge", 1, ridge(0.01), 40.487098},
  };
  for (const Expected& expected : table) {
    CAPTURE(expected.name);
    CAPTURE(expected.loss);
    CAPTURE(expected.capacity.value);
    CAPTURE(expected.capacity.power);
    const auto problem = pairs_case(expected.name, expected.n, expected.loss, expected.penalty, expected.capacity);
    if (!problem) return;
    RunContext context;
    Options options;
    options.tolerance = 1e-8;

    const Result result = solve(*problem, options, context);

    CHECK(relative(page_objective(*problem, result.primal), expected.objective) < 1e-6);
    CHECK(result.gap >= -1e-10 * std::abs(result.primal));
    CHECK(result.relative_gap < 1e-6);
  }
}
