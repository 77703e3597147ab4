// SPDX-License-Identifier: MIT
// Rank adjustment and column generation together. A rank is tried on a working set of pairs; where that succeeds, a
// sweep over all pairs brings the worst ones in, until it finds none beyond the band. A rank that fails on the working
// set fails on all pairs: most of the search never sweeps.
#include "ritz/algorithms/isometry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>

#include "algorithms/isometry/parts.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/parallel.hpp"
#include "ritz/base/random.hpp"
#include "ritz/linalg/eigen.hpp"
#include "ritz/linalg/products.hpp"
#include "ritz/linalg/tall_products.hpp"
#include "ritz/pairs/backend.hpp"

namespace ritz::isometry {

namespace {

using Clock = std::chrono::steady_clock;

constexpr Index kAllPairs = 5000;        // so many are taken at once, without column generation
constexpr Index kFirstLevel = 400;       // points that the search for the rank begins with, where there are many
constexpr Index kLevelFactor = 4;        // from one level to the next
constexpr Index kFirstRank = 16;         // the first guess
constexpr Index kMostWorking = 150'000;  // pairs; then those far inside the band are left out
constexpr int kExtraStarts = 3;          // random ones, before a rank is given up; none for more than kFewPoints
constexpr Index kFewPoints = 300;
constexpr Index kShrinkPoints = 10'000;
constexpr double kMostAsked = 0.999;  // of a distortion
constexpr int kLeastSteps = 7;        // of the bisection for the least distortion of a rank
constexpr double kLeastWidth = 0.005;
constexpr double kWider = 1.1;       // a band that more points do not fit into, times this
constexpr Index kSmallColumns = 70;  // then the relaxation takes the whole working set
constexpr Index kMostBound = 2000;
constexpr int kBoundSteps = 400;
constexpr double kBoundGap = 0.01;
constexpr double kSlack =
    0.05;                       // of the excess over all pairs: how nearly a working set is met, where there are levels
constexpr double kRoom = 0.01;  // of the band
constexpr double kAhead = 0.75;        // of the rows that the last level needed more, in proportion: growth slows down
constexpr int kPatience = 2;           // where there are levels
constexpr int kPatienceLong = 6;       // the same at the first level, and for a given rank: no more rows can help
constexpr double kLeanRoom = 0.05;     // of the band, that a small trace leaves to pairs not yet seen
constexpr int kLeanRounds = 6;         // sweeps for it, where there are levels
constexpr double kLeanChange = 0.002;  // of the trace: no more sweeps
constexpr double kLeanGain = 0.97;     // of the distortion, from one sweep to the next, where a sweep is dear

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

class Solver {
 public:
  Solver(const Problem& problem, const Options& options, RunContext& context)
      : options_(options),
        context_(context),
        start_(Clock::now()),
        reduced_(reduced(problem, context)),
        set_(reduced_.X) {
    if (!problem.pairs.empty()) {
      std::vector<Index> place(std::size_t(problem.X.rows()), -1);
      for (std::size_t k = 0; k < reduced_.rows.size(); ++k) place[std::size_t(reduced_.rows[k])] = Index(k);
      for (const WeightedPair& pair : problem.pairs)
        if (problem.X.row(pair.a) != problem.X.row(pair.b))
          listed_.push_back({place[std::size_t(pair.a)], place[std::size_t(pair.b)], pair.weight});
    }
    n_ = reduced_.X.rows();
    d_ = reduced_.X.cols();
  }

  Result run() {
    try {
      search();
    } catch (const Interrupted& interrupted) {
      result_.summary.termination =
          interrupted.why == Interrupted::Why::cancelled ? Termination::interrupted : Termination::time_limit;
      result_.summary.message = std::string(interrupted.text());
      if (best_.size() == 0 && failed_.size() == 0 && options_.rank > 0 && options_.rank < d_) throw;
    }
    if (best_.size() == 0) best_ = options_.rank > 0 && options_.rank < d_ ? failed_ : Matrix::Identity(d_, d_);
    bound_trace();
    result_.psi = leading_rows(reduced_.back(best_), best_.rows());
    result_.working_pairs = set_.size();
    result_.summary.seconds["solve"] = seconds_since(start_);
    return std::move(result_);
  }

 private:
  double delta() const { return options_.distortion; }
  bool given_rank() const { return options_.rank > 0; }

  Attempt attempt(const Matrix& start, double delta, double enough) {
    if (options_.method == Method::nile) return nile_attempt(set_, start, delta, options_, context_);
    if (options_.method == Method::fromax) return fromax_attempt(set_, start, delta, options_, context_);
    return hinge_attempt(set_, start, delta, enough, !hurried_, options_, context_);
  }

  void tell(Index rank, double distortion) {
    if (context_.observer &&
        context_.observer({context_.path, ++told_, double(rank), distortion, seconds_since(start_)}) == Next::stop)
      throw Interrupted{Interrupted::Why::cancelled};
  }

  Sweep sweep(const DistanceSweep& meter, const Matrix& psi, double band) {
    const PhaseTimer timer(result_.summary.seconds, "sweeps");
    SweepRequest request;
    request.band = band;
    request.listed = std::clamp<Index>(meter.pairs() / 20, 1000, 20'000);
    request.per_point = 40;
    ++result_.sweeps;
    Sweep found = meter.sweep(psi, request, context_);
    tell(psi.rows(), found.distortion);
    return found;
  }
  void take(const Sweep& found) {
    std::vector<WeightedPair> pairs;
    for (const MeasuredPair& pair : found.worst) pairs.push_back({pair.a, pair.b, pair.weight});
    set_.add(pairs);
  }
  void prune(const Matrix& psi, double band) {
    if (set_.size() <= kMostWorking) return;
    const Vector off = (set_.measured(psi, context_) - set_.target()).cwiseAbs();
    std::vector<char> kept(std::size_t(set_.size()));
    for (Index i = 0; i < off.size(); ++i) kept[std::size_t(i)] = off(i) >= 0.8 * band;
    set_.keep(kept);
  }

  // Column generation at the rank of `start`. Nothing: the working set cannot be met.
  struct Met {
    Matrix psi;
    double distortion;
  };
  std::optional<Met> reach(const DistanceSweep& meter, Matrix psi, double band) {
    // Where a sweep is dear, some room is left to the pairs that it has not shown yet.
    const double inner = patience_ > 0 ? (1 - kRoom) * band : band;
    double distortion = kUnknown;
    std::vector<double> excess;  // over the band, after each sweep
    for (int round = 0; round < options_.rounds; ++round) {
      // While far pairs are still to be found, the working set need not be met to the last digit.
      const double slack = patience_ > 0 && !excess.empty() ? kSlack * excess.back() : 0.0;
      const Attempt tried = attempt(psi, inner, inner + slack);
      result_.summary.iterations += tried.iterations;
      last_ = tried;
      psi = tried.psi;
      if (!tried.reached) return std::nullopt;
      const Sweep found = sweep(meter, psi, inner);
      distortion = found.distortion;
      if (distortion <= band) return Met{psi, distortion};
      take(found);
      prune(psi, band);
      excess.push_back(distortion - band);
      const auto n = std::ssize(excess);
      if (patience_ > 0 && n > patience_ && excess[std::size_t(n - 1)] > 0.5 * excess[std::size_t(n - 1 - patience_)])
        break;
    }
    last_.distortion = distortion;
    return std::nullopt;
  }

  bool try_rank(const DistanceSweep& meter, const Matrix& start) {
    const auto begin = Clock::now();
    const Index rank = start.rows();
    const auto met = reach(meter, start, delta());
    result_.trials.push_back({rank, met.has_value(), met ? met->distortion : last_.distortion, seconds_since(begin)});
    tell(rank, result_.trials.back().distortion);
    if (met)
      best_ = leading_rows(met->psi, rank);
    else if (rank == options_.rank && !(last_.distortion >= failed_distortion_))
      failed_ = last_.psi, failed_distortion_ = last_.distortion;
    return met.has_value();
  }

  // PCA, scaled so that the extreme ratios of the working set centre on 1.
  Matrix principal(Index rank) const {
    Matrix psi = principal_measurements(reduced_.X, rank, context_);
    centred(psi);
    return psi;
  }
  void centred(Matrix& psi) const {
    if (set_.size() == 0) return;
    const Vector ratio = set_.measured(psi, context_).cwiseQuotient(set_.target());
    const double sum = ratio.minCoeff() + ratio.maxCoeff();
    if (sum > 0) psi *= std::sqrt(2 / sum);
  }
  Matrix truncated(Index rank) const {
    Matrix psi = leading_rows(best_, rank);
    if (psi.rows() < rank) psi = principal(rank);
    centred(psi);
    return psi;
  }
  // The last failure, turned at random within and outside its rows.
  Matrix disturbed(Index rank, int number) const {
    Matrix psi = number % 2 == 0 ? principal(rank) : truncated(rank);
    Rng draw(context_.seed, "isometry starts", std::uint64_t(number));
    const double size = psi.norm() / std::sqrt(double(psi.size()));
    psi += 0.3 * size * draw.normal_matrix(psi.rows(), psi.cols());
    centred(psi);
    return psi;
  }

  void first_pairs(const DistanceSweep& meter, Index points) {
    if (!listed_.empty() && Index(listed_.size()) <= 4 * kAllPairs) {
      set_.add(listed_);
      return;
    }
    if (listed_.empty() && points * (points - 1) / 2 <= kAllPairs) {
      std::vector<WeightedPair> all;
      for (Index a = 0; a < points; ++a)
        for (Index b = a + 1; b < points; ++b)
          if (reduced_.X.row(a) != reduced_.X.row(b)) all.push_back({a, b, 1});
      set_.add(all);
      return;
    }
    Matrix psi = principal_measurements(reduced_.X, std::min(d_, kFirstRank), context_);
    Sweep found = sweep(meter, psi, 0.5 * delta());
    centre_ratios(psi, found);
    take(found);
    take(sweep(meter, psi, 0.5 * delta()));
  }

  std::vector<Index> levels() const {
    std::vector<Index> sizes;
    const bool several = listed_.empty() && options_.method != Method::numax;
    for (Index m = kFirstLevel; m * 2 < n_ && several; m *= kLevelFactor) sizes.push_back(m);
    sizes.push_back(n_);
    return sizes;
  }
  // Measures the pairs of the first m points.
  struct Level {
    RowMatrix some;
    std::unique_ptr<DistanceSweep> meter;
  };
  std::unique_ptr<Level> level(Index m) const {
    auto made = std::make_unique<Level>();
    if (m < n_) made->some = reduced_.X.topRows(m);
    const RowMatrix& points = m < n_ ? made->some : reduced_.X;
    made->meter = backend_or_cpu(context_).distance_sweep(points, listed_, context_);
    return made;
  }

  void search() {
    const std::vector<Index> sizes = levels();
    bool met = true;
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      const auto points = level(sizes[k]);
      const DistanceSweep& meter = *points->meter;
      if (sizes.size() > 1) patience_ = given_rank() || k == 0 ? kPatienceLong : kPatience;
      if (k == 0) {
        first_pairs(meter, sizes[k]);
        if (options_.method == Method::numax)
          relaxed(meter);
        else if (given_rank())
          met = at_given_rank(meter);
        else
          smallest_rank(meter, sizes.size() == 1);
        first_rank_ = best_.rows();
      } else if (given_rank()) {
        met = try_rank(meter, best_);
      } else {
        grow(meter, std::log2(double(sizes[k]) / double(sizes[k - 1])));
      }
      if (met && k > 0 && k + 1 == sizes.size() && !given_rank() && n_ <= kShrinkPoints) shrink(meter, first_rank_);
      if (met && k + 1 == sizes.size() && (k > 0 || given_rank()))
        make_lean(meter, k == 0 ? options_.rounds : kLeanRounds);
      if (!met) {
        hurried_ = sizes.size() > 1;
        if (k == 0) least_distortion(meter);
        patience_ = kPatience;
        for (std::size_t more = std::max<std::size_t>(k, 1); more < sizes.size(); ++more)
          widen(*level(sizes[more])->meter);
        result_.summary.termination = Termination::stalled;
        result_.summary.message = fmt::format("rank {} does not reach the distortion", options_.rank);
        return;
      }
    }
    result_.summary.termination = Termination::converged;
    result_.summary.message = "no pair is beyond the band";
  }

  // A given rank, or one found in levels, may leave freedom. It is spent on a small trace, which keeps Ψ near to what
  // the distances of most pairs need: directions of little use to them get little weight.
  void make_lean(const DistanceSweep& meter, int rounds) {
    if (options_.method != Method::automatic || best_.rows() == d_) return;
    const Matrix before = best_;
    const double inner = (1 - kLeanRoom) * delta();
    Matrix psi = before;
    double beyond = std::numeric_limits<double>::infinity();
    for (int round = 0; round < rounds; ++round) {
      const double trace = psi.squaredNorm();
      psi = leaner(set_, psi, inner, context_);
      const Sweep found = sweep(meter, psi, inner);
      take(found);
      if (std::abs(trace - psi.squaredNorm()) <= kLeanChange * trace) break;
      if (patience_ > 0 && found.distortion > kLeanGain * beyond) break;  // the working set has what matters
      beyond = found.distortion;
    }
    if (!try_rank(meter, psi) || best_.squaredNorm() > before.squaredNorm()) best_ = before;
  }

  void smallest_rank(const DistanceSweep& meter, bool thorough) {
    Index low = 0, high = d_;  // infeasible, feasible
    best_ = Matrix::Identity(d_, d_);
    Index rank = std::min(kFirstRank, std::max<Index>(1, d_ / 2));
    while (high - low > 1) {
      start_of_last_ = best_.rows();
      const bool met = try_rank(meter, best_.rows() == d_ ? principal(rank) : truncated(rank));
      (met ? high : low) = rank;
      rank = high == d_ ? std::min(2 * low, (low + high) / 2) : std::max((low + high) / 2, low + 1);
    }
    // What failed on the way down from a far rank may succeed from the one just above, or from elsewhere.
    while (thorough && high > 1) {
      bool met = false;
      if (start_of_last_ != high) met = try_rank(meter, truncated(high - 1));
      const int extra = options_.method == Method::automatic && n_ <= kFewPoints ? kExtraStarts : 0;
      for (int number = 0; !met && number < extra; ++number) met = try_rank(meter, disturbed(high - 1, number));
      if (!met) break;
      --high;
    }
  }

  // A lower bound of tr P from the relaxation on the working set, or the pairs of it that lie nearest to the edges.
  void bound_trace() {
    if (options_.method != Method::automatic || result_.summary.termination != Termination::converged) return;
    try {
      const PhaseTimer timer(result_.summary.seconds, "bound");
      const WorkingSet* tight = &set_;
      WorkingSet some(reduced_.X);
      if (d_ > kSmallColumns && set_.size() > kMostBound) {
        const Vector off = (set_.measured(best_, context_) - set_.target()).cwiseAbs();
        std::vector<Index> order(std::size_t(set_.size()));
        std::iota(order.begin(), order.end(), Index(0));
        std::ranges::stable_sort(order, std::ranges::greater{}, [&](Index i) { return off(i); });
        std::vector<WeightedPair> pairs;
        for (Index k = 0; k < kMostBound; ++k) pairs.push_back(set_.pair(order[std::size_t(k)]));
        some.add(pairs);
        tight = &some;
      }
      Options few = options_;
      few.max_iterations = std::min(options_.max_iterations, d_ > kSmallColumns ? kBoundSteps / 4 : kBoundSteps);
      result_.trace_bound = numax(*tight, delta(), few, kBoundGap, context_).bound;
    } catch (const Interrupted&) {  // there is a result without it
    }
  }

  // The convex relaxation with column generation; its bound holds for all pairs, as it does for some.
  void relaxed(const DistanceSweep& meter) {
    best_ = Matrix::Identity(d_, d_);
    for (int round = 0; round < options_.rounds; ++round) {
      const auto begin = Clock::now();
      const NumaxResult found = numax(set_, delta(), options_, options_.tolerance, context_);
      result_.summary.iterations += found.iterations;
      result_.trace_bound = std::max(found.bound, std::isnan(result_.trace_bound) ? 0.0 : result_.trace_bound);
      const Sweep measured = sweep(meter, found.psi, delta());
      const bool met = measured.distortion <= delta();
      result_.trials.push_back({found.psi.rows(), met, measured.distortion, seconds_since(begin)});
      if (met) {
        best_ = found.psi;
        return;
      }
      take(measured);
    }
  }

  // A given rank: from principal components, from random starts, and down from more rows.
  bool at_given_rank(const DistanceSweep& meter) {
    const Index rank = std::min(options_.rank, d_);
    if (rank == d_) {
      best_ = Matrix::Identity(d_, d_);
      return true;
    }
    if (try_rank(meter, principal(rank))) return true;
    for (int number = 0; number < kExtraStarts; ++number)
      if (try_rank(meter, number == 0 ? last_.psi : disturbed(rank, 2 * number))) return true;
    for (Index more = std::min(d_, rank + std::max<Index>(2, rank / 4)); more >= rank; --more)
      if (!try_rank(meter, best_.size() == 0 ? principal(more) : truncated(more))) break;
    return best_.rows() == rank;
  }
  // The least distortion that is found at the rank, between the one asked for and that of what failed.
  void least_distortion(const DistanceSweep& meter) {
    const Index rank = std::min(options_.rank, d_);
    if (failed_.rows() != rank) failed_ = best_.rows() > rank ? truncated(rank) : principal(rank);
    best_.resize(0, 0);
    double low = delta(), high = std::min(centred_distortion(sweep(meter, failed_, 0), failed_), kMostAsked);
    for (int step = 0; step < kLeastSteps && high - low > kLeastWidth * low; ++step) {
      const double middle = 0.5 * (low + high);
      auto met = reach(meter, failed_, middle);
      if (!met) met = reach(meter, principal(rank), middle);
      if (met) {
        failed_ = met->psi;
        high = met->distortion;
      } else {
        low = middle;
      }
    }
    least_ = high;
  }
  // More points, a wider band where the rank may not grow.
  void widen(const DistanceSweep& meter) {
    if (failed_.size() == 0) failed_ = best_;
    best_.resize(0, 0);
    for (least_ = std::max(least_, delta());;) {
      const auto met = reach(meter, failed_, least_);
      failed_ = last_.psi;
      if (met || least_ >= kMostAsked) return;
      least_ = std::min(kWider * least_, kMostAsked);
    }
  }
  // Scales Ψ so that the extreme ratios centre on 1.
  static double centred_distortion(const Sweep& found, Matrix& psi) {
    centre_ratios(psi, found);
    return (found.highest - found.lowest) / (found.highest + found.lowest);
  }

  // More points, more rows. The rank grows with the logarithm of the number of points, or less: most of the rows that
  // the level before needed more than the one before it, in proportion, then more where the working set cannot be met.
  void grow(const DistanceSweep& meter, double doublings) {
    const Index before = best_.rows();
    Matrix psi = best_;
    take(sweep(meter, psi, delta()));
    add_rows(psi, std::max<Index>(1, Index(std::ceil(kAhead * rows_per_doubling_ * doublings))));
    while (!try_rank(meter, psi)) {
      psi = last_.psi;
      add_rows(psi, std::max<Index>(1, psi.rows() / 10));
    }
    rows_per_doubling_ = std::max(double(best_.rows() - before) / doublings, 0.5 * rows_per_doubling_);
  }
  // Levels give a rank up early. With the working set that they leave, fewer rows are tried once more, by bisection: a
  // failure on the working set costs no sweep.
  void shrink(const DistanceSweep& meter, Index low) {
    patience_ = kPatience + 1;
    for (Index high = best_.rows(); high - low > 1;) {
      const Index rank = (low + high) / 2;
      (try_rank(meter, truncated(rank)) ? high : low) = rank;
    }
  }
  void add_rows(Matrix& psi, Index count) {
    count = std::min(count, d_ - psi.rows());
    for (Index k = 0; k < count; ++k) {
      Vector row = growth_direction(set_, psi, delta(), context_);
      if (row.size() == 0) row = Vector::Unit(d_, psi.rows() % d_) * 1e-3;
      psi.conservativeResize(psi.rows() + 1, Eigen::NoChange);
      psi.bottomRows(1) = row.transpose();
    }
    if (psi.rows() == d_) psi.setIdentity();  // no search is needed any more
  }

  const Options& options_;
  RunContext& context_;
  Clock::time_point start_;
  Reduced reduced_;
  std::vector<WeightedPair> listed_;
  Index n_ = 0, d_ = 0;
  WorkingSet set_;
  Result result_;
  Attempt last_;
  Matrix best_, failed_;  // failed_: of the rank asked for, the least distortion on the working set
  double failed_distortion_ = kUnknown, least_ = 0;
  int told_ = 0;
  double rows_per_doubling_ = 2;  // of the points, of the last level
  int patience_ = 0;              // sweeps in which the excess over the band must halve; 0: any number
  bool hurried_ = false;          // no damped steps: they save a rank, which is lost already
  Index first_rank_ = 0;          // of the first level
  Index start_of_last_ = 0;       // rank whose Ψ the last try of the bisection was cut from
};

}  // namespace

Result solve(const Problem& problem, const Options& options, RunContext& context) {
  if (options.method == Method::numax && options.rank > 0)
    throw Error(ErrorCode::bad_option, "--rank is for auto, fromax and nile: numax finds its own");
  if (!(options.distortion > 0 && options.distortion < 1))
    throw Error(ErrorCode::bad_option,
                fmt::format("isometry.distortion is {}; it must lie between 0 and 1", number_text(options.distortion)));
  {
    const Index n = problem.X.rows();
    bool distinct = false;
    if (problem.pairs.empty())
      for (Index i = 1; i < n && !distinct; ++i) distinct = problem.X.row(i) != problem.X.row(0);
    else
      distinct = std::ranges::any_of(
          problem.pairs, [&](const WeightedPair& pair) { return problem.X.row(pair.a) != problem.X.row(pair.b); });
    if (!distinct)
      throw Error(ErrorCode::bad_data, problem.pairs.empty()
                                           ? fmt::format("{} are all equal: two that differ are needed",
                                                         n == 1 ? "the one point is" : "the points")
                                           : "the points of every pair are equal: one pair that differs is needed");
  }
  Result result = [&] { return Solver(problem, options, context).run(); }();
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
