// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "base/at.hpp"
#include "ritz/base/text.hpp"
#include "ritz/data/dataset.hpp"

namespace ritz {

namespace {

// The values when every text is a finite number, otherwise nothing.
std::optional<std::vector<double>> all_numbers(const std::vector<std::string>& texts) {
  std::vector<double> values;
  values.reserve(texts.size());
  for (const std::string& text : texts) {
    const auto value = read_double(text);
    if (!value || !std::isfinite(*value)) return std::nullopt;
    values.push_back(*value == 0 ? 0.0 : *value);  // -0 is 0
  }
  return values;
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
  if (const auto values = all_numbers(texts)) return numbered(*values, [](double value) { return number_text(value); });
  return numbered(texts, [](const std::string& text) { return text; });
}

}  // namespace ritz
