// SPDX-License-Identifier: MIT
// A kernel and a loss are one file and one row each: grown/ has the files, CMakeLists.txt puts the rows into copies of
// the lists, and what stands on the lists is compiled once more. tests/model/kernel_test.cpp and loss_test.cpp, which
// walk them, are part of this program.
#include <doctest/doctest.h>

#include <algorithm>

#include "model/kernel_list.hpp"
#include "pairs/bandwidth.hpp"
#include "support/drawn_dual.hpp"
#include "support/pair_problem.hpp"

using namespace ritz;
using namespace ritz::test;
using namespace ritz::testing;

TEST_CASE("a new kernel is named, printed and suggested") {
  CHECK(std::ranges::count(kernel_names(), "cauchy") == 1);
  CHECK(kernel_text(parse_kernel("0.5*cauchy(width=2)+linear")) == "0.5*cauchy(width=2)+linear");
  CHECK_THROWS_WITH_AS(parse_kernel("cauchi"), doctest::Contains("did you mean 'cauchy'"), Error);
}

TEST_CASE("a new kernel's width comes from the data like any other's") {
  const PairProblem problem = random_problem(60, 4, 2, "cauchy(width=0.5*median)", true, 1);
  const RunContext context;
  CHECK(has_open_width(problem.kernel.front().kernel));

  const KernelSum theirs =
      resolve_bandwidths(parse_kernel("gaussian(sigma=0.5*median)"), Samples(problem.X), context).kernel;
  const KernelSum ours = resolve_bandwidths(problem.kernel, Samples(problem.X), context).kernel;

  CHECK(std::get<Cauchy>(*ours.front().kernel).width.value == std::get<Gaussian>(*theirs.front().kernel).sigma.value);
}

TEST_CASE("a new kernel's sums over pairs are those of the double loop") {
  for (const char* text : {"cauchy(width=0.7)", "0.3*cauchy(width=2)+gaussian(sigma=1)+linear"})
    for (const bool labelled : {true, false}) {
      CAPTURE(text);
      const PairProblem problem = random_problem(300, 5, 2, text, labelled, 2);
      RunContext context;
      const NaiveSums expected = naive_sums(problem);

      const PairSums sums = backend_or_cpu(context)
                                .pair_pass(Samples(problem.X), problem.gamma)
                                ->sums(problem.W, problem.kernel, context);

      CHECK(std::abs(sums.objective - expected.objective) <= 1e-12 * expected.size);
      CHECK((sums.phi.dense() - expected.phi).norm() <= 1e-12 * expected.phi_size);
    }
}

TEST_CASE("a new loss is learned with, to a gap that its own formulas certify") {
  for (const Capacity& capacity : {ridge(0.5), budget(3)}) {
    const Problem problem = drawn({.n = 12, .pairs = 20}, make_loss("huber", 0.7), capacity, 5);
    RunContext context = alone();
    Options options;
    options.tolerance = 1e-6;

    const Result result = solve(problem, options, context);

    const double primal = primal_by_definition(problem, result.kernel);
    const double dual = dual_by_definition(problem, result.best.alpha);
    CHECK(loss_name(problem.loss) == "huber");
    CHECK(primal >= dual - 1e-9 * std::abs(primal));
    CHECK(primal - dual <= 2e-6 * std::abs(primal));
  }
}
