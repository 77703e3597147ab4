// SPDX-License-Identifier: MIT
// L-BFGS-B (Byrd, Lu, Nocedal, Zhu; the authors' Fortran library): minimises a smooth function of many variables, all
// within the same bounds. By reverse communication, an evaluation at a time, so that any loop can drive it.
#pragma once

#include <memory>
#include <optional>

#include "ritz/base/checkpoint.hpp"
#include "ritz/base/types.hpp"

namespace ritz {

class BoundedLbfgs {
 public:
  // Bounds may be infinite; `start` lies within them.
  BoundedLbfgs(const Vector& start, double low, double high);
  ~BoundedLbfgs();
  BoundedLbfgs(BoundedLbfgs&&) noexcept;

  // Where value and gradient are wanted next; nothing where no step is downhill any more.
  std::optional<Vector> wanted();
  void tell(double value, const Vector& gradient);  // of that point
  void keep(Archive& archive);

 private:
  struct Machine;
  std::unique_ptr<Machine> machine_;
};

}  // namespace ritz
