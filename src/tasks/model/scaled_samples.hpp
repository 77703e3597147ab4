// SPDX-License-Identifier: MIT
#pragma once

#include "ritz/data/preprocess.hpp"
#include "ritz/model/samples.hpp"

namespace ritz {

// The samples as the engines see them: dense data are scaled in place (once: call it once a data set), sparse data on
// the fly. Borrows the data.
inline Samples scaled_samples(Dataset& data, const ColumnScaling& scaling) {
  if (data.sparse()) return {std::get<SparseRows>(data.samples), scaling.mean, scaling.factor};
  apply_scaling(scaling, data.dense());
  return {data.dense()};
}

}  // namespace ritz
