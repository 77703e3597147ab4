// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/isometry/search.hpp"
#include "ritz/base/error.hpp"
#include "ritz/pairs/backend.hpp"

namespace ritz::isometry {

namespace {

constexpr Index kSmallColumns = 70;  // then the relaxation takes the whole working set
constexpr Index kMostBound = 2000;   // pairs of it otherwise: a bound costs no more than the search
constexpr int kBoundSteps = 400;
constexpr double kBoundGap = 0.01;

void require_sense(const Problem& problem, const Options& options) {
  if (options.method == Method::numax && options.rank > 0)
    throw Error(ErrorCode::bad_option, "isometry.rank is for auto, fromax and nile: numax finds its own");
  if (!(options.distortion > 0 && options.distortion < 1))
    throw Error(ErrorCode::bad_option,
                fmt::format("isometry.distortion is {}; it must lie between 0 and 1", number_text(options.distortion)));
  const Index n = problem.X.rows();
  const auto differ = [&](Index a, Index b) { return problem.X.row(a) != problem.X.row(b); };
  bool distinct = std::ranges::any_of(problem.pairs, [&](const WeightedPair& pair) { return differ(pair.a, pair.b); });
  for (Index i = 1; i < n && problem.pairs.empty() && !distinct; ++i) distinct = differ(i, 0);
  if (distinct) return;
  throw Error(ErrorCode::bad_data, problem.pairs.empty()
                                       ? fmt::format("{} are all equal: two that differ are needed",
                                                     n == 1 ? "the one point is" : "the points")
                                       : "the points of every pair are equal: one pair that differs is needed");
}

// A lower bound of tr P from the relaxation on the working set, or the pairs of it that lie nearest to the edges.
double bound_of_trace(const ColumnGeneration& pairs, const Matrix& psi, const Options& options,
                      const RunContext& context) {
  const bool wide = pairs.columns() > kSmallColumns;
  Options few = options;
  few.max_iterations = std::min(options.steps(), wide ? kBoundSteps / 4 : kBoundSteps);
  if (wide && pairs.set().size() > kMostBound)
    return numax(pairs.tightest(psi, kMostBound), options.distortion, few, kBoundGap, context).bound;
  return numax(pairs.set(), options.distortion, few, kBoundGap, context).bound;
}

Result searched(const Problem& problem, const Options& options, RunContext& context) {
  Result result;
  ColumnGeneration pairs(problem, options, context);
  RankSearch search(pairs, options, context);
  // The search itself says when it has ended: a rank that meets the band is not yet the smallest.
  const StopRule stop{.tolerance = -1, .max_iterations = std::numeric_limits<int>::max()};
  result.summary = iterate([&](int) { return search.step(); }, stop, RankSearch::columns(), context,
                           [&](Archive& archive) { archive(search); });
  const bool given = options.rank > 0 && options.rank < pairs.columns();
  Matrix best = search.best().size() > 0 ? search.best() : given ? search.failed() : Matrix();
  if (best.size() == 0 && given) {
    throw_if_interrupted(result.summary.termination);
    throw Interrupted{Interrupted::Why::cancelled};  // by the observer, before there was anything
  }
  if (best.size() == 0) best = Matrix::Identity(pairs.columns(), pairs.columns());
  result.trials = search.trials();
  result.trace_bound = search.trace_bound();
  if (options.method == Method::automatic && result.summary.converged()) try {
      const PhaseTimer bound(pairs.seconds, "bound");
      result.trace_bound = stage(context, "bound", [&] { return bound_of_trace(pairs, best, options, context); });
    } catch (const Interrupted&) {  // there is a result without it
    }
  // What keeps all coordinates is said in the given ones.
  const bool all = best.rows() == problem.X.cols() && best.isIdentity(0);
  result.psi = all ? best : leading_rows(pairs.back(best), best.rows());
  result.working_pairs = pairs.set().size();
  result.sweeps = pairs.sweeps;
  result.summary.iterations = pairs.iterations;
  result.summary.seconds = std::move(pairs.seconds);
  return result;
}

}  // namespace

Result solve(const Problem& problem, const Options& options, RunContext& context) {
  require_sense(problem, options);
  std::map<std::string, double> seconds;
  Result result = [&] {
    const PhaseTimer timer(seconds, "solve");
    return searched(problem, options, context);
  }();
  result.summary.seconds.merge(seconds);
  SweepRequest request;
  request.band = options.distortion;
  request.listed = 10;
  request.bins = 200;
  const RunContext calm = context.uninterrupted();
  const auto meter = backend_or_cpu(context).distance_sweep(problem.X, problem.pairs, calm);
  result.sweep = meter->sweep(result.psi, request, calm);
  result.distortion = result.sweep.distortion;
  result.trace = result.psi.squaredNorm();
  if (result.trace_bound > 0)
    result.rank_bound = Index(std::ceil(result.trace_bound / result.psi.row(0).squaredNorm() - 1e-9));
  return result;
}

}  // namespace ritz::isometry
