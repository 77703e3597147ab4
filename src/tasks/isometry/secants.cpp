// SPDX-License-Identifier: MIT
// Which pairs of samples are kept.

#include <unordered_set>

#include "pairs/neighbours.hpp"
#include "ritz/base/random.hpp"
#include "tasks/isometry/task.hpp"

namespace ritz {

using isometry::SecantChoice;

std::optional<SecantChoice> TextForm<SecantChoice>::parse(std::string_view text) {
  if (text == "all") return SecantChoice{};
  for (const auto& [word, kind] : {std::pair{std::string_view("sample:"), SecantChoice::Kind::sample},
                                   std::pair{std::string_view("nearest:"), SecantChoice::Kind::nearest}})
    if (text.starts_with(word)) {
      const auto count = read_integer(text.substr(word.size()));
      if (count && *count > 0) return SecantChoice{kind, Index(*count)};
    }
  return std::nullopt;
}

std::string TextForm<SecantChoice>::print(const SecantChoice& choice) {
  return choice.kind == SecantChoice::Kind::all
             ? "all"
             : fmt::format("{}:{}", choice.kind == SecantChoice::Kind::sample ? "sample" : "nearest", choice.count);
}

namespace isometry {

std::vector<WeightedPair> chosen_pairs(const RowMatrix& X, const SecantChoice& choice, const RunContext& context) {
  const Index n = X.rows(), all = n * (n - 1) / 2;
  std::vector<WeightedPair> pairs;
  if (choice.kind == SecantChoice::Kind::sample) {
    if (choice.count >= all) return {};
    Rng draw(context.seed, "secants");
    std::unordered_set<std::uint64_t> known;
    while (Index(pairs.size()) < choice.count) {
      const Index a = draw.below(n);
      Index b = draw.below(n - 1);
      b += b >= a;
      const Index low = std::min(a, b), high = std::max(a, b);
      if (known.insert(std::uint64_t(low) * std::uint64_t(n) + std::uint64_t(high)).second)
        pairs.push_back({low, high, 1});
    }
  } else if (choice.kind == SecantChoice::Kind::nearest) {
    if (choice.count >= n - 1) return {};
    const NeighbourTable table = nearest_neighbours(X, choice.count, context);
    for (Index i = 0; i < n; ++i)
      for (const Index j : table.rows_of(i)) {
        const bool mutual = j < i && std::ranges::find(table.rows_of(j), i) != table.rows_of(j).end();
        if (!mutual) pairs.push_back({std::min(i, j), std::max(i, j), 1});
      }
  }
  return pairs;
}

}  // namespace isometry

}  // namespace ritz
