// SPDX-License-Identifier: MIT
#include "data/streams/growing_values.hpp"

#include <algorithm>
#include <utility>

#include "base/memory.hpp"

namespace ritz::detail {

namespace {

constexpr Index kFirstCapacity = 8192;
constexpr Index kMostValues = Index(1) << 48;  // beyond any machine; keeps sizes in bytes far from overflow

}  // namespace

void require_reading_memory(const RunContext& context, double bytes, const std::string& name) {
  require_memory(bytes, context, name + ": reading it");
}

GrowingValues::GrowingValues(const RunContext& context, std::string name, std::uint64_t expected)
    : context_(context), name_(std::move(name)), expected_(Index(std::min<std::uint64_t>(expected, kMostValues))) {}

void GrowingValues::hold(double bytes) {
  held_ += bytes;
  require_reading_memory(context_, held_ + double(size_) * sizeof(double), name_);
}

void GrowingValues::reserve(Index count) {
  require_reading_memory(context_, held_ + double(count) * sizeof(double), name_);
  if (count > values_.rows()) values_.conservativeResize(count, 1);
}

double* GrowingValues::extend(Index count) {
  const Index needed = size_ + count;
  if (needed > values_.rows()) {
    require_reading_memory(context_, held_ + double(needed) * sizeof(double), name_);
    Index capacity = std::max({needed, 2 * values_.rows(), kFirstCapacity});
    if (expected_ > 0) capacity = std::max(needed, std::min(capacity, expected_));
    const double allowed = (double(context_.max_memory) - held_) / sizeof(double);
    if (double(capacity) > allowed) capacity = std::max(needed, Index(allowed));
    values_.conservativeResize(capacity, 1);
  }
  double* out = values_.data() + size_;
  size_ = needed;
  return out;
}

RowMatrix GrowingValues::take(Index rows, Index cols) {
  eigen_assert(rows * cols == size_);
  values_.conservativeResize(size_, 1);
  values_.resize(rows, cols);  // same number of values: Eigen keeps the buffer and its content
  size_ = 0;
  return std::move(values_);
}

}  // namespace ritz::detail
