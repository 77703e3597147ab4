// SPDX-License-Identifier: MIT
#include "graph/pair_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "data/field_rows.hpp"
#include "data/source_names.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/text.hpp"

namespace ritz {

namespace {

constexpr double kLargestWeight = 1e6;

// Samples by number, or by name where they have names.
class SampleNames {
 public:
  SampleNames(Index count, const std::vector<std::string>& ids) : count_(count) {
    if (!ids.empty() && Index(ids.size()) != count)
      throw Error(ErrorCode::bad_shape, fmt::format("there are {} samples and {} ids", count, ids.size()));
    for (std::size_t i = 0; i < ids.size(); ++i)
      if (const auto [at, is_new] = number_.emplace(ids[i], Index(i)); !is_new)
        throw Error(ErrorCode::bad_data,
                    fmt::format("the id {} names two samples, {} and {}; pairs cannot tell them apart", excerpt(ids[i]),
                                at->second, i));
  }
  std::optional<Index> find(std::string_view field) const {
    if (!number_.empty()) {
      const auto found = number_.find(field);
      return found == number_.end() ? std::nullopt : std::optional(found->second);
    }
    const auto number = read_integer(field);
    return number && *number >= 0 && *number < count_ ? std::optional(Index(*number)) : std::nullopt;
  }
  std::string objection(std::string_view field) const {
    if (!number_.empty()) return fmt::format("no sample has the id {}", excerpt(field));
    if (!read_integer(field)) return fmt::format("{} is not a whole number", excerpt(field));
    return fmt::format("there is no sample {}; the {} samples are numbered from 0 to {}", field, count_, count_ - 1);
  }
  // Whether neither field is meant as a sample, be it one that is not there: a header.
  bool neither_end(const FieldRow& row) const {
    return !looks_like_one(row.fields[0]) && !looks_like_one(row.fields[1]);
  }

 private:
  bool looks_like_one(std::string_view field) const { return find(field) || read_integer(field); }

  Index count_;
  std::unordered_map<std::string_view, Index> number_;
};

std::optional<int> sign_of(std::string_view word) {
  if (word == "must" || word == "+1" || word == "1") return 1;
  if (word == "cannot" || word == "-1") return -1;
  return std::nullopt;
}

// Both ends of a row as i < j.
Edge ends_of(const FieldRow& row, const SampleNames& samples) {
  std::array<Index, 2> ends{};
  for (std::size_t e = 0; e < ends.size(); ++e) {
    const auto found = samples.find(row.fields[e]);
    if (!found) row.fail(samples.objection(row.fields[e]));
    ends[e] = *found;
  }
  if (ends[0] == ends[1]) row.fail(fmt::format("{} is paired with itself; two samples are needed", row.fields[0]));
  return {std::min(ends[0], ends[1]), std::max(ends[0], ends[1])};
}

// The heaviest of a pair that is named again, by i, then j.
std::vector<WeightedEdge> settled(std::vector<WeightedEdge> pairs, const std::string& source) {
  if (pairs.empty()) throw Error(ErrorCode::bad_data, source + " has no pair with a positive weight");
  std::ranges::sort(pairs, [](const WeightedEdge& a, const WeightedEdge& b) {
    return a.i != b.i ? a.i < b.i : a.j != b.j ? a.j < b.j : a.weight > b.weight;
  });
  const auto same = [](const WeightedEdge& a, const WeightedEdge& b) { return a.i == b.i && a.j == b.j; };
  pairs.erase(std::unique(pairs.begin(), pairs.end(), same), pairs.end());
  return pairs;
}

Graph each_once(Graph graph, const std::string& source) {
  if (graph.edges.empty()) throw Error(ErrorCode::bad_data, source + " has no edge");
  std::ranges::sort(graph.edges);
  graph.edges.erase(std::unique(graph.edges.begin(), graph.edges.end()), graph.edges.end());
  return graph;
}

void require_columns(const RowMatrix& rows, Index least, Index most) {
  if (rows.cols() < least || rows.cols() > most)
    throw Error(ErrorCode::bad_shape, fmt::format("pairs have {} columns, expected {}{}", rows.cols(), least,
                                                  most > least ? fmt::format(" or {}", most) : ""));
}

// The same of rows in memory.
Edge ends_of(const RowMatrix& rows, Index r, Index samples) {
  const double a = rows(r, 0), b = rows(r, 1);
  for (const double end : {a, b})
    if (!(end >= 0 && end < double(samples)) || end != std::floor(end))
      throw Error(ErrorCode::bad_data, fmt::format("pair {}: there is no sample {}; the {} samples are numbered from 0 "
                                                   "to {}",
                                                   r, number_text(end), samples, samples - 1));
  if (a == b) throw Error(ErrorCode::bad_data, fmt::format("pair {}: {} is paired with itself", r, number_text(a)));
  return {Index(std::min(a, b)), Index(std::max(a, b))};
}

}  // namespace

PairSet read_pairs(const std::string& path, Index samples, const RunContext& context,
                   const std::vector<std::string>& ids) {
  const SampleNames names(samples, ids);
  PairSet set{samples, {}, source_name(path), ids};
  const auto is_header = [&](const FieldRow& row) { return names.neither_end(row) && !sign_of(row.fields[2]); };
  read_field_rows(path, {3}, context, is_header, [&](const FieldRow& row) {
    const auto [i, j] = ends_of(row, names);
    const auto sign = sign_of(row.fields[2]);
    if (!sign) row.fail(fmt::format("{} is not one of must, cannot, +1, -1", excerpt(row.fields[2])));
    set.pairs.push_back({i, j, *sign, Index(row.line)});
  });
  if (set.pairs.empty()) throw Error(ErrorCode::bad_data, set.source + " has no pair");
  return set;
}

std::vector<WeightedEdge> read_weighted_pairs(const std::string& path, Index samples, const RunContext& context) {
  const SampleNames names(samples, {});
  std::vector<WeightedEdge> pairs;
  const auto is_header = [&](const FieldRow& row) { return names.neither_end(row); };
  read_field_rows(path, {2, 1}, context, is_header, [&](const FieldRow& row) {
    const auto [i, j] = ends_of(row, names);
    const auto weight = row.fields.size() > 2 ? read_double(row.fields[2]) : std::optional(1.0);
    if (!weight || !(*weight >= 0) || !(*weight <= kLargestWeight))
      row.fail(fmt::format("{} is not a weight: a number from 0 to {:g}", excerpt(row.fields[2]), kLargestWeight));
    if (*weight > 0) pairs.push_back({i, j, *weight});
  });
  return settled(std::move(pairs), source_name(path));
}

std::vector<WeightedEdge> weighted_pairs(const RowMatrix& rows, Index samples) {
  require_columns(rows, 2, 3);
  std::vector<WeightedEdge> pairs;
  for (Index r = 0; r < rows.rows(); ++r) {
    const auto [i, j] = ends_of(rows, r, samples);
    const double weight = rows.cols() == 3 ? rows(r, 2) : 1;
    if (!(weight >= 0 && weight <= kLargestWeight))
      throw Error(ErrorCode::bad_data, fmt::format("pair {}: {} is not a weight: a number from 0 to {:g}", r,
                                                   number_text(weight), kLargestWeight));
    if (weight > 0) pairs.push_back({i, j, weight});
  }
  return settled(std::move(pairs), "the table of pairs");
}

PairSet linked_pairs(const RowMatrix& rows, Index samples, const std::vector<std::string>& ids) {
  require_columns(rows, 3, 3);
  PairSet set{samples, {}, "the table of pairs", ids};
  for (Index r = 0; r < rows.rows(); ++r) {
    const auto [i, j] = ends_of(rows, r, samples);
    if (std::abs(rows(r, 2)) != 1)
      throw Error(ErrorCode::bad_data, fmt::format("pair {}: {} is not one of 1, -1", r, number_text(rows(r, 2))));
    set.pairs.push_back({i, j, int(rows(r, 2)), r + 1});
  }
  if (set.pairs.empty()) throw Error(ErrorCode::bad_data, set.source + " has no pair");
  return set;
}

Graph read_edges(const std::string& path, Index vertices, const RunContext& context) {
  const SampleNames names(vertices, {});
  Graph graph{vertices, {}};
  const auto is_header = [&](const FieldRow& row) { return names.neither_end(row); };
  read_field_rows(path, {2}, context, is_header,
                  [&](const FieldRow& row) { graph.edges.push_back(ends_of(row, names)); });
  return each_once(std::move(graph), source_name(path));
}

Graph edges_of(const RowMatrix& rows, Index vertices) {
  require_columns(rows, 2, 2);
  Graph graph{vertices, {}};
  for (Index r = 0; r < rows.rows(); ++r) graph.edges.push_back(ends_of(rows, r, vertices));
  return each_once(std::move(graph), "the table of edges");
}

}  // namespace ritz
