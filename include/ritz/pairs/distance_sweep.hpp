// SPDX-License-Identifier: MIT
// How far a linear map Ψ (r × d) changes the squared distances of n points: ratios over all pairs, or over listed ones.
#pragma once

#include <compare>
#include <limits>
#include <vector>

#include "ritz/base/context.hpp"
#include "ritz/base/types.hpp"

namespace ritz {

struct WeightedPair {
  Index a, b;
  double weight = 1;  // > 0: the pair is kept within distortion / weight
};
struct MeasuredPair {
  Index a, b;
  double ratio;  // ‖Ψx_a − Ψx_b‖² / ‖x_a − x_b‖²
  double weight = 1;
  double distortion() const { return weight * (ratio > 1 ? ratio - 1 : 1 - ratio); }
};

struct DistanceRequest {
  double band = std::numeric_limits<double>::infinity();  // pairs with distortion > band are counted, and listed
  Index listed = 0;     // how many of the worst pairs beyond the band are listed, at most; one is always
  Index per_point = 0;  // of them with one and the same point, at most; 0: any number
  Index bins = 0;       // of the histogram of ratios
  double lowest_bin = 0, highest_bin = 2;  // its range; what lies outside counts in the first or last bin
};
struct DistanceFacts {
  Index pairs = 0;                  // measured, those of coincident points left out
  Index coincident = 0;             // pairs without a secant
  double distortion = 0;            // max weight·|ratio − 1|, measured in double precision from differences
  double lowest = 1, highest = 1;   // ratios
  Index beyond = 0;                 // pairs with distortion > band
  std::vector<MeasuredPair> worst;  // the worst first; the very worst also where it is within the band
  std::vector<Index> histogram;
};

// Made once for the points, run for one Ψ after the other. Whatever a backend does in lower precision, `distortion`,
// `lowest`, `highest` and `beyond` are those of a loop over all pairs in double precision: every pair that may lie
// beyond the band, or may be an extreme one, is measured again from the differences. Points and maps of any finite size
// are measured; a map with an entry that is not finite has the distortion ∞. The same bits for any number of threads.
class DistanceSweep {
 public:
  virtual ~DistanceSweep() = default;
  virtual Index pairs() const = 0;       // with a secant
  virtual Index coincident() const = 0;  // without
  virtual DistanceFacts sweep(const Matrix& psi, const DistanceRequest& request, const RunContext& context) const = 0;
};

struct OrderTriple {
  Index i, stranger, neighbour;  // the stranger is nearer to i than its neighbour
  auto operator<=>(const OrderTriple&) const = default;
};
// Of each point as many of the nearest strangers and of the farthest neighbours are listed, at most.
struct OrderRequest {
  Index strangers, neighbours;
};
struct OrderFacts {
  double slack = 0;                   // max of ‖f_i − f_neighbour‖² − ‖f_i − f_stranger‖², at least 0
  std::vector<OrderTriple> violated;  // by i; of each i the nearest strangers first
};

// Made once for the neighbours of n points, run for one set of places F (n × r) after the other: n² distances are
// looked at, none is kept. The same bits for any number of threads.
class OrderSweep {
 public:
  virtual ~OrderSweep() = default;
  virtual OrderFacts sweep(const RowMatrix& F, const OrderRequest& request, const RunContext& context) const = 0;
};

}  // namespace ritz
