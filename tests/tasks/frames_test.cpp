// SPDX-License-Identifier: MIT
// Fits in coordinates of their own: whitened samples, and the row space of wide ones.
#include <doctest/doctest.h>

#include "linalg/subspace.hpp"
#include "ritz/base/random.hpp"
#include "ritz/pairs/backend.hpp"
#include "ritz/tasks/reduce.hpp"

using namespace ritz;
using namespace ritz::reduce;

namespace {

// Classes that differ along one of two strongly correlated columns, and noise.
Dataset correlated(Index n, Index d, int classes) {
  Rng rng(5, "frames test");
  RowMatrix X = rng.normal_matrix(n, d);
  std::vector<std::string> names;
  for (Index i = 0; i < n; ++i) {
    const int c = int(i) % classes;
    names.push_back(std::to_string(c));
    X(i, 0) += 6 * X(i, 1);
    X(i, c % d) += 2;
  }
  Dataset data;
  data.samples = X;
  data.labels = make_labels(names);
  for (Index j = 0; j < d; ++j) data.feature_names.push_back("x" + std::to_string(j + 1));
  return data;
}

RowMatrix standardised(const Dataset& data) {
  RowMatrix X = data.dense();
  apply_scaling(learn_scaling(data, Scaling::standard), X);
  return X;
}

double largest_angle(const Matrix& A, const Matrix& B) {
  return principal_angles(orthonormalise(A).basis, orthonormalise(B).basis).maxCoeff();
}

}  // namespace

TEST_CASE("a linear kernel on whitened samples spans the subspace of linear discriminants") {
  const Dataset data = correlated(90, 5, 3);
  RunContext context;
  const ReduceResult found =
      fit(data, {}, {.dim = {2}, .kernel = "linear", .scale = Scaling::whiten, .shrinkage = 0}, context);

  // LDA: S_t⁻¹ times the class means, of which two are independent.
  const RowMatrix X = standardised(data);
  Matrix means = Matrix::Zero(5, 3);
  for (Index i = 0; i < 90; ++i) means.col(data.labels.of[std::size_t(i)]) += X.row(i).transpose() / 30;
  const Matrix lda = (X.transpose() * X).ldlt().solve(means.leftCols(2));
  CHECK(largest_angle(found.fit.W, lda) < 1e-7);
  CHECK((X * found.fit.W - found.embedding).norm() < 1e-10 * found.embedding.norm());
}

TEST_CASE("a linear kernel on whitened samples has the direction of least squares for a target") {
  Dataset data = correlated(80, 4, 2);
  Rng rng(6, "frames test");
  Guidance guidance;
  guidance.targets = data.dense() * RowMatrix(rng.normal_matrix(4, 1)) + RowMatrix(rng.normal_matrix(80, 1));
  data.labels = {};
  RunContext context;
  const ReduceResult found =
      fit(data, guidance, {.dim = {1}, .kernel = "linear", .scale = Scaling::whiten, .shrinkage = 0}, context);

  const RowMatrix X = standardised(data);
  const Matrix ols = (X.transpose() * X).ldlt().solve(X.transpose() * guidance.targets);
  CHECK(largest_angle(found.fit.W, ols) < 1e-7);
}

TEST_CASE("a model of whitened samples repeats its embedding and its certificate") {
  const Dataset data = correlated(60, 5, 3);
  RunContext context;
  const ReduceOptions options{.dim = {2}, .scale = Scaling::whiten};
  const ReduceResult found = fit(data, {}, options, context);
  const ModelFile model = to_model(found, options);

  CHECK((transform(model, data, context) - found.embedding).norm() < 1e-9 * found.embedding.norm());
  const ProjectionCheck again = check(model, data, {}, context);
  CHECK(again.holds());
  CHECK(again.certificate.objective == doctest::Approx(found.fit.summary.objective).epsilon(1e-9));
  CHECK(predict(model, data, {}, context).labels.size() == 60);
  CHECK(found.reading.relevance.size() == 5);
}

TEST_CASE("wide samples are fitted in their row space, with the W of the way through all columns") {
  const Dataset data = correlated(24, 40, 3);
  RunContext context;
  for (const std::string kernel : {"gaussian(sigma=8)", "linear", "polynomial(degree=2)"}) {
    CAPTURE(kernel);
    ReduceOptions options{.dim = {2}, .kernel = kernel, .preset = Preset::paper};
    options.how.tolerance = 1e-12;
    const ReduceResult found = fit(data, {}, options, context);

    const RowMatrix X = standardised(data);
    const Samples samples(X);
    ism::Options how = options.how;
    how.dimension = 2;
    const ism::Result dense = ism::solve({samples, supervised_gamma(data.labels), parse_kernel(kernel)}, how, context);
    CHECK((found.fit.W * found.fit.W.transpose() - dense.W * dense.W.transpose()).norm() < 1e-8);
    CHECK(found.fit.summary.objective == doctest::Approx(dense.summary.objective).epsilon(1e-12));
    CHECK(check(to_model(found, options), data, {}, context).holds());
  }
}

TEST_CASE("sparse wide samples have the same answer as dense ones") {
  const Dataset data = correlated(20, 30, 2);
  Dataset sparse = data;
  sparse.samples = SparseRows(data.dense().sparseView());
  RunContext context;
  const ReduceOptions options{.dim = {1}, .preset = Preset::paper};
  const ReduceResult a = fit(data, {}, options, context), b = fit(sparse, {}, options, context);

  CHECK((a.fit.W * a.fit.W.transpose() - b.fit.W * b.fit.W.transpose()).norm() < 1e-6);
}

TEST_CASE("resamples and sparse loadings speak of the features, whatever the fit's coordinates") {
  const Dataset data = correlated(60, 5, 3);
  RunContext context;
  ReduceOptions options{.dim = {2}, .scale = Scaling::whiten, .sparse = true};
  options.resampling.bootstrap = 4;
  const ReduceResult found = fit(data, {}, options, context);

  CHECK(found.reading.bootstrap.mean.rows() == 5);
  CHECK(found.reading.sparse.loadings.rows() == 5);
  CHECK(found.reading.sparse.path.front().loss < 0.01);
}
