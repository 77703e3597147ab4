// SPDX-License-Identifier: MIT
#include "ritz/tasks/unfold.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "ritz/base/random.hpp"
#include "tasks/unfold/task.hpp"

using namespace ritz;
using namespace ritz::unfold;

namespace {

// A curve in space with a little noise; two classes along it.
Dataset curve(Index n, bool sparse = false) {
  RowMatrix X = 0.02 * Rng(3, "curve").normal_matrix(n, 3);
  Dataset data;
  for (Index i = 0; i < n; ++i) {
    const double t = 4.0 * double(i) / double(n);
    X.row(i) += Eigen::RowVector3d(std::cos(t), std::sin(t), 0.2 * t);
    data.labels.of.push_back(i < n / 2 ? 0 : 1);
  }
  data.labels.names = {"low", "high"};
  data.feature_names = {"x", "y", "z"};
  data.source = "curve";
  if (sparse)
    data.samples = SparseRows(X.sparseView());
  else
    data.samples = X;
  return data;
}

UnfoldOptions of(UnfoldMethod method) {
  UnfoldOptions options;
  options.method = method;
  options.how.budget = method == UnfoldMethod::mvu ? 0 : 40;
  return options;
}

Graph ring(Index n) {
  Graph graph{n, {}};
  for (Index i = 0; i + 1 < n; ++i) graph.edges.push_back({i, i + 1});
  graph.edges.insert(graph.edges.begin() + 1, {0, n - 1});
  return graph;
}

}  // namespace

TEST_CASE("every_method_leaves_a_model_that_holds_and_samples_as_they_were") {
  const Dataset data = curve(40);
  const std::string before = data_hash(data);
  RunContext context;
  for (const UnfoldMethod method : {UnfoldMethod::mvu, UnfoldMethod::cmvu, UnfoldMethod::mve}) {
    CAPTURE(TextForm<UnfoldMethod>::print(method));
    const UnfoldOptions options = of(method);

    const UnfoldResult found = unfold::fit(data, {}, options, context);

    CHECK(data_hash(data) == before);
    ModelFile model = to_model(found, data, options);
    CHECK(unfold::check(model, data, context).holds());
    CHECK(unfold::transform(model, data, context) == found.fit.embedding);
    for (const char* name : {"alpha", "kernel_alpha"})
      if (model.arrays.contains(name)) model.arrays.at(name).array() += 1;
    CHECK_FALSE(unfold::check(model, data, context).holds());
  }
}

TEST_CASE("a_baseline_has_nothing_to_check") {
  const Dataset data = curve(30);
  RunContext context;
  const UnfoldResult found = unfold::fit(data, {}, of(UnfoldMethod::pca), context);

  CHECK(found.fit.held > 0.9);
  CHECK_THROWS_AS(unfold::check(to_model(found, data, of(UnfoldMethod::pca)), data, context), Error);
}

TEST_CASE("sparse_samples_unfold_as_the_same_dense_ones_do") {
  const Dataset dense = curve(40), sparse = curve(40, true);
  RunContext context;

  UnfoldOptions options;
  options.scale = UnfoldScaling::msn;  // which does not depend on how they are held, as auto does
  const UnfoldResult one = unfold::fit(dense, {}, options, context), other = unfold::fit(sparse, {}, options, context);

  CHECK(one.graph.edges == other.graph.edges);
  CHECK(one.fit.objective == doctest::Approx(other.fit.objective).epsilon(0.02));
}

TEST_CASE("a_call_by_names_and_texts_gives_the_typed_result") {
  TaskCall call;
  call.options = {{"method", "mve"}, {"neighbours", "4"}, {"dim", "1"}, {"ridge", "0.5"}};
  const auto data = std::make_shared<const Dataset>(curve(32));
  call.inputs.data.data = data;
  RunContext context;

  const TaskOutcome outcome = task_named("unfold").fit(call, context);

  UnfoldOptions options;
  options.method = UnfoldMethod::mve;
  options.neighbours = 4;
  options.how.dim = 1;
  options.how.ridge = 0.5;
  CHECK(outcome.matrix("embedding") == unfold::fit(*data, {}, options, context).fit.embedding);
  CHECK(task_named("unfold").check(outcome.model(), call.inputs, {}, context).holds);
}

TEST_CASE("a_graph_alone_is_embedded_from_memory_and_looked_at_again_without_data") {
  const Graph graph = ring(12);
  RowMatrix edges(Index(graph.edges.size()), 2);
  for (Index e = 0; e < edges.rows(); ++e)
    edges.row(e) << double(graph.edges[std::size_t(e)].j), double(graph.edges[std::size_t(e)].i);
  TaskCall call;
  call.options = {{"method", "spe"}};
  call.inputs.others["graph"] = edges;
  RunContext context;

  const TaskOutcome outcome = task_named("unfold").fit(call, context);

  CHECK(outcome.matrix("embedding").rows() == 12);
  // No triple of a ring is violated, so that there are no dual values; the check needs no data to say so.
  CHECK(task_named("unfold").check(outcome.model(), {}, {}, context).holds);
  call.options["vertices"] = "11";
  CHECK_THROWS_AS(task_named("unfold").fit(call, context), Error);
  call.inputs.others.clear();
  CHECK_THROWS_AS(task_named("unfold").fit(call, context), Error);
}

TEST_CASE("parts_side_by_side_do_not_overlap") {
  RowMatrix Z(4, 2);
  Z << 0, 0, 2, 1, 5, 5, 6, 7;

  place_side_by_side(Z, {{0, 0, 1, 1}, 2});

  CHECK(Z.col(0).minCoeff() == doctest::Approx(-Z.col(0).maxCoeff()));
  CHECK(std::max(Z(0, 0), Z(1, 0)) < std::min(Z(2, 0), Z(3, 0)));
  CHECK(Z(0, 1) == doctest::Approx(-Z(1, 1)));
}

TEST_CASE("a_forecast_grows_with_what_a_fit_holds") {
  RunContext context;
  const auto bytes = [&](std::map<std::string, std::string> options, std::map<std::string, std::string> sizes) {
    TaskCall call;
    call.options = std::move(options);
    return task_named("unfold").forecast(call, sizes, context).bytes;
  };
  const double plain = bytes({}, {{"rows", "5000"}, {"columns", "20"}});
  CHECK(bytes({{"scale", "none"}}, {{"rows", "5000"}, {"columns", "20"}}) == plain - 8.0 * 5000 * 20);
  CHECK(bytes({{"neighbours", "10"}}, {{"rows", "5000"}, {"columns", "20"}}) > plain);
  CHECK(bytes({}, {{"rows", "5000"}, {"columns", "20"}, {"edges", "25000"}}) == plain);
  CHECK(bytes({{"budget", "1"}}, {{"rows", "5000"}, {"columns", "20"}}) == plain + 8.0 * 4 * 5000 * 5000);
  CHECK(bytes({{"method", "spe"}}, {{"rows", "5000"}}) > 8.0 * 4 * 5000 * 5000);
  CHECK_THROWS_AS(bytes({}, {{"rows", "5000"}}), Error);
}
