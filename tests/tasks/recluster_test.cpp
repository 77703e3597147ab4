// SPDX-License-Identifier: MIT
#include "ritz/tasks/recluster.hpp"

#include <doctest/doctest.h>

#include <atomic>

#include "metrics/clustering.hpp"
#include "ritz/base/random.hpp"
#include "ritz/data/io.hpp"
#include "support/temporary_folder.hpp"
#include "tasks/recluster/task.hpp"
#include "tasks/recluster/tune.hpp"

using namespace ritz;
using namespace ritz::recluster;

namespace {

// Two splits, in columns 0 and 1, and noise of the same spread in the others.
Dataset two_splits(Index n, Index columns) {
  Dataset data;
  RowMatrix X = Rng(1, "recluster").normal_matrix(n, columns);
  for (Index i = 0; i < n; ++i) {
    X(i, 0) = (i % 2 ? 1 : -1) + 0.2 * X(i, 0);
    X(i, 1) = ((i / 2) % 2 ? 1 : -1) + 0.2 * X(i, 1);
  }
  data.samples = X;
  for (Index c = 0; c < columns; ++c) data.feature_names.push_back("x" + std::to_string(c + 1));
  data.source = "two splits";
  return data;
}

Labels every(Index n, Index period) {
  Labels labels{{}, {"a", "b"}};
  for (Index i = 0; i < n; ++i) labels.of.push_back(int((i / period) % 2));
  return labels;
}

}  // namespace

TEST_CASE("separation is large for clusters and vanishes for a cloud and for single samples") {
  const auto of = [](std::initializer_list<double> list) {
    Embedding embedding;
    embedding.values.resize(Index(list.size()));
    Index i = 0;
    for (const double value : list) embedding.values[i++] = value;
    return cluster_separation(embedding, {}).value;
  };
  CHECK(of({1, 0.2}) > 6);
  CHECK(of({1, 1}) == doctest::Approx(0));        // K = I: nothing leaks anywhere
  CHECK(std::abs(of({0.3, 0.28})) < 0.1);         // one cloud
  CHECK(of({1, 0.99, 0.2}) > of({1, 0.6, 0.2}));  // three clusters against two
}

TEST_CASE("the balanced lambda does not depend on the number of samples") {
  const double few = balanced_lambda({every(40, 1)}, 2) * 40, many = balanced_lambda({every(4000, 1)}, 2) * 4000;
  CHECK(few == doctest::Approx(many));
  CHECK(balanced_lambda({every(40, 1), every(40, 2)}, 2) == doctest::Approx(few / 40 / 2));
}

TEST_CASE("tuning finds the other split among noise columns, explains itself and keeps what is set") {
  const Index n = 80;
  const Dataset data = two_splits(n, 4);
  const std::string before = data_hash(data);
  RunContext context;
  const ReclusterOptions options{
      .how = {.clusters = 2}, .lambda = {0.5}, .tuning = {.tune = true, .tune_resamples = 1}};

  const ReclusterResult found = fit(data, {{every(n, 1)}, every(n, 2)}, options, context);

  const View& view = found.views.front();
  CHECK(data_hash(data) == before);
  CHECK(view.nmi == doctest::Approx(1));
  CHECK(view.solved.worst_novelty() <= 0.05);
  CHECK(view.lambda == doctest::Approx(0.5));
  REQUIRE(view.tuning);
  for (const TuneStep& step : view.tuning->path) {
    const double shared = step.kind == "beyond" ? 0.25 : 0.5;  // with the chosen clustering, where that is avoided, too
    CHECK((step.lambda == doctest::Approx(0.5) || step.lambda == doctest::Approx(shared)));
  }
  CHECK(view.fit.summary.used.contains("tune"));
  CHECK(tuning_svg(*view.tuning).find("dimension") != std::string::npos);
}

TEST_CASE("an interruption while tuning keeps the best setting so far, with labels for all samples") {
  const Index n = 60;
  Dataset data = two_splits(n, 3);
  std::atomic<bool> cancel{false};
  RunContext context;
  context.cancel = &cancel;
  context.observer = [&](const Progress& progress) {
    if (progress.path == "tune" && progress.iteration == 30) cancel = true;
    return Next::go_on;
  };

  const ReclusterResult found = fit(data, {{every(n, 1)}}, {.how = {.clusters = 2}, .tuning = {.tune = true}}, context);

  const Summary& summary = found.views.front().fit.summary;
  CHECK(summary.termination == Termination::interrupted);
  CHECK(summary.message.find("after 30 settings were tried") != std::string::npos);
  CHECK(found.views.front().clusters->labels.size() == n);
}

TEST_CASE("an image shape has as many pixels as there are columns") {
  CHECK(image_shape("32x30").height == 32);
  CHECK_NOTHROW(require_pixels("32x30", 960));
  CHECK_THROWS_WITH_AS(require_pixels("32x3", 960),
                       "recluster.image_shape is 32x3, 96 pixels, but the data has 960 columns", Error);
  for (const std::string text : {"", "32", "x30", "32x", "0x0", "ax b"}) CHECK_THROWS_AS(image_shape(text), Error);
}

TEST_CASE("views are numbered files of one call, and each model stands for itself") {
  const test::TemporaryFolder folder;
  const Index n = 80;
  const auto data = std::make_shared<Dataset>(two_splits(n, 2));
  TaskCall call;
  call.options = {{"clusters", "2"}, {"views", "2"}, {"dim", "1"}, {"sigma", "0.2*median"}};
  call.inputs.data.data = data;
  call.inputs.others["given"] = every(n, 4);
  call.files = {{"labels", folder.path("labels.txt")}, {"model", folder.path("m.ritz")}};
  RunContext context;

  const TaskOutcome outcome = task_named("recluster").fit(call, context);

  const Json json = Json::parse(outcome.json);
  REQUIRE(json["views"].size() == 1);
  CHECK(json["views"][0]["files"]["labels"] == folder.path("labels.2.txt"));
  CHECK(json["views"][0]["used"].contains("backend"));
  const ModelFile model = load_model(folder.path("m.2.ritz"));
  CHECK(task_of(model).verb == "recluster");
  Inputs inputs;
  inputs.data.data = data;
  CHECK(task_of(model).check(model, inputs, {}, context).holds);
  CHECK(task_of(model).predict(model, *data, {}, context).labels.of ==
        read_labels(folder.path("labels.2.txt"), context).of);
}

TEST_CASE("cluster means are means") {
  Dataset data = two_splits(4, 2);
  data.dense() << 1, 2, 3, 4, 5, 6, 7, 8;
  const RowMatrix means = cluster_means(data, every(4, 1));
  CHECK(means(0, 0) == 3);
  CHECK(means(1, 1) == 6);
}
