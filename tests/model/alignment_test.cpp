// SPDX-License-Identifier: MIT
#include "ritz/model/alignment.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>

#include "ritz/base/random.hpp"
#include "ritz/data/io.hpp"
#include "ritz/data/preprocess.hpp"
#include "ritz/model/bandwidth.hpp"
#include "support/data_folder.hpp"

using namespace ritz;

namespace {

// HKH written out, from the definition of the kernel.
Matrix centred_kernel(const RowMatrix& X, const KernelTerm& term) {
  const Index n = X.rows();
  Matrix K(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      const bool dot = form_of(term.kernel) == PairForm::dot;
      const double scale =
          term.sample_scale ? (*term.sample_scale)[std::size_t(i)] * (*term.sample_scale)[std::size_t(j)] : 1;
      const double beta = dot ? X.row(i).dot(X.row(j)) : (X.row(i) - X.row(j)).squaredNorm();
      K(i, j) = std::visit([&](const auto& k) { return k.value(scale * beta); }, term.kernel);
    }
  const Matrix H = Matrix::Identity(n, n) - Matrix::Constant(n, n, 1 / double(n));
  return H * K * H;
}

Gamma random_gamma(Index n, Rng& rng) {
  SymFactor factor{rng.normal_matrix(n, 3), Vector(3)};
  factor.weights << 1.0, -0.2, 0.6;
  return factored_gamma(factor);
}

}  // namespace

TEST_CASE("alignment sums are inner products of centred kernel matrices") {
  for (const Index n : {5, 40, 300}) {
    Rng rng(3, "alignment");
    RowMatrix X = rng.normal_matrix(n, 4);
    X.rowwise() += Eigen::RowVectorXd::Constant(4, 2.0);
    KernelSum kernel = parse_kernel(
        "gaussian(sigma=1.5)+gaussian(sigma=2000)+polynomial(degree=3)+linear+multiquadric+rbf-relative(neighbours=2)");
    const Samples samples(X);
    kernel = resolve_bandwidths(kernel, samples, {}).kernel;
    const Gamma gamma = random_gamma(n, rng);

    const AlignmentSums sums = alignment_sums(kernel, samples, gamma, {});

    const Matrix H = Matrix::Identity(n, n) - Matrix::Constant(n, n, 1 / double(n));
    const Matrix target = H * gamma.factor.dense() * H;
    CHECK(sums.target_norm == doctest::Approx(target.norm()).epsilon(1e-10));
    for (Index k = 0; k < Index(kernel.size()); ++k) {
      const Matrix K = centred_kernel(X, kernel[std::size_t(k)]);
      CHECK(std::abs(sums.target[k] - K.cwiseProduct(target).sum()) <= 1e-8 * K.norm() * target.norm());
      for (Index l = 0; l < Index(kernel.size()); ++l) {
        const Matrix L = centred_kernel(X, kernel[std::size_t(l)]);
        CHECK(std::abs(sums.gram(k, l) - K.cwiseProduct(L).sum()) <= 1e-8 * K.norm() * L.norm());
      }
    }
  }
}

TEST_CASE("the non-negative minimiser satisfies its optimality conditions, dependent terms included") {
  CHECK(rc::check([] {
    const Index T = *rc::gen::inRange<Index>(1, 8), rank = *rc::gen::inRange<Index>(1, 10);
    Rng rng(*rc::gen::inRange<std::uint64_t>(0, 100000), "minimiser");
    Matrix factor = rng.normal_matrix(rank, T) + Matrix::Constant(rank, T, rng.uniform(0, 2));
    for (Index k = 0; k < T; ++k) factor.col(k) *= std::pow(10.0, rng.uniform(-4, 6));
    const Matrix M = factor.transpose() * factor;
    const Vector a = factor.transpose() * rng.normal_matrix(rank, 1);

    const Vector v = nonnegative_minimiser(M, a);

    // v >= 0, Mv − a >= 0 and v ∘ (Mv − a) = 0, each relative to what rounding leaves of a term of its size.
    const Vector rest = M * v - a;
    for (Index k = 0; k < T; ++k) {
      const double size = 1e-6 * std::sqrt(M(k, k)) * (factor * v).norm() + 1e-9 * std::abs(a[k]);
      RC_ASSERT(v[k] >= 0);
      RC_ASSERT(rest[k] >= -size - 1e-9 * a.cwiseAbs().maxCoeff() * 1e-3);
      if (v[k] > 0) RC_ASSERT(std::abs(rest[k]) <= size + 1e-6 * std::abs(a[k]));
    }
  }));
}

TEST_CASE("no other weights are better aligned") {
  Rng rng(9, "alignment");
  const RowMatrix X = rng.normal_matrix(60, 3);
  const Samples samples(X);
  const KernelSum kernel = parse_kernel("gaussian(sigma=1)+linear+polynomial(degree=2)");
  std::vector<std::string> labels;
  for (Index i = 0; i < 60; ++i) labels.push_back(X(i, 0) + X(i, 1) * X(i, 1) > 0.5 ? "a" : "b");
  const Gamma gamma = supervised_gamma(make_labels(labels));

  const AlignedKernel aligned = align_weights(kernel, samples, gamma, {});

  const Matrix target = gamma.factor.dense();
  const auto alignment = [&](const Vector& v) {
    Matrix sum = Matrix::Zero(60, 60);
    for (Index k = 0; k < 3; ++k) sum += v[k] * centred_kernel(X, kernel[std::size_t(k)]);
    return sum.cwiseProduct(target).sum() / (sum.norm() * target.norm());
  };
  CHECK(aligned.weights.norm() == doctest::Approx(1));
  CHECK(alignment(aligned.weights) == doctest::Approx(aligned.alignment).epsilon(1e-10));
  for (int trial = 0; trial < 300; ++trial) {
    Vector v(3);
    for (Index k = 0; k < 3; ++k) v[k] = std::pow(10.0, rng.uniform(-6, 0));
    CHECK(alignment(v) <= aligned.alignment + 1e-12);
  }
}

TEST_CASE("the alignment sums have the same bits for 1, 2 and 7 threads") {
  const RowMatrix X = Rng(1, "x").normal_matrix(900, 5);
  const Samples samples(X);
  Rng rng(2, "gamma");
  const Gamma gamma = random_gamma(900, rng);
  const KernelSum kernel = parse_kernel("gaussian(sigma=2)+polynomial(degree=3)");
  const auto sums = [&](int threads) {
    RunContext context;
    context.threads = threads;
    return alignment_sums(kernel, samples, gamma, context);
  };

  const AlignmentSums one = sums(1);

  for (const int threads : {2, 7}) {
    CHECK((sums(threads).gram.array() == one.gram.array()).all());
    CHECK((sums(threads).target.array() == one.target.array()).all());
  }
}

TEST_CASE("on wine and cancer the cubic kernel adds nothing to the Gaussian") {
  for (const std::string name : {"wine", "cancer"}) {
    const auto data_path = test::data_file("ism/" + name + ".csv"),
               label_path = test::data_file("ism/" + name + ".labels");
    if (!data_path || !label_path) return;
    CAPTURE(name);
    const RunContext context;
    Dataset data = read_dataset(*data_path, {}, context);
    data.labels = read_labels(*label_path, context);
    apply_scaling(learn_scaling(data, Scaling::standard), data.dense());
    const Samples X(data.dense());
    KernelSum kernel = parse_kernel("auto*gaussian(sigma=median)+auto*polynomial(degree=3)");
    kernel = resolve_bandwidths(kernel, X, {}).kernel;
    CHECK_FALSE(is_resolved(kernel, X.rows()));

    const AlignedKernel aligned = align_weights(kernel, X, supervised_gamma(data.labels), {});

    REQUIRE(aligned.kernel.size() == 1);
    CHECK(is_resolved(aligned.kernel, X.rows()));
    CHECK(kernel_text(aligned.kernel).starts_with("gaussian(sigma="));
    REQUIRE(aligned.notes.size() == 1);
    CHECK(aligned.notes[0].find("polynomial(degree=3,offset=1,scale=1) has weight 0") == 0);
  }
}

TEST_CASE("kernels that all point away from the target are refused") {
  const RowMatrix X = (RowMatrix(4, 1) << 0, 1, 0, 1).finished();
  const Samples samples(X);
  SymFactor factor{X, Vector::Constant(1, -1.0)};  // Γ = −xxᵀ

  CHECK_THROWS_WITH_AS(align_weights(parse_kernel("auto*linear"), samples, factored_gamma(factor), {}),
                       doctest::Contains("is aligned with the target"), Error);
}

TEST_CASE("open weights are written auto, for all terms or for none") {
  const KernelSum kernel = parse_kernel("auto*gaussian(sigma=2)+ auto * linear");

  CHECK(has_open_weights(kernel));
  CHECK_FALSE(is_resolved(kernel, 10));
  CHECK(kernel_text(kernel) == "auto*gaussian(sigma=2)+auto*linear");
  CHECK_FALSE(has_open_weights(parse_kernel("0.5*gaussian(sigma=2)+linear")));
  CHECK_THROWS_WITH_AS(parse_kernel("auto*linear+0.5*squared"), doctest::Contains("for all terms or for none"), Error);
}
