// SPDX-License-Identifier: MIT
#include "backends/cpu/single_samples.hpp"

namespace ritz::tile {

namespace {
constexpr Index kRowsPerTask = 1024;
}

SingleSamples::SingleSamples(const Samples& X, bool centred, const RunContext& context)
    : X_(X), centred_(centred), mean_(Eigen::RowVectorXd::Zero(X.cols())) {
  if (centred) mean_ = X.adjoint(RowMatrix::Constant(X.rows(), 1, 1 / double(X.rows())), context).transpose();
  if (X.sparse()) return;
  copy_.resize(X.rows(), X.cols());
  for_each_tile(tile_count(X.rows(), kRowsPerTask), context, [&](Index t) {
    const Range rows = tile_range(X.rows(), kRowsPerTask, t);
    convert(rows, copy_.middleRows(rows.begin, rows.size()));
  });
}

const float* SingleSamples::rows_block(Range rows, SingleRows& buffer) const {
  if (!X_.sparse()) return copy_.data() + rows.begin * X_.cols();
  buffer.resize(rows.size(), X_.cols());
  convert(rows, buffer);
  return buffer.data();
}

void SingleSamples::convert(Range rows, Eigen::Ref<SingleRows> out) const {
  RowMatrix buffer;
  const Eigen::Map<const RowMatrix> block(X_.rows_block(rows, buffer), rows.size(), X_.cols());
  out = (block.rowwise() - mean_).cast<float>();
}

}  // namespace ritz::tile
