// SPDX-License-Identifier: MIT
// One Ψ for several numbers of rows. Of the prefix of r rows with its factor s the ratios are s·Σ_{k ≤ r}(ψ_k·v)²; the
// hinges of all prefixes are minimised together over Ψ and the logarithms of the factors, each divided by the square of
// the distortion that is asked of it, so that none counts for more than another.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithms/isometry/search.hpp"
#include "linalg/optimise/lbfgs.hpp"
#include "linalg/subspace.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/parallel.hpp"
#include "ritz/linalg/products.hpp"
#include "ritz/pairs/backend.hpp"

namespace ritz::isometry {

namespace {

// Asked of a prefix, times what as many rows reach alone; one after the other, until all prefixes are met.
constexpr double kFactors[] = {1.05, 1.1, 1.15, 1.2, 1.4, 2, 4, 16};
constexpr double kSmallestAsked = 1e-6;  // distortion of a fit alone: so many rows lose nothing
constexpr double kAloneAsked = 1e-3;     // of a fit alone, which then ends with the least that it finds
constexpr int kNestedWindow = 80;        // L-BFGS steps in which the hinges must fall by kNestedProgress of themselves
constexpr double kNestedProgress = 0.03;
constexpr Index kMostOutside = 2000;  // pairs and prefixes of a damped step
constexpr int kDampedSteps = 200, kDampedTries = 12, kDampedSpan = 8;
constexpr double kDampedGain = 0.15;  // of the hinges, in so many steps
constexpr int kStarts = 6;
constexpr Index kTaken = 10'000;  // pairs that a sweep over one prefix brings in, at most

struct Nest {
  Matrix psi;    // in the coordinates of the search
  Vector scale;  // logarithms of the factors
};

class NestedSearch {
 public:
  NestedSearch(ColumnGeneration& pairs, const std::vector<Index>& ranks, const Vector& alone, const Options& options,
               const RunContext& context)
      : pairs_(pairs), ranks_(ranks), alone_(alone), options_(options), context_(context) {}

  Nest best;
  double worst =
      kUnknown;  // of best: the largest distortion of a prefix on all pairs of its level, times what is asked
  int iterations = 0;

  // All prefixes within factor·alone on all pairs of the level.
  bool reach(const Nest& start, double factor) {
    Nest now = start;
    const Vector asked = factor * alone_;
    for (int round = 0; round < options_.rounds; ++round) {
      context_.agree();
      const auto [nest, met] = attempt(now, asked);
      now = nest;
      const double most = measured(now, asked);
      if (!(most >= worst)) best = now, worst = most;
      if (most <= 1) return true;
      if (!met) return false;
    }
    return false;
  }
  void enter(Index points) {
    pairs_.enter(points);
    worst = kUnknown;  // more pairs than before
  }

 private:
  Index count() const { return Index(ranks_.size()); }
  Index first_row(Index j) const { return j == 0 ? 0 : ranks_[std::size_t(j - 1)]; }
  auto block(const Matrix& psi, Index j) const {
    return psi.middleRows(first_row(j), ranks_[std::size_t(j)] - first_row(j));
  }

  // A sweep a prefix; the pairs beyond what is asked come into the working set.
  double measured(const Nest& nest, const Vector& asked) {
    double most = 0;
    for (Index j = 0; j < count(); ++j) {
      const Matrix prefix = std::exp(0.5 * nest.scale(j)) * nest.psi.topRows(ranks_[std::size_t(j)]);
      const Sweep found = pairs_.sweep(prefix, (1 - kInside) * asked(j));
      pairs_.take(found, kTaken);
      most = std::max(most, found.distortion / asked(j));
    }
    return most;
  }

  std::pair<Nest, bool> attempt(const Nest& start, const Vector& asked) {
    const SingleThreadedBlas hold;
    const WorkingSet& set = pairs_.set();
    const Index rows = start.psi.rows(), d = start.psi.cols(), size = start.psi.size();
    Nest least = start;
    double lowest = std::numeric_limits<double>::infinity();
    const auto evaluate = [&](const Vector& x) {
      context_.agree();
      const Matrix psi = Eigen::Map<const Matrix>(x.data(), rows, d);
      const Vector scale = x.tail(count());
      Lbfgs::Point point;
      point.x = x;
      point.gradient = Vector::Zero(x.size());
      Vector sum = Vector::Zero(set.size());
      std::vector<Vector> pull;  // of each prefix on its sum
      double most = 0;
      for (Index j = 0; j < count(); ++j) {
        sum += set.measured(block(psi, j), context_);
        const double factor = std::exp(scale(j)), weight = 1 / (asked(j) * asked(j)), inner = (1 - kInside) * asked(j);
        most = std::max(most, (factor * sum - set.target()).cwiseAbs().maxCoeff() / asked(j));
        const Vector out = excess(factor * sum, set.target(), inner);
        point.value += 0.5 * weight * out.squaredNorm();
        point.gradient(size + j) = weight * factor * out.dot(sum);
        pull.push_back(weight * factor * out);
      }
      if (most < lowest) lowest = most, least = {psi, scale};
      Matrix slope(rows, d);
      Vector carried = Vector::Zero(set.size());  // by all prefixes that have the rows of a block
      for (Index j = count() - 1; j >= 0; --j) {
        carried += pull[std::size_t(j)];
        slope.middleRows(first_row(j), ranks_[std::size_t(j)] - first_row(j)) =
            2 * set.adjoint_times(carried, Matrix(block(psi, j).transpose()), context_).transpose();
      }
      point.gradient.head(size) = Eigen::Map<const Vector>(slope.data(), size);
      return point;
    };
    Vector x(size + count());
    x.head(size) = Eigen::Map<const Vector>(start.psi.data(), size);
    x.tail(count()) = start.scale;
    Lbfgs search(evaluate(x));
    std::vector<double> values{search.now().value};
    for (int k = 0; k < options_.steps() && lowest > 1 - 1e-8; ++k) {
      if (!search.step(evaluate)) break;
      ++iterations;
      values.push_back(search.now().value);
      const std::size_t n = values.size();
      if (n > kNestedWindow && values[n - 1] > (1 - kNestedProgress) * values[n - 1 - kNestedWindow]) break;
    }
    if (lowest > 1 - 1e-8) damp(search.now().x, asked, least, lowest);
    return {least, lowest <= 1 - 1e-8};
  }

  struct Outside {                  // of one nest
    std::vector<Index> pair, nest;  // that are not within what is asked, and of which prefix
    std::vector<double> off;        // by how much, in units of what is asked
    std::vector<double> at;         // the measured value, in the same units
    double value = 0, most = 0;
  };
  Outside outside(const Nest& nest, const Vector& asked) const {
    const WorkingSet& set = pairs_.set();
    Outside found;
    Vector sum = Vector::Zero(set.size());
    for (Index j = 0; j < count(); ++j) {
      sum += set.measured(block(nest.psi, j), context_);
      const Vector measured = std::exp(nest.scale(j)) * sum,
                   out = excess(measured, set.target(), (1 - kInside) * asked(j));
      found.most = std::max(found.most, (measured - set.target()).cwiseAbs().maxCoeff() / asked(j));
      for (Index i = 0; i < out.size(); ++i) {
        if (out(i) == 0) continue;
        found.pair.push_back(i);
        found.nest.push_back(j);
        found.off.push_back(out(i) / asked(j));
        found.at.push_back(measured(i) / asked(j));
        found.value += 0.5 * out(i) * out(i) / (asked(j) * asked(j));
      }
    }
    return found;
  }

  // Where L-BFGS stalls: Levenberg–Marquardt on what is outside.
  void damp(const Vector& x, const Vector& asked, Nest& least, double& lowest) {
    const Index rows = least.psi.rows(), d = least.psi.cols();
    Nest now{Eigen::Map<const Matrix>(x.data(), rows, d), x.tail(count())};
    Outside out = outside(now, asked);
    double damping = 1e-2;
    std::vector<double> values{out.value};
    for (int step = 0; step < kDampedSteps && lowest > 1 - 1e-8 && out.value > 0; ++step) {
      context_.agree();
      const Index m = Index(out.pair.size());
      if (m > kMostOutside) return;
      const RowMatrix V = pairs_.set().secants(out.pair);
      Matrix Y = product(V, Matrix(now.psi.transpose())), T = Matrix::Zero(m, count());
      for (Index i = 0; i < m; ++i) {  // a prefix knows nothing of the rows behind it
        const Index j = out.nest[std::size_t(i)], r = ranks_[std::size_t(j)];
        Y.row(i).tail(rows - r).setZero();
        Y.row(i) *= std::exp(now.scale(j)) / asked(j);
        T(i, j) = out.at[std::size_t(i)];
      }
      const Linearised model(V, std::move(Y), std::move(T), Eigen::Map<const Vector>(out.off.data(), m));
      bool moved = false;
      for (int tries = 0; tries < kDampedTries && !moved; ++tries, damping *= moved ? 1 : 4) {
        const auto move = model.step(damping);
        if (!move) continue;
        const Nest next{now.psi + move->rows, now.scale + move->more};
        Outside there = outside(next, asked);
        if (!(there.value < out.value)) continue;
        now = next, out = std::move(there);
        damping = std::max(damping / 4, 1e-12);
        moved = true;
      }
      if (!moved) return;
      ++iterations;
      if (out.most < lowest) lowest = out.most, least = now;
      values.push_back(out.value);
      const std::size_t n = values.size();
      if (n > kDampedSpan && values[n - 1] > (1 - kDampedGain) * values[n - 1 - kDampedSpan]) return;
    }
  }

  ColumnGeneration& pairs_;
  const std::vector<Index>& ranks_;
  const Vector& alone_;
  const Options& options_;
  const RunContext& context_;
};

// The fit of the fewest rows, then of each larger one the directions that are not there yet.
Matrix stacked(const std::vector<Matrix>& alone) {
  Matrix psi = alone.front();
  for (std::size_t j = 1; j < alone.size(); ++j) {
    const Matrix known = orthonormalise(psi.transpose(), 1e-10).basis;
    const Matrix rest = alone[j] - product(product(alone[j], known), Matrix(known.transpose()));
    const Matrix more = leading_rows(rest, alone[j].rows() - psi.rows());
    psi.conservativeResize(alone[j].rows(), Eigen::NoChange);
    psi.bottomRows(more.rows()) = more;
  }
  return psi;
}

// Factors that centre the ratios of the working set on 1.
Vector centred(const WorkingSet& set, const Matrix& psi, const std::vector<Index>& ranks, const RunContext& context) {
  Vector scale(Index(ranks.size()));
  for (std::size_t j = 0; j < ranks.size(); ++j) {
    const Vector ratio = set.measured(psi.topRows(ranks[j]), context).cwiseQuotient(set.target());
    const double sum = ratio.minCoeff() + ratio.maxCoeff();
    scale(Index(j)) = sum > 0 ? std::log(2 / sum) : 0;
  }
  return scale;
}

}  // namespace

Result solve_nested(const Problem& problem, const std::vector<Index>& ranks, const Options& options,
                    RunContext& context) {
  Result result;
  std::map<std::string, double> seconds;
  std::vector<Matrix> fits;
  Vector alone(Index(ranks.size()));
  {
    const PhaseTimer timer(seconds, "alone");
    for (std::size_t j = 0; j < ranks.size(); ++j) {
      Options how = options;
      how.rank = ranks[j];
      how.distortion = kAloneAsked;
      RunContext nested = context.nested(fmt::format("rank {}", ranks[j]));
      Result fit = solve(problem, how, nested);
      throw_if_interrupted(fit.summary.termination);
      alone(Index(j)) = std::max(fit.distortion, kSmallestAsked);
      if (fit.psi.rows() < ranks[j])
        throw Error(
            ErrorCode::bad_option,
            fmt::format("isometry.prefixes names {} rows; the samples span {} dimensions, which {} keep without "
                        "any loss",
                        ranks[j], fit.psi.rows(), fit.psi.rows()));
      fits.push_back(std::move(fit.psi));
      result.trials.push_back({ranks[j], true, fit.distortion, 0});
    }
  }
  // More rows keep no less.
  for (Index j = 1; j < alone.size(); ++j) alone(j) = std::min(alone(j), alone(j - 1));
  ColumnGeneration pairs(problem, options, context);
  for (Matrix& fit : fits) fit = pairs.forth(fit);
  NestedSearch search(pairs, ranks, alone, options, context);
  const std::vector<Index> levels = pairs.levels();
  std::size_t level = 0, factor = 0;
  const auto step = [&](int) -> StepReport {
    if (pairs.set().size() == 0) {
      search.enter(levels[0]);
      pairs.first_pairs();
    }
    // On the first points from several starts, later from what was found for fewer.
    const auto from = [&](const Matrix& psi) { return Nest{psi, centred(pairs.set(), psi, ranks, context)}; };
    bool met = search.best.psi.size() > 0 && search.reach(Nest(search.best), kFactors[factor]);
    const Index most = ranks.back();
    for (int start = 0; start < kStarts && !met && level == 0; ++start)
      met = search.reach(from(start == 0   ? stacked(fits)
                              : start == 1 ? leading_rows(fits.back(), most)
                              : start == 2 ? pairs.principal(most)
                                           : pairs.disturbed(fits.back(), most, start)),
                         kFactors[factor]);
    StepReport report;
    if (met) {
      report.finished = ++level == levels.size();
      if (!report.finished) search.enter(levels[level]);
    } else if (factor + 1 < std::size(kFactors)) {
      ++factor;
    } else {
      report.stalled = true;
    }
    report.objective = report.measure = kFactors[factor];
    report.note = fmt::format("every prefix is within {:g} times what its rows reach alone", kFactors[factor]);
    return report;
  };
  const StopRule stop{.tolerance = -1, .max_iterations = std::numeric_limits<int>::max()};
  {
    const PhaseTimer timer(seconds, "solve");
    result.summary = iterate(step, stop, {}, context);
  }
  if (search.best.psi.size() == 0) {
    throw_if_interrupted(result.summary.termination);
    throw Interrupted{Interrupted::Why::cancelled};
  }
  // Rows of a block may be turned among themselves: orthogonal ones, by decreasing norm. The factor of the whole is 1.
  const Index count = Index(ranks.size());
  const double whole = search.best.scale(count - 1);
  const Matrix back = std::exp(0.5 * whole) * pairs.back(search.best.psi);
  result.psi.resize(back.rows(), back.cols());
  for (Index j = 0, first = 0; j < count; first = ranks[std::size_t(j)], ++j)
    result.psi.middleRows(first, ranks[std::size_t(j)] - first) =
        leading_rows(back.middleRows(first, ranks[std::size_t(j)] - first), back.rows());
  const RunContext calm = context.uninterrupted();
  const auto meter = backend_or_cpu(context).distance_sweep(problem.X, problem.pairs, calm);
  for (Index j = 0; j < count; ++j) {
    const double scale = std::exp(search.best.scale(j) - whole);
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
