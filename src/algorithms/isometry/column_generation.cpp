// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>

#include "algorithms/isometry/search.hpp"
#include "ritz/base/iterate.hpp"
#include "ritz/base/random.hpp"
#include "ritz/pairs/backend.hpp"

namespace ritz::isometry {

namespace {

constexpr Index kAllPairs = 5000;        // so many are taken at once, without column generation
constexpr Index kFirstRank = 16;         // of the principal components whose worst pairs are the first ones
constexpr Index kMostWorking = 150'000;  // pairs; then those far inside the band are left out
constexpr Index kFirstLevel = 400;       // points that the search for the rank begins with, where there are many
constexpr Index kLevelFactor = 4;        // from one level to the next
constexpr double kRoom = 0.01;           // of the band, where a sweep is dear
// Of the excess over all pairs: how nearly a working set is met, where there are levels.
constexpr double kSlack = 0.05;
constexpr double kDisturbance = 0.3;  // of a start, of the size of an entry

}  // namespace

ColumnGeneration::ColumnGeneration(const Problem& problem, const Options& options, const RunContext& context)
    : options_(options), context_(context), reduced_(reduced(problem, context)), set_(reduced_.X) {
  if (problem.pairs.empty()) return;
  std::vector<Index> place(std::size_t(problem.X.rows()), -1);
  for (std::size_t k = 0; k < reduced_.rows.size(); ++k) place[std::size_t(reduced_.rows[k])] = Index(k);
  for (const WeightedPair& pair : problem.pairs)
    if (problem.X.row(pair.a) != problem.X.row(pair.b))
      listed_.push_back({place[std::size_t(pair.a)], place[std::size_t(pair.b)], pair.weight});
}

WorkingSet ColumnGeneration::tightest(const Matrix& psi, Index most) const {
  const Vector off = (set_.measured(psi, context_) - set_.target()).cwiseAbs();
  std::vector<Index> order(std::size_t(set_.size()));
  std::iota(order.begin(), order.end(), Index(0));
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](Index i) { return off(i); });
  std::vector<WeightedPair> pairs;
  for (Index k = 0; k < std::min(most, set_.size()); ++k) pairs.push_back(set_.pair(order[std::size_t(k)]));
  WorkingSet some(reduced_.X);
  some.add(pairs);
  return some;
}

std::vector<Index> ColumnGeneration::levels() const {
  std::vector<Index> sizes;
  const bool several = listed_.empty() && options_.method != Method::numax;
  for (Index m = kFirstLevel; m * 2 < points() && several; m *= kLevelFactor) sizes.push_back(m);
  sizes.push_back(points());
  return sizes;
}

void ColumnGeneration::enter(Index count) {
  meter_.reset();
  level_points_ = count;
  if (count < points()) leading_ = reduced_.X.topRows(count);
  const RowMatrix& X = count < points() ? leading_ : reduced_.X;
  meter_ = backend_or_cpu(context_).distance_sweep(X, listed_, context_);
}

void ColumnGeneration::first_pairs() {
  if (set_.size() > 0) return;
  first_pairs(kAllPairs);
  if (set_.size() > 0) return;
  Matrix psi = principal_measurements(reduced_.X, std::min(columns(), kFirstRank), context_);
  const Sweep found = sweep(psi, 0.5 * options_.distortion);
  centre_ratios(psi, found);
  take(found);
  take(sweep(psi, 0.5 * options_.distortion));
}

void ColumnGeneration::first_pairs(Index all_at_once) {
  if (!listed_.empty() && Index(listed_.size()) <= 4 * all_at_once) return void(set_.add(listed_));
  const Index n = level_points_;
  if (listed_.empty() && n * (n - 1) / 2 <= all_at_once) {
    std::vector<WeightedPair> all;
    for (Index b = 1; b < n; ++b)  // so few that they are a list
      for (Index a = 0; a < b; ++a)
        if (reduced_.X.row(a) != reduced_.X.row(b)) all.push_back({a, b, 1});
    set_.add(all);
  }
}

void ColumnGeneration::keep(Archive& archive) {
  const Index before = level_points_;
  archive(patience, sweeps, iterations, seconds, level_points_, set_);
  if (archive.restores() && level_points_ != before) enter(level_points_);
}

Sweep ColumnGeneration::sweep(const Matrix& psi, double band) {
  const PhaseTimer timer(seconds, "sweeps");
  SweepRequest request;
  request.band = band;
  request.listed = std::clamp<Index>(meter_->pairs() / 20, 1000, 20'000);
  request.per_point = 40;
  ++sweeps;
  return meter_->sweep(psi, request, context_);
}

void ColumnGeneration::take(const Sweep& found, Index most) {
  std::vector<WeightedPair> pairs;
  for (const MeasuredPair& pair : found.worst) {
    if (Index(pairs.size()) == most) break;
    pairs.push_back({pair.a, pair.b, pair.weight});
  }
  set_.add(pairs);
}

void ColumnGeneration::prune(const Matrix& psi, double band) {
  if (set_.size() <= kMostWorking) return;
  const Vector off = (set_.measured(psi, context_) - set_.target()).cwiseAbs();
  std::vector<char> kept(std::size_t(set_.size()));
  for (Index i = 0; i < off.size(); ++i) kept[std::size_t(i)] = off(i) >= 0.8 * band;
  set_.keep(kept);
}

Attempt ColumnGeneration::attempt(const Matrix& start, double delta, double enough) const {
  if (options_.method == Method::nile) return nile_attempt(set_, start, delta, options_, context_);
  if (options_.method == Method::fromax) return fromax_attempt(set_, start, delta, options_, context_);
  return hinge_attempt(set_, start, delta, enough, options_, context_);
}

Attempt ColumnGeneration::reach(const Matrix& start, double band) {
  // Where a sweep is dear, some room is left to the pairs that it has not shown yet.
  const double inner = patience > 0 ? (1 - kRoom) * band : band;
  Attempt last;
  last.psi = start;
  std::vector<double> excess;  // over the band, after each sweep
  const auto round = [&](int) -> StepReport {
    // While far pairs are still to be found, the working set need not be met to the last digit.
    const double slack = patience > 0 && !excess.empty() ? kSlack * excess.back() : 0.0;
    last = attempt(last.psi, inner, inner + slack);
    iterations += last.iterations;
    StepReport report;
    report.objective = double(start.rows());
    report.stalled = !last.reached;  // the working set cannot be met
    if (report.stalled) return report;
    const Sweep found = sweep(last.psi, inner);
    report.measure = last.distortion = found.distortion;
    if (found.distortion <= band) return report;
    take(found);
    prune(last.psi, band);
    excess.push_back(found.distortion - band);
    const auto n = std::ssize(excess);
    report.stalled =
        patience > 0 && n > patience && excess[std::size_t(n - 1)] > 0.5 * excess[std::size_t(n - 1 - patience)];
    return report;
  };
  RunContext nested = context_.nested("pairs");
  const Summary summary = iterate(round, {.tolerance = band, .max_iterations = options_.rounds}, {}, nested,
                                  [&](Archive& archive) { archive(last, excess, *this); });
  throw_if_interrupted(summary.termination);
  if (summary.termination == Termination::stopped_by_observer) throw Interrupted{Interrupted::Why::cancelled};
  last.reached = summary.converged();
  return last;
}

void ColumnGeneration::centre(Matrix& psi) const {
  if (set_.size() == 0) return;
  const Vector ratio = set_.measured(psi, context_).cwiseQuotient(set_.target());
  const double sum = ratio.minCoeff() + ratio.maxCoeff();
  if (sum > 0) psi *= std::sqrt(2 / sum);
}

Matrix ColumnGeneration::principal_rows(Index rank) const { return principal_measurements(reduced_.X, rank, context_); }

Matrix ColumnGeneration::principal(Index rank) const {
  Matrix psi = principal_rows(rank);
  centre(psi);
  return psi;
}

Matrix ColumnGeneration::truncated(const Matrix& from, Index rank) const {
  Matrix psi = leading_rows(from, rank);
  if (psi.rows() < rank) psi = principal(rank);
  centre(psi);
  return psi;
}

Matrix ColumnGeneration::disturbed(const Matrix& from, Index rank, int number) const {
  Matrix psi = number % 2 == 0 ? principal(rank) : truncated(from, rank);
  Rng draw(context_.seed, "isometry starts", std::uint64_t(number));
  const double size = psi.norm() / std::sqrt(double(psi.size()));
  psi += kDisturbance * size * draw.normal_matrix(psi.rows(), psi.cols());
  centre(psi);
  return psi;
}

Matrix ColumnGeneration::with_more_rows(Matrix psi, Index count, double delta) const {
  const Index d = columns();
  count = std::min(count, d - psi.rows());
  for (Index k = 0; k < count; ++k) {
    Vector row = growth_direction(set_, psi, delta, context_);
    if (row.size() == 0) row = Vector::Unit(d, psi.rows() % d) * 1e-3;
    psi.conservativeResize(psi.rows() + 1, Eigen::NoChange);
    psi.bottomRows(1) = row.transpose();
  }
  if (psi.rows() == d) psi.setIdentity();  // no search is needed any more
  return psi;
}

}  // namespace ritz::isometry
