// SPDX-License-Identifier: MIT
// Who takes the first look at the ratios of all pairs for the CPU's distance sweep.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "backends/ratio_scan.hpp"
#include "ritz/pairs/distance_sweep.hpp"

namespace ritz {

struct Scanned {
  std::vector<ScannedTile> tiles;
  std::vector<ScannedPair> pairs;   // kScanRoom of each tile
  std::vector<unsigned> histogram;  // `bins` of each tile
};

class RatioScanner {
 public:
  virtual ~RatioScanner() = default;
  // False: not this one, the sweep looks itself. `points` makes the distinct points, centred, where they are needed.
  virtual bool scan(const ScanRequest& request, const std::function<RowMatrix()>& points,
                    const std::vector<Index>& copies, Scanned& found, const RunContext& context) = 0;
};

}  // namespace ritz
