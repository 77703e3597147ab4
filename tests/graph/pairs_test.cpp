// SPDX-License-Identifier: MIT
#include "ritz/graph/pairs.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <limits>
#include <set>

#include "ritz/base/random.hpp"
#include "ritz/data/io.hpp"
#include "support/data_folder.hpp"
#include "support/errors.hpp"

using namespace ritz;

namespace {

constexpr Index kFar = 1'000'000;

PairSet random_pairs(Index n, Index count, double must, Rng& rng) {
  PairSet set{n, {}, "pairs.csv", {}};
  while (Index(set.pairs.size()) < count) {
    const Index a = rng.below(n), b = rng.below(n);
    if (a != b)
      set.pairs.push_back({std::min(a, b), std::max(a, b), rng.uniform() < must ? 1 : -1, Index(set.pairs.size()) + 1});
  }
  return set;
}

// As labels say: consistent whatever the pairs.
PairSet consistent_pairs(Index n, Index count, Rng& rng) {
  PairSet set = random_pairs(n, count, 0.5, rng);
  std::vector<Index> label;
  for (Index i = 0; i < n; ++i) label.push_back(rng.below(3));
  for (LinkedPair& pair : set.pairs) pair.sign = label[std::size_t(pair.i)] == label[std::size_t(pair.j)] ? 1 : -1;
  return set;
}

// Fewest must-links between any two points (Floyd and Warshall).
Eigen::Matrix<Index, Eigen::Dynamic, Eigen::Dynamic> link_distances(const PairSet& set) {
  Eigen::Matrix<Index, Eigen::Dynamic, Eigen::Dynamic> D(set.points, set.points);
  D.setConstant(kFar);
  D.diagonal().setZero();
  for (const LinkedPair& pair : set.pairs)
    if (pair.sign > 0) D(pair.i, pair.j) = D(pair.j, pair.i) = 1;
  for (Index m = 0; m < set.points; ++m)
    for (Index i = 0; i < set.points; ++i)
      for (Index j = 0; j < set.points; ++j) D(i, j) = std::min(D(i, j), D(i, m) + D(m, j));
  return D;
}

std::set<std::tuple<Index, Index, int>> said(const PairSet& set) {
  std::set<std::tuple<Index, Index, int>> all;
  for (const LinkedPair& pair : set.pairs) all.insert({pair.i, pair.j, pair.sign});
  return all;
}

bool consistent(const PairSet& set) {
  const auto D = link_distances(set);
  return std::ranges::none_of(set.pairs,
                              [&](const LinkedPair& pair) { return pair.sign < 0 && D(pair.i, pair.j) < kFar; });
}

PairSet pairs_of(Index n, std::vector<LinkedPair> pairs) { return {n, std::move(pairs), "pairs.csv", {}}; }

}  // namespace

TEST_CASE("the closure holds what follows, nothing else, and closing it again changes nothing") {
  CHECK(rc::check([] {
    Rng rng(*rc::gen::inRange<std::uint64_t>(0, 1000), "pairs");
    const Index n = *rc::gen::inRange<Index>(2, 25);
    const PairSet given = consistent_pairs(n, *rc::gen::inRange<Index>(1, 30), rng);
    const auto D = link_distances(given);
    std::set<std::tuple<Index, Index, int>> expected;
    for (Index i = 0; i < n; ++i)
      for (Index j = i + 1; j < n; ++j) {
        if (D(i, j) < kFar) expected.insert({i, j, 1});
        for (const LinkedPair& pair : given.pairs)
          if (pair.sign < 0 &&
              ((D(i, pair.i) < kFar && D(j, pair.j) < kFar) || (D(i, pair.j) < kFar && D(j, pair.i) < kFar)))
            expected.insert({i, j, -1});
      }

    const SettledPairs once = settled_pairs(given, OnConflict::error, Closure::closed, {});
    const SettledPairs twice = settled_pairs(once.pairs, OnConflict::error, Closure::closed, {});
    const SettledPairs raw = settled_pairs(given, OnConflict::error, Closure::raw, {});

    RC_ASSERT(said(once.pairs) == expected);
    RC_ASSERT(once.pairs.pairs.size() == expected.size());
    RC_ASSERT(twice.pairs.pairs == once.pairs.pairs);
    RC_ASSERT(twice.derived == 0);
    RC_ASSERT(said(raw.pairs) == said(given));
    RC_ASSERT(Index(raw.pairs.pairs.size()) + raw.repeated == Index(given.pairs.size()));
    RC_ASSERT(Index(raw.pairs.pairs.size()) + once.derived == Index(once.pairs.pairs.size()));
  }));
}

TEST_CASE("the shortest contradiction is as short as brute force finds one, and its chain is made of given pairs") {
  CHECK(rc::check([] {
    Rng rng(*rc::gen::inRange<std::uint64_t>(0, 1000), "pairs");
    const PairSet set = random_pairs(*rc::gen::inRange<Index>(2, 25), *rc::gen::inRange<Index>(1, 40), 0.6, rng);
    const auto D = link_distances(set);
    Index shortest = kFar;
    for (const LinkedPair& pair : set.pairs)
      if (pair.sign < 0) shortest = std::min(shortest, D(pair.i, pair.j));

    const auto found = shortest_contradiction(set, {});

    RC_ASSERT(found.has_value() == (shortest < kFar));
    if (!found) return;
    RC_ASSERT(Index(found->links.size()) == shortest);
    RC_ASSERT(found->chain.size() == found->links.size() + 1);
    RC_ASSERT(found->chain.front() == found->cannot.i);
    RC_ASSERT(found->chain.back() == found->cannot.j);
    RC_ASSERT(std::ranges::count(set.pairs, found->cannot) == 1);
    for (std::size_t l = 0; l < found->links.size(); ++l) {
      RC_ASSERT(std::ranges::count(set.pairs, found->links[l]) == 1);
      RC_ASSERT(found->links[l].sign == 1);
      RC_ASSERT(std::min(found->chain[l], found->chain[l + 1]) == found->links[l].i);
      RC_ASSERT(std::max(found->chain[l], found->chain[l + 1]) == found->links[l].j);
    }
  }));
}

TEST_CASE("a contradiction is told with its rows and its chain") {
  PairSet set = pairs_of(10, {{2, 4, 1, 3}, {1, 3, -1, 5}, {2, 7, 1, 7}, {7, 9, 1, 8}, {4, 9, -1, 12}});
  const auto message = [&] { return explained(*shortest_contradiction(set, {}), set); };

  CHECK(message() == "pairs.csv: row 12 says 4 and 9 must not be together, but rows 3, 7, 8 link 4 - 2 - 7 - 9");
  const auto refusal = test::complaint([&] { settled_pairs(set, OnConflict::error, Closure::closed, {}); });
  CHECK(refusal.code == ErrorCode::infeasible);
  CHECK(refusal.says(message()));

  set.pairs.push_back({1, 3, 1, 20});
  CHECK(message() == "pairs.csv: row 5 says 1 and 3 must not be together, but row 20 links 1 - 3");
  set.ids = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
  CHECK(message() == "pairs.csv: row 5 says b and d must not be together, but row 20 links b - d");
  set.source.clear();
  CHECK(message() == "b and d must not be together, but must-links join b - d");
}

TEST_CASE("dropping leaves consistent pairs, and none that could have stayed is gone") {
  CHECK(rc::check([] {
    Rng rng(*rc::gen::inRange<std::uint64_t>(0, 1000), "pairs");
    const PairSet given = random_pairs(*rc::gen::inRange<Index>(2, 20), *rc::gen::inRange<Index>(1, 50), 0.6, rng);

    const SettledPairs settled = settled_pairs(given, OnConflict::drop, Closure::raw, {});

    RC_ASSERT(consistent(settled.pairs));
    auto all = said(settled.pairs);
    for (const LinkedPair& pair : settled.dropped) {
      RC_ASSERT(std::ranges::count(given.pairs, pair) == 1);
      PairSet with = settled.pairs;
      with.pairs.push_back(pair);
      RC_ASSERT(!consistent(with));
      all.insert({pair.i, pair.j, pair.sign});
    }
    RC_ASSERT(all == said(given));
    RC_ASSERT(settled.dropped.empty() == consistent(given));
    RC_ASSERT((settled.contradicted == 0) == consistent(given));
  }));
}

TEST_CASE("one wrong must-link between two groups goes alone, however many cannot-links it contradicts") {
  PairSet set{20, {}, "pairs.csv", {}};
  for (Index i = 0; i < 9; ++i) {
    set.pairs.push_back({i, i + 1, 1});
    set.pairs.push_back({i + 10, i + 11, 1});
    set.pairs.push_back({i, i + 10, -1});
  }
  set.pairs.push_back({5, 15, 1, 77});

  const SettledPairs settled = settled_pairs(set, OnConflict::drop, Closure::closed, {});

  CHECK(settled.contradicted == 9);
  REQUIRE(settled.dropped.size() == 1);
  CHECK(settled.dropped.front().row == 77);
  CHECK(settled.pairs.pairs.size() == 45 + 45 + 100);
}

TEST_CASE("a pair dropped is named as often as it was given") {
  const PairSet set = pairs_of(3, {{0, 1, 1, 1}, {1, 2, 1, 2}, {0, 2, -1, 3}, {0, 2, -1, 4}});

  const SettledPairs settled = settled_pairs(set, OnConflict::drop, Closure::raw, {});

  CHECK(settled.dropped == std::vector<LinkedPair>{{0, 2, -1, 3}, {0, 2, -1, 4}});
}

TEST_CASE("soft keeps every pair and closes only groups without a contradiction") {
  // {0, 1, 2} is contested; {3, 4, 5} is not and is apart from {6, 7}; 0 and 3 are apart.
  const PairSet set = pairs_of(9, {{0, 1, 1},
                                   {1, 2, 1},
                                   {0, 2, -1},
                                   {3, 4, 1},
                                   {4, 5, 1},
                                   {6, 7, 1},
                                   {5, 6, -1},
                                   {0, 3, -1},
                                   {0, 1, -1},
                                   {0, 1, 1}});

  const SettledPairs settled = settled_pairs(set, OnConflict::soft, Closure::closed, {});

  auto expected = said(set);
  expected.insert({{3, 5, 1}, {3, 6, -1}, {3, 7, -1}, {4, 6, -1}, {4, 7, -1}, {5, 7, -1}});
  CHECK(said(settled.pairs) == expected);
  CHECK(settled.contradicted == 2);
  CHECK(settled.dropped.empty());
  CHECK(settled.repeated == 1);
  CHECK(settled.derived == 6);
  CHECK(settled.pairs.pairs[0] == LinkedPair{0, 1, 1});
  CHECK(settled.pairs.pairs[1] == LinkedPair{0, 1, -1});
}

TEST_CASE("a given pair keeps its row in the closure, and a closure that does not fit is refused") {
  const PairSet set = pairs_of(4, {{0, 1, 1, 4}, {1, 2, 1, 2}, {2, 3, -1, 9}, {0, 1, 1, 11}});
  RunContext small;
  small.max_memory = 100;

  const SettledPairs settled = settled_pairs(set, OnConflict::error, Closure::closed, {});

  CHECK(settled.pairs.pairs ==
        std::vector<LinkedPair>{{0, 1, 1, 4}, {0, 2, 1, 0}, {0, 3, -1, 0}, {1, 2, 1, 2}, {1, 3, -1, 0}, {2, 3, -1, 9}});
  CHECK(must_links(settled.pairs) == 3);
  CHECK(must_link_groups(settled.pairs).of == std::vector<Index>{0, 0, 0, 1});
  CHECK(test::complaint([&] { settled_pairs(set, OnConflict::error, Closure::closed, small); }).code ==
        ErrorCode::memory);
}

TEST_CASE("drawn pairs agree with the labels, are distinct, and leave as many groups as asked") {
  CHECK(rc::check([] {
    RunContext context;
    context.seed = *rc::gen::inRange<std::uint64_t>(0, 1000);
    const Index n = *rc::gen::inRange<Index>(8, 80);
    std::vector<int> labels;
    for (Index i = 0; i < n; ++i) labels.push_back(int(i % 3) * 5 - 2);
    const double fraction = *rc::gen::element(0.4, 0.5, 0.7, 0.9);

    const PairSet set = drawn_pairs(labels, fraction, context);

    RC_ASSERT(said(set).size() == set.pairs.size());
    for (const LinkedPair& pair : set.pairs) {
      RC_ASSERT(pair.i < pair.j);
      RC_ASSERT((labels[std::size_t(pair.i)] == labels[std::size_t(pair.j)]) == (pair.sign == 1));
    }
    RC_ASSERT(must_link_groups(set).count == Index(std::llround(fraction * double(n))));
    RC_ASSERT(set.pairs == drawn_pairs(labels, fraction, context).pairs);
  }));
}

TEST_CASE("a fraction that cannot be is refused with the reason") {
  const std::vector<int> labels = {0, 0, 1, 1, 2, 2, 2, 2, 2, 2};
  const auto refusal = [&](double fraction) { return test::complaint([&] { drawn_pairs(labels, fraction, {}); }); };

  CHECK(refusal(0.2).message ==
        "kernel.fraction 0.2 asks for 2 groups of the 10 samples; must-links leave at least 3, one a class");
  CHECK(refusal(0).code == ErrorCode::bad_option);
  CHECK(refusal(1).code == ErrorCode::bad_option);
  CHECK(must_link_groups(drawn_pairs(labels, 0.3, {})).count == 3);
}

TEST_CASE(
    "the protocol gives as many pairs on a1a as the method page counts: 770 raw, 2914 with deviation 588 closed") {
  const auto file = test::data_file("npkl/a1a.libsvm.gz");
  if (!file) return;
  const Labels labels = read_dataset(*file, {}, {}).labels;
  double raw = 0, closed = 0;
  constexpr int kDraws = 10;
  for (int seed = 0; seed < kDraws; ++seed) {
    RunContext context;
    context.seed = std::uint64_t(seed);
    const PairSet drawn = drawn_pairs(labels.of, 0.7, context);
    raw += double(drawn.pairs.size()) / kDraws;
    closed += double(settled_pairs(drawn, OnConflict::error, Closure::closed, {}).pairs.pairs.size()) / kDraws;
  }

  MESSAGE("raw " << raw << ", closed " << closed);
  CHECK(std::abs(raw - 770) <= 20);
  CHECK(std::abs(closed - 2914) <= 588);
}
