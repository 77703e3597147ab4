// SPDX-License-Identifier: MIT
// A fit to a sample of the pairs (docs/algorithms/ism.md, "A sample of the pairs").
//
// Samples in random order are cut into tiles, and each tile meets as many others as any other does. Every pair is as
// likely as any other to be in, so that the sums over the sample, times n(n − 1) over their number, have the sums over
// all pairs as their mean; and as every sample is in as many pairs as any other, what a single sample adds on average
// cancels. The sampled F is a function of W like any other: all solvers climb it as they are.
//
// W suits its own pairs better than others. Where a sweep over all pairs for F and ΦW, which is far cheaper than one
// for Φ, takes no longer than the fit has, it is made, and the fit goes on from W with sampled sums that are corrected
// to have that value and gradient there; so often as sweeps take no longer than fits. What is left wrong is of second
// order. Where not even one sweep is to be had, F comes from other draws, which are independent of each other: their
// spread is an interval for it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "algorithms/ism/parts.hpp"
#include "ritz/base/random.hpp"

namespace ritz::ism {

namespace {

constexpr Index kRows = TileSample::kRows;
constexpr Index kFewestTiles = 8;
constexpr Index kFewestSteps = 8;      // from tile to tile, where there are tiles enough
constexpr double kClosingShare = 0.5;  // of the tiles' products: what the closing product of a sweep, n·d², may take
constexpr double kEvaluation =
    190;                         // a kernel at a pair, in operations of a matrix product (60,000 images, one thread)
constexpr double kRough = 1e-3;  // tolerance of a fit that a sweep over all pairs follows
constexpr double kFinerThanKnown = 0.05;  // tolerance of one that met all pairs, in residuals over these
constexpr double kFirstSweep = 4;         // operations of the first sweep over all pairs, in those of the fits before
constexpr double kAllSweeps = 2;          // and of all of them
constexpr double kWorthASweep = 1e-3;     // of F: what a fit that met all pairs must gain, or the next gains nothing
constexpr int kDraws = 16;                // for the interval
constexpr double kStudent = 2.947;  // the 99.5 % quantile of Student's distribution with kDraws − 1 degrees of freedom

Index tiles_of(Index rows) { return tile_count(rows, kRows); }

// How many tiles of samples a draw takes, and how many steps from each to others.
struct Plan {
  Index rows, steps;
  double tiles() const { return double(tiles_of(rows)) * (double(steps) + 0.5); }  // pairs of them
  bool all(Index n) const { return rows == n && 2 * steps + 1 >= tiles_of(n); }
};

Plan plan_of(Index n, double pairs_of_tiles, double most_tiles) {
  const Index all = tiles_of(n);
  const Index tiles = std::clamp<Index>(Index(std::min(most_tiles, double(all))), std::min(kFewestTiles, all), all);
  const double steps = std::round(pairs_of_tiles / double(tiles) - 0.5);
  return {tiles == all ? n : tiles * kRows, std::clamp<Index>(Index(steps), 1, std::max<Index>(1, tiles / 2))};
}

Plan fit_plan(Index n, Index d, double share) {
  const double all = double(tiles_of(n)), pairs = std::max(1.0, share * all * all / 2);
  const double closing = kClosingShare * double(kRows) * pairs / double(d);
  return plan_of(n, pairs, std::min(closing, pairs / double(kFewestSteps)));
}

KernelSum kernel_of(KernelSum kernel, const std::vector<Index>& rows) {
  for (KernelTerm& term : kernel) {
    if (!term.sample_scale) continue;
    std::vector<double> scale;
    for (const Index row : rows) scale.push_back((*term.sample_scale)[std::size_t(row)]);
    term.sample_scale = std::make_shared<const std::vector<double>>(std::move(scale));
  }
  return kernel;
}

// One draw of pairs, and the problem that they make.
struct Draw {
  Samples X;
  Gamma gamma;
  KernelSum kernel;
  double own = 0;  // what the pairs of samples with themselves add to F, as weighted

  Draw(const Samples& whole, const Problem& problem, const Plan& plan, Rng rng)
      : Draw(whole, problem, plan, drawn_rows(whole.rows(), plan.rows, rng), rng) {}

 private:
  static std::vector<Index> drawn_rows(Index n, Index rows, Rng& rng) {
    std::vector<Index> order = rng.permutation(n);
    order.resize(std::size_t(rows));
    return order;
  }

  Draw(const Samples& whole, const Problem& problem, const Plan& plan, std::vector<Index> rows, Rng& rng)
      : X(whole, rows), gamma(gamma_of(problem.gamma, rows)), kernel(kernel_of(problem.kernel, rows)) {
    const Index tiles = tiles_of(plan.rows);
    auto sample = std::make_shared<TileSample>();
    sample->ahead.assign(std::size_t(tiles), false);
    sample->ahead[0] = true;
    for (const Index step : rng.sample(std::max<Index>(1, tiles / 2), std::min(plan.steps, tiles / 2)))
      sample->ahead[std::size_t(step + 1)] = sample->ahead[std::size_t(tiles - step - 1)] = true;
    double pairs = -double(plan.rows);
    for (Index a = 0; a < tiles; ++a)
      for (Index step = 0; step < tiles; ++step)
        if (sample->ahead[std::size_t(step)])
          pairs += double(tile_range(plan.rows, kRows, a).size()) *
                   double(tile_range(plan.rows, kRows, (a + step) % tiles).size());
    const double n = double(whole.rows());
    sample->own = sample->between = n * (n - 1) / pairs;
    own = sample->own * own_objective(gamma, kernel);
    gamma.pairs = std::move(sample);
  }

  static Gamma gamma_of(const Gamma& whole, const std::vector<Index>& rows) {
    Gamma some;
    some.factor = {whole.factor.basis(rows, Eigen::all), whole.factor.weights};
    some.class_count = whole.class_count;
    if (!whole.classes.empty())
      for (const Index row : rows) some.classes.push_back(whole.classes[std::size_t(row)]);
    return some;
  }

 public:
  // Σ Γ_ii K_ii: K_ii is the same for all samples where kernels are of differences.
  static double own_objective(const Gamma& gamma, const KernelSum& kernel) {
    double value = 0;
    for (const KernelTerm& term : kernel) value += term.weight * value_at_zero(term.kernel);
    return value * (gamma.factor.basis.cwiseAbs2() * gamma.factor.weights).sum();
  }
};

// Sums over a sample, with what is known of those over all pairs as control variate: F̃(W) = F̂(W) + Tr(WᵀCW) + a
// constant, so that Φ̃ = Φ̂ + C, with C as in Powell's symmetric update: of all changes that give F̃ the value and the
// gradient of F at one more W, the smallest.
class CorrectedPass final : public PairPass {
 public:
  CorrectedPass(PairPass& sampled, Index d) : sampled_(sampled), correction_(Matrix::Zero(d, d)) {}

  // From now on F̃ and its gradient at W are those of `all`.
  void meet(const Matrix& W, const KernelSum& kernel, const PairGradient& all, const RunContext& context) {
    const PairGradient here = gradient(W, kernel, context);
    const Matrix missing = all.phi_W - here.phi_W;
    const Matrix inside = W.transpose() * missing;
    const Matrix half = (missing - 0.25 * W * (inside + inside.transpose())) * W.transpose();
    correction_ += half + half.transpose();
    constant_ += all.objective - here.objective - inside.trace();
  }

  void set_gamma(Gamma) override {}
  PhiMatrix start_phi(const KernelSum& kernel, const RunContext& context) override {
    return sampled_.start_phi(kernel, context);
  }
  PairSums sums(BlockIn W, const KernelSum& kernel, const RunContext& context) override {
    PairSums sums = sampled_.sums(W, kernel, context);
    sums.phi = {DenseOperator{sums.phi.dense() + correction_}};
    sums.objective += added(W);
    return sums;
  }
  PairGradient gradient(BlockIn W, const KernelSum& kernel, const RunContext& context) override {
    PairGradient gradient = sampled_.gradient(W, kernel, context);
    gradient.phi_W += correction_ * W;
    gradient.objective += added(W);
    return gradient;
  }
  double objective(BlockIn W, const KernelSum& kernel, const RunContext& context) override {
    return sampled_.objective(W, kernel, context) + added(W);
  }
  Matrix curvature_product(BlockIn W, const KernelSum& kernel, BlockIn E, const RunContext& context) override {
    return sampled_.curvature_product(W, kernel, E, context);
  }
  double curvature_bound(BlockIn W, const KernelSum& kernel, const RunContext& context) override {
    return sampled_.curvature_bound(W, kernel, context);
  }
  RowMatrix kernel_product(BlockIn W, const KernelSum& kernel, DataView in, const RunContext& context) override {
    return sampled_.kernel_product(W, kernel, in, context);
  }
  std::string route_text(Index q, const KernelSum& kernel) const override { return sampled_.route_text(q, kernel); }
  Index sample_count() const override { return sampled_.sample_count(); }
  void keep(Archive& archive) override { sampled_.keep(archive); }

 private:
  PairPass& sampled_;
  Matrix correction_;
  double constant_ = 0;

  double added(BlockIn W) const { return inner(W, correction_ * W) + constant_; }
};

// Operations, to compare what is asked for with what has been done: the same at every rank, as no clock is.
struct Cost {
  double n, d, q, r;
  double pair() const { return 2 * q + 2 * r + kEvaluation; }
  double sums(double pairs_of_tiles, double rows) const {
    return pairs_of_tiles * double(kRows) * double(kRows) * (2 * d + pair()) + 2 * rows * d * d;
  }
  double all_gradient() const { return 0.5 * n * n * (2 * q + pair()) + 4 * n * d * q; }
};

// F by draws that had no part in the fit, from the projected samples alone; the same draws for any Z.
Vector drawn_objectives(const Problem& problem, const RowMatrix& Z, double operations, const Cost& cost,
                        const RunContext& context) {
  const Index q = Z.cols();
  const double pairs = std::max(1.0, operations / (double(kRows) * double(kRows) * cost.pair()) / kDraws);
  const Plan plan = plan_of(Z.rows(), pairs, pairs / 1.5);
  const Samples projected(Z);
  const Matrix same = Matrix::Identity(q, q);
  const double own = Draw::own_objective(problem.gamma, problem.kernel);
  Vector values(kDraws);
  for (int k = 0; k < kDraws; ++k) {
    const Draw draw(projected, problem, plan, Rng(context.seed, "pairs to estimate by", std::uint64_t(k)));
    const auto pass = cpu_backend().pair_pass(draw.X, draw.gamma);
    values[k] = pass->objective(same, draw.kernel, context) - draw.own + own;
  }
  return values;
}

void take_interval(Sampling& found, const Vector& values) {
  const double mean = values.mean();
  const double half = kStudent * std::sqrt((values.array() - mean).square().sum() / (kDraws - 1) / kDraws);
  found.estimate = mean;
  found.low = mean - half;
  found.high = mean + half;
}

// All terms are of differences, without a cheaper way to their sums than over pairs.
bool needs_sample(const Problem& problem, Index q) {
  const PairSizes sizes{problem.X.rows(), problem.X.cols(), q, problem.gamma.factor.basis.cols(),
                        !problem.gamma.classes.empty()};
  const auto tiled = [&](const KernelTerm& term) { return plan_pairs(term, sizes).tiled; };
  if (std::ranges::none_of(problem.kernel, tiled)) return false;
  for (const KernelTerm& term : problem.kernel)
    if (!tiled(term) || form_of(term.kernel) != PairForm::difference)
      throw Error(ErrorCode::bad_option,
                  fmt::format("ism.sample_pairs is for kernels of differences, such as gaussian; {} has a term of dot "
                              "products",
                              kernel_text(problem.kernel)));
  return true;
}

}  // namespace

Index sampled_rows(const PairSizes& sizes, double share) {
  return share > 0 ? fit_plan(sizes.n, sizes.d, share).rows : sizes.n;
}

namespace {

bool was_stopped(const Result& result) {
  const Termination why = result.summary.termination;
  return why == Termination::interrupted || why == Termination::time_limit || why == Termination::stopped_by_observer;
}

// A fit to a draw, and the fits that go on with what sweeps over all pairs have told.
class SampledFit {
 public:
  SampledFit(const Problem& whole, const Options& options, const Plan& plan, RunContext& context)
      : whole_(whole),
        options_(options),
        plan_(plan),
        context_(context),
        cost_{double(whole.X.rows()), double(whole.X.cols()), double(options.dimension),
              double(whole.gamma.factor.basis.cols())},
        draw_(whole.X, whole, plan, Rng(context.seed, "pairs to fit")) {
    options_.accuracy.sample_pairs = 0;
  }

  Result found(const Matrix& start) {
    Options rough = options_;
    if (options_.stop == StopOn::residual) rough.tolerance = std::max(options_.tolerance, kRough);
    result_ = solve(part(), rough, context_, start);
    fitted_ = operations(result_);
    if (!affordable()) go_on();
    const double own = Draw::own_objective(whole_.gamma, whole_.kernel), n = cost_.n;
    sampling_.rows = plan_.rows;
    sampling_.share = std::min(1.0, plan_.tiles() * 2 * double(kRows) * double(kRows) / (n * n));
    sampling_.fitted = result_.certificate.objective - draw_.own + own;
    try {
      refine();
      if (!std::isfinite(sampling_.exact) && !std::isfinite(sampling_.estimate))
        take_interval(sampling_, drawn(result_.W));
      certify_curvature();
    } catch (const Interrupted& interrupted) {
      result_.summary.notes.push_back(fmt::format("{} before all was known of F over all pairs", interrupted.text()));
    }
    const double objective = std::isfinite(sampling_.exact)      ? sampling_.exact
                             : std::isfinite(sampling_.estimate) ? sampling_.estimate
                                                                 : sampling_.fitted;
    result_.summary.objective = result_.certificate.objective = objective;
    result_.certificate.sampling = sampling_;
    return std::move(result_);
  }

 private:
  const Problem& whole_;
  Options options_;
  Plan plan_;
  RunContext& context_;
  Cost cost_;
  Draw draw_;
  Result result_;
  Sampling sampling_;
  std::shared_ptr<PairPass> sampled_;
  std::optional<CorrectedPass> corrected_;
  double fitted_ = 0, swept_ = 0;  // operations of fits to the sample, and of sweeps over all pairs

  Problem part() const { return {draw_.X, draw_.gamma, draw_.kernel}; }
  double operations(const Result& result) const {
    return double(result.summary.iterations + 1) * cost_.sums(plan_.tiles(), double(plan_.rows));
  }

  // One more sweep over all pairs.
  bool affordable() const {
    const double most = swept_ == 0 ? kFirstSweep : kAllSweeps;
    return !was_stopped(result_) && swept_ + cost_.all_gradient() <= most * fitted_;
  }

  Vector drawn(const Matrix& W) const {
    return drawn_objectives(whole_, whole_.X.project(W, context_), fitted_ / 4, cost_, context_);
  }

  // The first fit to its end, where no sweep over all pairs is to be had.
  void go_on() {
    if (was_stopped(result_) || options_.tolerance >= kRough || options_.stop == StopOn::eigenvalues) return;
    Options plain = options_;
    plain.restarts = 0;
    plain.max_iterations -= result_.summary.iterations;
    if (plain.max_iterations <= 0) return;
    Result next = solve(part(), plain, context_, result_.W);
    fitted_ += operations(next);
    join(std::move(next));
  }

  // A fit that met all pairs.
  void take(Result next) {
    join(std::move(next));
    sampling_.corrected = true;
  }
  void join(Result next) {
    next.start_objective = result_.start_objective;
    append(result_.summary, std::move(next.summary));
    next.summary = std::move(result_.summary);
    result_ = std::move(next);
  }

  // Sweeps over all pairs at the W of a fit, and fits that meet what they found.
  void refine() {
    std::shared_ptr<PairPass> pass;
    const auto sweep = [&](const Matrix& W) {
      if (!pass) pass = backend_or_cpu(context_).pair_pass(whole_.X, whole_.gamma);
      swept_ += cost_.all_gradient();
      return pass->gradient(W, whole_.kernel, context_);
    };
    if (!affordable()) return;
    PairGradient all = sweep(result_.W);
    note_exact(all);
    double gain = std::abs(all.objective);
    while (!was_stopped(result_) && sampling_.exact_first_order > options_.tolerance &&
           gain > kWorthASweep * std::abs(all.objective)) {
      Result next = refitted(all);
      fitted_ += operations(next);
      if (!affordable()) return take_if_drawn_higher(std::move(next), all.objective);
      const PairGradient there = sweep(next.W);
      gain = there.objective - all.objective;
      if (!(gain > 0)) return;
      take(std::move(next));
      all = there;
      note_exact(all);
    }
  }

  // Where no sweep is left to tell F: what it gained, by draws that both W are seen by, which differ far less than F
  // by each of them.
  void take_if_drawn_higher(Result next, double before) {
    const Vector gains = drawn(next.W) - drawn(result_.W);
    if (!(gains.mean() > 0)) return;
    take(std::move(next));
    take_interval(sampling_, gains.array() + before);
    sampling_.exact = sampling_.exact_first_order = kUnknown;
  }

  void note_exact(const PairGradient& all) {
    sampling_.exact = all.objective;
    sampling_.exact_first_order = outside(result_.W, all.phi_W).norm() / result_.certificate.phi_norm;
  }

  Result refitted(const PairGradient& all) {
    meet(all);
    Options again = options_;
    again.curvature = Effort::never;
    if (options_.stop == StopOn::residual)
      again.tolerance = std::max(options_.tolerance, kFinerThanKnown * sampling_.exact_first_order);
    again.accuracy.precision = Precision::full;
    again.restarts = 0;
    if (again.solver == Solver::best) again.solver = Solver::ism;  // its second order had its say in the first fit
    return solve({draw_.X, draw_.gamma, draw_.kernel, &*corrected_}, again, context_, result_.W);
  }

  // Of the last fit, where that was not the first.
  void certify_curvature() {
    if (!sampling_.corrected || options_.curvature == Effort::never) return;
    const Problem sampled{draw_.X, draw_.gamma, draw_.kernel, &*corrected_};
    const int sweeps = result_.summary.iterations;
    result_.certificate.curvature_note = no_curvature(sampled, result_.W.cols(), options_.curvature, sweeps);
    if (!result_.certificate.curvature_note.empty()) return;
    const PairSums sums = corrected_->sums(result_.W, draw_.kernel, context_);
    result_.certificate = certify(sampled, *corrected_, sums, result_.W, options_.curvature, context_, {}, sweeps);
  }

  void meet(const PairGradient& all) {
    if (!corrected_) {
      const Problem sampled = part();
      sampled_ = make_pass(sampled, {Precision::full, options_.accuracy.approximate}, context_);
      corrected_.emplace(*sampled_, whole_.X.cols());
    }
    corrected_->meet(result_.W, draw_.kernel, all, context_);
  }
};

}  // namespace

Result solve_sampled(const Problem& problem, const Options& options, RunContext& context, const Matrix& start) {
  if (problem.pass)
    throw Error(ErrorCode::bad_option, "ism.sample_pairs is for known labels or targets, not for clusters to be found");
  const Index n = problem.X.rows();
  const Plan plan = fit_plan(n, problem.X.cols(), options.accuracy.sample_pairs);
  const bool wanted = needs_sample(problem, options.dimension);
  if (wanted && !plan.all(n)) return SampledFit(problem, options, plan, context).found(start);
  Options plain = options;
  plain.accuracy.sample_pairs = 0;
  Result result = solve(problem, plain, context, start);
  result.summary.notes.push_back(wanted ? "all pairs were taken: a sample would hardly have been smaller"
                                        : "all pairs were taken: their sums cost no more than the samples are many");
  return result;
}

}  // namespace ritz::ism
