// SPDX-License-Identifier: MIT
// A first look at the ratios of all pairs, elsewhere: which pairs have to be measured from their differences. Tiles are
// squares of kScanPanel points of a triangle: (0, 0), (0, 1), …, (1, 1), …
#pragma once

namespace ritz {

inline constexpr long kScanPanel = 512;
inline constexpr long kScanRoom = 320;  // pairs that a tile lists, at most

struct ScanRequest {
  const double* psi;  // r × d, row-major: applied to the centred points
  long r;
  double band;
  double factor;  // largest ratio for which errors are counted: at least 1 and 1 + band
  double slack;  // error of p = ‖x_a − x_b‖² and of q/factor, q = ‖Ψ(x_a − x_b)‖², relative to ‖x_a‖² + ‖x_b‖²
  long kept;  // of each tail at least so many of the worst are listed
  long bins;
  double lowest_bin, per_ratio;
};

enum ScanKind : unsigned char { scan_untold = 1, scan_doubtful = 2, scan_above = 4, scan_below = 8 };
struct ScannedPair {
  unsigned short i, j;  // in the tile
  unsigned char kind;   // several of the above
  float error;          // of the ratio
  double ratio;
};
struct ScannedTile {
  long long beyond;  // pairs surely beyond the band, copies of points counted
  long long count;   // of listed pairs; more than kScanRoom: they are not all there
};

}  // namespace ritz
