// SPDX-License-Identifier: MIT
#include "ritz/algorithms/embedding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linalg/eigen.hpp"
#include "linalg/subspace.hpp"
#include "linalg/tall_products.hpp"
#include "model/monomials.hpp"
#include "ritz/base/parallel.hpp"
#include "ritz/base/random.hpp"
#include "ritz/linalg/products.hpp"
#include "ritz/pairs/backend.hpp"

namespace ritz {

namespace {

constexpr Index kDenseSize = 200;  // up to here the matrix is formed and decomposed by LAPACK
constexpr Index kLargestDense = 4000;
constexpr Index kGuards = 4;         // Ritz vectors kept beyond the wanted ones: they keep the driving gap wide
constexpr Index kRandom = 2;         // fresh columns in every start: a remembered span may be invariant but not leading
constexpr Index kBlocksHeld = 8;     // of the basis, before a restart
constexpr Index kThinColumns = 800;  // of a factor, as far as its small Gram problem is quick
constexpr double kRankTolerance = 1e-10;

void centre(Matrix& columns) { columns.rowwise() -= columns.colwise().mean().eval(); }

// L and A = L or HLH.
struct Operator {
  const KernelMatrix& K;
  Normalisation kind;
  Vector inverse_root;  // D^(−½), or empty

  Matrix times(const Matrix& in, const RunContext& context) const {  // L·in
    if (inverse_root.size() == 0) return K.times(RowMatrix(in), context);
    return inverse_root.asDiagonal() * K.times(RowMatrix(inverse_root.asDiagonal() * in), context);
  }
  Matrix outer(Matrix images) const {  // what the outer H makes of L·in
    if (is_centred(kind)) centre(images);
    return images;
  }
};

// Rounding makes distances of 0 positive, and the diagonal of a very narrow kernel smaller than it is: degrees may lie
// below the value at 0.
bool is_identity(const KernelSum& kernel, const Vector& degrees) {
  constexpr double kAlone = 1e-4;
  double at_zero = 0;
  for (const KernelTerm& term : kernel) at_zero += term.weight * value_at_zero(term.kernel);
  return has_positive_values(kernel) && degrees.maxCoeff() <= (1 + kAlone) * at_zero;
}

double largest_residual(const Matrix& images, const Matrix& U, const Vector& values, double norm) {
  if (!(norm > 0)) return 0;
  return (images - U * values.asDiagonal()).colwise().norm().maxCoeff() / norm;
}

EigenPairs leading(const OperatorView& op, Index count, EigenMethod method, const RunContext& context) {
  EigenSolver eigen(method);
  return require_complete(eigen(op, {.pick = Count{count}}, context), "the kernel matrix");
}

// Eigenpairs as an embedding, with the residual in A itself; `products`: all that they took.
Embedding measured(const Operator& A, const EigenPairs& top, Index products, std::string how,
                   const RunContext& context) {
  Embedding result;
  result.U = top.vectors;
  result.values = top.values;
  result.next = top.next;
  result.images = A.times(result.U, context);
  result.residual = largest_residual(A.outer(result.images), result.U, result.values, top.norm);
  result.products = products;
  result.how = std::move(how);
  return result;
}

// LAPACK on the formed matrix. The vector of ones is moved below all others: among null vectors it would be in the way.
Embedding dense_embedding(const Operator& A, Index k, const RunContext& context) {
  const Index n = A.K.size();
  Matrix formed = A.outer(A.times(Matrix::Identity(n, n), context));
  if (is_centred(A.kind)) {
    Matrix transposed = formed.transpose();
    centre(transposed);
    formed = transposed;
    formed.array() -= std::max(formed.norm(), 1e-300) / double(n);
  }
  const DenseOperator op{0.5 * (formed + formed.transpose())};
  const EigenPairs top = leading(op, k, EigenMethod::dense, context);
  return measured(A, top, 2, fmt::format("dense: n = {}", n), context);
}

// From a thin factor, or nothing where its rank does not suffice.
Embedding factor_embedding(const Operator& A, Matrix factor, Index k, const RunContext& context) {
  centre(factor);
  const SymFactor thin{factor, Vector::Ones(factor.cols())};
  const EigenPairs top = leading(thin, k, EigenMethod::automatic, context);
  if (!(top.values[k - 1] > kRankTolerance * top.values[0])) return {};
  return measured(A, top, 1, fmt::format("gram: a factor of {} columns", factor.cols()), context);
}

// Block Krylov iteration with Rayleigh–Ritz and thick restart. A product costs one evaluation of all pairs however many
// columns it has, so blocks are wide and few.
class BlockKrylov {
 public:
  BlockKrylov(const Operator& A, Index k, const Matrix& start, const RunContext& context)
      : A_(A), k_(k), block_(k + kGuards + kRandom), context_(context) {
    const Index n = A.K.size(), given = std::min(start.cols(), k + kGuards);
    Matrix columns(n, block_);
    if (given > 0) columns.leftCols(given) = start.leftCols(given);  // an empty start has no rows
    columns.rightCols(block_ - given) = Rng(context.seed, "embedding").normal_matrix(n, block_ - given);
    if (is_centred(A.kind)) centre(columns);
    add(orthonormalise(columns).basis);
    project();
  }

  double residual() const { return residual_; }
  Index products() const { return products_; }

  bool widen() {  // false: the space is invariant
    if (basis_.cols() + block_ > kBlocksHeld * block_) restart();
    Matrix directions = A_.outer(ritz_images_) - ritz_vectors_ * ritz_.asDiagonal();
    for (auto column : directions.colwise()) column.stableNormalize();
    if (is_centred(A_.kind)) centre(directions);
    const Orthonormalised fresh = orthonormalise_against(basis_, directions);
    if (fresh.rank == 0) return false;
    add(fresh.basis);
    project();
    return true;
  }

  Embedding result() const {
    Embedding embedding;
    embedding.U = ritz_vectors_.leftCols(k_);
    embedding.values = ritz_.head(k_);
    if (ritz_.size() > k_) embedding.next = ritz_[k_];
    embedding.images = ritz_images_.leftCols(k_);
    embedding.residual = residual_;
    embedding.products = products_;
    embedding.how = fmt::format("block Krylov: blocks of {} columns", block_);
    return embedding;
  }

 private:
  const Operator& A_;
  Index k_, block_;
  const RunContext& context_;
  Matrix basis_, raw_;  // V and LV
  Vector ritz_;
  Matrix ritz_vectors_, ritz_images_;
  double residual_ = 0;
  Index products_ = 0;

  void add(const Matrix& fresh) {
    const Matrix images = A_.times(fresh, context_);
    ++products_;
    if (!images.allFinite())
      throw Error(ErrorCode::bad_option, fmt::format("kernel {} overflows on this data; change its parameters or scale "
                                                     "the data",
                                                     kernel_text(A_.K.kernel())));
    const Index before = basis_.cols();
    basis_.conservativeResize(fresh.rows(), before + fresh.cols());
    raw_.conservativeResize(fresh.rows(), before + fresh.cols());
    basis_.rightCols(fresh.cols()) = fresh;
    raw_.rightCols(fresh.cols()) = images;
  }

  void project() {
    const Matrix projected = transposed_product(basis_, raw_);  // VᵀHLHV = VᵀLV, as HV = V where centred
    const DenseOperator small{0.5 * (projected + projected.transpose())};
    const EigenPairs pairs = leading(small, std::min(basis_.cols(), k_ + kGuards), EigenMethod::dense, context_);
    ritz_ = pairs.values;
    ritz_vectors_ = product(basis_, pairs.vectors);
    ritz_images_ = product(raw_, pairs.vectors);
    const double norm = ritz_.cwiseAbs().maxCoeff();
    residual_ = largest_residual(A_.outer(ritz_images_.leftCols(k_)), ritz_vectors_.leftCols(k_), ritz_.head(k_), norm);
  }

  void restart() {
    basis_ = ritz_vectors_;
    raw_ = ritz_images_;
  }
};

}  // namespace

bool KernelMatrix::holds(const RunContext& context) const {
  constexpr double kHeldShare = 1.0 / 16;
  const Index n = size();
  if (n > kHeldSize || 8 * double(n) * double(n) > kHeldShare * double(context.max_memory)) return false;
  if (held_.rows() == n) return true;
  if (W_) {
    const RowMatrix Z = X_.project(*W_, context);
    const Samples seen(Z);
    held_ = cross_kernel({seen, kernel_}, {seen, kernel_}, context);
  } else {
    held_ = cross_kernel({X_, kernel_}, {X_, kernel_}, context);
  }
  return true;
}

RowMatrix KernelMatrix::times(DataView in, const RunContext& context) const {
  if (holds(context)) {
    constexpr Index kRows = 256;
    const Index n = size(), columns = in.cols();
    RowMatrix out(n, columns);
    for_each_tile(tile_count(n, kRows), context, [&](Index t) {
      const Range I = tile_range(n, kRows, t);
      row_gemm(I.size(), columns, n, 1, {held_.data() + I.begin * n, n}, Transpose::no, {in.data(), in.outerStride()},
               Transpose::no, 0, {out.data() + I.begin * columns, columns});
    });
    return out;
  }
  if (pass_) return pass_->kernel_product(*W_, kernel_, in, context);
  return cross_kernel_product({X_, kernel_}, {X_, kernel_}, in, context);
}

Vector KernelMatrix::positive_degrees(const RunContext& context) const {
  const Vector degrees = times(RowMatrix::Ones(size(), 1), context);
  Index at = 0;
  const double lowest = degrees.minCoeff(&at);
  if (!(lowest > 0) && has_positive_values(kernel_))
    throw Error(
        ErrorCode::bad_option,
        fmt::format("kernel {} is numerically the identity, every sample is its own cluster, and sample {} does "
                    "not even reach itself; raise sigma, for example to 0.2*median",
                    kernel_text(kernel_), at + 1));
  if (!(lowest > 0))
    throw Error(
        ErrorCode::bad_data,
        fmt::format("kernel {} gives sample {} the degree {:.6g}; normalising by degrees needs positive ones: use "
                    "a positive kernel such as gaussian, or leave the degrees out",
                    kernel_text(kernel_), at + 1, lowest));
  return degrees;
}

Matrix KernelMatrix::centred_factor(const RunContext& context) const {
  const Index n = size(), q = W_ ? W_->cols() : X_.cols(), most = std::min(kThinColumns, n / 2);
  double columns = 0;
  for (const KernelTerm& term : kernel_) {
    if (has_constant_slope(term.kernel)) {
      columns += double(q);
    } else if (const auto polynomial = polynomial_parts(term.kernel)) {
      columns += monomial_count(q, polynomial->degree, polynomial->offset > 0);
    } else {
      return {};
    }
  }
  if (columns > double(most)) return {};
  RowMatrix buffer, features;
  const RowMatrix Z =
      W_ ? X_.project(*W_, context) : RowMatrix(Eigen::Map<const RowMatrix>(X_.rows_block({0, n}, buffer), n, q));
  Matrix factor(n, 0);
  for (const KernelTerm& term : kernel_) {
    double scale = std::sqrt(term.weight);
    if (const auto polynomial = polynomial_parts(term.kernel)) {
      Monomials(q, polynomial->degree, polynomial->offset, polynomial->scale).evaluate(Z, features);
    } else {
      features = Z;
      // −‖a − b‖² = 2aᵀb − ‖a‖² − ‖b‖², and H takes the last two away.
      if (form_of(term.kernel) == PairForm::difference) scale *= std::sqrt(2.0);
    }
    factor.conservativeResize(n, factor.cols() + features.cols());
    factor.rightCols(features.cols()) = scale * features;
  }
  return factor;
}

void keep(Archive& archive, Embedding& embedding) {
  auto& [normalisation, U, values, next, residual, degrees, images, products, how, identity] = embedding;
  archive(normalisation, U, values, next, residual, degrees, images, products, how, identity);
}

Embedding spectral_embedding(const KernelMatrix& K, const EmbeddingRequest& request, const Matrix& start,
                             const RunContext& context) {
  const Index n = K.size(), k = request.count, most = is_centred(request.normalisation) ? n - 1 : n;
  if (k < 1 || k > most)
    throw Error(ErrorCode::bad_option,
                fmt::format("{} clusters are asked for; the number must lie in [1, {}] for an embedding of {} samples",
                            k, most, n));
  Operator A{K, request.normalisation, {}};
  Vector degrees;
  if (uses_degrees(request.normalisation)) {
    degrees = K.positive_degrees(context);
    A.inverse_root = degrees.cwiseSqrt().cwiseInverse();
  }
  const auto finished = [&](Embedding embedding) {
    embedding.normalisation = request.normalisation;
    embedding.degrees = degrees;
    embedding.identity = degrees.size() > 1 && is_identity(K.kernel(), degrees);
    return embedding;
  };
  const Index block = k + kGuards + kRandom;
  if (n <= kDenseSize || (4 * block > n && n <= kLargestDense)) return finished(dense_embedding(A, k, context));
  if (!uses_degrees(request.normalisation))
    if (Matrix factor = K.centred_factor(context); factor.cols() >= k) {
      Embedding thin = factor_embedding(A, std::move(factor), k, context);
      if (thin.U.cols() == k) return finished(std::move(thin));
    }
  BlockKrylov iteration(A, k, start, context);
  while (iteration.residual() > request.tolerance && iteration.products() < request.max_products)
    if (!iteration.widen()) break;
  return finished(iteration.result());
}

}  // namespace ritz
