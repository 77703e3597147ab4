// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "linalg/dense/dense.hpp"
#include "linalg/eigen.hpp"
#include "linalg/eigen/tridiagonal.hpp"
#include "linalg/spectrum_side.hpp"
#include "linalg/subspace.hpp"
#include "linalg/tall_products.hpp"
#include "ritz/base/random.hpp"

namespace ritz {

namespace {

constexpr Index kSideDenseSize = 600;  // LAPACK is faster below, whatever part is wanted
constexpr Index kDenseLimit = 8000;    // above, the array alone is half a gigabyte
constexpr Index kSideDensePart = 4;    // … and so it is where 1/4 of the spectrum is wanted
constexpr Index kFirstWidth = 24;      // of a block that knows nothing
constexpr Index kLeastBeyond = 8;  // Ritz values kept on the other side of zero: they tell that the side is complete,
constexpr Index kMostBeyond = 48;  // speed up the filter, and sharpen the derivative
constexpr int kDegree = 10;        // of the filter, at most
constexpr double kAmplification = 1e9;  // … and at most this much, so that the small vectors survive the large ones
constexpr int kPasses = 60;
constexpr double kRoundedZero = 1e-13;  // of the largest value
constexpr double kRounding = 1e-12;     // of the norm: no defect below it can be asked for
constexpr int kSideProbeSteps = 60;

double sign_of(Side side) { return side == Side::positive ? 1.0 : -1.0; }

struct SignedProduct {
  const SparseSum& A;
  double sign;
  const RunContext& context;
  Index columns = 0;
  void operator()(const RowMatrix& in, RowMatrix& out) {
    A.apply_rows(in, out, context);
    if (sign < 0) out = -out;
    columns += in.cols();
  }
};

// Rounding is not positive.
Index positive_count(const Vector& values) {
  return values.size() == 0 ? 0 : (values.array() > kRoundedZero * values.cwiseAbs().maxCoeff()).count();
}

Index beyond(Index count) { return std::clamp(count, kLeastBeyond, kMostBeyond); }

// Orthonormal columns with the span of V: Cholesky of the Gram matrix, twice; Gram–Schmidt with dropping where that
// breaks down.
RowMatrix orthonormal(RowMatrix V, const RunContext& context) {
  for (Index j = 0; j < V.cols(); ++j) V.col(j) /= std::max(V.col(j).norm(), 1e-300);
  for (int pass = 0; pass < 2; ++pass) {
    const Cholesky gram(tall_transposed_product(V, V, context));
    if (!gram.definite() || gram.diagonal().minCoeff() < 1e-6) return orthonormalise(Matrix(V)).basis;
    V = tall_product(V, gram.inverse_root(), context);
  }
  return V;
}

struct RitzBlock {
  Vector values;  // decreasing
  RowMatrix vectors, images;
};

RitzBlock ritz(const RowMatrix& V, SignedProduct& multiply) {
  RowMatrix image;
  multiply(V, image);
  Matrix H = tall_transposed_product(V, image, multiply.context);
  H = (0.5 * (H + H.transpose())).eval();
  const detail::TridiagonalForm form(H);
  const Matrix Q = form.vectors(0, H.rows()).rowwise().reverse();
  return {form.values().reverse(), tall_product(V, Q, multiply.context), tall_product(image, Q, multiply.context)};
}

// T_m of (A − c)/e on the block: values inside [low, cut] stay below 1, those above grow with their distance.
RowMatrix filtered(const RitzBlock& block, double low, double cut, SignedProduct& multiply) {
  // A multiple of the identity has no width, and zero no size either.
  const double e = std::max({0.5 * (cut - low), 1e-3 * std::abs(low), 1e-300}), c = low + e;
  const double reach = (block.values(0) - c) / e;
  int degree = kDegree;
  while (degree > 2 && std::cosh(degree * std::acosh(std::max(reach, 1.0))) > kAmplification) --degree;
  RowMatrix before = block.vectors, now = (block.images - c * block.vectors) / e, next;
  for (int m = 2; m <= degree; ++m) {
    multiply(now, next);
    next = (2 / e) * (next - c * now) - before;
    before.swap(now);
    now.swap(next);
  }
  return now;
}

// What says whether a block will do.
struct Quality {
  Index count = 0;    // of values > 0
  double defect = 0;  // as in SpectrumSide
  // How far the first value that is not positive may really lie above zero: with the residual ρ towards directions
  // whose values are not positive, at most at the larger eigenvalue of (θ ρ; ρ 0).
  double doubt = 0;
};

Quality quality(const RitzBlock& block) {
  Quality q;
  q.count = positive_count(block.values);
  if (q.count > 0)
    q.defect =
        (block.images.leftCols(q.count) - block.vectors.leftCols(q.count) * block.values.head(q.count).asDiagonal())
            .norm();
  if (q.count < block.values.size()) {
    const double value = block.values(q.count);
    const double residual = (block.images.col(q.count) - value * block.vectors.col(q.count)).norm();
    if (residual > 0) q.doubt = 2 * residual * residual / (std::hypot(value, 2 * residual) - value);
  }
  return q;
}

RowMatrix widened(const RowMatrix& V, Index width, std::uint64_t seed) {
  RowMatrix wider(V.rows(), width);
  if (V.cols() > 0) wider.leftCols(V.cols()) = V;
  Rng random(seed, "filtered_block", std::uint64_t(V.cols()));
  wider.rightCols(width - V.cols()) = random.normal_matrix(V.rows(), width - V.cols());
  return wider;
}

struct Tridiagonal {
  std::vector<double> diagonal, beside;
  Matrix matrix() const {
    const Index m = Index(diagonal.size());
    Matrix T = Matrix::Zero(m, m);
    for (Index i = 0; i < m; ++i) {
      T(i, i) = diagonal[std::size_t(i)];
      if (i + 1 < m) T(i, i + 1) = T(i + 1, i) = beside[std::size_t(i)];
    }
    return T;
  }
};

// Lanczos with full reorthogonalisation, also against `fixed` (may have no column).
Tridiagonal lanczos(RowMatrix start, const RowMatrix& fixed, int steps, SignedProduct& multiply) {
  const Index n = start.rows();
  const auto deflate = [&](Vector& v) {
    for (int pass = 0; pass < 2 && fixed.cols() > 0; ++pass) v -= fixed * (fixed.transpose() * v);
  };
  Tridiagonal result;
  Matrix Q(n, 0);
  Vector q = start.col(0);
  deflate(q);
  q.normalize();
  RowMatrix in(n, 1), out;
  steps = int(std::min<Index>(steps, n - fixed.cols()));
  for (int k = 0; k < steps; ++k) {
    Q.conservativeResize(n, k + 1);
    Q.col(k) = q;
    in.col(0) = q;
    multiply(in, out);
    Vector next = out.col(0);
    deflate(next);
    result.diagonal.push_back(q.dot(next));
    for (int pass = 0; pass < 2; ++pass) next -= Q * (Q.transpose() * next);
    const double norm = next.norm();
    result.beside.push_back(norm);
    if (norm == 0) break;
    // Where the Krylov space is used up, what is left is rounding, and would bring `fixed` back.
    q = next / norm;
    deflate(q);
    q -= Q * (Q.transpose() * q);
    q.normalize();
  }
  return result;
}

}  // namespace

void SideSolver::turn_to(Side side) {
  side_ = side;
  basis_.resize(0, 0);
  prefer_dense_ = false;
}

void SideSolver::widen(const RunContext& context) {
  if (basis_.cols() == 0) return;
  const Index width = std::min(basis_.rows(), basis_.cols() + basis_.cols() / 2);
  basis_ = orthonormal(widened(basis_, width, context.seed + 1), context);
  fresh_ = true;
}

SpectrumSide SideSolver::operator()(const SparseSum& A, double accuracy, const RunContext& context) {
  const Index n = A.size();
  context.poll();
  if (fixed_.cols() > 0) {
    SignedProduct multiply{A, sign_of(side_), context};
    RitzBlock found = ritz(fixed_, multiply);
    SpectrumSide result;
    result.side = side_;
    result.method = "fixed subspace";
    result.exact = true;
    result.count = positive_count(found.values);
    result.values = std::move(found.values);
    result.vectors = std::move(found.vectors);
    result.products = multiply.columns;
    return result;
  }
  if (n <= kSideDenseSize || prefer_dense_) {
    SpectrumSide found = dense(A);
    if (n > kSideDenseSize && 2 * kSideDensePart * found.count < n) {  // narrow again
      prefer_dense_ = false;
      basis_ = found.vectors;
    }
    return found;
  }
  return block(A, accuracy, context);
}

SpectrumSide SideSolver::dense(const SparseSum& A) const {
  const Index n = A.size();
  const detail::TridiagonalForm form(sign_of(side_) * A.dense());
  SpectrumSide found;
  found.side = side_;
  found.method = "dense";
  found.exact = true;
  found.count = positive_count(form.values());
  const Index kept = n <= kSideDenseSize ? n : std::min(n, found.count + beyond(found.count));
  found.values = form.values().reverse().head(kept);
  found.vectors = form.vectors(n - kept, kept).rowwise().reverse();
  if (kept < n) found.outside_mean = form.values().head(n - kept).mean();
  return found;
}

SpectrumSide SideSolver::block(const SparseSum& A, double accuracy, const RunContext& context) {
  const Index n = A.size();
  const bool dense_fits = n <= kDenseLimit && 32.0 * double(n) * double(n) < double(context.max_memory);
  SignedProduct multiply{A, sign_of(side_), context};
  const SpectralBounds bounds = spectral_bounds(A, context);
  const double width = bounds.highest - bounds.lowest;
  const double low = (side_ == Side::positive ? bounds.lowest : -bounds.highest) - 0.05 * width;

  if (basis_.rows() != n) {
    basis_ = orthonormal(widened(RowMatrix(n, 0), std::min(n, kFirstWidth), context.seed), context);
    fresh_ = true;
  }
  RitzBlock found = ritz(basis_, multiply);
  bool looked = !fresh_;  // random directions say nothing before they have been filtered
  const double goal = std::max(accuracy, kRounding * bounds.norm());
  Quality now = quality(found);
  for (int pass = 0; pass < kPasses; ++pass) {
    const Index wide = found.values.size(), count = now.count;
    const bool narrow = count + kLeastBeyond > wide || 20 * count > 17 * wide;
    if (!narrow && now.defect <= goal && now.doubt <= goal && looked) break;
    Index aim = wide;
    if (narrow) aim = std::min(n, std::max(count + beyond(count), wide + wide / 2));
    if (dense_fits && kSideDensePart * aim > n) {
      prefer_dense_ = true;
      return dense(A);
    }
    const double cut = std::min(found.values.minCoeff(), -1e-3 * std::abs(low));
    RowMatrix V = filtered(found, low, cut, multiply);
    looked = aim == wide;
    if (aim > wide) V = widened(V, aim, context.seed + std::uint64_t(pass));
    found = ritz(orthonormal(std::move(V), context), multiply);
    now = quality(found);
  }
  // Not wider than useful: the tail costs as much as the head.
  const Index keep = std::min<Index>(found.values.size(), now.count + 2 * beyond(now.count));
  basis_ = found.vectors.leftCols(keep);
  fresh_ = false;

  SpectrumSide result;
  result.side = side_;
  result.method = "block";
  result.count = now.count;
  result.values = found.values.head(keep);
  result.vectors = basis_;
  result.defect = now.defect;
  result.outside_mean = (multiply.sign * A.trace() - result.values.sum()) / double(std::max<Index>(1, n - keep));
  result.products = multiply.columns;
  return result;
}

double SideSolver::largest_outside(const SparseSum& A, const SpectrumSide& found, const RunContext& context) const {
  const Index n = A.size();
  if (found.exact) return -std::numeric_limits<double>::infinity();
  SignedProduct multiply{A, sign_of(found.side), context};
  RowMatrix start = Rng(context.seed, "spectrum_side_probe").normal_matrix(n, 1);
  start.normalize();
  // The block's own candidate for one more positive value: the probe would need many steps to come so near to it.
  if (found.count < found.values.size()) start += found.vectors.col(found.count);
  const RowMatrix wanted = found.vectors.leftCols(found.count);
  const Tridiagonal T = lanczos(std::move(start), wanted, kSideProbeSteps, multiply);
  if (T.diagonal.empty()) return -std::numeric_limits<double>::infinity();
  const detail::TridiagonalForm form(T.matrix());
  return form.values()(form.values().size() - 1);
}

SideCounts side_counts(const SparseSum& A, const RunContext& context) {
  const Index n = A.size();
  if (n <= kSideDenseSize) {
    const detail::TridiagonalForm form(A.dense());
    return {double((form.values().array() > 0).count()), double((form.values().array() < 0).count())};
  }
  // Stochastic Lanczos quadrature: the weights of the Ritz values estimate the density of the spectrum.
  constexpr int kProbes = 6, kSteps = 40;
  SignedProduct multiply{A, 1.0, context};
  double positive = 0;
  for (int probe = 0; probe < kProbes; ++probe) {
    RowMatrix start = Rng(context.seed, "side_counts", std::uint64_t(probe)).normal_matrix(n, 1);
    const detail::TridiagonalForm form(lanczos(std::move(start), RowMatrix(n, 0), kSteps, multiply).matrix());
    const Matrix vectors = form.vectors(0, form.values().size());
    for (Index i = 0; i < form.values().size(); ++i)
      if (form.values()(i) > 0) positive += vectors(0, i) * vectors(0, i) * double(n) / kProbes;
  }
  return {positive, double(n) - positive};
}

}  // namespace ritz
