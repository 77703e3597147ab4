// SPDX-License-Identifier: MIT
// How much of a card's memory a sweep takes: arithmetic that the module and the forecast share, without a card.
#pragma once

#include <algorithm>

namespace ritz::device {

inline constexpr long kStripRows = 4096;    // by measurement: fewer leave the card idle, more only take memory
inline constexpr long kLeastRows = 32;      // of a strip: those of a tile
inline constexpr double kStripShare = 0.9;  // of the free memory that strips may take
inline constexpr long kInside = 64;         // columns of z up to which their products are formed where they are needed

inline long padded(long columns) { return (columns + 15) / 16 * 16; }

// How many of `rows` rows at a time, `asked` (0: kStripRows) at most, with `bytes` for each, `have` of which are there
// already: as many as fit into the free memory, whole tiles where that is fewer. 0: not even one tile fits.
inline long fitting_rows(long asked, long rows, double bytes, double free, double have) {
  const double room = kStripShare * free + have;
  const long most = std::min(asked > 0 ? asked : kStripRows, rows);
  if (double(most) * bytes <= room) return most;
  const long fewer = long(room / bytes) / kLeastRows * kLeastRows;
  return fewer >= std::min(kLeastRows, rows) ? fewer : 0;
}

// Strips that the sums of Φ hold at a time: for the weights, in place of Γ or of the products where these are
// multiplied out, and one more where both are.
inline int strips_of_sums(long q, bool by_class) { return std::max(int(q > kInside) + int(!by_class), 1); }
// Of a row of pairs of the sums of Φ, with what its partial sums take.
inline double row_bytes_of_sums(long n, double strips) {
  return double(padded(n)) * (8.0 * strips + 16.0 / kLeastRows) + 16.0 * double(n) / 256;
}

struct CardBytes {
  double fixed = 0;                                        // whatever the strips are
  double full = 0;                                         // with strips of kStripRows
  double least = 0;                                        // with strips of kLeastRows
  void strips(long n, double bytes) {                      // of a row
    const double room = bytes / kStripShare * (1 + 1e-9);  // rounding does not cost a row
    full = fixed + double(std::min(n, kStripRows)) * room;
    least = fixed + double(std::min(n, kLeastRows)) * room;
  }
};

// Φ of n samples of d features in q dimensions: the samples, their products, the projected ones, Φ twice and W; Γ's
// factors of r columns where it is not from classes.
inline CardBytes bytes_of_sums(long n, long d, long q, long r, bool by_class) {
  const double N = double(n), D = double(d);
  CardBytes all;
  all.fixed =
      8 * (2 * N * D + N * double(q + 3) + 2 * D * D + D * double(q)) + (by_class ? 12 * N : 16 * N * double(r));
  all.strips(n, row_bytes_of_sums(n, strips_of_sums(q, by_class)));
  return all;
}

// Ratios of n points of d features measured by r rows: points, images, the lists of the tiles of `panel` rows with
// `listed` bytes each.
inline CardBytes bytes_of_ratios(long n, long d, long r, long panel, double listed) {
  const double N = double(n), panels = double((n + panel - 1) / panel);
  CardBytes all;
  all.fixed = 8 * (N * double(d) + N * double(r) + 3 * N) + panels * (panels + 1) / 2 * listed;
  all.strips(n, 16.0 * double(padded(n)));
  return all;
}

}  // namespace ritz::device
