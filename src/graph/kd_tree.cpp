// SPDX-License-Identifier: MIT
// nanoflann says on stderr that memory is short before it throws bad_alloc: a library says nothing.
#include <cstdio>
#define fprintf nothing_said
[[maybe_unused]] static int nothing_said(std::FILE*, const char*) { return 0; }
#include <nanoflann.hpp>
#undef fprintf

#include "ritz/base/parallel.hpp"
#include "ritz/graph/graph.hpp"

namespace ritz {

namespace {

constexpr Index kTreeQueries = 256;
constexpr std::size_t kLeafRows = 16;

struct Rows {
  DataView points;
  std::size_t kdtree_get_point_count() const { return std::size_t(points.rows()); }
  double kdtree_get_pt(std::uint32_t row, std::size_t feature) const { return points(Index(row), Index(feature)); }
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};

// L2_Simple adds the squared differences from the first feature to the last, as we do.
using Tree =
    nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, Rows, double, std::uint32_t>, Rows>;

// The tree skips points that are not strictly nearer than worstDist(), and boxes that it believes, up to rounding, to
// be farther. A bound that is larger by more than that rounding keeps equally near rows with a smaller index in.
class Results {
 public:
  Results(NearestRows& nearest, Index left_out) : nearest_(nearest), left_out_(left_out) {}
  double worstDist() const {
    constexpr double kRounding = 1e-12;  // far above depth · ε
    return nearest_.bound() * (1 + kRounding) + std::numeric_limits<double>::min();
  }
  bool full() const { return nearest_.full(); }
  bool addPoint(double squared, std::uint32_t row) {
    if (Index(row) != left_out_) nearest_.offer({squared, Index(row)});
    return true;
  }

 private:
  NearestRows& nearest_;
  Index left_out_;
};

}  // namespace

NeighbourTable tree_neighbours(DataView queries, DataView points, Index k, OwnRow own, const RunContext& context) {
  NeighbourTable table(queries.rows(), k);
  const Rows rows{points};
  Tree tree(int(points.cols()), rows, nanoflann::KDTreeSingleIndexAdaptorParams(kLeafRows));
  tree.buildIndex();
  const auto look = [&](Index tile, const RunContext&) {
    const Range range = tile_range(queries.rows(), kTreeQueries, tile);
    NearestRows nearest(k);
    for (Index i = range.begin; i < range.end; ++i) {
      Results results(nearest, own == OwnRow::is_left_out ? i : -1);
      tree.findNeighbors(results, queries.data() + i * queries.outerStride(), nanoflann::SearchParams());
      nearest.write(i, table);
    }
  };
  for_each_tile_once(tile_count(queries.rows(), kTreeQueries), context, look,
                     [&](Range tiles) { return table.blocks(tiles, kTreeQueries); });
  return table;
}

}  // namespace ritz
