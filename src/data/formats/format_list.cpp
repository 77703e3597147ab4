// SPDX-License-Identifier: MIT
// The formats, and which of them a file is in.
#include <fmt/format.h>

#include <utility>

#include "data/formats/format.hpp"
#include "ritz/base/error.hpp"

namespace ritz::detail {

extern const FormatRow delimited_format, npy_format, npz_format, libsvm_format, market_format, idx_format, mat_format;

namespace {

std::vector<const FormatRow*>& rows() {
  static std::vector<const FormatRow*> list = {&delimited_format, &npy_format, &npz_format, &libsvm_format,
                                               &market_format,    &idx_format, &mat_format};
  return list;
}

// Told by their first bytes, to be refused with a reason.
constexpr std::pair<std::string_view, std::string_view> kForeign[] = {
    {"\x89HDF\r\n", "an HDF5 file"}, {"MATLAB 7.3", "a MATLAB file of version 7.3 (save it with -v7)"}};

[[noreturn]] void refuse(const ByteSource& source, std::string_view what) {
  throw Error(ErrorCode::bad_file,
              fmt::format("{}: {} cannot be read; known are {}", source.name(), what, format_names("and")));
}

}  // namespace

std::span<const FormatRow* const> format_rows() { return rows(); }

FurtherFormat::FurtherFormat(const FormatRow& row) { rows().push_back(&row); }
FurtherFormat::~FurtherFormat() { rows().pop_back(); }

NamedFormat format_named(const std::string& path) {
  std::string name = lower(path);
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  for (const FormatRow* row : rows())
    for (const std::string& ending : endings_of(*row))
      if (name.ends_with(ending)) return {row, ending};
  return {};
}

const FormatRow& format_of(const std::string& path, ByteSource& source) {
  const std::string_view head = source.peek(kHeadBytes);
  // The last first: what is added later is asked before, and delimited text takes what nobody else knows.
  for (std::size_t r = rows().size(); r-- > 0;)
    if (const FormatRow& row = *rows()[r]; !row.no_mark.empty() && row.recognised(head)) return row;
  for (const auto& [mark, what] : kForeign)
    if (head.starts_with(mark)) refuse(source, what);

  const NamedFormat named = format_named(path);
  if (named.row && !named.row->no_mark.empty())
    source.fail(fmt::format("this is no {} file; {}", named.row->name, named.row->no_mark));
  if (head.find('\0') != std::string_view::npos) refuse(source, "a binary file of an unknown format");
  if (named.row && named.ending != ".txt") return *named.row;
  for (std::size_t r = rows().size(); r-- > 0;)
    if (const FormatRow& row = *rows()[r]; row.no_mark.empty() && row.recognised(head)) return row;
  source.fail("the format is not known");
}

}  // namespace ritz::detail

namespace ritz {

std::vector<FormatFacts> formats() {
  std::vector<FormatFacts> facts;
  for (const detail::FormatRow* row : detail::format_rows())
    facts.push_back({std::string(row->name), detail::endings_of(*row), std::string(row->help), row->write != nullptr,
                     row->write_labels != nullptr});
  return facts;
}

std::string format_names(std::string_view last) {
  std::vector<std::string> names;
  for (const detail::FormatRow* row : detail::format_rows()) names.emplace_back(row->name);
  return detail::listed(names, last);
}

}  // namespace ritz
