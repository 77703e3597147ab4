// SPDX-License-Identifier: MIT
// Points whose neighbours should be nearer than all others: which strangers come too near, and how much.
#pragma once

#include <compare>
#include <vector>

#include "ritz/base/context.hpp"
#include "ritz/base/types.hpp"

namespace ritz {

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
