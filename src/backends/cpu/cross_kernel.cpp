// SPDX-License-Identifier: MIT
#include "backends/cpu/sweeps.hpp"
#include "backends/cpu/tile_parts.hpp"
#include "linalg/tall_products.hpp"

namespace ritz::cpu {

namespace {

using tile::kTile;

// Calls use(I, J, values) with the kernel, or a derivative of it, between rows I of a and rows J of b (row-major,
// I.size() × J.size()), all J of one I in their order on one thread; rows I of `out` are then complete.
template <class Use>
void for_each_cross_tile(const KernelSide& a, const KernelSide& b, KernelPart part, const RunContext& context,
                         RowMatrix& out, const Use& use) {
  const Index n = a.z.rows(), m = b.z.rows();
  const tile::Forms forms = tile::forms_of(b.kernel);
  const RowMatrix share = RowMatrix::Constant(m, 1, m > 0 ? 1 / double(m) : 0);
  const Eigen::RowVectorXd centre = forms.difference && m > 0
                                        ? Eigen::RowVectorXd(b.z.adjoint(share, context).transpose())
                                        : Eigen::RowVectorXd::Zero(b.z.cols());
  const tile::Want want = part == KernelPart::value   ? tile::Want::value
                          : part == KernelPart::slope ? tile::Want::value_slope
                                                      : tile::Want::curvature;
  const auto sweep = [&](Index panel, const RunContext& here) {
    const Range I = tile_range(n, kTile, panel);
    tile::SampleRows left(a.z, forms, centre), right(b.z, forms, centre);
    tile::Tile tile(a.kernel, b.kernel, std::size_t(I.size() * std::min(m, kTile)));
    const tile::TileSide own = left.load(I);
    RowMatrix values;
    for (Index other = 0; other < tile_count(m, kTile); ++other) {
      here.poll();
      const Range J = tile_range(m, kTile, other);
      tile.load(own, right.load(J));
      values.resize(I.size(), J.size());
      for (Index i = 0; i < I.size(); ++i) {
        tile.evaluate(i, want);
        const double* row = want == tile::Want::value ? tile.value()
                            : forms.dot               ? tile.dot_derivative()
                                                      : tile.difference_derivative();
        std::copy_n(row, J.size(), values.data() + i * J.size());
      }
      use(I, J, values);
    }
  };
  for_each_tile_once(tile_count(n, kTile), context, sweep, [&](Range panels) {
    return Blocks{
        block_of(out.data(), panels.begin * kTile * out.cols(), std::min(n, panels.end * kTile) * out.cols())};
  });
}

}  // namespace

RowMatrix CpuBackend::cross_kernel_product(const KernelSide& a, const KernelSide& b, DataView in,
                                           const RunContext& context) {
  const Index columns = in.cols();
  RowMatrix out = RowMatrix::Zero(a.z.rows(), columns);
  for_each_cross_tile(a, b, KernelPart::value, context, out, [&](Range I, Range J, const RowMatrix& values) {
    tile::tile_gemm(I.size(), columns, J.size(), 1.0, {values.data(), J.size()}, Transpose::no,
                    {in.data() + J.begin * in.outerStride(), in.outerStride()}, Transpose::no, true,
                    {out.data() + I.begin * columns, columns});
  });
  return out;
}

RowMatrix CpuBackend::cross_kernel(const KernelSide& a, const KernelSide& b, KernelPart part,
                                   const RunContext& context) {
  RowMatrix K(a.z.rows(), b.z.rows());
  for_each_cross_tile(a, b, part, context, K, [&](Range I, Range J, const RowMatrix& values) {
    K.block(I.begin, J.begin, I.size(), J.size()) = values;
  });
  return K;
}

}  // namespace ritz::cpu
