// SPDX-License-Identifier: MIT
#include "data/stored/stored_dataset.hpp"

#include <utility>

#include "base/at.hpp"

namespace ritz::detail {

void LabelParts::add(const std::string& text) {
  const auto [place, is_new] = places_.try_emplace(text, int(found_.names.size()));
  if (is_new) found_.names.push_back(text);
  found_.of.push_back(place->second);
}

Labels LabelParts::finish() {
  if (found_.of.empty()) return {};
  const Labels merged = make_labels(found_.names);  // their order, and which of them are the same number
  for (int& label : found_.of) label = at(merged.of, label);
  found_.names = merged.names;
  return std::move(found_);
}

std::optional<Dataset> read_stored(const std::string& path, const ReadOptions& options, const RunContext& context) {
  ByteSource source = open_source(path);
  const FormatRow& format = format_of(path, source);
  const std::string name = source.name();
  if (format.lines) return stored_lines(std::move(source), format, options, context);
  if (format.entries) return stored_entries(std::move(source), format, options, context);
  if (!format.array) return std::nullopt;
  const auto rows = stored_array(std::move(source), format, context);
  if (!rows) return std::nullopt;
  return table_of(*rows, name, options, context);
}

}  // namespace ritz::detail
