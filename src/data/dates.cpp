// SPDX-License-Identifier: MIT
// Dates, times and durations as people and programs write them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <utility>

#include "data/field_letters.hpp"
#include "data/field_values.hpp"
#include "data/formats/format.hpp"
#include "data/formats/record.hpp"
#include "ritz/base/text.hpp"

namespace ritz::detail {

namespace {

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

// Seconds of "18:30:05.5", "6:30 PM", "183005", with a zone or without.
std::optional<double> time_value(std::string_view text) {
  if (digits_ahead(text) == 6) {
    const std::string marked = fmt::format("{}:{}:{}", text.substr(0, 2), text.substr(2, 2), text.substr(4));
    return time_value(std::string_view(marked));
  }
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
  std::string rest = lower(trim_all(text));
  std::erase_if(rest, [](char c) { return c == '.' || c == ' ' || c == '\xC2' || c == '\xA0'; });  // "p. m."
  if (rest == "am" || rest == "pm") {
    if (*hour < 1 || *hour > 12) return std::nullopt;
    hour = *hour % 12 + (rest == "pm" ? 12 : 0);
  }
  seconds += 3600.0 * *hour;
  if (text.empty() || rest == "am" || rest == "pm" || rest == "z" || rest == "utc" || rest == "gmt") return seconds;
  const auto zone = take_zone(without_blanks(text));
  return zone ? std::optional(seconds - *zone) : std::nullopt;
}

// In English, German, French, Spanish, Italian, Portuguese and Dutch, with what is usual for short.
constexpr std::array<std::string_view, 12> kMonths = {
    "january jan januar jänner jän janvier janv enero ene gennaio gen janeiro januari",
    "february feb februar février févr fév febrero febbraio fevereiro fev februari",
    "march mar märz mrz mär maerz mars marzo março maart mrt",
    "april apr avril avr abril abr aprile",
    "may mai mayo maggio mag maio mei",
    "june jun juni juin junio giugno giu junho",
    "july jul juli juillet juil julio luglio lug julho",
    "august aug août aout agosto ago augustus",
    "september sep sept septembre septiembre settembre set setembro",
    "october oct oktober okt octobre octubre ottobre ott outubro out",
    "november nov novembre noviembre novembro",
    "december dec dezember dez décembre déc decembre diciembre dic dicembre dezembro"};

// Letters at the front, of other alphabets, too.
std::string_view word_ahead(std::string_view text) {
  const auto part_of_word = [](char c) { return is_letter(c) || static_cast<unsigned char>(c) >= 0x80; };
  return text.substr(0, std::size_t(std::ranges::find_if_not(text, part_of_word) - text.begin()));
}

// A month's name and perhaps a point.
std::optional<int> take_month(std::string_view& text) {
  const std::string_view ahead = word_ahead(text);
  const std::string word = lower(ahead);
  for (std::size_t m = 0; m < kMonths.size(); ++m)
    if (among(kMonths[m], word)) {
      text.remove_prefix(ahead.size());
      take(text, '.');
      return int(m) + 1;
    }
  return std::nullopt;
}

// "Wed, " and "Wednesday ", which say no more than the date.
void skip_weekday(std::string_view& text) {
  const std::string_view ahead = word_ahead(text);
  if (!among("mon monday tue tues tuesday wed wednesday thu thur thurs thursday fri friday sat saturday sun sunday",
             lower(ahead)))
    return;
  std::string_view rest = text.substr(ahead.size());
  take(rest, '.');
  take(rest, ',');
  if (take(rest, ' ')) text = rest;
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

// "29 de febrero de 2024"
void skip_of(std::string_view& text) {
  if (text.starts_with("de ")) text.remove_prefix(3);
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
    skip_of(text);
    const auto found = take_month(text);
    if (!found) return std::nullopt;
    date = {0, *found, *day};
    take(text, ',');
  }
  take_any(text, " -/");
  skip_of(text);
  const auto year = take_year(text);
  if (!year) return std::nullopt;
  date.year = *year;
  return date;
}

// "20240229", of a year that people write so.
std::optional<Date> take_compact(std::string_view& text) {
  constexpr int kFirst = 1800, kLast = 2199;
  if (digits_ahead(text) != 8) return std::nullopt;
  std::string_view digits = text.substr(0, 8);
  text.remove_prefix(8);
  std::string_view year = digits.substr(0, 4), month = digits.substr(4, 2), day = digits.substr(6, 2);
  const Date date{*take_digits(year, 4, 4), *take_digits(month, 2, 2), *take_digits(day, 2, 2)};
  return date.year >= kFirst && date.year <= kLast ? std::optional(date) : std::nullopt;
}

// "Feb 29 18:30:05 2024": what C and Unix write; the time and the year are taken off.
std::optional<std::pair<Date, double>> take_ctime(std::string_view& text) {
  const auto month = take_month(text);
  if (!month || !take(text, ' ')) return std::nullopt;
  take(text, ' ');
  const auto day = take_digits(text, 1, 2);
  if (!day || !take(text, ' ')) return std::nullopt;
  const std::size_t end = text.find(' ');
  if (end == text.npos) return std::nullopt;
  const auto seconds = time_value(text.substr(0, end));
  text.remove_prefix(end + 1);
  const std::size_t before_year = text.rfind(' ');  // perhaps a zone: "UTC 2024"
  if (before_year != text.npos && !is_digit(text.front())) text.remove_prefix(before_year + 1);
  if (!seconds || digits_ahead(text) != 4 || text.size() != 4) return std::nullopt;
  return std::pair{Date{*take_digits(text, 4, 4), *month, *day}, *seconds};
}

// Three numbers with the same mark between them, taken off.
std::optional<Date> take_numbers(std::string_view& text, DateOrder order) {
  const bool year_first = order == DateOrder::year;
  if (year_first && digits_ahead(text) == 8) return take_compact(text);
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

// Since 1970-01-01; nothing for a day that there is not.
std::optional<double> days_of(const Date& of) {
  using namespace std::chrono;
  const year_month_day date{year(of.year), month(unsigned(of.month)), day(unsigned(of.day))};
  return date.ok() ? std::optional(double(sys_days(date).time_since_epoch().count())) : std::nullopt;
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
  skip_weekday(text);
  if (text.empty() || (!is_digit(text.front()) && !is_letter(text.front()))) return std::nullopt;
  if (const auto seconds = digits_ahead(text) <= 2 ? time_value(text) : std::nullopt) return *seconds / 86400;
  std::string_view rest = text;
  if (auto found = take_ctime(rest)) {
    const auto days = days_of(found->first);
    return days ? std::optional(*days + found->second / 86400) : std::nullopt;
  }
  rest = text;
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
  const auto date = found ? days_of(*found) : std::nullopt;
  if (!date) return std::nullopt;
  const double days = *date;
  if (rest.empty()) return days;
  take(rest, ',');
  if (!take_any(rest, "T :")) return std::nullopt;
  const auto seconds = time_value(rest);
  return seconds ? std::optional(days + *seconds / 86400) : std::nullopt;
}

std::optional<std::string> not_a_date(std::span<const std::string> texts, std::optional<DateOrder> wanted) {
  constexpr double kMost = 0.5;
  std::optional<std::string> first;
  std::size_t best = 0;
  for (const DateOrder order : {DateOrder::year, DateOrder::day, DateOrder::month}) {
    if (wanted && *wanted != order) continue;
    const auto reads = [&](const std::string& text) {
      return text.find("day") == text.npos && date_value(text, order).has_value();  // no durations: "1 day", "more"
    };
    const auto count = std::size_t(std::ranges::count_if(texts, reads));
    const auto other = std::ranges::find_if_not(texts, reads);
    if (count <= best || other == texts.end()) continue;
    best = count;
    first = *other;
  }
  return best >= 3 && double(best) >= kMost * double(texts.size()) ? first : std::nullopt;
}

DateOrder likely_order(std::span<const std::string> texts) {
  DateOrder likely = DateOrder::year;
  std::ptrdiff_t best = 0;
  const bool slashes = !texts.empty() && texts.front().find('/') != std::string::npos;
  const auto second = slashes ? DateOrder::month : DateOrder::day, third = slashes ? DateOrder::day : DateOrder::month;
  for (const DateOrder order : {DateOrder::year, second, third}) {
    const auto count =
        std::ranges::count_if(texts, [&](const std::string& text) { return date_value(text, order).has_value(); });
    if (count > best) best = count, likely = order;
  }
  return likely;
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

}  // namespace ritz::detail
