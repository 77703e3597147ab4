// SPDX-License-Identifier: MIT
#include "tasks/recluster/trials.hpp"

#include "linalg/dense/dense.hpp"
#include "metrics/clustering.hpp"
#include "pairs/bandwidth.hpp"
#include "ritz/base/random.hpp"
#include "ritz/pairs/backend.hpp"
#include "tasks/projection/null.hpp"
#include "tasks/recluster/tune.hpp"

namespace ritz::recluster {

namespace {

constexpr int kSettleRounds = 50;
constexpr int kTryRounds = 4, kTryIterations = 20, kTryMeans = 5;
constexpr double kTryTolerance = 1e-3;
constexpr double kResampleShare = 0.75;
constexpr Index kOfDimension = 3;    // settings of each dimension that are kept: a result holds its samples
constexpr int kMostJudged = 8;       // settings
constexpr std::size_t kMostMet = 4;  // clusterings
constexpr Index kSmall = 1000;       // samples up to which handing work to threads takes longer than the work

bool same_setting(const Trial& a, const Trial& b) {
  return a.multiple == b.multiple && a.share == b.share && a.columns() == b.columns();
}

void sort_by_score(std::vector<Trial>& trials) {
  std::ranges::stable_sort(trials, [](const Trial& a, const Trial& b) { return a.score > b.score; });
}

}  // namespace

double agreement(const Trial& a, const Trial& b) {
  return normalised_mutual_information(a.result.found.labels, b.result.found.labels);
}

Trials::Trials(const Samples& X, const std::vector<Labels>& given, const kdac::Options& how, const TuneOptions& options,
               std::vector<TuneStep>& path, RunContext& context)
    : how_(how),
      options_(options),
      context_(context),
      part_(part_of(X, given, chosen_rows(given, X.rows(), std::min(options.tune_rows, X.rows()), context.seed, 0))),
      samples_(part_.rows),
      unit_(balanced_lambda(given, how.clusters) / kLambdaShare),
      median_(median_distance(X, context).value),
      path_(path) {
  how_.init = Init::spectral;
  how_.restarts = 0;
  solve_roughly();
  how_.kmeans_starts = kTryMeans;
  how_.curvature = Effort::never;
  how_.solver = Solver::ism;
  how_.by_degree = ByDegree::always;
}

Trials::Trials(const Trials& before, Labels more)
    : how_(before.how_),
      options_(before.options_),
      context_(before.context_),
      part_(before.part_),
      samples_(part_.rows),
      median_(before.median_),
      path_(before.path_),
      watch_(before.watch_),
      planned_(before.planned_) {
  part_.given.push_back(std::move(more));
  // As if all samples were shared out as these are.
  unit_ =
      before.unit_ * (balanced_lambda(part_.given, how_.clusters) / balanced_lambda(before.part_.given, how_.clusters));
}

void Trials::solve_roughly() {
  how_.max_rounds = kTryRounds;
  how_.inner_iterations = kTryIterations;
  how_.inner_tolerance = kTryTolerance;
}

void Trials::solve_well() {
  how_.max_rounds = kSettleRounds;
  how_.inner_iterations = kdac::Options{}.inner_iterations;
  how_.inner_tolerance = kdac::Options{}.inner_tolerance;
}

KernelSum Trials::kernel(double multiple) const {
  return parse_kernel(fmt::format("gaussian(sigma={})", number_text(multiple * median_)));
}

kdac::Result Trials::fit(const Part& part, const Samples& X, double multiple, double share, Index q,
                         const Matrix& start) {
  RunContext inner = context_;
  inner.observer = {};
  if (X.rows() <= kSmall) inner.threads = 1;
  kdac::Options how = how_;
  how.dimension = q;
  const double lambda = share * balanced_lambda(part.given, how.clusters) / kLambdaShare;
  return kdac::solve({X, kernel(multiple), part.given, lambda}, how, inner, start);
}

Trial Trials::attempt(double multiple, double share, Index q, const Matrix& start, const std::string& kind) {
  Trial trial{multiple, share, fit(part_, samples_, multiple, share, q, start)};
  const kdac::Result& result = trial.result;
  const Separation separation = cluster_separation(result.found.embedding, result.found.labels);
  trial.score = degenerate(result, how_.clusters).empty()
                    ? separation.held * std::max(0.0, separation.value) * (1 - result.worst_novelty())
                    : 0;
  trial.place = path_.size();
  path_.push_back({multiple, multiple * median_, share * unit_, q, result.quality, separation.value,
                   result.worst_novelty(), kUnknown, trial.score, kind});
  keep(trial);
  remember(trial);
  report(trial.score);
  return trial;
}

void Trials::keep(const Trial& trial) {
  kept_.push_back(trial);
  sort_by_score(kept_);
  std::vector<Trial> best;
  for (Trial& each : kept_) {
    const bool known = std::ranges::any_of(best, [&](const Trial& other) { return same_setting(each, other); });
    const auto like =
        std::ranges::count_if(best, [&](const Trial& other) { return other.columns() == each.columns(); });
    if (!known && like < kOfDimension) best.push_back(std::move(each));
  }
  kept_ = std::move(best);
}

void Trials::remember(const Trial& trial) {
  if (!(trial.score > 0) || trial.result.worst_novelty() > kSameClusters) return;
  const auto like =
      std::ranges::find_if(met_, [&](const Trial& other) { return agreement(trial, other) > kSameClusters; });
  if (like == met_.end())
    met_.push_back(trial);
  else if (trial.score > like->score)
    *like = trial;
  sort_by_score(met_);
  if (met_.size() > kMostMet) met_.pop_back();
}

void Trials::report(double score) {
  if (!context_.observer) return;
  const std::string path = context_.nested("tune").path;
  const int done = int(path_.size());
  context_.observer({path, done, score, 1 - std::min(1.0, double(done) / planned_), watch_.seconds()});
}

void Trials::settle() {
  const std::vector<Trial> best = std::exchange(kept_, {});
  solve_well();
  try {
    for (const Trial& each : best) attempt(each.multiple, each.share, each.columns(), each.result.found.W, "settled");
  } catch (const Interrupted&) {
    if (kept_.empty()) kept_ = best;
    throw;
  }
}

void Trials::judge() {
  const auto open = [&](const Trial& trial) { return std::isnan(step(trial).stability); };
  solve_roughly();  // from the W that was found
  for (int judged_so_far = 0; judged_so_far < kMostJudged; ++judged_so_far) {
    Trial& best = *std::ranges::max_element(kept_, {}, &Trial::score);
    if (!open(best)) break;
    TuneStep& judged = step(best);
    judged.stability = stability(best);
    judged.score = best.score *= judged.stability;
  }
  solve_well();
  std::erase_if(kept_, open);
}

double Trials::stability(const Trial& trial) {
  const clustering::Result& found = trial.result.found;
  double sum = 0;
  const Index n = samples_.rows(), count = std::max<Index>(how_.clusters + 2, Index(kResampleShare * double(n)));
  for (int r = 0; r < options_.tune_resamples; ++r) {
    const Part some = part_of(samples_, part_.given,
                              chosen_rows(part_.given, n, std::min(n, count), context_.seed, std::uint64_t(r) + 1));
    const Samples X(some.rows);
    const kdac::Result again = fit(some, X, trial.multiple, trial.share, trial.columns(), found.W);
    const std::vector<int> labels =
        predict_clusters(again.found.model, samples_.project(again.found.W, context_), context_);
    sum += normalised_mutual_information(labels, found.labels);
  }
  return options_.tune_resamples > 0 ? sum / options_.tune_resamples : 1;
}

Matrix Trials::ordered(const Trial& trial) {
  const clustering::Result& found = trial.result.found;
  const PairSums sums =
      backend_or_cpu(context_).pair_pass(samples_, found.gamma)->sums(found.W, kernel(trial.multiple), context_);
  return found.W * symmetric_eigen(found.W.transpose() * sums.phi.times(found.W)).vectors;
}

const Trial& Trials::best() const { return *std::ranges::max_element(kept_, {}, &Trial::score); }

const Trial& Trials::best_of(Index q) const {
  return *std::ranges::find_if(kept_, [&](const Trial& some) { return some.columns() == q; });
}

std::vector<Trial> Trials::take_met() { return std::exchange(met_, {}); }

std::vector<Index> chosen_rows(const std::vector<Labels>& given, Index n, Index count, std::uint64_t seed,
                               std::uint64_t place) {
  const std::vector<Index> order = Rng(seed, "tune", place).permutation(n);
  constexpr int kOfEach = 2;
  std::vector<bool> taken(std::size_t(n), false);
  Index have = 0;
  for (const Labels& labels : given) {
    std::map<int, int> seen;
    for (const Index i : order)
      if (++seen[labels.of[std::size_t(i)]] <= kOfEach && !taken[std::size_t(i)]) {
        taken[std::size_t(i)] = true;
        ++have;
      }
  }
  for (const Index i : order)
    if (have < count && !taken[std::size_t(i)]) {
      taken[std::size_t(i)] = true;
      ++have;
    }
  std::vector<Index> rows;
  for (Index i = 0; i < n; ++i)
    if (taken[std::size_t(i)]) rows.push_back(i);
  return rows;
}

Part part_of(const Samples& X, const std::vector<Labels>& given, const std::vector<Index>& rows) {
  Part part{projection::some_rows(X, rows), {}};
  for (const Labels& labels : given) {
    Labels some{{}, labels.names};
    for (const Index i : rows) some.of.push_back(labels.of[std::size_t(i)]);
    part.given.push_back(std::move(some));
  }
  return part;
}

dependence::Null shuffled_columns(const kdac::Problem& problem, const kdac::Options& how, const Matrix& W,
                                  int permutations, const RunContext& context) {
  const Index n = problem.X.rows();
  kdac::Options quick = how;
  quick.restarts = 0;
  quick.init = Init::spectral;
  quick.curvature = Effort::never;
  quick.max_rounds = kTryRounds;
  quick.inner_iterations = kTryIterations;
  quick.inner_tolerance = kTryTolerance;
  quick.kmeans_starts = 1;
  const Part part =
      part_of(problem.X, problem.given, chosen_rows(problem.given, n, std::min(n, kNullRows), context.seed, 0));
  const double lambda = problem.lambda * double(n) / double(part.rows.rows());
  const auto clarity = [&](const RowMatrix& rows) {
    const Samples X(rows);
    RunContext inner = context;
    inner.observer = {};
    inner.threads = 1;
    double best = 0;
    for (const Matrix& start : {Matrix(), W}) {
      const kdac::Result found = kdac::solve({X, problem.kernel, part.given, lambda}, quick, inner, start);
      const Separation apart = cluster_separation(found.found.embedding, found.found.labels);
      const double clear = !found.by_degree                          ? found.quality
                           : degenerate(found, how.clusters).empty() ? apart.held * std::max(0.0, apart.value)
                                                                     : 0.0;
      best = std::max(best, clear);
    }
    return best;
  };
  return projection::shuffled_columns(part.rows, permutations, clarity, context);
}

Matrix settled_on_parts(const kdac::Problem& problem, const kdac::Options& how, Matrix W, RunContext& context) {
  constexpr Index kFirstPart = 2000, kGrowth = 4;
  const Index n = problem.X.rows();
  kdac::Options quick = how;
  quick.dimension = W.cols();
  quick.restarts = 0;
  quick.init = Init::spectral;
  quick.curvature = Effort::never;
  for (Index count = kFirstPart; count < n / 2; count *= kGrowth) {
    const Part part =
        part_of(problem.X, problem.given, chosen_rows(problem.given, n, count, context.seed, std::uint64_t(count)));
    const Samples some(part.rows);
    RunContext inner = context.nested(fmt::format("{} samples", count));
    W = kdac::solve({some, problem.kernel, part.given, problem.lambda * double(n) / double(some.rows())}, quick, inner,
                    W)
            .found.W;
  }
  return W;
}

}  // namespace ritz::recluster
