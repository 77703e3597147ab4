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

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "ritz/base/context.hpp"
#include "ritz/base/types.hpp"

namespace ritz {

// --- bytes
// -----------------------------------------------------------------------------------------------------------------

// Bytes of what a run has in memory, exact to the last bit. One function says what is kept of a thing: it writes it and
// it reads it back.
//
//   void keep(Archive& archive, Summary& summary) { archive(summary.iterations, summary.message); }
//
// Numbers, enums, texts, Eigen's dense matrices, and vectors, maps, pairs, optionals, variants and arrays of such are
// known; everything else has a free function like that one, or a member keep(Archive&).
class Archive {
 public:
  Archive() = default;                                                             // writes
  explicit Archive(std::string_view earlier) : restores_(true), left_(earlier) {}  // reads what one wrote; borrowed

  bool restores() const { return restores_; }
  std::string take() { return std::move(bytes_); }

  // All of them, in this order. Reading throws bad_file where the bytes end too early or name sizes that cannot be.
  template <class... Things>
  void operator()(Things&... things) {
    (one(things), ...);
  }

 private:
  template <class T>
  void one(T& thing) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      plain(&thing, sizeof thing);
    } else if constexpr (std::is_base_of_v<Eigen::PlainObjectBase<T>, T>) {
      Index rows = thing.rows(), cols = thing.cols();
      one(rows);
      one(cols);
      if (restores_) {
        require(rows >= 0 && cols >= 0 && (rows == 0 || std::size_t(cols) <= left_.size() / std::size_t(rows)));
        thing.resize(rows, cols);
      }
      plain(thing.data(), std::size_t(thing.size()) * sizeof(typename T::Scalar));
    } else if constexpr (requires { thing.keep(*this); }) {
      thing.keep(*this);
    } else {
      keep(*this, thing);
    }
  }

  void plain(void* data, std::size_t size);
  std::size_t count(std::size_t size);  // of a container; reading: at most as many as bytes are left
  static void require(bool plausible);

  friend void keep(Archive& archive, std::string& text);
  template <class T>
  friend void keep(Archive& archive, std::vector<T>& values);
  template <class T>
  friend void keep(Archive& archive, std::deque<T>& values);
  template <class K, class T>
  friend void keep(Archive& archive, std::map<K, T>& values);
  template <class... T>
  friend void keep(Archive& archive, std::variant<T...>& value);

  bool restores_ = false;
  std::string_view left_;
  std::string bytes_;
};

void keep(Archive& archive, std::string& text);
void keep(Archive& archive, SparseRows& matrix);

template <class A, class B>
void keep(Archive& archive, std::pair<A, B>& both) {
  archive(both.first, both.second);
}
template <class T, std::size_t N>
void keep(Archive& archive, std::array<T, N>& values) {
  for (T& value : values) archive(value);
}
template <class T>
void keep(Archive& archive, std::optional<T>& value) {
  bool there = value.has_value();
  archive(there);
  if (archive.restores()) value = there ? std::optional<T>(std::in_place) : std::nullopt;
  if (value) archive(*value);
}
template <class T>
void keep(Archive& archive, std::vector<T>& values) {
  static_assert(!std::is_same_v<T, bool>, "take a vector of char");
  const std::size_t size = archive.count(values.size());
  if (archive.restores()) values.assign(size, T{});
  if constexpr (std::is_arithmetic_v<T>)
    archive.plain(values.data(), size * sizeof(T));
  else
    for (T& value : values) archive(value);
}
template <class T>
void keep(Archive& archive, std::deque<T>& values) {
  const std::size_t size = archive.count(values.size());
  if (archive.restores()) values.assign(size, T{});
  for (T& value : values) archive(value);
}
template <class K, class T>
void keep(Archive& archive, std::map<K, T>& values) {
  const std::size_t size = archive.count(values.size());
  if (!archive.restores()) {
    for (auto& [key, value] : values) {
      K name = key;
      archive(name, value);
    }
    return;
  }
  values.clear();
  for (std::size_t i = 0; i < size; ++i) {
    K key{};
    archive(key);
    archive(values[key]);
  }
}
template <class... T>
void keep(Archive& archive, std::variant<T...>& value) {
  std::size_t index = value.index();
  archive(index);
  if (archive.restores()) {
    Archive::require(index < sizeof...(T));
    std::size_t at = 0;
    ((at++ == index ? void(value.template emplace<T>()) : void()), ...);
  }
  std::visit([&](auto& each) { archive(each); }, value);
}

// --- stages
// ---------------------------------------------------------------------------------------------------------------

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
