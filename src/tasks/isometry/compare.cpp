// SPDX-License-Identifier: MIT
// The measurements beside principal components and random ones of the same rank, how many neighbours each keeps, and
// the rank that each of several distortions needs.
#include "base/stopwatch.hpp"
#include "linalg/tall_products.hpp"
#include "ritz/base/random.hpp"
#include "ritz/pairs/backend.hpp"
#include "tasks/isometry/task.hpp"

namespace ritz::isometry {

namespace {

// Scales psi to the least distortion.
Compared compared(std::string name, Matrix& psi, const DistanceSweep& meter, bool weighted, const RunContext& context) {
  const Sweep sweep = meter.sweep(psi, {}, context);
  centre_ratios(psi, sweep);
  const double sum = sweep.lowest + sweep.highest, factor = sum > 0 ? 2 / sum : 1;
  // Weights, where there are some, would make another factor the best; then the rows are measured as they are.
  const double distortion =
      weighted ? meter.sweep(psi, {}, context).distortion : (sweep.highest - sweep.lowest) / std::max(sum, 1e-300);
  return {std::move(name), distortion, factor * sweep.lowest, factor * sweep.highest};
}

}  // namespace

void compare(const RowMatrix& X, const IsometryOptions& options, IsometryResult& found, const RunContext& context) {
  const Sweep& own = found.fit.sweep;
  found.comparison.push_back({"ritz", own.distortion, own.lowest, own.highest});
  const bool search = options.objective == Objective::recall && options.recall == 0;
  const Index n = X.rows(), k = search ? std::min<Index>(10, X.rows() - 1) : options.recall,
              rank = found.fit.psi.rows();
  std::vector<Matrix> all = {found.fit.psi, principal_measurements(X, rank, context),
                             random_measurements(X.cols(), rank, context)};
  const auto meter = backend_or_cpu(context).distance_sweep(X, found.pairs, context);
  found.comparison.push_back(compared("pca", all[1], *meter, !found.pairs.empty(), context));
  found.comparison.push_back(compared("random", all[2], *meter, !found.pairs.empty(), context));
  for (const Prefix& prefix : found.fit.prefixes) {
    Matrix components = all[1].topRows(prefix.rank);
    found.principal_prefixes.push_back(compared("pca", components, *meter, !found.pairs.empty(), context).distortion);
  }
  if (k == 0) return;
  const std::vector<Index> queries = Rng(context.seed, "isometry queries").sample(n, std::min(n, kMostQueries));
  found.recall = k;
  found.recall_queries = Index(queries.size());
  const auto truth = neighbours_of(queries, X, k, context);
  for (std::size_t o = 0; o < all.size(); ++o)
    found.comparison[o].recall =
        kept(truth, neighbours_of(queries, tall_product(X, Matrix(all[o].transpose()), context), k, context)).mean();
}

void judge_new(const RowMatrix& X, const IsometryOptions& options, IsometryResult& found, RunContext& context) {
  const PhaseTimer timer(found.fit.summary.seconds, "holdout");
  const Index n = X.rows(), held = std::max<Index>(2, Index(std::llround(options.holdout * double(n))));
  if (n - held < 2)
    fail(ErrorCode::bad_option, "isometry.holdout is {}: of {} samples {} would be left to fit", options.holdout, n,
         n - held);
  std::vector<Index> order = Rng(context.seed, "isometry holdout").permutation(n);
  const std::vector<Index> out(order.begin(), order.begin() + held), in(order.begin() + held, order.end());
  const RowMatrix fitted = X(in, Eigen::all), fresh = X(out, Eigen::all);
  RunContext inner = context.nested("holdout");
  const Result fit = solve({fitted, chosen_pairs(fitted, options.secants, context)}, options.how, inner);
  throw_if_interrupted(fit.summary.termination);
  SweepRequest request;
  request.band = options.how.distortion;
  const Sweep sweep = backend_or_cpu(context).distance_sweep(fresh, {}, context)->sweep(fit.psi, request, context);
  found.holdout_rows = held;
  found.holdout_rank = fit.psi.rows();
  found.holdout_fitted = fit.distortion;
  found.holdout_distortion = sweep.distortion;
  found.holdout_beyond = sweep.beyond;
  found.holdout_pairs = sweep.pairs;
}

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
  Summary& summary = found.fit.summary;
  const PhaseTimer timer(summary.seconds, "sweep");
  const Problem problem{X, chosen_pairs(X, options.secants, context)};
  try {
    for (const double distortion : options.sweep) {
      Options how = options.how;
      how.distortion = distortion;
      const Stopwatch watch;
      const Result fit = solve(problem, how, context);
      // What is verified is kept, before anything else can be interrupted; all features keep any distance.
      const Termination end = fit.summary.termination;
      const bool cut = end == Termination::time_limit || end == Termination::interrupted;
      if (!cut || (fit.reached(distortion) && fit.psi.rows() < X.cols()))
        found.sweep.push_back({distortion, fit.psi.rows(), 0, watch.seconds(), fit.summary.converged()});
      throw_if_interrupted(end);
      found.sweep.back().principal = principal_rank(X, distortion, context);
    }
    summary.termination = Termination::converged;
    summary.message = "every distortion has its rank";
  } catch (const Interrupted& interrupted) {
    if (found.sweep.empty()) throw;
    summary.termination = termination_of(interrupted);
    const Index done = std::ranges::count_if(found.sweep, &RankAt::finished);
    summary.message = fmt::format("{}: {} of {} distortions are done", interrupted.text(), done, options.sweep.size());
  }
  summary.iterations = int(found.sweep.size());
}

}  // namespace ritz::isometry
