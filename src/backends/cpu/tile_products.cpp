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
  std::unique_ptr<GammaTile> gamma;                   // of the data of the sum
  std::vector<double> weights;                        // a tile
  std::vector<double> cross, dot, difference, omega;  // tiles of the second derivative
  Vector unused = Vector::Zero(kTile);
};

// The sum of what use(space, I, J, out) adds to `out`, `length` numbers, for every pair of panels.
template <class Use>
Vector tile_sum(const Projected& z, const KernelSum& kernel, const SweepData* data, bool second, Index length,
                const RunContext& context, const Use& use) {
  const Index n = z.raw.rows();
  const PanelShares shares = all_panels(n, data ? data->pairs : nullptr);
  SpacePool<Space> pool;
  const auto make = [&] {
    const std::size_t entries = tile_entries(n), extra = second ? entries : 0;
    return std::make_unique<Space>(Space{Tile(z, kernel), data ? std::make_unique<GammaTile>(*data) : nullptr,
                                         std::vector<double>(entries), std::vector<double>(extra),
                                         std::vector<double>(extra), std::vector<double>(extra),
                                         std::vector<double>(extra)});
  };
  Vector total(length);
  const auto share_sum = [&](Index share, double* out, const RunContext& here) {
    pool.with(make, [&](Space& space) {
      shares.for_each_tile(share, n, here, [&](Range I, Range J) {
        space.tile.load(z.side(I), z.side(J));
        use(space, I, J, out);
      });
    });
  };
  ordered_sum(shares.count, length, share_sum, total.data(), context);
  return total;
}

bool diagonal(Range I, Range J) { return I.begin == J.begin; }

// XᵀMP + 2Xᵀdiag(Ψ_difference·1)P with M = Ψ_dot − 2Ψ_difference, for P = XV: that is ΦV.
PairGradient phi_product(const SweepData& data, const Projected& z, const KernelSum& kernel, const RowMatrix& P,
                         const RunContext& context) {
  const Index n = P.rows(), c = P.cols();
  // n × c products, n degrees, and F.
  Vector sums =
      tile_sum(z, kernel, &data, false, n * (c + 1) + 1, context, [&](Space& space, Range I, Range J, double* out) {
        const Index m = J.size();
        double* degree = out + n * c;
        space.gamma->load(I, J);
        double* column_degree = diagonal(I, J) ? space.unused.data() : degree + J.begin;
        double sum = 0;
        for (Index i = 0; i < I.size(); ++i) {
          const RowSums row = space.tile.weigh(i, space.gamma->row(i), space.weights.data() + i * m, column_degree);
          sum += row.objective;
          degree[I.begin + i] += row.degree;
        }
        degree[n] += diagonal(I, J) ? sum : 2 * sum;
        add_symmetric_product(1, space.weights.data(), I, J, P, Eigen::Map<RowMatrix>(out, n, c));
      });
  Eigen::Map<RowMatrix> U(sums.data(), n, c);
  if (z.difference) U += 2 * (sums.segment(n * c, n).asDiagonal() * P);
  return {data.X.adjoint(U, context), sums[n * (c + 1)], {}};
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
  };
  std::vector<Direction> along;
  for (Index k = 0; k < directions; ++k) {
    const auto part = e.middleCols(k * q, q);
    Direction direction{RowMatrix(n, 2 * q), RowMatrix(n, 2 * q), Z.cwiseProduct(part).rowwise().sum()};
    direction.left << Z, part;
    direction.right << part, Z;
    along.push_back(std::move(direction));
  }
  const Vector zero = Vector::Zero(n);
  // n × (q·directions) products, and Ω1 of the differences for each direction.
  const auto add = [&](Space& space, Range I, Range J, double* sum) {
    Eigen::Map<RowMatrix> U(sum, n, q * directions);
    const Index m = J.size();
    const Functions& rows = functions();
    space.gamma->load(I, J);
    for (Index i = 0; i < I.size(); ++i) {
      space.tile.evaluate(i, Want::curvature);
      if (z.dot) std::copy_n(space.tile.dot_derivative(), m, space.dot.data() + i * m);
      if (z.difference) std::copy_n(space.tile.difference_derivative(), m, space.difference.data() + i * m);
    }
    std::vector<double>& omega = space.omega;
    for (Index k = 0; k < directions; ++k) {
      const Direction& direction = along[std::size_t(k)];
      outer_tile(direction.left, I, direction.right, J, space.cross.data());
      auto out = U.middleCols(k * q, q);
      if (z.dot) {  // c = cross
        for (Index i = 0; i < I.size(); ++i)
          rows.curvature_weights(space.gamma->row(i), space.dot.data() + i * m, -1, 0, zero.data() + J.begin,
                                 space.cross.data() + i * m, m, omega.data() + i * m, space.unused.data());
        add_symmetric_product(2, omega.data(), I, J, Z, out);
      }
      if (z.difference) {
        double* degree = sum + n * (q * directions + k);
        double* column_degree = diagonal(I, J) ? space.unused.data() : degree + J.begin;
        for (Index i = 0; i < I.size(); ++i)
          degree[I.begin + i] += rows.curvature_weights(
              space.gamma->row(i), space.difference.data() + i * m, 2, direction.own[I.begin + i],
              direction.own.data() + J.begin, space.cross.data() + i * m, m, omega.data() + i * m, column_degree);
        add_symmetric_product(-4, omega.data(), I, J, Z, out);
      }
    }
  };
  Vector sums = tile_sum(z, kernel, &data, true, n * (q + 1) * directions, context, add);
  Eigen::Map<RowMatrix> U(sums.data(), n, q * directions);
  if (z.difference)
    for (Index k = 0; k < directions; ++k)
      U.middleCols(k * q, q) += 4 * (sums.segment(n * (q * directions + k), n).asDiagonal() * Z);
  return data.X.adjoint(U, context);
}

RowMatrix sweep_kernel_product(const RowMatrix& Z, const KernelSum& kernel, DataView in, const RunContext& context) {
  const Projected z(Z, kernel);
  const Index n = Z.rows(), c = in.cols();
  const Vector sums =
      tile_sum(z, kernel, nullptr, false, n * c, context, [&](Space& space, Range I, Range J, double* out) {
        for (Index i = 0; i < I.size(); ++i) {
          space.tile.evaluate(i, Want::value);
          std::copy_n(space.tile.value(), J.size(), space.weights.data() + i * J.size());
        }
        add_symmetric_product(1, space.weights.data(), I, J, in, Eigen::Map<RowMatrix>(out, n, c));
      });
  return Eigen::Map<const RowMatrix>(sums.data(), n, c);
}

}  // namespace ritz::tile
