// SPDX-License-Identifier: MIT
#include "backends/cpu/tile_parts.hpp"

#include <algorithm>

#include "ritz/linalg/tall_products.hpp"

namespace ritz::tile {

Projected::Projected(const RowMatrix& Z, const KernelSum& kernel) : raw(Z) {
  for (const KernelTerm& term : kernel) (form_of(term.kernel) == PairForm::dot ? dot : difference) = true;
  if (!difference) return;
  centred = Z.rowwise() - Z.colwise().mean();
  norms = centred.rowwise().squaredNorm();
}

void outer_tile(const RowMatrix& A, Range I, const RowMatrix& B, Range J, double* tile) {
  row_gemm(I.size(), J.size(), A.cols(), 1, {A.data() + I.begin * A.cols(), A.cols()}, Transpose::no,
           {B.data() + J.begin * B.cols(), B.cols()}, Transpose::yes, 0, {tile, J.size()});
}

void add_symmetric_product(double alpha, const double* M, Range I, Range J, DataView in, Eigen::Ref<RowMatrix> out) {
  const auto from = [&](Range rows) { return RowBlock{in.data() + rows.begin * in.outerStride(), in.outerStride()}; };
  const auto into = [&](Range rows) {
    return RowBlockOut{out.data() + rows.begin * out.outerStride(), out.outerStride()};
  };
  row_gemm(I.size(), in.cols(), J.size(), alpha, {M, J.size()}, Transpose::no, from(J), Transpose::no, 1, into(I));
  if (I.begin == J.begin) return;
  row_gemm(J.size(), in.cols(), I.size(), alpha, {M, J.size()}, Transpose::yes, from(I), Transpose::no, 1, into(J));
}

Tile::Tile(const Projected& z, const KernelSum& kernel)
    : z_(z),
      kernel_(kernel),
      rows_(functions()),
      dot_products_(z.dot ? tile_entries(z.raw.rows()) : 0),
      difference_products_(z.difference ? tile_entries(z.centred.rows()) : 0),
      beta_(kTile),
      scale_(kTile),
      value_(kTile),
      dot_(kTile),
      difference_(kTile) {}

void Tile::load(Range I, Range J) {
  I_ = I;
  J_ = J;
  if (z_.dot) outer_tile(z_.raw, I, z_.raw, J, dot_products_.data());
  if (z_.difference) outer_tile(z_.centred, I, z_.centred, J, difference_products_.data());
}

void Tile::evaluate(Index i, Want want) {
  const Index m = J_.size();
  if (want != Want::curvature) std::fill_n(value_.data(), m, 0.0);
  if (z_.dot && want != Want::value) std::fill_n(dot_.data(), m, 0.0);
  if (z_.difference && want != Want::value) std::fill_n(difference_.data(), m, 0.0);
  if (z_.difference)
    rows_.squared_distances(difference_products_.data() + i * m, z_.norms[I_.begin + i], z_.norms.data() + J_.begin, m,
                            beta_.data());
  for (const KernelTerm& term : kernel_) {
    const bool dot = form_of(term.kernel) == PairForm::dot;
    const double* beta = dot ? dot_products_.data() + i * m : beta_.data();
    const double* scale = nullptr;
    if (term.sample_scale) {
      const std::vector<double>& all = *term.sample_scale;
      rows_.outer_scale(all[std::size_t(I_.begin + i)], all.data() + J_.begin, m, scale_.data());
      scale = scale_.data();
    }
    const void* object = std::visit([](const auto& k) -> const void* { return &k; }, term.kernel);
    const KernelRow& row = rows_.kernels[term.kernel.index()];
    double* derivative = (dot ? dot_ : difference_).data();
    if (want == Want::value)
      row.value(object, term.weight, beta, scale, m, value_.data(), nullptr);
    else if (want == Want::value_slope)
      row.value_slope(object, term.weight, beta, scale, m, value_.data(), derivative);
    else
      row.curvature(object, term.weight, beta, scale, m, derivative, nullptr);
  }
}

}  // namespace ritz::tile
