// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>

#include "model/kernel_list.hpp"
#include "pairs/bandwidth.hpp"
#include "ritz/base/random.hpp"
#include "ritz/data/io.hpp"
#include "ritz/data/preprocess.hpp"
#include "ritz/model/alignment.hpp"
#include "ritz/pairs/backend.hpp"
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
      K(i, j) = std::visit([&](const auto& k) { return k.value(scale * beta); }, *term.kernel);
    }
  const Matrix H = Matrix::Identity(n, n) - Matrix::Constant(n, n, 1 / double(n));
  return H * K * H;
}

Gamma random_gamma(Index n, Rng& rng) {
  SymFactor factor{rng.normal_matrix(n, 3), Vector(3)};
  factor.weights << 1.0, -0.2, 0.6;
  return factored_gamma(factor);
}

AlignedKernel aligned_kernel(const KernelSum& kernel, const Samples& X, const Gamma& gamma) {
  return align_weights(kernel, cpu_backend().alignment_sums(kernel, X, gamma, {}));
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

    const AlignmentSums sums = cpu_backend().alignment_sums(kernel, samples, gamma, {});

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

TEST_CASE("no other weights are better aligned") {
  Rng rng(9, "alignment");
  const RowMatrix X = rng.normal_matrix(60, 3);
  const Samples samples(X);
  const KernelSum kernel = parse_kernel("gaussian(sigma=1)+linear+polynomial(degree=2)");
  std::vector<std::string> labels;
  for (Index i = 0; i < 60; ++i) labels.push_back(X(i, 0) + X(i, 1) * X(i, 1) > 0.5 ? "a" : "b");
  const Gamma gamma = supervised_gamma(make_labels(labels));

  const AlignedKernel aligned = aligned_kernel(kernel, samples, gamma);

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
    return cpu_backend().alignment_sums(kernel, samples, gamma, context);
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

    const AlignedKernel aligned = aligned_kernel(kernel, X, supervised_gamma(data.labels));

    REQUIRE(aligned.kernel.size() == 1);
    CHECK(is_resolved(aligned.kernel, X.rows()));
    CHECK(kernel_text(aligned.kernel).starts_with("gaussian(sigma="));
    REQUIRE(aligned.notes.size() == 1);
    CHECK(aligned.notes[0].find("polynomial(degree=3,offset=1,scale=1) has weight 0") == 0);
  }
}
