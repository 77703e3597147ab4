// SPDX-License-Identifier: MIT
#include "base/world.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <atomic>
#include <cmath>
#include <stdexcept>

#include "base/shared_tiles.hpp"
#include "ritz/base/iterate.hpp"
#include "support/thread_world.hpp"

using namespace ritz;
using ritz::testing::on_ranks;

namespace {

constexpr Index kLength = 3;

void terms(Index share, double* out) {
  for (Index k = 0; k < kLength; ++k)
    for (int i = 1; i <= 50; ++i) out[k] += std::sin(double(share * 50 + i + k)) / i;
}

// ((0 + 1) + (2 + 3)) + …
std::vector<double> tree(Index first, Index size, Index shares) {
  if (size == 1) {
    std::vector<double> leaf(kLength, 0.0);
    terms(first, leaf.data());
    return leaf;
  }
  std::vector<double> sum = tree(first, size / 2, shares);
  if (first + size / 2 >= shares) return sum;
  const std::vector<double> right = tree(first + size / 2, size / 2, shares);
  for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += right[k];
  return sum;
}

std::vector<double> summed(Index shares, const RunContext& context) {
  std::vector<double> total(kLength, -1.0);
  ordered_sum(
      shares, kLength, [](Index share, double* out, const RunContext&) { terms(share, out); }, total.data(), context);
  return total;
}

struct Tile {
  std::vector<Index> list;
  double number = 0;
  void parts(auto&& io) { io(list), io(number); }
};

RunContext with_threads(int threads) {
  RunContext context;
  context.threads = threads;
  return context;
}

}  // namespace

TEST_CASE("an ordered sum is that of a binary tree, for any number of threads and ranks") {
  CHECK(rc::check("shares, threads and ranks", [] {
    const Index shares = *rc::gen::inRange<Index>(1, 40);
    const RunContext context = with_threads(*rc::gen::inRange(1, 4));
    Index size = 1;
    while (size < shares) size *= 2;
    const std::vector<double> expected = tree(0, size, shares);

    RC_ASSERT(summed(shares, context) == expected);
    std::atomic<int> same = 0;
    const int ranks = *rc::gen::inRange(1, 9);
    on_ranks(ranks, context, [&](const RunContext& own, int) { same += summed(shares, own) == expected; });
    RC_ASSERT(same == ranks);
  }));
}

TEST_CASE("every rank has every tile, whoever found it") {
  for (const int ranks : {1, 2, 3, 5, 9})
    for (const Index count : {0, 1, 2, 7}) {
      std::atomic<int> right = 0, runs = 0;
      on_ranks(ranks, with_threads(2), [&](const RunContext& context, int) {
        std::vector<double> flat(std::size_t(2 * count), 0.0);
        std::vector<Tile> tiles(static_cast<std::size_t>(count));

        for_each_tile_once(
            count, context,
            [&](Index t, const RunContext&) {
              ++runs;
              flat[std::size_t(2 * t)] = flat[std::size_t(2 * t + 1)] = double(t + 1);
            },
            [&](Range range) { return Blocks{block_of(flat.data(), 2 * range.begin, 2 * range.end)}; });
        fill_tiles(tiles, context, [](Index t, Tile& tile, const RunContext&) {
          tile.list.assign(std::size_t(t), t);
          tile.number = double(t) / 3;
        });

        bool all = true;
        for (Index t = 0; t < count; ++t) {
          const Tile& tile = tiles[std::size_t(t)];
          all = all && flat[std::size_t(2 * t + 1)] == double(t + 1) && tile.number == double(t) / 3 &&
                tile.list == std::vector<Index>(std::size_t(t), t);
        }
        right += all;
      });
      CHECK(right == ranks);
      CHECK(runs == (count == 1 ? ranks : count));  // a single tile is cheaper found than told
    }
}

TEST_CASE("a sweep within a tile of another one is each rank's own") {
  std::atomic<int> right = 0;
  on_ranks(3, with_threads(2), [&](const RunContext& context, int) {
    const std::vector<double> expected = summed(9, context.alone());
    std::vector<char> same(4, 0);
    for_each_tile(4, context, [&](Index t) { same[std::size_t(t)] = summed(9, context) == expected; });
    right += same == std::vector<char>(4, 1);
  });
  CHECK(right == 3);
}

TEST_CASE("what interrupts one rank interrupts all, at the same place") {
  std::atomic<int> late = 0, cancelled = 0;
  on_ranks(3, with_threads(1), [&](const RunContext& given, int rank) {
    std::atomic<bool> cancel = rank == 1;
    RunContext context = given;
    context.poll();  // alone it decides nothing
    if (rank == 2) context.deadline = std::chrono::steady_clock::time_point::min();
    CHECK_NOTHROW(context.poll());
    try {
      summed(9, context);
    } catch (const Interrupted& interrupted) {
      late += interrupted.why == Interrupted::Why::time_limit;
    }
    context.cancel = &cancel;
    try {
      context.agree();
    } catch (const Interrupted& interrupted) {
      cancelled += interrupted.why == Interrupted::Why::cancelled;
    }
  });
  CHECK(late == 3);
  CHECK(cancelled == 3);
}

TEST_CASE("a loop ends after the same number of steps at all ranks") {
  std::atomic<int> steps = 0, limits = 0;
  on_ranks(2, with_threads(1), [&](const RunContext& given, int rank) {
    RunContext context = given;
    const auto step = [&](int k) {
      if (rank == 1 && k == 3) context.deadline = std::chrono::steady_clock::time_point::min();
      return StepReport{.objective = 1, .measure = 1};
    };
    const Summary summary = iterate(step, {.max_iterations = 10}, {}, context);
    steps += summary.iterations;
    limits += summary.termination == Termination::time_limit;
  });
  CHECK(steps == 6);
  CHECK(limits == 2);
}

TEST_CASE("a rank that fails leaves no other waiting, and ranks at different places are told apart") {
  CHECK_THROWS_AS(on_ranks(3, with_threads(1),
                           [](const RunContext& context, int rank) {
                             if (rank == 2) throw std::runtime_error("no file");
                             summed(12, context);
                           }),
                  std::runtime_error);
  CHECK_THROWS_AS(on_ranks(2, with_threads(1),
                           [](const RunContext& context, int rank) {
                             if (rank == 0) ++context.world->agreements;
                             context.agree();
                           }),
                  std::logic_error);
}
