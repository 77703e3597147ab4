// SPDX-License-Identifier: MIT
// What a backend answers that does not offer a sweep.
#include "ritz/pairs/backend.hpp"

#include <fmt/format.h>

#include "ritz/base/error.hpp"

namespace ritz {

namespace {
constexpr std::string_view kPass = "the kernel sums over pairs", kDistances = "the distances of pairs",
                           kOrder = "the order of distances", kCross = "kernels between two sets of samples",
                           kAlignment = "the alignment of kernels", kQuantile = "the quantiles of distances",
                           kNeighbours = "nearest neighbours";
}

void Backend::lacks(std::string_view sweep) const {
  throw Error(ErrorCode::unsupported,
              fmt::format("backend \"{}\" has no sweep for {}; the backend \"cpu\" has", name(), sweep));
}

std::unique_ptr<PairPass> Backend::pair_pass(const Samples&, Gamma) { lacks(kPass); }
double Backend::pair_pass_bytes(const PairSizes&, const KernelSum&, const PairAccuracy&, int) const { lacks(kPass); }
std::unique_ptr<DistanceSweep> Backend::distance_sweep(DataView, std::vector<WeightedPair>, const RunContext&) {
  lacks(kDistances);
}
std::unique_ptr<OrderSweep> Backend::order_sweep(std::vector<std::vector<Index>>) { lacks(kOrder); }
RowMatrix Backend::cross_kernel_product(const KernelSide&, const KernelSide&, DataView, const RunContext&) {
  lacks(kCross);
}
RowMatrix Backend::cross_kernel(const KernelSide&, const KernelSide&, KernelPart, const RunContext&) { lacks(kCross); }
AlignmentSums Backend::alignment_sums(const KernelSum&, const Samples&, const Gamma&, const RunContext&) {
  lacks(kAlignment);
}
double Backend::alignment_bytes(const KernelSum&, Index, Index, int) const { lacks(kAlignment); }
DistanceQuantile Backend::distance_quantile(const Samples&, std::span<const Index>, double, const RunContext&) {
  lacks(kQuantile);
}
double Backend::distance_quantile_bytes(Index, Index, int) const { lacks(kQuantile); }
NeighbourTable Backend::neighbours(DataView, DataView, Index, OwnRow, const RunContext&) { lacks(kNeighbours); }
NeighbourTable Backend::neighbours(const SparseRows&, const SparseRows&, Index, OwnRow, const RunContext&) {
  lacks(kNeighbours);
}

}  // namespace ritz
