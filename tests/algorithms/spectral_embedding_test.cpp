// SPDX-License-Identifier: MIT
#include "ritz/algorithms/embedding.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "linalg/subspace.hpp"
#include "metrics/clustering.hpp"
#include "model/kernel_list.hpp"
#include "support/pair_problem.hpp"

using namespace ritz;
using namespace ritz::testing;

namespace {

constexpr std::array kKinds = {Normalisation::centred, Normalisation::degree, Normalisation::degree_centred};

// The normalised matrix by its definition.
Matrix naive_matrix(const RowMatrix& Z, const KernelSum& kernel, Normalisation kind) {
  const Index n = Z.rows();
  Matrix K = Matrix::Zero(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      for (const KernelTerm& term : kernel) {
        double beta =
            form_of(term.kernel) == PairForm::dot ? Z.row(i).dot(Z.row(j)) : (Z.row(i) - Z.row(j)).squaredNorm();
        if (term.sample_scale) beta *= (*term.sample_scale)[std::size_t(i)] * (*term.sample_scale)[std::size_t(j)];
        K(i, j) += term.weight * std::visit([&](const auto& k) { return k.value(beta); }, *term.kernel);
      }
  if (uses_degrees(kind)) {
    const Vector root = K.rowwise().sum().cwiseSqrt().cwiseInverse();
    K = root.asDiagonal() * K * root.asDiagonal();
  }
  if (is_centred(kind)) {
    const Matrix H = Matrix::Identity(n, n) - Matrix::Constant(n, n, 1.0 / double(n));
    K = H * K * H;
  }
  return K;
}

RowMatrix groups(Index n, int count, std::uint64_t seed) {
  Rng rng(seed, "groups");
  RowMatrix points = 0.3 * rng.normal_matrix(n, 2);
  for (Index i = 0; i < n; ++i) {
    points(i, 0) += 4 * std::cos(2 * 3.14159265 * double(i % count) / count);
    points(i, 1) += 4 * std::sin(2 * 3.14159265 * double(i % count) / count);
  }
  return points;
}

}  // namespace

TEST_CASE("the embedding holds the leading eigenvectors of the normalised kernel matrix") {
  // The sizes take the three ways: formed, block Krylov, and a thin factor (linear and polynomial, centred).
  for (const std::string kernel :
       {"gaussian(sigma=0.7)", "rbf-relative", "linear", "squared", "polynomial(degree=2,offset=1)", "multiquadric",
        "0.5*gaussian(sigma=1)+0.2*polynomial(degree=2,offset=1)"})
    for (const Normalisation kind : kKinds)
      for (const Index n : {60, 450}) {
        const bool positive = kernel.starts_with("gaussian") || kernel == "rbf-relative" || kernel.starts_with("0.5");
        if (uses_degrees(kind) && !positive) continue;
        CAPTURE(kernel);
        CAPTURE(int(kind));
        CAPTURE(n);
        PairProblem problem = random_problem(n, 6, 3, kernel, true, 5);
        const Samples X(problem.X);
        const auto pass = cpu_backend().pair_pass(X, problem.gamma);
        const Index k = 3;
        const KernelMatrix K(X, problem.kernel, *pass, problem.W);

        const Embedding embedding = spectral_embedding(K, {.count = k, .normalisation = kind}, {}, {});

        const Matrix A = naive_matrix(problem.X * problem.W, problem.kernel, kind);
        const Eigen::SelfAdjointEigenSolver<Matrix> all(A);
        const double norm = all.eigenvalues().cwiseAbs().maxCoeff();
        CHECK((embedding.values.reverse() - all.eigenvalues().tail(k)).cwiseAbs().maxCoeff() <= 1e-8 * norm);
        CHECK((A * embedding.U - embedding.U * embedding.values.asDiagonal()).norm() <= 1e-7 * norm);
        CHECK(orthonormality_error(embedding.U) <= 1e-10);
        if (is_centred(kind)) CHECK(embedding.U.colwise().sum().cwiseAbs().maxCoeff() <= 1e-9);
      }
}

TEST_CASE("all columns without W give what the identity gives") {
  const PairProblem problem = random_problem(500, 5, 5, "gaussian(sigma=1)", true, 8);
  const Samples X(problem.X);
  const auto pass = cpu_backend().pair_pass(X, problem.gamma);
  const Matrix identity = Matrix::Identity(5, 5);

  const Embedding with = spectral_embedding(KernelMatrix(X, problem.kernel, *pass, identity), {}, {}, {});
  const Embedding without = spectral_embedding(KernelMatrix(X, problem.kernel), {}, {}, {});

  CHECK(projector_distance(with.U, without.U) <= 1e-6);
}

TEST_CASE("few products from a start never lower the trace, and a good start needs few") {
  const PairProblem problem = random_problem(600, 5, 2, "gaussian(sigma=0.3)", true, 8);
  const Samples X(problem.X);
  const KernelMatrix K(X, problem.kernel);
  Matrix start = Rng(1, "start").normal_matrix(600, 4);
  start.rowwise() -= start.colwise().mean().eval();
  start = orthonormalise(start).basis;
  const Matrix A = naive_matrix(problem.X, problem.kernel, Normalisation::centred);
  double last = (start.transpose() * A * start).trace();

  for (int round = 0; round < 4; ++round) {
    const Embedding embedding = spectral_embedding(K, {.count = 4, .tolerance = 0, .max_products = 2}, start, {});
    CHECK(embedding.trace() >= last - 1e-10 * std::abs(last));
    CHECK(embedding.trace() == doctest::Approx((embedding.U.transpose() * A * embedding.U).trace()).epsilon(1e-9));
    last = embedding.trace();
    start = embedding.U;
  }
  const Embedding exact = spectral_embedding(K, {.count = 4}, {}, {});
  CHECK(spectral_embedding(K, {.count = 4, .tolerance = 1e-6}, exact.U, {}).products <= 1);
}

TEST_CASE("the extension gives back the embedding and the labels of the training samples") {
  for (const Normalisation kind : kKinds)
    for (const Index n : {90, 600}) {
      CAPTURE(int(kind));
      CAPTURE(n);
      const RowMatrix Z = groups(n, 3, 4);
      const Samples samples(Z);
      const KernelSum kernel = parse_kernel("gaussian(sigma=1)");
      const Embedding embedding =
          spectral_embedding(KernelMatrix(samples, kernel), {.count = 3, .normalisation = kind}, {}, {});

      const SpectralClusters clusters = cluster_embedding(embedding, Z, kernel, {.clusters = 3}, {});

      CHECK((extend_embedding(clusters.model, Z, {}) - embedding.U).cwiseAbs().maxCoeff() <= 1e-6);
      CHECK(predict_clusters(clusters.model, Z, {}) == clusters.labels);
      // Fresh samples of the same groups fall into them.
      const RowMatrix fresh = groups(30, 3, 99);
      const std::vector<int> labels = predict_clusters(clusters.model, fresh, {});
      for (Index i = 0; i < 30; ++i) CHECK(labels[std::size_t(i)] == int(i % 3));
    }
}

TEST_CASE("labels of kernels without a constant diagonal extend too") {
  for (const std::string text : {"linear", "multiquadric", "polynomial(degree=2,offset=1)", "squared"}) {
    CAPTURE(text);
    const RowMatrix Z = groups(450, 3, 2);
    const Samples samples(Z);
    const KernelSum kernel = parse_kernel(text);
    const Embedding embedding = spectral_embedding(KernelMatrix(samples, kernel), {.count = 2}, {}, {});
    const SpectralClusters clusters = cluster_embedding(embedding, Z, kernel, {.clusters = 3}, {});
    CHECK((extend_embedding(clusters.model, Z, {}) - embedding.U).cwiseAbs().maxCoeff() <= 1e-7);
    CHECK(predict_clusters(clusters.model, Z, {}) == clusters.labels);
  }
}

TEST_CASE("a kernel with a width of each sample cannot label new ones, and says so") {
  const RowMatrix Z = groups(60, 3, 2);
  const Samples samples(Z);
  Rng rng(1, "scales");
  KernelSum kernel = parse_kernel("rbf-relative");
  fill_scales(kernel, 60, rng);
  const Embedding embedding = spectral_embedding(KernelMatrix(samples, kernel), {.count = 3}, {}, {});
  const SpectralClusters clusters = cluster_embedding(embedding, Z, kernel, {.clusters = 3}, {});
  CHECK(clusters.labels.size() == 60);
  try {
    predict_clusters(clusters.model, Z, {});
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::unsupported);
    CHECK(std::string(error.what()).find("rbf-relative(neighbours=7)") != std::string::npos);
  }
}

TEST_CASE("degrees that are not positive are refused with kernel, sample and value") {
  const RowMatrix Z = groups(50, 3, 2);
  const Samples samples(Z);
  const KernelSum kernel = parse_kernel("multiquadric");
  try {
    spectral_embedding(KernelMatrix(samples, kernel), {.count = 2, .normalisation = Normalisation::degree}, {}, {});
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::bad_data);
    CHECK(std::string(error.what()).find("kernel multiquadric(offset=1) gives sample ") == 0);
  }
}

TEST_CASE("equal samples, as many vectors as the space has, and repeated samples have an answer") {
  const KernelSum kernel = parse_kernel("gaussian(sigma=1)");
  const RowMatrix equal = RowMatrix::Constant(20, 2, 1.5);
  const Samples samples(equal);
  const Embedding flat = spectral_embedding(KernelMatrix(samples, kernel), {.count = 3}, {}, {});
  CHECK(flat.values.cwiseAbs().maxCoeff() <= 1e-12);
  CHECK(flat.U.colwise().sum().cwiseAbs().maxCoeff() <= 1e-9);
  CHECK(cluster_embedding(flat, equal, kernel, {.clusters = 3}, {}).labels == std::vector<int>(20, 0));

  const RowMatrix few = groups(5, 5, 1);
  const Samples five(few);
  CHECK(spectral_embedding(KernelMatrix(five, kernel), {.count = 4}, {}, {}).U.cols() == 4);
  CHECK_THROWS_AS(spectral_embedding(KernelMatrix(five, kernel), {.count = 5}, {}, {}), Error);
  CHECK(spectral_embedding(KernelMatrix(five, kernel), {.count = 5, .normalisation = Normalisation::degree}, {}, {})
            .U.cols() == 5);

  RowMatrix twice(1000, 2);  // 3 distinct points: HKH has rank 2
  for (Index i = 0; i < 1000; ++i) twice.row(i) << double(i % 3), double((i % 3) * (i % 3));
  const Samples repeated(twice);
  const Embedding embedding = spectral_embedding(KernelMatrix(repeated, kernel), {.count = 4}, {}, {});
  const SpectralClusters clusters = cluster_embedding(embedding, twice, kernel, {.clusters = 4}, {});
  CHECK(clusters.model.coefficients.cols() == 2);
  for (Index i = 0; i < 1000; ++i) CHECK(clusters.labels[std::size_t(i)] == int(i % 3));
}

TEST_CASE("plain clusterings of groups far apart find them, whatever the kernel") {
  const RowMatrix X = groups(200, 4, 6);
  std::vector<int> truth;
  for (int i = 0; i < 200; ++i) truth.push_back(i % 4);
  const Samples samples(X);
  for (const std::string kernel : {"gaussian(sigma=1)", "linear"}) {
    const PlainClusterings plain = plain_clusterings(samples, parse_kernel(kernel), {.clusters = 4}, {});
    CHECK(plain.spectral == truth);
    CHECK(plain.kmeans == truth);
  }
}

TEST_CASE("the embedding has the same bits for 1, 2 and 7 threads") {
  const PairProblem problem = random_problem(700, 5, 2, "gaussian(sigma=0.5)", true, 3);
  const Samples X(problem.X);
  RunContext context;
  context.threads = 1;
  const EmbeddingRequest request{.count = 3, .normalisation = Normalisation::degree_centred};
  const Embedding one = spectral_embedding(KernelMatrix(X, problem.kernel), request, {}, context);
  for (const int threads : {2, 7}) {
    context.threads = threads;
    CHECK((spectral_embedding(KernelMatrix(X, problem.kernel), request, {}, context).U.array() == one.U.array()).all());
  }
}

TEST_CASE("a matrix that is held for its products gives those of the pairs that are evaluated for each") {
  const RowMatrix X = Rng(5, "held").normal_matrix(300, 4);
  const Samples samples(X);
  const KernelSum kernel = parse_kernel("gaussian(sigma=1.5)");
  const RowMatrix in = Rng(6, "held").normal_matrix(300, 5);
  RunContext context;
  const KernelMatrix K(samples, kernel);
  const RowMatrix held = K.times(in, context);
  RunContext poor = context;
  poor.max_memory = 1 << 16;  // too little to hold it

  const RowMatrix evaluated = KernelMatrix(samples, kernel).times(in, poor);

  CHECK((held - evaluated).norm() <= 1e-12 * evaluated.norm());
  context.threads = 1;
  const RowMatrix alone = KernelMatrix(samples, kernel).times(in, context);
  CHECK((held.array() == alone.array()).all());
}

TEST_CASE("a kernel that is far too narrow is known to be the identity and others are not") {
  const RowMatrix X = Rng(7, "narrow").normal_matrix(250, 3);
  const Samples samples(X);
  const auto identity = [&](const std::string& kernel) {
    const KernelSum parsed = parse_kernel(kernel);
    return spectral_embedding(KernelMatrix(samples, parsed), {.normalisation = Normalisation::degree_centred}, {}, {})
        .identity;
  };
  CHECK(identity("gaussian(sigma=1e-4)"));
  CHECK(identity("gaussian(sigma=1e-6)"));
  CHECK_THROWS_WITH_AS(identity("gaussian(sigma=1e-12)"), doctest::Contains("raise sigma"), Error);
  CHECK_FALSE(identity("gaussian(sigma=0.5)"));
  CHECK_FALSE(identity("0.001*gaussian(sigma=0.5)"));
}
