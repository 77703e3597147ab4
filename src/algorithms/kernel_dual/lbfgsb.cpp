// SPDX-License-Identifier: MIT
// L-BFGS-B (Byrd, Lu, Nocedal, Zhu; the authors' Fortran library) by reverse communication: one evaluation a step.
#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include "algorithms/kernel_dual/solvers.hpp"

extern "C" {
// Fortran logicals are ints; the last two arguments are the hidden lengths of task and csave.
void setulb_(const int* n, const int* m, double* x, const double* l, const double* u, const int* nbd, double* f,
             double* g, const double* factr, const double* pgtol, double* wa, int* iwa, char* task, const int* iprint,
             char* csave, int* lsave, int* isave, double* dsave, std::size_t task_length, std::size_t csave_length);
}

namespace ritz::kernel_dual {

namespace {

constexpr int kMemory = 20;  // pairs of steps and gradient changes
constexpr std::size_t kText = 60;

struct Machine {
  int n;
  std::vector<double> x, low, high, gradient, work;
  std::vector<int> bound, integers;
  std::array<char, kText> task, csave;
  std::array<int, 4> lsave{};
  std::array<int, 44> isave{};
  std::array<double, 29> dsave{};
  double value = 0;
  Evaluation last;

  Machine(const Vector& start, const Interval& box)
      : n(int(start.size())),
        x(start.begin(), start.end()),
        low(x.size(), std::isinf(box.low) ? 0.0 : box.low),
        high(x.size(), std::isinf(box.high) ? 0.0 : box.high),
        gradient(x.size()),
        work(std::size_t(2 * kMemory + 5) * x.size() + 11 * kMemory * kMemory + 8 * kMemory),
        bound(x.size(), std::isinf(box.low) ? (std::isinf(box.high) ? 0 : 3) : (std::isinf(box.high) ? 1 : 2)),
        integers(3 * x.size()) {
    say("START");
    csave.fill(' ');
  }
  void say(const char* word) {
    task.fill(' ');
    std::memcpy(task.data(), word, std::strlen(word));
  }
  bool says(const char* word) const { return std::memcmp(task.data(), word, std::strlen(word)) == 0; }
  // Runs until the library wants a value ("FG") or has ended.
  void advance() {
    const int memory = kMemory, silent = -1;
    const double never = 0;  // its own stop rules are off: the gap decides
    do {
      setulb_(&n, &memory, x.data(), low.data(), high.data(), bound.data(), &value, gradient.data(), &never, &never,
              work.data(), integers.data(), task.data(), &silent, csave.data(), lsave.data(), isave.data(),
              dsave.data(), kText, kText);
    } while (says("NEW_X"));
  }
};

}  // namespace

Step lbfgsb_step(Tracker& tracker, const Vector& start) {
  const auto machine = std::make_shared<Machine>(start, dual_box(tracker.dual().problem()));
  return [&tracker, machine](int) {
    machine->advance();
    const auto numbers = [&] {
      return std::vector<double>{double(tracker.dual().evaluations()), double(machine->last.spectrum.count)};
    };
    if (!machine->says("FG")) return tracker.stalled(numbers());
    machine->last = tracker.evaluate(Eigen::Map<const Vector>(machine->x.data(), machine->n));
    machine->value = -machine->last.dual_plain;
    Eigen::Map<Vector>(machine->gradient.data(), machine->n) = -machine->last.gradient;
    return tracker.report(numbers());
  };
}

}  // namespace ritz::kernel_dual
