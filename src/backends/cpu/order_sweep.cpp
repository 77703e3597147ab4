// SPDX-License-Identifier: MIT
#include <algorithm>

#include "backends/cpu/sweeps.hpp"
#include "base/shared_tiles.hpp"
#include "linalg/tall_products.hpp"
#include "ritz/base/parallel.hpp"

namespace ritz::cpu {

namespace {

constexpr Index kOrderRows = 64;

struct OrderTile : OrderFacts {
  void parts(auto&& io) { io(slack), io(violated); }
};

class CpuOrderSweep final : public OrderSweep {
 public:
  explicit CpuOrderSweep(std::vector<std::vector<Index>> neighbours) : neighbours_(std::move(neighbours)) {}

  OrderFacts sweep(const RowMatrix& F, const OrderRequest& request, const RunContext& context) const override {
    const Index n = F.rows(), r = F.cols();
    const Vector squares = F.rowwise().squaredNorm();
    std::vector<OrderTile> parts(std::size_t(tile_count(n, kOrderRows)));
    fill_tiles(parts, context, [&](Index t, OrderTile& facts, const RunContext&) {
      const Range rows = tile_range(n, kOrderRows, t);
      RowMatrix products(rows.size(), n);
      row_gemm(rows.size(), n, r, 1, {F.data() + rows.begin * r, r}, Transpose::no, {F.data(), r}, Transpose::yes, 0,
               {products.data(), n});
      Lists lists;
      for (Index i = rows.begin; i < rows.end; ++i)
        look_at(i, products.data() + (i - rows.begin) * n, squares, request, lists, facts);
    });
    OrderFacts all;
    for (const OrderTile& part : parts) {
      all.slack = std::max(all.slack, part.slack);
      all.violated.insert(all.violated.end(), part.violated.begin(), part.violated.end());
    }
    return all;
  }

 private:
  struct Lists {
    std::vector<std::pair<double, Index>> far, near;  // neighbours, and strangers nearer than the farthest of them
  };
  std::vector<std::vector<Index>> neighbours_;

  void look_at(Index i, const double* products, const Vector& squares, const OrderRequest& request, Lists& lists,
               OrderFacts& facts) const {
    const std::vector<Index>& mine = neighbours_[std::size_t(i)];
    if (mine.empty()) return;
    auto& [far, near] = lists;
    const auto distance = [&](Index j) { return squares(i) + squares(j) - 2 * products[j]; };
    far.clear();
    for (const Index k : mine) far.emplace_back(distance(k), k);
    std::sort(far.rbegin(), far.rend());
    near.clear();
    for (Index j = 0; j < squares.size(); ++j) {
      const double d = distance(j);
      if (d < far[0].first && j != i && !std::binary_search(mine.begin(), mine.end(), j)) near.emplace_back(d, j);
    }
    if (near.empty()) return;
    const auto strangers = std::min(near.size(), std::size_t(request.strangers));
    const auto neighbours = std::min(far.size(), std::size_t(request.neighbours));
    std::partial_sort(near.begin(), near.begin() + std::ptrdiff_t(strangers), near.end());
    facts.slack = std::max(facts.slack, far[0].first - near[0].first);
    for (std::size_t a = 0; a < strangers; ++a)
      for (std::size_t b = 0; b < neighbours; ++b)
        if (near[a].first < far[b].first) facts.violated.push_back({i, near[a].second, far[b].second});
  }
};

}  // namespace

std::unique_ptr<OrderSweep> CpuBackend::order_sweep(std::vector<std::vector<Index>> neighbours) {
  return std::make_unique<CpuOrderSweep>(std::move(neighbours));
}

}  // namespace ritz::cpu
