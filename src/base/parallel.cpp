// SPDX-License-Identifier: MIT
#include "ritz/base/parallel.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "base/world.hpp"

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

namespace {

thread_local bool inside_task = false;

struct InsideTask {
  const bool before = std::exchange(inside_task, true);
  ~InsideTask() { inside_task = before; }
};

}  // namespace

bool inside_a_tile() { return inside_task; }

World* sharing(const RunContext& context) { return inside_task ? nullptr : context.world; }

void for_each_tile(Index count, const RunContext& context, const std::function<void(Index)>& given) {
  const auto task = [&](Index t) {
    const InsideTask inside;
    given(t);
  };
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

}  // namespace ritz
