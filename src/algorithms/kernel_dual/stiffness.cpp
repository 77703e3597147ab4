// SPDX-License-Identifier: MIT
#include "algorithms/kernel_dual/stiffness.hpp"

#include <Eigen/SparseCholesky>

#include <Eigen/Cholesky>

#include <utility>
#include <vector>

#include "linalg/dense/dense.hpp"
#include "linalg/eigen.hpp"
#include "linalg/tall_products.hpp"
#include "ritz/base/random.hpp"
#include "ritz/linalg/operator.hpp"

namespace ritz::kernel_dual {

namespace {

constexpr double kMostFactored = 3e7;  // non-zeros of the Cholesky factor: 360 MB, a solve in a tenth of a second
constexpr double kMostWork = 3e10;     // multiplications of its making: a minute
constexpr double kBetweenLooks = 1e7;  // of them, until it is asked whether to stop: a hundredth of a second
constexpr double kDenseMatrices = 6;   // that this holds at a time
constexpr Index kMostDense = 4000;     // samples up to which tP − A is factored: some seconds
constexpr double kLongerStep = 3;
constexpr Index kMostVectors = 300;  // of a Lanczos space: 120 MB for 50,000 samples

Sparse without_first(const SparseRows& P) {
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(std::size_t(P.nonZeros()));
  for (Index i = 1; i < P.rows(); ++i)
    for (SparseRows::InnerIterator it(P, i); it; ++it)
      if (it.col() > 0) entries.emplace_back(int(i - 1), int(it.col() - 1), it.value());
  Sparse rest(P.rows() - 1, P.cols() - 1);
  rest.setFromTriplets(entries.begin(), entries.end());
  return rest;
}

// The first of t, 3t, 9t, … at which tP − A is positive definite.
double first_definite(const Matrix& A, const Matrix& P, double step, const RunContext& context) {
  for (double t = step;; t *= kLongerStep) {
    context.agree();
    Matrix M = t * P - A;
    if (Eigen::LLT<Eigen::Ref<Matrix>>(M).info() == Eigen::Success) return t;
  }
}

// LLᵀ = ΠPΠᵀ, applied to rows: each entry of L meets a whole row of the right side, which is contiguous.
class SparseCholesky : public Eigen::SimplicialLLT<Sparse> {
 public:
  Index non_zeros() const { return m_matrix.nonZeros(); }
  double work() const {  // known as soon as the pattern is
    double sum = 0;
    const int* const begin = m_matrix.outerIndexPtr();
    for (Index j = 0; j < m_matrix.cols(); ++j) sum += double(begin[j + 1] - begin[j]) * (begin[j + 1] - begin[j]);
    return sum / 2;
  }
  // Row by row, as Eigen's own, which nothing interrupts. `A`: its lower triangle; analyzePattern has seen it.
  bool factor(const Sparse& A, const RunContext& context) {
    const Index n = A.rows();
    Sparse turned(n, n);
    turned.selfadjointView<Eigen::Upper>() = A.selfadjointView<Eigen::Lower>().twistedBy(m_P);
    const int* const begin = m_matrix.outerIndexPtr();
    int* const rows = m_matrix.innerIndexPtr();
    double* const values = m_matrix.valuePtr();
    const auto size = std::size_t(n);
    std::vector<double> line(size, 0.0);  // of the row in the making
    std::vector<int> pattern(size), seen(size, -1), filled(size, 0);
    double done = 0;
    for (int k = 0; k < int(n); ++k) {
      int top = int(n);
      seen[std::size_t(k)] = k;
      for (Sparse::InnerIterator it(turned, k); it; ++it) {
        int i = int(it.index()), length = 0;
        if (i > k) continue;
        line[std::size_t(i)] += it.value();
        for (; seen[std::size_t(i)] != k; i = int(m_parent(i))) {  // up the elimination tree
          pattern[std::size_t(length++)] = i;
          seen[std::size_t(i)] = k;
        }
        while (length > 0) pattern[std::size_t(--top)] = pattern[std::size_t(--length)];
      }
      double corner = std::exchange(line[std::size_t(k)], 0.0);
      for (; top < int(n); ++top) {
        const int i = pattern[std::size_t(top)], end = begin[i] + filled[std::size_t(i)]++;
        const double value = std::exchange(line[std::size_t(i)], 0.0) / values[begin[i]];
        for (int p = begin[i] + 1; p < end; ++p) line[std::size_t(rows[p])] -= values[p] * value;
        corner -= value * value;
        rows[end] = k;
        values[end] = value;
        done += double(end - begin[i]);
      }
      if (!(corner > 0)) return false;
      const int place = begin[k] + filled[std::size_t(k)]++;
      rows[place] = k;
      values[place] = std::sqrt(corner);
      if (done > kBetweenLooks) {
        context.agree();
        done = 0;
      }
    }
    return true;
  }
  RowMatrix forward(const RowMatrix& R) const {  // L⁻¹·Π·R
    RowMatrix X = m_P * R;
    const int* const begin = m_matrix.outerIndexPtr();
    for (Index j = 0; j < X.rows(); ++j) {
      X.row(j) /= value()[begin[j]];
      for (int k = begin[j] + 1; k < begin[j + 1]; ++k) subtract(X, row()[k], value()[k], j);
    }
    return X;
  }
  RowMatrix backward(RowMatrix X) const {  // Πᵀ·L⁻ᵀ·X
    const int* const begin = m_matrix.outerIndexPtr();
    for (Index j = X.rows() - 1; j >= 0; --j) {
      for (int k = begin[j] + 1; k < begin[j + 1]; ++k) subtract(X, j, value()[k], row()[k]);
      X.row(j) /= value()[begin[j]];
    }
    return m_Pinv * X;
  }

 private:
  const int* row() const { return m_matrix.innerIndexPtr(); }
  const double* value() const { return m_matrix.valuePtr(); }  // the diagonal is the first of its column
  static void subtract(RowMatrix& X, Index into, double factor, Index from) {
    double* const a = X.row(into).data();
    const double* const b = X.row(from).data();
    for (Index c = 0; c < X.cols(); ++c) a[c] -= factor * b[c];
  }
};

class WholeStiffness : public Stiffness {
 public:
  explicit WholeStiffness(SparseRows P) : P_(std::move(P)) {}
  WholeStiffness(SparseRows P, const RunContext& context);
  bool factored() const override { return cholesky_ != nullptr; }
  RowMatrix solve(const RowMatrix& R) const override;
  Excess excess(const SparseSum& A, double allowed, const RunContext& context) override;
  double certain_excess(const SparseSum& A, double step, const RunContext& context) override;

 private:
  Excess excess_without_factor(const SparseSum& A, double allowed, const RunContext& context);
  SparseRows P_;
  std::unique_ptr<SparseCholesky> cholesky_;  // of P without its first row and column
  double softest_ = kUnknown;                 // λ₂(P), once asked for
  Vector near_;                               // what the start of a Lanczos space leans towards
};

WholeStiffness::WholeStiffness(SparseRows P, const RunContext& context) : P_(std::move(P)) {
  const Sparse rest = without_first(P_);
  auto cholesky = std::make_unique<SparseCholesky>();
  cholesky->analyzePattern(rest);
  if (double(cholesky->non_zeros()) > kMostFactored || cholesky->work() > kMostWork) return;
  if (cholesky->factor(rest, context)) cholesky_ = std::move(cholesky);
}

RowMatrix WholeStiffness::solve(const RowMatrix& R) const {
  if (!cholesky_) return R;
  RowMatrix X = RowMatrix::Zero(R.rows(), R.cols());
  X.bottomRows(R.rows() - 1) =
      cholesky_->backward(cholesky_->forward((R.rowwise() - R.colwise().mean().eval()).bottomRows(R.rows() - 1)));
  X.rowwise() -= X.colwise().mean().eval();
  return X;
}

Stiffness::Excess WholeStiffness::excess(const SparseSum& A, double allowed, const RunContext& context) {
  if (!cholesky_) return excess_without_factor(A, allowed, context);
  const Index n = A.size();
  // x ↦ HAH for vectors whose first entry is 0: constants are free, so that this entry may be chosen.
  const auto lifted = [&](const RowMatrix& Y) {
    RowMatrix X = RowMatrix::Zero(n, Y.cols());
    X.bottomRows(n - 1) = cholesky_->backward(Y);
    X.rowwise() -= X.colwise().mean().eval();
    return X;
  };
  const MatrixFreeOperator pencil{n - 1, [&](BlockIn in, BlockOut out) {
                                    const RowMatrix X = lifted(in);
                                    Matrix image(n, X.cols());
                                    A.apply(Matrix(X), image);
                                    image.rowwise() -= image.colwise().mean().eval();
                                    out = cholesky_->forward(image.bottomRows(n - 1));
                                  }};
  const LargestPair top = largest_pair(pencil, allowed, kMostVectors, near_, context);
  return {top.value + top.residual, lifted(top.vector).col(0)};
}

double WholeStiffness::certain_excess(const SparseSum& A, double step, const RunContext& context) {
  const Index n = A.size();
  const double dense = 8 * kDenseMatrices * double(n) * double(n);
  if (n > kMostDense || dense > 0.5 * double(context.max_memory)) {
    near_ = Rng(context.seed, "certain_excess").normal_matrix(n - (factored() ? 1 : 0), 1).col(0);
    const double least = excess(A, step, context).least;
    near_.resize(0);
    return std::max(0.0, least);
  }
  Matrix centred = A.dense();
  centred.rowwise() -= centred.colwise().mean().eval();
  centred.colwise() -= centred.rowwise().mean().eval();
  return first_definite(centred.bottomRightCorner(n - 1, n - 1), Matrix(P_).bottomRightCorner(n - 1, n - 1), step,
                        context);
}

Stiffness::Excess WholeStiffness::excess_without_factor(const SparseSum& A, double allowed, const RunContext& context) {
  if (std::isnan(softest_)) {
    EigenRequest request;
    request.pick = Count{2};
    request.end = End::smallest;
    request.tolerance = 1e-6;
    const EigenPairs low =
        require_complete(EigenSolver()(SparseOperator{Sparse(P_)}, request, context), "the graph's stiffness");
    softest_ = 0.99 * (low.values(1) - low.residual);
  }
  const LargestPair top = largest_pair(A, allowed * softest_, kMostVectors, near_, context);
  return {std::max(0.0, top.value + top.residual) / softest_, top.vector};
}

class StiffnessWithin : public Stiffness {
 public:
  StiffnessWithin(const SparseRows& P, const RowMatrix& W, const RunContext& context) : W_(W) {
    RowMatrix image;
    multiply_rows(P, W, image, context);
    P_ = tall_transposed_product(W, image, context);
    root_ = Cholesky(P_).inverse_root();
  }
  bool factored() const override { return true; }
  RowMatrix solve(const RowMatrix& R) const override { return root_ * (root_.transpose() * R); }
  Excess excess(const SparseSum& A, double, const RunContext& context) override {
    const SymmetricEigen all = symmetric_eigen(root_.transpose() * within(A, context) * root_);
    return {all.values(0), root_ * all.vectors.col(0)};
  }
  double certain_excess(const SparseSum& A, double step, const RunContext& context) override {
    return first_definite(within(A, context), P_, step, context);
  }

 private:
  Matrix within(const SparseSum& A, const RunContext& context) const {
    RowMatrix image;
    A.apply_rows(W_, image, context);
    const Matrix inner = tall_transposed_product(W_, image, context);
    return 0.5 * (inner + inner.transpose());
  }
  const RowMatrix& W_;
  Matrix P_, root_;  // WᵀPW = (root·rootᵀ)⁻¹
};

}  // namespace

std::unique_ptr<Stiffness> stiffness_of(SparseRows P, const RunContext& context) {
  return std::make_unique<WholeStiffness>(std::move(P), context);
}

std::unique_ptr<Stiffness> unfactored_stiffness(SparseRows P) { return std::make_unique<WholeStiffness>(std::move(P)); }

std::unique_ptr<Stiffness> stiffness_within(const SparseRows& P, const RowMatrix& W, const RunContext& context) {
  return std::make_unique<StiffnessWithin>(P, W, context);
}

}  // namespace ritz::kernel_dual
