// SPDX-License-Identifier: MIT
#include "graph/b_matching.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <queue>

#include "base/at.hpp"
#include "ritz/base/error.hpp"

namespace ritz {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr int kMostRounds = 8;    // in which pairs that pay are added
constexpr int kMostDetours = 50;  // around an edge that a path would take twice
constexpr double kTiny = 1e-12;

struct Candidate {
  Edge ends;
  double length;
};
Index other_end(const Candidate& edge, Index i) { return edge.ends.i == i ? edge.ends.j : edge.ends.i; }

std::vector<Candidate> candidates_of(const NeighbourTable& nearest) {
  std::vector<Candidate> all;
  for (Index i = 0; i < nearest.queries(); ++i)
    for (Index r = 0; r < nearest.k; ++r) {
      const Index j = at(nearest.rows_of(i), r);
      all.push_back({{std::min(i, j), std::max(i, j)}, std::sqrt(at(nearest.squared_of(i), r))});
    }
  const auto ends = [](const Candidate& edge) { return edge.ends; };
  std::ranges::sort(all, {}, ends);
  const auto same = [&](const Candidate& a, const Candidate& b) { return ends(a) == ends(b); };
  all.erase(std::unique(all.begin(), all.end(), same), all.end());  // clang 14 cannot compile std::ranges::unique
  return all;
}

std::vector<std::vector<Index>> incidence(const std::vector<Candidate>& edges, Index n) {
  std::vector<std::vector<Index>> lists{std::size_t(n)};
  for (Index e = 0; e < Index(edges.size()); ++e) {
    at(lists, at(edges, e).ends.i).push_back(e);
    at(lists, at(edges, e).ends.j).push_back(e);
  }
  return lists;
}

// Nodes in the order of their distance from where a search begins, each once.
class Nearest {
 public:
  explicit Nearest(Index nodes) : distance(std::size_t(nodes), kInfinite), from(std::size_t(nodes), -1) {}
  void offer(Index node, double d, Index arc) {
    if (!(d < at(distance, node))) return;
    at(distance, node) = d;
    at(from, node) = arc;
    queue_.push({d, node});
  }
  std::optional<Index> next() {
    while (!queue_.empty()) {
      const auto [d, node] = queue_.top();
      queue_.pop();
      if (d > at(distance, node)) continue;
      settled.push_back(node);
      return node;
    }
    return {};
  }
  void clear() {
    for (const Index node : settled) at(distance, node) = kInfinite;
    for (; !queue_.empty(); queue_.pop()) at(distance, queue_.top().second) = kInfinite;
    settled.clear();
  }
  std::vector<double> distance;
  std::vector<Index> from;  // the arc that a node was reached by
  std::vector<Index> settled;

 private:
  using Reached = std::pair<double, Index>;
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> queue_;
};

// The relaxed problem as a flow: every vertex once as a row that gives b and once as a column that takes b. Rows begin
// with their b shortest arcs, which is optimal but for columns that get too much or too little; each shortest path from
// the one kind to the other mends a unit and leaves all that is optimal so.
class Cover {
 public:
  Cover(const std::vector<Candidate>& edges, Index n, Index b)
      : edges_(edges), n_(n), b_(b), arcs_(incidence(edges, n)), taken_(2 * edges.size(), 0), holds_(std::size_t(n)) {
    row_price = column_price = Vector::Zero(n);
    for (Index i = 0; i < n; ++i) {
      auto& own = at(arcs_, i);
      std::ranges::sort(own, {}, [&](Index e) { return std::pair(at(edges, e).length, e); });
      for (Index r = 0; r < b; ++r) take(at(own, r), i);
      row_price(i) = at(edges, at(own, b - 1)).length;
    }
  }
  // False where the candidates have no such flow.
  bool solve(const RunContext& context) {
    Nearest search(2 * n_);
    for (Index units = 0;; ++units) {
      if (units % 64 == 0) context.agree();
      bool any = false;
      for (Index j = 0; j < n_; ++j)
        if (load(j) > b_) search.offer(j, 0, -1), any = true;
      if (!any) return true;
      if (!mend(search)) return false;
      search.clear();
    }
  }
  int halves(Index e) const { return taken_[std::size_t(2 * e)] + taken_[std::size_t(2 * e + 1)]; }
  Vector row_price, column_price;

 private:
  // Arc 2e leads from the smaller end of an edge as a row to the other as a column, 2e + 1 the other way.
  Index arc(Index e, Index row) const { return 2 * e + (at(edges_, e).ends.i == row ? 0 : 1); }
  Index row_of(Index a) const { return a % 2 == 0 ? at(edges_, a / 2).ends.i : at(edges_, a / 2).ends.j; }
  Index column_of(Index a) const { return a % 2 == 0 ? at(edges_, a / 2).ends.j : at(edges_, a / 2).ends.i; }
  Index load(Index column) const { return Index(at(holds_, column).size()); }
  double cost(Index a) const { return at(edges_, a / 2).length - row_price(row_of(a)) - column_price(column_of(a)); }
  void take(Index e, Index row) {
    at(taken_, arc(e, row)) = 1;
    at(holds_, column_of(arc(e, row))).push_back(arc(e, row));
  }
  void leave(Index a) {
    at(taken_, a) = 0;
    std::erase(at(holds_, column_of(a)), a);
  }
  bool mend(Nearest& search) {
    std::optional<Index> node;
    while ((node = search.next())) {
      const double d = at(search.distance, *node);
      if (*node < n_) {
        if (load(*node) < b_) break;
        for (const Index a : at(holds_, *node)) search.offer(n_ + row_of(a), d + std::max(0.0, -cost(a)), a);
      } else {
        const Index row = *node - n_;
        for (const Index e : at(arcs_, row))
          if (const Index a = arc(e, row); !at(taken_, a)) search.offer(column_of(a), d + std::max(0.0, cost(a)), a);
      }
    }
    if (!node) return false;
    const double length = at(search.distance, *node);
    for (const Index settled : search.settled) {
      const double nearer = at(search.distance, settled) - length;
      if (settled < n_)
        column_price(settled) += nearer;
      else
        row_price(settled - n_) -= nearer;
    }
    for (Index j = *node; at(search.from, j) >= 0;) {
      const Index added = at(search.from, j), row = row_of(added), left = at(search.from, n_ + row);
      leave(left);
      take(added / 2, row);
      j = column_of(left);
    }
    return true;
  }

  const std::vector<Candidate>& edges_;
  Index n_, b_;
  std::vector<std::vector<Index>> arcs_;
  std::vector<char> taken_;
  std::vector<std::vector<Index>> holds_;  // of a column the arcs that give to it
};

// Every pair of vertices that the prices ask for, i.e. y_i + y_j > w_ij.
double bound_of(const Vector& prices, Index b, const NeighbourTable& nearest,
                const std::function<double(Index, Index)>& length, std::vector<Candidate>& asked,
                const RunContext& context) {
  double bound = double(b) * prices.sum();
  const Index n = prices.size();
  Vector reach(n);
  for (Index i = 0; i < n; ++i) reach(i) = std::sqrt(nearest.squared_of(i).back());
  for (const Candidate& edge : asked) bound -= std::max(0.0, prices(edge.ends.i) + prices(edge.ends.j) - edge.length);
  std::vector<Candidate> further;
  const double tiny = kTiny * prices.cwiseAbs().maxCoeff();
  const auto known = [&](const Edge& ends) {
    return std::ranges::binary_search(asked, ends, {}, [](const Candidate& edge) { return edge.ends; });
  };
  for (Index i = 0; i < n; ++i) {
    if (i % 256 == 0) context.agree();
    for (Index j = i + 1; j < n; ++j) {
      const double price = prices(i) + prices(j);
      if (!(price > std::max(reach(i), reach(j)) + tiny) || known({i, j})) continue;
      const double w = length(i, j);
      if (!(price > w + tiny)) continue;
      bound -= price - w;
      further.push_back({{i, j}, w});
    }
  }
  asked = std::move(further);
  return bound;
}

// Edges that are on or off, and how many each vertex lacks.
class Rounding {
 public:
  Rounding(std::vector<Candidate> edges, const Cover& cover, const Vector& prices)
      : edges_(std::move(edges)), prices_(prices), at_(incidence(edges_, prices.size())), on_(edges_.size(), 0) {
    std::vector<char> half(edges_.size(), 0);
    for (Index e = 0; e < Index(edges_.size()); ++e) {
      at(on_, e) = cover.halves(e) == 2;
      at(half, e) = cover.halves(e) == 1;
    }
    for (Index i = 0; i < prices.size(); ++i)
      if (const std::vector<Index> trail = closed_trail(i, half); !trail.empty()) round(trail, i);
  }

  void join(const std::function<double(Index, Index)>& length, const RunContext& context) {
    while (lacking_.size() > 1) {
      context.agree();
      const Index from = lacking_.back();
      lacking_.pop_back();
      if (!join_by_path(from)) join_by_swap(from, length);
    }
  }
  Graph graph() const {
    Graph graph{prices_.size(), {}};
    for (Index e = 0; e < Index(edges_.size()); ++e)
      if (at(on_, e)) graph.edges.push_back(at(edges_, e).ends);
    std::ranges::sort(graph.edges);
    return graph;
  }
  double length() const {
    double sum = 0;
    for (Index e = 0; e < Index(edges_.size()); ++e)
      if (at(on_, e)) sum += at(edges_, e).length;
    return sum;
  }

 private:
  // All halves that hang together with i, in an order in which each begins where the last one ends.
  std::vector<Index> closed_trail(Index i, std::vector<char>& half) const {
    if (std::ranges::none_of(at(at_, i), [&](Index e) { return at(half, e); })) return {};
    std::vector<std::pair<Index, Index>> stack = {{i, -1}};
    std::vector<Index> trail;
    std::vector<Index> next(at_.size(), 0);
    while (!stack.empty()) {
      const auto [here, by] = stack.back();
      Index& r = at(next, here);
      const auto& own = at(at_, here);
      while (r < Index(own.size()) && !at(half, at(own, r))) ++r;
      if (r == Index(own.size())) {
        if (by >= 0) trail.push_back(by);
        stack.pop_back();
      } else {
        const Index e = at(own, r);
        at(half, e) = 0;
        stack.push_back({other_end(at(edges_, e), here), e});
      }
    }
    return trail;
  }
  void round(const std::vector<Index>& trail, Index begin) {
    const bool odd = trail.size() % 2 == 1;
    double first = 0, second = 0;
    for (std::size_t s = 0; s < trail.size(); ++s) (s % 2 == 0 ? first : second) += at(edges_, trail[s]).length;
    const std::size_t kept = odd || second <= first ? 1 : 0;
    for (std::size_t s = kept; s < trail.size(); s += 2) at(on_, trail[s]) = 1;
    if (odd) lacking_.push_back(begin);
  }
  double cost(Index e) const {
    const Candidate& edge = at(edges_, e);
    return edge.length - prices_(edge.ends.i) - prices_(edge.ends.j);
  }
  // A path that puts an edge on, takes one off, …, puts one on, to another vertex that lacks one. States: 2i to put one
  // on at i, 2i + 1 to take one off.
  bool join_by_path(Index from) {
    std::vector<char> banned(edges_.size(), 0);
    std::vector<char> lacks(at_.size(), 0);
    for (const Index i : lacking_) at(lacks, i) = 1;
    for (int detour = 0; detour < kMostDetours; ++detour) {
      Nearest search(2 * Index(at_.size()));
      search.offer(2 * from, 0, -1);
      std::optional<Index> state;
      while ((state = search.next())) {
        const Index i = *state / 2;
        const bool adds = *state % 2 == 0;
        if (!adds && at(lacks, i)) break;
        for (const Index e : at(at_, i))
          if (bool(at(on_, e)) != adds && !at(banned, e))
            search.offer(2 * other_end(at(edges_, e), i) + (adds ? 1 : 0),
                         at(search.distance, *state) + std::max(0.0, adds ? cost(e) : -cost(e)), e);
      }
      if (!state) return false;
      std::vector<Index> path;
      for (Index s = *state; at(search.from, s) >= 0;) {
        const Index e = at(search.from, s);
        path.push_back(e);
        s = 2 * other_end(at(edges_, e), s / 2) + (s % 2 == 0 ? 1 : 0);
      }
      std::vector<Index> sorted = path;
      std::ranges::sort(sorted);
      if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end()) {
        at(banned, *twice) = 1;
        continue;
      }
      for (const Index e : path) at(on_, e) = !at(on_, e);
      std::erase(lacking_, *state / 2);
      return true;
    }
    return false;
  }
  bool joined(Index i, Index j) const {
    return std::ranges::any_of(at(at_, i), [&](Index e) { return at(on_, e) && other_end(at(edges_, e), i) == j; });
  }
  void put_on(Index i, Index j, double length) {
    for (const Index e : at(at_, i))
      if (other_end(at(edges_, e), i) == j) {
        at(on_, e) = 1;
        return;
      }
    const Index e = Index(edges_.size());
    edges_.push_back({{std::min(i, j), std::max(i, j)}, length});
    on_.push_back(1);
    at(at_, i).push_back(e);
    at(at_, j).push_back(e);
  }
  // Without a path among the candidates: an edge p–q makes way for from–p and q–to, or from–to comes in.
  void join_by_swap(Index from, const std::function<double(Index, Index)>& length) {
    const Index to = lacking_.back();
    lacking_.pop_back();
    double least = joined(from, to) ? kInfinite : length(from, to);
    Index way = -1;
    bool turned = false;
    for (Index e = 0; e < Index(edges_.size()); ++e)
      for (const bool turn : {false, true}) {
        const Candidate& edge = at(edges_, e);
        const Index p = turn ? edge.ends.j : edge.ends.i, q = other_end(edge, p);
        if (!at(on_, e) || p == from || p == to || q == from || q == to || joined(from, p) || joined(q, to)) continue;
        const double change = length(from, p) + length(q, to) - edge.length;
        if (change < least) least = change, way = e, turned = turn;
      }
    if (!(least < kInfinite)) return;  // they keep one less: in graphs of few vertices only
    if (way < 0) return put_on(from, to, least);
    const Candidate edge = at(edges_, way);
    const Index p = turned ? edge.ends.j : edge.ends.i, q = other_end(edge, p);
    at(on_, way) = 0;
    put_on(from, p, length(from, p));
    put_on(q, to, length(q, to));
  }

  std::vector<Candidate> edges_;
  const Vector& prices_;
  std::vector<std::vector<Index>> at_;  // of each vertex its edges
  std::vector<char> on_;
  std::vector<Index> lacking_;
};

}  // namespace

Matching b_matching(const NeighbourTable& nearest, Index b, const std::function<double(Index, Index)>& length,
                    const RunContext& context) {
  const Index n = nearest.queries();
  if (b < 1 || b >= n || nearest.k < b)
    throw Error(ErrorCode::bad_option, "graph.neighbours must be at least 1 and below the number of samples");
  std::vector<Candidate> edges = candidates_of(nearest);
  Matching best;
  best.bound = -kInfinite;
  best.length = kInfinite;
  for (int round = 0; round < kMostRounds; ++round) {
    Cover cover(edges, n, b);
    if (!cover.solve(context)) break;
    const Vector prices = 0.5 * (cover.row_price + cover.column_price);
    std::vector<Candidate> asked = edges;
    best.bound = std::max(best.bound, bound_of(prices, b, nearest, length, asked, context));
    if (asked.empty() || round + 1 == kMostRounds) {
      Rounding rounding(std::move(edges), cover, prices);
      rounding.join(length, context);
      best.graph = rounding.graph();
      best.length = rounding.length();
      break;
    }
    std::ranges::move(asked, std::back_inserter(edges));
    std::ranges::sort(edges, {}, [](const Candidate& edge) { return edge.ends; });
  }
  return best;
}

}  // namespace ritz
