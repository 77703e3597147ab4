// SPDX-License-Identifier: MIT
#include "data/formats/format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "base/at.hpp"
#include "data/formats/triplets.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/text.hpp"

namespace ritz::detail {

std::vector<std::string> endings_of(const FormatRow& row) {
  std::vector<std::string> endings;
  for (std::string_view rest = row.endings; !rest.empty();) endings.emplace_back(next_token(rest));
  return endings;
}

std::string listed(const std::vector<std::string>& words, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : i + 1 < words.size() ? ", " : fmt::format(" {} ", last), words[i]);
  return text;
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return out;
}

void append_number(std::string& text, double value) {
  std::array<char, 32> buffer;
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  text.append(buffer.data(), end);
}

Vector label_numbers(const Labels& labels, const std::string& path) {
  Vector values(labels.size());
  for (Index i = 0; i < labels.size(); ++i) {
    const std::string& name = at(labels.names, at(labels.of, i));
    const auto value = read_double(name);
    if (!value)
      throw Error(ErrorCode::bad_option, fmt::format("{}: the label '{}' is no number; write to .csv", path, name));
    values[i] = *value;
  }
  return values;
}

void OutputTable::copy_row(Index row, double* out) const {
  Eigen::Map<Eigen::RowVectorXd> copy(out, cols());
  if (dense) {
    copy = dense->row(row);
    return;
  }
  copy.setZero();
  for (SparseRows::InnerIterator it(*sparse, row); it; ++it) copy[it.col()] = it.value();
}

}  // namespace ritz::detail
