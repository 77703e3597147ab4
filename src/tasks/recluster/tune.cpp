// SPDX-License-Identifier: MIT
#include "tasks/recluster/tune.hpp"

#include <set>

#include "tasks/recluster/trials.hpp"

namespace ritz::recluster {

namespace {

// From a kernel that sees one cloud to one that sees single samples, in ratios of about √2.
constexpr double kMultiples[] = {0.8, 0.57, 0.4, 0.28, 0.2, 0.14, 0.1, 0.07, 0.05, 0.035};
constexpr double kShares[] = {10, 100};  // λ, in units of the balanced one: see balanced_lambda
constexpr std::size_t kLeading = 3;      // dimensions that are tried with the second λ, too
constexpr Index kMostTried = 6;          // dimensions that are tried one by one; above, one more
constexpr Index kWidestTried = 12;
constexpr Index kSettled = 3;                             // settings of each dimension that are solved
constexpr double kFineSigma = 1.189, kFineLambda = 3.16;  // ratios of a refinement
constexpr int kRefinements = 3;
constexpr int kRefined = 3;  // dimensions that are refined: the best ones
// Further clusterings. In a pairing of pieces the samples depend on what is known although the labels do not: a λ that
// forbids all dependence does not see them, so that the balanced one is tried.
constexpr double kSharesBeyond[] = {1};
constexpr Index kMostBeyond = 3;       // dimensions
constexpr double kWorthTelling = 0.5;  // of the best score

class Search {
 public:
  Search(const Samples& X, const std::vector<Labels>& given, const TuneFixed& fixed, const kdac::Options& how,
         const TuneOptions& options, RunContext& context)
      : fixed_(fixed), trials_(X, given, how, options, tuning_.path, context) {}

  Tuning run() {
    try {
      trials_.plan(planned_steps());
      sweep();
      trials_.settle();
      refine();
      trials_.judge();
      choose(trials_.best());
      look_beyond();
    } catch (const Interrupted& why) {
      if (tuning_.path.empty()) throw;
      tuning_.interrupted = why.text();
    }
    return concluded();
  }

 private:
  TuneFixed fixed_;
  Tuning tuning_;
  Trials trials_;
  Candidate chosen_;  // once there are finalists

  static Candidate candidate(const Trial& trial, const TuneStep& step) {
    return {step, trial.share, trial.result.found.W, trial.result.found.model};
  }
  void choose(const Trial& trial) {
    tuning_.chosen = trial.place;
    chosen_ = candidate(trial, tuning_.path[trial.place]);
  }

  std::vector<double> multiples() const {
    if (fixed_.sigma > 0) return {fixed_.sigma / trials_.median()};
    return {std::begin(kMultiples), std::end(kMultiples)};
  }
  std::vector<double> shares(std::vector<double> free, const Trials& trials) const {
    return std::isnan(fixed_.lambda) ? free : std::vector<double>{fixed_.lambda / trials.unit()};
  }
  std::vector<double> shares() const { return shares({std::begin(kShares), std::end(kShares)}, trials_); }
  // Downwards. All columns leave nothing to choose: K would not depend on W.
  std::vector<Index> dimensions() const {
    if (fixed_.dimension > 0) return {fixed_.dimension};
    const Index most = std::max<Index>(1, trials_.samples().cols() - 1);
    std::vector<Index> list;
    if (most > kMostTried) list.push_back(std::min(most, kWidestTried));
    for (Index q = std::min(most, kMostTried); q >= 1; --q) list.push_back(q);
    return list;
  }

  int planned_steps() const {
    const std::vector<Index> all = dimensions();
    const auto few = std::ranges::count_if(all, [](Index q) { return q <= kMostBeyond; });
    const std::size_t again = (shares().size() - 1) * (2 * std::min(kLeading, all.size()) - 1);
    return int(multiples().size() * (2 * all.size() - 1 + again)) + int(kSettled * Index(all.size())) +
           4 * kRefinements * kRefined + int(multiples().size()) * int(few);
  }

  // Of those that were tried, the dimensions with the best settings, downwards.
  std::vector<Index> leading_dimensions() const {
    std::set<Index, std::greater<>> best;
    for (const Trial& trial : trials_.kept())
      if (best.size() < kLeading) best.insert(trial.columns());
    return {best.begin(), best.end()};
  }

  void sweep() {
    std::vector<Index> all = dimensions();
    for (const double share : shares()) {
      std::map<Index, Matrix> wider;  // W of the kernel before, by dimension
      std::set<Index> blind;          // dimensions in which K ≈ I: a narrower kernel sees less still
      for (const double multiple : multiples()) {
        std::map<Index, Matrix> here;
        const Matrix* larger = nullptr;  // of the next larger dimension
        for (const Index q : all) {
          if (blind.contains(q)) continue;
          Trial best = trials_.attempt(multiple, share, q, wider.contains(q) ? wider[q] : Matrix(), "wide");
          if (larger) {  // columns of W are ordered by what they add: the leading ones are a start of their own
            Trial other = trials_.attempt(multiple, share, q, larger->leftCols(q), "narrow");
            if (other.score > best.score) best = std::move(other);
          }
          if (best.result.found.embedding.identity) blind.insert(q);
          here[q] = trials_.ordered(best);
          larger = &here[q];
        }
        wider = std::move(here);
      }
      all = leading_dimensions();  // another λ moves the best width, hardly the dimensions that are worth a try
    }
  }

  void refine() {
    std::vector<Index> done;
    for (int each = 0; each < kRefined; ++each) {
      const auto next = std::ranges::find_if(
          trials_.kept(), [&](const Trial& some) { return std::ranges::find(done, some.columns()) == done.end(); });
      if (next == trials_.kept().end()) return;
      done.push_back(next->columns());
      refine_dimension(done.back());
    }
  }

  void refine_dimension(Index q) {
    for (int round = 0; round < kRefinements; ++round) {
      const Trial best = trials_.best_of(q);
      if (!(best.score > 0)) return;
      if (!(fixed_.sigma > 0))
        for (const double ratio : {1 / kFineSigma, kFineSigma})
          trials_.attempt(best.multiple * ratio, best.share, q, best.result.found.W, "refine");
      if (std::isnan(fixed_.lambda))
        for (const double ratio : {1 / kFineLambda, kFineLambda})
          trials_.attempt(best.multiple, best.share * ratio, q, best.result.found.W, "refine");
      if (!(trials_.best_of(q).score > 1.001 * best.score)) return;
    }
  }

  // Further clusterings: what was met, and what a short search finds, with the chosen one among the given.
  void look_beyond() {
    const Trial winner = trials_.best();
    if (!(winner.score > 0)) return;
    Trials beyond(trials_, {winner.result.found.labels, numbered_names("", trials_.clusters())});
    for (const Trial& trial : trials_.take_met())
      if (agreement(trial, winner) <= kSameClusters)
        beyond.attempt(trial.multiple, trial.share, trial.columns(), trial.result.found.W, "beyond");
    beyond.solve_roughly();
    std::vector<Index> few = dimensions();
    if (fixed_.dimension == 0) std::erase_if(few, [](Index q) { return q > kMostBeyond; });
    // Each from the samples themselves: from a wide kernel, which sees no pieces, all would end in the same place.
    for (const double share : shares({std::begin(kSharesBeyond), std::end(kSharesBeyond)}, beyond))
      for (const double multiple : multiples())
        for (const Index q : few) beyond.attempt(multiple, share, q, {}, "beyond");
    beyond.solve_well();
    for (const Trial& trial : beyond.take_met()) {
      if (trial.score < kWorthTelling * winner.score) continue;
      const Trial solved = beyond.attempt(trial.multiple, trial.share, trial.columns(), trial.result.found.W, "beyond");
      TuneStep& step = beyond.step(solved);
      step.stability = beyond.stability(solved);
      step.score *= step.stability;
      if (step.score < kWorthTelling * winner.score || step.novelty > kSameClusters) continue;
      // One that is better although it also had to differ from the chosen one takes its place.
      if (step.score > chosen_.step.score) {
        tuning_.others.push_back(std::exchange(chosen_, candidate(solved, step)));
        tuning_.chosen = solved.place;
      } else {
        tuning_.others.push_back(candidate(solved, step));
      }
    }
    std::ranges::stable_sort(tuning_.others,
                             [](const Candidate& a, const Candidate& b) { return a.step.score > b.step.score; });
  }

  Tuning concluded() {
    if (chosen_.W.size() == 0) choose(trials_.best());  // interrupted before there were finalists
    const TuneStep& step = chosen_.step;
    tuning_.sigma = step.sigma;
    tuning_.lambda = chosen_.share * trials_.unit();
    tuning_.W = chosen_.W;
    tuning_.reason = fmt::format(
        "sigma {:.4g} ({:.3g} medians), lambda {:.4g}, {} dimensions: score {:.3g} (separation {:.3g}, novelty {:.3f}, "
        "stability {:.3f}), the best of {} settings tried on {} samples",
        tuning_.sigma, step.multiple, tuning_.lambda, step.dimension, step.score, step.separation, step.novelty,
        step.stability, tuning_.path.size(), trials_.samples().rows());
    return std::move(tuning_);
  }
};

constexpr double kLeak = 1e-3;  // leaks below this are as good as none
// Below this share of an even one, a cluster is a few outliers.
constexpr double kTinyShare = 0.05;
// Eigenvalue k + 1 within this part of eigenvalue k: the next direction is as good as the last one taken.
constexpr double kNoGap = 1e-6;

// Half of the samples are tied to all others together by less than this part of what ties them to themselves: nearly
// all eigenvalues are near 1, and a gap among them tells no clusters apart.
constexpr double kTied = 0.01;

bool mostly_alone(const clustering::Result& found) {
  if (found.embedding.degrees.size() == 0) return false;
  double at_zero = 0;
  for (const KernelTerm& term : found.model.kernel) at_zero += term.weight * value_at_zero(term.kernel);
  std::vector<double> degrees(found.embedding.degrees.begin(), found.embedding.degrees.end());
  const auto middle = degrees.begin() + std::ptrdiff_t(degrees.size() / 2);
  std::ranges::nth_element(degrees, middle);
  return *middle <= (1 + kTied) * at_zero;
}

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

Tuning tune_kdac(const Samples& X, const std::vector<Labels>& given, const TuneFixed& fixed, const kdac::Options& how,
                 const TuneOptions& options, RunContext& context) {
  ritz::check(options);
  return Search(X, given, fixed, how, options, context).run();
}

double balanced_lambda(const std::vector<Labels>& given, Index clusters) {
  double size = 0;
  for (const Labels& labels : given) {
    const double n = double(labels.size());
    size += n;
    for (const Index count : labels.counts()) size -= double(count) * double(count) / n;
  }
  return size > 0 ? kLambdaShare * double(clusters) / size : 0;
}

std::string degenerate(const kdac::Result& result, Index clusters) {
  if (result.found.embedding.identity)
    return "the kernel is numerically the identity, every sample is its own cluster; raise recluster.sigma, for "
           "example to "
           "0.2*median";
  if (mostly_alone(result.found))
    return "the kernel ties most samples to themselves alone; raise recluster.sigma, for example to 0.2*median";
  const std::vector<int>& labels = result.found.labels;
  std::vector<Index> counts(std::size_t(clusters), 0);
  for (const int label : labels) ++counts[std::size_t(label)];
  const Index smallest = std::ranges::min(counts);
  if (double(smallest) < kTinyShare * double(labels.size()) / double(clusters))
    return fmt::format("the smallest of {} clusters has {} of {} samples", clusters, smallest, labels.size());
  const Vector& values = result.found.embedding.values;
  if (!(result.gap > kNoGap * std::abs(values[0])))
    return fmt::format(
        "eigenvalue {} of the kernel matrix, {:.6g}, is no larger than the next one: the kernel tells "
        "no clusters apart (a wider one may)",
        values.size(), values.tail(1)[0]);
  return "";
}

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

}  // namespace ritz::recluster
