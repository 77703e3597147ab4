// SPDX-License-Identifier: MIT
// What the sweeps over tiles of pairs share: the β of a tile, the kernel on its rows, and the order of the tiles.
#pragma once

#include <algorithm>
#include <memory>
#include <mutex>
#include <vector>

#include "backends/cpu/tile_kernels.hpp"
#include "linalg/tall_products.hpp"
#include "ritz/base/parallel.hpp"
#include "ritz/model/gamma.hpp"
#include "ritz/model/kernel_sum.hpp"
#include "ritz/model/samples.hpp"

namespace ritz::tile {

inline constexpr Index kTile = TileSample::kRows;  // rows and columns of a tile; set by bench/pair_bench.cpp

// Entries of the largest tile: small problems must not pay for clearing full ones.
inline std::size_t tile_entries(Index n) { return std::size_t(std::min(n, kTile) * std::min(n, kTile)); }

// Panels [first, last), each against itself and all panels before it, dealt out in shares of about equal work: the
// longest goes with the shortest. Shares depend on nothing but n, so that sums over them have the same bits for any
// number of threads and ranks.
struct PanelShares {
  Index first, last, count;
  const TileSample* sample = nullptr;  // null: all tiles
  template <class Use>
  void for_each(Index share, const Use& use) const {  // use(panel)
    const Index pairs = (last - first + 1) / 2;
    for (Index k = pairs * share / count; k < pairs * (share + 1) / count; ++k) {
      use(last - 1 - k);
      if (first + k != last - 1 - k) use(first + k);
    }
  }
  // use(I, J) for the tiles of a share of n samples.
  template <class Use>
  void for_each_tile(Index share, Index n, const RunContext& here, const Use& use) const {
    for_each(share, [&](Index panel) {
      for (Index other = 0; other <= panel; ++other) {
        here.poll();
        if (sample && !sample->has(panel, other)) continue;
        use(tile_range(n, kTile, panel), tile_range(n, kTile, other));
      }
    });
  }
};
PanelShares all_panels(Index n, const TileSample* sample = nullptr);

struct Forms {
  bool dot = false, difference = false;
};
Forms forms_of(const KernelSum& kernel);

// The rows or the columns of a tile: samples as they are for kernels of dot products, about a common centre with their
// squared norms for kernels of differences, whose β from norms and products loses digits far from 0. Borrowed.
struct TileSide {
  Range range;    // of the samples: where their scales stand
  Index columns;  // of a sample
  const double *raw = nullptr, *centred = nullptr, *norms = nullptr;
  // mᵀc + ½mᵀm of every row c about the centre m. Where both sides have it, xᵢᵀxⱼ = cᵢᵀcⱼ + along_i + along_j serves
  // kernels of dot products too, and one product of wide rows does for both forms.
  const double* along = nullptr;
};

// Z = XW (borrowed), ready to be a side.
struct Projected {
  Projected(const RowMatrix& Z, const KernelSum& kernel);
  TileSide side(Range range) const;
  const RowMatrix& raw;
  RowMatrix centred;  // empty where no kernel is of differences
  Vector norms;
  bool dot = false, difference = false;
};

// Samples in all their columns, a block of rows at a time: sparse ones stay sparse.
class SampleRows {
 public:
  SampleRows(const Samples& X, Forms forms, const Eigen::RowVectorXd& centre) : X_(X), forms_(forms), centre_(centre) {}
  TileSide load(Range range);  // valid until the next one

 private:
  const Samples& X_;
  Forms forms_;
  const Eigen::RowVectorXd& centre_;
  RowMatrix buffer_, centred_;
  Vector norms_, along_;
};

// row_gemm by functions(), for blocks of the size of a tile: C = alpha·op(A)·op(B), added to C where `add`. An entry
// has the same bits in whichever block it stands.
void tile_gemm(Index m, Index n, Index k, double alpha, RowBlock A, Transpose a, RowBlock B, Transpose b, bool add,
               RowBlockOut C);
void tile_gemm(Index m, Index n, Index k, float alpha, SingleBlock A, Transpose a, SingleBlock B, Transpose b, bool add,
               SingleBlockOut C);

// tile = A_I · B_Jᵀ for rows I of A and rows J of B.
void outer_tile(const RowMatrix& A, Range I, const RowMatrix& B, Range J, double* tile);

// out_I += alpha·M·in_J and out_J += alpha·Mᵀ·in_I for a tile M of a symmetric matrix; the diagonal tile once.
void add_symmetric_product(double alpha, const double* M, Range I, Range J, DataView in, Eigen::Ref<RowMatrix> out);

enum class Want { value, value_slope, curvature };

// The kernel on a tile of pairs, row by row: the one place where values, slopes and curvatures of kernels are taken.
// Work space of one thread.
class Tile {
 public:
  Tile(const Projected& z, const KernelSum& kernel) : Tile(kernel, kernel, tile_entries(z.raw.rows())) {}
  // Between two sets of samples: the same terms, each with the scales of its side. `entries`: of the largest tile.
  Tile(const KernelSum& of_rows, const KernelSum& of_columns, std::size_t entries);
  void load(const TileSide& rows, const TileSide& columns);
  // Fills value(), or with their slopes dot_derivative() and difference_derivative(), or for `curvature` the second
  // derivatives in those two, for row i of the tile.
  void evaluate(Index i, Want want);
  // For row i of the tile, where the pairs have the weights γ: functions().combine on the kernel and its slopes.
  RowSums weigh(Index i, const double* gamma, double* weights, double* column_degree);
  const double* value() const { return value_.data(); }
  const double* dot_derivative() const { return forms_.dot ? dot_.data() : nullptr; }
  const double* difference_derivative() const { return forms_.difference ? difference_.data() : nullptr; }
  // The values of single terms, without their weights: begin_row, then each.
  void begin_row(Index i);
  void term_values(std::size_t term, double* out);

 private:
  const KernelSum &of_rows_, &of_columns_;
  Forms forms_;
  const Functions& functions_;
  TileSide I_{}, J_{};
  Index row_ = 0;
  std::vector<double> dot_products_, difference_products_, beta_, scale_, value_, dot_, difference_;

  void add(std::size_t term, double weight, KernelRow::Function* KernelRow::*function, double* first, double* second);
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
