// SPDX-License-Identifier: MIT
// B diag(w) Bᵀ with n × r basis, r < n: with B = QR its eigenpairs are those of the r × r core R diag(w) Rᵀ, carried up
// by Q, and the value 0 with the n − r further columns of the full Q as vectors. Weights may have any sign and B any
// rank; a deficient B only makes some of the core's values zero.
#include <lapacke.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "linalg/eigen/engine.hpp"
#include "linalg/eigen/tridiagonal.hpp"
#include "ritz/base/error.hpp"
#include "ritz/linalg/products.hpp"

namespace ritz::detail {
namespace {

// The full, square Q of a Householder factorisation, never formed.
class HouseholderQr {
 public:
  explicit HouseholderQr(const Matrix& b) : reflectors_(b), tau_(std::max<Index>(1, b.cols())) {
    const int n = int(b.rows()), r = int(b.cols());
    if (r > 0) require_lapack(LAPACKE_dgeqrf(LAPACK_COL_MAJOR, n, r, reflectors_.data(), n, tau_.data()), "dgeqrf");
  }
  Matrix upper() const {
    const Index r = reflectors_.cols();
    return reflectors_.topRows(r).triangularView<Eigen::Upper>();
  }
  void apply(Matrix& columns) const {
    const int n = int(reflectors_.rows()), r = int(reflectors_.cols());
    if (r == 0 || columns.cols() == 0) return;
    require_lapack(LAPACKE_dormqr(LAPACK_COL_MAJOR, 'L', 'N', n, int(columns.cols()), r, reflectors_.data(), n,
                                  tau_.data(), columns.data(), n),
                   "dormqr");
  }

 private:
  Matrix reflectors_;
  Vector tau_;
};

}  // namespace

EigenPairs solve_gram(const OperatorView& op, const EigenRequest& request, const RunContext& context) {
  const SymFactor& factor = *op.factor();
  const Index n = factor.size(), r = factor.rank_bound();
  if (!factor.basis.allFinite() || !factor.weights.allFinite())
    throw Error(ErrorCode::not_finite, "the factor holds a value that is not finite");
  Product multiply(op, context);
  const double sign = sign_of(request.end);
  context.poll();
  const HouseholderQr qr(factor.basis);
  const Matrix R = qr.upper();
  const Matrix weighted = R * factor.weights.asDiagonal();
  const Matrix transposed = R.transpose();
  Matrix core = product(weighted, transposed);
  context.poll();
  std::optional<TridiagonalForm> form;
  if (r > 0) form.emplace(std::move(core));

  // Positions 0 … r − 1 are the core's values, r … n − 1 the zeros of the null space; a stable sort puts computed zeros
  // before those known to be exact.
  Vector all = Vector::Zero(n);
  if (form) all.head(r) = sign * form->values();
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index(0));
  std::ranges::stable_sort(order, [&](Index a, Index b) { return all(a) > all(b); });
  const Vector decreasing = all(order);

  Candidates candidates;
  candidates.norm = form ? form->norm() : 0.0;
  const Cut wanted = cut(request, decreasing, candidates.norm);
  candidates.values = sign * decreasing.head(wanted.count);
  candidates.capped = wanted.capped;
  if (wanted.count < n) candidates.next = sign * decreasing(wanted.count);

  const auto chosen = std::span(order).first(std::size_t(wanted.count));
  Index first = r, last = -1;
  for (const Index at : chosen)
    if (at < r) first = std::min(first, at), last = std::max(last, at);
  const Matrix core_vectors = last < first ? Matrix(r, 0) : form->vectors(first, last - first + 1);
  candidates.vectors = Matrix::Zero(n, wanted.count);
  for (Index j = 0; j < wanted.count; ++j) {
    const Index at = chosen[std::size_t(j)];
    if (at < r)
      candidates.vectors.col(j).head(r) = core_vectors.col(at - first);
    else
      candidates.vectors(at, j) = 1;
  }
  qr.apply(candidates.vectors);
  candidates.images = multiply.of(candidates.vectors);
  EigenPairs pairs = judge(std::move(candidates), request);
  pairs.products = multiply.columns();
  return pairs;
}

}  // namespace ritz::detail
