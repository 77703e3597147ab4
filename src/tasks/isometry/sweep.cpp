// SPDX-License-Identifier: MIT
// The rank that each of several distortions needs.
#include <fmt/format.h>

#include <chrono>

#include "ritz/pairs/backend.hpp"
#include "tasks/isometry/task.hpp"

namespace ritz::isometry {

Index principal_rank(const RowMatrix& X, double distortion, const RunContext& context) {
  const auto meter = backend_or_cpu(context).distance_sweep(X, {}, context);
  const Matrix all = principal_measurements(X, X.cols(), context);
  Index low = 0, high = X.cols();
  while (high - low > 1) {
    const Index rank = (low + high) / 2;
    const Sweep sweep = meter->sweep(all.topRows(rank), {}, context);
    ((sweep.highest - sweep.lowest) <= distortion * (sweep.highest + sweep.lowest) ? high : low) = rank;
  }
  return high;
}

void fit_sweep(const RowMatrix& X, const IsometryOptions& options, IsometryResult& found, RunContext& context) {
  using Clock = std::chrono::steady_clock;
  Summary& summary = found.fit.summary;
  const PhaseTimer timer(summary.seconds, "sweep");
  const Problem problem{X, chosen_pairs(X, options.secants, context)};
  try {
    for (const double distortion : options.sweep) {
      Options how = options.how;
      how.distortion = distortion;
      const auto start = Clock::now();
      const Result fit = solve(problem, how, context);
      throw_if_interrupted(fit.summary.termination);
      const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
      found.sweep.push_back({distortion, fit.psi.rows(), principal_rank(X, distortion, context), seconds});
    }
    summary.termination = Termination::converged;
    summary.message = "every distortion has its rank";
  } catch (const Interrupted& interrupted) {
    if (found.sweep.empty()) throw;
    summary.termination =
        interrupted.why == Interrupted::Why::cancelled ? Termination::interrupted : Termination::time_limit;
    summary.message =
        fmt::format("{}: {} of {} distortions are done", interrupted.text(), found.sweep.size(), options.sweep.size());
  }
  summary.iterations = int(found.sweep.size());
}

}  // namespace ritz::isometry
