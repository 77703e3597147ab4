// SPDX-License-Identifier: MIT
// A fit to a sample of the pairs (docs/algorithms/ism.md, "A sample of the pairs").
//
// Samples in random order are cut into tiles, and each tile meets as many others as any other does. Every pair is as
// likely as any other to be in, so that the sums over the sample, times n(n − 1) over their number, have the sums over
// all pairs as their mean; and as every sample is in as many pairs as any other, what a single sample adds on average
// cancels. The sampled F is a function of W like any other: all solvers climb it as they are.
//
// W suits its own pairs better than others, so that F over all of them comes from other draws, which are independent of
// each other: their spread is an interval for F. Where a sweep over all pairs takes no longer than the fit has, it is
// made, and F is exact.
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
constexpr double kEvaluation = 40;     // a kernel at a pair, in operations of a matrix product
constexpr int kDraws = 16;             // for the interval
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

// Sums over a sample, with Φ over all pairs at one W as control variate: Φ̃ = Φ̂ + C with C = Φ − Φ̂ there, which is
// half the gradient of F̃(W) = F̂(W) + Tr(WᵀCW) + a constant.
class CorrectedPass final : public PairPass {
 public:
  CorrectedPass(PairPass& sampled, const KernelSum& kernel, const Matrix& W, const PairSums& all,
                const RunContext& context)
      : sampled_(sampled) {
    const PairSums here = sampled.sums(W, kernel, context);
    correction_ = all.phi.dense() - here.phi.dense();
    constant_ = all.objective - here.objective - added(W);
  }
  void set_gamma(Gamma) override {}
  PhiMatrix start_phi(const KernelSum& kernel, const RunContext& context) override {
    return sampled_.start_phi(kernel, context);
  }
  PairSums sums(BlockIn W, const KernelSum& kernel, const RunContext& context) override {
    PairSums sums = sampled_.sums(W, kernel, context);
    sums.phi = {DenseOperator{sums.phi.dense() + correction_}};
    sums.objective += added(W) + constant_;
    return sums;
  }
  PairGradient gradient(BlockIn W, const KernelSum& kernel, const RunContext& context) override {
    PairGradient gradient = sampled_.gradient(W, kernel, context);
    gradient.phi_W += correction_ * W;
    gradient.objective += added(W) + constant_;
    return gradient;
  }
  double objective(BlockIn W, const KernelSum& kernel, const RunContext& context) override {
    return sampled_.objective(W, kernel, context) + added(W) + constant_;
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

  double added(BlockIn W) const { return inner(W, correction_ * W); }
};

// Operations, to compare what is asked for with what has been done: the same at every rank, as no clock is.
struct Cost {
  double n, d, q, r;
  double pair() const { return 2 * q + 2 * r + kEvaluation; }
  double sums(double pairs_of_tiles, double rows) const {
    return pairs_of_tiles * double(kRows) * double(kRows) * (2 * d + pair()) + 2 * rows * d * d;
  }
  double all_sums() const { return 0.5 * n * n * (2 * d + pair()) + 2 * n * d * d; }
  double all_gradient() const { return 0.5 * n * n * (2 * q + pair()) + 4 * n * d * q; }
};

// F by draws that had no part in the fit, from the projected samples alone.
void estimate(Sampling& found, const Problem& problem, const RowMatrix& Z, double operations, const Cost& cost,
              const RunContext& context) {
  const Index n = Z.rows(), q = Z.cols();
  const double pairs = std::max(1.0, operations / (double(kRows) * double(kRows) * cost.pair()) / kDraws);
  const Plan plan = plan_of(n, pairs, pairs / 1.5);
  const Samples projected(Z);
  const Matrix same = Matrix::Identity(q, q);
  const double own = Draw::own_objective(problem.gamma, problem.kernel);
  std::vector<double> values;
  for (int k = 0; k < kDraws; ++k) {
    const Draw draw(projected, problem, plan, Rng(context.seed, "pairs to estimate by", std::uint64_t(k)));
    const auto pass = cpu_backend().pair_pass(draw.X, draw.gamma);
    values.push_back(pass->objective(same, draw.kernel, context) - draw.own + own);
  }
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / kDraws;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double half = kStudent * std::sqrt(squares / (kDraws - 1) / kDraws);
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

Result solve_sampled(const Problem& problem, const Options& options, RunContext& context, const Matrix& start) {
  const Index n = problem.X.rows(), d = problem.X.cols(), q = options.dimension;
  if (problem.pass)
    throw Error(ErrorCode::bad_option, "ism.sample_pairs is for known labels or targets, not for clusters to be found");
  Options plain = options;
  plain.accuracy.sample_pairs = 0;
  const Plan plan = fit_plan(n, d, options.accuracy.sample_pairs);
  const bool wanted = needs_sample(problem, q);
  if (!wanted || plan.all(n)) {
    Result result = solve(problem, plain, context, start);
    result.summary.notes.push_back(wanted ? "all pairs were taken: a sample would hardly have been smaller"
                                          : "all pairs were taken: their sums cost no more than the samples are many");
    return result;
  }
  const Cost cost{double(n), double(d), double(q), double(problem.gamma.factor.basis.cols())};
  const Draw draw(problem.X, problem, plan, Rng(context.seed, "pairs to fit"));
  const Problem part{draw.X, draw.gamma, draw.kernel};
  Result result = solve(part, plain, context, start);
  const double own = Draw::own_objective(problem.gamma, problem.kernel);
  Sampling sampling;
  sampling.rows = plan.rows;
  sampling.share = std::min(1.0, plan.tiles() * 2 * double(kRows) * double(kRows) / (double(n) * double(n)));
  sampling.fitted = result.certificate.objective - draw.own + own;
  double spent = double(result.summary.iterations + 1) * cost.sums(plan.tiles(), double(plan.rows));
  const auto stopped = [&] {
    const Termination why = result.summary.termination;
    return why == Termination::interrupted || why == Termination::time_limit || why == Termination::stopped_by_observer;
  };
  try {
    if (!stopped() && cost.all_sums() <= spent) {
      const auto pass = backend_or_cpu(context).pair_pass(problem.X, problem.gamma);
      const PairSums all = pass->sums(result.W, problem.kernel, context);
      const auto sampled = make_pass(part, plain.accuracy, context);
      CorrectedPass corrected(*sampled, draw.kernel, result.W, all, context);
      Result better = solve({draw.X, draw.gamma, draw.kernel, &corrected}, plain, context, result.W);
      better.start_objective = result.start_objective;
      append(result.summary, std::move(better.summary));
      better.summary = std::move(result.summary);
      result = std::move(better);
      sampling.corrected = true;
      spent += cost.all_sums();
    }
    const RowMatrix Z = problem.X.project(result.W, context);
    estimate(sampling, problem, Z, spent / 4, cost, context);
    if (!stopped() && cost.all_gradient() <= spent) {
      const auto pass = backend_or_cpu(context).pair_pass(problem.X, problem.gamma);
      const PairGradient all = pass->gradient(result.W, problem.kernel, context);
      sampling.exact = all.objective;
      sampling.exact_first_order = outside(result.W, all.phi_W).norm() / result.certificate.phi_norm;
    }
  } catch (const Interrupted& interrupted) {
    result.summary.notes.push_back(fmt::format("{} before F over all pairs was estimated", interrupted.text()));
  }
  const double objective = std::isfinite(sampling.exact)      ? sampling.exact
                           : std::isfinite(sampling.estimate) ? sampling.estimate
                                                              : sampling.fitted;
  result.summary.objective = result.certificate.objective = objective;
  result.certificate.sampling = sampling;
  return result;
}

}  // namespace ritz::ism
