// SPDX-License-Identifier: MIT
#include "ritz/base/random.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace ritz {

std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> c, std::array<std::uint32_t, 2> key) {
  constexpr std::uint64_t kMultiplyA = 0xD2511F53, kMultiplyB = 0xCD9E8D57;
  constexpr std::uint32_t kWeylA = 0x9E3779B9, kWeylB = 0xBB67AE85;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = kMultiplyA * c[0], b = kMultiplyB * c[2];
    c = {std::uint32_t(b >> 32) ^ c[1] ^ key[0], std::uint32_t(b), std::uint32_t(a >> 32) ^ c[3] ^ key[1],
         std::uint32_t(a)};
    key[0] += kWeylA;
    key[1] += kWeylB;
  }
  return c;
}

namespace {

std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : text) hash = (hash ^ std::uint8_t(c)) * 0x100000001b3ULL;
  return hash;
}

}  // namespace

Rng::Rng(std::uint64_t seed, std::string_view stream, std::uint64_t place) {
  const std::uint64_t name = fnv1a(stream);
  // Seed is the key; the stream's name and the place fill the upper counter words, the draws count in the lowest.
  key_ = {std::uint32_t(seed), std::uint32_t(seed >> 32)};
  counter_ = {0, std::uint32_t(place) ^ std::uint32_t(place >> 32), std::uint32_t(name), std::uint32_t(name >> 32)};
}

std::uint64_t Rng::bits() {
  if (left_ == 0) {
    block_ = philox4x32(counter_, key_);
    // 2^32 blocks before the lowest word wraps; carry into the place word rather than repeat.
    if (++counter_[0] == 0) ++counter_[1];
    left_ = 2;
  }
  --left_;
  return std::uint64_t(block_[std::size_t(2 * left_)]) << 32 | block_[std::size_t(2 * left_ + 1)];
}

double Rng::uniform() { return double(bits() >> 11) * 0x1.0p-53; }

double Rng::uniform(double low, double high) { return low + (high - low) * uniform(); }

double Rng::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  const double radius = std::sqrt(-2 * std::log(1 - uniform()));
  const double angle = 2 * std::numbers::pi * uniform();
  spare_ = radius * std::sin(angle);
  has_spare_ = true;
  return radius * std::cos(angle);
}

Index Rng::below(Index count) {
  // Lemire's method: the top 64 bits of a 128-bit product, with rejection of the uneven rest.
  __extension__ using Wide = unsigned __int128;
  const auto range = std::uint64_t(count);
  const std::uint64_t uneven = -range % range;
  for (;;) {
    const Wide product = Wide(bits()) * range;
    if (std::uint64_t(product) >= uneven) return Index(product >> 64);
  }
}

Matrix Rng::normal_matrix(Index rows, Index cols) {
  Matrix m(rows, cols);
  for (Index j = 0; j < cols; ++j)
    for (Index i = 0; i < rows; ++i) m(i, j) = normal();
  return m;
}

std::vector<Index> Rng::permutation(Index count) {
  std::vector<Index> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), Index(0));
  for (Index i = count - 1; i > 0; --i) std::swap(order[std::size_t(i)], order[std::size_t(below(i + 1))]);
  return order;
}

std::vector<Index> Rng::sample(Index count, Index size) {
  std::vector<Index> order = permutation(count);
  order.resize(std::size_t(std::min(size, count)));
  std::ranges::sort(order);
  return order;
}

}  // namespace ritz
