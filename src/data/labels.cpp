// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "base/at.hpp"
#include "ritz/base/text.hpp"
#include "ritz/data/dataset.hpp"

namespace ritz {

namespace {

constexpr double kExact = 9007199254740992;  // 2^53: every whole number up to here is a double

// The values when every text is a finite number, otherwise nothing. Digits that no double holds are names, such as the
// identifiers of 64 bits that differ in the last of them alone.
std::optional<std::vector<double>> all_numbers(const std::vector<std::string>& texts) {
  std::vector<double> values;
  values.reserve(texts.size());
  for (const std::string& text : texts) {
    const auto value = read_double(text);
    if (!value || !std::isfinite(*value)) return std::nullopt;
    if (std::abs(*value) > kExact && text.find_first_not_of("+-0123456789") == std::string::npos) return std::nullopt;
    values.push_back(*value == 0 ? 0.0 : *value);  // -0 is 0
  }
  return values;
}

// 100000, not 1e+05.
std::string class_name(double value) {
  return std::abs(value) <= kExact && value == std::floor(value) ? fmt::format("{:.0f}", value) : number_text(value);
}

template <class Key, class Name>
Labels numbered(const std::vector<Key>& keys, Name name) {
  std::map<Key, int> classes;
  for (const Key& key : keys) classes.emplace(key, 0);
  Labels labels;
  for (auto& [key, number] : classes) {
    number = labels.classes();
    labels.names.push_back(name(key));
  }
  labels.of.reserve(keys.size());
  for (const Key& key : keys) labels.of.push_back(classes.find(key)->second);
  return labels;
}

}  // namespace

std::vector<Index> Labels::counts() const {
  std::vector<Index> counts(names.size(), 0);
  for (const int c : of) ++at(counts, c);
  return counts;
}

Labels make_labels(const std::vector<std::string>& texts) {
  if (const auto values = all_numbers(texts)) return numbered(*values, class_name);
  return numbered(texts, [](const std::string& text) { return text; });
}

}  // namespace ritz
