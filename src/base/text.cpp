// SPDX-License-Identifier: MIT
#include "ritz/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace ritz {

std::string trimmed(std::string_view text) {
  const auto blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return std::string(text);
}

std::string number_text(double value) {
  std::array<char, 32> buffer;
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), end};
}

namespace {

// from_chars takes no plus sign. A second sign after it is left standing, for from_chars to refuse: "+-1" is no number.
std::string_view without_plus(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  return text;
}

// What a well-formed number beyond the range of double rounds to: 0 or infinity, by the place of its first digit. No
// strtod, which reads as the locale of the host writes.
double out_of_range(std::string_view text) {
  const bool negative = text.starts_with('-');
  double place = 0;  // power of ten of the digit at hand, plus 1
  double first = 0;  // of the first that is not 0
  bool found = false, fraction = false;
  std::size_t at = negative ? 1 : 0;
  for (; at < text.size() && (text[at] == '.' || (text[at] >= '0' && text[at] <= '9')); ++at) {
    if (text[at] == '.') {
      fraction = true;
      continue;
    }
    if (fraction) place -= 1;
    if (!found && text[at] != '0') found = true, first = place;
    if (!fraction && found) first += 1;
  }
  double exponent = 0;
  const bool lower = at + 1 < text.size() && text[at + 1] == '-';
  for (const char c : text.substr(std::min(text.size(), at + 1)))
    if (c >= '0' && c <= '9') exponent = std::min(10 * exponent + (c - '0'), 1e18);
  const double size = first + (lower ? -exponent : exponent) > 0 ? std::numeric_limits<double>::infinity() : 0.0;
  return negative ? -size : size;
}

}  // namespace

std::optional<double> read_double(std::string_view text) {
  text = without_plus(text);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || text.empty()) return std::nullopt;
  // Out of range: a magnitude too small reads as 0, one too large as infinity; both keep the sign.
  if (error == std::errc::result_out_of_range) return out_of_range(text);
  if (error != std::errc()) return std::nullopt;
  return value;
}

std::optional<long long> read_integer(std::string_view text) {
  text = without_plus(text);
  long long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::size_t> read_bytes(std::string_view text) {
  std::size_t digits = 0;
  while (digits < text.size() && (std::isdigit(static_cast<unsigned char>(text[digits])) || text[digits] == '.'))
    ++digits;
  const auto number = read_double(text.substr(0, digits));
  std::string unit(text.substr(digits));
  std::ranges::transform(unit, unit.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  if (unit.ends_with("ib")) unit.resize(unit.size() - 2);
  if (unit.ends_with("b")) unit.resize(unit.size() - 1);
  constexpr std::string_view kUnits = "kmgt";
  double scale = 1;
  if (!unit.empty()) {
    const auto at = kUnits.find(unit);
    if (unit.size() != 1 || at == std::string_view::npos) return std::nullopt;
    scale = std::pow(1024.0, double(at) + 1);
  }
  if (!number || *number < 0 || *number * scale > 9e18) return std::nullopt;
  return std::size_t(*number * scale);
}

std::string bytes_text(double bytes) {
  constexpr std::array kUnits = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < kUnits.size()) {
    bytes /= 1024;
    ++unit;
  }
  return unit == 0 || bytes >= 100 ? fmt::format("{:.0f} {}", bytes, kUnits[unit])
                                   : fmt::format("{:.1f} {}", bytes, kUnits[unit]);
}

namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t(0));
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, change});
    }
  }
  return row[b.size()];
}

bool same_letter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

}  // namespace

std::string nearest_name(std::string_view name, std::span<const std::string> candidates) {
  std::string best;
  std::size_t best_distance = name.size() / 3 + 2;  // a typing slip or two, more in a longer word
  for (const std::string& candidate : candidates) {
    const bool prefix = name.size() >= 3 && (candidate.starts_with(name) || name.starts_with(candidate));
    const bool case_only = name.size() == candidate.size() && std::ranges::equal(name, candidate, same_letter);
    const std::size_t distance = case_only ? 0 : prefix ? 1 : edit_distance(name, candidate);
    if (distance < best_distance && distance < std::max(name.size(), candidate.size())) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string suggestion(std::string_view name, std::span<const std::string> candidates) {
  if (const std::string near = nearest_name(name, candidates); !near.empty()) return "; did you mean '" + near + "'?";
  std::string text = "; known are: ";
  for (std::size_t i = 0; i < candidates.size(); ++i) text += (i ? ", " : "") + candidates[i];
  return text;
}

}  // namespace ritz
