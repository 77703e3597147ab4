// SPDX-License-Identifier: MIT
// Order instead of distance: of a query, near samples shall be nearer than far ones. Logarithms of distances against a
// threshold of the query, so that every query counts the same; far from the threshold a pair pulls no more.
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "algorithms/isometry/parts.hpp"
#include "linalg/optimise/lbfgs.hpp"
#include "ritz/base/parallel.hpp"

namespace ritz::isometry {

namespace {

constexpr double kWidth = 0.05;  // of the logarithm of a squared distance, in which near becomes far
constexpr double kTiny = 1e-12;  // ratio of a pair that nearly vanishes
constexpr int kSteps = 40;

struct Term {
  Index pair, query;  // of the working set, and the number of the query
  double sign;        // 1: shall be near
  double before;      // logarithm of the squared distance of the samples
};

struct Terms {
  WorkingSet pairs;
  std::vector<Term> all;  // query by query
};

Terms terms_of(const RowMatrix& X, const std::vector<NearAndFar>& queries) {
  Terms terms{WorkingSet(X), {}};
  std::vector<WeightedPair> pairs;
  std::map<std::pair<Index, Index>, Index> place;
  const auto key = [](Index a, Index b) { return std::pair(std::min(a, b), std::max(a, b)); };
  const auto differ = [&](Index a, Index b) { return (X.row(a) - X.row(b)).squaredNorm() > 1e-290; };
  for (const NearAndFar& each : queries)
    for (const auto* side : {&each.near, &each.far})
      for (const Index j : *side)
        if (differ(each.query, j)) pairs.push_back({each.query, j, 1});
  terms.pairs.add(pairs);
  for (Index i = 0; i < terms.pairs.size(); ++i) {
    const WeightedPair pair = terms.pairs.pair(i);
    place[key(pair.a, pair.b)] = i;
  }
  Index number = 0;
  for (const NearAndFar& each : queries) {
    const std::size_t first = terms.all.size();
    std::size_t near = 0;
    for (const auto* side : {&each.near, &each.far}) {
      for (const Index j : *side)
        if (const auto at = place.find(key(each.query, j)); at != place.end())
          terms.all.push_back({at->second, number, side == &each.near ? 1.0 : -1.0,
                               std::log((X.row(each.query) - X.row(j)).squaredNorm())});
      if (side == &each.near) near = terms.all.size() - first;
    }
    // A query whose near samples are all equal to it, or that has no far ones, has no order to keep.
    if (near == 0 || terms.all.size() == first + near)
      terms.all.resize(first);
    else
      ++number;
  }
  return terms;
}

// Half way between the images of the near samples and those of the far ones, as if they were in order.
Vector thresholds(const std::vector<Term>& terms, const Vector& ratio, Index queries) {
  Vector t(queries);
  for (std::size_t first = 0, last; first < terms.size(); first = last) {
    std::vector<double> logs;
    std::size_t near = 0;
    for (last = first; last < terms.size() && terms[last].query == terms[first].query; ++last) {
      logs.push_back(std::log(ratio(terms[last].pair) + kTiny) + terms[last].before);
      near += terms[last].sign > 0;
    }
    std::ranges::sort(logs);
    t(terms[first].query) = 0.5 * (logs[near - 1] + logs[near]);
  }
  return t;
}

}  // namespace

Matrix keep_nearer(const RowMatrix& X, const std::vector<NearAndFar>& queries, const Matrix& start,
                   const Matrix& anchor, double pull, const RunContext& context) {
  const SingleThreadedBlas hold;
  const Terms terms = terms_of(X, queries);
  if (terms.all.empty()) return start;
  const Index rows = start.rows(), size = start.size(), count = terms.all.back().query + 1;
  const auto evaluate = [&](const Vector& x) {
    context.agree();
    const Matrix psi = Eigen::Map<const Matrix>(x.data(), rows, start.cols());
    const Vector ratio = terms.pairs.measured(psi, context);
    Vector slope = Vector::Zero(ratio.size());  // by the ratios
    Lbfgs::Point point;
    point.x = x;
    point.gradient = Vector::Zero(x.size());
    for (const Term& term : terms.all) {
      const double at = ratio(term.pair) + kTiny;
      const double off = term.sign * (std::log(at) + term.before - x(size + term.query)) / kWidth;
      const double share = 1 / (1 + std::exp(-off)), by = term.sign * share / (kWidth * double(count));
      point.value += (off > 30 ? off : std::log1p(std::exp(off))) / double(count);
      slope(term.pair) += by / at;
      point.gradient(size + term.query) -= by;
    }
    const Matrix away = psi - anchor;
    point.value += 0.5 * pull * away.squaredNorm();
    const Matrix gradient =
        2 * terms.pairs.adjoint_times(slope, Matrix(psi.transpose()), context).transpose() + pull * away;
    point.gradient.head(size) = Eigen::Map<const Vector>(gradient.data(), size);
    return point;
  };
  Vector x(size + count);
  x.head(size) = Eigen::Map<const Vector>(start.data(), size);
  x.tail(count) = thresholds(terms.all, terms.pairs.measured(start, context), count);
  Lbfgs search(evaluate(x));
  for (int step = 0; step < kSteps; ++step)
    if (!search.step(evaluate)) break;
  return Eigen::Map<const Matrix>(search.now().x.data(), rows, start.cols());
}

}  // namespace ritz::isometry
