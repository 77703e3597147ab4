// SPDX-License-Identifier: MIT
// Sums over a sample of tiles: parts of the pairs that make up all of them add up to the sums over all.
#include <doctest/doctest.h>

#include <numeric>

#include "support/pair_problem.hpp"

using namespace ritz;
using namespace ritz::testing;

namespace {

constexpr Index kRows = TileSample::kRows;

// Pairs of tiles that are so many steps apart.
std::shared_ptr<const TileSample> apart(Index tiles, std::initializer_list<Index> steps, double weight) {
  TileSample sample;
  sample.ahead.assign(std::size_t(tiles), false);
  for (const Index step : steps)
    sample.ahead[std::size_t(step)] = sample.ahead[std::size_t((tiles - step) % tiles)] = true;
  sample.own = sample.between = weight;
  return std::make_shared<const TileSample>(sample);
}

struct Sums {
  Matrix phi, phi_W, curved;
  double objective = 0, gradient_objective = 0;
};

Sums sums_of(const PairProblem& problem, const Samples& X, std::shared_ptr<const TileSample> pairs) {
  Gamma gamma = problem.gamma;
  gamma.pairs = std::move(pairs);
  const auto pass = cpu_backend().pair_pass(X, gamma);
  const PairSums sums = pass->sums(problem.W, problem.kernel, {});
  const PairGradient gradient = pass->gradient(problem.W, problem.kernel, {});
  CHECK(pass->objective(problem.W, problem.kernel, {}) == doctest::Approx(sums.objective).epsilon(1e-12));
  const Matrix E = Matrix::Ones(problem.W.rows(), problem.W.cols());
  return {sums.phi.dense(), gradient.phi_W, pass->curvature_product(problem.W, problem.kernel, E, {}), sums.objective,
          gradient.objective};
}

}  // namespace

TEST_CASE("parts of the pairs add up to all") {
  for (const Index rows : {5 * kRows, 4 * kRows + 30, 4 * kRows}) {
    const Index tiles = tile_count(rows, kRows);
    const PairProblem problem = random_problem(rows, 5, 2, "gaussian(sigma=1.3)", true, 3);
    const Samples X(problem.X);
    const Sums all = sums_of(problem, X, nullptr), own = sums_of(problem, X, apart(tiles, {0}, 1)),
               near = sums_of(problem, X, apart(tiles, {1}, 0.5)), far = sums_of(problem, X, apart(tiles, {2}, 2));
    const auto joined = [&](auto member) { return own.*member + 2 * near.*member + far.*member / 2; };
    CHECK((joined(&Sums::phi) - all.phi).norm() <= 1e-11 * all.phi.norm());
    CHECK((joined(&Sums::phi_W) - all.phi_W).norm() <= 1e-11 * all.phi_W.norm());
    CHECK((joined(&Sums::curved) - all.curved).norm() <= 1e-10 * all.curved.norm());
    CHECK(joined(&Sums::objective) == doctest::Approx(all.objective).epsilon(1e-11));
    CHECK(joined(&Sums::gradient_objective) == doctest::Approx(all.objective).epsilon(1e-11));
  }
}

TEST_CASE("rows of other samples are those samples") {
  const PairProblem problem = random_problem(700, 6, 2, "gaussian(sigma=1.1)", false, 5);
  const std::vector<Index> rows = Rng(1, "order").permutation(700);
  const Samples whole(problem.X), some(whole, rows);
  PairProblem moved = problem;
  moved.X = problem.X(rows, Eigen::all);
  moved.gamma.factor.basis = Matrix(problem.gamma.factor.basis(rows, Eigen::all));
  const Sums there = sums_of(moved, Samples(moved.X), nullptr), here = sums_of(moved, some, nullptr);
  CHECK(there.phi == here.phi);
  CHECK(there.phi_W == here.phi_W);
  CHECK(there.objective == here.objective);
}
