// SPDX-License-Identifier: MIT
// Which eigenvalues are found: of every method, for every kind of request and of matrix.
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>

#include "linalg/eigen_answers.hpp"
#include "ritz/base/random.hpp"

using namespace ritz;
using namespace ritz::testing;

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
