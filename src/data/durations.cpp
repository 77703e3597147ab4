// SPDX-License-Identifier: MIT
// How long something took, as people and programs write it.
#include <algorithm>
#include <array>
#include <cmath>

#include "data/field_letters.hpp"
#include "data/field_values.hpp"
#include "data/formats/format.hpp"
#include "ritz/base/text.hpp"

namespace ritz::detail {

namespace {

// All is added up in seconds, which are whole, and divided once.
constexpr double kMinute = 60, kHour = 3600, kDay = 86400, kWeek = 7 * kDay, kYear = 365.25 * kDay, kMonth = kYear / 12;

// Words of a span of time, from the longest to the shortest, and its seconds.
struct Span {
  std::string_view words;
  double seconds;
};
constexpr std::array<Span, 8> kSpans = {
    {{"y yr yrs year years jahr jahre jahren an ans año años", kYear},
     {"mo mos mon mons month months monat monate monaten mois mes meses", kMonth},
     {"w wk wks week weeks woche wochen semaine semaines semana semanas", kWeek},
     {"d day days tag tage tagen jour jours día días", kDay},
     {"h hr hrs hour hours std stunde stunden heure heures hora horas", kHour},
     {"m min mins minute minutes minuten minuto minutos", kMinute},
     {"s sec secs second seconds sek sekunde sekunden seconde secondes segundo segundos", 1},
     {"ms msec millisecond milliseconds", 1e-3}}};
constexpr std::size_t kDays = 3, kHours = 4;

// A number without a sign at the front, taken off.
std::optional<double> take_number(std::string_view& text) {
  std::size_t end = digits_ahead(text);
  if (end == 0) return std::nullopt;
  if (end < text.size() && text[end] == '.') end += 1 + digits_ahead(text.substr(end + 1));
  const auto value = read_double(text.substr(0, end));
  text.remove_prefix(end);
  return value;
}

// Seconds of "125:30:05", "90:05.2" (minutes and seconds), "2:30" (hours and minutes).
std::optional<double> clock_seconds(std::string_view text) {
  constexpr std::size_t kMostDigits = 3;  // four are a year: 2024:02:29
  const auto part = [&](double least) -> std::optional<double> {
    const std::size_t digits = digits_ahead(text);
    const auto value = take_number(text);
    return value && digits == 2 && *value < least ? value : std::nullopt;
  };
  if (digits_ahead(text) == 0 || digits_ahead(text) > kMostDigits) return std::nullopt;
  const auto first = take_number(text);
  if (*first != std::floor(*first) || !text.starts_with(':')) return std::nullopt;
  text.remove_prefix(1);
  const bool fraction = text.find('.') != text.npos;
  const auto second = part(60);
  if (!second) return std::nullopt;
  if (text.empty()) return fraction ? *first * kMinute + *second : *first * kHour + *second * kMinute;
  if (*second != std::floor(*second) || !text.starts_with(':')) return std::nullopt;
  text.remove_prefix(1);
  const auto third = part(61);
  if (!third || !text.empty()) return std::nullopt;
  return *first * kHour + *second * kMinute + *third;
}

// "P1DT2H30M", "PT90S", as ISO 8601 has them.
std::optional<double> iso_seconds(std::string_view text) {
  text.remove_prefix(1);
  constexpr std::string_view kDates = "YMWD", kTimes = "HMS";
  constexpr std::array<double, 4> kOfDates = {kYear, kMonth, kWeek, kDay};
  constexpr std::array<double, 3> kOfTimes = {kHour, kMinute, 1};
  double seconds = 0;
  bool time = false, any = false;
  while (!text.empty()) {
    if (text.front() == 'T' && !time) {
      time = true;
      text.remove_prefix(1);
      continue;
    }
    const auto value = take_number(text);
    if (!value || text.empty()) return std::nullopt;
    const std::size_t place = (time ? kTimes : kDates).find(text.front());
    if (place == text.npos) return std::nullopt;
    seconds += *value * (time ? kOfTimes[place] : kOfDates[place]);
    text.remove_prefix(1);
    any = true;
  }
  return any ? std::optional(seconds) : std::nullopt;
}

void skip_between(std::string_view& text) {
  for (bool more = true; more;) {
    more = false;
    for (const std::string_view mark : {" ", ",", "and ", "und ", "et ", "y "})
      if (text.starts_with(mark)) text.remove_prefix(mark.size()), more = true;
  }
}

// What stands behind days or hours without a word: "02:03:04.5", "+23:00:00", the 30 of "1h30".
std::optional<double> rest_seconds(std::string_view text, std::size_t behind) {
  if (behind == kHours) {
    const bool minutes = digits_ahead(text) == text.size() && text.size() <= 2;
    const auto value = minutes ? read_double(text) : std::nullopt;
    return value && *value < 60 ? std::optional(*value * kMinute) : std::nullopt;
  }
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const auto seconds = behind <= kDays ? clock_seconds(text) : std::nullopt;
  return seconds ? std::optional(negative ? -*seconds : *seconds) : std::nullopt;
}

}  // namespace

std::optional<double> duration_value(std::string_view text) {
  text = trim_all(text);
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (text.empty() || (!is_digit(text.front()) && text.front() != 'P')) return std::nullopt;
  const double sign = negative ? -1 : 1;
  if (text.front() == 'P') {
    const auto seconds = iso_seconds(text);
    return seconds ? std::optional(sign * *seconds / kDay) : std::nullopt;
  }
  if (const auto seconds = clock_seconds(text)) return sign * *seconds / kDay;
  double seconds = 0;
  std::size_t next = 0;
  while (!text.empty()) {
    if (next > 0)
      if (const auto rest = rest_seconds(text, next - 1))
        return (sign * seconds + (next - 1 == kHours ? sign : 1) * *rest) / kDay;
    const auto value = take_number(text);
    if (!value) return std::nullopt;
    skip_between(text);
    const std::string_view ahead = word_ahead(text);
    const std::string word = lower(ahead);
    std::size_t k = next;
    while (k < kSpans.size() && !among(kSpans[k].words, word)) ++k;
    if (word.empty() || k == kSpans.size()) return std::nullopt;
    seconds += *value * kSpans[k].seconds;
    next = k + 1;
    text.remove_prefix(ahead.size());
    if (text.starts_with('.')) text.remove_prefix(1);
    skip_between(text);
  }
  return sign * seconds / kDay;
}

}  // namespace ritz::detail
