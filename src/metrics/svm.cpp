// SPDX-License-Identifier: MIT
#include "metrics/svm.hpp"

#include <fmt/format.h>
#include <libsvm/svm.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <future>
#include <numeric>
#include <thread>

#include "base/at.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/parallel.hpp"
#include "ritz/base/text.hpp"

namespace ritz {

// Rows as LIBSVM wants them: pairs (index from 1, value) of what is not zero, closed by index −1.
struct NodeRows {
  std::vector<svm_node> nodes;
  std::vector<std::size_t> begins;
  explicit NodeRows(DataView X) {
    begins.reserve(std::size_t(X.rows()));
    for (Index i = 0; i < X.rows(); ++i) {
      begins.push_back(nodes.size());
      for (Index j = 0; j < X.cols(); ++j)
        if (X(i, j) != 0) nodes.push_back({int(j + 1), X(i, j)});
      nodes.push_back({-1, 0});
    }
  }
  svm_node* row(std::size_t i) { return nodes.data() + begins[i]; }
  const svm_node* row(std::size_t i) const { return nodes.data() + begins[i]; }
};

namespace {

constexpr double kCacheMegabytes = 100;  // of kernel columns, while training
constexpr Index kQueryRows = 64;

double scale_gamma(DataView X) {
  const double entries = double(X.size());
  const double mean = X.sum() / entries;
  const double variance = (X.array() - mean).square().sum() / entries;
  return variance > 0 ? 1 / (double(X.cols()) * variance) : 1;
}

void check_training(DataView X, const std::vector<int>& labels, const SvmOptions& options) {
  if (Index(labels.size()) != X.rows())
    throw Error(ErrorCode::bad_shape,
                fmt::format("the data has {} rows and {} labels; one label a row is needed", X.rows(), labels.size()));
  if (labels.empty() || std::ranges::all_of(labels, [&](int label) { return label == labels.front(); }))
    throw Error(ErrorCode::bad_data, "a support vector machine needs samples of at least two classes");
  if (!X.allFinite()) throw Error(ErrorCode::not_finite, "the training data contains NaN or infinite values");
  if (!(options.C > 0) || !(options.gamma >= 0) || !(options.tolerance > 0) ||
      !std::isfinite(options.C + options.gamma))
    throw Error(
        ErrorCode::bad_option,
        fmt::format("a support vector machine with C {}, gamma {} and tolerance {}: C and the tolerance must be "
                    "positive, gamma positive or 0 for 'scale'",
                    options.C, options.gamma, options.tolerance));
}

}  // namespace

// The model points into the rows, so both live here; a training that was given up is kept alive by its thread.
struct KernelSvm::State {
  NodeRows rows;
  std::vector<double> labels;
  std::vector<Index> row_of;  // of the training data
  svm_parameter parameter{};
  svm_model* model = nullptr;
  Index cols = 0;

  State(DataView X, const std::vector<int>& of, const SvmOptions& options) : rows(X), cols(X.cols()) {
    // LIBSVM numbers classes by their first appearance: in increasing order, ties of votes fall to the smaller label.
    row_of.resize(of.size());
    std::iota(row_of.begin(), row_of.end(), Index(0));
    std::ranges::stable_sort(row_of, {}, [&](Index i) { return at(of, i); });
    for (const Index i : row_of) labels.push_back(at(of, i));
    parameter.svm_type = C_SVC;
    parameter.kernel_type = RBF;
    parameter.gamma = options.gamma > 0 ? options.gamma : scale_gamma(X);
    parameter.cache_size = kCacheMegabytes;
    parameter.eps = options.tolerance;
    parameter.C = options.C;
    parameter.shrinking = 1;
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (model) svm_free_and_destroy_model(&model);
  }

  void train() {
    std::vector<svm_node*> pointers;
    for (const Index i : row_of) pointers.push_back(rows.row(std::size_t(i)));
    const svm_problem problem{int(labels.size()), labels.data(), pointers.data()};
    model = svm_train(&problem, &parameter);
  }

  void check_query(DataView X) const {
    if (X.cols() != cols)
      throw Error(ErrorCode::bad_shape,
                  fmt::format("the machine was trained with {} columns; the data has {}", cols, X.cols()));
    if (!X.allFinite()) throw Error(ErrorCode::not_finite, "the data contains NaN or infinite values");
  }
};

KernelSvm KernelSvm::train(DataView X, const std::vector<int>& labels, const SvmOptions& options,
                           const RunContext& context) {
  check_training(X, labels, options);
  context.poll();
  // One switch for the whole process: LIBSVM has no other, and would print to stdout. Set once, for others may train
  // too.
  static const bool silent = (svm_set_print_string_function([](const char*) {}), true);
  static_cast<void>(silent);
  const auto state = std::make_shared<State>(X, labels, options);
  std::promise<void> promise;
  std::future<void> done = promise.get_future();
  std::thread([state, promise = std::move(promise)]() mutable {
    try {
      state->train();
      promise.set_value();
    } catch (...) {
      promise.set_exception(std::current_exception());
    }
  }).detach();
  constexpr auto kBetweenPolls = std::chrono::milliseconds(50);
  while (done.wait_for(kBetweenPolls) != std::future_status::ready) context.poll();
  done.get();
  return KernelSvm(state);
}

std::vector<int> KernelSvm::predict(DataView X, const RunContext& context) const {
  state_->check_query(X);
  std::vector<int> labels(std::size_t(X.rows()));
  for_each_tile(tile_count(X.rows(), kQueryRows), context, [&](Index t) {
    const Range range = tile_range(X.rows(), kQueryRows, t);
    const NodeRows rows(X.middleRows(range.begin, range.size()));
    for (Index i = 0; i < range.size(); ++i)
      at(labels, range.begin + i) = int(svm_predict(state_->model, rows.row(std::size_t(i))));
  });
  return labels;
}

double svm_accuracy(DataView train, const std::vector<int>& train_labels, DataView test,
                    const std::vector<int>& test_labels, const SvmOptions& options, const RunContext& context) {
  if (Index(test_labels.size()) != test.rows())
    throw Error(ErrorCode::bad_shape,
                fmt::format("the test data has {} rows and {} labels", test.rows(), test_labels.size()));
  if (test.rows() == 0) throw Error(ErrorCode::bad_data, "there is no row to test on");
  const std::vector<int> found = KernelSvm::train(train, train_labels, options, context).predict(test, context);
  Index right = 0;
  for (std::size_t i = 0; i < found.size(); ++i) right += found[i] == test_labels[i];
  return double(right) / double(test.rows());
}

std::string svm_objection(Index n, Index d, const RunContext& context) {
  constexpr Index kMostRows = 20'000;
  constexpr double kMostWork = 4e10;  // n²·d, each about a nanosecond when every kernel column is needed once
  const double work = double(n) * double(n) * double(d);
  const double bytes = double(sizeof(svm_node)) * double(n) * double(d + 1) + kCacheMegabytes * 1e6;
  if (n > kMostRows) return fmt::format("{} training samples are more than {}", n, kMostRows);
  if (work > kMostWork)
    return fmt::format("{} training samples with {} features would take about {:.0f} s or more", n, d, 1e-9 * work);
  if (bytes > 0.5 * double(context.max_memory)) return fmt::format("it would take {} of memory", bytes_text(bytes));
  return "";
}

}  // namespace ritz
