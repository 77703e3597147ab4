// SPDX-License-Identifier: MIT
#include "ritz/data/io.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/at.hpp"
#include "data/columns.hpp"
#include "data/formats/format.hpp"

namespace ritz {

using namespace detail;

namespace {

void count_texts(const Table& table, Index j, const RawColumn& raw, ColumnFacts& facts) {
  std::vector<Index> counts(raw.texts.size(), 0);
  for (Index i = 0; i < table.values.rows(); ++i)
    if (const double place = table.values(i, j); !std::isnan(place)) ++at(counts, Index(place));
  for (std::size_t k = 0; k < counts.size(); ++k) facts.counts.emplace_back(raw.texts[k], counts[k]);
  std::ranges::stable_sort(facts.counts, [](const auto& a, const auto& b) { return a.second > b.second; });
  facts.distinct = Index(counts.size());
}

// Of whole numbers few of which differ, how often each is there, too: they may be classes.
void count_numbers(std::vector<double> values, bool classes, ColumnFacts& facts) {
  constexpr std::size_t kMostClasses = 30;
  if (values.empty()) return;
  facts.mean = std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
  std::ranges::sort(values);
  facts.low = values.front();
  facts.high = values.back();
  std::vector<std::pair<std::string, Index>> counts;
  facts.distinct = 0;
  for (auto first = values.begin(); first != values.end(); ++facts.distinct) {
    const auto last = std::upper_bound(first, values.end(), *first);
    classes = classes && counts.size() < kMostClasses && *first == std::floor(*first);
    if (classes) counts.emplace_back(number_text(*first), last - first);
    first = last;
  }
  if (classes) facts.counts = std::move(counts);
}

ColumnFacts facts_of(const Table& table, Index j, const Column& column, const std::string& why) {
  ColumnFacts facts{.column = column, .why = why};
  const auto raw = table.raw.find(j);
  const bool text = raw != table.raw.end() && raw->second.is_text;
  if (text) count_texts(table, j, raw->second, facts);
  std::vector<double> values;
  for (Index i = 0; i < table.values.rows(); ++i) {
    double value = table.values(i, j);
    facts.missing += std::isnan(value);
    if (std::isnan(value)) continue;
    const bool measured = column.kind == ColumnKind::date || column.kind == ColumnKind::number;
    if (text && (!measured || !why.empty())) continue;
    if (text) value = text_value(at(raw->second.texts, Index(value)), column, table.decimal).value_or(kUnknown);
    facts.missing += std::isnan(value);
    if (!std::isnan(value)) values.push_back(value);
  }
  const Index texts = facts.distinct;
  count_numbers(std::move(values), !text && column.kind == ColumnKind::number, facts);
  if (text) facts.distinct = texts;
  if (text && column.kind == ColumnKind::number && why.empty()) facts.counts.clear();
  return facts;
}

bool lacks_value(const Table& table, const std::vector<Column>& columns, Index row) {
  for (Index j = 0; j < Index(columns.size()); ++j) {
    const Column& column = at(columns, j);
    const double value = table.values(row, j);
    if (column.kind == ColumnKind::id) continue;
    if (std::isnan(value)) return true;
    const auto raw = table.raw.find(j);
    const bool measured = column.kind == ColumnKind::number || column.kind == ColumnKind::date,
               text = raw != table.raw.end() && raw->second.is_text && measured;
    if (text && std::isnan(text_value(at(raw->second.texts, Index(value)), column, table.decimal).value_or(0)))
      return true;
  }
  return false;
}

Index equal_rows(const Table& table, const std::vector<Column>& columns) {
  std::vector<Index> kept, order(std::size_t(table.values.rows()));
  for (Index j = 0; j < Index(columns.size()); ++j)
    if (at(columns, j).kind != ColumnKind::id) kept.push_back(j);
  std::iota(order.begin(), order.end(), Index(0));
  const auto compared = [&](Index a, Index b) {  // a gap is before all numbers
    for (const Index j : kept) {
      const double x = table.values(a, j), y = table.values(b, j);
      if (std::isnan(x) != std::isnan(y)) return std::isnan(x) ? -1 : 1;
      if (x < y || x > y) return x < y ? -1 : 1;
    }
    return 0;
  };
  std::ranges::sort(order, [&](Index a, Index b) { return compared(a, b) < 0; });
  Index equal = 0;
  for (std::size_t k = 1; k < order.size(); ++k) equal += compared(order[k - 1], order[k]) == 0;
  return equal;
}

}  // namespace

TableFacts describe_table(const std::string& path, const ReadOptions& options, const RunContext& context) {
  ByteSource source = open_source(path);
  const FormatRow& format = format_of(path, source);
  Table table;
  if (&format == format_rows().front()) {
    table = read_table(source, options, context);
  } else {
    ReadOptions all = options;
    all.missing = MissingValues::mean;  // whose note tells how many
    Dataset data = format.read.dataset(source, all, context);
    if (data.sparse())
      return {.source = data.source,
              .rows = data.rows(),
              .columns = {},
              .sparse = true,
              .sparse_columns = data.cols(),
              .notes = data.notes};
    table.values = std::move(data.dense());
    table.names = data.feature_names;
    table.notes = data.notes;
  }
  TableFacts facts{.source = source.name(), .rows = table.values.rows(), .columns = {}, .notes = table.notes};
  const Reading reading = recognised(table);
  facts.notes.insert(facts.notes.end(), reading.questions.begin(), reading.questions.end());
  for (Index j = 0; j < table.values.cols(); ++j)
    facts.columns.push_back(facts_of(table, j, at(reading.columns, j), at(reading.why, j)));
  for (Index i = 0; i < facts.rows; ++i) facts.incomplete += lacks_value(table, reading.columns, i);
  facts.duplicates = equal_rows(table, reading.columns);
  return facts;
}

}  // namespace ritz
