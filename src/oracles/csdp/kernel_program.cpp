// SPDX-License-Identifier: MIT
#include "oracles/csdp/kernel_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "base/stopwatch.hpp"
#include "linalg/dense/dense.hpp"
#include "oracles/csdp/forms.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/text.hpp"

namespace ritz {

namespace {

// M1 is compared with 0 up to this share of M's largest entry.
constexpr double kRounding = 1e-12;

bool squares_kernel(const ConicKernelProblem& problem) {
  return problem.regulariser == ConicRegulariser::ridge || problem.regulariser == ConicRegulariser::square_trace;
}

void require_positive(const char* name, double value) {
  if (!(value > 0) || !std::isfinite(value))
    throw Error(ErrorCode::bad_option, fmt::format("{} is {}; it must be positive", name, number_text(value)));
}

void check_measurement(const ConicMeasurement& measurement, const ConicKernelProblem& problem, std::size_t number) {
  const Index n = problem.base.rows();
  Vector sums = Vector::Zero(n);
  double largest = 0;
  for (const auto& [row, column, value] : measurement.entries) {
    if (row < 0 || column < 0 || row >= n || column >= n)
      throw Error(ErrorCode::bad_shape, fmt::format("measurement {} names the entry ({}, {}) of a {} x {} kernel",
                                                    number, row, column, n, n));
    if (!std::isfinite(value)) throw Error(ErrorCode::not_finite, fmt::format("measurement {} is not finite", number));
    sums[row] += value;
    if (row != column) sums[column] += value;
    largest = std::max(largest, std::abs(value));
  }
  if (!std::isfinite(measurement.target))
    throw Error(ErrorCode::not_finite, fmt::format("the target of measurement {} is not finite", number));
  require_positive("a measurement's weight", measurement.weight);
  if (problem.centred && sums.cwiseAbs().maxCoeff() > kRounding * largest)
    throw Error(ErrorCode::bad_data,
                fmt::format("measurement {} changes when all points move together; a centred kernel needs measurements "
                            "of differences, such as distances",
                            number));
}

void check_problem(const ConicKernelProblem& problem) {
  const Index n = problem.base.rows(), least = problem.centred ? 2 : 1;
  if (n < least || problem.base.cols() != n)
    throw Error(ErrorCode::bad_shape, fmt::format("the base is {} x {}; it must be square with at least {} rows", n,
                                                  problem.base.cols(), least));
  if (!problem.base.allFinite()) throw Error(ErrorCode::not_finite, "the base matrix is not finite");
  require_positive("penalty", problem.penalty);
  if (problem.loss == ConicLoss::none) throw Error(ErrorCode::unsupported, "solver csdp has no form of this loss");
  if (problem.regulariser != ConicRegulariser::none)
    require_positive(problem.regulariser == ConicRegulariser::ridge ? "ridge" : "budget", problem.strength);
  for (std::size_t i = 0; i < problem.measurements.size(); ++i) check_measurement(problem.measurements[i], problem, i);
  if (!squares_kernel(problem)) return;
  if (problem.slack == ConicSlack::none)
    throw Error(ErrorCode::bad_option,
                "solver csdp takes hard equalities without a regulariser or with tr K <= B only");
  if (n > kConicSquareLimit)
    throw Error(
        ErrorCode::unsupported,
        fmt::format("solver csdp takes tr K^2 (a ridge, or a budget with power 2) up to {} samples, and there are "
                    "{}; power 1 has no such limit",
                    kConicSquareLimit, n));
}

// H A H.
Matrix centred(const Matrix& A) {
  const Matrix rows_done = A.colwise() - A.rowwise().mean();
  return rows_done.rowwise() - rows_done.colwise().mean();
}

Matrix kernel_of(const SdpSolution& solution, const ConicKernelProblem& problem) {
  const Index n = problem.base.rows();
  Matrix K = Matrix::Zero(n, n);
  if (squares_kernel(problem)) {
    for (Index j = 0, place = 0; j < n; ++j)
      for (Index i = 0; i <= j; ++i) K(i, j) = K(j, i) = solution.y[place++];
  } else {
    K.topLeftCorner(solution.X[0].rows(), solution.X[0].cols()) = solution.X[0];
  }
  return problem.centred ? centred(K) : K;
}

ConicLoss conic_loss(const AnyLoss& loss) {
  const LossShape shape = std::visit([](const auto& each) { return each.shape; }, loss);
  if (shape != LossShape::none) return shape;
  throw Error(ErrorCode::unsupported, fmt::format("solver csdp does not know the loss {}", loss_name(loss)));
}

ConicRegulariser conic_regulariser(const kernel_dual::Capacity& capacity) {
  if (capacity.form == kernel_dual::Capacity::Form::none) return ConicRegulariser::none;
  const bool budget = capacity.form == kernel_dual::Capacity::Form::budget;
  if (capacity.power == 2) return budget ? ConicRegulariser::square_trace : ConicRegulariser::ridge;
  if (capacity.power == 1 && budget) return ConicRegulariser::trace;
  throw Error(ErrorCode::unsupported,
              fmt::format("solver csdp takes power 2, or 1 with a budget; power is {}", number_text(capacity.power)));
}

// The status and the objectives as those of the kernel problem, which is the dual of the program in the second form.
SdpStatus mirrored(SdpStatus status) {
  if (status == SdpStatus::primal_infeasible) return SdpStatus::dual_infeasible;
  if (status == SdpStatus::dual_infeasible) return SdpStatus::primal_infeasible;
  return status;
}

// Removes block 1, the non-negative numbers of both forms, when there are none: the program knows no empty blocks.
void drop_empty_inequalities(SdpProblem& program) {
  if (program.blocks[1] != 0) return;
  program.blocks.erase(program.blocks.begin() + 1);
  const auto shift = [](std::vector<SdpEntry>& entries) {
    for (SdpEntry& entry : entries)
      if (entry.block > 1) --entry.block;
  };
  shift(program.objective);
  for (auto& entries : program.constraints) shift(entries);
}

}  // namespace

ConicKernelProblem as_conic(const kernel_dual::Problem& problem, const RunContext& context) {
  const Measurements& measurements = problem.measurements;
  ConicKernelProblem conic{.base = problem.base.dense(),
                           .loss = conic_loss(problem.loss),
                           .penalty = std::visit([](const auto& loss) { return loss.penalty; }, problem.loss),
                           .regulariser = conic_regulariser(problem.capacity),
                           .strength = problem.capacity.value};
  for (Index k = 0; k < measurements.count(); ++k) {
    context.poll();
    const Vector entries = measurements.adjoint(Vector::Unit(measurements.count(), k), context);
    ConicMeasurement measurement{{}, problem.targets[k], problem.weight};
    for (Index s = 0; s < entries.size(); ++s) {
      const Measurements::Slot slot = measurements.slot_list()[std::size_t(s)];
      if (entries[s] != 0) measurement.entries.push_back({slot.i, slot.j, entries[s]});
    }
    conic.measurements.push_back(std::move(measurement));
  }
  return conic;
}

ConicSolution solve_conic(const ConicKernelProblem& problem, const SdpOptions& options, const RunContext& context) {
  check_problem(problem);
  ConicKernelProblem ready = problem;
  ready.base = 0.5 * (problem.base + problem.base.transpose());
  if (problem.centred) ready.base = centred(ready.base);
  const bool as_variables = squares_kernel(problem);
  ConicForm form = as_variables ? kernel_as_variables(ready) : kernel_as_matrix(ready);
  drop_empty_inequalities(form.program);
  if (form.program.constraints.empty())
    throw Error(ErrorCode::bad_option,
                "without measurements and without a budget the kernel has no bound; give a budget");
  const SdpSolution solved = solve_sdp(form.program, options, context);

  ConicSolution result;
  result.status = as_variables ? mirrored(solved.status) : solved.status;
  result.message = solved.message;
  result.seconds = solved.seconds;
  if (result.status == SdpStatus::primal_infeasible) {
    result.message = "csdp: no kernel meets the constraints";
    return result;
  }
  if (result.status == SdpStatus::dual_infeasible) {
    result.message = "csdp: the objective has no bound; give a budget, or connect the graph of the distances";
    return result;
  }
  result.K = kernel_of(solved, problem);
  result.objective = form.constant + (as_variables ? solved.dual : -solved.primal);
  result.lower_bound = form.constant + (as_variables ? solved.primal : -solved.dual);
  return result;
}

kernel_dual::Result solve_by_csdp(const ConicKernelProblem& problem, double tolerance, const RunContext& context) {
  constexpr double kPositive = 1e-7;  // of the largest eigenvalue of K: what csdp leaves of zero
  const Stopwatch watch;
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
  fit.summary.seconds["csdp"] = watch.seconds();
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
