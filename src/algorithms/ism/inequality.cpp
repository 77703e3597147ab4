// SPDX-License-Identifier: MIT
// The right-hand side of the papers' sufficient inequality. One sweep over tiles of pairs, made at most once a run.
#include <algorithm>
#include <cmath>
#include <vector>

#include "algorithms/ism/parts.hpp"
#include "ritz/base/parallel.hpp"
#include "ritz/linalg/tall_products.hpp"

namespace ritz::ism {

namespace {

constexpr Index kTile = 256;

// Inner products of the rows I and J of a row-major matrix, or of two with the same number of columns.
void outer_tile(const double* A, const double* B, Index columns, Range I, Range J, std::vector<double>& tile) {
  row_gemm(I.size(), J.size(), columns, 1, {A, columns}, Transpose::no, {B, columns}, Transpose::yes, 0,
           {tile.data(), J.size()});
}

double squared_distance(double a, double b, double product) { return std::max(a + b - 2 * product, 0.0); }

}  // namespace

double inequality_bound(const Problem& problem, const Matrix& W, const RunContext& context) {
  const Samples& X = problem.X;
  const SymFactor& gamma = problem.gamma.factor;
  const RowMatrix basis = gamma.basis, weighted = gamma.basis * gamma.weights.asDiagonal(), Z = X.project(W, context);
  const Index n = X.rows(), d = X.cols(), q = W.cols(), r = basis.cols(), panels = tile_count(n, kTile);
  const Vector z_norms = Z.rowwise().squaredNorm();
  std::vector<double> partial(std::size_t(panels), 0.0);

  for_each_tile(panels, context, [&](Index panel) {
    const Range I = tile_range(n, kTile, panel);
    RowMatrix own_buffer, other_buffer;
    const double* own = X.rows_block(I, own_buffer);
    std::vector<double> x(std::size_t(I.size() * std::min(n, kTile))), z(x.size()), g(x.size());
    double sum = 0;
    for (Index other = 0; other <= panel; ++other) {
      context.poll();
      const Range J = tile_range(n, kTile, other);
      const double* others = X.rows_block(J, other_buffer);
      outer_tile(own, others, d, I, J, x);
      outer_tile(Z.data() + I.begin * q, Z.data() + J.begin * q, q, I, J, z);
      outer_tile(weighted.data() + I.begin * r, basis.data() + J.begin * r, r, I, J, g);
      const auto norm = [d](const double* rows, Index i) {
        return Eigen::Map<const Vector>(rows + i * d, d).squaredNorm();
      };
      Vector others_norms(J.size());
      for (Index j = 0; j < J.size(); ++j) others_norms[j] = norm(others, j);
      double part = 0;
      for (Index i = 0; i < I.size(); ++i) {
        const double own_norm = norm(own, i);
        for (Index j = 0; j < J.size(); ++j) {
          const std::size_t at = std::size_t(i * J.size() + j);
          double dot = 0, difference = 0;  // f″ of the terms of each form
          for (const KernelTerm& term : problem.kernel) {
            const bool is_dot = form_of(term.kernel) == PairForm::dot;
            const auto scale_of = [&](Index s) { return term.sample_scale ? (*term.sample_scale)[std::size_t(s)] : 1; };
            const double scale = scale_of(I.begin + i) * scale_of(J.begin + j);
            const double beta = is_dot ? z[at] : squared_distance(z_norms[I.begin + i], z_norms[J.begin + j], z[at]);
            (is_dot ? dot : difference) +=
                term.weight * scale * scale *
                std::visit([&](const auto& kernel) { return kernel.curvature(scale * beta); }, term.kernel);
          }
          const double distance = squared_distance(own_norm, others_norms[j], x[at]);
          part += std::abs(g[at]) *
                  (std::abs(dot) * own_norm * others_norms[j] + std::abs(difference) * distance * distance);
        }
      }
      sum += other == panel ? part : 2 * part;
    }
    partial[std::size_t(panel)] = sum;
  });
  double bound = 0;
  for (const double part : partial) bound += part;
  return 2 * bound;
}

}  // namespace ritz::ism
