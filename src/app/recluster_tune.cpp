// SPDX-License-Identifier: MIT
#include "ritz/app/recluster_tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <numeric>

#include "ritz/app/recluster.hpp"
#include "ritz/base/random.hpp"
#include "ritz/metrics/clustering.hpp"
#include "ritz/model/bandwidth.hpp"

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

struct Candidate {
  double multiple = 0, share = 0;  // σ/median, λ/balanced
  kdac::Result result;
  double score = 0;
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
        balanced_all_(balanced_lambda(given, how.clusters) / kLambdaShare),
        median_(median_distance(X, context).value) {
    how_.init = Init::spectral;
    how_.restarts = 0;
    how_.max_rounds = kTryRounds;
    how_.inner_iterations = kTryIterations;
    how_.inner_tolerance = kTryTolerance;
    how_.kmeans_starts = kTryMeans;
    how_.curvature = Effort::never;
    how_.solver = Solver::ism;
    how_.by_degree = ByDegree::always;
  }

  Tuning run() {
    std::string interrupted;
    try {
      sweep();
      settle();
      refine();
      judge_finalists();
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
  double balanced_all_, median_;
  Tuning tuning_;
  std::vector<Candidate> kept_;     // the best of each place in the path that could win
  std::vector<std::size_t> place_;  // of each in the path
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  int planned_ = 1;

  std::vector<double> multiples() const {
    if (fixed_.sigma > 0) return {fixed_.sigma / median_};
    return {std::begin(kMultiples), std::end(kMultiples)};
  }
  std::vector<double> shares() const {
    if (!std::isnan(fixed_.lambda)) return {fixed_.lambda / balanced_all_};
    return {std::begin(kShares), std::end(kShares)};
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

  Candidate attempt(double multiple, double share, Index q, const Matrix& start, const std::string& kind) {
    Candidate candidate{multiple, share, fit(part_, samples_, multiple, share, q, start)};
    const kdac::Result& result = candidate.result;
    const Vector& values = result.found.embedding.values;
    const double separation = cluster_separation(values);
    const double held = values.head(values.size() - 1).mean();
    candidate.score =
        degenerate(result, how_.clusters).empty() ? held * std::max(0.0, separation) * (1 - result.worst_novelty()) : 0;
    TuneStep step{multiple,
                  multiple * median_,
                  share * balanced_all_,
                  q,
                  result.quality,
                  separation,
                  result.worst_novelty(),
                  kUnknown,
                  candidate.score,
                  kind};
    tuning_.path.push_back(step);
    kept_.push_back(candidate);
    place_.push_back(tuning_.path.size() - 1);
    prune();
    report(candidate.score);
    return candidate;
  }

  // The best settings of each dimension, and no more: a result holds its samples.
  void prune() {
    std::vector<std::size_t> order(kept_.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return kept_[a].score > kept_[b].score; });
    std::vector<Candidate> best;
    std::vector<std::size_t> place;
    for (const std::size_t i : order) {
      const bool known =
          std::ranges::any_of(best, [&](const Candidate& other) { return same_setting(kept_[i], other); });
      const auto like =
          std::ranges::count_if(best, [&](const Candidate& other) { return columns(other) == columns(kept_[i]); });
      if (known || like == kOfDimension) continue;
      best.push_back(std::move(kept_[i]));
      place.push_back(place_[i]);
    }
    kept_ = std::move(best);
    place_ = std::move(place);
  }

  static Index columns(const Candidate& candidate) { return candidate.result.found.W.cols(); }
  static bool same_setting(const Candidate& a, const Candidate& b) {
    return a.multiple == b.multiple && a.share == b.share && columns(a) == columns(b);
  }

  void report(double score) {
    if (!context_.observer) return;
    const std::string path = context_.path.empty() ? "tune" : context_.path + "/tune";
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    const int done = int(tuning_.path.size());
    context_.observer({path, done, score, 1 - std::min(1.0, double(done) / planned_), seconds});
  }

  void sweep() {
    const std::vector<Index> all = dimensions();
    planned_ = int(shares().size() * multiples().size() * (2 * all.size() - 1)) +
               int(kOfDimension * Index(all.size())) + 4 * kRefinements * kRefined;
    for (const double share : shares()) {
      std::map<Index, Matrix> wider;  // W of the kernel before, by dimension
      for (const double multiple : multiples()) {
        std::map<Index, Matrix> here;
        const Matrix* larger = nullptr;  // of the next larger dimension
        for (const Index q : all) {
          Candidate best = attempt(multiple, share, q, wider.contains(q) ? wider[q] : Matrix(), "wide");
          if (larger) {  // columns of W are ordered by what they add: the leading ones are a start of their own
            Candidate other = attempt(multiple, share, q, larger->leftCols(q), "narrow");
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
  Matrix ordered(const Candidate& candidate) {
    const clustering::Result& found = candidate.result.found;
    const KernelSum kernel = parse_kernel(fmt::format("gaussian(sigma={})", number_text(candidate.multiple * median_)));
    const PairSums sums = backend_or_cpu(context_).pair_pass(samples_, found.gamma)->sums(found.W, kernel, context_);
    const Eigen::SelfAdjointEigenSolver<Matrix> inside(Matrix(found.W.transpose() * sums.phi.times(found.W)));
    return found.W * inside.eigenvectors().rowwise().reverse();
  }

  void refine() {
    std::vector<Index> done;
    for (int each = 0; each < kRefined; ++each) {
      const auto next = std::ranges::find_if(
          kept_, [&](const Candidate& some) { return std::ranges::find(done, columns(some)) == done.end(); });
      if (next == kept_.end()) return;
      done.push_back(columns(*next));
      refine_dimension(columns(*next));
    }
  }

  const Candidate& best_of(Index q) const {
    return *std::ranges::find_if(kept_, [&](const Candidate& some) { return columns(some) == q; });
  }

  void refine_dimension(Index q) {
    for (int round = 0; round < kRefinements; ++round) {
      const Candidate best = best_of(q);
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
  double stability(const Candidate& candidate) {
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
    std::vector<Candidate> best = std::move(kept_);
    kept_.clear();
    place_.clear();
    how_.max_rounds = kSettleRounds;
    how_.inner_iterations = kdac::Options{}.inner_iterations;
    how_.inner_tolerance = kdac::Options{}.inner_tolerance;
    try {
      for (const Candidate& each : best)
        attempt(each.multiple, each.share, each.result.found.W.cols(), each.result.found.W, "settled");
    } catch (const Interrupted&) {
      if (kept_.empty()) kept_ = std::move(best), place_.assign(kept_.size(), tuning_.path.size() - 1);
      throw;
    }
  }

  void judge_finalists() {
    for (std::size_t i = 0; i < std::min(kept_.size(), kFinalists); ++i) {
      TuneStep& step = tuning_.path[place_[i]];
      step.stability = stability(kept_[i]);
      kept_[i].score *= step.stability;
      step.score = kept_[i].score;
    }
    kept_.resize(std::min(kept_.size(), kFinalists));
  }

  Tuning concluded(const std::string& interrupted) {
    const auto best =
        std::ranges::max_element(kept_, {}, [](const Candidate& candidate) { return candidate.score; }) - kept_.begin();
    const Candidate& winner = kept_[std::size_t(best)];
    const TuneStep& step = tuning_.path[place_[std::size_t(best)]];
    tuning_.chosen = place_[std::size_t(best)];
    tuning_.sigma = winner.multiple * median_;
    tuning_.lambda = winner.share * balanced_all_;
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

}  // namespace

double cluster_separation(const Vector& values) {
  const Index k = values.size();
  const auto leak = [](double value) { return std::max(0.0, 1 - value) + kLeak; };
  return std::log(leak(values[k - 1]) / leak(values[k - 2]));
}

Tuning tune_kdac(const Samples& X, const std::vector<Labels>& given, const TuneFixed& fixed, const kdac::Options& how,
                 const TuneOptions& options, RunContext& context) {
  check(options);
  return Search(X, given, fixed, how, options, context).run();
}

}  // namespace ritz
