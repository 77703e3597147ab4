// SPDX-License-Identifier: MIT
// The ranks of a run under mpirun: processes with the same command line and data that compute the same, and share the
// sweeps over pairs (ordered_sum and for_each_tile_once of parallel.hpp). A module that is loaded at run time
// implements it; tests do with threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "ritz/base/context.hpp"

namespace ritz {

class World {
 public:
  virtual ~World() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual int ranks_here() const { return size(); }  // on this machine
  // Bytes between two ranks arrive in the order in which they were sent. Called from the main thread; both return when
  // `data` may be used again, and throw RankFailed where another rank has said fail().
  virtual void send(int to, const void* data, std::size_t bytes) = 0;
  virtual void receive(int from, void* data, std::size_t bytes) = 0;
  // From now on `cancel`, once set at one rank, is soon set at all.
  virtual void watch(std::atomic<bool>& cancel) = 0;
  // Why the run ends here, for the ranks that wait for this one.
  virtual void fail(const std::string& sentence, int status) = 0;
  virtual void finish(int status) = 0;  // the last call, of every rank

  std::int64_t agreements = 0;  // so far; the same at all ranks
};
struct RankFailed {
  std::string sentence;
  int status;  // of the program
};

// The ranks that share a sweep begun here: null inside a task of for_each_tile, which every rank runs by itself.
World* sharing(const RunContext& context);
bool inside_a_tile();  // in a task of for_each_tile
// The largest of the ranks' numbers. Throws std::logic_error where they are not at the same place of the program.
int largest_of_all(World& world, int mine);
// Runs work(here); where that is interrupted at one rank, it throws at all.
void run_own_part(const RunContext& context, const std::function<void(const RunContext&)>& work);
// Of `root`, to all.
void broadcast(World& world, int root, void* data, std::size_t bytes);

}  // namespace ritz
