// SPDX-License-Identifier: MIT
#include "linalg/spectrum_side.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "linalg/random_sparse.hpp"

using namespace ritz;
using namespace ritz::testing;

namespace {

RunContext alone() {  // these matrices are too small to share among threads
  RunContext context;
  context.threads = 1;
  return context;
}

// Eigen's own solver: what LAPACK and the block are compared with. Decreasing, of A or of −A.
Vector all_values(const SparseSum& A, Side side = Side::positive) {
  const Matrix dense = side == Side::positive ? A.dense() : Matrix(-A.dense());
  return Eigen::SelfAdjointEigenSolver<Matrix>(dense, Eigen::EigenvaluesOnly).eigenvalues().reverse();
}
Index positive(const Vector& values) {
  return values.size() == 0 ? 0 : (values.array() > 1e-13 * values.cwiseAbs().maxCoeff()).count();
}
double squares(const Vector& values) { return values.cwiseMax(0.0).squaredNorm(); }

// A sparse matrix and its eigenvalues; shifted, so that `wanted` of them are positive.
struct Known {
  SparseSum A;
  Vector values;
  explicit Known(std::uint64_t seed) {
    KnownSpectrum known(20, seed);  // 620 rows: more than the dense method takes by itself
    A.sparse = std::move(known.matrix);
    values = std::move(known.values);
  }
  void shift(Index wanted) {
    const double by = -0.5 * (values(wanted - 1) + values(wanted));
    A.identity += by;
    values.array() += by;
  }
};
Known with_positive(Index wanted, std::uint64_t seed) {
  Known known(seed);
  known.shift(wanted);
  return known;
}

// The promises of SpectrumSide that need no accuracy: orthonormal vectors, decreasing Rayleigh quotients, the count,
// and the defect as defined.
void check_promises(const SpectrumSide& found, const SparseSum& A) {
  const double scale = 1 + std::sqrt(A.squared_norm());
  const Index width = found.values.size();
  REQUIRE(found.vectors.rows() == A.size());
  REQUIRE(found.vectors.cols() == width);
  CHECK(found.values.allFinite());
  CHECK(found.vectors.allFinite());
  CHECK(found.count == positive(found.values));
  if (width == 0) return;
  const Matrix V = found.vectors;
  Matrix AV(A.size(), width);
  A.apply(V, AV);
  if (found.side == Side::negative) AV = -AV;
  CHECK((V.transpose() * V - Matrix::Identity(width, width)).cwiseAbs().maxCoeff() <= 1e-10);
  CHECK((V.transpose() * AV - Matrix(found.values.asDiagonal())).cwiseAbs().maxCoeff() <= 1e-9 * scale);
  for (Index i = 1; i < width; ++i) CHECK(found.values(i) <= found.values(i - 1));
  if (found.count == 0) return;
  const Matrix left = AV.leftCols(found.count) - V * (V.transpose() * AV.leftCols(found.count));
  CHECK(std::abs(left.norm() - found.defect) <= 1e-9 * scale);
}

// `values`: all of them, of A or −A.
void check_found(const SpectrumSide& found, const SparseSum& A, const Vector& values, double accuracy) {
  check_promises(found, A);
  CHECK(found.count == positive(values));
  CHECK(found.defect <= accuracy);
  CHECK(std::abs(found.values.head(found.count).squaredNorm() - squares(values)) <=
        2 * accuracy * accuracy + 1e-9 * (1 + squares(values)));
}

}  // namespace

TEST_CASE("the dense method finds the whole spectrum on either side") {
  for (const Side side : {Side::positive, Side::negative})
    for (const Index n : {Index(1), Index(5), Index(23), Index(120)}) {
      CAPTURE(n);
      const SparseSum A{random_sparse(n, 6, std::uint64_t(n)), random_factor(n, 2, 5), 0.1};
      SideSolver solver(side);

      const SpectrumSide found = solver(A, 1e-3, alone());

      CHECK(found.side == side);
      CHECK(found.method == "dense");
      check_found(found, A, all_values(A, side), 1e-9);
      CHECK((found.values - all_values(A, side)).cwiseAbs().maxCoeff() <= 1e-10 * (1 + std::sqrt(A.squared_norm())));
      CHECK(std::isnan(found.outside_mean));
      CHECK(found.exact);
      CHECK(solver.largest_outside(A, found, alone()) == -std::numeric_limits<double>::infinity());
    }
}

TEST_CASE("the block finds few positive eigenvalues, and the dense method takes over where they are many") {
  Known known(11);
  for (const Index wanted : {1, 3, 20, 60, 260}) {
    CAPTURE(wanted);
    known.shift(wanted);
    const auto& [A, values] = known;
    SideSolver solver;

    const SpectrumSide found = solver(A, 1e-7, alone());

    CHECK((found.method == "dense") == (wanted == 260));
    check_found(found, A, values, 1e-7);
    CHECK((found.values - values.head(found.values.size())).head(wanted).cwiseAbs().maxCoeff() <= 1e-9);
    const double outside = (values.sum() - found.values.sum()) / double(620 - found.values.size());
    CHECK(found.outside_mean == doctest::Approx(outside).epsilon(1e-9));
    CHECK(solver.largest_outside(A, found, alone()) <= 0);
  }
}

TEST_CASE("the block's bound on the positive part holds however loose it is") {
  for (const std::uint64_t seed : {1, 2}) {
    Known known(seed);
    for (const Index wanted : {1, 2, 7, 15, 40}) {
      CAPTURE(seed);
      CAPTURE(wanted);
      known.shift(wanted);
      const auto& [A, values] = known;
      const double exact = squares(values);
      for (const double accuracy : {10.0, 1.0, 0.1, 1e-2}) {
        CAPTURE(accuracy);
        SideSolver solver;

        const SpectrumSide found = solver(A, accuracy, alone());

        CHECK(found.defect <= accuracy);
        const double below = found.values.head(found.count).squaredNorm();
        CHECK(below <= exact * (1 + 1e-12));
        if (solver.largest_outside(A, found, alone()) <= 0)
          CHECK(exact <= below + 2 * found.defect * found.defect + 1e-10 * exact);
      }
    }
  }
}

TEST_CASE("a block is carried from one matrix to the next") {
  SparseSum A = with_positive(25, 21).A;
  SideSolver solver;
  const SpectrumSide first = solver(A, 1e-6, alone());
  Rng random(22, "test.carried");
  for (int step = 0; step < 3; ++step) {
    CAPTURE(step);
    for (Index i = 0; i < 620; ++i)
      for (SparseRows::InnerIterator it(A.sparse, i); it; ++it)
        if (it.col() == i) it.valueRef() += 0.02 * random.normal();

    const SpectrumSide found = solver(A, 1e-6, alone());

    check_promises(found, A);
    CHECK(found.defect <= 1e-6);
    CHECK(solver.largest_outside(A, found, alone()) <= 0);
    if (step == 2) check_found(found, A, all_values(A), 1e-6);
    CHECK(found.products < first.products);
  }
  const KnownSpectrum other(21, 23);  // of another size: the block is of no use
  const SparseSum B{other.matrix, {}, -0.5 * (other.values(9) + other.values(10))};
  CHECK(solver(B, 1e-6, alone()).count == 10);
}

TEST_CASE("the negative side is the positive side of the other sign") {
  auto [A, values] = with_positive(30, 31);
  A.sparse = -A.sparse;
  A.identity = -A.identity;
  SideSolver solver(Side::negative);

  const SpectrumSide found = solver(A, 1e-7, alone());

  CHECK(found.side == Side::negative);
  check_found(found, A, values, 1e-7);
  CHECK(found.count == 30);
  CHECK(solver.largest_outside(A, found, alone()) <= 0);
  solver.turn_to(Side::positive);
  CHECK(solver(A, 1e-7, alone()).count == 590);
}

TEST_CASE("a solver that stays in a subspace takes the spectrum of the matrix there") {
  const SparseSum A{random_sparse(90, 6, 41), {}, 0.2};
  const Matrix W = random_orthonormal(90, 12, 42);
  SideSolver solver;
  solver.stay_in(W);

  const SpectrumSide found = solver(A, 1e-3, alone());

  const Vector values =
      Eigen::SelfAdjointEigenSolver<Matrix>(Matrix(W.transpose() * A.dense() * W)).eigenvalues().reverse();
  CHECK((found.values - values).cwiseAbs().maxCoeff() <= 1e-10);
  CHECK(found.count == positive(values));
  CHECK((W * (W.transpose() * found.vectors) - found.vectors).norm() <= 1e-10);
  CHECK(found.defect == 0);
  CHECK(solver.largest_outside(A, found, alone()) == -std::numeric_limits<double>::infinity());
}

TEST_CASE("a probe finds what a block has missed, and wider blocks find it too") {
  const auto [A, values] = with_positive(20, 51);
  SideSolver solver;
  const SpectrumSide whole = solver(A, 1e-7, alone());
  SpectrumSide part = whole;  // the third positive vector left out
  const Index width = whole.values.size();
  part.values = Vector(width - 1);
  part.values << whole.values.head(2), whole.values.tail(width - 3);
  part.vectors = RowMatrix(620, width - 1);
  part.vectors << whole.vectors.leftCols(2), whole.vectors.rightCols(width - 3);
  part.count = 19;

  CHECK(solver.largest_outside(A, part, alone()) > 0.5 * whole.values(2));
  solver.widen(alone());
  const SpectrumSide again = solver(A, 1e-7, alone());
  check_found(again, A, values, 1e-7);
}

TEST_CASE("an accuracy that cannot be reached ends with the best there is") {
  const SparseSum A = with_positive(12, 61).A;
  SideSolver solver;

  const SpectrumSide found = solver(A, 0, alone());

  check_promises(found, A);
  CHECK(found.count == 12);
  CHECK(found.defect <= 1e-9);
}

TEST_CASE("nothing positive is a count of zero") {
  for (const Index n : {Index(30), Index(700)}) {
    CAPTURE(n);
    const SparseRows path = path_laplacian(1, n);
    for (const SparseSum& A : {SparseSum{-path, {}, -0.5}, SparseSum{-path, {}, -1e-9}, SparseSum{path, {}, -4.01},
                               SparseSum{SparseRows(n, n), {}, -1}, SparseSum{SparseRows(n, n), {}, 0}}) {
      CAPTURE(A.identity);
      SideSolver solver;

      const SpectrumSide found = solver(A, 1e-6, alone());

      check_promises(found, A);
      CHECK(found.count == 0);
      CHECK(found.defect == 0);
      CHECK(solver.largest_outside(A, found, alone()) <= 1e-12);
    }
  }
}

TEST_CASE("eigenvalues that occur many times are all found") {
  // Copies of one block: every eigenvalue is there as often.
  for (const Index copies : {34, 15}) {
    CAPTURE(copies);
    const Index size = 620 / copies;
    const SparseSum block{random_sparse(size, 4, 71), {}, 0};
    const Vector values = all_values(block);
    const SparseSum A{repeated(block.sparse, copies), {}, -0.5 * (values(1) + values(2))};
    const Vector all = (values.array() + A.identity).matrix().replicate(1, copies).transpose().reshaped();
    SideSolver solver;

    const SpectrumSide found = solver(A, 1e-7, alone());

    check_found(found, A, all, 1e-7);
    CHECK(found.count == 2 * copies);
    CHECK(solver.largest_outside(A, found, alone()) <= 0);
  }
}

TEST_CASE("a block has the same bits for any number of threads") {
  const SparseSum A = with_positive(25, 81).A;
  RunContext context;
  context.threads = 1;
  SideSolver one;
  const SpectrumSide expected = one(A, 1e-5, context);
  for (const int threads : {2, 7}) {
    context.threads = threads;
    SideSolver solver;
    const SpectrumSide found = solver(A, 1e-5, context);
    REQUIRE(found.values.size() == expected.values.size());
    CHECK((found.values.array() == expected.values.array()).all());
    CHECK((found.vectors.array() == expected.vectors.array()).all());
  }
}

TEST_CASE("the sides are counted exactly for small matrices and roughly for large ones") {
  const SparseSum small{random_sparse(50, 6, 91), {}, 0};
  const Vector values = all_values(small);
  const SideCounts exact = side_counts(small, alone());
  CHECK(exact.positive == double(positive(values)));
  CHECK(exact.negative == double((values.array() < 0).count()));

  Known large(92);
  for (const Index wanted : {60, 310, 560}) {
    large.shift(wanted);
    const SideCounts rough = side_counts(large.A, alone());
    CHECK(std::abs(rough.positive - double(wanted)) <= 62);
    CHECK(rough.positive + rough.negative == doctest::Approx(620));
  }
}
