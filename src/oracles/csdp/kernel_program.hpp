// SPDX-License-Identifier: MIT
// Learning a kernel matrix from measurements of it, as a general semidefinite program: the oracle for the dual solver.
#pragma once

#include <string>
#include <vector>

#include "algorithms/kernel_dual.hpp"
#include "oracles/csdp/sdp.hpp"

namespace ritz {

// <M, K> of a symmetric M, and what it should be. (i, j, v) with i ≠ j means M_ij = M_ji = v. A pair with sign t is
// {(i, j, t/2)}, so that <M, K> = t K_ij; a squared distance is {(i, i, 1), (j, j, 1), (i, j, −1)}.
struct ConicMeasurement {
  struct Entry {
    Index row, column;
    double value;
  };
  std::vector<Entry> entries;
  double target = 0;
  double weight = 1;
};

using ConicLoss = LossShape;  // of the residual r = target − <M, K>, with penalty C

enum class ConicSlack {
  each,    // Σ w loss(rₖ)
  shared,  // C max(0, r₁, …, r_m): one slack for all, losses and weights are not looked at
  none,    // rₖ = 0 for all: hard equalities
};

enum class ConicRegulariser {
  none,         // may leave the program without interior or without bound: the status tells
  ridge,        // + G/2 tr K²
  trace,        // tr K <= B
  square_trace  // tr K² <= B
};

// Minimise −<A₀, K> + losses + regulariser over K ⪰ 0.
struct ConicKernelProblem {
  Matrix base;  // A₀, n × n, symmetric
  std::vector<ConicMeasurement> measurements;
  ConicLoss loss = ConicLoss::square_hinge;
  ConicSlack slack = ConicSlack::each;
  double penalty = 1;  // C
  ConicRegulariser regulariser = ConicRegulariser::ridge;
  double strength = 1;  // G or B
  // Only K with K1 = 0, for measurements with M1 = 0 (distances). Without it the direction of 1 is free in hard maximum
  // variance unfolding, and the program has no interior. A₀ counts as H A₀ H, H = I − 11ᵀ/n.
  bool centred = false;
};

struct ConicSolution {
  SdpStatus status = SdpStatus::numerical_failure;  // primal_infeasible: no K fits; dual_infeasible: unbounded below
  std::string message;
  Matrix K;  // n × n, eigenvalues below 0 by the tolerance at most; empty with the two statuses above
  double objective = kUnknown;    // of K and its slacks, with the constants of the losses
  double lower_bound = kUnknown;  // of the dual, up to its infeasibility
  double seconds = 0;
};

// tr K and the losses alone leave K the matrix variable of the program: its size is n, its cost m³ + m n³. tr K² does
// not fit there; K's n (n + 1)/2 entries are then the free variables of the dual, which takes n⁴/4 numbers and n⁶
// operations: n > kConicSquareLimit is refused (Error unsupported).
inline constexpr Index kConicSquareLimit = 100;

// Throws what solve_sdp throws; bad_option for a weight, penalty or strength that is not positive and for hard
// equalities with tr K²; bad_shape for indices outside [0, n); bad_data when `centred` is asked for and some M1 ≠ 0.
ConicSolution solve_conic(const ConicKernelProblem& problem, const SdpOptions& options, const RunContext& context);

// The same problem as the dual solver's, for small ones: A₀ is filled in, and each M costs a pass over all slots.
// Throws unsupported for powers other than 1 and 2.
ConicKernelProblem as_conic(const kernel_dual::Problem& problem, const RunContext& context);

// The kernel by its positive eigenpairs, both values and how it ended. Throws infeasible where there is no kernel.
kernel_dual::Result solve_by_csdp(const ConicKernelProblem& problem, double tolerance, const RunContext& context);
// The dual solver's problem, with what follows from K; α, which csdp does not tell, is 0.
kernel_dual::Result solve_by_csdp(const kernel_dual::Problem& problem, double tolerance, const RunContext& context);

}  // namespace ritz
