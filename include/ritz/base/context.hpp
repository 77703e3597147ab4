// SPDX-License-Identifier: MIT
// Everything a run may need from outside, passed by hand: no globals, no singletons.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>

namespace ritz {

struct Progress {
  std::string_view path;  // "kdac", "kdac/ism"
  int iteration;
  double objective;
  double measure;  // the number that the stop rule compares with its tolerance
  double seconds;
};
enum class Next { go_on, stop };
using Observer = std::function<Next(const Progress&)>;

// Thrown by RunContext::poll inside long sweeps and caught by iterate(), which keeps the last completed step. Callers
// of a routine outside a loop see it themselves.
struct Interrupted {
  enum class Why { cancelled, time_limit } why;
  std::string_view text() const { return why == Why::cancelled ? "interrupted" : "the time limit is reached"; }
};

class Backend;
class Checkpoint;  // base/checkpoint.hpp
class World;       // base/world.hpp

struct RunContext {
  int threads = 0;  // 0: all cores. The result has the same bits for any number
  std::uint64_t seed = 0;
  std::size_t max_memory = std::numeric_limits<std::size_t>::max();  // bytes
  Backend* backend = nullptr;                                        // null: cpu
  Observer observer;                                                 // may be empty; called once an iteration
  const std::atomic<bool>* cancel = nullptr;                         // set from a signal handler or another thread
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  std::string path;
  World* world = nullptr;            // the ranks of a run under mpirun, this one among them; null: alone
  Checkpoint* checkpoint = nullptr;  // where what is done is recorded, for a run that goes on after a kill; null: not

  RunContext nested(std::string_view name) const {
    RunContext inner = *this;
    inner.path = path.empty() ? std::string(name) : path + "/" + std::string(name);
    return inner;
  }

  // The same run without cancel and deadline: for what is quick and belongs to the result even after Ctrl-C.
  RunContext uninterrupted() const {
    RunContext calm = *this;
    calm.cancel = nullptr;
    calm.deadline = std::chrono::steady_clock::time_point::max();
    return calm;
  }

  // The same run for this rank's part of a sweep that all ranks share.
  RunContext alone() const {
    RunContext part = *this;
    part.world = nullptr;
    return part;
  }

  // Cheap enough for every tile of a sweep; throws Interrupted. Safe to call from worker threads. Among ranks it does
  // nothing: what all of them compute alike none may leave by its own clock or signal.
  void poll() const {
    if (!world) throw_if_interrupted();
  }
  // The same at a place that the main thread of every rank passes: where one is interrupted all are.
  void agree() const;

  void throw_if_interrupted() const {
    if (cancel && cancel->load(std::memory_order_relaxed)) throw Interrupted{Interrupted::Why::cancelled};
    if (deadline != std::chrono::steady_clock::time_point::max() && std::chrono::steady_clock::now() > deadline)
      throw Interrupted{Interrupted::Why::time_limit};
  }
};

int resolved_threads(const RunContext& context);  // the asked number, or the number of cores

}  // namespace ritz
