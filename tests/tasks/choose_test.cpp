// SPDX-License-Identifier: MIT

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "model/kernel_list.hpp"
#include "ritz/base/random.hpp"
#include "ritz/data/synthetic.hpp"
#include "support/errors.hpp"
#include "tasks/reduce/fit.hpp"
#include "tasks/reduce/task.hpp"

using namespace ritz;
using namespace ritz::reduce;

namespace {

Labels three_classes(Index n) {
  std::vector<std::string> names;
  for (Index i = 0; i < n; ++i) names.push_back(std::to_string(i * i % 3));
  return make_labels(names);
}

// K entry by entry, as the kernels are defined.
Matrix dense_kernel(const RowMatrix& Z, const KernelSum& kernel) {
  Matrix K = Matrix::Zero(Z.rows(), Z.rows());
  for (const KernelTerm& term : kernel)
    for (Index i = 0; i < Z.rows(); ++i)
      for (Index j = 0; j < Z.rows(); ++j) {
        double beta =
            form_of(term.kernel) == PairForm::dot ? Z.row(i).dot(Z.row(j)) : (Z.row(i) - Z.row(j)).squaredNorm();
        if (term.sample_scale) beta *= (*term.sample_scale)[std::size_t(i)] * (*term.sample_scale)[std::size_t(j)];
        K(i, j) += term.weight * std::visit([&](const auto& each) { return each.value(beta); }, *term.kernel);
      }
  return K;
}

Scorer scores(std::vector<std::pair<std::string, Score>> table) {
  return [table](const std::string& kernel, RunContext&) {
    const auto found = std::ranges::find(table, kernel, [](const auto& row) { return row.first; });
    return found == table.end() ? Score{} : found->second;
  };
}

const std::vector<Tried> kThree = {{"linear", 0, {}, 0}, {"squared", 1, {}, 0}, {"multiquadric", 2, {}, 0}};
const ScoreText kSay = {"right", true};

}  // namespace

TEST_CASE("the alignment is the cosine between the centred kernel matrix of the reduced samples and Gamma") {
  Rng rng(1, "choose test");
  const Index n = 60;
  Dataset data;
  data.samples = RowMatrix(rng.normal_matrix(n, 4));
  data.labels = three_classes(n);
  data.feature_names = {"a", "b", "c", "d"};
  ReduceOptions options;
  options.mode = Mode::supervised;
  options.dim = {2};
  RunContext context;
  const Scorer score = alignment_scorer(data, {}, options);
  const Matrix H = Matrix::Identity(n, n) - Matrix::Constant(n, n, 1.0 / double(n));
  for (const char* text : {"gaussian(sigma=0.7*median)", "linear", "polynomial(degree=3)", "multiquadric",
                           "0.3*gaussian(sigma=1)+0.01*polynomial(degree=2)", "rbf-relative(neighbours=4)"}) {
    CAPTURE(std::string(text));
    options.kernel = text;
    const ReduceResult fit = fit_once(data, {}, options, context).result;
    const Matrix centred = H * dense_kernel(fit.embedding, fit.kernel) * H, G = fit.gamma.factor.dense();
    const double expected = centred.cwiseProduct(G).sum() / (centred.norm() * G.norm());

    CHECK(score(text, context).value == doctest::Approx(expected).epsilon(1e-7));
  }
  // Ten times the kernel is no better kernel.
  CHECK(score("10*gaussian(sigma=2)", context).value == doctest::Approx(score("gaussian(sigma=2)", context).value));
}

TEST_CASE("the best score wins, and within one standard error of it the simplest kernel") {
  RunContext context;
  const auto chosen = [&](const Scorer& scorer) { return choose_among(kThree, scorer, kSay, context); };

  CHECK(chosen(scores({{"linear", {0.8}}, {"squared", {0.9}}, {"multiquadric", {0.95}}})).kernel == "multiquadric");
  const Choice near =
      chosen(scores({{"linear", {0.8, 0.01}}, {"squared", {0.945, 0.3}}, {"multiquadric", {0.95, 0.01}}}));
  CHECK(near.kernel == "squared");
  CHECK(near.reason ==
        "squared: right 94.5 %, within one standard error (1.0 %) of 95.0 % for multiquadric, and simpler");
  const Choice equal = chosen(scores({{"linear", {0.9}}, {"squared", {0.9}}, {"multiquadric", {0.9}}}));
  CHECK(equal.kernel == "linear");
  const Choice clear = chosen(scores({{"linear", {0.951}}, {"squared", {0.972, 0.001}}, {"multiquadric", {0.5}}}));
  CHECK(clear.reason == "squared: right 97.2 % against 95.1 % for linear");
}

TEST_CASE("kernels that cannot be fitted are passed over, and told") {
  RunContext context;
  const Choice choice = choose_among(kThree, scores({{"squared", {0.4}}}), kSay, context);

  CHECK(choice.kernel == "squared");
  REQUIRE(choice.notes.size() == 1);
  CHECK(choice.notes[0] == "2 of 3 kernels could not be fitted");
  CHECK(test::complaint([&] { choose_among(kThree, scores({}), kSay, context); }).code == ErrorCode::bad_data);
  CHECK(test::complaint([&] { choose_among({}, scores({}), kSay, context); }).code == ErrorCode::bad_option);
}

TEST_CASE("an interrupted choice is made among the kernels tried so far") {
  RunContext context;
  int calls = 0;
  const auto stopping = [&](int after) {
    calls = 0;
    return Scorer([&calls, after](const std::string&, RunContext&) -> Score {
      if (calls++ == after) throw Interrupted{Interrupted::Why::cancelled};
      return {double(calls)};
    });
  };

  const Choice choice = choose_among(kThree, stopping(2), kSay, context);
  CHECK(choice.kernel == "squared");
  CHECK(choice.tried.size() == 2);
  CHECK(choice.notes.at(0).find("after 2 of 3") != std::string::npos);
  CHECK_THROWS_AS(choose_among(kThree, stopping(0), kSay, context), Interrupted);
}

TEST_CASE("the width is found near the top of a smooth score, wherever that lies on the grid") {
  RunContext context;
  for (const double top : {0.06, 0.3, 0.31, 1.0, 2.7, 9.0}) {
    CAPTURE(top);
    const Scorer score = [&](const std::string& kernel, RunContext&) -> Score {
      const double multiple = std::get<Gaussian>(*parse_kernel(kernel).front().kernel).sigma.of_median;
      return {-std::abs(std::log(multiple / top))};
    };
    const Choice choice = choose_sigma("gaussian", score, kSay, context);
    const double found = std::get<Gaussian>(*parse_kernel(choice.kernel).front().kernel).sigma.of_median;

    CHECK(std::abs(std::log(found / std::clamp(top, 0.125, 4.0))) < 0.18);  // a quarter of the grid's ratio, rounding
    CHECK(choice.tried.size() <= 8);
  }
}

TEST_CASE("a width is set in every Gaussian of a sum, and refused where there is none") {
  CHECK(with_sigma("gaussian(sigma=3)+0.5*linear", {0, 0.25}) == "gaussian(sigma=0.25*median)+0.5*linear");
  CHECK(test::complaint([] { with_sigma("polynomial(degree=2)", {}); }).says("has no sigma"));
}

TEST_CASE("kernels are told apart on data that no straight line separates") {
  // Classes are sectors of a plane: opposite sectors belong together, so that class means say nothing.
  Generated sectors = generate("sectors", {}, 0);
  std::vector<Index> rows;
  for (Index i = 0; i < sectors.data.rows(); i += 4) rows.push_back(i);
  Dataset data = select_rows(sectors.data, rows);
  RunContext context;
  ReduceOptions options;
  options.dim = {2};
  const std::vector<Tried> candidates = {{"linear", 0, {}, 0}, {"gaussian(sigma=0.25*median)", 3, {}, 0}};
  for (const Criterion criterion : {Criterion::alignment, Criterion::accuracy}) {
    options.choosing = {.choose_by = criterion, .choose_folds = 3};
    const ScoreText say = score_text(options);
    const Choice choice = choose_among(candidates, make_scorer(data, {}, options, context.seed), say, context);

    CHECK(choice.kernel == "gaussian(sigma=0.25*median)");
    CHECK(choice_json(choice)["tried"].size() == 2);
  }
}

TEST_CASE("a fit honours kernel and width auto, by the options' names and texts as well") {
  const Dataset data = generate("sectors", {}, 0).data;
  RunContext context;
  const ReduceResult found =
      fit(data, {}, {.dim = {2}, .sigma = "auto", .choosing = {.choose_by = Criterion::alignment}}, context);

  REQUIRE(found.choice);
  CHECK(found.choice->tried.size() >= 6);
  CHECK(found.fit.summary.used.at("kernel") == found.choice->reason);

  TaskCall call;
  call.options = {{"dim", "2"}, {"sigma", "auto"}, {"choose_by", "alignment"}};
  call.inputs.data.data = std::make_shared<Dataset>(data);
  const TaskOutcome outcome = task_named("reduce").fit(call, context);
  CHECK(outcome.matrix("projection") == RowMatrix(found.fit.W));
  CHECK(Json::parse(outcome.json)["given"]["sigma"] == "auto");
}

TEST_CASE("the caller's samples stay as they were, dense and sparse, with all and with some held out") {
  Dataset dense = generate("sectors", {}, 0).data, sparse = dense;
  sparse.samples = SparseRows(dense.dense().sparseView());
  RunContext context;
  for (const Dataset* data : {&dense, &sparse})
    for (const double holdout : {0.0, 0.3}) {
      const std::string before = data_hash(*data);
      const ReduceResult found = fit(*data, {}, {.dim = {2}, .holdout = holdout}, context);
      const RowMatrix again = transform(to_model(found, {.dim = {2}}), *data, context);
      CHECK(data_hash(*data) == before);
      CHECK((again - found.embedding).norm() <= 1e-12 * again.norm());
    }
}
