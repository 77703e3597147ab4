// SPDX-License-Identifier: MIT
#include "ritz/graph/pair_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "data/formats/record.hpp"
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
                    fmt::format("the id {} names two samples, {} and {}; pairs cannot tell them apart",
                                detail::quoted(ids[i]), at->second, i));
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
    if (!number_.empty()) return fmt::format("no sample has the id {}", detail::quoted(field));
    if (!read_integer(field)) return fmt::format("{} is not a whole number", detail::quoted(field));
    return fmt::format("there is no sample {}; the {} samples are numbered from 0 to {}", field, count_, count_ - 1);
  }
  // Whether the field is meant as a sample, be it one that is not there.
  bool looks_like_one(std::string_view field) const { return find(field) || read_integer(field); }

 private:
  Index count_;
  std::unordered_map<std::string_view, Index> number_;
};

std::optional<int> sign_of(std::string_view word) {
  if (word == "must" || word == "+1" || word == "1") return 1;
  if (word == "cannot" || word == "-1") return -1;
  return std::nullopt;
}

// Calls row(fields, line) for each row of `columns` fields (`optional` more may follow) but the header, which
// `is_header` recognises in the first.
template <class IsHeader, class Row>
void read_rows(const std::string& path, std::size_t columns, const RunContext& context, const IsHeader& is_header,
               const Row& row, std::size_t optional = 0) {
  detail::ByteSource source = detail::open_source(path);
  detail::RecordReader records(source, context, detail::guess_layout(source, context).delimiter);
  detail::Fields fields;
  std::string_view record;
  for (bool first = true; records.next(record); first = false) {
    split_fields(record, records.delimiter(), fields);
    if (fields.of.size() < columns || fields.of.size() > columns + optional)
      records.lines().fail_at(
          records.line(),
          fmt::format("found {} field{}, expected {}{}", fields.of.size(), fields.of.size() == 1 ? "" : "s", columns,
                      optional > 0 ? fmt::format(" or {}", columns + optional) : std::string()));
    if (first && is_header(fields.of)) continue;
    row(fields.of, records);
  }
}

// Both ends of a row as i < j.
Edge ends_of(const std::vector<std::string_view>& fields, const SampleNames& samples,
             const detail::RecordReader& records) {
  std::array<Index, 2> ends{};
  for (std::size_t e = 0; e < ends.size(); ++e) {
    const auto found = samples.find(fields[e]);
    if (!found) records.lines().fail_at(records.line(), samples.objection(fields[e]));
    ends[e] = *found;
  }
  if (ends[0] == ends[1])
    records.lines().fail_at(records.line(), fmt::format("{} is paired with itself; two samples are needed", fields[0]));
  return {std::min(ends[0], ends[1]), std::max(ends[0], ends[1])};
}

// The heaviest of a pair that is named again, by i, then j.
std::vector<WeightedEdge> settled(std::vector<WeightedEdge> pairs, const std::string& source) {
  if (pairs.empty()) throw Error(ErrorCode::bad_data, source + " has no pair with a positive weight");
  std::ranges::sort(pairs, [](const WeightedEdge& a, const WeightedEdge& b) {
    return a.i != b.i ? a.i < b.i : a.j != b.j ? a.j < b.j : a.weight > b.weight;
  });
  const auto repeated =
      std::ranges::unique(pairs, [](const WeightedEdge& a, const WeightedEdge& b) { return a.i == b.i && a.j == b.j; });
  pairs.erase(repeated.begin(), repeated.end());
  return pairs;
}

}  // namespace

PairSet read_pairs(const std::string& path, Index samples, const RunContext& context,
                   const std::vector<std::string>& ids) {
  const SampleNames names(samples, ids);
  PairSet set{samples, {}, detail::source_name(path), ids};
  const auto is_header = [&](const std::vector<std::string_view>& fields) {
    return !names.looks_like_one(fields[0]) && !names.looks_like_one(fields[1]) && !sign_of(fields[2]);
  };
  read_rows(path, 3, context, is_header, [&](const auto& fields, const detail::RecordReader& records) {
    const auto [i, j] = ends_of(fields, names, records);
    const auto sign = sign_of(fields[2]);
    if (!sign)
      records.lines().fail_at(records.line(),
                              fmt::format("{} is not one of must, cannot, +1, -1", detail::quoted(fields[2])));
    set.pairs.push_back({i, j, *sign, Index(records.line())});
  });
  if (set.pairs.empty()) throw Error(ErrorCode::bad_data, set.source + " has no pair");
  return set;
}

std::vector<WeightedEdge> read_weighted_pairs(const std::string& path, Index samples, const RunContext& context) {
  const SampleNames names(samples, {});
  std::vector<WeightedEdge> pairs;
  const auto is_header = [&](const std::vector<std::string_view>& fields) {
    return !names.looks_like_one(fields[0]) && !names.looks_like_one(fields[1]);
  };
  read_rows(
      path, 2, context, is_header,
      [&](const auto& fields, const detail::RecordReader& records) {
        const auto [i, j] = ends_of(fields, names, records);
        const auto weight = fields.size() > 2 ? read_double(fields[2]) : std::optional(1.0);
        if (!weight || !(*weight >= 0) || !(*weight <= kLargestWeight))
          records.lines().fail_at(records.line(), fmt::format("{} is not a weight: a number from 0 to {:g}",
                                                              detail::quoted(fields[2]), kLargestWeight));
        if (*weight > 0) pairs.push_back({i, j, *weight});
      },
      1);
  return settled(std::move(pairs), detail::source_name(path));
}

std::vector<WeightedEdge> weighted_pairs(const RowMatrix& rows, Index samples) {
  if (rows.cols() != 2 && rows.cols() != 3)
    throw Error(ErrorCode::bad_shape, fmt::format("pairs have {} columns, expected 2 or 3", rows.cols()));
  std::vector<WeightedEdge> pairs;
  for (Index r = 0; r < rows.rows(); ++r) {
    const double a = rows(r, 0), b = rows(r, 1), weight = rows.cols() == 3 ? rows(r, 2) : 1;
    for (const double end : {a, b})
      if (!(end >= 0 && end < double(samples)) || end != std::floor(end))
        throw Error(ErrorCode::bad_data, fmt::format("pair {}: there is no sample {}; the {} samples are numbered from "
                                                     "0 to {}",
                                                     r, number_text(end), samples, samples - 1));
    if (a == b) throw Error(ErrorCode::bad_data, fmt::format("pair {}: {} is paired with itself", r, number_text(a)));
    if (!(weight >= 0 && weight <= kLargestWeight))
      throw Error(ErrorCode::bad_data, fmt::format("pair {}: {} is not a weight: a number from 0 to {:g}", r,
                                                   number_text(weight), kLargestWeight));
    if (weight > 0) pairs.push_back({Index(std::min(a, b)), Index(std::max(a, b)), weight});
  }
  return settled(std::move(pairs), "the table of pairs");
}

Graph read_edges(const std::string& path, Index vertices, const RunContext& context) {
  const SampleNames names(vertices, {});
  Graph graph{vertices, {}};
  const auto is_header = [&](const std::vector<std::string_view>& fields) {
    return !names.looks_like_one(fields[0]) && !names.looks_like_one(fields[1]);
  };
  read_rows(path, 2, context, is_header, [&](const auto& fields, const detail::RecordReader& records) {
    graph.edges.push_back(ends_of(fields, names, records));
  });
  if (graph.edges.empty()) throw Error(ErrorCode::bad_data, detail::source_name(path) + " has no edge");
  std::ranges::sort(graph.edges);
  const auto repeated = std::ranges::unique(graph.edges);
  graph.edges.erase(repeated.begin(), repeated.end());
  return graph;
}

}  // namespace ritz
