// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/isometry/search.hpp"
#include "base/stopwatch.hpp"

namespace ritz::isometry {

namespace {

constexpr Index kFirstGuess = 16;  // the first guess
constexpr int kExtraStarts = 3;    // random ones, before a rank is given up; none for more than kFewPoints
constexpr Index kFewPoints = 300;  // a try costs a second there, and a minute for ten times as many
constexpr Index kShrinkPoints = 10'000;
constexpr double kFar = 3;             // times the distortion asked for, after a try: no other start helps
constexpr double kAhead = 0.75;        // of the rows that the last level needed more, in proportion: growth slows down
constexpr int kRankPatience = 2;       // where there are levels
constexpr int kRankPatienceLong = 6;   // the same at the first level, and for a given rank: no more rows can help
constexpr double kLeanRoom = 0.05;     // of the band, that a small trace leaves to pairs not yet seen
constexpr int kLeanRounds = 6;         // sweeps for it, where there are levels
constexpr double kLeanChange = 0.002;  // of the trace: no more sweeps
constexpr double kLeanGain = 0.97;     // of the distortion, from one sweep to the next, where a sweep is dear

}  // namespace

RankSearch::RankSearch(ColumnGeneration& pairs, const Options& options, const RunContext& context)
    : pairs_(pairs), options_(options), context_(context), sizes_(pairs.levels()) {}

void RankSearch::keep(Archive& archive) {
  constexpr Move kMoves[] = {&RankSearch::begin,        &RankSearch::relax,         &RankSearch::bisect,
                             &RankSearch::last_chances, &RankSearch::at_given_rank, &RankSearch::next_level,
                             &RankSearch::again,        &RankSearch::grow,          &RankSearch::shrink,
                             &RankSearch::make_lean,    &RankSearch::least,         &RankSearch::end};
  auto next = std::size_t(std::ranges::find(kMoves, next_) - std::begin(kMoves));
  archive(next, level_, ended_, lost_, best_, failed_, best_distortion_, failed_distortion_, trace_bound_, last_,
          trials_, low_, high_, rank_, start_of_last_, number_, first_rank_, rank_before_, rows_per_doubling_, pairs_);
  bool looks = least_.has_value();
  archive(looks);
  if (looks) {
    if (!least_) least_.emplace(pairs_, std::vector<Index>{options_.rank}, Vector::Ones(1), context_);
    archive(*least_);
  }
  next_ = kMoves[std::min(next, std::size(kMoves) - 1)];
}

StepReport RankSearch::step() {
  report_.reset();
  while (!report_) (this->*next_)();
  return *report_;
}

void RankSearch::looked(Index rank, double distortion, bool reached) {
  report_ = StepReport{double(rank),
                       distortion,
                       {double(reached), double(sizes_[level_]), double(pairs_.set().size()), double(pairs_.sweeps),
                        double(pairs_.iterations)}};
}

bool RankSearch::try_rank(const Matrix& start) {
  const Stopwatch watch;
  const Index rank = start.rows();
  last_ = pairs_.reach(start, delta());
  trials_.push_back({rank, last_.reached, last_.distortion, watch.seconds()});
  looked(rank, last_.distortion, last_.reached);
  if (last_.reached)
    best_ = leading_rows(last_.psi, rank), best_distortion_ = last_.distortion;
  else if (rank == options_.rank && !(last_.distortion >= failed_distortion_))
    failed_ = last_.psi, failed_distortion_ = last_.distortion;
  return last_.reached;
}

void RankSearch::enter(std::size_t level) {
  level_ = level;
  pairs_.enter(sizes_[level]);
  if (sizes_.size() > 1) pairs_.patience = given() || level == 0 ? kRankPatienceLong : kRankPatience;
}

void RankSearch::begin() {
  enter(0);
  pairs_.first_pairs();
  if (given() && options_.rank < d()) {
    next_ = &RankSearch::at_given_rank;
    return;
  }
  best_ = Matrix::Identity(d(), d());
  best_distortion_ = 0;
  high_ = d();
  rank_ = std::min(kFirstGuess, std::max<Index>(1, d() / 2));
  next_ = options_.method == Method::numax ? &RankSearch::relax
          : given()                        ? &RankSearch::next_level
                                           : &RankSearch::bisect;
}

// The bound of some pairs holds for all of them.
void RankSearch::relax() {
  const Stopwatch watch;
  const NumaxResult found = numax(pairs_.set(), delta(), options_, options_.tolerance, context_);
  pairs_.iterations += found.iterations;
  trace_bound_ = std::max(found.bound, std::isnan(trace_bound_) ? 0.0 : trace_bound_);
  const Sweep measured = pairs_.sweep(found.psi, delta());
  const bool met = measured.distortion <= delta();
  trials_.push_back({found.psi.rows(), met, measured.distortion, watch.seconds()});
  looked(found.psi.rows(), measured.distortion, met);
  if (met)
    best_ = found.psi, best_distortion_ = measured.distortion;
  else
    pairs_.take(measured);
  if (met || ++number_ == options_.rounds) next_ = &RankSearch::end;
}

void RankSearch::bisect() {
  if (high_ - low_ <= 1) {
    next_ = sizes_.size() == 1 ? &RankSearch::last_chances : &RankSearch::next_level;
    return;
  }
  start_of_last_ = best_.rows();
  const bool met = try_rank(best_.rows() == d() ? pairs_.principal(rank_) : truncated(rank_));
  (met ? high_ : low_) = rank_;
  rank_ = high_ == d() ? std::min(2 * low_, (low_ + high_) / 2) : std::max((low_ + high_) / 2, low_ + 1);
}

// What failed on the way down from a far rank may succeed from the one just above, or from elsewhere. The paper's
// methods end where they begin well: at a given rank they begin with principal components, so they do here.
void RankSearch::last_chances() {
  const int principal = options_.method == Method::automatic ? 0 : 1;
  const int extra = principal + (pairs_.points() <= kFewPoints ? kExtraStarts : 0);
  if (high_ <= 1 || number_ > extra) {
    next_ = &RankSearch::next_level;
    return;
  }
  const int number = number_++;
  if (number == 0 && start_of_last_ == high_) return;  // tried already
  if (try_rank(number == 0                             ? truncated(high_ - 1)
               : principal == 1 && number == principal ? pairs_.principal(high_ - 1)
                                                       : pairs_.disturbed(best_, high_ - 1, number - 1 - principal))) {
    --high_;
    number_ = 0;
  }
}

void RankSearch::at_given_rank() {
  const Index rank = options_.rank;
  const int number = number_++;
  if (number <= kExtraStarts) {
    rank_ = std::min(d(), rank + std::max<Index>(2, rank / 4));
    if (try_rank(number == 0   ? pairs_.principal(rank)
                 : number == 1 ? last_.psi
                               : pairs_.disturbed(best_, rank, 2 * (number - 1))))
      next_ = &RankSearch::next_level;
    else if (last_.distortion > kFar * delta())
      lose();
    return;
  }
  if (rank_ >= rank && try_rank(best_.size() == 0 ? pairs_.principal(rank_) : truncated(rank_))) {
    --rank_;
    return;
  }
  if (best_.rows() == rank)
    next_ = &RankSearch::next_level;
  else
    lose();
}

// After a level, and after what comes after the last one.
void RankSearch::next_level() {
  if (level_ == 0) first_rank_ = best_.rows();
  if (level_ + 1 < sizes_.size()) {
    enter(level_ + 1);
    rank_before_ = best_.rows();
    next_ = given() ? &RankSearch::again : &RankSearch::grow;
    return;
  }
  next_ = &RankSearch::end;
  if (level_ > 0 || given()) next_ = &RankSearch::make_lean;
  if (level_ > 0 && !given() && pairs_.points() <= kShrinkPoints) {
    next_ = &RankSearch::shrink;
    pairs_.patience = kRankPatience + 1;
    low_ = first_rank_;
    high_ = best_.rows();
  }
}

void RankSearch::again() {
  if (try_rank(best_))
    next_ = &RankSearch::next_level;
  else
    lose();
}

// The rank grows with the logarithm of the number of points, or less: most of the rows that the level before needed
// more than the one before it, in proportion, then more where the working set cannot be met.
void RankSearch::grow() {
  const double doublings = std::log2(double(sizes_[level_]) / double(sizes_[level_ - 1]));
  if (number_ != int(level_)) {  // the first try at this level
    number_ = int(level_);
    pairs_.take(pairs_.sweep(best_, delta()));
    last_.psi = pairs_.with_more_rows(
        best_, std::max<Index>(1, Index(std::ceil(kAhead * rows_per_doubling_ * doublings))), delta());
  } else {
    last_.psi = pairs_.with_more_rows(last_.psi, std::max<Index>(1, last_.psi.rows() / 10), delta());
  }
  if (!try_rank(last_.psi)) return;
  rows_per_doubling_ = std::max(double(best_.rows() - rank_before_) / doublings, 0.5 * rows_per_doubling_);
  next_ = &RankSearch::next_level;
}

// Levels give a rank up early. With the working set that they leave, fewer rows are tried once more, by bisection: a
// failure on the working set costs no sweep.
void RankSearch::shrink() {
  if (high_ - low_ <= 1) {
    next_ = &RankSearch::make_lean;
    return;
  }
  const Index rank = (low_ + high_) / 2;
  (try_rank(truncated(rank)) ? high_ : low_) = rank;
}

// A given rank, or one found in levels, may leave freedom. It is spent on a small trace, which keeps Ψ near to what the
// distances of most pairs need: directions of little use to them get little weight.
void RankSearch::make_lean() {
  next_ = &RankSearch::end;
  if (options_.method != Method::automatic || best_.rows() == d()) return;
  const Matrix before = best_;
  const double distortion_before = best_distortion_, inner = (1 - kLeanRoom) * delta();
  Matrix psi = before;
  double beyond = std::numeric_limits<double>::infinity();
  for (int round = 0; round < (level_ == 0 ? options_.rounds : kLeanRounds); ++round) {
    const double trace = psi.squaredNorm();
    psi = leaner(pairs_.set(), psi, inner, context_);
    const Sweep found = pairs_.sweep(psi, inner);
    pairs_.take(found);
    if (std::abs(trace - psi.squaredNorm()) <= kLeanChange * trace) break;
    if (pairs_.patience > 0 && found.distortion > kLeanGain * beyond) break;  // the working set has what matters
    beyond = found.distortion;
  }
  if (!try_rank(psi) || best_.squaredNorm() > before.squaredNorm())
    best_ = before, best_distortion_ = distortion_before;
}

// The given rank is too small: what remains is to find its least distortion.
void RankSearch::lose() {
  lost_ = true;
  if (best_.rows() == options_.rank) failed_ = best_;  // of fewer points
  best_.resize(0, 0);
  next_ = &RankSearch::least;
}

void RankSearch::least() {
  const Index rank = options_.rank;
  if (!least_) {
    least_.emplace(pairs_, std::vector<Index>{rank}, Vector::Ones(1), context_);
  } else if (level_ + 1 < sizes_.size()) {
    pairs_.enter(sizes_[++level_]);
  } else {
    next_ = &RankSearch::end;
    return;
  }
  const int before = least_->iterations;
  least_->level(pairs_.principal_rows(rank));
  pairs_.iterations += least_->iterations - before;
  failed_ = std::exp(0.5 * least_->best.scale(0)) * least_->best.psi;
  failed_distortion_ = last_.distortion = least_->worst;
  looked(rank, least_->worst, false);
}

void RankSearch::end() {
  looked(lost_ ? options_.rank : best_.rows(), lost_ ? last_.distortion : best_distortion_, !lost_);
  report_->finished = !lost_;
  report_->stalled = lost_;
  report_->note =
      lost_ ? fmt::format("rank {} does not reach the distortion", options_.rank) : "no pair is beyond the band";
}

}  // namespace ritz::isometry
