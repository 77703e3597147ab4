// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "linalg/dense/dense.hpp"
#include "oracles/csdp/kernel_program.hpp"
#include "ritz/base/error.hpp"

namespace ritz {

namespace {

constexpr double kPositive = 1e-7;  // of the largest eigenvalue of K: what csdp leaves of zero

}  // namespace

kernel_dual::Result solve_by_csdp(const ConicKernelProblem& problem, double tolerance, const RunContext& context) {
  const auto start = std::chrono::steady_clock::now();
  SdpOptions how;
  how.tolerance = tolerance;
  how.threads = context.threads;
  const ConicSolution found = solve_conic(problem, how, context);
  if (found.K.size() == 0) throw Error(ErrorCode::infeasible, fmt::format("csdp found no kernel: {}", found.message));
  kernel_dual::Result fit;
  fit.kernel = positive_part(found.K, kPositive);
  fit.primal = found.objective;
  fit.dual = found.lower_bound;
  fit.gap = fit.primal - fit.dual;
  fit.relative_gap = std::max(0.0, fit.gap) / std::max(std::abs(fit.primal), 1e-300);
  fit.summary.termination = usable(found.status) ? Termination::converged : Termination::stalled;
  fit.summary.message = found.message;
  fit.summary.objective = fit.primal;
  fit.summary.measure = fit.relative_gap;
  fit.summary.used["solver"] = "csdp";
  fit.summary.seconds["csdp"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return fit;
}

kernel_dual::Result solve_by_csdp(const kernel_dual::Problem& problem, double tolerance, const RunContext& context) {
  using Form = kernel_dual::Capacity::Form;
  ConicKernelProblem conic = as_conic(problem, context);
  conic.centred = problem.capacity.form == Form::none;  // K1 = 0 is optimal, and free otherwise
  kernel_dual::Result fit = solve_by_csdp(conic, tolerance, context);
  // K = c·A₊^(q−1) at the optimum, with c = G^(1−q) for a ridge: A's eigenvalues follow from K's.
  fit.eigenvalues = fit.kernel.weights;
  if (problem.capacity.form == Form::ridge) fit.eigenvalues *= problem.capacity.value;
  fit.best.spectrum.count = fit.kernel.weights.size();
  fit.best.alpha = Vector::Zero(problem.targets.size());
  fit.best.measured =
      problem.measurements.measure(problem.measurements.slot_values(fit.kernel.root(), context), context);
  fit.from = fit.best;
  return fit;
}

}  // namespace ritz
