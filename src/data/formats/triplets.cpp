// SPDX-License-Identifier: MIT
#include "data/formats/triplets.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "data/formats/table.hpp"
#include "data/streams/growing_values.hpp"

namespace ritz::detail {

namespace {

constexpr Index kAlwaysFine = Index(1) << 20;
constexpr Index kPerEntry = 1024;
constexpr Index kMost = Index(1) << 30;  // indices are 32 bits inside

}  // namespace

std::string_view next_token(std::string_view& line) {
  constexpr std::string_view kBetween = " \t\r";
  line.remove_prefix(std::min(line.find_first_not_of(kBetween), line.size()));
  const std::string_view token = line.substr(0, line.find_first_of(kBetween));
  line.remove_prefix(token.size());
  return token;
}

void Triplets::hold(double bytes) {
  held_ += bytes;
  require_reading_memory(context_, held_ + double(entries_.size()) * sizeof(entries_[0]), name_);
}

void Triplets::add(Index row, Index col, double value) {
  if (entries_.size() == entries_.capacity()) {
    const std::size_t capacity = std::max<std::size_t>(1024, entries_.size() + entries_.size() / 2);
    require_reading_memory(context_, held_ + double(capacity) * sizeof(entries_[0]), name_);
    entries_.reserve(capacity);
  }
  entries_.emplace_back(int(row), int(col), value);
}

void require_plausible(Index rows, Index cols, Index entries, const std::string& name) {
  const Index limit = std::min(kMost, std::max(kAlwaysFine, kPerEntry * entries));
  if (rows > limit || cols > limit)
    throw Error(ErrorCode::bad_file, fmt::format("{}: {} x {} with only {}; the sizes look damaged", name, rows, cols,
                                                 counted(entries, "entry", "entries")));
}

SparseRows Triplets::take(Index rows, Index cols) {
  require_plausible(rows, cols, size(), name_);
  // The triplets, the matrix, its transpose while it is sorted, and the name of every column.
  const double names = double(cols) * sizeof(std::string);
  require_reading_memory(
      context_, held_ + double(size()) * (sizeof(entries_[0]) + 2 * 12.0) + 4.0 * double(rows + cols) + names, name_);
  SparseRows out(rows, cols);
  out.setFromTriplets(entries_.begin(), entries_.end());
  entries_ = {};
  return out;
}

}  // namespace ritz::detail
