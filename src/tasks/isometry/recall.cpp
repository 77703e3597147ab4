// SPDX-License-Identifier: MIT
// Rows that keep nearest neighbours. Candidates are fitted to a part of the samples and judged by queries among the
// others; the one that they choose is fitted once more, to all.
#include "linalg/dense/dense.hpp"
#include "linalg/tall_products.hpp"
#include "pairs/neighbours.hpp"
#include "ritz/base/random.hpp"
#include "ritz/pairs/backend.hpp"
#include "tasks/isometry/task.hpp"

namespace ritz::isometry {

namespace {

using Neighbours = std::vector<std::vector<Index>>;

constexpr double kMixtures[] = {0, 0.25, 0.5, 0.75, 0.9, 1};  // of the scatter of near samples; 0: principal components
constexpr double kPulls[] = {100, 10, 1, 0.1};                // towards the mixture, one after the other
constexpr Index kAsked = 10;
constexpr Index kMostHeld = 1000, kFewestHeld = 10;  // queries; with fewer nothing can be chosen
constexpr double kHeld = 0.25;                       // of the samples
constexpr Index kMostTerms = 120'000;                // pairs of a query with near and far samples

RowMatrix images(const RowMatrix& X, const Matrix& psi, const RunContext& context) {
  return tall_product(X, Matrix(psi.transpose()), context);
}

// What is learned of some samples.
class Candidates {
 public:
  Candidates(const RowMatrix& X, Index k, Index rank, const RunContext& context)
      : X_(X), k_(std::min(k, X.rows() - 1)), rank_(rank), context_(context) {
    const Index n = X.rows();
    queries_ = Rng(context.seed, "isometry scatter").sample(n, std::min(n, kMostQueries));
    truth_ = neighbours_of(queries_, X, k_, context);
    RowMatrix secants(Index(queries_.size()) * k_, X.cols());
    for (std::size_t q = 0; q < queries_.size(); ++q)
      for (std::size_t j = 0; j < truth_[q].size(); ++j)
        secants.row(Index(q) * k_ + Index(j)) = X.row(queries_[q]) - X.row(truth_[q][j]);
    const RowMatrix centred = X.rowwise() - X.colwise().mean();
    all_ = tall_weighted_gram(centred, Vector::Ones(n), context);
    near_ = tall_weighted_gram(secants, Vector::Ones(secants.rows()), context);
    if (!(all_.trace() > 0)) fail(ErrorCode::bad_data, "all samples are equal: no neighbour is nearer than another");
    all_ /= all_.trace();
    near_ /= std::max(near_.trace(), std::numeric_limits<double>::min());
    double most = -1;
    for (const double mixture : kMixtures) {
      const double recall = recall_of(mixed(mixture));
      if (recall > most) most = recall, best_mixture_ = mixture;
    }
  }

  double best_mixture() const { return best_mixture_; }  // by the neighbours of these samples
  Matrix mixed(double mixture) const {
    return symmetric_eigen((1 - mixture) * all_ + mixture * near_).vectors.leftCols(rank_).transpose();
  }
  double recall_of(const Matrix& psi) const {
    return kept(truth_, neighbours_of(queries_, images(X_, psi, context_), k_, context_)).mean();
  }
  // From the mixture on, by the order of near and far samples; one for each of the first `count` pulls.
  std::vector<Matrix> learned(double mixture, std::size_t count) const {
    const Matrix anchor = mixed(mixture);
    const Index some = std::clamp<Index>(kMostTerms / (6 * k_), 1, Index(queries_.size()));
    const std::vector<Index> queries(queries_.begin(), queries_.begin() + some);
    const Index n = X_.rows();
    const auto wide = neighbours_of(queries, X_, std::min(4 * k_, n - 1), context_);
    const auto shown = neighbours_of(queries, images(X_, anchor, context_), std::min(2 * k_, n - 1), context_);
    std::vector<NearAndFar> each(queries.size());
    for (std::size_t q = 0; q < queries.size(); ++q) {
      each[q] = {queries[q], truth_[q], {}};
      std::vector<Index> both;
      std::ranges::set_union(wide[q], shown[q], std::back_inserter(both));
      std::ranges::set_difference(both, truth_[q], std::back_inserter(each[q].far));
    }
    std::vector<Matrix> found;
    for (std::size_t p = 0; p < count; ++p)
      found.push_back(keep_nearer(X_, each, p == 0 ? anchor : found.back(), anchor, kPulls[p], context_));
    return found;
  }

 private:
  const RowMatrix& X_;
  Index k_, rank_;
  const RunContext& context_;
  std::vector<Index> queries_;
  Neighbours truth_;
  Matrix all_, near_;
  double best_mixture_ = 0;
};

// The candidate that keeps most of some queries, a column each; the first one, principal components, where the gain
// over it is within its standard error.
Index chosen(const Matrix& share) {
  Index best = 0;
  share.colwise().mean().maxCoeff(&best);
  const Vector gain = share.col(best) - share.col(0);
  const double error = std::sqrt((gain.array() - gain.mean()).square().mean() / double(gain.size()));
  return gain.mean() > error ? best : 0;
}

// Chosen by either half of the queries, measured on the other one.
double crossed(const Matrix& share) {
  const Index half = share.rows() / 2, rest = share.rows() - half;
  return (share.bottomRows(rest).col(chosen(share.topRows(half))).sum() +
          share.topRows(half).col(chosen(share.bottomRows(rest))).sum()) /
         double(share.rows());
}

struct Choice {
  double mixture = 0;
  std::size_t pulls = 0;  // 0: the mixture itself
};

Choice choose(const RowMatrix& X, Index k, Index rank, IsometryResult& found, const RunContext& context) {
  const Index n = X.rows(), held = std::min(kMostHeld, Index(kHeld * double(n)));
  if (held < kFewestHeld || n - held < 2 * k) return {};
  const std::vector<Index> order = Rng(context.seed, "isometry holdout").permutation(n);
  const std::vector<Index> out(order.begin(), order.begin() + held), in(order.begin() + held, order.end());
  const RowMatrix queries = X(out, Eigen::all), points = X(in, Eigen::all);
  const auto nearest = [&](const RowMatrix& from, const RowMatrix& to) {
    const NeighbourTable table = cross_neighbours(from, to, k, context);
    Neighbours rows(out.size());
    for (std::size_t q = 0; q < out.size(); ++q) {
      const auto row = table.rows_of(Index(q));
      rows[q].assign(row.begin(), row.end());
      std::ranges::sort(rows[q]);
    }
    return rows;
  };
  const Candidates candidates(points, k, rank, context);
  std::vector<Choice> choices = {{}};
  std::vector<Matrix> rows = {candidates.mixed(0)};
  if (candidates.best_mixture() > 0) {
    choices.push_back({candidates.best_mixture(), 0});
    rows.push_back(candidates.mixed(candidates.best_mixture()));
  }
  std::size_t pulls = 0;
  for (Matrix& psi : candidates.learned(candidates.best_mixture(), std::size(kPulls))) {
    choices.push_back({candidates.best_mixture(), ++pulls});
    rows.push_back(std::move(psi));
  }
  const Neighbours truth = nearest(queries, points);
  Matrix share(held, Index(rows.size()));
  for (std::size_t c = 0; c < rows.size(); ++c)
    share.col(Index(c)) = kept(truth, nearest(images(queries, rows[c], context), images(points, rows[c], context)));
  found.search_queries = held;
  found.search_recall = crossed(share);
  found.search_principal = share.col(0).mean();
  for (Index c = 0; c < share.cols(); ++c) found.fit.trials.push_back({rank, true, 1 - share.col(c).mean(), 0});
  return choices[std::size_t(chosen(share))];
}

}  // namespace

Neighbours neighbours_of(const std::vector<Index>& queries, const RowMatrix& X, Index k, const RunContext& context) {
  RowMatrix some(Index(queries.size()), X.cols());
  for (std::size_t q = 0; q < queries.size(); ++q) some.row(Index(q)) = X.row(queries[q]);
  const NeighbourTable table = cross_neighbours(some, X, k + 1, context);
  Neighbours found(queries.size());
  for (std::size_t q = 0; q < queries.size(); ++q) {
    for (const Index j : table.rows_of(Index(q)))
      if (j != queries[q] && Index(found[q].size()) < k) found[q].push_back(j);
    std::ranges::sort(found[q]);
  }
  return found;
}

Vector kept(const Neighbours& truth, const Neighbours& found) {
  Vector share(Index(truth.size()));
  for (std::size_t q = 0; q < truth.size(); ++q) {
    const auto hits = std::ranges::count_if(found[q], [&](Index j) { return std::ranges::binary_search(truth[q], j); });
    share(Index(q)) = double(hits) / double(truth[q].size());
  }
  return share;
}

void fit_recall(const RowMatrix& X, const IsometryOptions& options, IsometryResult& found, RunContext& context) {
  Summary& summary = found.fit.summary;
  const PhaseTimer timer(summary.seconds, "solve");
  const Index n = X.rows(), k = std::min(options.recall > 0 ? options.recall : kAsked, n - 1), rank = options.how.rank;
  const Candidates candidates(X, k, rank, context);
  const Choice choice = choose(X, k, rank, found, context);
  const Matrix principal = candidates.mixed(0);
  found.fit.psi =
      choice.pulls == 0 ? candidates.mixed(choice.mixture) : candidates.learned(choice.mixture, choice.pulls).back();
  summary.objective = candidates.recall_of(found.fit.psi);
  std::string what = choice.mixture == 0
                         ? "principal components"
                         : fmt::format("{:g} of the scatter of near samples, the rest of all", choice.mixture);
  if (choice.pulls > 0)
    what += fmt::format(", moved to keep near samples nearer than far ones (pull {:g})", kPulls[choice.pulls - 1]);
  if (const double least = candidates.recall_of(principal); !(summary.objective >= least)) {
    found.fit.psi = principal;
    summary.objective = least;
    what = "principal components";
  }
  summary.used["mixture"] = what;
  const auto meter = backend_or_cpu(context).distance_sweep(X, found.pairs, context);
  centre_ratios(found.fit.psi, meter->sweep(found.fit.psi, {}, context));
  const Sweep first = meter->sweep(found.fit.psi, {}, context);
  SweepRequest request;
  request.band = first.distortion;
  request.listed = 10;
  request.bins = 200;
  found.fit.sweep = meter->sweep(found.fit.psi, request, context);
  found.fit.distortion = found.fit.sweep.distortion;
  found.fit.trace = found.fit.psi.squaredNorm();
  summary.termination = Termination::converged;
  summary.message = "the rows that keep most neighbours of queries held out";
  summary.iterations = int(found.fit.trials.size());
}

}  // namespace ritz::isometry
