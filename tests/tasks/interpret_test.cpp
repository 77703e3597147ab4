// SPDX-License-Identifier: MIT
#include "tasks/reduce/fit.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "linalg/subspace.hpp"
#include "pairs/bandwidth.hpp"
#include "ritz/base/random.hpp"
#include "ritz/tasks/reduce.hpp"
#include "support/errors.hpp"
#include "tasks/reduce/task.hpp"

using namespace ritz;
using namespace ritz::reduce;

namespace {

// Three classes in the first two of eight columns; the rest is noise.
struct FittedGroups {
  projection::ScaledSamples X;
  Gamma gamma;
  KernelSum kernel;
  ism::Result fit;
  Frame frame{};  // none
  FittedProblem problem() const { return {X, gamma, kernel, fit.W, frame}; }
};

FittedGroups fitted_groups(Index n, const std::string& kernel = "gaussian(sigma=median)", double apart = 5,
                           bool sparse = false) {
  Rng rng(3, "interpret test");
  RowMatrix X = rng.normal_matrix(n, 8);
  std::vector<std::string> names;
  for (Index i = 0; i < n; ++i) {
    names.push_back(std::to_string(i % 3));
    if (i % 3 > 0) X(i, i % 3 - 1) += apart;
  }
  Dataset data;
  data.samples = X;
  if (sparse) data.samples = SparseRows(X.sparseView());
  const ColumnScaling scaling = learn_scaling(data, Scaling::standard);
  FittedGroups fitted{{std::move(data), scaling}, supervised_gamma(make_labels(names)), {}, {}};
  const Samples& samples = fitted.X.samples();
  RunContext context;
  fitted.kernel = resolve_bandwidths(parse_kernel(kernel), samples, context).kernel;
  fitted.fit = ism::solve({samples, fitted.gamma, fitted.kernel}, {.dimension = 2}, context);
  return fitted;
}

double objective(const FittedGroups& fitted, const Matrix& W) {
  RunContext context;
  return cpu_backend().pair_pass(fitted.X.samples(), fitted.gamma)->objective(W, fitted.kernel, context);
}

}  // namespace

TEST_CASE("relevance sums to one, ignores signs and turns among equal eigenvalues, and weighs axes") {
  Rng rng(1, "interpret test");
  const Matrix W = orthonormalise(rng.normal_matrix(7, 3)).basis;
  const Vector equal = Vector::Constant(3, 4.0);
  const Vector relevance = feature_relevance(W, equal);

  CHECK(relevance.sum() == doctest::Approx(1).epsilon(1e-14));
  CHECK(relevance.isApprox(Vector(W.rowwise().squaredNorm() / 3), 1e-13));
  const Matrix turned = W * orthonormalise(rng.normal_matrix(3, 3)).basis;
  CHECK(feature_relevance(turned, equal).isApprox(relevance, 1e-12));
  // An axis with a negative eigenvalue does not count; where none is positive, all count alike.
  CHECK(feature_relevance(W, Vector{{2.0, -5.0, 0.0}}).isApprox(Vector(W.col(0).cwiseAbs2()), 1e-13));
  CHECK(feature_relevance(W, Vector{{-1.0, -2.0, -3.0}}).isApprox(relevance, 1e-13));
  CHECK_THROWS_AS(feature_relevance(W, Vector::Ones(2)), Error);
}

TEST_CASE("the features that make the classes are the relevant ones") {
  const FittedGroups fitted = fitted_groups(150);
  const Vector relevance = feature_relevance(fitted.fit.W, fitted.fit.certificate.eigenvalues);

  CHECK(relevance.head(2).sum() > 0.9);
}

TEST_CASE("a rotated basis has exactly the same objective, whatever the kernel") {
  for (const char* kernel : {"gaussian(sigma=0.5*median)", "linear", "polynomial(degree=3,offset=1)", "multiquadric",
                             "0.5*gaussian(sigma=1)+0.1*polynomial(degree=2,offset=1)"}) {
    CAPTURE(std::string(kernel));
    const FittedGroups fitted = fitted_groups(60, kernel);
    const double F = objective(fitted, fitted.fit.W);

    CHECK(objective(fitted, varimax(fitted.fit.W).loadings) == doctest::Approx(F).epsilon(1e-12));
    CHECK(objective(fitted, varimax(fitted.fit.W, RowWeights::kaiser).loadings) == doctest::Approx(F).epsilon(1e-12));
  }
}

TEST_CASE("the sparse basis is the sparsest on its path within the loss allowed") {
  const FittedGroups fitted = fitted_groups(300, "gaussian(sigma=median)", 8);
  RunContext context;
  for (const double allowed : {0.0, 0.01, 0.05}) {
    CAPTURE(allowed);
    const SparseReport report = sparse_basis(fitted.problem(), {.max_loss = allowed}, context);

    REQUIRE(report.path.size() > 1);
    CHECK(report.path.back().loadings == 2);  // one an axis
    CHECK(report.path.front().loadings == 16);
    CHECK(std::abs(report.path.front().loss) < 1e-12);
    for (std::size_t s = 1; s < report.path.size(); ++s) {
      CHECK(report.path[s].loadings < report.path[s - 1].loadings);
      CHECK(report.path[s].features <= report.path[s - 1].features);
      if (s > report.chosen) CHECK(report.path[s].loss > allowed);
    }
    const SparseStep& chosen = report.path[report.chosen];
    CHECK((report.chosen == 0 || chosen.loss <= allowed));
    CHECK((report.loadings.array() != 0).count() == chosen.loadings);
    CHECK((report.loadings.rowwise().norm().array() > 0).count() == chosen.features);
    CHECK(projector_distance(report.W, orthonormalise(report.loadings).basis) < 1e-12);
    CHECK(orthonormality_error(report.W) < 1e-13);
    CHECK(chosen.objective == doctest::Approx(objective(fitted, report.W)).epsilon(1e-12));
    CHECK(std::abs(chosen.loss - (1 - chosen.objective / fitted.fit.certificate.objective)) < 1e-9);
    if (allowed == 0.05) CHECK(chosen.features == 2);  // the noise is gone
  }
}

TEST_CASE("clear classes leave little to chance, unclear ones much") {
  const FittedGroups clear = fitted_groups(150, "gaussian(sigma=median)", 8),
                     unclear = fitted_groups(60, "linear", 0.3);
  RunContext context;
  const BootstrapReport sure = bootstrap(clear.problem(), {}, {.bootstrap = 20}, context);
  const BootstrapReport unsure = bootstrap(unclear.problem(), {}, {.bootstrap = 20}, context);

  REQUIRE(sure.finished == 20);
  CHECK(std::ranges::max(sure.angles) < 25);
  CHECK(std::ranges::max(unsure.angles) > 30);
  CHECK((sure.high - sure.low).maxCoeff() < 0.5 * (unsure.high - unsure.low).maxCoeff());
  CHECK((sure.low.array() <= sure.high.array()).all());
  CHECK((sure.mean - clear.fit.W).cwiseAbs().maxCoeff() < 0.1);  // aligned: no sign or turn is left
  CHECK(sure.relevance_mean.sum() == doctest::Approx(1));
  CHECK(sure.relevance_low.head(2).minCoeff() > sure.relevance_high.tail(6).maxCoeff());
}

TEST_CASE("resamples depend on the seed and their number alone, dense or sparse") {
  const FittedGroups dense = fitted_groups(45), sparse = fitted_groups(45, "gaussian(sigma=median)", 5, true);
  RunContext context, one, other;
  one.threads = 1;
  other.seed = 7;
  const BootstrapReport few = bootstrap(dense.problem(), {}, {.bootstrap = 3}, context);
  const BootstrapReport more = bootstrap(dense.problem(), {}, {.bootstrap = 5}, one);
  const BootstrapReport moved = bootstrap(dense.problem(), {}, {.bootstrap = 3}, other);
  const BootstrapReport stored = bootstrap(sparse.problem(), {}, {.bootstrap = 3}, context);

  CHECK(few.angles == std::vector<double>(more.angles.begin(), more.angles.begin() + 3));
  CHECK(few.angles != moved.angles);
  for (std::size_t b = 0; b < 3; ++b) CHECK(stored.angles[b] == doctest::Approx(few.angles[b]).epsilon(1e-4));
}

TEST_CASE("widths of single samples and factors without classes are resampled along") {
  FittedGroups local = fitted_groups(60, "rbf-relative(neighbours=5)");
  FittedGroups factored = fitted_groups(60);
  factored.gamma = factored_gamma(factored.gamma.factor);
  RunContext context;

  CHECK(bootstrap(local.problem(), {}, {.bootstrap = 4}, context).finished == 4);
  const BootstrapReport report = bootstrap(factored.problem(), {}, {.bootstrap = 10}, context);
  CHECK(report.finished == 10);
  CHECK(std::ranges::max(report.angles) < 30);
}

TEST_CASE("an interrupted bootstrap keeps what it has, and too little memory is told before") {
  const FittedGroups fitted = fitted_groups(60);
  std::atomic<bool> cancel = false;
  RunContext context;
  context.cancel = &cancel;
  context.observer = [&](const Progress& progress) {
    if (progress.path.starts_with("resample 4")) cancel = true;
    return Next::go_on;
  };
  const BootstrapReport report = bootstrap(fitted.problem(), {}, {.bootstrap = 50}, context);

  CHECK(report.finished == 3);
  CHECK(report.mean.rows() == 8);
  REQUIRE(report.notes.size() == 1);
  CHECK(report.notes[0].find("after 3 of 50") != std::string::npos);
  CHECK(bootstrap(fitted.problem(), {}, {.bootstrap = 50}, context).finished == 0);
  RunContext poor;
  poor.max_memory = 1000;
  CHECK(test::complaint([&] { bootstrap(fitted.problem(), {}, {.bootstrap = 50}, poor); }).code == ErrorCode::memory);
}

TEST_CASE("a reading as JSON names the features") {
  const FittedGroups fitted = fitted_groups(60);
  RunContext context;
  ReduceResult found;
  found.feature_names = {"x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8"};
  found.fit = fitted.fit;
  found.reading = {feature_relevance(fitted.fit.W, fitted.fit.certificate.eigenvalues),
                   bootstrap(fitted.problem(), {}, {.bootstrap = 4}, context),
                   sparse_basis(fitted.problem(), {}, context)};
  const Json json = interpretation_json(found);

  CHECK(json["relevance"].size() == 8);
  CHECK(json["relevance"][0]["relevance"].get<double>() >= json["relevance"][1]["relevance"].get<double>());
  CHECK(json["bootstrap"]["loadings"].size() == 16);
  CHECK(json["sparse"]["path"].size() == found.reading.sparse.path.size());

  found.reading.bootstrap = {};
  found.reading.sparse = {};
  CHECK(!interpretation_json(found).contains("bootstrap"));
  CHECK(!interpretation_json(found).contains("sparse"));
}
