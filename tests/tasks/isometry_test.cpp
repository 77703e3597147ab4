// SPDX-License-Identifier: MIT
#include "ritz/tasks/isometry.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "linalg/tall_products.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/random.hpp"
#include "ritz/tasks/task.hpp"

using namespace ritz;

namespace {

// 40 samples near a plane in nine dimensions.
Dataset drawn() {
  Rng rng(1, "tasks/isometry");
  Dataset data;
  data.samples = RowMatrix(rng.normal_matrix(40, 2) * rng.normal_matrix(2, 9) + 0.05 * rng.normal_matrix(40, 9));
  data.source = "drawn";
  for (int j = 1; j <= 9; ++j) data.feature_names.push_back("x" + std::to_string(j));
  return data;
}

isometry::IsometryOptions asked(double distortion) {
  isometry::IsometryOptions options;
  options.how.distortion = distortion;
  return options;
}

TaskCall call_of(Dataset data, std::map<std::string, std::string> options) {
  TaskCall call;
  call.options = std::move(options);
  call.inputs.data.data = std::make_shared<Dataset>(std::move(data));
  return call;
}

std::string message_of(const TaskCall& call) {
  RunContext context;
  try {
    task_named("isometry").fit(call, context);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a fit keeps every distance, leaves the caller's data alone, and its model holds") {
  const Dataset data = drawn();
  const RowMatrix before = data.dense();
  RunContext context;

  const isometry::IsometryResult found = isometry::fit(data, {}, asked(0.3), context);
  const ModelFile model = isometry::to_model(found, asked(0.3));
  const isometry::IsometryCheck check = isometry::check(model, data, context);

  CHECK(found.fit.reached(0.3));
  CHECK(found.comparison.size() == 3);
  CHECK(data.dense() == before);
  CHECK((check.same_data && check.holds()));
  CHECK((isometry::transform(model, data, context) - before * found.fit.psi.transpose()).norm() < 1e-12);
}

TEST_CASE("options by text give the same measurements, and the embedding needs no model") {
  const Dataset data = drawn();
  RunContext context;
  const isometry::IsometryResult typed = isometry::fit(data, {}, asked(0.3), context);

  const TaskOutcome found = task_named("isometry").fit(call_of(data, {{"distortion", "0.3"}}), context);

  CHECK(found.matrix("projection") == RowMatrix(typed.fit.psi));
  CHECK(found.matrix("embedding") == tall_product(data.dense(), Matrix(typed.fit.psi.transpose()), context));
  const auto json = nlohmann::json::parse(found.json);
  CHECK(json["objective"] == typed.fit.psi.rows());
  CHECK(json["given"]["rank"] == 0);
  CHECK(json["used"].contains("backend"));
  CHECK(json.contains("trace"));
}

TEST_CASE(
    "pairs in memory are those of a file: either way round, the heaviest of a repeated one, none of weight zero") {
  const Dataset data = drawn();
  TaskCall call = call_of(data, {{"distortion", "0.2"}});
  RowMatrix pairs(4, 3);
  pairs << 5, 2, 1, 2, 5, 3, 7, 8, 1, 0, 1, 0;
  call.inputs.others["pairs"] = pairs;
  RunContext context;

  const TaskOutcome found = task_named("isometry").fit(call, context);

  const Matrix stored = found.model().arrays.at("pairs");
  CHECK(stored == (Matrix(2, 3) << 2, 5, 3, 7, 8, 1).finished());
  call.inputs.others["pairs"] = RowMatrix(RowMatrix::Constant(1, 2, 99.0));
  CHECK(message_of(call).find("there is no sample 99") != std::string::npos);
}

TEST_CASE("a sweep holds the rank of each distortion, and no model") {
  RunContext context;
  const TaskOutcome found = task_named("isometry").fit(call_of(drawn(), {{"sweep", "0.1,0.5"}}), context);

  const auto rows = nlohmann::json::parse(found.json)["result"]["sweep"];
  REQUIRE(rows.size() == 2);
  CHECK(rows[0]["rank"] >= rows[1]["rank"]);
  CHECK(rows[0]["pca"] >= rows[0]["rank"]);
  CHECK(found.summary.converged());
  CHECK(found.text.find("a rank for 2 distortions") != std::string::npos);
  CHECK(found.matrix("embedding").size() == 0);
  CHECK_THROWS_AS(found.model(), Error);
}

TEST_CASE("what options ask of each other is said before anything is read") {
  TaskCall call;
  call.inputs.data.paths = {"there is no such file"};
  CHECK(message_of(call).starts_with("isometry.distortion is required"));
  call.options = {{"distortion", "1"}};
  CHECK(message_of(call).starts_with("isometry.distortion is 1; it must lie between 0 and 1"));
  call.options = {{"sweep", "0.1,1.5"}};
  CHECK(message_of(call).starts_with("isometry.sweep names 1.5"));
  call.options = {{"sweep", "0.1"}, {"rank", "2"}};
  CHECK(message_of(call).find("are for one") != std::string::npos);
  call.options = {{"distortion", "0.1"}, {"secants", "sample:5"}};
  call.inputs.others["pairs"] = std::vector<std::string>{"pairs.csv"};
  CHECK(message_of(call).find("give one of them") != std::string::npos);
}
