// SPDX-License-Identifier: MIT
// What the program settles by itself where nothing is asked for.
#include <doctest/doctest.h>

#include "ritz/base/random.hpp"
#include "ritz/data/synthetic.hpp"
#include "support/errors.hpp"
#include "tasks/reduce/fit.hpp"

using namespace ritz;
using namespace ritz::reduce;

namespace {

// So many groups in general position, with noise columns beside.
Dataset groups(int classes, Index n, Index d) {
  Rng rng(9, "settings test");
  RowMatrix X = rng.normal_matrix(n, d);
  std::vector<std::string> names;
  for (Index i = 0; i < n; ++i) {
    const int c = int(i) % classes;
    names.push_back(std::to_string(c));
    X(i, c % d) += 6;
  }
  Dataset data;
  data.samples = X;
  data.labels = make_labels(names);
  for (Index j = 0; j < d; ++j) data.feature_names.push_back("x" + std::to_string(j + 1));
  return data;
}

}  // namespace

TEST_CASE("the dimension is never below what the classes need, and the curve is told") {
  RunContext context;
  for (const int classes : {2, 4, 6}) {
    CAPTURE(classes);
    const ReduceResult found = fit(groups(classes, 120, 8), {}, {}, context);

    CHECK(found.fit.W.cols() >= classes - 1);
    REQUIRE(found.setting);
    CHECK(!found.setting->tried.empty());
    CHECK(found.setting->curve.find(std::to_string(classes - 1) + ": ") != std::string::npos);
    CHECK(found.fit.summary.used.at("setting") == found.setting->reason);
  }
}

TEST_CASE("what is asked for is not chosen again") {
  RunContext context;
  const Dataset data = groups(3, 60, 5);
  const ReduceResult found = fit(data, {}, {.dim = {2}, .scale = Scaling::standard}, context);
  CHECK(!found.setting);
  const ReduceResult scaled = fit(data, {}, {.scale = Scaling::standard}, context);
  REQUIRE(scaled.setting);
  for (const TriedSetting& each : scaled.setting->tried) CHECK(each.scale == Scaling::standard);
  const ReduceResult wide = fit(data, {}, {.dim = {4}}, context);
  for (const TriedSetting& each : wide.setting->tried) CHECK(each.dim == 4);
}

TEST_CASE("columns that nearly repeat each other are whitened slightly, as only their differences tell the classes") {
  Dataset data = groups(3, 240, 6);
  Rng rng(5, "nearly the same");
  RowMatrix X = rng.normal_matrix(240, 6);
  for (Index i = 0; i < 240; ++i)
    for (Index j = 0; j < 3; ++j)
      X(i, 3 + j) = X(i, j) + 0.05 * X(i, 3 + j) + (data.labels.of[std::size_t(i)] == int(j) ? 0.15 : 0.0);
  data.samples = X;
  RunContext context;
  const ReduceResult found = fit(data, {}, {}, context);

  REQUIRE(found.setting);
  const TriedSetting& chosen = found.setting->tried[found.setting->chosen];
  CHECK(chosen.scale == Scaling::whiten);
  CHECK(chosen.shrinkage < 0.1);
  CHECK(chosen.right > 0.8);
  // What is told is what the neighbours of a sample vote for; how many are found stands beside it.
  CHECK(chosen.score.value <= 1);
  CHECK(found.setting->reason.find("votes") != std::string::npos);
}

TEST_CASE("each whitened scale is looked at in more dimensions, whichever is the best in the fewest") {
  Rng rng(6, "more dimensions");
  const RowMatrix centres = rng.normal_matrix(16, 4);
  Dataset data = groups(2, 320, 10);  // what tells the classes apart takes four dimensions
  RowMatrix X = 0.3 * rng.normal_matrix(320, 10);
  for (Index i = 0; i < 320; ++i) {
    X.row(i).head(4) += centres.row(i % 16);
    data.labels.of[std::size_t(i)] = (i % 16) < 8;
  }
  X.col(9) += X.col(8) * 10;
  data.samples = X;
  RunContext context;
  const ReduceResult found = fit(data, {}, {}, context);

  REQUIRE(found.setting);
  for (const WhitenBy by : {WhitenBy::all, WhitenBy::classes})
    for (const Index dim : {1, 2, 3, 5})
      CHECK(std::ranges::any_of(found.setting->tried, [&](const TriedSetting& each) {
        return each.scale == Scaling::whiten && each.whiten_by == by && each.dim == dim && each.judged > 0;
      }));
  const TriedSetting& chosen = found.setting->tried[found.setting->chosen];
  CHECK(chosen.dim > 1);
  CHECK(chosen.right > 0.8);
}

TEST_CASE("where no directions predict as well as all features, it is said") {
  Rng rng(6, "all features");
  const RowMatrix centres = rng.normal_matrix(40, 10);
  Dataset data = groups(2, 400, 10);
  RowMatrix X = 0.45 * rng.normal_matrix(400, 10);
  for (Index i = 0; i < 400; ++i) X.row(i) += centres.row(i % 40);
  data.samples = X;
  RunContext context;
  const ReduceResult found = fit(data, {}, {}, context);

  CHECK(found.fit.W.cols() == 10);
  REQUIRE(found.setting);
  CHECK(found.setting->reason.find("all 10 features") != std::string::npos);
  CHECK(std::ranges::any_of(found.setting->notes,
                            [](const std::string& note) { return note.find("no reduction") != std::string::npos; }));
}

TEST_CASE("the papers' preset chooses nothing and takes their settings") {
  RunContext context;
  const ReduceResult found = fit(groups(3, 60, 5), {}, {.preset = Preset::paper}, context);

  CHECK(!found.setting);
  CHECK(found.scale == Scaling::standard);
  CHECK(found.fit.W.cols() == 3);
  CHECK((found.fit.W.transpose() * found.fit.W - Matrix::Identity(3, 3)).norm() < 1e-10);
}

TEST_CASE("too few samples to judge by are fitted all the same, and so are classes of one sample") {
  RunContext context;
  const ReduceResult few = fit(groups(2, 6, 3), {}, {}, context);
  CHECK(few.fit.W.cols() == 1);
  CHECK(few.setting->reason.find("too few") != std::string::npos);

  Dataset lonely = groups(3, 60, 4);
  lonely.labels.of.back() = int(lonely.labels.names.size());
  lonely.labels.names.push_back("alone");
  CHECK(fit(lonely, {}, {}, context).fit.W.cols() >= 3);
}

TEST_CASE("evidence has a limited number of rows, with the shares of the classes") {
  Dataset data = groups(2, 5000, 3);
  for (Index i = 0; i < 5000; ++i) data.labels.of[std::size_t(i)] = i % 10 == 0;
  const Evidence evidence = evidence_of(data, {}, {}, 0);

  CHECK(evidence.data.rows() <= Evidence::kMostRows);
  CHECK(evidence.data.rows() >= Evidence::kMostRows / 2);
  CHECK(double(evidence.data.labels.counts()[1]) / double(evidence.data.rows()) == doctest::Approx(0.1).epsilon(0.05));
}

TEST_CASE("folds choose anew on each training part: a choice by what is tested would claim too much") {
  // Labels that have nothing to do with the columns: whatever is chosen, half of them are found.
  double claimed = 0;
  const int seeds = 4;
  for (int seed = 0; seed < seeds; ++seed) {
    Rng rng(std::uint64_t(seed), "nested folds");
    Dataset data = groups(2, 90, 12);
    data.samples = RowMatrix(rng.normal_matrix(90, 12));
    RunContext context;
    context.seed = std::uint64_t(seed);
    ReduceOptions options{.dim = {1}};
    options.choosing.choose_folds = 3;
    options.splitting = {.folds = 5, .svm = false, .all_features = false};
    claimed += fit(data, {}, options, context).folds->knn.mean() / seeds;
  }
  CHECK(claimed < 0.59);
}

TEST_CASE("numeric targets have folds and a part held out, with R2 beside least squares") {
  Rng rng(3, "targets test");
  Dataset data = groups(2, 150, 5);
  data.labels = {};
  Guidance guidance;
  guidance.targets = data.dense().leftCols(1) + 0.1 * RowMatrix(rng.normal_matrix(150, 1));
  RunContext context;
  ReduceOptions options;
  options.splitting.folds = 3;
  options.holdout = 0.3;
  const ReduceResult found = fit(data, guidance, options, context);

  REQUIRE(found.folds);
  CHECK(found.folds->knn.mean() > 0.9);
  CHECK(found.folds->least_squares.mean() > 0.95);
  CHECK(found.folds->partial.mean() > 0.9);
  CHECK(found.holdout.accuracy_after > 0.9);
  CHECK(found.holdout.least_squares > 0.95);
  CHECK(found.targets.rows() == found.holdout.train);
}

TEST_CASE("one feature is its own answer") {
  Dataset data = groups(2, 40, 1);
  RunContext context;
  const ReduceResult found = fit(data, {}, {}, context);

  CHECK(found.fit.summary.converged());
  CHECK(std::abs(found.fit.W(0, 0)) == doctest::Approx(1));
}
