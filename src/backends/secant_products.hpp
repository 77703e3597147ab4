// SPDX-License-Identifier: MIT
// The products of a working set of secants v_p = √s_p·(x_a − x_b) where the run's backend has a faster way to them than
// the processor's cores.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "ritz/base/context.hpp"
#include "ritz/base/types.hpp"

namespace ritz {

// Each gives nothing where the backend cannot do it after all.
class SecantProducts {
 public:
  virtual ~SecantProducts() = default;
  virtual std::optional<Vector> measured(BlockIn B, const RunContext& context) = 0;     // ‖Bᵀv_p‖², B d × k
  virtual std::optional<Vector> measured_by(BlockIn P, const RunContext& context) = 0;  // v_pᵀPv_p, P d × d
  // Σ y_p v_p(v_pᵀB)
  virtual std::optional<Matrix> adjoint_times(const Vector& y, BlockIn B, const RunContext& context) = 0;
};

// Pair p is of the rows a[p] and b[p] of the points. Null: the backend has nothing faster, or the set is too small.
std::unique_ptr<SecantProducts> backend_secants(const RowMatrix& points, const std::vector<Index>& a,
                                                const std::vector<Index>& b, const std::vector<double>& scale,
                                                const RunContext& context);

}  // namespace ritz
