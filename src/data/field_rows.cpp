// SPDX-License-Identifier: MIT
#include "data/field_rows.hpp"

#include <fmt/format.h>

#include "data/formats/record.hpp"
#include "data/formats/table.hpp"
#include "data/streams/growing_values.hpp"

namespace ritz {

void FieldRow::fail(const std::string& sentence) const {
  throw Error(ErrorCode::bad_file, fmt::format("{}, line {}: {}", source, line, sentence));
}

void read_field_rows(const std::string& path, const RowShape& shape, const RunContext& context,
                     const std::function<bool(const FieldRow&)>& is_header,
                     const std::function<void(const FieldRow&)>& take) {
  using detail::require_reading_memory;
  detail::ByteSource source = detail::open_source(path);
  detail::RecordReader records(source, context, detail::guess_layout(source, context).delimiter);
  detail::Fields fields;
  std::string_view record;
  const std::size_t most = shape.fields + shape.further;
  constexpr double kRowBytes = 96;
  Index rows = 0;
  for (bool first = true; records.next(record); first = false) {
    split_fields(record, records.delimiter(), fields);
    const FieldRow row{fields.of, records.line(), source.name()};
    if (fields.of.size() < shape.fields || fields.of.size() > most)
      row.fail(fmt::format("found {}, expected {}{}", detail::counted((long long)(fields.of.size()), "field", "fields"),
                           shape.fields, shape.further > 0 ? fmt::format(" or {}", most) : ""));
    // What is kept of a row is a few numbers in a list, which is copied while it grows.
    require_reading_memory(context, kRowBytes * double(++rows), source.name());
    if (!(first && is_header(row))) take(row);
  }
}

}  // namespace ritz
