// SPDX-License-Identifier: MIT
#include "linalg/eigen.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "linalg/dense/dense.hpp"
#include "linalg/matrices.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/random.hpp"

using namespace ritz;
using namespace ritz::testing;

namespace {

RunContext context;

EigenPairs solve(EigenMethod method, const OperatorView& op, const EigenRequest& request) {
  return EigenSolver(method)(op, request, context);
}

// What every answer promises, whatever the method.
void check_promises(const OperatorView& op, const EigenRequest& request, const EigenPairs& pairs) {
  REQUIRE(pairs.values.size() == pairs.vectors.cols());
  REQUIRE(pairs.vectors.rows() == op.size());
  CHECK(orthonormality_error(pairs.vectors) < 1e-11);
  const double sign = request.end == End::largest ? 1 : -1;
  for (Index j = 1; j < pairs.values.size(); ++j) CHECK(sign * pairs.values(j - 1) >= sign * pairs.values(j));
  Matrix images(pairs.vectors.rows(), pairs.vectors.cols());
  op.apply(pairs.vectors, images);
  const double rounding = 1e-14 * pairs.norm;
  for (Index j = 0; j < pairs.values.size(); ++j) {
    const double residual = (images.col(j) - pairs.values(j) * pairs.vectors.col(j)).norm();
    CHECK(residual <= request.tolerance * pairs.norm + rounding);
    CHECK(residual <= pairs.residual + rounding);
    Index at = 0;
    pairs.vectors.col(j).cwiseAbs().maxCoeff(&at);
    CHECK(pairs.vectors(at, j) > 0);
  }
}

// All eigenvalues by Eigen's own solver, from the asked end inward.
Vector reference_values(const Matrix& a, End end = End::largest) {
  const Vector increasing = Eigen::SelfAdjointEigenSolver<Matrix>(a, Eigen::EigenvaluesOnly).eigenvalues();
  return end == End::smallest ? increasing : Vector(increasing.reverse());
}

double distance(const Vector& a, const Vector& b) { return (a - b).cwiseAbs().maxCoeff(); }

constexpr EigenMethod kGeneral[] = {EigenMethod::dense, EigenMethod::lanczos, EigenMethod::subspace};

}  // namespace

TEST_CASE("every method finds both ends of a random matrix and the gap behind") {
  const Matrix a = random_symmetric(150);
  const auto op = hidden(a);
  for (const EigenMethod method : kGeneral)
    for (const End end : {End::largest, End::smallest}) {
      CAPTURE(to_string(method));
      const EigenRequest request{Count{5}, end};

      const EigenPairs pairs = solve(method, op, request);

      check_promises(op, request, pairs);
      const Vector expected = reference_values(a, end);
      REQUIRE(pairs.complete);
      REQUIRE(pairs.values.size() == 5);
      CHECK(distance(pairs.values, expected.head(5)) < 1e-9);
      CHECK(std::abs(pairs.next - expected(5)) < 0.1 * std::abs(expected(4) - expected(5)) + 1e-4);
      CHECK(pairs.products > 0);
    }
}

TEST_CASE("the methods agree with the dense one on the subspace") {
  const Matrix a = random_symmetric(200, 7);
  const EigenRequest request{Count{6}};
  const EigenPairs exact = solve(EigenMethod::dense, DenseOperator{a}, request);

  for (const EigenMethod method : {EigenMethod::lanczos, EigenMethod::subspace}) {
    const EigenPairs pairs = solve(method, DenseOperator{a}, request);

    // Davis–Kahan: the angle is at most the residual over the gap.
    const double gap = exact.values(5) - exact.next;
    CHECK(std::sin(principal_angles(exact.vectors, pairs.vectors).maxCoeff()) <= 10 * pairs.residual / gap + 1e-12);
  }
}

TEST_CASE("gram_route_agrees_with_dense_when_rank_is_lower") {
  CHECK(rc::check("gram = dense for any rank, weight signs and count", [] {
    const Index n = *rc::gen::inRange<Index>(2, 30);
    const Index r = *rc::gen::inRange<Index>(0, n);
    const Index k = *rc::gen::inRange<Index>(1, n + 1);
    const End end = *rc::gen::element(End::largest, End::smallest);
    Rng random(std::uint64_t(*rc::gen::inRange(0, 1000)), "test.gram");
    SymFactor factor{random.normal_matrix(n, r), random.normal_matrix(r, 1)};
    if (r > 2 && *rc::gen::arbitrary<bool>()) factor.basis.col(1) = factor.basis.col(0);
    const Matrix a = factor.dense();
    const EigenRequest request{Count{k}, end};

    const EigenPairs gram = solve(EigenMethod::gram, factor, request);

    const Vector expected = reference_values(a, end);
    const double scale = std::max(1.0, a.norm());
    RC_ASSERT(gram.complete);
    RC_ASSERT(gram.values.size() == k);
    RC_ASSERT(distance(gram.values, expected.head(k)) < 1e-11 * scale);
    if (k < n)
      RC_ASSERT(std::abs(gram.next - expected(k)) < 1e-11 * scale);
    else
      RC_ASSERT(std::isnan(gram.next));
    RC_ASSERT(orthonormality_error(gram.vectors) < 1e-12);
    RC_ASSERT((a * gram.vectors - gram.vectors * gram.values.asDiagonal()).norm() < 1e-11 * scale * double(n));
  }));
}

TEST_CASE("gram counts the null space when more is asked for than the factor's positive rank") {
  SymFactor factor{random_orthonormal(20, 3), Vector(3)};
  factor.weights << 2, 1, -1;
  const EigenRequest request{Count{5}};

  const EigenPairs pairs = solve(EigenMethod::automatic, factor, request);

  check_promises(factor, request, pairs);
  REQUIRE(pairs.values.size() == 5);
  Vector expected(5);
  expected << 2, 1, 0, 0, 0;
  CHECK(distance(pairs.values, expected) < 1e-13);
  CHECK(std::abs(pairs.next) < 1e-13);
}

TEST_CASE("gram's next is the negative value once the null space is used up") {
  SymFactor factor{random_orthonormal(6, 2), Vector(2)};
  factor.weights << 1, -3;

  const EigenPairs pairs = solve(EigenMethod::gram, factor, {Count{5}});

  CHECK(pairs.next == doctest::Approx(-3));
  CHECK(pairs.norm == doctest::Approx(3));
}

TEST_CASE("a factor without columns is the zero matrix") {
  const SymFactor factor{Matrix(4, 0), Vector(0)};

  const EigenPairs pairs = solve(EigenMethod::automatic, factor, {Count{4}});

  REQUIRE(pairs.complete);
  CHECK(pairs.values.isZero(0));
  CHECK(orthonormality_error(pairs.vectors) < 1e-14);
}

TEST_CASE("all copies of a multiple eigenvalue are found") {
  Vector spectrum = Vector::LinSpaced(120, 0, 1);
  spectrum.tail(3).setConstant(5);
  spectrum.segment(114, 3).setConstant(4);
  const auto op = hidden(with_spectrum(spectrum));
  for (const EigenMethod method : kGeneral) {
    CAPTURE(to_string(method));
    for (const Index k : {1, 2, 3, 5, 6, 8}) {
      CAPTURE(k);
      const EigenRequest request{Count{k}};

      EigenSolver solver(method);
      const EigenPairs pairs = solver(op, request, context);

      // Eight reach into the dense part of the spectrum, where another method may take over.
      if (k <= 6) CHECK(solver.last_plan().method == method);
      check_promises(op, request, pairs);
      REQUIRE(pairs.complete);
      const Vector inward = spectrum.reverse();
      CHECK(distance(pairs.values, inward.head(k)) < 1e-9);
      CHECK(std::abs(pairs.next - inward(k)) <= 0.1 * (inward(k - 1) - inward(k)) + 1e-5);
    }
  }
}

TEST_CASE("the kernel of a graph Laplacian has one vector for every connected part") {
  const SparseOperator op{path_laplacian(7, 30)};
  for (const EigenMethod method : kGeneral) {
    CAPTURE(to_string(method));
    const EigenRequest request{LeadingCluster{1e-6, 20}, End::smallest};

    const EigenPairs pairs = solve(method, op, request);

    check_promises(op, request, pairs);
    CHECK(pairs.complete);
    CHECK(pairs.values.size() == 7);
  }
}

TEST_CASE("a tightly clustered spectrum is resolved as far as the tolerance asks") {
  Vector spectrum = Vector::LinSpaced(150, 0, 1);
  spectrum.tail(4) << 2, 2 + 1e-9, 2 + 1e-6, 2 + 1e-3;
  const auto op = hidden(with_spectrum(spectrum));
  for (const EigenMethod method : kGeneral) {
    CAPTURE(to_string(method));
    const EigenRequest request{Count{4}};

    const EigenPairs pairs = solve(method, op, request);

    check_promises(op, request, pairs);
    REQUIRE(pairs.complete);
    CHECK(distance(pairs.values, spectrum.tail(4).reverse()) < 1e-9);
  }
}

TEST_CASE("a threshold selects exactly the eigenvalues beyond it") {
  const Vector spectrum = Vector::LinSpaced(160, -3, 5);
  const auto op = hidden(with_spectrum(spectrum));
  for (const EigenMethod method : kGeneral)
    for (const double threshold : {4.9, 4.0, 10.0}) {
      CAPTURE(to_string(method));
      CAPTURE(threshold);
      const EigenRequest request{Above{threshold, 100}};

      const EigenPairs pairs = solve(method, op, request);

      check_promises(op, request, pairs);
      CHECK(pairs.complete);
      CHECK(pairs.values.size() == (spectrum.array() > threshold).count());
    }
}

TEST_CASE("at the smallest end a threshold selects the values below it") {
  const Vector spectrum = Vector::LinSpaced(160, -3, 5);
  const auto op = hidden(with_spectrum(spectrum));
  for (const EigenMethod method : kGeneral) {
    CAPTURE(to_string(method));
    const EigenRequest request{Above{-2.5, 160}, End::smallest};

    const EigenPairs pairs = solve(method, op, request);

    check_promises(op, request, pairs);
    CHECK(pairs.complete);
    CHECK(pairs.values.size() == (spectrum.array() < -2.5).count());
  }
}

TEST_CASE("a selection cut by max_rank says so") {
  const Vector spectrum = Vector::LinSpaced(160, -3, 5);
  const auto op = hidden(with_spectrum(spectrum));
  for (const EigenMethod method : kGeneral) {
    CAPTURE(to_string(method));
    const EigenPairs above = solve(method, op, {Above{2.0, 10}});
    const EigenPairs cluster = solve(method, op, {LeadingCluster{0.5, 4}});

    CHECK_FALSE(above.complete);
    REQUIRE(above.values.size() == 10);
    CHECK(distance(above.values, spectrum.tail(10).reverse()) < 1e-8);
    CHECK(above.message.find("max_rank = 10") != std::string::npos);
    CHECK_FALSE(cluster.complete);
    CHECK(cluster.values.size() == 4);
  }
}

TEST_CASE("the leading cluster is the extreme value with its multiplicity") {
  Vector spectrum = Vector::LinSpaced(100, 0, 1);
  spectrum.tail(3).setConstant(5);
  const auto op = hidden(with_spectrum(spectrum));
  for (const EigenMethod method : kGeneral) {
    CAPTURE(to_string(method));
    const EigenPairs pairs = solve(method, op, {LeadingCluster{1e-8, 50}});

    CHECK(pairs.complete);
    CHECK(pairs.values.size() == 3);
    CHECK(std::abs(pairs.next - spectrum(96)) < 0.5);
  }
}

TEST_CASE("a cluster with more copies than any block has columns is found whole") {
  Vector spectrum(180);
  for (Index i = 0; i < 180; ++i) spectrum(i) = 0.25 * double(i / 30);
  const auto op = hidden(with_spectrum(spectrum));
  for (const EigenMethod method : kGeneral)
    for (const End end : {End::largest, End::smallest}) {
      CAPTURE(to_string(method));
      const EigenRequest request{LeadingCluster{0.05, 100}, end};

      const EigenPairs pairs = solve(method, op, request);

      check_promises(op, request, pairs);
      CHECK(pairs.complete);
      CHECK(pairs.values.size() == 30);
    }
}

TEST_CASE("a value that has grown a copy since the last basis is found with it") {
  Vector spectrum = Vector::LinSpaced(300, 0, 1);
  spectrum.tail(3).setConstant(5);
  const EigenRequest request{Above{4, 50}};
  EigenSolver solver(EigenMethod::subspace);
  solver(DenseOperator{with_spectrum(spectrum)}, request, context);
  spectrum(200) = 5;

  const EigenPairs pairs = solver(DenseOperator{with_spectrum(spectrum)}, request, context);

  CHECK(pairs.complete);
  CHECK(pairs.values.size() == 4);
}

TEST_CASE("a single number, the whole spectrum, zero and multiples of the identity are ordinary inputs") {
  for (const EigenMethod method : kGeneral) {
    CAPTURE(to_string(method));
    const EigenPairs one = solve(method, DenseOperator{Matrix::Constant(1, 1, -2)}, {Count{1}});
    CHECK(one.complete);
    CHECK(one.values(0) == -2);
    CHECK(one.vectors(0, 0) == 1);
    CHECK(std::isnan(one.next));

    for (const Index n : {2, 10, 90}) {
      CAPTURE(n);
      const Matrix a = random_symmetric(n);
      const EigenPairs full = solve(method, DenseOperator{a}, {Count{n}});
      CHECK(full.complete);
      CHECK(distance(full.values, reference_values(a)) < 1e-11 * double(n));

      for (const double scale : {0.0, 1.0, -1e-200, 1e200}) {
        CAPTURE(scale);
        const ScaledIdentity op{n, scale};
        const EigenPairs pairs = solve(method, op, {Count{2}});
        CHECK(pairs.complete);
        CHECK(pairs.values.size() == 2);
        CHECK(pairs.values.isConstant(scale, 1e-14));
        CHECK(orthonormality_error(pairs.vectors) < 1e-13);
        if (n > 2) CHECK(pairs.next == doctest::Approx(scale));
      }
    }
  }
}

TEST_CASE("a matrix of low rank does not break the iterations down") {
  Vector spectrum = Vector::Zero(100);
  spectrum(0) = 1;
  const auto op = hidden(with_spectrum(spectrum));
  for (const EigenMethod method : kGeneral) {
    CAPTURE(to_string(method));
    const EigenRequest request{Count{4}};

    const EigenPairs pairs = solve(method, op, request);

    check_promises(op, request, pairs);
    REQUIRE(pairs.complete);
    CHECK(pairs.values(0) == doctest::Approx(1));
    CHECK(pairs.values.tail(3).cwiseAbs().maxCoeff() < 1e-10);
    CHECK(std::abs(pairs.next) < 1e-5);
  }
}

TEST_CASE("tiny and huge matrices are solved to the same relative accuracy") {
  const Matrix a = random_symmetric(80);
  const Vector expected = reference_values(a).head(3);
  for (const EigenMethod method : kGeneral)
    for (const double scale : {1e-150, 1e150}) {
      CAPTURE(to_string(method));
      CAPTURE(scale);
      const EigenPairs pairs = solve(method, DenseOperator{scale * a}, {Count{3}});

      CHECK(pairs.complete);
      CHECK(distance(pairs.values / scale, expected) < 1e-8);
    }
}

TEST_CASE("requests without an answer are refused with their numbers") {
  const DenseOperator op{random_symmetric(8)};
  const auto message = [&](const EigenRequest& request) -> std::string {
    try {
      solve(EigenMethod::automatic, op, request);
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::bad_option);
      return error.what();
    }
    return "";
  };

  CHECK(message({Count{9}}).find("9 eigenpairs are asked for; the number must lie in [1, 8]") != std::string::npos);
  CHECK(message({Count{-1}}).find("-1 eigenpairs") != std::string::npos);
  CHECK(message({Count{0}}) != "");
  CHECK(message({Above{0.0, 0}}) != "");
  CHECK(message({Above{kUnknown, 1}}) != "");
  CHECK(message({LeadingCluster{-0.1, 1}}) != "");
  CHECK(message({Count{1}, End::largest, -1e-3}) != "");
  CHECK_THROWS_AS(solve(EigenMethod::gram, op, {Count{1}}), Error);
  CHECK_THROWS_AS(solve(EigenMethod::automatic, DenseOperator{Matrix(0, 0)}, {Count{1}}), Error);
}

TEST_CASE("an operator that is not finite is refused") {
  Matrix a = random_symmetric(100);
  a(3, 4) = a(4, 3) = kUnknown;
  for (const EigenMethod method : kGeneral) {
    CAPTURE(to_string(method));
    CHECK_THROWS_AS(solve(method, hidden(a), {Count{2}}), Error);
    CHECK_THROWS_AS(solve(method, DenseOperator{a}, {Count{2}}), Error);
  }
}

TEST_CASE("pairs that miss the tolerance are not returned, and the message counts them") {
  const DenseOperator op{random_symmetric(120)};
  for (const EigenMethod method : kGeneral) {
    CAPTURE(to_string(method));
    const EigenRequest impossible{Count{4}, End::largest, 1e-19};

    const EigenPairs pairs = solve(method, op, impossible);

    CHECK_FALSE(pairs.complete);
    CHECK(pairs.values.size() < 4);
    CHECK(pairs.message.find("of 4 eigenpairs reached the tolerance") != std::string::npos);
    CHECK(pairs.message.find("worst residual") != std::string::npos);
    CHECK_THROWS_AS(require_complete(pairs, "test"), Error);
  }
}

TEST_CASE("a spectrum without gaps that lanczos cannot resolve in its restarts is reported") {
  // The smallest values of a long path Laplacian: relative gaps of 1e-9.
  const SparseOperator op{path_laplacian(1, 3000)};
  const EigenRequest request{Count{6}, End::smallest, 1e-14};

  const EigenPairs pairs = solve(EigenMethod::lanczos, op, request);

  CHECK_FALSE(pairs.complete);
  CHECK(pairs.values.size() < 6);
  CHECK(pairs.message != "");
}

TEST_CASE("require_complete passes complete pairs on") {
  const EigenPairs pairs =
      require_complete(solve(EigenMethod::dense, DenseOperator{random_symmetric(5)}, {Count{2}}), "x");

  CHECK(pairs.values.size() == 2);
}

TEST_CASE("the answer has the same bits for any number of threads and every time") {
  const DenseOperator op{random_symmetric(300)};
  const SymFactor factor{Rng(3, "test").normal_matrix(300, 20), Rng(4, "test").normal_matrix(20, 1)};
  const auto check_same = [&](EigenMethod method, const OperatorView& view) {
    CAPTURE(to_string(method));
    EigenPairs first;
    for (const int threads : {1, 2, 7, 1}) {
      RunContext several;
      several.threads = threads;
      const EigenPairs pairs = EigenSolver{method}(view, {Count{5}}, several);
      if (first.values.size() == 0) first = pairs;
      CHECK(pairs.values == first.values);
      CHECK(pairs.vectors == first.vectors);
      CHECK(pairs.products == first.products);
    }
  };

  for (const EigenMethod method : kGeneral) check_same(method, op);
  check_same(EigenMethod::gram, factor);
}

TEST_CASE("a cancelled context interrupts every method") {
  std::atomic<bool> cancel = true;
  RunContext cancelled;
  cancelled.cancel = &cancel;
  const DenseOperator op{random_symmetric(100)};
  const SymFactor factor{Rng(3, "test").normal_matrix(100, 20), Vector::Ones(20)};

  for (const EigenMethod method : kGeneral)
    CHECK_THROWS_AS(EigenSolver{method}(op, {Count{2}}, cancelled), Interrupted);
  CHECK_THROWS_AS(EigenSolver{EigenMethod::gram}(factor, {Count{2}}, cancelled), Interrupted);
}

TEST_CASE("lanczos and subspace stop in the middle when the context is cancelled") {
  const Matrix a = random_symmetric(200);
  for (const EigenMethod method : {EigenMethod::lanczos, EigenMethod::subspace}) {
    std::atomic<bool> cancel = false;
    int products = 0;
    const MatrixFreeOperator op{200, [&](BlockIn in, BlockOut out) {
                                  out.noalias() = a * in;
                                  if (++products == 5) cancel = true;
                                }};
    RunContext cancelled;
    cancelled.cancel = &cancel;

    CHECK_THROWS_AS(EigenSolver{method}(op, {Count{2}}, cancelled), Interrupted);
    CHECK(products == 5);
  }
}

TEST_CASE("the plan follows from what the operator can do") {
  const DenseOperator small{Matrix::Zero(178, 178)}, large{Matrix::Zero(900, 900)};
  const ScaledIdentity tiny{150, 1}, huge{1000000, 1};
  const SymFactor thin{Matrix::Zero(900, 5), Vector::Zero(5)}, wide{Matrix::Zero(90, 90), Vector::Zero(90)};
  const EigenRequest few{Count{3}}, many{Count{400}};
  const auto plan = [](const OperatorView& op, const EigenRequest& request, bool have_start = false) {
    return plan_eigen(op, request, EigenMethod::automatic, have_start);
  };

  CHECK(plan(small, few).method == EigenMethod::dense);
  CHECK(plan(small, few).reason == "dense: n = 178 <= 800");
  CHECK(plan(tiny, few).method == EigenMethod::dense);
  CHECK(plan(thin, few).method == EigenMethod::gram);
  CHECK(plan(thin, few).reason == "gram: r = 5 < n = 900");
  CHECK(plan(wide, few).method == EigenMethod::dense);
  CHECK(plan(large, few).method == EigenMethod::lanczos);
  CHECK(plan(large, many).method == EigenMethod::dense);
  CHECK(plan(large, few, true).method == EigenMethod::subspace);
  CHECK(plan(large, {Count{60}}, true).method == EigenMethod::lanczos);
  CHECK(plan(huge, few).method == EigenMethod::lanczos);
  CHECK(plan(huge, {Count{400000}}).method == EigenMethod::lanczos);
  CHECK(plan_eigen(small, few, EigenMethod::lanczos, false).method == EigenMethod::lanczos);
  CHECK(plan_eigen(wide, few, EigenMethod::gram, false).method == EigenMethod::dense);
}

TEST_CASE("the solver says which plan it carried out") {
  EigenSolver solver;
  CHECK(solver.last_plan().reason == "not run");

  solver(DenseOperator{random_symmetric(20)}, {Count{2}}, context);

  CHECK(solver.last_plan().method == EigenMethod::dense);
}

TEST_CASE("a warm start spends fewer products on a slightly changed operator") {
  const Index n = 300;
  Vector spectrum = Vector::LinSpaced(n, 0, 1);
  spectrum.tail(4) << 2, 3, 4, 5;
  const Matrix a = with_spectrum(spectrum), change = 1e-6 * random_symmetric(n, 9);
  EigenSolver solver(EigenMethod::subspace);
  const EigenRequest request{Count{4}};

  const EigenPairs cold = solver(DenseOperator{a}, request, context);
  const EigenPairs warm = solver(DenseOperator{a + change}, request, context);

  CHECK(solver.last_plan().method == EigenMethod::subspace);
  CHECK(warm.complete);
  CHECK(warm.products < cold.products);
  CHECK(distance(warm.values, reference_values(a + change).head(4)) < 1e-9);
}

TEST_CASE("a remembered basis that is invariant but not leading is left") {
  const Index n = 300;
  Vector spectrum = Vector::LinSpaced(n, 0, 1);
  spectrum.tail(4) << 2, 3, 4, 5;
  const DenseOperator op{Matrix(spectrum.asDiagonal())};
  const EigenRequest request{Count{3}};
  EigenSolver solver(EigenMethod::subspace);
  solver.start_from(Matrix::Identity(n, 12));

  const EigenPairs pairs = solver(op, request, context);

  CHECK(pairs.complete);
  CHECK(distance(pairs.values, Vector{{5, 4, 3}}) < 1e-9);
}

TEST_CASE("a remembered basis of another size is not used") {
  EigenSolver solver(EigenMethod::subspace);
  solver.start_from(Matrix::Identity(50, 3));

  const EigenPairs pairs = solver(ScaledIdentity{200, 1.0}, {Count{3}}, context);

  CHECK(pairs.complete);
  CHECK(solver.last_plan().reason.find("random block") != std::string::npos);
}

TEST_CASE("subspace falls through to another method when it has not settled") {
  const SparseOperator op{path_laplacian(1, 1500)};
  EigenSolver solver(EigenMethod::subspace);

  const EigenPairs pairs = solver(op, {Count{3}, End::smallest}, context);

  CHECK(solver.last_plan().method != EigenMethod::subspace);
  CHECK(solver.last_plan().reason.find("given up") != std::string::npos);
  CHECK(pairs.complete);
  CHECK(std::abs(pairs.values(0)) < 1e-9);
}

TEST_CASE("the bounds of the spectrum lie inside it and near its ends") {
  CHECK(rc::check("λmin <= lowest <= highest <= λmax", [] {
    const Index n = *rc::gen::inRange<Index>(1, 60);
    const Matrix a = random_symmetric(n, std::uint64_t(*rc::gen::inRange(0, 1000)));
    const Vector values = reference_values(a);
    const double width = values(0) - values(n - 1), rounding = 1e-12 * (1 + values.cwiseAbs().maxCoeff());

    const SpectralBounds bounds = spectral_bounds(DenseOperator{a}, context);

    RC_ASSERT(bounds.lowest >= values(n - 1) - rounding);
    RC_ASSERT(bounds.highest <= values(0) + rounding);
    RC_ASSERT(bounds.highest >= values(0) - 0.1 * width - rounding);
    RC_ASSERT(bounds.lowest <= values(n - 1) + 0.1 * width + rounding);
    RC_ASSERT(bounds.norm() == std::max(std::abs(bounds.lowest), std::abs(bounds.highest)));
  }));
}

TEST_CASE("the bounds of a zero operator are zero") {
  const SpectralBounds bounds = spectral_bounds(ScaledIdentity{5, 0.0}, context);

  CHECK(bounds.lowest == 0);
  CHECK(bounds.highest == 0);
  CHECK_THROWS_AS(spectral_bounds(ScaledIdentity{5, 1.0}, context, 0), Error);
}

TEST_CASE("the largest pair alone is the engine's, within what was allowed") {
  Rng rng(21, "largest_pair");
  const Matrix half = rng.normal_matrix(150, 150);
  const DenseOperator A{half + half.transpose()};
  const double truth = symmetric_values(A.matrix)(0);
  RunContext context;
  for (const double allowed : {1.0, 1e-3, 1e-9}) {
    CAPTURE(allowed);

    const LargestPair found = largest_pair(A, allowed, 150, {}, context);

    CHECK(found.residual <= allowed + 1e-12);
    CHECK(found.value <= truth + 1e-10 * truth);
    CHECK(found.value + found.residual >= truth - 1e-9 * truth);
    CHECK((A.matrix * found.vector - found.value * found.vector).norm() <= found.residual + 1e-9 * truth);
  }
  CHECK(largest_pair(A, 1e-9, 5, {}, context).products == 5);
}
