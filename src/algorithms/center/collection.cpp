// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "algorithms/center/parts.hpp"
#include "linalg/eigen.hpp"
#include "linalg/subspace.hpp"
#include "linalg/tall_products.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/parallel.hpp"

namespace ritz::center {

namespace {

constexpr Index kDense = 2000;      // up to this n an n × n matrix is cheap
constexpr Index kSweepRows = 2048;  // basis vectors of a tile

Vector row_weights(const Collection& all, const Vector& weights) {
  Vector each(all.vectors.rows());
  for (Index i = 0; i < all.size(); ++i)
    each.segment(all.begin[std::size_t(i)], all.dimension(i)).setConstant(weights(i));
  return each;
}

// The subspaces with weight: gathered, or where all have some, as they lie.
struct Weighted {
  Collection gathered;
  const Collection* from;
  Vector rows;  // λ of each basis vector
  Weighted(const Collection& all, const Vector& weights) : from(&all) {
    std::vector<Index> used;
    for (Index i = 0; i < all.size(); ++i)
      if (weights(i) > 0) used.push_back(i);
    if (Index(used.size()) == all.size()) {
      rows = row_weights(all, weights);
      return;
    }
    gathered = gather(all, used);
    from = &gathered;
    Vector some(Index(used.size()));
    for (std::size_t a = 0; a < used.size(); ++a) some(Index(a)) = weights(used[a]);
    rows = row_weights(gathered, some);
  }
  Weighted(const Weighted&) = delete;
  Weighted& operator=(const Weighted&) = delete;
  const RowMatrix& vectors() const { return from->vectors; }
};

}  // namespace

Collection gather(const Collection& all, const std::vector<Index>& members) {
  Collection some;
  Index rows = 0;
  for (const Index i : members) some.begin.push_back(rows += all.dimension(i));
  some.vectors.resize(rows, all.ambient());
  for (std::size_t a = 0; a < members.size(); ++a)
    some.vectors.middleRows(some.begin[a], all.dimension(members[a])) =
        all.vectors.middleRows(all.begin[std::size_t(members[a])], all.dimension(members[a]));
  return some;
}

Index Collection::max_dimension() const {
  Index largest = 0;
  for (Index i = 0; i < size(); ++i) largest = std::max(largest, dimension(i));
  return largest;
}

Matrix Collection::basis(Index i) const { return vectors.middleRows(begin[std::size_t(i)], dimension(i)).transpose(); }

Collection make_collection(const std::vector<Matrix>& bases) {
  if (bases.empty()) throw Error(ErrorCode::bad_data, "no subspaces: there is nothing to find the centre of");
  Collection all;
  Index rows = 0;
  for (std::size_t i = 0; i < bases.size(); ++i) {
    if (bases[i].rows() != bases[0].rows())
      throw Error(ErrorCode::bad_shape, fmt::format("subspace {} lies in a space of {} dimensions, the first in one of "
                                                    "{}; all must lie in the same",
                                                    i + 1, bases[i].rows(), bases[0].rows()));
    if (bases[i].cols() == 0)
      throw Error(ErrorCode::bad_data, fmt::format("subspace {} is empty: it has no basis vector", i + 1));
    all.begin.push_back(rows += bases[i].cols());
  }
  all.vectors.resize(rows, bases[0].rows());
  for (std::size_t i = 0; i < bases.size(); ++i)
    all.vectors.middleRows(all.begin[i], bases[i].cols()) = bases[i].transpose();
  return all;
}

Vector caps(const Collection& all, Index k) {
  Vector cap(all.size());
  for (Index i = 0; i < all.size(); ++i) cap(i) = double(std::min(k, all.dimension(i)));
  return cap;
}

Vector mixed_distances(const Collection& all, BlockIn V, const Vector& gamma, Index k, const RunContext& context) {
  // ‖√γ·VᵀX_i‖² without storing the products of all subspaces at a time.
  const RowMatrix scaled = V * gamma.cwiseMax(0.0).cwiseSqrt().asDiagonal();
  Vector squared(all.vectors.rows());
  const Index n = all.ambient(), s = scaled.cols();
  const auto sweep = [&](Index t, const RunContext&) {
    const Range rows = tile_range(squared.size(), kSweepRows, t);
    RowMatrix product(rows.size(), s);
    row_gemm(rows.size(), s, n, 1, {all.vectors.data() + rows.begin * n, n}, Transpose::no, {scaled.data(), s},
             Transpose::no, 0, {product.data(), s});
    if (s > 0) squared.segment(rows.begin, rows.size()) = product.rowwise().squaredNorm();
  };
  for_each_tile_once(tile_count(squared.size(), kSweepRows), context, sweep, [&](Range tiles) {
    return Blocks{block_of(squared.data(), tiles.begin * kSweepRows, std::min(squared.size(), tiles.end * kSweepRows))};
  });
  Vector distance = caps(all, k);
  if (s > 0)
    for (Index i = 0; i < all.size(); ++i)
      distance(i) -= squared.segment(all.begin[std::size_t(i)], all.dimension(i)).sum();
  return distance;
}

Vector distances(const Collection& all, BlockIn U, const RunContext& context) {
  return mixed_distances(all, U, Vector::Ones(U.cols()), U.cols(), context).cwiseMax(0.0);
}

Matrix Part::lifted(BlockIn V) const { return span.size() == 0 ? Matrix(V) : product(span, V); }
Matrix Part::lowered(BlockIn U) const { return span.size() == 0 ? Matrix(U) : transposed_product(span, U); }

Part part_of(const Collection& all, const std::vector<Index>& members, const RunContext& context) {
  Part part{gather(all, members), {}};
  RowMatrix& vectors = part.subspaces.vectors;
  if (vectors.rows() >= all.ambient()) return part;
  part.span = spanning_basis(vectors.transpose());  // orthonormal also where the vectors depend on each other
  vectors = tall_product(vectors, part.span, context);
  return part;
}

Matrix weighted_sum(const Collection& all, const Vector& weights, const RunContext& context) {
  const Weighted used(all, weights);
  return tall_weighted_gram(used.vectors(), used.rows, context);
}

Vector mixture(const Vector& e, Index k, double mu) {
  const Index n = e.size();
  if (k >= n) return Vector::Ones(n);
  // Σ clip((e − θ)/μ, 0, 1) falls with θ, linearly between the breakpoints e and e − μ.
  const auto total = [&](double theta) { return ((e.array() - theta) / mu).min(1.0).max(0.0).sum(); };
  std::vector<double> breaks;
  for (const double value : e) breaks.insert(breaks.end(), {value, value - mu});
  std::ranges::sort(breaks);
  std::size_t low = 0, high = breaks.size() - 1;  // total(low) ≥ k ≥ total(high)
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    (total(breaks[middle]) >= double(k) ? low : high) = middle;
  }
  const double above = total(breaks[low]), below = total(breaks[high]);
  const double theta =
      above > below ? breaks[low] + (above - double(k)) / (above - below) * (breaks[high] - breaks[low]) : breaks[low];
  return ((e.array() - theta) / mu).min(1.0).max(0.0);
}

Dual dual(const Collection& all, const Vector& weights, Index k, const RunContext& context) {
  Dual found;
  const Index n = all.ambient(), wanted = std::min(k + 1, n);
  const Weighted used(all, weights);
  const RowMatrix& X = used.vectors();
  found.dimension = used.rows.sum();
  found.eigenvalues = Vector::Zero(wanted);
  Matrix V(n, wanted);
  if (X.rows() < n && X.rows() <= kDense) {
    const Matrix Q = spanning_basis(X.transpose());
    const SymmetricEigen spectrum =
        symmetric_eigen(tall_weighted_gram(tall_product(X, Q, context), used.rows, context));
    const Index have = std::min(wanted, X.rows());
    found.eigenvalues.head(have) = spectrum.values.head(have);
    V.leftCols(have) = product(Q, spectrum.vectors.leftCols(have));
    if (have < wanted)  // any directions outside the span: their eigenvalue is 0
      V.rightCols(wanted - have) =
          orthonormalise_against(V.leftCols(have), Matrix::Identity(n, wanted)).basis.leftCols(wanted - have);
  } else if (n <= kDense) {
    const SymmetricEigen spectrum = symmetric_eigen(tall_weighted_gram(X, used.rows, context));
    found.eigenvalues = spectrum.values.head(wanted);
    V = spectrum.vectors.leftCols(wanted);
  } else {
    const MatrixFreeOperator sum{n, [&](BlockIn in, BlockOut out) {
                                   RowMatrix inner = tall_product(X, in, context);
                                   inner = used.rows.asDiagonal() * inner;
                                   out = tall_transposed_product(X, inner, context);
                                 }};
    EigenSolver solver;
    EigenPairs pairs = require_complete(solver(sum, {Count{wanted}, End::largest, 1e-13}, context), "the mean");
    found.eigenvalues = pairs.values;
    V = pairs.vectors;
  }
  found.U = V.leftCols(std::min(k, n));
  fix_signs(found.U);
  found.value = caps(all, k).dot(weights) - found.eigenvalues.head(std::min(k, n)).sum();
  return found;
}

Matrix row_gram(const RowMatrix& F, const RunContext& context) {
  constexpr Index kFewest = 32, kMost = 256, kParts = 6;  // large blocks are faster, but all cores want work
  const Index m = F.rows(), height = std::clamp(m / kParts, kFewest, kMost), parts = tile_count(m, height);
  Matrix out(m, m);
  for_each_tile(parts * (parts + 1) / 2, context, [&](Index t) {
    Index down = 0;
    while (t >= parts - down) t -= parts - down, ++down;
    const Range I = tile_range(m, height, down), J = tile_range(m, height, down + t);
    RowMatrix block(I.size(), J.size());
    row_gemm(I.size(), J.size(), F.cols(), 1, {F.data() + I.begin * F.cols(), F.cols()}, Transpose::no,
             {F.data() + J.begin * F.cols(), F.cols()}, Transpose::yes, 0, {block.data(), J.size()});
    out.block(I.begin, J.begin, I.size(), J.size()) = block;
    if (down != down + t) out.block(J.begin, I.begin, J.size(), I.size()) = block.transpose();
  });
  return out;
}

std::vector<Index> Result::support(double weight) const {
  std::vector<Index> of;
  for (Index i = 0; i < weights.size(); ++i)
    if (weights(i) > weight) of.push_back(i);
  return of;
}

std::vector<Index> Result::on_ball(double within) const {
  std::vector<Index> of;
  for (Index i = 0; i < distances.size(); ++i)
    if (distances(i) >= objective - within) of.push_back(i);
  return of;
}

}  // namespace ritz::center
