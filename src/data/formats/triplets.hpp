// SPDX-License-Identifier: MIT
// Entries of a sparse file on their way to a matrix.
#pragma once

#include <vector>

#include "data/streams/line_reader.hpp"
#include "ritz/base/types.hpp"

namespace ritz::detail {

// The next blank-separated token of a line; empty at its end.
std::string_view next_token(std::string_view& line);

// A size far beyond what the entries can mean is a damaged file: it would cost memory for every empty row and for the
// name of every empty column. Throws bad_file.
void require_plausible(Index rows, Index cols, Index entries, const std::string& name);

class Triplets {
 public:
  Triplets(const RunContext& context, std::string name) : context_(context), name_(std::move(name)) {}
  void hold(double bytes);  // labels beside the entries: they count, too
  void add(Index row, Index col, double value);
  Index size() const { return Index(entries_.size()); }
  // Entries at the same place are added. Throws as require_plausible().
  SparseRows take(Index rows, Index cols);

 private:
  const RunContext& context_;
  std::string name_;
  double held_ = 0;
  std::vector<Eigen::Triplet<double>> entries_;
};

}  // namespace ritz::detail
