// SPDX-License-Identifier: MIT
#include "base/world.hpp"

#include <algorithm>
#include <stdexcept>

#include "ritz/base/parallel.hpp"

namespace ritz {

namespace {

constexpr int kCalm = 0, kLate = 1, kCancelled = 2;  // the graver the larger

int interruption_of(const Interrupted& interrupted) {
  return interrupted.why == Interrupted::Why::cancelled ? kCancelled : kLate;
}

void throw_interruption(int agreed) {
  if (agreed == kCancelled) throw Interrupted{Interrupted::Why::cancelled};
  if (agreed == kLate) throw Interrupted{Interrupted::Why::time_limit};
}

}  // namespace

// A binomial tree: rank r has heard of all ranks up to r + step when it tells r − step.
int largest_of_all(World& world, int mine) {
  struct Message {
    std::int64_t place;
    int value;
  } message{++world.agreements, mine};
  const int rank = world.rank(), size = world.size();
  for (int step = 1; step < size; step *= 2) {
    if (rank & step) {
      world.send(rank - step, &message, sizeof message);
      break;
    }
    if (rank + step >= size) continue;
    Message other{};
    world.receive(rank + step, &other, sizeof other);
    if (other.place != message.place) throw std::logic_error("the ranks are out of step");
    message.value = std::max(message.value, other.value);
  }
  broadcast(world, 0, &message, sizeof message);
  return message.value;
}

void broadcast(World& world, int root, void* data, std::size_t bytes) {
  const int size = world.size(), place = (world.rank() - root + size) % size;
  const auto rank_at = [&](int p) { return (p + root) % size; };
  int step = 1;
  while (step < size && !(place & step)) step *= 2;  // the lowest bit of the place names the sender
  if (place != 0) world.receive(rank_at(place - step), data, bytes);
  for (step /= 2; step > 0; step /= 2)
    if (place + step < size) world.send(rank_at(place + step), data, bytes);
}

void RunContext::agree() const {
  if (!world) return throw_if_interrupted();
  if (!sharing(*this)) return;
  int mine = kCalm;
  try {
    throw_if_interrupted();
  } catch (const Interrupted& interrupted) {
    mine = interruption_of(interrupted);
  }
  throw_interruption(largest_of_all(*world, mine));
}

void run_own_part(const RunContext& context, const std::function<void(const RunContext&)>& work) {
  if (!sharing(context)) return work(context);
  int mine = kCalm;
  try {
    work(context.alone());
  } catch (const Interrupted& interrupted) {
    mine = interruption_of(interrupted);
  }
  throw_interruption(largest_of_all(*context.world, mine));
}

Range own_shares(Index shares, const RunContext& context) {
  if (!sharing(context) || shares == 1) return {0, shares};
  const Index rank = context.world->rank(), size = context.world->size();
  return {rank * shares / size, (rank + 1) * shares / size};
}

void for_each_tile_once(Index count, const RunContext& context, const TileTask& task, const TilePlace& place) {
  if (count <= 1)  // cheaper by every rank than told by one
    return for_each_tile(count, context, [&](Index t) { task(t, context); });
  const Range own = own_shares(count, context);
  run_own_part(context, [&](const RunContext& here) {
    for_each_tile(own.size(), here, [&](Index t) { task(own.begin + t, here); });
  });
  if (!sharing(context)) return;
  World& world = *context.world;
  for (int rank = 0; rank < world.size(); ++rank) {
    const Range of_rank{rank * count / world.size(), (rank + 1) * count / world.size()};
    if (of_rank.size() == 0) continue;
    for (const std::span<std::byte> block : place(of_rank)) broadcast(world, rank, block.data(), block.size());
  }
}

std::vector<std::string> gathered(const std::string& mine, const RunContext& context) {
  if (!context.world) return {mine};
  World& world = *context.world;
  std::vector<std::string> all(std::size_t(world.size()));
  for (int rank = 0; rank < world.size(); ++rank) {
    std::string& part = all[std::size_t(rank)];
    if (rank == world.rank()) part = mine;
    std::uint64_t bytes = part.size();
    broadcast(world, rank, &bytes, sizeof bytes);
    part.resize(bytes);
    if (bytes > 0) broadcast(world, rank, part.data(), bytes);
  }
  return all;
}

}  // namespace ritz
