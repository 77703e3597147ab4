// SPDX-License-Identifier: MIT
// Products with the symmetric n × n matrices of the pairs. Each unordered pair is evaluated once: a tile serves its
// rows and, transposed, its columns.
#include <algorithm>
#include <vector>

#include "backends/cpu/tile_parts.hpp"
#include "backends/cpu/tile_sweep.hpp"

namespace ritz::tile {

namespace {

struct Space {
  Tile tile;
  std::vector<double> weights;                        // a tile
  std::vector<double> cross, dot, difference, omega;  // tiles of the second derivative
  Vector unused = Vector::Zero(kTile);
};

// Calls use(space, I, J) for every pair of panels.
template <class Use>
void for_each_pair_tile(const Projected& z, const KernelSum& kernel, bool second, const RunContext& context,
                        const Use& use) {
  const Index n = z.raw.rows();
  SpacePool<Space> pool;
  const auto make = [&] {
    const std::size_t entries = tile_entries(n), extra = second ? entries : 0;
    return std::make_unique<Space>(Space{Tile(z, kernel), std::vector<double>(entries), std::vector<double>(extra),
                                         std::vector<double>(extra), std::vector<double>(extra),
                                         std::vector<double>(extra)});
  };
  for_each_pair(tile_count(n, kTile), context, [&](Index i, Index j) {
    pool.with(make, [&](Space& space) {
      const Range I = tile_range(n, kTile, i), J = tile_range(n, kTile, j);
      space.tile.load(z.side(I), z.side(J));
      use(space, I, J);
    });
  });
}

bool diagonal(Range I, Range J) { return I.begin == J.begin; }

// XᵀMP + 2Xᵀdiag(Ψ_difference·1)P with M = Ψ_dot − 2Ψ_difference, for P = XV: that is ΦV.
PairGradient phi_product(const SweepData& data, const Projected& z, const KernelSum& kernel, const RowMatrix& P,
                         const RunContext& context) {
  const Index n = P.rows();
  RowMatrix U = RowMatrix::Zero(n, P.cols());
  Vector degree = Vector::Zero(n);
  std::vector<double> objective(std::size_t(tile_count(n, kTile)), 0.0);  // by the row panel of a tile
  for_each_pair_tile(z, kernel, false, context, [&](Space& space, Range I, Range J) {
    const Index m = J.size();
    outer_tile(data.weighted_basis, I, data.basis, J, space.weights.data());
    double* column_degree = diagonal(I, J) ? space.unused.data() : degree.data() + J.begin;
    double sum = 0;
    for (Index i = 0; i < I.size(); ++i) {
      space.tile.evaluate(i, Want::value_slope);
      const RowSums row =
          functions().combine(space.weights.data() + i * m, space.tile.value(), space.tile.dot_derivative(),
                              space.tile.difference_derivative(), m, column_degree);
      sum += row.objective;
      degree[I.begin + i] += row.degree;
    }
    objective[std::size_t(I.begin / kTile)] += diagonal(I, J) ? sum : 2 * sum;
    add_symmetric_product(1, space.weights.data(), I, J, P, U);
  });
  if (z.difference) U += 2 * (degree.asDiagonal() * P);
  PairGradient product{data.X.adjoint(U, context), 0};
  for (const double part : objective) product.objective += part;
  return product;
}

}  // namespace

PairGradient sweep_gradient(const SweepData& data, const KernelSum& kernel, const RunContext& context) {
  const Projected z(data.Z, kernel);
  return phi_product(data, z, kernel, z.dot ? z.raw : z.centred, context);  // differences do not see a shift
}

Matrix sweep_phi_product(const SweepData& data, const KernelSum& kernel, BlockIn V, const RunContext& context) {
  const Projected z(data.Z, kernel);
  RowMatrix P = data.X.project(V, context);
  if (!z.dot) P.rowwise() -= P.colwise().mean().eval();
  return phi_product(data, z, kernel, P, context).phi_W;
}

// Σ_ij Ω_ij ∂c_ij/∂E with Ω = Γ ∘ f″ ∘ c: 2XᵀΩZ for dot products, 4Xᵀ(diag(Ω1) − Ω)Z for differences.
Matrix sweep_curvature(const SweepData& data, const KernelSum& kernel, BlockIn E, const RunContext& context) {
  const Projected z(data.Z, kernel);
  const RowMatrix& Z = z.dot ? z.raw : z.centred;
  const Index n = Z.rows(), q = Z.cols(), directions = E.cols() / q;
  RowMatrix e = data.X.project(E, context);
  if (!z.dot) e.rowwise() -= e.colwise().mean().eval();
  struct Direction {
    RowMatrix left, right;  // (left · rightᵀ)_ij = zᵢᵀeⱼ + eᵢᵀzⱼ
    Vector own;             // own_i + own_j − (left · rightᵀ)_ij = (zᵢ − zⱼ)ᵀ(eᵢ − eⱼ)
    Vector degree;          // Ω1 of the differences
  };
  std::vector<Direction> along;
  for (Index k = 0; k < directions; ++k) {
    const auto part = e.middleCols(k * q, q);
    Direction direction{RowMatrix(n, 2 * q), RowMatrix(n, 2 * q), Z.cwiseProduct(part).rowwise().sum(),
                        Vector::Zero(n)};
    direction.left << Z, part;
    direction.right << part, Z;
    along.push_back(std::move(direction));
  }
  const Vector zero = Vector::Zero(n);
  RowMatrix U = RowMatrix::Zero(n, q * directions);

  for_each_pair_tile(z, kernel, true, context, [&](Space& space, Range I, Range J) {
    const Index m = J.size();
    const Functions& rows = functions();
    outer_tile(data.weighted_basis, I, data.basis, J, space.weights.data());
    for (Index i = 0; i < I.size(); ++i) {
      space.tile.evaluate(i, Want::curvature);
      if (z.dot) std::copy_n(space.tile.dot_derivative(), m, space.dot.data() + i * m);
      if (z.difference) std::copy_n(space.tile.difference_derivative(), m, space.difference.data() + i * m);
    }
    std::vector<double>& omega = space.omega;
    for (Index k = 0; k < directions; ++k) {
      Direction& direction = along[std::size_t(k)];
      outer_tile(direction.left, I, direction.right, J, space.cross.data());
      auto out = U.middleCols(k * q, q);
      if (z.dot) {  // c = cross
        for (Index i = 0; i < I.size(); ++i)
          rows.curvature_weights(space.weights.data() + i * m, space.dot.data() + i * m, -1, 0, zero.data() + J.begin,
                                 space.cross.data() + i * m, m, omega.data() + i * m, space.unused.data());
        add_symmetric_product(2, omega.data(), I, J, Z, out);
      }
      if (z.difference) {
        double* column_degree = diagonal(I, J) ? space.unused.data() : direction.degree.data() + J.begin;
        for (Index i = 0; i < I.size(); ++i)
          direction.degree[I.begin + i] += rows.curvature_weights(
              space.weights.data() + i * m, space.difference.data() + i * m, 2, direction.own[I.begin + i],
              direction.own.data() + J.begin, space.cross.data() + i * m, m, omega.data() + i * m, column_degree);
        add_symmetric_product(-4, omega.data(), I, J, Z, out);
      }
    }
  });
  if (z.difference)
    for (Index k = 0; k < directions; ++k)
      U.middleCols(k * q, q) += 4 * (along[std::size_t(k)].degree.asDiagonal() * Z);
  return data.X.adjoint(U, context);
}

RowMatrix sweep_kernel_product(const RowMatrix& Z, const KernelSum& kernel, DataView in, const RunContext& context) {
  const Projected z(Z, kernel);
  RowMatrix out = RowMatrix::Zero(Z.rows(), in.cols());
  for_each_pair_tile(z, kernel, false, context, [&](Space& space, Range I, Range J) {
    for (Index i = 0; i < I.size(); ++i) {
      space.tile.evaluate(i, Want::value);
      std::copy_n(space.tile.value(), J.size(), space.weights.data() + i * J.size());
    }
    add_symmetric_product(1, space.weights.data(), I, J, in, out);
  });
  return out;
}

}  // namespace ritz::tile
