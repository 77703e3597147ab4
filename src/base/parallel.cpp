// SPDX-License-Identifier: MIT
#include "ritz/base/parallel.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

extern "C" {
// Present in OpenBLAS only; weak, so that another BLAS links as well.
void openblas_set_num_threads(int) __attribute__((weak));
int openblas_get_num_threads(void) __attribute__((weak));
}

namespace ritz {

int resolved_threads(const RunContext& context) {
  return context.threads > 0 ? context.threads : std::max(1, int(std::thread::hardware_concurrency()));
}

Index tile_count(Index total, Index size) { return (total + size - 1) / size; }

Range tile_range(Index total, Index size, Index t) { return {t * size, std::min(total, (t + 1) * size)}; }

namespace {

// Several of our calls may run at once in a host program: the first sets one thread, the last restores.
std::mutex blas_mutex;
int blas_holders = 0, blas_threads_before = 0;

}  // namespace

SingleThreadedBlas::SingleThreadedBlas() {
  if (!openblas_set_num_threads || !openblas_get_num_threads) return;
  const std::lock_guard lock(blas_mutex);
  if (blas_holders++ > 0) return;
  blas_threads_before = openblas_get_num_threads();
  if (blas_threads_before != 1) openblas_set_num_threads(1);
}

SingleThreadedBlas::~SingleThreadedBlas() {
  if (!openblas_set_num_threads || !openblas_get_num_threads) return;
  const std::lock_guard lock(blas_mutex);
  if (--blas_holders == 0 && blas_threads_before != 1) openblas_set_num_threads(blas_threads_before);
}

void for_each_tile(Index count, const RunContext& context, const std::function<void(Index)>& task) {
  const SingleThreadedBlas hold;
  const int threads = int(std::min<Index>(count, resolved_threads(context)));
  if (threads <= 1 || omp_in_parallel()) {
    for (Index t = 0; t < count; ++t) {
      context.poll();
      task(t);
    }
    return;
  }

  std::mutex mutex;
  std::exception_ptr failure;
  Index failed_at = count;
  std::atomic<bool> stop = false;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
  for (Index t = 0; t < count; ++t) {
    if (stop.load(std::memory_order_relaxed)) continue;
    try {
      context.poll();
      task(t);
    } catch (...) {
      stop = true;
      const std::lock_guard lock(mutex);
      if (t < failed_at) {
        failed_at = t;
        failure = std::current_exception();
      }
    }
  }
  if (failure) std::rethrow_exception(failure);
}

void for_each_pair(Index panels, const RunContext& context, const std::function<void(Index, Index)>& task) {
  const SingleThreadedBlas hold;  // once, not in every round
  // Round r of a tournament: i meets the j with i + j = r modulo an odd number, itself where 2i = r.
  const Index rounds = panels | 1;
  std::vector<std::pair<Index, Index>> meeting;
  for (Index r = 0; r < rounds; ++r) {
    meeting.clear();
    for (Index i = 0; i < panels; ++i) {
      const Index j = (r - i + rounds) % rounds;
      if (j <= i) meeting.emplace_back(i, j);
    }
    for_each_tile(Index(meeting.size()), context, [&](Index t) {
      const auto [i, j] = meeting[std::size_t(t)];
      task(i, j);
    });
  }
}

}  // namespace ritz
