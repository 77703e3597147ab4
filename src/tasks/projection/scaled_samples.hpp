// SPDX-License-Identifier: MIT
// The samples as the engines see them, and what keeps them alive.
#pragma once

#include <memory>
#include <vector>

#include "ritz/data/preprocess.hpp"
#include "ritz/model/samples.hpp"

namespace ritz::projection {

// Dense samples are a scaled copy; sparse ones are scaled on the fly, and as wide as the scaling: features that do not
// occur are zeros. Where nothing has to be changed the data are borrowed. What is given for good is scaled in place.
class ScaledSamples {
 public:
  ScaledSamples(const Dataset& data, const ColumnScaling& scaling);
  ScaledSamples(Dataset&& data, const ColumnScaling& scaling);

  const Samples& samples() const { return samples_; }
  double bytes() const;
  // Some of the rows, a row as often as it is named.
  ScaledSamples rows(const std::vector<Index>& which) const;

 private:
  struct Parts {
    std::unique_ptr<Dataset> own;  // none: borrowed
    const Dataset* data;           // scaled where dense
  };
  ScaledSamples(Parts parts, const ColumnScaling& scaling);
  static Parts scaled(const Dataset& data, const ColumnScaling& scaling);
  static Parts scaled(std::unique_ptr<Dataset> own, const ColumnScaling& scaling);

  Parts parts_;
  ColumnScaling scaling_;
  Samples samples_;
};

}  // namespace ritz::projection
