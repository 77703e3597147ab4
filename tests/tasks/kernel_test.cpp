// SPDX-License-Identifier: MIT
#include "ritz/tasks/kernel.hpp"

#include <doctest/doctest.h>

#include <set>

#include "graph/laplacian.hpp"
#include "ritz/base/random.hpp"
#include "support/errors.hpp"
#include "tasks/kernel/task.hpp"

using namespace ritz;
using namespace ritz::kernel;

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

KernelResult learned(const Dataset& data, KernelOptions options = {}) {
  RunContext context;
  options.fraction = 0.7;
  return kernel::fit(data, {}, options, context);
}

}  // namespace

TEST_CASE("training_samples_without_pairs_are_extended_to_their_own_rows_by_their_own_links") {
  const Dataset data = clouds(60);
  KernelOptions options;
  options.how.tolerance = 1e-12;
  const KernelResult found = learned(data, options);
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
  const Dataset dense = clouds(40), sparse = clouds(40, true);
  KernelOptions options;
  options.scale = GraphScaling::standard;

  const KernelResult one = learned(dense, options), other = learned(sparse, options);

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
  const Dataset data = clouds(45);
  const KernelResult found = learned(data);
  RunContext context;
  ModelFile model = to_model(found, data, {});
  CHECK(kernel::check(model, data, context).holds());

  SUBCASE("larger weights") { model.arrays["weights"] *= 1.01; }
  SUBCASE("another alpha") { model.arrays["alpha"] *= 0.9; }
  SUBCASE("a pair with the other sign") { model.arrays["pairs"](0, 2) *= -1; }
  SUBCASE("a negative weight") { model.arrays["weights"](0, 0) *= -1; }
  CHECK_FALSE(kernel::check(model, data, context).holds());
}

TEST_CASE("a_model_with_arrays_that_do_not_fit_is_refused") {
  const Dataset data = clouds(30, true);
  const Dataset other = clouds(12, true);
  const KernelResult found = learned(data);
  const ModelFile model = to_model(found, data, {});
  RunContext context;
  for (const char* name : {"basis", "X_values", "X_columns", "X_starts", "degrees", "eigenvalues", "weights"}) {
    CAPTURE(name);
    ModelFile broken = model;
    broken.arrays.erase(name);
    CHECK_THROWS_AS(kernel::transform(broken, other, context), Error);
    broken = model;
    Matrix& changed = broken.arrays[name];
    changed.conservativeResize(changed.rows() - 1, changed.cols());
    CHECK_THROWS_AS(kernel::transform(broken, other, context), Error);
  }
}

TEST_CASE("new_sparse_samples_have_the_rows_of_the_same_dense_ones") {
  const Dataset data = clouds(36, true);
  const KernelResult found = learned(data);
  const ModelFile model = to_model(found, data, {});
  RunContext context;
  const Dataset sparse = clouds(50, true), dense = clouds(50);

  CHECK(kernel::transform(model, sparse, context) == kernel::transform(model, dense, context));
}

TEST_CASE("a_call_by_names_and_texts_gives_the_typed_result_and_leaves_the_samples_alone") {
  const auto data = std::make_shared<const Dataset>(clouds(48));
  const std::string before = data_hash(*data);
  RowMatrix pairs(3, 3), edges(47, 2);
  pairs << 0, 3, 1, 4, 1, 1, 0, 1, -1;
  for (Index i = 0; i < 47; ++i) edges.row(i) << double(i), double(i + 1);
  TaskCall call;
  call.options = {{"clusters", "3"}, {"tolerance", "1e-8"}, {"normalise_rows", "false"}};
  call.inputs.data.data = data;
  call.inputs.others = {{"pairs", pairs}, {"edges", edges}};
  RunContext context;

  const TaskOutcome outcome = task_named("kernel").fit(call, context);

  KernelKnowledge known;
  known.pairs = {48, {{0, 3, 1}, {1, 4, 1}, {0, 1, -1}}, "", {}};
  known.edges = {48, {}};
  for (Index i = 0; i < 47; ++i) known.edges.edges.push_back({i, i + 1});
  KernelOptions options;
  options.clusters = 3;
  options.how.tolerance = 1e-8;
  options.normalise_rows = YesNo::no;
  const KernelResult typed = kernel::fit(*data, known, options, context);
  CHECK(outcome.matrix("kernel") == typed.factor);
  CHECK(outcome.labels("labels").of == typed.labels.of);
  CHECK(data_hash(*data) == before);
  CHECK(task_of(outcome.model()).verb == "kernel");
  CHECK(task_named("kernel").check(outcome.model(), call.inputs, {}, context).holds);
}

TEST_CASE("pairs_in_memory_that_are_none_are_refused_in_one_sentence") {
  TaskCall call;
  call.options = {{"clusters", "2"}};
  call.inputs.data.data = std::make_shared<const Dataset>(clouds(9));
  RunContext context;
  const auto refused = [&](const RowMatrix& pairs) {
    call.inputs.others["pairs"] = pairs;
    CHECK_THROWS_AS(task_named("kernel").fit(call, context), Error);
  };
  refused(RowMatrix{{0, 1, 2}});
  refused(RowMatrix{{0, 9, 1}});
  refused(RowMatrix{{0, 0.5, 1}});
  refused(RowMatrix{{4, 4, 1}});
  refused(RowMatrix{{0, 1}});
  refused(RowMatrix(0, 3));
}

TEST_CASE("a_forecast_counts_the_scaled_copy") {
  RunContext context;
  TaskCall call;
  const auto bytes = [&](const char* scale) {
    call.options["scale"] = scale;
    return task_named("kernel").forecast(call, {{"rows", "1000"}, {"columns", "100"}}, context).bytes;
  };
  CHECK(bytes("standard") == bytes("none") + 8.0 * 1000 * 100);
  CHECK_THROWS_AS(task_named("kernel").forecast(call, {}, context), Error);
}
