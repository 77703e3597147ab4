// SPDX-License-Identifier: MIT
#include "ritz/base/parallel.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

using namespace ritz;

namespace {

RunContext with_threads(int threads) {
  RunContext context;
  context.threads = threads;
  return context;
}

}  // namespace

TEST_CASE("tiles cover everything once, in order") {
  CHECK(rc::check("tile ranges", [] {
    const Index total = *rc::gen::inRange<Index>(0, 100), size = *rc::gen::inRange<Index>(1, 20);
    Index at = 0;
    for (Index t = 0; t < tile_count(total, size); ++t) {
      const Range range = tile_range(total, size, t);
      RC_ASSERT(range.begin == at);
      RC_ASSERT(range.size() >= 1);
      RC_ASSERT(range.size() <= size);
      at = range.end;
    }
    RC_ASSERT(at == total);
  }));
}

TEST_CASE("every task runs once, whatever the number of threads") {
  for (const int threads : {0, 1, 2, 7, 40}) {
    std::vector<std::atomic<int>> runs(23);

    for_each_tile(23, with_threads(threads), [&](Index t) { ++runs[std::size_t(t)]; });

    for (const auto& times : runs) CHECK(times == 1);
  }
  for_each_tile(0, with_threads(2), [](Index) { FAIL("there is no task"); });
}

TEST_CASE("partial sums added in tile order have the same bits for any number of threads") {
  const auto sum = [](int threads) {
    std::vector<double> parts(50);
    for_each_tile(50, with_threads(threads), [&](Index t) {
      for (int i = 1; i <= 1000; ++i) parts[std::size_t(t)] += std::sin(double(t * 1000 + i)) / i;
    });
    double total = 0;
    for (const double part : parts) total += part;
    return total;
  };

  CHECK(sum(1) == sum(2));
  CHECK(sum(1) == sum(7));
}

TEST_CASE("an exception of a task reaches the caller after all threads have stopped") {
  for (const int threads : {1, 2, 7}) {
    std::atomic<int> running = 0;
    std::string message;
    try {
      for_each_tile(30, with_threads(threads), [&](Index t) {
        ++running;
        if (t == 3) {
          --running;
          throw std::runtime_error("task 3");
        }
        --running;
      });
    } catch (const std::runtime_error& error) {
      message = error.what();
    }

    CHECK(message == "task 3");
    CHECK(running == 0);
  }
}

TEST_CASE("of several exceptions the one of the first task is rethrown") {
  for (const int threads : {1, 4}) {
    std::string message;
    try {
      // Every task that starts fails, and task 0 is the first to be handed out.
      for_each_tile(8, with_threads(threads), [](Index t) { throw std::runtime_error(std::to_string(t)); });
    } catch (const std::runtime_error& error) {
      message = error.what();
    }
    if (threads == 1)
      CHECK(message == "0");
    else
      CHECK(message != "");
  }
}

TEST_CASE("a cancelled context stops between tasks") {
  for (const int threads : {1, 3}) {
    std::atomic<bool> cancel = false;
    RunContext context = with_threads(threads);
    context.cancel = &cancel;
    std::atomic<int> runs = 0;

    CHECK_THROWS_AS(for_each_tile(1000, context,
                                  [&](Index) {
                                    ++runs;
                                    cancel = true;
                                  }),
                    Interrupted);

    CHECK(runs >= 1);
    CHECK(runs <= threads);
  }
}

TEST_CASE("a deadline in the past stops before the first task") {
  RunContext context = with_threads(2);
  context.deadline = std::chrono::steady_clock::now() - std::chrono::seconds(1);
  int runs = 0;

  try {
    for_each_tile(5, context, [&](Index) { ++runs; });
    FAIL("not interrupted");
  } catch (const Interrupted& interrupted) {
    CHECK(interrupted.why == Interrupted::Why::time_limit);
  }
  CHECK(runs == 0);
}

TEST_CASE("nested calls run, on the caller's thread") {
  std::vector<std::atomic<int>> runs(12);

  for_each_tile(3, with_threads(3), [&](Index outer) {
    for_each_tile(4, with_threads(3), [&](Index inner) { ++runs[std::size_t(4 * outer + inner)]; });
  });

  for (const auto& times : runs) CHECK(times == 1);
}

TEST_CASE("zero threads means all cores") {
  CHECK(resolved_threads(with_threads(3)) == 3);
  CHECK(resolved_threads(with_threads(0)) >= 1);
}
