// SPDX-License-Identifier: MIT
// What the sweeps over tiles of pairs share: the β of a tile, the kernel on its rows, and the order of the tiles.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "backends/cpu/tile_kernels.hpp"
#include "ritz/base/parallel.hpp"
#include "ritz/model/kernel_list.hpp"

namespace ritz::tile {

inline constexpr Index kTile = 256;  // rows and columns of a tile; set by bench/pair_bench.cpp

// Entries of the largest tile: small problems must not pay for clearing full ones.
inline std::size_t tile_entries(Index n) { return std::size_t(std::min(n, kTile) * std::min(n, kTile)); }

// Z = XW (borrowed), and centred for kernels of differences: β from norms and products loses digits when Z lies far
// from 0.
struct Projected {
  Projected(const RowMatrix& Z, const KernelSum& kernel);
  const RowMatrix& raw;
  RowMatrix centred;  // empty where no kernel is of differences
  Vector norms;
  bool dot = false, difference = false;
};

// tile = A_I · B_Jᵀ for rows I of A and rows J of B.
void outer_tile(const RowMatrix& A, Range I, const RowMatrix& B, Range J, double* tile);

// out_I += alpha·M·in_J and out_J += alpha·Mᵀ·in_I for a tile M of a symmetric matrix; the diagonal tile once.
void add_symmetric_product(double alpha, const double* M, Range I, Range J, DataView in, Eigen::Ref<RowMatrix> out);

enum class Want { value, value_slope, curvature };

// Work space of one thread's tile, and the evaluation of its rows.
class Tile {
 public:
  Tile(const Projected& z, const KernelSum& kernel);
  void load(Range I, Range J);
  // Fills value(), or with their slopes dot_derivative() and difference_derivative(), or for `curvature` the second
  // derivatives in those two, for row i of the tile.
  void evaluate(Index i, Want want);
  const double* value() const { return value_.data(); }
  const double* dot_derivative() const { return z_.dot ? dot_.data() : nullptr; }
  const double* difference_derivative() const { return z_.difference ? difference_.data() : nullptr; }

 private:
  const Projected& z_;
  const KernelSum& kernel_;
  const Functions& rows_;
  Range I_{0, 0}, J_{0, 0};
  std::vector<double> dot_products_, difference_products_, beta_, scale_, value_, dot_, difference_;
};

// Work spaces lent to tasks: as many as run at once, however many tasks there are.
template <class Space>
class SpacePool {
 public:
  template <class Make, class Use>
  void with(const Make& make, const Use& use) {
    std::unique_ptr<Space> space = take();
    if (!space) space = make();
    use(*space);
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(space));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Space>> free_;

  std::unique_ptr<Space> take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return nullptr;
    std::unique_ptr<Space> space = std::move(free_.back());
    free_.pop_back();
    return space;
  }
};

}  // namespace ritz::tile
