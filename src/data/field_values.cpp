// SPDX-License-Identifier: MIT
#include "data/field_values.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <utility>

#include "data/formats/format.hpp"
#include "data/formats/record.hpp"
#include "ritz/base/text.hpp"

namespace ritz::detail {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::size_t digits_ahead(std::string_view text) {
  return std::min(std::size_t(std::ranges::find_if_not(text, is_digit) - text.begin()), text.size());
}

// So many digits at the front of the text, taken off; nothing when there are fewer, or more than the most.
std::optional<int> take_digits(std::string_view& text, std::size_t least, std::size_t most) {
  const std::size_t count = digits_ahead(text);
  if (count < least || count > most) return std::nullopt;
  int value = 0;
  for (const char c : text.substr(0, count)) value = 10 * value + (c - '0');
  text.remove_prefix(count);
  return value;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

bool take_any(std::string_view& text, std::string_view marks) {
  if (text.empty() || marks.find(text.front()) == marks.npos) return false;
  text.remove_prefix(1);
  return true;
}

// "+01:00", "-0500" in seconds.
std::optional<double> take_zone(std::string_view text) {
  const char sign = text.front();
  if (sign != '+' && sign != '-') return std::nullopt;
  text.remove_prefix(1);
  if (digits_ahead(text) < 2) return std::nullopt;
  std::string_view two = text.substr(0, 2);
  const auto hours = take_digits(two, 2, 2);
  text.remove_prefix(2);
  take(text, ':');
  const auto minutes = text.empty() ? std::optional(0) : take_digits(text, 2, 2);
  if (!minutes || !text.empty()) return std::nullopt;
  return (sign == '+' ? 1 : -1) * (3600.0 * *hours + 60.0 * *minutes);
}

// Seconds of "18:30:05.5", "6:30 PM", with a zone or without.
std::optional<double> time_value(std::string_view text) {
  auto hour = take_digits(text, 1, 2);
  if (!hour || *hour > 24 || !take(text, ':')) return std::nullopt;
  const auto minute = take_digits(text, 2, 2);
  if (!minute || *minute > 59) return std::nullopt;
  double seconds = 60.0 * *minute;
  if (take(text, ':')) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
    const auto second = read_double(text.substr(0, end));
    if (!second || end < 2 || !(*second < 61)) return std::nullopt;
    seconds += *second;
    text.remove_prefix(end);
  }
  const std::string rest = lower(without_blanks(text));
  if (rest == "am" || rest == "pm") {
    if (*hour < 1 || *hour > 12) return std::nullopt;
    hour = *hour % 12 + (rest == "pm" ? 12 : 0);
  }
  seconds += 3600.0 * *hour;
  if (text.empty() || rest == "am" || rest == "pm" || rest == "z" || rest == "utc" || rest == "gmt") return seconds;
  const auto zone = take_zone(without_blanks(text));
  return zone ? std::optional(seconds - *zone) : std::nullopt;
}

constexpr std::array<std::string_view, 12> kMonths = {"january",   "february", "march",    "april",
                                                      "may",       "june",     "july",     "august",
                                                      "september", "october",  "november", "december"};

// A month's name, or its first three letters and perhaps a point.
std::optional<int> take_month(std::string_view& text) {
  const std::size_t count = std::size_t(std::ranges::find_if_not(text, is_letter) - text.begin());
  const std::string word = lower(text.substr(0, count));
  for (std::size_t m = 0; m < kMonths.size(); ++m)
    if (word == kMonths[m] || word == kMonths[m].substr(0, 3) || (m == 8 && word == "sept")) {
      text.remove_prefix(count);
      take(text, '.');
      return int(m) + 1;
    }
  return std::nullopt;
}

struct Date {
  int year, month, day;
};

// Four digits, or two of a year between 1969 and 2068.
std::optional<int> take_year(std::string_view& text) {
  const std::size_t count = digits_ahead(text);
  if (count != 4 && count != 2) return std::nullopt;
  const auto year = take_digits(text, count, count);
  if (count == 4) return year;
  return *year + (*year < 69 ? 2000 : 1900);
}

// "29-Feb-2024", "29 February 2024", "29FEB2024", "Feb 29, 2024", taken off.
std::optional<Date> take_named(std::string_view& text) {
  Date date{};
  if (const auto month = take_month(text)) {
    take_any(text, " -");
    const auto day = take_digits(text, 1, 2);
    if (!day) return std::nullopt;
    date = {0, *month, *day};
    take(text, ',');
  } else {
    const auto day = take_digits(text, 1, 2);
    if (!day) return std::nullopt;
    take(text, '.');
    take_any(text, " -/");
    const auto found = take_month(text);
    if (!found) return std::nullopt;
    date = {0, *found, *day};
    take(text, ',');
  }
  take_any(text, " -/");
  const auto year = take_year(text);
  if (!year) return std::nullopt;
  date.year = *year;
  return date;
}

// Three numbers with the same mark between them, taken off.
std::optional<Date> take_numbers(std::string_view& text, DateOrder order) {
  const bool year_first = order == DateOrder::year;
  const auto first = year_first ? take_digits(text, 4, 4) : take_digits(text, 1, 2);
  if (!first || text.empty()) return std::nullopt;
  const char mark = text.front();
  if (!take_any(text, "-/.")) return std::nullopt;
  const auto second = take_digits(text, 1, 2);
  if (!second || !take(text, mark)) return std::nullopt;
  const auto third = year_first ? take_digits(text, 1, 2) : take_year(text);
  if (!third) return std::nullopt;
  if (year_first) return Date{*first, *second, *third};
  return order == DateOrder::day ? Date{*third, *second, *first} : Date{*third, *first, *second};
}

// A month or a quarter, by its first day: "2024-02", "2024Q1", "2024-Q1", "Feb 2024".
std::optional<Date> take_months(std::string_view& text) {
  if (const auto month = take_month(text)) {
    if (!take_any(text, " -/") || digits_ahead(text) != 4) return std::nullopt;
    return Date{*take_digits(text, 4, 4), *month, 1};
  }
  const auto year = take_digits(text, 4, 4);
  if (!year) return std::nullopt;
  const bool mark = take_any(text, "-/ ");
  if (take_any(text, "Qq")) {
    const auto quarter = take_digits(text, 1, 1);
    if (!quarter || *quarter < 1 || *quarter > 4) return std::nullopt;
    return Date{*year, 3 * *quarter - 2, 1};
  }
  const auto month = mark ? take_digits(text, 2, 2) : std::nullopt;
  if (!month) return std::nullopt;
  return Date{*year, *month, 1};
}

// Days of "1 days 02:03:04.5", "-1 days +23:00:00", "3 days", as pandas and databases write how long something took.
std::optional<double> duration_value(std::string_view text) {
  const double sign = take(text, '-') ? -1 : 1;
  const auto days = take_digits(text, 1, 6);
  if (!days || !take(text, ' ') || !text.starts_with("day")) return std::nullopt;
  text.remove_prefix(3);
  take(text, 's');
  if (text.empty()) return sign * *days;
  if (!take(text, ' ')) return std::nullopt;
  take(text, '+');
  const auto seconds = time_value(text);
  return seconds ? std::optional(sign * *days + *seconds / 86400) : std::nullopt;
}

}  // namespace

std::optional<double> flag_value(std::string_view text) {
  const std::string word = lower(text);
  for (const std::string_view yes : {"true", "yes", "y", "t", "on", "1", "ja", "j", "oui", "si", "s\xC3\xAD", "sim"})
    if (word == yes) return 1;
  for (const std::string_view no : {"false", "no", "n", "f", "off", "0", "nein", "non", "nao", "n\xC3\xA3o"})
    if (word == no) return 0;
  return std::nullopt;
}

namespace {
constexpr std::array<std::string_view, 3> kOrders = {"year-month-day", "day-month-year", "month-day-year"};
}

std::string_view to_string(DateOrder order) { return kOrders[std::size_t(order)]; }

std::optional<DateOrder> date_order(std::string_view text) {
  const auto found = std::ranges::find(kOrders, text);
  if (found == kOrders.end()) return std::nullopt;
  return DateOrder(found - kOrders.begin());
}

std::optional<double> date_value(std::string_view text, DateOrder order) {
  if (const auto days = duration_value(text)) return days;
  if (text.empty() || (!is_digit(text.front()) && !is_letter(text.front()))) return std::nullopt;
  if (const auto seconds = time_value(text)) return *seconds / 86400;
  std::string_view rest = text;
  auto found = take_numbers(rest, order);
  if (!found) {
    rest = text;
    found = take_named(rest);
  }
  if (!found && order == DateOrder::year) {
    rest = text;
    found = take_months(rest);
    if (!rest.empty()) return std::nullopt;
  }
  if (!found) return std::nullopt;
  using namespace std::chrono;
  const year_month_day date{std::chrono::year(found->year), std::chrono::month(unsigned(found->month)),
                            std::chrono::day(unsigned(found->day))};
  if (!date.ok()) return std::nullopt;
  const double days = double(sys_days(date).time_since_epoch().count());
  if (rest.empty()) return days;
  take(rest, ',');
  if (!take_any(rest, "T :")) return std::nullopt;
  const auto seconds = time_value(rest);
  return seconds ? std::optional(days + *seconds / 86400) : std::nullopt;
}

std::optional<DateForm> date_form(std::span<const std::string> texts) {
  const auto fits = [&](DateOrder order) {
    return std::ranges::all_of(texts, [&](const std::string& text) { return date_value(text, order).has_value(); });
  };
  if (texts.empty()) return std::nullopt;
  if (fits(DateOrder::year)) return DateForm{DateOrder::year};
  const bool days = fits(DateOrder::day), months = fits(DateOrder::month);
  if (!days && !months) return std::nullopt;
  const bool slashes = texts.front().find('/') != std::string::npos;
  return DateForm{!days || (months && slashes) ? DateOrder::month : DateOrder::day, days != months};
}

namespace {

// What stands between the digits of a large number: blanks that do not break (of Latin-1, too), thin ones, apostrophes.
constexpr std::array<std::string_view, 7> kGroupMarks = {
    "\xC2\xA0", "\xE2\x80\xAF", "\xE2\x80\x89", "\xE2\x80\x99", std::string_view("\xA0", 1), "'", " "};
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
  if (begin == text.size()) return std::nullopt;
  std::string_view before = text.substr(0, begin);
  if (before.ends_with('-') && !sign) negative = !negative, before.remove_suffix(1);
  before = trim_all(before);
  std::string_view rest = text.substr(begin);
  // The longest beginning that is a number: what is left is a unit.
  std::size_t end = rest.size();
  while (end > 0 && !is_digit(rest[end - 1])) --end;
  const auto value = read_number(without_groups(rest.substr(0, end)), decimal);
  const std::string_view after = trim_all(rest.substr(end));
  if (!value || !std::isfinite(*value) || !is_unit(before) || !is_unit(after) || (!before.empty() && !after.empty()))
    return std::nullopt;
  // "a1", "B-3" are names, not numbers: before a number stands a sign or a currency's three letters and a blank.
  if (!before.empty() && is_letter(before.back()) && !(before.size() == 3 && text[begin - 1] == ' '))
    return std::nullopt;
  return DressedNumber{negative ? -*value : *value, std::string(before.empty() ? after : before)};
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
  constexpr std::array<std::string_view, 15> kWords = {
      "none",   "unknown",   "missing",        "-",        "--", "---", "n.a.", "n.a", "(null)", "not available", "nil",
      "(none)", "undefined", "not applicable", "not known"};
  return text == "\xE2\x80\x93" || text == "\xE2\x80\x94" || std::ranges::find(kWords, lower(text)) != kWords.end();
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
