// SPDX-License-Identifier: MIT
// Fixed tiles on all cores. What a tile computes never depends on the number of threads, and partial results are
// combined in tile order by the caller: the same bits for 1, 2 or 7 threads.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "ritz/base/context.hpp"
#include "ritz/base/types.hpp"

namespace ritz {

struct Range {
  Index begin, end;
  Index size() const { return end - begin; }
};

// How many tiles of `size` cover `total`, and the part of the t-th one.
Index tile_count(Index total, Index size);
Range tile_range(Index total, Index size, Index t);

// Runs task(t) for t = 0 … count − 1, each once, on context.threads threads, and polls the context between tasks. The
// first exception (by task number among those that ran) is rethrown after all threads have stopped. Nested calls run
// on the caller's thread. BLAS is held to one thread meanwhile.
void for_each_tile(Index count, const RunContext& context, const std::function<void(Index)>& task);

// --- what threads and ranks share -----------------------------------------------------------------------------------
//
// Under mpirun every rank runs the whole program on the whole data; only sweeps over pairs are divided. `here` is the
// context for a rank's own part, in which poll() works. An interruption of one rank's part is one of all ranks.

// total[k] = Σ_s out_s[k] for s < shares, where leaf(s, out, here) adds to `out`, `length` numbers that come as 0. They
// are added as the leaves of a binary tree, ((0 + 1) + (2 + 3)) + …, and a rank has consecutive ones: the same bits for
// any number of threads and ranks. At most about log₂(shares) + threads of the `out` are held at a time.
using Share = std::function<void(Index share, double* out, const RunContext& here)>;
void ordered_sum(Index shares, Index length, const Share& leaf, double* total, const RunContext& context);
Range own_shares(Index shares, const RunContext& context);  // that leaf is called with here; a single one at every rank

// Runs task(t, here) for t = 0 … count − 1, each on one rank; then every rank has what they wrote: place(tiles) is the
// memory that consecutive tiles fill, a block an array.
using TileTask = std::function<void(Index tile, const RunContext& here)>;
using Blocks = std::vector<std::span<std::byte>>;
using TilePlace = std::function<Blocks(Range tiles)>;
template <class T>
std::span<std::byte> block_of(T* array, Index begin, Index end) {
  return std::as_writable_bytes(std::span(array + begin, array + end));
}
void for_each_tile_once(Index count, const RunContext& context, const TileTask& task, const TilePlace& place);

// For results of unforeseen size: what each rank has, by rank.
std::vector<std::string> gathered(const std::string& mine, const RunContext& context);

// Holds BLAS to one thread while it lives: its own threading would make sums depend on the number of cores, and inside
// tiles it would oversubscribe them. The last of several holders restores the former number. Does nothing for a BLAS
// without such a switch.
class SingleThreadedBlas {
 public:
  SingleThreadedBlas();
  ~SingleThreadedBlas();
  SingleThreadedBlas(const SingleThreadedBlas&) = delete;
  SingleThreadedBlas& operator=(const SingleThreadedBlas&) = delete;
};

}  // namespace ritz
