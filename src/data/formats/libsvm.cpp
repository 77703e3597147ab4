// SPDX-License-Identifier: MIT
// LIBSVM: "label index:value …", indices from 1 and increasing, # begins a comment.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <ostream>

#include "base/at.hpp"
#include "data/formats/array_readers.hpp"
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
  if (colon == std::string_view::npos) lines.fail(fmt::format("{} is not of the form index:value", excerpt(token)));
  const auto index = read_integer(token.substr(0, colon));
  if (!index) lines.fail(fmt::format("the index of {} is not a whole number", excerpt(token)));
  if (*index < 1) lines.fail(fmt::format("the index {} is below 1; indices count from 1", *index));
  if (*index > kLargestIndex) lines.fail(fmt::format("the index {} is too large", *index));
  if (Index(*index - 1) <= previous)
    lines.fail(fmt::format("the index {} follows {}; indices must increase", *index, previous + 1));
  const auto value = read_double(token.substr(colon + 1));
  if (!value) lines.fail(fmt::format("the value of {} is not a number", excerpt(token)));
  return {Index(*index - 1), *value};
}

bool is_pair(std::string_view token) {
  const std::size_t colon = token.find(':');
  return colon != std::string_view::npos && read_integer(token.substr(0, colon)) &&
         read_double(token.substr(colon + 1));
}

// "label index:value …" on every whole line of the sample, with a pair on one of them at least.
bool looks_like_libsvm(std::string_view sample) {
  constexpr int kLines = 20;
  bool has_pair = false;
  for (int k = 0; k < kLines && !sample.empty(); ++k) {
    const std::size_t end = sample.find('\n');
    std::string_view line = sample.substr(0, end);
    const bool cut = end == std::string_view::npos && sample.size() >= kHeadBytes;
    sample.remove_prefix(std::min(line.size() + 1, sample.size()));
    line = line.substr(0, line.find('#'));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    if (!read_double(next_token(line))) return false;
    for (std::string_view token = next_token(line); !token.empty(); token = next_token(line)) {
      if (!is_pair(token)) return cut && line.empty() && has_pair;  // the last token of a cut line may be half a pair
      has_pair = true;
    }
  }
  return has_pair;
}

void read_entries(ByteSource& source, EntrySink& sink, const RunContext& context) {
  LineReader lines(source, context);
  bool any_row = false, any_entry = false;
  std::string_view line;
  while (lines.next(line)) {
    line = line.substr(0, line.find('#'));
    const std::string_view label = next_token(line);
    if (label.empty()) continue;
    if (label.find(':') != std::string_view::npos)
      lines.fail(fmt::format("{} stands where the label should be", excerpt(label)));
    sink.row(label);
    any_row = true;
    Index previous = -1;
    for (std::string_view token = next_token(line); !token.empty(); token = next_token(line)) {
      const Entry entry = read_entry(lines, token, previous);
      previous = entry.column;
      any_entry = true;
      sink.entry(entry.column, entry.value);
    }
  }
  if (!any_row) throw Error(ErrorCode::bad_data, source.name() + " holds no samples");
  if (!any_entry) source.fail("no line has an index:value pair");
}

SparseTable read_libsvm(ByteSource& source, const RunContext& context) {
  struct Sink final : EntrySink {
    Sink(const RunContext& context, const std::string& name) : entries(context, name) {}
    void row(std::string_view label) override {
      entries.hold(text_bytes(label));
      labels.emplace_back(label);
    }
    void entry(Index column, double value) override {
      entries.add(Index(labels.size()) - 1, column, value);
      cols = std::max(cols, column + 1);
    }
    Triplets entries;
    std::vector<std::string> labels;
    Index cols = 0;
  } sink(context, source.name());
  read_entries(source, sink, context);
  const Index rows = Index(sink.labels.size());
  return {sink.entries.take(rows, sink.cols), std::move(sink.labels)};
}

void append_pair(std::string& line, Index column, double value) {
  if (value == 0) return;
  line += fmt::format(" {}:", column + 1);
  append_number(line, value);
}

void write_libsvm(std::ostream& out, const OutputTable& table) {
  for (const std::string& name : table.labels.names)
    if (name.empty() || name.find_first_of(" \t\r\n:#") != std::string::npos)
      throw Error(ErrorCode::bad_option,
                  fmt::format("{}: the label '{}' cannot stand in a LIBSVM file", table.path, name));
  std::string line;
  for (Index i = 0; i < table.rows() && out; ++i) {
    line = table.labels.size() > 0 ? at(table.labels.names, at(table.labels.of, i)) : "0";
    if (table.dense)
      for (Index j = 0; j < table.cols(); ++j) append_pair(line, j, (*table.dense)(i, j));
    else
      for (SparseRows::InnerIterator it(*table.sparse, i); it; ++it) append_pair(line, it.col(), it.value());
    line += '\n';
    out.write(line.data(), std::streamsize(line.size()));
  }
}

}  // namespace

extern const FormatRow libsvm_format = {
    .name = "LIBSVM",
    .endings = ".libsvm .svm .svmlight",
    .help = "sparse rows \"label index:value …\", indices from 1; also told by its lines",
    .no_mark = "",
    .recognised = looks_like_libsvm,
    .read = array_readers<read_libsvm>,
    .entries = read_entries,
    .write = write_libsvm,
};

}  // namespace ritz::detail
