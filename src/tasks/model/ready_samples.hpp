// SPDX-License-Identifier: MIT
#pragma once

#include "ritz/data/preprocess.hpp"
#include "ritz/model/samples.hpp"

namespace ritz {

// Data that are scaled already where dense, and are scaled on the fly where sparse: as reduce() leaves them. Borrowed.
inline Samples ready_samples(const Dataset& data, const ColumnScaling& scaling) {
  if (data.sparse()) return {std::get<SparseRows>(data.samples), scaling.mean, scaling.factor};
  return {data.dense()};
}

}  // namespace ritz
