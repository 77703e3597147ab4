// SPDX-License-Identifier: MIT
// Values of a matrix whose size is not known, or not believed, before they have been read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ritz/base/context.hpp"
#include "ritz/base/types.hpp"

namespace ritz::detail {

// Throws ErrorCode::memory when `bytes` exceed the budget; the message names both and the file.
void require_reading_memory(const RunContext& context, double bytes, const std::string& name);

// About what a text costs in a list of them, which is copied once while it grows.
inline double text_bytes(std::string_view text) {
  return 2.0 * sizeof(std::string) + (text.size() > 15 ? double(text.size()) + 32 : 0.0);
}

// A flat buffer that grows in place: Eigen reallocates a one-column matrix with realloc, which moves pages instead of
// copying them, so the peak stays near the final size, and take() hands the buffer over without a copy.
class GrowingValues {
 public:
  // `expected`: how many the file claims, 0 when it claims nothing; capacity never passes it, but is not taken on
  // faith.
  GrowingValues(const RunContext& context, std::string name, std::uint64_t expected = 0);

  void hold(double bytes);      // texts beside the values: they count, too
  void reserve(Index count);    // for a size that the file has proven
  double* extend(Index count);  // room for `count` more values; valid until the next call
  Index size() const { return size_; }
  RowMatrix take(Index rows, Index cols);  // rows · cols = size()

 private:
  const RunContext& context_;
  std::string name_;
  Index expected_;
  Index size_ = 0;
  double held_ = 0;
  RowMatrix values_;  // capacity × 1
};

}  // namespace ritz::detail
