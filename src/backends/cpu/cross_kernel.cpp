// SPDX-License-Identifier: MIT
#include "ritz/pairs/cross_kernel.hpp"

#include <fmt/format.h>

#include <vector>

#include "backends/cpu/tile_kernels.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/parallel.hpp"
#include "ritz/linalg/tall_products.hpp"

namespace ritz {

namespace {

constexpr Index kTile = 256;  // rows of either side

// Rows of one side: as they are for dot products, about a common centre for differences, where β from norms and
// products would lose digits far from 0.
struct Rows {
  RowMatrix buffer, centred;
  const double* raw = nullptr;
  Vector norms;

  void load(const Samples& z, Range range, const Eigen::RowVectorXd& centre, bool difference) {
    raw = z.rows_block(range, buffer);
    if (!difference) return;
    centred = Eigen::Map<const RowMatrix>(raw, range.size(), z.cols()).rowwise() - centre;
    norms = centred.rowwise().squaredNorm();
  }
};

double own_scale(const KernelTerm& term, Index i) {
  return term.sample_scale ? (*term.sample_scale)[std::size_t(i)] : 1;
}

// Calls use(I, J, values) with the kernel between rows I of a and rows J of b (row-major, I.size() × J.size()), all J
// of one I in their order on one thread.
template <class Use>
void for_each_cross_tile(const KernelSide& a, const KernelSide& b, const RunContext& context, const Use& use) {
  const Index n = a.z.rows(), m = b.z.rows(), d = b.z.cols();
  if (a.z.cols() != d || a.kernel.size() != b.kernel.size())
    throw Error(ErrorCode::bad_shape,
                fmt::format("kernel between samples with {} and {} columns; there must be as many on both sides",
                            a.z.cols(), d));
  if (!is_resolved(a.kernel, n) || !is_resolved(b.kernel, m))
    throw Error(ErrorCode::bad_option, "the kernel between two sets of samples has a width that is not a number yet");
  bool dot = false, difference = false;
  for (const KernelTerm& term : b.kernel) (form_of(term.kernel) == PairForm::dot ? dot : difference) = true;
  const RowMatrix share = RowMatrix::Constant(m, 1, m > 0 ? 1 / double(m) : 0);
  const Eigen::RowVectorXd centre =
      difference && m > 0 ? Eigen::RowVectorXd(b.z.adjoint(share, context).transpose()) : Eigen::RowVectorXd::Zero(d);

  for_each_tile(tile_count(n, kTile), context, [&](Index panel) {
    const tile::Functions& functions = tile::functions();
    const Range I = tile_range(n, kTile, panel);
    Rows left, right;
    left.load(a.z, I, centre, difference);
    RowMatrix dots, products, values;
    std::vector<double> beta(kTile), scale(kTile);
    for (Index other = 0; other < tile_count(m, kTile); ++other) {
      context.poll();
      const Range J = tile_range(m, kTile, other);
      const Index width = J.size();
      right.load(b.z, J, centre, difference);
      if (dot) {
        dots.resize(I.size(), width);
        row_gemm(I.size(), width, d, 1, {left.raw, d}, Transpose::no, {right.raw, d}, Transpose::yes, 0,
                 {dots.data(), width});
      }
      if (difference) {
        products.resize(I.size(), width);
        row_gemm(I.size(), width, d, 1, {left.centred.data(), d}, Transpose::no, {right.centred.data(), d},
                 Transpose::yes, 0, {products.data(), width});
      }
      values.setZero(I.size(), width);
      for (Index i = 0; i < I.size(); ++i) {
        if (difference)
          functions.squared_distances(products.data() + i * width, left.norms[i], right.norms.data(), width,
                                      beta.data());
        for (std::size_t t = 0; t < b.kernel.size(); ++t) {
          const KernelTerm& term = b.kernel[t];
          const bool scaled = is_per_sample(term.kernel);
          if (scaled)
            functions.outer_scale(own_scale(a.kernel[t], I.begin + i), term.sample_scale->data() + J.begin, width,
                                  scale.data());
          const void* object = std::visit([](const auto& k) -> const void* { return &k; }, term.kernel);
          const double* argument = form_of(term.kernel) == PairForm::dot ? dots.data() + i * width : beta.data();
          functions.kernels[term.kernel.index()].value(object, term.weight, argument, scaled ? scale.data() : nullptr,
                                                       width, values.data() + i * width, nullptr);
        }
      }
      use(I, J, values);
    }
  });
}

}  // namespace

RowMatrix cross_kernel_product(const KernelSide& a, const KernelSide& b, DataView in, const RunContext& context) {
  const Index columns = in.cols();
  if (in.rows() != b.z.rows())
    throw Error(ErrorCode::bad_shape,
                fmt::format("a kernel of {} columns times {} rows; there must be as many", b.z.rows(), in.rows()));
  RowMatrix out = RowMatrix::Zero(a.z.rows(), columns);
  for_each_cross_tile(a, b, context, [&](Range I, Range J, const RowMatrix& values) {
    row_gemm(I.size(), columns, J.size(), 1, {values.data(), J.size()}, Transpose::no,
             {in.data() + J.begin * in.outerStride(), in.outerStride()}, Transpose::no, 1,
             {out.data() + I.begin * columns, columns});
  });
  return out;
}

RowMatrix cross_kernel(const KernelSide& a, const KernelSide& b, const RunContext& context) {
  RowMatrix K(a.z.rows(), b.z.rows());
  for_each_cross_tile(a, b, context, [&](Range I, Range J, const RowMatrix& values) {
    K.block(I.begin, J.begin, I.size(), J.size()) = values;
  });
  return K;
}

}  // namespace ritz
