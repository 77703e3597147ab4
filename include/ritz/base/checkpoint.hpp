// SPDX-License-Identifier: MIT
// What a run has done so far, so that another one can go on after a kill: a tree of named stages. A stage that is
// finished has its result, a loop its state after some step; both may have stages inside. A run is a function of its
// inputs, so that one that takes results and states from an earlier one ends with the same bits.
//
//   Checkpoint checkpoint([](const std::string& bytes) { … to a file … }, 10);
//   checkpoint.restore(bytes);               // of an earlier run on the same data and options; or not
//   context.checkpoint = &checkpoint;
//   … = ism::solve(problem, options, context);
//   checkpoint.flush();
//
// What is neither a stage nor a loop with a state is done again. Stages are told apart by their order, which is that of
// the run. After an interruption (Ctrl-C, the time limit, an observer's stop) nothing is recorded any more: what
// follows is not what an undisturbed run would do.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "ritz/base/archive.hpp"
#include "ritz/base/context.hpp"

namespace ritz {

class Checkpoint {
  struct Record;

 public:
  // `write` takes all bytes that a restore() needs, every so many minutes; 0: whenever something is new. Where it
  // throws an Error the run goes on, and `trouble` says why.
  Checkpoint(std::function<void(const std::string& bytes)> write, double minutes);
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;

  void restore(std::string_view bytes);  // before the run. Throws bad_file
  void flush();                          // writes what is new, if anything is

  int stages() const { return stages_; }          // taken from the earlier run
  int iterations() const { return iterations_; }  // … and steps of loops
  const std::string& trouble() const { return trouble_; }

  // A stage or loop under way, from its beginning to its end; for stage() and iterate(). Does nothing where the context
  // has no checkpoint, inside a tile of a sweep, inside a loop without a state, and after an interruption.
  class Scope {
   public:
    enum class Inside { recorded, hidden };  // hidden: a loop without a state, whose stages could not be found again
    Scope(const RunContext& context, std::string_view name, Inside inside = Inside::recorded);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

    bool active() const { return record_ != nullptr; }
    // What an earlier run kept of it; null: nothing.
    const std::string* earlier() const;
    void took(int iterations);  // it was of use
    bool due() const;           // whether it is time for a keep()
    void keep(std::string bytes);
    // The run is not that of an undisturbed one from here on.
    void disturbed();
    bool interrupted() const;

   private:
    friend class Checkpoint;
    const RunContext& context_;
    Checkpoint* owner_ = nullptr;
    Record *record_ = nullptr, *parent_ = nullptr;
    bool hides_ = false;
    std::chrono::steady_clock::time_point kept_ = std::chrono::steady_clock::now();
  };

  ~Checkpoint();

 private:
  using Clock = std::chrono::steady_clock;
  void write();

  std::function<void(const std::string&)> write_;
  std::chrono::duration<double> between_;
  std::unique_ptr<Record> root_;
  Record* now_;
  int hidden_ = 0, stages_ = 0, iterations_ = 0;
  bool disturbed_ = false, news_ = false;
  Clock::time_point written_ = Clock::now();
  std::string trouble_;
};

// What `work` makes, or made in an earlier run. Its type must be known to Archive; also(archive, made) lists what else
// `work` changes.
template <class Work, class Also>
std::invoke_result_t<Work&> stage(const RunContext& context, std::string_view name, Work&& work, Also&& also) {
  if (!context.checkpoint) return work();
  using Made = std::invoke_result_t<Work&>;
  Checkpoint::Scope scope(context, name);
  if (const std::string* earlier = scope.earlier()) {
    Made made{};
    Archive archive(*earlier);
    archive(made);
    also(archive, made);
    scope.took(0);
    return made;
  }
  try {
    Made made = work();
    if (scope.interrupted()) {
      scope.disturbed();
    } else if (scope.active()) {
      Archive archive;
      archive(made);
      also(archive, made);
      scope.keep(archive.take());
    }
    return made;
  } catch (const Interrupted&) {
    scope.disturbed();
    throw;
  }
}
template <class Work>
auto stage(const RunContext& context, std::string_view name, Work&& work) {
  return stage(context, name, work, [](Archive&, auto&) {});
}

}  // namespace ritz
