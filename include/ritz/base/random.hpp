// SPDX-License-Identifier: MIT
// Counter-based random numbers (Philox 4×32-10, Salmon et al. 2011) in named streams.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "ritz/base/types.hpp"

namespace ritz {

// The block cipher itself: four words from a counter and a key. Pure, so that a tile can jump to its own place.
std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

// Streams are independent: Rng(seed, "kmeans") does not move when "secants" draws more.
class Rng {
 public:
  // `place` is a jump inside the stream: tiles number themselves and stay independent of the number of threads.
  Rng(std::uint64_t seed, std::string_view stream, std::uint64_t place = 0);
  std::uint64_t bits();
  double uniform();                         // [0, 1)
  double uniform(double low, double high);  // [low, high)
  double normal();                          // mean 0, variance 1
  Index below(Index count);                 // 0 … count − 1, each equally likely
  Matrix normal_matrix(Index rows, Index cols);
  std::vector<Index> permutation(Index count);
  std::vector<Index> sample(Index count, Index size);  // `size` of 0 … count − 1 without replacement, increasing

 private:
  std::array<std::uint32_t, 4> counter_;
  std::array<std::uint32_t, 2> key_;
  std::array<std::uint32_t, 4> block_{};
  int left_ = 0;
  double spare_ = 0;
  bool has_spare_ = false;
};

}  // namespace ritz
