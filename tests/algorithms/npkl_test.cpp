// SPDX-License-Identifier: MIT
#include "ritz/algorithms/npkl.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "support/errors.hpp"
#include "support/npkl_facts.hpp"

using namespace ritz;
using namespace ritz::npkl;

namespace {

RunContext alone() {
  RunContext context;
  context.threads = 1;
  return context;
}

PairSet pairs_of(const test::NpklCase& from) {
  PairSet set{from.n, {}, {}, {}};
  for (const auto& row : from.pairs) set.pairs.push_back({Index(row[0]), Index(row[1]), int(row[2])});
  return set;
}

Sparse laplacian_of(const test::NpklCase& from) { return from.laplacian().sparseView(); }

}  // namespace

TEST_CASE("a training point that no pair names is extended to itself") {
  const auto known = test::npkl_case("mid_iris");
  if (!known) return;
  RunContext context = alone();
  const PairSet pairs = pairs_of(*known);
  Options options;
  options.ridge = 0.01;
  options.tolerance = 1e-9;
  const Result result = solve(laplacian_of(*known), pairs, options, context);
  const Matrix W = known->weights();
  const Vector degrees = W.rowwise().sum();
  std::set<Index> named;
  for (const LinkedPair& pair : pairs.pairs) named.insert({pair.i, pair.j});
  std::vector<Index> free;
  std::vector<std::vector<Index>> links;
  for (Index i = 0; i < known->n; ++i) {
    if (named.count(i) || degrees(i) == 0) continue;
    free.push_back(i);
    links.emplace_back();
    for (Index j = 0; j < known->n; ++j)
      if (W(i, j) > 0) links.back().push_back(j);
  }
  REQUIRE(free.size() >= 5);

  const RowMatrix extended = extend(result.kernel, result.eigenvalues, degrees, links);

  const Matrix F = result.kernel.basis * result.kernel.weights.cwiseSqrt().asDiagonal();
  for (std::size_t x = 0; x < free.size(); ++x)
    CHECK((extended.row(Index(x)) - F.row(free[x])).cwiseAbs().maxCoeff() <= 1e-10 * F.cwiseAbs().maxCoeff());
}

TEST_CASE("active pairs are those that name one of the chosen points") {
  const auto known = test::npkl_case("mid_iris");
  if (!known) return;
  RunContext context = alone();
  const PairSet pairs = pairs_of(*known);
  Options options;
  options.ridge = 0.1;
  for (const Index points : {Index(0), Index(3), Index(20), known->n}) {
    CAPTURE(points);
    const PairSet active = active_pairs(laplacian_of(*known), pairs, points, options, context);

    CHECK(active.points == known->n);
    for (const LinkedPair& pair : active.pairs)
      CHECK(std::find(pairs.pairs.begin(), pairs.pairs.end(), pair) != pairs.pairs.end());
    // Every pair that is left out has both ends outside some set of `points` points that covers what is in.
    if (points == 0) CHECK(active.pairs.empty());
    if (points == known->n) CHECK(active.pairs.size() == pairs.pairs.size());
    // What is left out touches no chosen point: a chosen point has all its pairs in, so that at least as many points
    // as were asked for (of those that have pairs) have all their pairs in, and every pair in names one of them.
    std::vector<Index> all(std::size_t(known->n), 0), in(std::size_t(known->n), 0);
    for (const LinkedPair& pair : pairs.pairs) ++all[std::size_t(pair.i)], ++all[std::size_t(pair.j)];
    for (const LinkedPair& pair : active.pairs) ++in[std::size_t(pair.i)], ++in[std::size_t(pair.j)];
    const auto whole = [&](Index i) { return all[std::size_t(i)] > 0 && all[std::size_t(i)] == in[std::size_t(i)]; };
    Index kept = 0, named = 0;
    for (Index i = 0; i < known->n; ++i) kept += whole(i), named += all[std::size_t(i)] > 0;
    CHECK(kept >= std::min(points, named));
    for (const LinkedPair& pair : active.pairs) CHECK((whole(pair.i) || whole(pair.j)));
  }
}

TEST_CASE("a kernel on few smooth vectors is another estimator, above the full optimum") {
  const auto known = test::npkl_case("iris30");
  if (!known) return;
  RunContext context = alone();
  Options options;
  options.ridge = 0.1;
  const Result full = solve(laplacian_of(*known), pairs_of(*known), options, context);
  CHECK(full.primal == doctest::Approx(16.510213364).epsilon(1e-6));
  double before = full.primal;
  for (const Index rank : {30, 12, 5}) {
    options.low_rank = rank;
    const Result low = solve(laplacian_of(*known), pairs_of(*known), options, context);
    CHECK(low.relative_gap <= 1e-6);
    CHECK(low.kernel.weights.size() <= rank);
    CHECK(low.primal >= before - 1e-5 * std::abs(before));
    before = low.primal;
  }
  CHECK(before > full.primal * 1.001);
}

TEST_CASE("the share of satisfied pairs and the reported objective follow from the kernel") {
  const auto known = test::npkl_case("iris30");
  if (!known) return;
  RunContext context = alone();
  const PairSet pairs = pairs_of(*known);
  for (const char* loss : {"square-hinge", "linear"}) {
    Options options;
    options.loss = loss;
    options.budget = 30;
    const Result result = solve(laplacian_of(*known), pairs, options, context);
    const Matrix K = result.kernel.dense();
    double met = 0;
    for (const LinkedPair& pair : pairs.pairs) met += pair.sign * K(pair.i, pair.j) > 0;
    CHECK(result.satisfied == doctest::Approx(met / double(pairs.pairs.size())));
    if (std::string(loss) == "linear") {
      // max ⟨A, K⟩ at A = C·Σ tT − L.
      Matrix A = -known->laplacian();
      for (const LinkedPair& pair : pairs.pairs) A(pair.i, pair.j) += pair.sign, A(pair.j, pair.i) += pair.sign;
      CHECK(result.objective == doctest::Approx(A.cwiseProduct(K).sum()).epsilon(1e-9));
    } else {
      CHECK(result.objective == result.primal);
    }
  }
}

TEST_CASE("problems that are none are refused in words") {
  RunContext context = alone();
  const Sparse laplacian(3, 3);
  const PairSet pairs{3, {{0, 1, 1}}, {}, {}};
  Options options;
  CHECK(test::complaint([&] { solve(laplacian, {3, {}, {}, {}}, options, context); }).says("no pair"));
  CHECK(test::complaint([&] { solve(laplacian, {3, {{0, 3, 1}}, {}, {}}, options, context); }).says("0 and 3"));
  options.ridge = options.budget = 1;
  CHECK(test::complaint([&] { solve(laplacian, pairs, options, context); }).says("give one of them"));
  options.budget = 0;
  options.low_rank = 4;
  CHECK(test::complaint([&] { solve(laplacian, pairs, options, context); }).says("3 samples"));
  options.low_rank = 0;
  options.loss = "hing";
  CHECK(test::complaint([&] { solve(laplacian, pairs, options, context); }).says("hinge"));
}
