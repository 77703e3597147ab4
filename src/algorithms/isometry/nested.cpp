// SPDX-License-Identifier: MIT
// One Ψ for several numbers of rows. Of the prefix of r rows with its factor s the ratios are s·Σ_{k ≤ r}(ψ_k·v)². The
// largest distortion of a prefix, in units of what as many rows reach alone, is made as small as is found.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithms/isometry/search.hpp"
#include "ritz/base/error.hpp"
#include "ritz/pairs/backend.hpp"

namespace ritz::isometry {

namespace {

constexpr double kSmallestAsked = 1e-6;  // distortion of a fit alone: so many rows lose nothing
constexpr double kAloneAsked = 1e-3;     // of a fit alone, which then ends with the least that it finds

}  // namespace

Result solve_nested(const Problem& problem, const std::vector<Index>& ranks, const Options& options,
                    RunContext& context) {
  Result result;
  std::map<std::string, double> seconds;
  const Index count = Index(ranks.size());
  Vector alone(count);
  {
    const PhaseTimer timer(seconds, "alone");
    for (std::size_t j = 0; j < ranks.size(); ++j) {
      Options how = options;
      how.rank = ranks[j];
      how.distortion = kAloneAsked;
      RunContext nested = context.nested(fmt::format("rank {}", ranks[j]));
      const Result fit = solve(problem, how, nested);
      throw_if_interrupted(fit.summary.termination);
      if (fit.psi.rows() < ranks[j])
        throw Error(
            ErrorCode::bad_option,
            fmt::format("isometry.prefixes names {} rows; the samples span {} dimensions, which {} keep without "
                        "any loss",
                        ranks[j], fit.psi.rows(), fit.psi.rows()));
      alone(Index(j)) = std::max(fit.distortion, kSmallestAsked);
      result.trials.push_back({ranks[j], true, fit.distortion, 0});
    }
  }
  // More rows keep no less.
  for (Index j = 1; j < count; ++j) alone(j) = std::min(alone(j), alone(j - 1));
  ColumnGeneration pairs(problem, options, context);
  LeastDistortion search(pairs, ranks, alone, context);
  const std::vector<Index> levels = pairs.levels();
  const auto step = [&](int done) -> StepReport {
    pairs.enter(levels[std::size_t(done) - 1]);
    search.level(pairs.principal_rows(ranks.back()));
    StepReport report;
    report.finished = std::size_t(done) == levels.size();
    report.objective = report.measure = search.worst;
    report.note = fmt::format("every prefix is within {:.3g} times what its rows reach alone", search.worst);
    return report;
  };
  const StopRule stop{.tolerance = -1, .max_iterations = std::numeric_limits<int>::max()};
  {
    const PhaseTimer timer(seconds, "solve");
    result.summary = iterate(step, stop, {}, context, [&](Archive& archive) { archive(search, pairs); });
  }
  const Nest& best = search.best;
  if (best.psi.size() == 0) {
    throw_if_interrupted(result.summary.termination);
    throw Interrupted{Interrupted::Why::cancelled};
  }
  // Rows of a block may be turned among themselves: orthogonal ones, by decreasing norm. The factor of the whole is 1.
  const double whole = best.scale(count - 1);
  const Matrix back = std::exp(0.5 * whole) * pairs.back(best.psi);
  result.psi.resize(back.rows(), back.cols());
  for (Index j = 0, first = 0; j < count; first = ranks[std::size_t(j)], ++j)
    result.psi.middleRows(first, ranks[std::size_t(j)] - first) =
        leading_rows(back.middleRows(first, ranks[std::size_t(j)] - first), back.rows());
  const RunContext calm = context.uninterrupted();
  const auto meter = backend_or_cpu(context).distance_sweep(problem.X, problem.pairs, calm);
  for (Index j = 0; j < count; ++j) {
    const double scale = std::exp(best.scale(j) - whole);
    const Matrix prefix = std::sqrt(scale) * result.psi.topRows(ranks[std::size_t(j)]);
    SweepRequest request;
    if (j + 1 == count) request.bins = 200;
    const Sweep sweep = meter->sweep(prefix, request, calm);
    result.prefixes.push_back(
        {ranks[std::size_t(j)], scale, sweep.distortion, result.trials[std::size_t(j)].distortion});
    if (j + 1 == count) result.sweep = sweep;
  }
  result.distortion = result.sweep.distortion;
  result.trace = result.psi.squaredNorm();
  result.working_pairs = pairs.set().size();
  result.sweeps = pairs.sweeps;
  result.summary.iterations = search.iterations;
  seconds.merge(pairs.seconds);
  result.summary.seconds = std::move(seconds);
  return result;
}

}  // namespace ritz::isometry
