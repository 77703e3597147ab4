// SPDX-License-Identifier: MIT
// What the engine does around its methods: refusals, plans, warm starts, interrupts, the same bits.
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "linalg/eigen_answers.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/random.hpp"

using namespace ritz;
using namespace ritz::testing;

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
