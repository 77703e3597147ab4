// SPDX-License-Identifier: MIT
// The samples in single precision, for products of tiles: dense ones copied once, sparse ones block by block.
#pragma once

#include "ritz/model/samples.hpp"

namespace ritz::tile {

using SingleRows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

class SingleSamples {
 public:
  // `centred`: less their mean, which sums over differences do not see and which would cost digits.
  SingleSamples(const Samples& X, bool centred, const RunContext& context);
  bool centred() const { return centred_; }
  // The given rows with stride d, in place or in `buffer`.
  const float* rows_block(Range rows, SingleRows& buffer) const;

 private:
  const Samples& X_;
  bool centred_;
  Eigen::RowVectorXd mean_;  // 0 where not centred
  SingleRows copy_;          // empty for sparse samples

  void convert(Range rows, Eigen::Ref<SingleRows> out) const;
};

}  // namespace ritz::tile
