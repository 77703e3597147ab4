// SPDX-License-Identifier: MIT
#include "ritz/tasks/reduce.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <map>

#include "ritz/base/random.hpp"
#include "ritz/data/io.hpp"
#include "support/data_folder.hpp"
#include "support/errors.hpp"
#include "support/temporary_folder.hpp"
#include "tasks/reduce/task.hpp"

using namespace ritz;
using namespace ritz::reduce;

namespace {

// Classes differ in the first two of five columns, whose scales differ widely.
Dataset two_groups(Index n, int classes = 2, std::uint64_t seed = 1) {
  Rng rng(seed, "folds test");
  Dataset data;
  RowMatrix X = rng.normal_matrix(n, 5);
  std::vector<std::string> names;
  for (Index i = 0; i < n; ++i) {
    const int c = int(i % classes);
    names.push_back("class " + std::to_string(c));
    X(i, c % 2) += 4 * (1 + c / 2);
  }
  X.col(3) *= 100;
  data.samples = std::move(X);
  data.labels = make_labels(names);
  data.feature_names = {"a", "b", "c", "d", "e"};
  data.source = "groups";
  return data;
}

ReduceOptions plain(Index dim) {
  ReduceOptions options;
  options.dim = {dim};
  options.preset = Preset::paper;
  return options;
}

ReduceOptions papers_protocol(Index dim) {
  ReduceOptions options = plain(dim);
  options.splitting.scale_once = true;
  return options;
}

}  // namespace

TEST_CASE("stratified folds share out every class and every remainder evenly") {
  for (const Index n : {10, 37, 100}) {
    for (const Index count : {Index(2), Index(3), Index(10)}) {
      CAPTURE(n);
      CAPTURE(count);
      const Labels labels = two_groups(n, 3).labels;
      const std::vector<int> folds = stratified_folds(labels, count, 5);

      std::map<int, Index> sizes;
      std::map<std::pair<int, int>, Index> by_class;
      for (std::size_t i = 0; i < folds.size(); ++i) {
        ++sizes[folds[i]];
        ++by_class[{labels.of[i], folds[i]}];
      }
      CHECK(Index(sizes.size()) == count);
      for (const auto& [fold, size] : sizes) CHECK(std::abs(double(size) - double(n) / double(count)) < 1);
      const std::vector<Index> counts = labels.counts();
      for (const auto& [place, size] : by_class)
        CHECK(std::abs(double(size) - double(counts[std::size_t(place.first)]) / double(count)) < 1);
      CHECK(folds == stratified_folds(labels, count, 5));
      CHECK(folds != stratified_folds(labels, count, 6));
    }
  }
  CHECK_THROWS_AS(stratified_folds(two_groups(10).labels, 1, 0), Error);
  CHECK_THROWS_AS(stratified_folds(two_groups(10).labels, 11, 0), Error);
}

TEST_CASE("a fold is what a fit to the other samples gives") {
  const Dataset data = two_groups(60);
  const std::vector<int> fold_of = stratified_folds(data.labels, 4, 1);
  RunContext context;
  const FoldReport report = evaluate_folds(data, fold_of, plain(1), context);

  REQUIRE(report.finished == 4);
  for (int fold = 0; fold < 4; ++fold) {
    std::vector<Index> rows;
    for (Index i = 0; i < 60; ++i)
      if (fold_of[std::size_t(i)] != fold) rows.push_back(i);
    const ReduceResult alone = fit(select_rows(data, rows), {}, plain(1), context);
    CHECK(report.objective.values[std::size_t(fold)] == alone.fit.summary.objective);
    CHECK(report.zero_diagonal.values[std::size_t(fold)] ==
          doctest::Approx(alone.fit.summary.objective - alone.gamma_trace));
    CHECK(report.test_sizes[std::size_t(fold)] == 60 - Index(rows.size()));
  }
  CHECK(report.knn.mean() > 0.95);
  CHECK(report.svm.mean() > 0.95);
}

TEST_CASE("test samples have no part in the fit: other values leave the objective as it is") {
  Dataset data = two_groups(60);
  const std::vector<int> fold_of = stratified_folds(data.labels, 3, 1);
  RunContext context;
  const FoldReport before = evaluate_folds(data, fold_of, plain(1), context);
  for (Index i = 0; i < 60; ++i)
    if (fold_of[std::size_t(i)] == 0) data.dense().row(i) *= 1e3;
  const FoldReport after = evaluate_folds(data, fold_of, plain(1), context);
  const FoldReport once = evaluate_folds(data, fold_of, papers_protocol(1), context);

  CHECK(after.objective.values[0] == before.objective.values[0]);
  CHECK(after.objective.values[1] != before.objective.values[1]);
  CHECK(std::abs(once.objective.values[0] / before.objective.values[0] - 1) > 1e-6);  // scaled with the others in sight
}

TEST_CASE("sparse and dense data are evaluated alike, scaled once or on each part") {
  Dataset dense = two_groups(45, 3), sparse = dense;
  sparse.samples = SparseRows(dense.dense().sparseView());
  const std::vector<int> fold_of = stratified_folds(dense.labels, 3, 1);
  RunContext context;
  for (const bool once : {false, true}) {
    ReduceOptions options = plain(2);
    options.splitting.scale_once = once;
    const FoldReport a = evaluate_folds(dense, fold_of, options, context);
    const FoldReport b = evaluate_folds(sparse, fold_of, options, context);
    for (std::size_t f = 0; f < 3; ++f) {
      CHECK(a.objective.values[f] == doctest::Approx(b.objective.values[f]).epsilon(1e-9));
      CHECK(a.knn.values[f] == b.knn.values[f]);
      CHECK(a.knn_all_features.values[f] == b.knn_all_features.values[f]);
      CHECK(a.svm_all_features.values[f] == b.svm_all_features.values[f]);
    }
  }
}

TEST_CASE("mean and deviation over folds are those of the population") {
  FoldMeasure measure{{1, 2, 3, kUnknown, 6}};
  CHECK(measure.mean() == 3);
  CHECK(measure.deviation() == doctest::Approx(std::sqrt(14.0 / 4)));
  CHECK(std::isnan(FoldMeasure{}.mean()));
}

TEST_CASE("splits that cannot be evaluated are refused with their reason") {
  const Dataset data = two_groups(20);
  RunContext context;
  const auto refused = [&](std::vector<int> fold_of) {
    return test::complaint([&] { evaluate_folds(data, fold_of, plain(1), context); });
  };
  std::vector<int> by_class;
  for (const int c : data.labels.of) by_class.push_back(c);
  std::vector<int> gap(20, 0);
  gap[3] = gap[4] = 2;

  CHECK(refused(std::vector<int>(19, 0)).code == ErrorCode::bad_shape);
  CHECK(refused(std::vector<int>(20, 0)).says("at least two folds"));
  CHECK(refused(by_class).says("none is left to train on"));
  CHECK(refused(gap).says("fold 1 has no samples"));
}

TEST_CASE("a folds file must have one whole number a sample") {
  const test::TemporaryFolder folder;
  RunContext context;
  const auto refused = [&](const std::string& path) { return test::complaint([&] { read_folds(path, 4, context); }); };

  CHECK(read_folds(folder.file("good", "3\n1\n10\n1\n"), 4, context) == std::vector<int>{1, 0, 2, 0});
  CHECK(refused(folder.file("short", "0\n1\n0\n")).code == ErrorCode::bad_shape);
  CHECK(refused(folder.file("one", "2\n2\n2\n2\n")).code == ErrorCode::bad_data);
  CHECK(refused(folder.file("text", "a\nb\na\nb\n")).code == ErrorCode::bad_file);
  CHECK(refused(folder.file("half", "1\n1.5\n1\n1\n")).code == ErrorCode::bad_file);
}

TEST_CASE("folds finished before an interruption are reported with a note") {
  const Dataset data = two_groups(60);
  const std::vector<int> fold_of = stratified_folds(data.labels, 5, 1);
  std::atomic<bool> cancel = false;
  RunContext context;
  context.cancel = &cancel;
  context.observer = [&](const Progress& progress) {
    if (progress.path.starts_with("fold 3")) cancel = true;
    return Next::go_on;
  };
  const FoldReport report = evaluate_folds(data, fold_of, plain(1), context);

  CHECK(report.finished == 2);
  CHECK(report.knn.values.size() == 2);
  REQUIRE(!report.notes.empty());
  CHECK(report.notes.back().find("after 2 of 5 folds") != std::string::npos);
  CHECK(folds_json(report)["objective"]["values"].size() == 2);
  const FoldReport none = evaluate_folds(data, fold_of, plain(1), context);
  CHECK(none.finished == 0);
}

TEST_CASE("the papers' folds give the reference objectives and at least 95 % right") {
  struct Case {
    const char *data, *labels, *folds;
    Index classes;
    double objective;
  };
  // Means of F with a zero diagonal, measured with an independent program at the papers' protocol.
  for (const Case& each :
       std::array<Case, 3>{{{"ism/wine.csv", "ism/wine.labels", "ism/wine.folds", 3, 1320.12},
                            {"ism/cancer.csv", "ism/cancer.labels", "ism/cancer.folds", 2, 34493.04},
                            {"ism/face_624x960.csv", "ism/face.identity.labels", "ism/face.folds", 20, 3759.56}}}) {
    CAPTURE(std::string(each.data));
    const auto data_path = test::data_file(each.data), labels = test::data_file(each.labels),
               folds = test::data_file(each.folds);
    if (!data_path || !labels || !folds) continue;
    RunContext context;
    Dataset data = read_dataset(*data_path, {}, context);
    data.labels = read_labels(*labels, context);
    const std::vector<int> fold_of = read_folds(*folds, data.rows(), context);
    ReduceOptions options = papers_protocol(each.classes);
    options.how.curvature = Effort::never;
    options.how.stop = StopOn::eigenvalues;  // the papers' rule: three iterations
    options.how.tolerance = 0.01;
    const FoldReport report = evaluate_folds(data, fold_of, options, context);

    CHECK(report.zero_diagonal.mean() == doctest::Approx(each.objective).epsilon(1e-4));
    CHECK(report.svm.mean() >= 0.95);
    CHECK(report.knn.mean() >= 0.95);
    CHECK(report.svm_all_features.mean() >= 0.95);
  }
}
