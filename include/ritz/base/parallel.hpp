// SPDX-License-Identifier: MIT
// Fixed tiles on all cores. What a tile computes never depends on the number of threads, and partial results are
// combined in tile order by the caller: the same bits for 1, 2 or 7 threads.
#pragma once

#include <functional>

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

// Calls task(i, j) for all panels j <= i of `panels`, in rounds: tasks that run at the same time share no panel, so
// that each may add to the rows of both, and the parts of a row are added in the same order for any number of threads.
void for_each_pair(Index panels, const RunContext& context, const std::function<void(Index, Index)>& task);

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
