// SPDX-License-Identifier: MIT
// Kernel learning from pairs (SimpleNPKL): the kernel K ⪰ 0 that is smooth on a graph (tr LK small) and agrees with
// what is known of pairs (t·K_ij >= 1, t = +1 must-link, −1 cannot-link).
//
//   minimise  tr LK + 2·Σ_pairs ℓ(1 − t·K_ij) + G/p·tr Kᵖ      (or subject to tr Kᵖ <= B)
//
// A pair is unordered and counts twice, as in the sum over both triangles of a symmetric T. docs/algorithms/kernel.md.
#pragma once

#include <string>
#include <vector>

#include "ritz/algorithms/dual_solver.hpp"
#include "ritz/base/iterate.hpp"
#include "ritz/base/options.hpp"
#include "ritz/graph/graph.hpp"
#include "ritz/graph/pairs.hpp"
#include "ritz/linalg/products.hpp"

namespace ritz::npkl {

using kernel_dual::Solver;

struct Options {
  static constexpr std::string_view name = "kernel";
  std::string loss = "square-hinge";
  double penalty = 1;
  double ridge = 0;   // 0: default_ridge(n), unless a budget is given
  double budget = 0;  // 0: none
  double power = 2;
  Solver solver = Solver::automatic;
  double tolerance = 1e-6;
  int max_iterations = 1000;
  Index low_rank = 0;
  static constexpr auto fields() {
    return std::tuple{
        field("loss", &Options::loss, "loss of a pair: linear|square-hinge|hinge|square"),
        field("penalty", &Options::penalty, 1e-12, 1e12, "weight C of the pairs against smoothness on the graph"),
        field("ridge", &Options::ridge, 0.0, 1e12,
              "weight G of tr K^p / p; 0: 0.01 below 1000 samples, 0.001 from there on"),
        field("budget", &Options::budget, 0.0, 1e18, "bound B of tr K^p, instead of a ridge; 0: none"),
        field("power", &Options::power, 1.0, 100.0, "power p of tr K^p; 1 needs a budget"),
        field("solver", &Options::solver, "how the dual is maximised, or csdp: the general solver, if installed"),
        field("tolerance", &Options::tolerance, 0.0, 1.0, "stop when duality gap <= tolerance * |objective|"),
        field("max_iterations", &Options::max_iterations, 1, 100'000'000, "at most this many steps"),
        field("low_rank", &Options::low_rank, 0, 1'000'000,
              "look for K among the kernels on this many smoothest vectors of the graph: another estimator, not an "
              "approximation; 0: off")};
  }
};

inline constexpr double default_ridge(Index n) { return n < 1000 ? 0.01 : 0.001; }

// The dual's data: A₀ = −L, measurements t·K_ij, targets 1, weight 2.
kernel_dual::Problem make_problem(const Sparse& laplacian, const PairSet& pairs, const Options& options);

struct Result {
  SymFactor kernel;    // K = V·diag(κ)·Vᵀ, κ decreasing, V orthonormal
  Vector eigenvalues;  // of A that belong to V's columns: what the extension to new points needs
  // What is reported: the primal value; for the linear loss, as usual, max ⟨A, K⟩ − capacity, the primal without its
  // constant and with the other sign.
  double objective = kUnknown;
  double primal = kUnknown, dual = kUnknown, gap = kUnknown, relative_gap = kUnknown;
  Index positive = 0;           // eigenvalues of A(α)
  Vector alpha;                 // one a pair
  double satisfied = kUnknown;  // share of the pairs whose sign K has
  int evaluations = 0;
  Summary summary;
};
Result solve(const Sparse& laplacian, const PairSet& pairs, const Options& options, RunContext& context);

// Values of K's factor V·diag(√κ) at new points without constraints, from their links to known ones (0/1 weights,
// `neighbours` of each query among the known): (1 + λ_r)·v_r(x) = Σ_j v_r(j)/√(D_x·D_j). Exact for known points that no
// pair names.
RowMatrix extend(const SymFactor& kernel, const Vector& eigenvalues, const Vector& degrees,
                 const std::vector<std::vector<Index>>& links);

// The `points` samples of which the linear-loss kernel is least certain (smallest |Σ_j t_ij·K_ij|/l_i), and the pairs
// that name one of them: the paper's active constraint selection.
PairSet active_pairs(const Sparse& laplacian, const PairSet& pairs, Index points, const Options& options,
                     RunContext& context);

}  // namespace ritz::npkl
