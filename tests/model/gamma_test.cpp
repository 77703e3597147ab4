// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "model/monomials.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/random.hpp"
#include "ritz/model/gamma.hpp"

using namespace ritz;

TEST_CASE("the supervised factor is the centred class kernel") {
  const Labels labels = make_labels({"a", "b", "a", "c", "b", "a", "c"});
  const Index n = labels.size();
  Matrix Y = Matrix::Zero(n, 3);
  for (Index i = 0; i < n; ++i) Y(i, labels.of[std::size_t(i)]) = 1;
  const Matrix H = Matrix::Identity(n, n) - Matrix::Constant(n, n, 1.0 / double(n));

  const Gamma gamma = supervised_gamma(labels);

  CHECK((gamma.factor.dense() - H * Y * Y.transpose() * H).norm() <= 1e-14);
  CHECK(gamma.row_sums().isZero(0));
  CHECK(gamma.factor.trace() == doctest::Approx(double(n) - (9 + 4 + 4) / double(n)));
}

TEST_CASE("row sums of a factor that is not centred are those of the matrix") {
  Rng rng(1, "gamma");
  SymFactor factor{rng.normal_matrix(20, 3), Vector(3)};
  factor.weights << 1, -2, 0.5;

  const Gamma gamma = factored_gamma(factor);

  CHECK((gamma.row_sums() - factor.dense().rowwise().sum()).norm() <= 1e-12);
}

TEST_CASE("one class only is refused by its name") {
  try {
    supervised_gamma(make_labels({"red", "red", "red"}));
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::bad_data);
    CHECK(std::string(error.what()) == "all 3 labels are 'red'; at least two classes are needed");
  }
}

TEST_CASE("monomials reproduce the polynomial kernel exactly") {
  CHECK(rc::check([] {
    const Index q = *rc::gen::inRange<Index>(1, 6);
    const int degree = *rc::gen::inRange(0, 6);
    const double offset = *rc::gen::element(0.0, 0.5, 2.0), scale = *rc::gen::element(1.0, 0.3);
    const RowMatrix Z = Rng(*rc::gen::inRange<std::uint64_t>(0, 1000), "z").normal_matrix(5, q);
    const Monomials monomials(q, degree, offset, scale);
    RowMatrix features;

    monomials.evaluate(Z, features);

    RC_ASSERT(double(monomials.count()) == monomial_count(q, degree, offset > 0));
    for (Index i = 0; i < 5; ++i)
      for (Index j = 0; j < 5; ++j) {
        const double expected = std::pow(scale * Z.row(i).dot(Z.row(j)) + offset, degree);
        const double size = std::pow(scale * Z.row(i).norm() * Z.row(j).norm() + offset, degree);
        RC_ASSERT(std::abs(features.row(i).dot(features.row(j)) - expected) <= 1e-12 * size);
      }
  }));
}
