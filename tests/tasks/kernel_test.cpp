// SPDX-License-Identifier: MIT
#include "ritz/tasks/kernel.hpp"

#include <doctest/doctest.h>

#include <set>

#include "ritz/base/random.hpp"
#include "ritz/graph/laplacian.hpp"
#include "support/errors.hpp"
#include "tasks/kernel/model.hpp"

using namespace ritz;

namespace {

// Three clouds on a line, far apart for their size, in a row by turns.
Dataset clouds(Index n, bool sparse = false) {
  Dataset data;
  RowMatrix X = Rng(5, "clouds").normal_matrix(n, 3);
  for (Index i = 0; i < n; ++i) X(i, 0) += 6.0 * double(i % 3);
  for (Index i = 0; i < n; ++i) data.labels.of.push_back(int(i % 3));
  data.labels.names = {"a", "b", "c"};
  data.feature_names = {"x", "y", "z"};
  data.source = "clouds";
  if (sparse)
    data.samples = SparseRows(X.sparseView());
  else
    data.samples = X;
  return data;
}

LearnedKernel learned(Dataset& data, KernelOptions options = {}, npkl::Options how = {}) {
  RunContext context;
  options.fraction = 0.7;
  return learn_kernel(data, {}, options, how, context);
}

}  // namespace

TEST_CASE("training_samples_without_pairs_are_extended_to_their_own_rows_by_their_own_links") {
  Dataset data = clouds(60);
  npkl::Options how;
  how.tolerance = 1e-12;
  const LearnedKernel found = learned(data, {}, how);
  std::set<Index> named;
  for (const LinkedPair& pair : found.pairs.pairs) named.insert({pair.i, pair.j});
  std::vector<std::vector<Index>> neighbours(60);
  for (const Edge& edge : found.graph.edges) {
    neighbours[std::size_t(edge.i)].push_back(edge.j);
    neighbours[std::size_t(edge.j)].push_back(edge.i);
  }

  const RowMatrix extended = npkl::extend(found.fit.kernel, found.fit.eigenvalues, degrees(found.graph), neighbours);

  Index checked = 0;
  for (Index i = 0; i < 60; ++i) {
    if (named.contains(i)) continue;
    ++checked;
    CHECK((extended.row(i) - found.factor.row(i)).norm() <= 1e-10 * found.factor.norm());
  }
  REQUIRE(checked > 0);
}

TEST_CASE("sparse_and_dense_samples_of_the_same_numbers_give_the_same_kernel") {
  Dataset dense = clouds(40), sparse = clouds(40, true);
  KernelOptions options;
  options.scale = GraphScaling::standard;

  const LearnedKernel one = learned(dense, options), other = learned(sparse, options);

  // Without centring, rounding differs: the graph is the same unless neighbours tie.
  CHECK(one.graph.edges == other.graph.edges);
  CHECK(one.labels.of == other.labels.of);
  CHECK(one.fit.objective == doctest::Approx(other.fit.objective));
  CHECK(sparse.sparse());
}

TEST_CASE("suggestions_ask_about_the_closest_calls_and_never_about_what_is_known") {
  // One dimension: centers 0 and 10, samples 4 and 5 in between, 2 already linked.
  RowMatrix points(6, 1);
  points << 0, 1, 4, 4.9, 9, 10;
  RowMatrix centers(2, 1);
  centers << 0, 10;
  PairSet known{6, {{2, 3, 1}}, "", {}};

  const std::vector<Edge> pairs = suggested_pairs(points, {0, 0, 0, 0, 1, 1}, centers, known, 9);

  REQUIRE(pairs.size() >= 2);
  CHECK(pairs[0] == Edge{0, 3});  // the smallest margin, with the sample at its nearest center
  for (const Edge& pair : pairs) {
    CHECK(pair != Edge{0, 2});  // the same group was asked about already
    CHECK(pair.i < pair.j);
  }
  known.pairs.push_back({0, 3, -1});
  const std::vector<Edge> fewer = suggested_pairs(points, {0, 0, 0, 0, 1, 1}, centers, known, 9);
  CHECK(fewer[0] == Edge{3, 5});  // known: ask about the other cluster
}

TEST_CASE("rows_of_length_zero_stay_zero") {
  RowMatrix F(3, 2);
  F << 3, 4, 0, 0, 1e-20, 0;
  const RowMatrix unit = unit_rows(F);
  CHECK(unit.row(0).norm() == doctest::Approx(1));
  CHECK(unit.row(1).norm() == 0);
  CHECK(unit.row(2).norm() == 0);
}

TEST_CASE("a_check_does_not_believe_an_altered_kernel") {
  Dataset data = clouds(45);
  Dataset again = data;
  const LearnedKernel found = learned(data);
  RunContext context;
  ModelFile model = to_model(found, data, {}, {});
  Dataset fresh = again;
  CHECK(check_kernel(model, fresh, context).holds());

  SUBCASE("larger weights") { model.arrays["weights"] *= 1.01; }
  SUBCASE("another alpha") { model.arrays["alpha"] *= 0.9; }
  SUBCASE("a pair with the other sign") { model.arrays["pairs"](0, 2) *= -1; }
  SUBCASE("a negative weight") { model.arrays["weights"](0, 0) *= -1; }
  fresh = again;
  CHECK_FALSE(check_kernel(model, fresh, context).holds());
}

TEST_CASE("a_model_with_arrays_that_do_not_fit_is_refused") {
  Dataset data = clouds(30, true);
  Dataset other = clouds(12, true);
  const LearnedKernel found = learned(data);
  const ModelFile model = to_model(found, data, {}, {});
  RunContext context;
  for (const char* name : {"basis", "X_values", "X_columns", "X_starts", "degrees", "eigenvalues", "weights"}) {
    CAPTURE(name);
    ModelFile broken = model;
    broken.arrays.erase(name);
    Dataset query = other;
    CHECK_THROWS_AS(extend_kernel(broken, query, context), Error);
    broken = model;
    Matrix& changed = broken.arrays[name];
    changed.conservativeResize(changed.rows() - 1, changed.cols());
    query = other;
    CHECK_THROWS_AS(extend_kernel(broken, query, context), Error);
  }
}

TEST_CASE("new_sparse_samples_have_the_rows_of_the_same_dense_ones") {
  Dataset data = clouds(36, true);
  const LearnedKernel found = learned(data);
  const ModelFile model = to_model(found, data, {}, {});
  RunContext context;
  Dataset sparse = clouds(50, true), dense = clouds(50);

  CHECK(extend_kernel(model, sparse, context).factor == extend_kernel(model, dense, context).factor);
}
