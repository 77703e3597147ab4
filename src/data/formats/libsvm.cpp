// SPDX-License-Identifier: MIT
// LIBSVM: "label index:value …", indices from 1 and increasing, # begins a comment.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "data/formats/readers.hpp"
#include "data/formats/triplets.hpp"
#include "data/streams/growing_values.hpp"
#include "data/streams/line_reader.hpp"
#include "ritz/base/text.hpp"

namespace ritz::detail {

namespace {

constexpr long long kLargestIndex = std::numeric_limits<int>::max() - 1;

struct Entry {
  Index column;  // from 0
  double value;
};

Entry read_entry(const LineReader& lines, std::string_view token, Index previous) {
  const std::size_t colon = token.find(':');
  if (colon == std::string_view::npos) lines.fail(fmt::format("{} is not of the form index:value", quoted(token)));
  const auto index = read_integer(token.substr(0, colon));
  if (!index) lines.fail(fmt::format("the index of {} is not a whole number", quoted(token)));
  if (*index < 1) lines.fail(fmt::format("the index {} is below 1; indices count from 1", *index));
  if (*index > kLargestIndex) lines.fail(fmt::format("the index {} is too large", *index));
  if (Index(*index - 1) <= previous)
    lines.fail(fmt::format("the index {} follows {}; indices must increase", *index, previous + 1));
  const auto value = read_double(token.substr(colon + 1));
  if (!value) lines.fail(fmt::format("the value of {} is not a number", quoted(token)));
  return {Index(*index - 1), *value};
}

}  // namespace

SparseTable read_libsvm(ByteSource& source, const RunContext& context) {
  LineReader lines(source, context);
  Triplets entries(context, source.name());
  SparseTable table;
  Index cols = 0;
  std::string_view line;
  while (lines.next(line)) {
    line = line.substr(0, line.find('#'));
    const std::string_view label = next_token(line);
    if (label.empty()) continue;
    if (label.find(':') != std::string_view::npos)
      lines.fail(fmt::format("{} stands where the label should be", quoted(label)));
    const Index row = Index(table.labels.size());
    table.labels.emplace_back(label);
    Index previous = -1;
    for (std::string_view token = next_token(line); !token.empty(); token = next_token(line)) {
      const Entry entry = read_entry(lines, token, previous);
      previous = entry.column;
      entries.add(row, entry.column, entry.value);
    }
    cols = std::max(cols, previous + 1);
  }
  if (table.labels.empty()) throw Error(ErrorCode::bad_data, source.name() + " holds no samples");
  if (cols == 0) source.fail("no line has an index:value pair");
  table.values = entries.take(Index(table.labels.size()), cols);
  return table;
}

}  // namespace ritz::detail
