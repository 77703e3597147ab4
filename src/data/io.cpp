// SPDX-License-Identifier: MIT
// Which format a file goes to or comes from, and what its content becomes.
#include "ritz/data/io.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <new>
#include <ostream>
#include <utility>

#include "data/columns.hpp"
#include "data/formats/array_readers.hpp"
#include "data/formats/format.hpp"
#include "data/formats/table.hpp"
#include "data/named_rows.hpp"
#include "data/source_names.hpp"
#include "data/stored/stored_dataset.hpp"
#include "data/streams/gzip_stream.hpp"
#include "ritz/base/error.hpp"

namespace ritz {

using namespace detail;

namespace {

// The budget may be wider than the machine.
template <class Read>
auto within_memory(const std::string& path, Read read) {
  try {
    ByteSource source = open_source(path);
    return read(source, format_of(path, source).read);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::memory, source_name(path) + ": the machine has not enough memory to read it");
  }
}

template <class Function>
std::string writable_endings(Function FormatRow::*wanted) {
  std::vector<std::string> endings;
  for (const FormatRow* row : format_rows())
    if (row->*wanted) std::ranges::copy(endings_of(*row), std::back_inserter(endings));
  return listed(endings, "or");
}

// The row that the path's ending names, which must have what `wanted` points at.
template <class Function>
NamedFormat output_format(const std::string& path, Function FormatRow::*wanted) {
  const NamedFormat named = path == "-" ? NamedFormat{format_rows().front()} : format_named(path);
  if (named.row && named.row->*wanted) return named;
  throw Error(ErrorCode::bad_option,
              fmt::format("{}: {}the ending must say the format: {}, each also with .gz", path,
                          named.row ? fmt::format("a {} file cannot be written so; ", named.row->name) : "",
                          writable_endings(wanted)));
}

NamedFormat label_format(const std::string& path) {
  if (!format_named(path).row) return {format_rows().front()};
  return output_format(path, &FormatRow::write_labels);
}

void write_file(const std::string& path, const std::function<void(std::ostream&)>& fill, const RunContext& context) {
  if (!path.ends_with(".gz")) return write_atomically(path, fill, context);
  const auto packed = [&](std::ostream& below) {
    GzipBuffer buffer(below);
    std::ostream out(&buffer);
    fill(out);
    buffer.finish();
  };
  write_atomically(path, packed, context);
}

void write_table(const OutputTable& table, const FormatRow& row, const RunContext& context) {
  if (!table.names.empty() && Index(table.names.size()) != table.cols() + (table.row_names ? 1 : 0))
    throw Error(ErrorCode::bad_shape,
                fmt::format("{}: {} column names for {} columns", table.path, table.names.size(), table.cols()));
  write_file(
      table.path, [&](std::ostream& out) { row.write(out, table); }, context);
}

}  // namespace

Dataset read_dataset(const std::string& path, const ReadOptions& options, const RunContext& context) {
  const auto held = [&](const RunContext& within) {
    return within_memory(
        path, [&](ByteSource& source, const Readers& read) { return read.dataset(source, options, within); });
  };
  if (!options.may_stay || path == "-") return held(context);  // standard input comes once
  try {
    RunContext part = context;
    part.max_memory = std::size_t(kHeldShare * double(context.max_memory));
    return held(part);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::memory) throw;
  }
  if (auto stored = read_stored(path, options, context)) return std::move(*stored);
  return held(context);
}

Labels read_labels(const std::string& path, const RunContext& context, const std::string& unlabelled) {
  return within_memory(path, [&](ByteSource& source, const Readers& read) {
    Labels labels = make_labels(read.labels(source, unlabelled, context));
    if (labels.size() == 0) throw Error(ErrorCode::bad_data, source.name() + " holds no labels");
    return labels;
  });
}

std::vector<NamedMatrix> read_matrices(const std::string& path, const RunContext& context) {
  return within_memory(path, [&](ByteSource& source, const Readers& read) { return read.matrices(source, context); });
}

RowMatrix read_matrix(const std::string& path, const RunContext& context) try {
  return within_memory(path, [&](ByteSource& source, const Readers& read) {
    Dataset data = read.dataset(source, {}, context);
    for (const Column& column : data.recipe ? data.recipe->columns : std::vector<Column>{})
      if (column.kind == ColumnKind::category)
        source.fail(
            fmt::format("the column '{}' holds texts ({}), not numbers", column.name, some_of(column.levels, 3)));
    return dense_of(std::move(data), context);
  });
} catch (const Error& error) {
  // What samples lack can be settled by options; a row of a table beside them cannot go alone.
  const std::string text = error.what();
  if (const std::size_t end = text.find(fmt::format("; {}", kMissingAdvice)); end != std::string::npos)
    throw Error(error.code(), text.substr(0, end) + "; every row needs its numbers");
  if (const std::size_t end = text.find("; input.kind"); end != std::string::npos)
    throw Error(error.code(), text.substr(0, end));
  throw;
}

void require_matrix_format(const std::string& path) { output_format(path, &FormatRow::write); }
void require_labels_format(const std::string& path) { label_format(path); }

void write_matrix(const std::string& path, DataView values, const std::vector<std::string>& column_names,
                  const RunContext& context) {
  const NamedFormat format = output_format(path, &FormatRow::write);
  write_table({path, format.ending, &values, nullptr, column_names, {}}, *format.row, context);
}

void write_named_rows(const std::string& path, DataView values, const std::vector<std::string>& column_names,
                      const std::vector<std::string>& row_names, const std::string& corner) {
  const NamedFormat format = output_format(path, &FormatRow::write);
  std::vector<std::string> names = {corner};
  names.insert(names.end(), column_names.begin(), column_names.end());
  write_table({path, format.ending, &values, nullptr, names, {}, &row_names}, *format.row, {});
}

void write_labels(const std::string& path, const Labels& labels, const RunContext& context) {
  const NamedFormat format = label_format(path);
  write_file(
      path, [&](std::ostream& out) { format.row->write_labels(out, labels, path); }, context);
}

void write_dataset(const std::string& path, const Dataset& data, const RunContext& context) {
  const NamedFormat format = output_format(path, &FormatRow::write);
  if (const auto* sparse = std::get_if<SparseRows>(&data.samples))
    return write_table({path, format.ending, nullptr, sparse, data.feature_names, data.labels}, *format.row, context);
  const Eigen::Ref<const RowMatrix> dense(data.dense());
  write_table({path, format.ending, &dense, nullptr, data.feature_names, data.labels}, *format.row, context);
}

}  // namespace ritz
