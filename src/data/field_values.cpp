// SPDX-License-Identifier: MIT
#include "data/field_values.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "data/field_letters.hpp"
#include "data/formats/format.hpp"
#include "data/formats/record.hpp"
#include "ritz/base/text.hpp"

namespace ritz::detail {

namespace {

// What stands between the digits of a large number: blanks that do not break (of Latin-1, too), thin ones, apostrophes.
constexpr std::array<std::string_view, 8> kGroupMarks = {
    "\xC2\xA0", "\xE2\x80\xAF", "\xE2\x80\x89", "\xE2\x80\x99", std::string_view("\xA0", 1), "'", " ", "_"};

}  // namespace

std::string_view trim_all(std::string_view text) {
  for (bool more = true; more;) {
    more = false;
    text = without_blanks(text);
    for (const std::string_view blank : {kGroupMarks[0], kGroupMarks[1], kGroupMarks[2], kGroupMarks[4]}) {
      if (text.starts_with(blank)) text.remove_prefix(blank.size()), more = true;
      if (text.ends_with(blank)) text.remove_suffix(blank.size()), more = true;
    }
  }
  return text;
}

std::optional<double> flag_value(std::string_view text) {
  // What programs write in the languages of their users: Excel's TRUE is WAHR, VRAI, VERDADERO, … there.
  constexpr std::string_view kYes =
      "true yes y t on 1 ja j oui si sí sim vrai wahr verdadero vero verdadeiro prawda waar sant tak evet да Да ДА "
      "истина ИСТИНА 是 真 はい 예 ✓ ✔";
  constexpr std::string_view kNo =
      "false no n f off 0 nein non nao não faux falsch falso fałsz faŁsz onwaar falskt nie nej hayır нет Нет НЕТ "
      "ложь ЛОЖЬ 否 假 いいえ 아니요 ✗ ✘";
  const std::string word = lower(text);
  if (word.empty() || word.find(' ') != word.npos) return std::nullopt;
  return among(kYes, word) ? std::optional(1.0) : among(kNo, word) ? std::optional(0.0) : std::nullopt;
}

namespace {

constexpr std::string_view kMinus = "\xE2\x88\x92";

// Without the marks between its groups of three digits; as it is where they are no such groups.
std::string without_groups(std::string_view number) {
  for (const std::string_view mark : kGroupMarks) {
    std::size_t place = number.find(mark);
    if (place == number.npos) continue;
    std::string joined(number.substr(0, place));
    if (place == 0 || place > 3 || digits_ahead(number) != place) return std::string(number);
    for (std::string_view rest = number.substr(place); rest.starts_with(mark);) {
      rest.remove_prefix(mark.size());
      const std::size_t digits = digits_ahead(rest);
      if (digits != 3) return std::string(number);
      joined += rest.substr(0, 3);
      rest.remove_prefix(3);
      if (!rest.starts_with(mark)) return joined.append(rest);
    }
  }
  return std::string(number);
}

bool begins_number(std::string_view text, char decimal) {
  return !text.empty() && (is_digit(text[0]) || (text[0] == decimal && text.size() > 1 && is_digit(text[1])));
}

// A few letters or a sign, no digits: "kg", "$", "CHF", "°C", "m/s".
bool is_unit(std::string_view text) {
  constexpr std::size_t kMost = 8;
  return text.size() <= kMost && std::ranges::none_of(text, [](char c) { return is_digit(c) || c == ' ' || c == ','; });
}

bool take_sign(std::string_view& text, bool& negative) {
  if (text.starts_with(kMinus)) {
    text.remove_prefix(kMinus.size());
    negative = !negative;
    return true;
  }
  if (text.empty() || (text[0] != '-' && text[0] != '+')) return false;
  negative ^= text[0] == '-';
  text.remove_prefix(1);
  return true;
}

// Fortran's 1.0D+03
std::string with_e(std::string number) {
  const std::size_t place = number.find_first_of("Dd");
  if (place != number.npos && place + 1 < number.size() && (number[place + 1] == '+' || number[place + 1] == '-'))
    number[place] = 'E';
  return number;
}

// Excel's way to write no money at all: "$ -".
std::optional<DressedNumber> nothing_in_money(std::string_view text) {
  if (!text.ends_with('-')) return std::nullopt;
  text.remove_suffix(1);
  const std::string_view unit = trim_all(text);
  const bool letters = std::ranges::any_of(unit, is_letter);
  if (unit.empty() || !is_unit(unit) || unit.find('-') != unit.npos || (letters && (unit.size() != 3 || unit == text)))
    return std::nullopt;
  return DressedNumber{0, std::string(unit)};
}

}  // namespace

std::optional<DressedNumber> dressed_number(std::string_view text, char decimal) {
  text = trim_all(text);
  bool negative = false;
  if (text.starts_with('(') && text.ends_with(')')) {
    negative = true;
    text = trim_all(text.substr(1, text.size() - 2));
  }
  const bool sign = take_sign(text, negative);
  text = trim_all(text);
  std::size_t begin = 0;
  while (begin < text.size() && !begins_number(text.substr(begin), decimal)) ++begin;
  if (begin == text.size()) return nothing_in_money(text);
  std::string_view before = text.substr(0, begin);
  if (before.ends_with('-') && !sign) negative = !negative, before.remove_suffix(1);
  before = trim_all(before);
  std::string_view rest = text.substr(begin);
  // The longest beginning that is a number: what is left is a unit.
  std::size_t end = rest.size();
  while (end > 0 && !is_digit(rest[end - 1])) --end;
  const auto value = read_number(with_e(without_groups(rest.substr(0, end))), decimal);
  const std::string_view after = trim_all(rest.substr(end));
  if (!value || !std::isfinite(*value) || !is_unit(before) || !is_unit(after) || (!before.empty() && !after.empty()))
    return std::nullopt;
  // "a1", "B-3" are names, not numbers: before a number stands a sign or a currency's three letters and a blank.
  if (!before.empty() && is_letter(before.back()) && !(before.size() == 3 && text[begin - 1] == ' '))
    return std::nullopt;
  return DressedNumber{negative ? -*value : *value, std::string(before.empty() ? after : before)};
}

bool is_priced(std::string_view text, char decimal) {
  constexpr std::array<std::string_view, 8> kSigns = {"$", "€", "£", "¥", "₹", "%", "R$", "CHF"};
  const auto number = dressed_number(text, decimal);
  return number && (number->unit.empty() || std::ranges::find(kSigns, number->unit) != kSigns.end());
}

std::string likely_unit(std::span<const std::string> texts, char decimal) {
  std::map<std::string, Index> counts;
  for (const std::string& text : texts)
    if (const auto number = dressed_number(text, decimal)) ++counts[number->unit];
  const auto most = std::ranges::max_element(counts, [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == counts.end() ? "" : most->first;
}

std::optional<std::string> common_unit(std::span<const std::string> texts, char decimal) {
  std::optional<std::string> unit;
  bool bare = false;
  for (const std::string& text : texts) {
    if (is_nothing(text)) continue;
    const auto number = dressed_number(text, decimal);
    if (!number || (unit && !number->unit.empty() && number->unit != *unit)) return std::nullopt;
    if (!number->unit.empty())
      unit = number->unit;
    else
      bare |= number->value != 0;
    if (unit && bare) return std::nullopt;
  }
  return unit || bare ? std::optional(unit.value_or("")) : std::nullopt;
}

bool is_nothing(std::string_view text) {
  constexpr std::array<std::string_view, 40> kWords = {
      "none",      "unknown",        "missing",   "-",      "--",           "---",    "n.a.",
      "n.a",       "(null)",         "nil",       "(none)", "nd",           "n.d.",   "n/d",
      "undefined", "not applicable", "not known", "..",     "...",          "*",      "**",
      "#",         "(blank)",        "blank",     "(leer)", "leer",         "(vide)", "vide",
      "nv",        "n.v.",           "k.a.",      "k. a.",  "keine angabe", "s.d.",   "s/d",
      "sin datos", "not available",  "1.#qnan",   "1.#ind", "-1.#ind"};
  const bool stata = text.size() == 2 && text[0] == '.' && is_letter(text[1]);  // .a to .z
  return stata || text == "\xE2\x80\x93" || text == "\xE2\x80\x94" ||
         std::ranges::find(kWords, lower(text)) != kWords.end();
}

std::vector<std::string> on_scale(std::span<const std::string> texts) {
  constexpr std::string_view kScales[] = {
      "none,very low,low,medium-low,medium,moderate,medium-high,high,very high,extreme",
      "none,very low,low,below average,average,above average,high,very high",
      "none,minimal,mild,moderate,severe,very severe,critical",
      "tiny,small,medium,large,huge",
      "xxs,xs,s,m,l,xl,xxl,xxxl",
      "very poor,poor,fair,average,good,very good,excellent,outstanding",
      "very bad,bad,ok,good,very good,excellent",
      "terrible,bad,fair,good,great,excellent",
      "po,fa,ta,gd,ex",
      "never,rarely,seldom,occasionally,sometimes,often,usually,always",
      "strongly disagree,disagree,somewhat disagree,neutral,neither agree nor disagree,somewhat agree,agree,strongly "
      "agree",
      "very dissatisfied,dissatisfied,neutral,satisfied,very satisfied",
      "very unlikely,unlikely,neutral,likely,very likely",
      "slow,medium,fast",
      "short,medium,tall",
      "short,medium,long",
      "light,medium,heavy",
      "cold,cool,mild,warm,hot",
      "first,second,third,fourth,fifth",
      "beginner,intermediate,advanced,expert",
      "junior,senior,lead",
      "freshman,sophomore,junior,senior",
      "bronze,silver,gold,platinum"};
  if (texts.size() < 3) return {};
  for (std::string_view scale : kScales) {
    std::vector<std::string> found;
    while (!scale.empty()) {
      const std::string_view word = scale.substr(0, scale.find(','));
      scale.remove_prefix(std::min(word.size() + 1, scale.size()));
      const auto same = [&](const std::string& text) {
        std::string plain = lower(text);
        std::ranges::replace(plain, '_', ' ');
        return plain == word;
      };
      const auto place = std::ranges::find_if(texts, same);
      if (place == texts.end()) continue;
      if (std::ranges::count_if(texts, same) > 1) return {};  // written in two ways
      found.push_back(*place);
    }
    if (found.size() == texts.size()) return found;
  }
  return {};
}

}  // namespace ritz::detail
