// SPDX-License-Identifier: MIT
// The least distortion of one or several prefixes by a smooth maximum, log Σ exp(β·|off|)/β over pairs and prefixes. β
// grows slowly: while it is small all pairs pull, and the rows find their directions; in the end the farthest decide.
#include <algorithm>
#include <cmath>

#include "algorithms/isometry/search.hpp"
#include "linalg/optimise/lbfgs.hpp"
#include "ritz/base/parallel.hpp"

namespace ritz::isometry {

namespace {

// In units of what is asked of a prefix, or of 1.
constexpr double kGentle = 2, kWarm = 40, kSharp = 160, kSharpest = 1280;
constexpr int kStepsEach = 100, kStepsOfSeveral = 400;  // of one β, for one prefix and for several
constexpr int kMemory = 20;
constexpr double kNegligible = 1e-6;   // weight of a pair, of the largest one
constexpr Index kAllAtOnce = 100'000;  // pairs of a level, all of which are taken
constexpr Index kTaken = 10'000;       // pairs that a sweep over one prefix brings in, at most
constexpr int kSweeps = 6;             // of a level
constexpr double kUnseen = 0.005;      // by how much a pair outside the working set may be farther
constexpr double kNearEdge = 0.97;     // of the farthest: pairs beyond it come in
constexpr double kForgotten = 0.5;     // of the farthest: pairs below it are left out at the next level
constexpr Index kFewEnough = 30'000;   // pairs of which none is left out

}  // namespace

LeastDistortion::LeastDistortion(ColumnGeneration& pairs, std::vector<Index> ranks, Vector units,
                                 const RunContext& context)
    : pairs_(pairs), ranks_(std::move(ranks)), units_(std::move(units)), context_(context) {}

// |off| of each pair and prefix, in units.
std::vector<Vector> LeastDistortion::off(const Nest& nest) const {
  const WorkingSet& set = pairs_.set();
  std::vector<Vector> all;
  Vector sum = Vector::Zero(set.size());
  for (Index j = 0; j < count(); ++j) {
    sum += set.measured(block(nest.psi, j), context_);
    all.push_back((std::exp(nest.scale(j)) * sum - set.target()).cwiseAbs() / units_(j));
  }
  return all;
}

// Factors that centre the ratios of the working set on 1.
Vector LeastDistortion::centred(const Matrix& psi) const {
  const WorkingSet& set = pairs_.set();
  Vector scale(count()), sum = Vector::Zero(set.size());
  for (Index j = 0; j < count(); ++j) {
    sum += set.measured(block(psi, j), context_);
    const Vector ratio = sum.cwiseQuotient(set.target());
    const double ends = ratio.minCoeff() + ratio.maxCoeff();
    scale(j) = ends > 0 ? std::log(2 / ends) : 0;
  }
  return scale;
}

double LeastDistortion::sharpen(Nest& nest, double first) {
  const SingleThreadedBlas hold;
  const WorkingSet& set = pairs_.set();
  const Index rows = nest.psi.rows(), d = nest.psi.cols(), size = nest.psi.size();
  Nest least = nest;
  double lowest = std::numeric_limits<double>::infinity(), beta = first;
  const auto evaluate = [&](const Vector& x) {
    context_.agree();
    const Matrix psi = Eigen::Map<const Matrix>(x.data(), rows, d);
    std::vector<Vector> sums, offs;
    double most = 0;
    for (Index j = 0; j < count(); ++j) {
      Vector sum = set.measured(block(psi, j), context_);
      if (j > 0) sum += sums.back();
      offs.push_back((std::exp(x(size + j)) * sum - set.target()) / units_(j));
      sums.push_back(std::move(sum));
      most = std::max(most, offs.back().cwiseAbs().maxCoeff());
    }
    if (most < lowest) lowest = most, least = {psi, x.tail(count())};
    Lbfgs::Point point;
    point.x = x;
    point.gradient = Vector::Zero(x.size());
    double total = 0;
    for (Vector& off : offs)
      for (double& each : off) {
        const double share = std::exp(beta * (std::abs(each) - most));
        total += share;
        each = share < kNegligible ? 0 : std::copysign(share, each);
      }
    point.value = most + std::log(total) / beta;
    Matrix slope(rows, d);
    Vector carried = Vector::Zero(set.size());  // by all prefixes that have the rows of a block
    for (Index j = count() - 1; j >= 0; --j) {
      const double factor = std::exp(x(size + j)) / (units_(j) * total);
      const Vector& share = offs[std::size_t(j)];
      point.gradient(size + j) = factor * share.dot(sums[std::size_t(j)]);
      carried += factor * share;
      slope.middleRows(first_row(j), ranks_[std::size_t(j)] - first_row(j)) =
          2 * set.adjoint_times(carried, Matrix(block(psi, j).transpose()), context_).transpose();
    }
    point.gradient.head(size) = Eigen::Map<const Vector>(slope.data(), size);
    return point;
  };
  Vector x(size + count());
  x.head(size) = Eigen::Map<const Vector>(nest.psi.data(), size);
  x.tail(count()) = nest.scale;
  const int steps = count() == 1 ? kStepsEach : kStepsOfSeveral;
  for (; beta <= kSharpest; beta *= 2) {
    Lbfgs search(evaluate(x), {}, kMemory);
    for (int step = 0; step < steps; ++step, ++iterations)
      if (!search.step(evaluate)) break;
    x = search.now().x;
  }
  nest = std::move(least);
  return lowest;
}

// A sweep a prefix; the pairs near the farthest of the working set, and those beyond it, come in.
double LeastDistortion::measured(const Nest& nest, double on_set) {
  double most = 0;
  for (Index j = 0; j < count(); ++j) {
    const Matrix prefix = std::exp(0.5 * nest.scale(j)) * nest.psi.topRows(ranks_[std::size_t(j)]);
    const Sweep found = pairs_.sweep(prefix, std::min(kNearEdge * on_set * units_(j), kWidestBand));
    pairs_.take(found, kTaken);
    most = std::max(most, found.distortion / units_(j));
  }
  return most;
}

void LeastDistortion::level(const Matrix& start) {
  if (pairs_.set().size() > kFewEnough && best.psi.size() > 0) {
    const std::vector<Vector> all = off(best);
    std::vector<char> kept(std::size_t(pairs_.set().size()), false);
    for (const Vector& each : all)
      for (Index i = 0; i < each.size(); ++i) kept[std::size_t(i)] |= each(i) >= kForgotten * worst;
    pairs_.keep(kept);
  }
  pairs_.first_pairs(kAllAtOnce);
  pairs_.first_pairs();
  Nest now{start, centred(start)};
  if (best.psi.size() > 0) {  // of fewer points
    now = best;
    measured(now, worst);
  }
  double first = best.psi.size() > 0 ? kWarm : kGentle;
  worst = std::numeric_limits<double>::infinity();
  for (int round = 0; round < kSweeps; ++round, first = kSharp) {
    const double on_set = sharpen(now, first), most = measured(now, on_set);
    if (most < worst) best = now, worst = most;
    if (most <= (1 + kUnseen) * on_set) break;
  }
}

}  // namespace ritz::isometry
