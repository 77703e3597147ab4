// SPDX-License-Identifier: MIT
#include "data/field_values.hpp"

#include <algorithm>
#include <array>
#include <cmath>

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
      "истина ИСТИНА ano kyllä igen .true. checked 是 真 はい 예 ✓ ✔ ☑ b'1' b'\\x01'";
  constexpr std::string_view kNo =
      "false no n f off 0 nein non nao não faux falsch falso fałsz faŁsz onwaar falskt nie nej hayır нет Нет НЕТ "
      "ложь ЛОЖЬ ne ei nem .false. unchecked 否 假 いいえ 아니요 ✗ ✘ ☐ b'0' b'\\x00'";
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

// A few letters or a sign, no digits but a power: "kg", "$", "CHF", "°C", "m/s", "m2", "cm^3".
bool is_unit(std::string_view text) {
  constexpr std::size_t kMost = 12;
  if (text.empty()) return true;
  if (text.find_first_not_of(".,:;-") == text.npos) return false;
  if (text.size() > 1 && (text.back() == '2' || text.back() == '3') && is_letter(text.front())) text.remove_suffix(1);
  return text.size() <= kMost && std::ranges::none_of(text, [](char c) { return is_digit(c) || c == ' ' || c == ','; });
}

bool is_money(std::string_view unit) { return std::ranges::find(kMoney, unit) != kMoney.end(); }

// Digits of other scripts as ours: Arabic, Persian, Devanagari, and the wide ones of East Asia.
std::string with_our_digits(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, unsigned char>, 4> kZeros = {
      {{"\xD9", 0xA0}, {"\xDB", 0xB0}, {"\xE0\xA5", 0xA6}, {"\xEF\xBC", 0x90}}};
  std::string plain;
  while (!text.empty()) {
    const auto ahead = std::ranges::find_if(kZeros, [&](const auto& zero) {
      if (!text.starts_with(zero.first) || text.size() == zero.first.size()) return false;
      const auto byte = static_cast<unsigned char>(text[zero.first.size()]);
      return byte >= zero.second && byte < zero.second + 10;
    });
    if (ahead == kZeros.end()) {
      plain += text.front();
      text.remove_prefix(1);
      continue;
    }
    plain += char('0' + static_cast<unsigned char>(text[ahead->first.size()]) - ahead->second);
    text.remove_prefix(ahead->first.size() + 1);
  }
  return plain;
}

// What says that a number is a limit or roughly so, in front of it: "<0.5", "≥ 4", "~3", "ca. 3".
bool take_limit(std::string_view& text) {
  constexpr std::array<std::string_view, 8> kLimits = {"<=", ">=", "=<", "=>", "<", ">", "≤", "≥"};
  constexpr std::array<std::string_view, 8> kRoughly = {"~", "≈", "ca. ", "ca ", "c. ", "approx. ", "about ", "circa "};
  const auto ahead = [&](std::string_view mark) { return text.starts_with(mark); };
  const auto limit = std::ranges::find_if(kLimits, ahead);
  const auto roughly = std::ranges::find_if(kRoughly, ahead);
  if (limit != kLimits.end())
    text.remove_prefix(limit->size());
  else if (roughly != kRoughly.end())
    text.remove_prefix(roughly->size());
  text = trim_all(text);
  return limit != kLimits.end();
}

// What people write behind a number about how sure it is: "± 0.3", "+/-0.3", "(12)" for the last digits, "*".
void skip_doubt(std::string_view& text) {
  for (const std::string_view mark : {"±", "+/-", "+-"})
    if (const std::size_t place = text.find(mark); place != text.npos && place > 0) {
      const std::string_view error = trim_all(text.substr(place + mark.size()));
      if (!error.empty() && error.find_first_not_of("0123456789.,") == error.npos)
        text = trim_all(text.substr(0, place));
    }
  while (text.size() > 1 && text.ends_with('*') && (is_digit(text[text.size() - 2]) || text[text.size() - 2] == '*'))
    text.remove_suffix(1);
  const std::size_t open = text.rfind('(');
  if (text.ends_with(')') && open != text.npos && open > 0 && is_digit(text[open - 1])) {
    const std::string_view digits = text.substr(open + 1, text.size() - open - 2);
    if (!digits.empty() && digits_ahead(digits) == digits.size()) text = text.substr(0, open);
  }
}

// "10³" and "10⁻²" as 10^3 and 10^-2.
std::string with_plain_powers(std::string_view text) {
  constexpr std::array<std::string_view, 11> kRaised = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹", "⁻"};
  std::string plain(text);
  std::size_t place = plain.rfind("10");
  if (place == plain.npos) return plain;
  place += 2;
  for (bool first = true;; first = false) {
    const auto ahead = std::ranges::find_if(
        kRaised, [&](std::string_view sign) { return std::string_view(plain).substr(place).starts_with(sign); });
    if (ahead == kRaised.end()) return plain;
    const auto digit = ahead - kRaised.begin();
    const std::string written = std::string(first ? "^" : "") + (digit == 10 ? '-' : char('0' + digit));
    plain.replace(place, ahead->size(), written);
    place += written.size();
  }
}

// "1.5×10^3", "2 x 10^-3", "2·10³" as 1.5E3, 2E-3, 2E3.
std::string with_power(std::string_view raised) {
  const std::string text = with_plain_powers(raised);
  const std::size_t ten = text.find("10^");
  if (ten == text.npos || ten == 0) return text;
  std::string_view before = trim_all(std::string_view(text).substr(0, ten));
  for (const std::string_view mark : {"×", "x", "X", "·", "*"})
    if (before.ends_with(mark)) {
      before = trim_all(before.substr(0, before.size() - mark.size()));
      if (!before.empty() && is_digit(before.back())) return std::string(before) + "E" + text.substr(ten + 3);
    }
  return text;
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

// Fortran's 1.0D+03, and "1.0 E+03"
std::string with_e(std::string number) {
  if (const std::size_t blank = number.find(" E"); blank != number.npos && blank + 2 < number.size())
    if (number[blank + 2] == '+' || number[blank + 2] == '-') number.erase(blank, 1);
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

// The number at the front of a text that begins with a digit, and the unit behind it.
std::optional<std::pair<double, std::string_view>> number_ahead(std::string_view text, char decimal) {
  std::size_t end = text.size();  // the longest beginning that is a number
  while (end > 0 && !is_digit(text[end - 1])) --end;
  auto value = read_number(with_e(without_groups(text.substr(0, end))), decimal);
  if (!value) {  // or up to a unit with a digit: "3 m2"
    end = std::min(text.find_first_not_of("0123456789.,"), text.size());
    value = read_number(text.substr(0, end), decimal);
  }
  if (!value || !std::isfinite(*value)) return std::nullopt;
  const std::string_view tight = text.substr(end);
  std::string_view after = trim_all(tight);
  for (const std::string_view nothing : {".-", ".–", ".—", ",-", ",–", ",—"})
    if (after == nothing) after = {};  // "Fr. 5.-"
  const bool ordinal = *value == std::floor(*value) && (tight == "st" || tight == "nd" || tight == "rd");
  if (ordinal) after = "th";
  const std::string_view side = after.starts_with("°") ? trim_all(after.substr(2)) : "";
  const bool south = side == "S" || side == "W";
  if (south || side == "N" || side == "E") after = "°";
  return std::pair{south ? -*value : *value, after};
}

// Blanks, and one of the marks behind them, taken off.
bool take_mark(std::string_view& text, std::span<const std::string_view> marks) {
  const std::string_view ahead = trim_all(text);
  for (const std::string_view mark : marks)
    if (ahead.starts_with(mark)) {
      text = ahead.substr(mark.size());
      return true;
    }
  return false;
}

// Digits and perhaps a decimal mark, taken off.
std::optional<double> take_plain(std::string_view& text, char decimal) {
  const std::string_view ahead = trim_all(text);
  const auto part_of_number = [&](char c) { return is_digit(c) || c == decimal; };
  const auto end = std::size_t(std::ranges::find_if_not(ahead, part_of_number) - ahead.begin());
  if (end == 0 || !is_digit(ahead.front())) return std::nullopt;
  const auto value = read_number(ahead.substr(0, end), decimal);
  if (value) text = ahead.substr(end);
  return value;
}

constexpr std::array<std::string_view, 3> kPrime = {"'", "′", "’"}, kFeet = {"feet", "ft.", "ft"},
                                          kInches = {"inches", "in.", "in"};
constexpr std::array<std::string_view, 5> kSecond = {"\"", "″", "”", "''", "’’"};
constexpr std::array<std::string_view, 2> kDegree = {"°", "º"};

// The minutes and seconds behind a degree, and the side of the earth: "47°22'8.5\"N" is 47.369…, and W and S are below
// zero. The degrees are taken off already.
std::optional<DressedNumber> in_degrees(double degrees, std::string_view text, char decimal) {
  const auto minutes = take_plain(text, decimal);
  if (!minutes || *minutes >= 60 || !take_mark(text, kPrime)) return std::nullopt;
  double value = degrees + *minutes / 60;
  if (const auto seconds = take_plain(text, decimal)) {
    if (*seconds >= 60 || !take_mark(text, kSecond)) return std::nullopt;
    value += *seconds / 3600;
  }
  const std::string_view side = trim_all(text);
  if (!side.empty() && side != "N" && side != "E" && side != "S" && side != "W") return std::nullopt;
  return DressedNumber{side == "S" || side == "W" ? -value : value, "°"};
}

// "5'11\"", "5 ft 11 in" in inches; the feet are taken off already.
std::optional<DressedNumber> in_inches(double feet, std::string_view text, char decimal) {
  constexpr double kFoot = 12;
  const bool words = take_mark(text, kFeet);
  if (!words && !take_mark(text, kPrime)) return std::nullopt;
  const bool digits = digits_ahead(trim_all(text)) > 0 && digits_ahead(trim_all(text)) <= 2;  // 1'234 is a thousand
  const auto inches = digits ? take_plain(text, decimal) : std::nullopt;
  if (!inches || *inches >= kFoot) return std::nullopt;
  if (!take_mark(text, kSecond)) take_mark(text, kInches);
  return trim_all(text).empty() ? std::optional(DressedNumber{kFoot * feet + *inches, "in"}) : std::nullopt;
}

// "3/4", "5 1/2" and "7/10": parts of an inch or a cup are numbers, and marks out of ten are 7 with the unit "/10".
std::optional<DressedNumber> in_fractions(double first, std::string_view text) {
  double whole = 0, above = first;
  if (text.starts_with(' ')) {
    whole = first;
    text = trim_all(text);
    const std::size_t digits = digits_ahead(text);
    if (digits == 0 || digits > 2) return std::nullopt;
    above = *read_double(text.substr(0, digits));
    text.remove_prefix(digits);
  }
  if (!text.starts_with('/') || above != std::floor(above) || whole != std::floor(whole)) return std::nullopt;
  text.remove_prefix(1);
  const std::size_t digits = digits_ahead(text);
  if (digits == 0 || digits > 3) return std::nullopt;
  const std::string below(text.substr(0, digits));
  const std::string_view unit = trim_all(text.substr(digits));
  if (above < *read_double(below) && among("2 3 4 8 16 32 64", below) && is_unit(unit))
    return DressedNumber{whole + above / *read_double(below), std::string(unit)};
  if (whole == 0 && above <= *read_double(below) && among("5 10 20 100", below) && unit.empty())
    return DressedNumber{above, "/" + below};
  return std::nullopt;
}

// Numbers in several parts: "5½", "3 1/4 in", "7/10", "5'11\"", "47°22'8\"N".
std::optional<DressedNumber> in_parts(std::string_view text, char decimal) {
  constexpr std::array<std::pair<std::string_view, double>, 9> kParts = {{{"½", 0.5},
                                                                          {"¼", 0.25},
                                                                          {"¾", 0.75},
                                                                          {"⅓", 1.0 / 3},
                                                                          {"⅔", 2.0 / 3},
                                                                          {"⅛", 0.125},
                                                                          {"⅜", 0.375},
                                                                          {"⅝", 0.625},
                                                                          {"⅞", 0.875}}};
  bool negative = false;
  take_sign(text, negative);
  const auto whole = take_plain(text, decimal);
  std::optional<DressedNumber> found;
  const auto part =
      std::ranges::find_if(kParts, [&](const auto& each) { return take_mark(text, std::span(&each.first, 1)); });
  if (part != kParts.end()) {
    const std::string_view unit = trim_all(text);
    if (is_unit(unit)) found = DressedNumber{whole.value_or(0) + part->second, std::string(unit)};
  } else if (whole) {
    std::string_view behind = text;
    found = take_mark(behind, kDegree) ? in_degrees(*whole, behind, decimal) : in_inches(*whole, text, decimal);
    if (!found) found = in_fractions(*whole, text);
  }
  if (found && negative) found->value = -found->value;
  return found;
}

}  // namespace

std::optional<DressedNumber> dressed_number(std::string_view field, char decimal) {
  const bool foreign = std::ranges::any_of(field, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
  const std::string written = foreign || field.find('^') != field.npos ? with_power(with_our_digits(field)) : "";
  std::string_view text = trim_all(written.empty() ? field : written);
  if (foreign || text.find_first_of("/'") != text.npos || text.find("ft") != text.npos)
    if (const auto parts = in_parts(text, decimal)) return parts;
  bool limit = take_limit(text);
  skip_doubt(text);
  for (const std::string_view more : {"+", "more", " or more", " and more"})  // "5+" rooms, "5more" doors
    if (text.size() > more.size() && text.ends_with(more) && is_digit(text[text.size() - more.size() - 1])) {
      limit = true;
      text.remove_suffix(more.size());
    }
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
  const auto number = number_ahead(text.substr(begin), decimal);
  if (!number) return std::nullopt;
  auto [value, after] = *number;
  if (after == "-" && !sign && before.empty() && text.find(decimal) != text.npos)  // "1016.20-" of accountants
    negative = !negative, after = {};
  if (!is_unit(before) || !is_unit(after) || (!before.empty() && !after.empty() && !is_money(before)))
    return std::nullopt;
  // "a1", "B-3" are names, not numbers: before a number stands a sign or a currency's three letters.
  if (!before.empty() && is_letter(before.back()) && !is_money(before) &&
      !(before.size() == 3 && text[begin - 1] == ' '))
    return std::nullopt;
  return DressedNumber{negative ? -value : value, std::string(after) + std::string(before), limit};
}

bool is_priced(std::string_view text, char decimal) {
  const auto number = dressed_number(text, decimal);
  return number && (number->unit.empty() || number->unit == "%" || is_money(number->unit));
}

bool is_total_word(std::string_view text) {
  return among(
      "total totals sum sums summe gesamt gesamtsumme insgesamt totale suma somme soma totaal average averages avg "
      "mean means mittelwert durchschnitt moyenne promedio media subtotal",
      lower(text));
}

bool is_nothing(std::string_view text) {
  constexpr std::array<std::string_view, 67> kWords = {"none",
                                                       "unknown",
                                                       "missing",
                                                       "-",
                                                       "--",
                                                       "---",
                                                       "n.a.",
                                                       "n.a",
                                                       "(null)",
                                                       "nil",
                                                       "(none)",
                                                       "nd",
                                                       "n.d.",
                                                       "n/d",
                                                       "undefined",
                                                       "not applicable",
                                                       "not known",
                                                       "..",
                                                       "...",
                                                       "*",
                                                       "**",
                                                       "#",
                                                       "(blank)",
                                                       "blank",
                                                       "(leer)",
                                                       "leer",
                                                       "(vide)",
                                                       "vide",
                                                       "nv",
                                                       "n.v.",
                                                       "k.a.",
                                                       "k. a.",
                                                       "keine angabe",
                                                       "s.d.",
                                                       "s/d",
                                                       "sin datos",
                                                       "no data",
                                                       "not determined",
                                                       "not measured",
                                                       "not reported",
                                                       "not recorded",
                                                       "tbd",
                                                       "pending",
                                                       "not available",
                                                       "1.#qnan",
                                                       "1.#ind",
                                                       "-1.#ind",
                                                       "??",
                                                       "???",
                                                       "…",
                                                       "•",
                                                       "n. a.",
                                                       "nodata",
                                                       "(na)",
                                                       "[na]",
                                                       "not asked",
                                                       "undef",
                                                       "void",
                                                       "empty",
                                                       "refused",
                                                       "don't know",
                                                       "no answer",
                                                       "inconnu",
                                                       "unbekannt",
                                                       "desconocido",
                                                       "¤",
                                                       "missing value"};
  const bool stata = text.size() == 2 && text[0] == '.' && (is_letter(text[1]) || text[1] == '_');  // .a to .z, ._
  return stata || text == "\xE2\x80\x93" || text == "\xE2\x80\x94" ||
         std::ranges::find(kWords, lower(text)) != kWords.end();
}

}  // namespace ritz::detail
