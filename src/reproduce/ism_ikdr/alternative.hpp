// SPDX-License-Identifier: MIT
// Figure 1a: other clusterings of the flower's colours and of the faces, by polynomial kernels.
#pragma once

#include "reproduce/reproduction.hpp"

namespace ritz::reproduce {

struct AlternativeRow {
  std::string set, kernel;
  Index clusters = 0;
  double nmi = kUnknown;      // with the pose; the flower has no truth
  double novelty = kUnknown;  // NMI with the given clustering: 0 is new
  double seconds = 0;
  std::string svg;  // given and found clusters in the new subspace, and the mean image of each found one
};
std::vector<AlternativeRow> alternatives(RunContext& context, const Tell& tell);

}  // namespace ritz::reproduce
