// SPDX-License-Identifier: MIT
// The sweeps of the CPU have the same bits for any number of threads and ranks.
#include <doctest/doctest.h>

#include "support/pair_problem.hpp"
#include "support/thread_world.hpp"

using namespace ritz;
using ritz::testing::on_ranks;
using ritz::testing::PairProblem;
using ritz::testing::random_problem;

namespace {

using Numbers = std::vector<double>;

void append(Numbers& all, const auto& matrix) {
  for (Index j = 0; j < matrix.cols(); ++j)
    for (Index i = 0; i < matrix.rows(); ++i) all.push_back(matrix(i, j));
}

Numbers pair_sums(const PairProblem& problem, Precision precision, const RunContext& context) {
  const Samples samples(problem.X);
  const auto pass = cpu_backend().pair_pass(samples, problem.gamma);
  pass->force_route(RouteChoice::tiled);
  pass->set_accuracy({precision, 0});
  Numbers all;
  const PairSums sums = pass->sums(problem.W, problem.kernel, context);
  const PairGradient gradient = pass->gradient(problem.W, problem.kernel, context);
  append(all, sums.phi.dense());
  append(all, gradient.phi_W);
  append(all, pass->curvature_product(problem.W, problem.kernel, problem.W, context));
  append(all, pass->kernel_product(problem.W, problem.kernel, problem.X, context));
  all.insert(all.end(), {sums.objective, gradient.objective, pass->objective(problem.W, problem.kernel, context),
                         pass->curvature_bound(problem.W, problem.kernel, context)});
  const AlignmentSums alignment = cpu_backend().alignment_sums(problem.kernel, samples, problem.gamma, context);
  append(all, alignment.gram);
  append(all, alignment.target);
  append(all, cross_kernel({samples, problem.kernel}, {samples, problem.kernel}, context));
  return all;
}

Numbers geometry(const RowMatrix& X, const RunContext& context) {
  Numbers all;
  const Samples samples(X);
  std::vector<Index> rows(static_cast<std::size_t>(X.rows()));
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = Index(i);
  all.push_back(cpu_backend().distance_quantile(samples, rows, 0.3, context).value);
  const NeighbourTable table = cpu_backend().neighbours(X, X, 4, OwnRow::is_left_out, context);
  const NeighbourTable tree = tree_neighbours(X, X, 4, OwnRow::is_left_out, context);
  all.insert(all.end(), table.squared.begin(), table.squared.end());
  all.insert(all.end(), tree.squared.begin(), tree.squared.end());
  std::vector<std::vector<Index>> near;
  for (Index i = 0; i < X.rows(); ++i) {
    near.emplace_back(table.rows_of(i).begin(), table.rows_of(i).end());
    std::ranges::sort(near.back());
  }
  const Matrix psi = Matrix::Identity(2, X.cols());
  const auto sweep = cpu_backend().distance_sweep(X, {}, context);
  const DistanceFacts facts = sweep->sweep(psi, {.band = 0.3, .listed = 50, .bins = 7}, context);
  all.insert(all.end(), {facts.distortion, facts.lowest, facts.highest, double(facts.beyond)});
  for (const MeasuredPair& pair : facts.worst) all.insert(all.end(), {double(pair.a), double(pair.b), pair.ratio});
  for (const Index count : facts.histogram) all.push_back(double(count));
  const OrderFacts order = cpu_backend().order_sweep(near)->sweep(X.leftCols(2), {2, 2}, context);
  all.push_back(order.slack);
  for (const OrderTriple& triple : order.violated) all.push_back(double(triple.stranger + triple.i));
  return all;
}

void same_for_all(const std::function<Numbers(const RunContext&)>& work) {
  RunContext context;
  context.threads = 1;
  const Numbers expected = work(context);
  for (const int threads : {1, 2}) {
    context.threads = threads;
    CHECK(work(context) == expected);
    for (const int ranks : {2, 3, 5}) {
      std::atomic<int> same = 0;
      on_ranks(ranks, context, [&](const RunContext& own, int) { same += work(own) == expected; });
      CHECK(same == ranks);
    }
  }
}

}  // namespace

TEST_CASE("sums over pairs have the same bits for any number of threads and ranks") {
  for (const char* kernel : {"gaussian(sigma=1)", "0.5*gaussian(sigma=2)+polynomial(degree=2,offset=1)"})
    for (const Precision precision : {Precision::full, Precision::mixed}) {
      const PairProblem problem = random_problem(1300, 5, 2, kernel, true, 3);
      same_for_all([&](const RunContext& context) { return pair_sums(problem, precision, context); });
    }
}

TEST_CASE("distances, neighbours and quantiles have the same bits for any number of threads and ranks") {
  const RowMatrix X = Rng(4, "points").normal_matrix(1200, 3);
  same_for_all([&](const RunContext& context) { return geometry(X, context); });
}
