// SPDX-License-Identifier: MIT
#include "linalg/optimise/lbfgsb.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <vector>

extern "C" {
// Fortran logicals are ints; the last two arguments are the hidden lengths of task and csave.
void setulb_(const int* n, const int* m, double* x, const double* l, const double* u, const int* nbd, double* f,
             double* g, const double* factr, const double* pgtol, double* wa, int* iwa, char* task, const int* iprint,
             char* csave, int* lsave, int* isave, double* dsave, std::size_t task_length, std::size_t csave_length);
}

namespace ritz {

namespace {

constexpr int kMemory = 20;  // pairs of steps and gradient changes
constexpr std::size_t kText = 60;

}  // namespace

struct BoundedLbfgs::Machine {
  int n;
  std::vector<double> x, low, high, gradient, work;
  std::vector<int> bound, integers;
  std::array<char, kText> task, csave;
  std::array<int, 4> lsave{};
  std::array<int, 44> isave{};
  std::array<double, 29> dsave{};
  double value = 0;

  Machine(const Vector& start, double least, double most)
      : n(int(start.size())),
        x(start.begin(), start.end()),
        low(x.size(), std::isinf(least) ? 0.0 : least),
        high(x.size(), std::isinf(most) ? 0.0 : most),
        gradient(x.size()),
        work(std::size_t(2 * kMemory + 5) * x.size() + 11 * kMemory * kMemory + 8 * kMemory),
        bound(x.size(), std::isinf(least) ? (std::isinf(most) ? 0 : 3) : (std::isinf(most) ? 1 : 2)),
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
    const double never = 0;  // its own stop rules are off: the caller's decides
    do {
      setulb_(&n, &memory, x.data(), low.data(), high.data(), bound.data(), &value, gradient.data(), &never, &never,
              work.data(), integers.data(), task.data(), &silent, csave.data(), lsave.data(), isave.data(),
              dsave.data(), kText, kText);
    } while (says("NEW_X"));
  }
};

BoundedLbfgs::BoundedLbfgs(const Vector& start, double low, double high)
    : machine_(std::make_unique<Machine>(start, low, high)) {}
BoundedLbfgs::~BoundedLbfgs() = default;
BoundedLbfgs::BoundedLbfgs(BoundedLbfgs&&) noexcept = default;

std::optional<Vector> BoundedLbfgs::wanted() {
  machine_->advance();
  if (!machine_->says("FG")) return std::nullopt;
  return Vector(Eigen::Map<const Vector>(machine_->x.data(), machine_->n));
}

void BoundedLbfgs::keep(Archive& archive) {
  Machine& all = *machine_;
  archive(all.x, all.gradient, all.work, all.integers, all.task, all.csave, all.lsave, all.isave, all.dsave, all.value);
}

void BoundedLbfgs::tell(double value, const Vector& gradient) {
  machine_->value = value;
  machine_->gradient.assign(gradient.begin(), gradient.end());
}

}  // namespace ritz
