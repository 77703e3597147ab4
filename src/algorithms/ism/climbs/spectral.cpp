// SPDX-License-Identifier: MIT
// W ← top eigenvectors of Φ(W): ISM with its level shift, and the plain iteration of the papers.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "algorithms/ism/parts.hpp"
#include "linalg/subspace.hpp"

namespace ritz::ism {

namespace {

// A first shift of this share of the gap at the cut, raised fourfold until the objective does not fall. A shift τ slows
// the iteration down to a contraction of about τ/(τ + gap): a share of the spectrum's width, thousands of gaps on
// images, would hold it up for hundreds of iterations. The smallest is a share of the width, for gaps near 0.
constexpr double kFirstShift = 0.1, kSmallestShift = 1e-6, kShiftGrowth = 4, kLargestShift = 1e8;
// After a lower shift has failed, so many iterations at most pass before the next try; twice as many each time.
constexpr int kLongestWait = 16;
// The change of eigenvalues in the first step, which has nothing to compare with.
constexpr double kFirstChange = 1;
// So many columns make F alone several times cheaper than F with Φ: it is looked at first where a step may well fall.
constexpr Index kManyColumns = 256;
// Slow: the residual is small already, and in so many iterations it has not fallen to this share.
constexpr double kNearby = 1e-2, kSlowShare = 0.25;
constexpr std::size_t kSlowSpan = 10;
constexpr const char* kNoClimbWithin =
    "no step raises the objective beyond the error of the low-rank kernel; ask for a smaller one with ism.approximate";
// A cycle: two steps lead back to within this share of the length of one. (Slow convergence with alternating sign has
// larger shares: 2e-3 for a factor −0.999 a step.)
constexpr double kCycleShare = 1e-6;

PhiMatrix shifted(const PhiMatrix& phi, const Matrix& W, double shift) {
  if (const auto* factor = std::get_if<SymFactor>(&phi.form)) {
    SymFactor sum{Matrix(W.rows(), factor->basis.cols() + W.cols()), Vector(factor->weights.size() + W.cols())};
    sum.basis << factor->basis, W;
    sum.weights << factor->weights, Vector::Constant(W.cols(), shift);
    return {std::move(sum)};
  }
  Matrix sum = std::get<DenseOperator>(phi.form).matrix;
  const Matrix transposed = shift * W.transpose();
  sum += product(W, transposed);
  return {DenseOperator{std::move(sum)}};
}

// The level shift τ from one iteration to the next. Where the plain step climbs it stays 0. One that was needed is
// kept, and tried a step lower now and then: near a flat direction the lower one fails nearly always, and each failure
// costs a sweep over the pairs.
class LevelShift {
 public:
  double begin(double width) {  // the τ to try first
    width_ = width;
    lowering_ = level_ > 0 && wait_ == 0;
    wait_ = std::max(0, wait_ - 1);
    value_ = !lowering_ ? level_ : level_ > first_ ? level_ / kShiftGrowth : 0;
    return value_;
  }
  double after_fall(double gap) {  // F would have fallen: the next τ to try. `gap`: of Φ at the cut
    failed_ = true;
    if (value_ == 0) first_ = std::clamp(std::isnan(gap) ? width_ : kFirstShift * gap, kSmallestShift * width_, width_);
    value_ = lowering_ ? level_ : std::max(kShiftGrowth * value_, first_);
    lowering_ = false;
    return value_;
  }
  void accept() {
    if (failed_) {
      wait_ = patience_;
      patience_ = std::min(2 * patience_, kLongestWait);
    } else if (value_ < level_) {
      patience_ = 1;
    }
    level_ = value_;
    failed_ = false;
  }
  double value() const { return value_; }
  bool lowering() const { return lowering_; }  // the τ to try is below one that was needed
  void keep(Archive& archive) { archive(level_, value_, first_, width_, wait_, patience_, lowering_, failed_); }

 private:
  double level_ = 0, value_ = 0, first_ = 0, width_ = 0;
  int wait_ = 0, patience_ = 1;
  bool lowering_ = false, failed_ = false;
};

// The W of an iteration with its sums, and the steps from one to the next.
class Spectral {
 public:
  Spectral(const Setting& setting, Matrix start, const RunContext& context)
      : setting_(setting),
        context_(context),
        // Eigenvectors a hundred times better than the residual asked for: more would be lost in the next Φ.
        request_{.pick = Count{start.cols()}, .tolerance = std::clamp(1e-2 * setting.options.tolerance, 1e-12, 1e-8)},
        W_(std::move(start)),
        now_(setting.sums(W_, context)),
        eigen_(eigen_solver(now_.phi)) {
    eigen_.start_from(W_);
  }

  const Matrix& W() const { return W_; }
  double objective() const { return now_.objective; }
  double error() const { return now_.error.objective; }
  const PhiMatrix& phi() const { return now_.phi; }
  const SpectralBounds& bounds() {
    if (!bounds_) bounds_ = spectral_bounds(now_.phi.view(), context_);
    return *bounds_;
  }

  struct Candidate {
    EigenPairs top;
    PairSums sums;
    std::optional<SpectralBounds> bounds;  // of its Φ, once they were needed
  };
  // The next W. Its sums are taken by complete().
  Candidate propose(double shift, double norm) {
    const PhaseTimer timer(setting_.seconds, "eigen");
    Candidate next;
    next.top = shift > 0 ? require_complete(leading(shifted(now_.phi, W_, shift), norm), "Φ with the level shift")
                         : top_vectors(norm);
    return next;
  }
  void complete(Candidate& next) { next.sums = setting_.sums(next.top.vectors, context_); }
  // F alone, which takes a fraction of the time of the sums where there are many columns.
  bool falls_below(double floor, const Candidate& next) const {
    return setting_.objective(next.top.vectors, context_) < floor;
  }

  double stationarity(Candidate& next) const {
    if (!next.bounds) next.bounds = spectral_bounds(next.sums.phi.view(), context_);
    return residual(next.sums.phi, next.top.vectors, next.bounds->norm());
  }

  StepReport move(Candidate next, double shift) {
    const double moved = projector_distance(next.top.vectors, W_);
    const double change =
        last_values_.size() ? (next.top.values - last_values_).norm() / last_values_.norm() : kFirstChange;
    // May be interrupted: nothing is moved yet.
    const double stationarity = this->stationarity(next);
    last_values_ = std::move(next.top.values);
    W_ = std::move(next.top.vectors);
    now_ = std::move(next.sums);
    bounds_ = next.bounds;
    return {now_.objective,
            setting_.options.stop == StopOn::residual ? stationarity : change,
            {stationarity, shift, moved}};
  }

  void keep(Archive& archive) {
    archive(W_, now_, eigen_, last_values_, setting_.pass);
    if (archive.restores()) bounds_.reset();
  }

  Climb finish(Summary summary, double start_objective) && {
    if (summary.iterations == 0) summary.objective = now_.objective;
    const EigenPlan& plan = eigen_.last_plan();  // still to be made where the backend did it all
    summary.used["eigen"] = plan.method == EigenMethod::automatic ? "dense: by the backend" : plan.reason;
    return {std::move(W_), start_objective, std::move(now_), {}, std::move(summary)};
  }

 private:
  const Setting& setting_;
  const RunContext& context_;
  EigenRequest request_;
  Matrix W_;
  PairSums now_;
  std::optional<SpectralBounds> bounds_;  // of Φ, once they were needed
  EigenSolver eigen_;
  Vector last_values_;  // of the Φ before: empty in the first step

  EigenPairs leading(const PhiMatrix& phi, double norm) { return leading_pairs(eigen_, phi, request_, context_, norm); }

  // The top q eigenvectors of Φ. A tie at the cut is broken towards W: a tiny shift lifts W's part of the tied
  // eigenspace and moves nothing else by more than its own size.
  EigenPairs top_vectors(double norm) {
    const Index q = W_.cols();
    EigenPairs top = require_complete(leading(now_.phi, norm), "Φ");
    const bool tied = q < now_.phi.size() && top.values[q - 1] - top.next <= kTie * norm;
    if (!tied) return top;
    constexpr double kTieBreak = 1e-7;
    const PhiMatrix nudged = shifted(now_.phi, W_, kTieBreak * std::max(norm, 1e-300));
    return require_complete(leading(nudged, norm), "Φ with the tie-breaking shift");
  }
};

// No shift could help, and a residual relative to 0 would look like convergence.
StepReport vanished(double objective) {
  StepReport flat{objective, kUnknown, {kUnknown, 0.0, 0.0}};
  flat.stalled = true;
  flat.note = "Φ vanishes: the kernel does not change over the distances of the data; give it another width or scale";
  return flat;
}

bool is_slow(const std::vector<double>& residuals) {
  if (residuals.size() <= kSlowSpan) return false;
  const double now = residuals.back(), before = residuals[residuals.size() - 1 - kSlowSpan];
  return now <= kNearby && now > kSlowShare * before;
}

StopRule stop_rule(const Options& options) {
  return {.tolerance = options.tolerance, .max_iterations = options.max_iterations};
}

const std::vector<std::string> kColumns = {"residual", "shift", "moved"};

}  // namespace

Climb climb_ism(const Setting& setting, Matrix start, WhenSlow slow, RunContext& context) {
  Spectral state(setting, std::move(start), context);
  const double start_objective = state.objective();
  LevelShift level;
  std::vector<double> residuals;

  const auto step = [&](int) -> StepReport {
    const SpectralBounds bounds = state.bounds();
    const double norm = bounds.norm(), width = bounds.highest - bounds.lowest;
    if (!(width > 0)) return vanished(state.objective());
    const double floor = state.objective() - kObjectiveRounding * std::abs(state.objective());
    // Whether F falls cannot be told within the error of a low-rank kernel. Then the residual decides: a step must
    // lower the least one so far, which no cycle can do twice.
    const auto undecided = [&](const Spectral::Candidate& next) {
      const double error = state.error() + next.sums.error.objective;
      return error > 0 && next.sums.objective >= floor - error;
    };
    const auto least = [&] { return residuals.empty() ? kFirstChange : *std::ranges::min_element(residuals); };
    double gap = kUnknown;  // of Φ without the shift
    const double first = level.begin(width);
    for (double shift = first;; shift = level.after_fall(gap)) {
      if (shift > kLargestShift * width) {
        const double stationarity = residual(state.phi(), state.W(), norm);
        StepReport report{state.objective(), stationarity, {stationarity, shift, 0.0}};
        report.stalled = true;
        report.note = state.error() > 0 ? kNoClimbWithin : kNoClimb;
        return report;
      }
      Spectral::Candidate next = state.propose(shift, norm);
      if (shift == 0 && next.top.vectors.cols() < next.top.vectors.rows())
        gap = next.top.values.tail(1)[0] - next.top.next;
      const bool may_well_fall = level.lowering() || shift > first;
      if (may_well_fall && state.error() == 0 && setting.problem.X.cols() >= kManyColumns &&
          state.falls_below(floor, next))
        continue;
      state.complete(next);
      if (next.sums.objective < floor && !(undecided(next) && state.stationarity(next) < least())) continue;
      StepReport report = state.move(std::move(next), shift);
      level.accept();
      residuals.push_back(report.extra[0]);
      if (slow == WhenSlow::leave && is_slow(residuals)) {
        report.stalled = true;
        report.note = "the spectral iteration converges slowly";
      }
      return report;
    }
  };
  Summary summary = iterate(step, stop_rule(setting.options), kColumns, context,
                            [&](Archive& archive) { archive(state, level, residuals); });
  return std::move(state).finish(std::move(summary), start_objective);
}

Climb climb_plain(const Setting& setting, Matrix start, RunContext& context) {
  Spectral state(setting, std::move(start), context);
  const double start_objective = state.objective();
  struct Point {
    Matrix W;
    double objective;
  };
  Point before{state.W(), state.objective()}, best = before;  // before: one step behind

  const auto step = [&](int) -> StepReport {
    const SpectralBounds bounds = state.bounds();
    if (!(bounds.highest > bounds.lowest)) return vanished(state.objective());
    Point last{state.W(), state.objective()};
    Spectral::Candidate next = state.propose(0, bounds.norm());
    state.complete(next);
    const double back = projector_distance(next.top.vectors, before.W);
    StepReport report = state.move(std::move(next), 0);
    if (state.objective() > best.objective) best = {state.W(), state.objective()};
    const double moved = report.extra[2];
    if (moved > 0 && back <= kCycleShare * moved) {
      best = last.objective > state.objective() ? last : Point{state.W(), state.objective()};
      report.stalled = true;
      report.note = fmt::format(
          "the plain iteration swings between two subspaces, with objectives {:.10g} and {:.10g}; the "
          "better one is kept (ism.solver ism settles)",
          last.objective, state.objective());
    }
    before = std::move(last);
    return report;
  };
  Summary summary = iterate(step, stop_rule(setting.options), kColumns, context, [&](Archive& archive) {
    archive(state, before.W, before.objective, best.W, best.objective);
  });
  Climb climb = std::move(state).finish(std::move(summary), start_objective);
  if (!climb.summary.converged() && best.objective > climb.sums->objective) {
    climb.W = std::move(best.W);
    climb.sums.reset();
    climb.summary.objective = best.objective;
  }
  return climb;
}

}  // namespace ritz::ism
