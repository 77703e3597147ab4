// SPDX-License-Identifier: MIT
// A run inside the interpreter: its lock is free while the library works, Ctrl-C and the caller's function are heard.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "ritz/base/context.hpp"

namespace ritz::python {

namespace py = pybind11;

// How a run is done, as the estimators say it; -1 and empty: left to the library.
struct RunWords {
  int threads = 0;
  std::uint64_t seed = 0;
  std::string max_memory{};  // "2G"
  double time_limit = -1;    // seconds
  std::string backend = "auto";
  py::object observer = py::none();  // f(path, iteration, objective, measure, seconds), true: stop
};

class Session {
 public:
  explicit Session(RunWords words);
  RunContext& context() { return context_; }

  // Does `work` in a thread of its own, without the interpreter's lock. Every 50 ms the calling thread lets Python look
  // at its signals. What a signal or the observer raises ends the run early, and is kept in error().
  template <class Work>
  auto run(Work work) {
    const py::gil_scoped_release free;
    std::future<decltype(work())> result = std::async(std::launch::async, std::move(work));
    while (result.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) {
      const py::gil_scoped_acquire lock;
      if (!cancelled_ && PyErr_CheckSignals() != 0) keep(py::error_already_set());
    }
    return result.get();
  }

  // None, or what was raised meanwhile: the caller decides when it goes on.
  py::object error() const { return error_; }
  void raise_error() const;  // where there is one

 private:
  Next observe(const Progress& progress);
  void keep(py::error_already_set raised);

  std::atomic<bool> cancelled_ = false;
  py::object observer_, error_ = py::none();
  bool stopped_ = false;  // by what the observer answered
  std::shared_ptr<Backend> backend_;
  RunContext context_;
};

// A message with options in Python's words: "reduce.dim is 0; …" -> "dim=0; …".
std::string in_python(const std::string& message);
void translate_errors();

}  // namespace ritz::python
