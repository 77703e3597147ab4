// SPDX-License-Identifier: MIT
#include "tasks/recluster/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "linalg/dense/dense.hpp"
#include "ritz/base/random.hpp"
#include "ritz/metrics/clustering.hpp"
#include "ritz/pairs/bandwidth.hpp"
#include "ritz/tasks/recluster.hpp"

namespace ritz {

namespace {

constexpr double kLeak = 1e-3;  // leaks below this are as good as none
// From a kernel that sees one cloud to one that sees single samples, in ratios of about √2.
constexpr double kMultiples[] = {0.8, 0.57, 0.4, 0.28, 0.2, 0.14, 0.1, 0.07, 0.05, 0.035};
constexpr double kShares[] = {10, 100};  // λ, in units of the balanced one: see balanced_lambda
constexpr Index kMostTried = 6;          // dimensions that are tried one by one; above, one more
constexpr Index kWidestTried = 12;
constexpr double kFineSigma = 1.189, kFineLambda = 3.16;  // ratios of a refinement
constexpr int kRefinements = 3;
constexpr double kResampleShare = 0.75;
constexpr std::size_t kFinalists = 3;
constexpr Index kOfDimension = 3;  // settings of each dimension that are solved
constexpr int kRefined = 3;        // dimensions that are refined: the best ones
constexpr int kSettleRounds = 50;
// Further clusterings. In a pairing of pieces the samples depend on what is known although the labels do not: a λ that
// forbids all dependence does not see them, so that the balanced one is tried.
constexpr double kSharesBeyond[] = {1};
constexpr Index kMostBeyond = 3;  // dimensions
constexpr std::size_t kOthers = 3;
constexpr double kSameClusters = 0.5;  // NMI from which on two clusterings are one
constexpr double kWorthTelling = 0.5;  // of the best score
// A setting is tried, not solved: few rounds, and no certificate.
constexpr int kTryRounds = 4, kTryIterations = 20, kTryMeans = 5;
constexpr double kTryTolerance = 1e-3;
constexpr Index kSmall = 1000;  // samples up to which handing work to threads takes longer than the work

struct Part {  // some of the samples, with their given labels
  RowMatrix rows;
  std::vector<Labels> given;
};

// A few samples of every given cluster, then any.
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
  Part part{RowMatrix(Index(rows.size()), X.cols()), {}};
  RowMatrix buffer;
  for (std::size_t i = 0; i < rows.size(); ++i)
    part.rows.row(Index(i)) =
        Eigen::Map<const Eigen::RowVectorXd>(X.rows_block({rows[i], rows[i] + 1}, buffer), X.cols());
  for (const Labels& labels : given) {
    Labels some{{}, labels.names};
    for (const Index i : rows) some.of.push_back(labels.of[std::size_t(i)]);
    part.given.push_back(std::move(some));
  }
  return part;
}

struct Trial {
  double multiple = 0, share = 0;  // σ/median, λ/balanced
  kdac::Result result;
  double score = 0;
  std::size_t place = 0;  // in the path
};

class Search {
 public:
  Search(const Samples& X, const std::vector<Labels>& given, const TuneFixed& fixed, const kdac::Options& how,
         const TuneOptions& options, RunContext& context)
      : fixed_(fixed),
        how_(how),
        options_(options),
        context_(context),
        part_(part_of(X, given, chosen_rows(given, X.rows(), std::min(options.tune_rows, X.rows()), context.seed, 0))),
        samples_(part_.rows),
        unit_(balanced_lambda(given, how.clusters) / kLambdaShare),
        median_(median_distance(X, context).value) {
    how_.init = Init::spectral;
    how_.restarts = 0;
    solve_roughly();
    how_.kmeans_starts = kTryMeans;
    how_.curvature = Effort::never;
    how_.solver = Solver::ism;
    how_.by_degree = ByDegree::always;
  }

  Tuning run() {
    std::string interrupted;
    try {
      const std::vector<double> weights = shares({std::begin(kShares), std::end(kShares)});
      const std::vector<Index> all = dimensions();
      const Index few = std::ranges::count_if(all, [](Index q) { return q <= kMostBeyond; });
      planned_ = int(weights.size() * multiples().size() * (2 * all.size() - 1)) +
                 int(kOfDimension * Index(all.size())) + 4 * kRefinements * kRefined +
                 int(multiples().size()) * int(few);
      sweep(weights, all);
      settle();
      refine();
      judge_finalists();
      look_beyond();
    } catch (const Interrupted& why) {
      if (tuning_.path.empty()) throw;
      interrupted = why.text();
    }
    return concluded(interrupted);
  }

 private:
  TuneFixed fixed_;
  kdac::Options how_;
  TuneOptions options_;
  RunContext& context_;
  Part part_;
  Samples samples_;
  double unit_;  // of λ for all samples: the balanced one
  double median_;
  Tuning tuning_;
  std::vector<Trial> kept_;  // the best of each place in the path that could win
  std::vector<Trial> met_;   // see remember()
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  int planned_ = 1;

  void solve_roughly() {
    how_.max_rounds = kTryRounds;
    how_.inner_iterations = kTryIterations;
    how_.inner_tolerance = kTryTolerance;
  }
  void solve_well() {
    how_.max_rounds = kSettleRounds;
    how_.inner_iterations = kdac::Options{}.inner_iterations;
    how_.inner_tolerance = kdac::Options{}.inner_tolerance;
  }

  std::vector<double> multiples() const {
    if (fixed_.sigma > 0) return {fixed_.sigma / median_};
    return {std::begin(kMultiples), std::end(kMultiples)};
  }
  std::vector<double> shares(std::vector<double> free) const {
    return std::isnan(fixed_.lambda) ? free : std::vector<double>{fixed_.lambda / unit_};
  }
  // Downwards. All columns leave nothing to choose: K would not depend on W.
  std::vector<Index> dimensions() const {
    if (fixed_.dimension > 0) return {fixed_.dimension};
    const Index most = std::max<Index>(1, samples_.cols() - 1);
    std::vector<Index> list;
    if (most > kMostTried) list.push_back(std::min(most, kWidestTried));
    for (Index q = std::min(most, kMostTried); q >= 1; --q) list.push_back(q);
    return list;
  }

  kdac::Result fit(const Part& part, const Samples& X, double multiple, double share, Index q, const Matrix& start) {
    RunContext inner = context_;
    inner.observer = {};
    if (X.rows() <= kSmall) inner.threads = 1;
    kdac::Options how = how_;
    how.dimension = q;
    const KernelSum kernel = parse_kernel(fmt::format("gaussian(sigma={})", number_text(multiple * median_)));
    return kdac::solve({X, kernel, part.given, share * balanced_lambda(part.given, how.clusters) / kLambdaShare}, how,
                       inner, start);
  }

  Trial attempt(double multiple, double share, Index q, const Matrix& start, const std::string& kind) {
    Trial trial{multiple, share, fit(part_, samples_, multiple, share, q, start)};
    const kdac::Result& result = trial.result;
    const Separation separation = cluster_separation(result.found.embedding, result.found.labels);
    trial.score = degenerate(result, how_.clusters).empty()
                      ? separation.held * std::max(0.0, separation.value) * (1 - result.worst_novelty())
                      : 0;
    trial.place = tuning_.path.size();
    tuning_.path.push_back({multiple, multiple * median_, share * unit_, q, result.quality, separation.value,
                            result.worst_novelty(), kUnknown, trial.score, kind});
    kept_.push_back(trial);
    prune();
    remember(trial);
    report(trial.score);
    return trial;
  }

  // The best of each clustering that was met.
  void remember(const Trial& trial) {
    if (!(trial.score > 0) || trial.result.worst_novelty() > kSameClusters) return;
    const auto like =
        std::ranges::find_if(met_, [&](const Trial& other) { return agreement(trial, other) > kSameClusters; });
    if (like == met_.end())
      met_.push_back(trial);
    else if (trial.score > like->score)
      *like = trial;
    std::ranges::stable_sort(met_, [](const Trial& a, const Trial& b) { return a.score > b.score; });
    if (met_.size() > kOthers + 1) met_.pop_back();
  }
  static double agreement(const Trial& a, const Trial& b) {
    return normalised_mutual_information(a.result.found.labels, b.result.found.labels);
  }

  // The best settings of each dimension, and no more: a result holds its samples.
  void prune() {
    std::vector<std::size_t> order(kept_.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return kept_[a].score > kept_[b].score; });
    std::vector<Trial> best;
    for (const std::size_t i : order) {
      const bool known = std::ranges::any_of(best, [&](const Trial& other) { return same_setting(kept_[i], other); });
      const auto like =
          std::ranges::count_if(best, [&](const Trial& other) { return columns(other) == columns(kept_[i]); });
      if (known || like == kOfDimension) continue;
      best.push_back(std::move(kept_[i]));
    }
    kept_ = std::move(best);
  }

  static Index columns(const Trial& candidate) { return candidate.result.found.W.cols(); }
  static bool same_setting(const Trial& a, const Trial& b) {
    return a.multiple == b.multiple && a.share == b.share && columns(a) == columns(b);
  }

  void report(double score) {
    if (!context_.observer) return;
    const std::string path = context_.path.empty() ? "tune" : context_.path + "/tune";
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    const int done = int(tuning_.path.size());
    context_.observer({path, done, score, 1 - std::min(1.0, double(done) / planned_), seconds});
  }

  void sweep(const std::vector<double>& shares, const std::vector<Index>& all) {
    for (const double share : shares) {
      std::map<Index, Matrix> wider;  // W of the kernel before, by dimension
      for (const double multiple : multiples()) {
        std::map<Index, Matrix> here;
        const Matrix* larger = nullptr;  // of the next larger dimension
        for (const Index q : all) {
          Trial best = attempt(multiple, share, q, wider.contains(q) ? wider[q] : Matrix(), "wide");
          if (larger) {  // columns of W are ordered by what they add: the leading ones are a start of their own
            Trial other = attempt(multiple, share, q, larger->leftCols(q), "narrow");
            if (other.score > best.score) best = std::move(other);
          }
          here[q] = ordered(best);
          larger = &here[q];
        }
        wider = std::move(here);
      }
    }
  }

  // W in the basis that diagonalises WᵀΦW, largest first.
  Matrix ordered(const Trial& candidate) {
    const clustering::Result& found = candidate.result.found;
    const KernelSum kernel = parse_kernel(fmt::format("gaussian(sigma={})", number_text(candidate.multiple * median_)));
    const PairSums sums = backend_or_cpu(context_).pair_pass(samples_, found.gamma)->sums(found.W, kernel, context_);
    return found.W * symmetric_eigen(found.W.transpose() * sums.phi.times(found.W)).vectors;
  }

  void refine() {
    std::vector<Index> done;
    for (int each = 0; each < kRefined; ++each) {
      const auto next = std::ranges::find_if(
          kept_, [&](const Trial& some) { return std::ranges::find(done, columns(some)) == done.end(); });
      if (next == kept_.end()) return;
      done.push_back(columns(*next));
      refine_dimension(columns(*next));
    }
  }

  const Trial& best_of(Index q) const {
    return *std::ranges::find_if(kept_, [&](const Trial& some) { return columns(some) == q; });
  }

  void refine_dimension(Index q) {
    for (int round = 0; round < kRefinements; ++round) {
      const Trial best = best_of(q);
      if (!(best.score > 0)) return;
      if (!(fixed_.sigma > 0))
        for (const double ratio : {1 / kFineSigma, kFineSigma})
          attempt(best.multiple * ratio, best.share, q, best.result.found.W, "refine");
      if (std::isnan(fixed_.lambda))
        for (const double ratio : {1 / kFineLambda, kFineLambda})
          attempt(best.multiple, best.share * ratio, q, best.result.found.W, "refine");
      if (!(best_of(q).score > 1.001 * best.score)) return;
    }
  }

  // Labels from resamples, carried over to all samples of the search.
  double stability(const Trial& candidate) {
    double sum = 0;
    const Index n = samples_.rows(), count = std::max<Index>(how_.clusters + 2, Index(kResampleShare * double(n)));
    for (int r = 0; r < options_.tune_resamples; ++r) {
      const Part some = part_of(samples_, part_.given,
                                chosen_rows(part_.given, n, std::min(n, count), context_.seed, std::uint64_t(r) + 1));
      const Samples X(some.rows);
      const kdac::Result again =
          fit(some, X, candidate.multiple, candidate.share, candidate.result.found.W.cols(), candidate.result.found.W);
      const std::vector<int> labels =
          predict_clusters(again.found.model, samples_.project(again.found.W, context_), context_);
      sum += normalised_mutual_information(labels, candidate.result.found.labels);
    }
    return options_.tune_resamples > 0 ? sum / options_.tune_resamples : 1;
  }

  // Few rounds may pass by a good place and not stay: the best settings are solved, and judged again.
  void settle() {
    std::vector<Trial> best = std::move(kept_);
    kept_.clear();
    solve_well();
    try {
      for (const Trial& each : best)
        attempt(each.multiple, each.share, each.result.found.W.cols(), each.result.found.W, "settled");
    } catch (const Interrupted&) {
      if (kept_.empty()) kept_ = std::move(best);
      throw;
    }
  }

  void judge_finalists() {
    for (std::size_t i = 0; i < std::min(kept_.size(), kFinalists); ++i) {
      TuneStep& step = tuning_.path[kept_[i].place];
      step.stability = stability(kept_[i]);
      kept_[i].score *= step.stability;
      step.score = kept_[i].score;
    }
    kept_.resize(std::min(kept_.size(), kFinalists));
  }

  const Trial& best_kept() const {
    return *std::ranges::max_element(kept_, {}, [](const Trial& trial) { return trial.score; });
  }

  // Further clusterings: what was met, and what a short search finds, with the chosen one among the given.
  void look_beyond() {
    const Trial winner = best_kept();
    if (!(winner.score > 0)) return;
    const std::vector<Trial> met = std::exchange(met_, {}), finalists = std::exchange(kept_, {});
    const std::vector<Labels> given = part_.given;
    const double unit = unit_, size = balanced_lambda(given, how_.clusters);
    Labels chosen{winner.result.found.labels, {}};
    for (Index c = 1; c <= how_.clusters; ++c) chosen.names.push_back(std::to_string(c));
    part_.given.push_back(std::move(chosen));
    unit_ *= balanced_lambda(part_.given, how_.clusters) / size;  // as if all samples were shared out as these are
    try {
      for (const Trial& trial : met)
        if (agreement(trial, winner) <= kSameClusters)
          attempt(trial.multiple, trial.share, columns(trial), trial.result.found.W, "beyond");
      solve_roughly();
      std::vector<Index> few = dimensions();
      if (fixed_.dimension == 0) std::erase_if(few, [](Index q) { return q > kMostBeyond; });
      // Each from the samples themselves: from a wide kernel, which sees no pieces, all would end in the same place.
      for (const double share : shares({std::begin(kSharesBeyond), std::end(kSharesBeyond)}))
        for (const double multiple : multiples())
          for (const Index q : few) attempt(multiple, share, q, {}, "beyond");
      solve_well();
      for (const Trial& trial : std::exchange(met_, {})) {
        if (trial.score < kWorthTelling * winner.score) continue;
        const Trial solved = attempt(trial.multiple, trial.share, columns(trial), trial.result.found.W, "beyond");
        TuneStep& step = tuning_.path[solved.place];
        step.stability = stability(solved);
        step.score *= step.stability;
        if (step.score < kWorthTelling * winner.score || step.novelty > kSameClusters) continue;
        tuning_.others.push_back({step, solved.share, solved.result.found.W, solved.result.found.model});
      }
      std::ranges::stable_sort(tuning_.others,
                               [](const Candidate& a, const Candidate& b) { return a.step.score > b.step.score; });
    } catch (const Interrupted&) {
      restore(finalists, given, unit);
      throw;
    }
    restore(finalists, given, unit);
  }
  void restore(const std::vector<Trial>& finalists, const std::vector<Labels>& given, double unit) {
    kept_ = finalists;
    part_.given = given;
    unit_ = unit;
  }

  Tuning concluded(const std::string& interrupted) {
    const Trial& winner = best_kept();
    const TuneStep& step = tuning_.path[winner.place];
    tuning_.chosen = winner.place;
    tuning_.sigma = winner.multiple * median_;
    tuning_.lambda = winner.share * unit_;
    tuning_.W = winner.result.found.W;
    tuning_.interrupted = interrupted;
    tuning_.reason = fmt::format(
        "sigma {:.4g} ({:.3g} medians), lambda {:.4g}, {} dimensions: score {:.3g} (separation {:.3g}, novelty {:.3f}, "
        "stability {:.3f}), the best of {} settings tried on {} samples",
        tuning_.sigma, winner.multiple, tuning_.lambda, step.dimension, winner.score, step.separation, step.novelty,
        step.stability, tuning_.path.size(), samples_.rows());
    return std::move(tuning_);
  }
};

// Part of the variance of U's rows, scaled to length 1, that lies between the clusters.
double explained(const Matrix& U, const std::vector<int>& labels) {
  const Index n = U.rows(), k = U.cols();
  Matrix sums = Matrix::Zero(std::ranges::max(labels) + 1, k);
  Vector counts = Vector::Zero(sums.rows());
  double total = 0;
  for (Index i = 0; i < n; ++i) {
    const double norm = U.row(i).norm();
    if (!(norm > 0)) continue;
    const int c = labels[std::size_t(i)];
    sums.row(c) += U.row(i) / norm;
    counts[c] += 1;
    total += 1;
  }
  double between = 0;
  for (Index c = 0; c < sums.rows(); ++c)
    if (counts[c] > 0) between += sums.row(c).squaredNorm() / counts[c];
  const double mean = sums.colwise().sum().squaredNorm() / std::max(1.0, total);
  return total - mean > 0 ? (between - mean) / (total - mean) : 0;
}

}  // namespace

Separation cluster_separation(const Embedding& embedding, const std::vector<int>& labels) {
  const Vector& values = embedding.values;
  const Index k = values.size();
  const auto gap = [](double before, double after) {
    const auto leak = [](double value) { return std::max(0.0, 1 - value) + kLeak; };
    return std::log(leak(after) / leak(before));
  };
  Separation clusters{gap(values[k - 2], values[k - 1]), values.head(k - 1).mean()};
  const double pieces = std::isnan(embedding.next) ? 0 : gap(values[k - 1], embedding.next);
  if (!(pieces > clusters.value)) return clusters;
  const Separation joined{pieces * explained(embedding.U, labels), values.mean()};
  return joined.value > clusters.value ? joined : clusters;
}

Tuning tune_kdac(const Samples& X, const std::vector<Labels>& given, const TuneFixed& fixed, const kdac::Options& how,
                 const TuneOptions& options, RunContext& context) {
  check(options);
  return Search(X, given, fixed, how, options, context).run();
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

}  // namespace ritz
