// SPDX-License-Identifier: MIT
// Units beside numbers, and what k, M, milli and million make of them.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "data/field_letters.hpp"
#include "data/field_values.hpp"
#include "data/formats/format.hpp"
#include "ritz/base/types.hpp"

namespace ritz::detail {

namespace {

struct Power {
  std::string_view words;
  double factor;
};

// Of counts and of money. Letters as they are, words in any case. A small m may be milli or million: neither.
std::optional<double> count_scale(std::string_view unit) {
  constexpr std::array<Power, 4> kLetters = {{{"k K", 1e3}, {"M MM", 1e6}, {"B G", 1e9}, {"T", 1e12}}};
  constexpr std::array<Power, 6> kWords = {{{"thousand tsd tsd. mille mil", 1e3},
                                            {"mn mln mio mio. million millions millionen millones", 1e6},
                                            {"bn bln mrd mrd. billion billions milliarden milliards", 1e9},
                                            {"trn tn trillion trillions", 1e12},
                                            {"lakh lakhs lac", 1e5},
                                            {"crore crores cr", 1e7}}};
  for (const Power& power : kLetters)
    if (among(power.words, unit)) return power.factor;
  for (const Power& power : kWords)
    if (among(power.words, lower(unit))) return power.factor;
  return std::nullopt;
}

// Of units of measure: kilo to nano, and Ki, Mi, Gi of bytes.
std::optional<double> metric_scale(std::string_view prefix) {
  constexpr std::array<Power, 13> kPrefixes = {{{"n", 1e-9},
                                                {"µ μ u", 1e-6},
                                                {"m", 1e-3},
                                                {"c", 1e-2},
                                                {"d", 1e-1},
                                                {"h", 1e2},
                                                {"k K", 1e3},
                                                {"M", 1e6},
                                                {"G", 1e9},
                                                {"T", 1e12},
                                                {"Ki", 1024},
                                                {"Mi", 1048576},
                                                {"Gi", 1073741824}}};
  for (const Power& power : kPrefixes)
    if (among(power.words, prefix)) return power.factor;
  return std::nullopt;
}

constexpr std::string_view kMeasures =
    "g m s L l V A W Hz Ω Pa J B b bit bps mol bar eV F Wh cal N Bq Gy Sv ohm Ohm bp";

// A unit as a multiple of one that others are multiples of, too: "kg" is 1000 "g", "mg/L" 0.001 "g/L", "k" 1000 of
// nothing, "M$" a million "$", "stars" as many "star".
struct Measure {
  std::string root;
  double factor = 1;
};

Measure measure_of(const std::string& unit) {
  if (unit.empty()) return {};
  const std::size_t per = std::min(unit.find('/'), unit.size());
  const std::string head = unit.substr(0, per), tail = unit.substr(per);
  if (tail.empty())
    if (const auto scale = count_scale(unit)) return {"", *scale};
  if (among(kMeasures, head)) return {unit, 1};
  for (std::size_t cut = 1; cut < head.size() && cut <= 2; ++cut)
    if (const auto scale = metric_scale(std::string_view(head).substr(0, cut));
        scale && among(kMeasures, std::string_view(head).substr(cut)))
      return {head.substr(cut) + tail, *scale};
  for (const std::string_view sign : kMoney)
    if (unit.ends_with(sign))
      if (const auto scale = count_scale(std::string_view(unit).substr(0, unit.size() - sign.size())))
        return {std::string(sign), *scale};
  if (std::ranges::find(kMoney, unit) != kMoney.end()) return {unit, 1};
  constexpr std::size_t kPlural = 4;
  std::string root = lower(unit);
  const bool capitals =
      unit.size() > 1 && root != unit && std::ranges::none_of(unit, [](char c) { return c >= 'a' && c <= 'z'; });
  if (capitals) return measure_of(root);  // KG
  if (root.size() >= kPlural && root.ends_with('s')) root.pop_back();
  return {root, 1};
}

}  // namespace

namespace {

// What banks write behind amounts, and which of them are below zero: credit and debit, in German Haben and Soll.
struct Sides {
  std::string_view above, below;
};
constexpr std::array<Sides, 4> kSides = {{{"CR", "DR"}, {"Cr", "Dr"}, {"cr", "dr"}, {"H", "S"}}};

// The unit of the amounts above zero where all have one of two sides, both occur, and all are cents.
std::optional<std::string> bank_side(std::span<const std::string> texts, const std::set<std::string>& units) {
  const auto sides = std::ranges::find_if(kSides, [&](const Sides& each) {
    return units == std::set<std::string>{std::string(each.above), std::string(each.below)};
  });
  if (sides == kSides.end()) return std::nullopt;
  const auto cents = [](const std::string& text) {
    const std::size_t last = text.find_last_of("0123456789");
    return is_nothing(text) || (last != text.npos && last >= 3 && (text[last - 2] == '.' || text[last - 2] == ',') &&
                                is_digit(text[last - 1]));
  };
  return std::ranges::all_of(texts, cents) ? std::optional(std::string(sides->above)) : std::nullopt;
}

}  // namespace

std::optional<double> in_unit(const DressedNumber& number, const std::string& unit) {
  if (number.unit.empty() || number.unit == unit) return number.value;
  for (const Sides& sides : kSides)
    if (unit == sides.above && number.unit == sides.below) return -number.value;
  const Measure from = measure_of(number.unit), to = measure_of(unit);
  if (from.root == unit) return number.value * from.factor;  // MB in B, which alone may be billions
  return from.root == to.root ? std::optional(number.value * (from.factor / to.factor)) : std::nullopt;
}

std::string likely_unit(std::span<const std::string> texts, char decimal) {
  if (const auto unit = common_unit(texts, decimal)) return *unit;
  std::map<std::string, Index> counts;
  for (const std::string& text : texts)
    if (const auto number = dressed_number(text, decimal); number && !number->unit.empty()) ++counts[number->unit];
  const auto most = std::ranges::max_element(counts, [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == counts.end() ? "" : most->first;
}

std::optional<std::string> common_unit(std::span<const std::string> texts, char decimal) {
  std::set<std::string> units;
  bool bare = false;
  for (const std::string& text : texts) {
    if (is_nothing(text)) continue;
    const auto number = dressed_number(text, decimal);
    if (!number) return std::nullopt;
    if (!number->unit.empty())
      units.insert(number->unit);
    else
      bare |= number->value != 0;
  }
  if (units.empty()) return bare ? std::optional<std::string>("") : std::nullopt;
  if (units.size() == 1 && !bare) return *units.begin();
  if (const auto side = bare ? std::nullopt : bank_side(texts, units)) return side;
  const Measure first = measure_of(*units.begin());
  bool same = true, equal = true;
  for (const std::string& unit : units) {
    const Measure measure = measure_of(unit);
    same &= measure.root == first.root;
    equal &= measure.factor == first.factor;
  }
  if (!same || (bare && !first.root.empty())) return std::nullopt;
  // 1.5k beside 950 is a number; 12B beside 14 may be a house, 2.0T an engine.
  if (bare && units.size() == 1 && among("MM B G T", *units.begin())) return std::nullopt;
  return equal && !bare ? *units.rbegin() : first.root;  // KG and kg, as most write it
}

std::size_t unit_count(std::span<const std::string> texts, char decimal) {
  std::set<std::string> roots;
  for (const std::string& text : texts)
    if (const auto number = dressed_number(text, decimal)) roots.insert(measure_of(number->unit).root);
  return roots.size();
}

}  // namespace ritz::detail
