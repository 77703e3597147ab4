// SPDX-License-Identifier: MIT
// "grid ROWS COLS", then the values in order: all that it takes to add a format.
#include "conformance/toy_format.hpp"

#include <fmt/format.h>

#include <ostream>

#include "data/formats/array_readers.hpp"
#include "data/formats/triplets.hpp"
#include "data/source_names.hpp"
#include "data/streams/growing_values.hpp"

namespace ritz::test {

namespace {

using namespace ritz::detail;

bool is_grid(std::string_view head) { return head.starts_with("grid "); }

RowMatrix read_grid(ByteSource& source, const RunContext& context) {
  LineReader lines(source, context);
  std::string_view line;
  lines.next(line);
  next_token(line);
  const auto rows = read_integer(next_token(line)), cols = read_integer(next_token(line));
  if (!rows || !cols || *rows < 1 || *cols < 1) lines.fail("the sizes are not two positive whole numbers");
  GrowingValues values(context, source.name());
  while (lines.next(line))
    for (std::string_view token = next_token(line); !token.empty(); token = next_token(line)) {
      const auto value = read_double(token);
      if (!value) lines.fail(excerpt(token) + " is not a number");
      *values.extend(1) = *value;
    }
  if (values.size() / *cols != *rows || values.size() % *cols != 0)
    source.fail(fmt::format("{} values are not {} x {}", values.size(), *rows, *cols));
  return values.take(*rows, *cols);
}

void write_grid(std::ostream& out, const OutputTable& table) {
  out << "grid " << table.rows() << ' ' << table.cols() << '\n';
  Vector row(table.cols());
  for (Index i = 0; i < table.rows(); ++i) {
    table.copy_row(i, row.data());
    std::string line;
    for (const double value : row) append_number(line += ' ', value);
    out << line << '\n';
  }
}

const FormatRow grid_format = {
    .name = "GRID",
    .endings = ".grid",
    .help = "a toy",
    .no_mark = "it does not begin with grid",
    .recognised = is_grid,
    .read = array_readers<read_grid>,
    .write = write_grid,
};

}  // namespace

void add_toy_format() { static const FurtherFormat grid(grid_format); }

}  // namespace ritz::test
