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

// "+01:00", "-0500", "+1" in seconds.
std::optional<double> offset_value(std::string_view text) {
  const char sign = text.front();
  if (sign != '+' && sign != '-') return std::nullopt;
  text.remove_prefix(1);
  const std::size_t digits = digits_ahead(text);
  if (digits == 0 || digits == 3 || digits > 4) return std::nullopt;
  std::string_view ahead = text.substr(0, std::min<std::size_t>(digits, 2));
  text.remove_prefix(ahead.size());
  const auto hours = take_digits(ahead, 1, 2);
  take(text, ':');
  const auto minutes = text.empty() ? std::optional(0) : take_digits(text, 2, 2);
  if (!minutes || !text.empty()) return std::nullopt;
  return (sign == '+' ? 1 : -1) * (3600.0 * *hours + 60.0 * *minutes);
}

// What is usual for short among zones, before UTC and behind it.
struct Zone {
  std::string_view words;
  double hours;
};
constexpr std::array<Zone, 14> kZones = {{{"z utc gmt wet", 0},
                                          {"cet mez bst west", 1},
                                          {"cest mesz eet oesz", 2},
                                          {"eest msk", 3},
                                          {"ist", 5.5},
                                          {"hkt sgt", 8},
                                          {"jst kst", 9},
                                          {"aest", 10},
                                          {"aedt", 11},
                                          {"edt", -4},
                                          {"est cdt", -5},
                                          {"cst mdt", -6},
                                          {"mst pdt", -7},
                                          {"pst", -8}}};

// "Z", "CET", "GMT+1", "+01:00[Europe/Berlin]", "GMT+0100 (Central European Standard Time)" in seconds, letters small
// and without blanks.
std::optional<double> zone_value(std::string_view text) {
  for (const auto& [open, close] : {std::pair{'[', ']'}, std::pair{'(', ')'}})
    if (text.ends_with(close)) text = text.substr(0, text.find(open));
  const std::size_t letters = std::size_t(std::ranges::find_if_not(text, is_letter) - text.begin());
  double hours = 0;
  if (letters > 0) {
    const auto zone =
        std::ranges::find_if(kZones, [&](const Zone& each) { return among(each.words, text.substr(0, letters)); });
    if (zone == kZones.end()) return std::nullopt;
    hours = zone->hours;
    text.remove_prefix(letters);
  }
  if (text.empty()) return 3600 * hours;
  const auto offset = offset_value(text);
  return offset ? std::optional(3600 * hours + *offset) : std::nullopt;
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
    const std::size_t end = std::min(text.find_first_not_of("0123456789.,"), text.size());
    std::string digits(text.substr(0, end));  // Python's log has 18:30:05,123
    std::ranges::replace(digits, ',', '.');
    const auto second = read_double(digits);
    if (!second || end < 2 || !(*second < 61)) return std::nullopt;
    seconds += *second;
    text.remove_prefix(end);
  }
  std::string rest = lower(trim_all(text));
  std::erase_if(rest, [](char c) { return c == '.' || c == ' ' || c == '\xC2' || c == '\xA0'; });  // "p. m."
  if (rest.starts_with("am") || rest.starts_with("pm")) {
    if (*hour < 1 || *hour > 12) return std::nullopt;
    hour = *hour % 12 + (rest.starts_with("pm") ? 12 : 0);
    rest.erase(0, 2);
  }
  seconds += 3600.0 * *hour;
  if (rest.empty() || rest == "uhr") return seconds;
  const auto zone = zone_value(rest);
  return zone ? std::optional(seconds - *zone) : std::nullopt;
}

// In English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Czech, Russian, Turkish and the languages of
// Scandinavia, with what is usual for short.
constexpr std::array<std::string_view, 12> kMonths = {
    "january jan januar jänner jän janvier janv enero ene gennaio gen janeiro januari stycznia sty ledna января янв "
    "ocak",
    "february feb februar février févr fév febrero febbraio fevereiro fev februari lutego lut února февраля фев şubat",
    "march mar märz mrz mär maerz mars marzo março maart mrt marts marca března марта мар mart",
    "april apr avril avr abril abr aprile kwietnia kwi dubna апреля апр nisan",
    "may mai mayo maggio mag maio mei maj maja května мая mayıs",
    "june jun juni juin junio giugno giu junho czerwca cze června июня июн haziran",
    "july jul juli juillet juil julio luglio lug julho lipca lip července июля июл temmuz",
    "august aug août aout agosto ago augustus augusti sierpnia sie srpna августа авг ağustos",
    "september sep sept septembre septiembre settembre set setembro września wrz září сентября сен eylül",
    "october oct oktober okt octobre octubre ottobre ott outubro out października paź října октября окт ekim",
    "november nov novembre noviembre novembro listopada lis listopadu ноября ноя kasım",
    "december dec dezember dez décembre déc decembre diciembre dic dicembre dezembro desember des grudnia gru prosince "
    "декабря дек aralık"};

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

// "Wed, " and "Mittwoch ", which say no more than the date.
void skip_weekday(std::string_view& text) {
  const std::string_view ahead = word_ahead(text);
  constexpr std::string_view kDays =
      "mon monday tue tues tuesday wed wednesday thu thur thurs thursday fri friday sat saturday sun sunday "
      "mo di mi do fr sa so montag dienstag mittwoch donnerstag freitag samstag sonntag "
      "lun mer jeu ven sam dim lundi mardi mercredi jeudi vendredi samedi dimanche "
      "mié jue vie sáb dom lunes martes miércoles jueves viernes sábado domingo "
      "gio lunedì martedì mercoledì giovedì venerdì sabato domenica";
  if (!among(kDays, lower(ahead))) return;
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

// A day of the month, also "1st", "22nd".
std::optional<int> take_day(std::string_view& text) {
  const auto day = take_digits(text, 1, 2);
  if (day && text.size() >= 2 && among("st nd rd th", lower(text.substr(0, 2)))) text.remove_prefix(2);
  return day;
}

// "2024-Feb-29", "2024 February 29"
std::optional<std::pair<int, int>> take_year_month(std::string_view& text) {
  const auto year = take_digits(text, 4, 4);
  if (!year || !take_any(text, " -/")) return std::nullopt;
  const auto month = take_month(text);
  if (!month || !take_any(text, " -/")) return std::nullopt;
  return std::pair{*year, *month};
}

// "29-Feb-2024", "29 February 2024", "29FEB2024", "Feb 29, 2024", "2024-Feb-29", taken off.
std::optional<Date> take_named(std::string_view& text) {
  Date date{};
  if (digits_ahead(text) == 4) {
    const auto ahead = take_year_month(text);
    const auto day = ahead ? take_day(text) : std::nullopt;
    return day ? std::optional(Date{ahead->first, ahead->second, *day}) : std::nullopt;
  }
  if (const auto month = take_month(text)) {
    take_any(text, " -");
    const auto day = take_day(text);
    if (!day) return std::nullopt;
    date = {0, *month, *day};
    take(text, ',');
  } else {
    const auto day = take_day(text);
    if (!day) return std::nullopt;
    take(text, '.');
    take_any(text, " -/");
    skip_of(text);
    if (text.starts_with("of ")) text.remove_prefix(3);  // "29th of February"
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
  const std::size_t count = digits_ahead(text);  // with hours, minutes and seconds behind: 20240229183005
  if (count != 8 && count != 14) return std::nullopt;
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
  if (order == DateOrder::year && digits_ahead(text) >= 8) return take_compact(text);
  const bool year_first = order == DateOrder::year || digits_ahead(text) == 4;  // which nobody can mistake
  const auto first = year_first ? take_digits(text, 4, 4) : take_digits(text, 1, 2);
  if (!first || text.empty()) return std::nullopt;
  const char mark = text.front();
  if (!take_any(text, year_first ? "-/.:" : "-/.")) return std::nullopt;
  if (mark == '.') take(text, ' ');  // "29. 2. 2024"
  const auto second = take_digits(text, 1, 2);
  if (!second || !take(text, mark)) return std::nullopt;
  if (mark == '.') take(text, ' ');
  const auto third = year_first ? take_digits(text, 1, 2) : take_year(text);
  if (!third) return std::nullopt;
  if (year_first && mark == '.') take(text, '.');  // "2024. 02. 29."
  if (year_first) return Date{*first, *second, *third};
  return order == DateOrder::day ? Date{*third, *second, *first} : Date{*third, *first, *second};
}

// The number of a quarter behind its Q: its first month.
std::optional<int> take_quarter(std::string_view& text) {
  if (!take_any(text, "Qq")) return std::nullopt;
  const auto quarter = take_digits(text, 1, 1);
  return quarter && *quarter >= 1 && *quarter <= 4 ? std::optional(3 * *quarter - 2) : std::nullopt;
}

// The Monday of an ISO week, "W09".
std::optional<Date> take_week(std::string_view& text, int of) {
  using namespace std::chrono;
  if (!take_any(text, "Ww")) return std::nullopt;
  const auto week = take_digits(text, 1, 2);
  if (!week || *week < 1 || *week > 53) return std::nullopt;
  const sys_days fourth{year(of) / January / 4};  // is in the first week
  const sys_days monday = fourth - (weekday(fourth) - Monday) + days(7 * (*week - 1));
  const year_month_day date{monday};
  return Date{int(date.year()), int(unsigned(date.month())), int(unsigned(date.day()))};
}

// A month, a quarter or a week, by its first day: "2024-02", "02/2024", "Feb 2024", "Feb-24", "2024Q1", "Q1 2024",
// "2024-W09", "2024m2".
std::optional<Date> take_months(std::string_view& text) {
  if (const auto quarter = take_quarter(text)) {
    take_any(text, " -/");
    const auto year = take_year(text);
    return year ? std::optional(Date{*year, *quarter, 1}) : std::nullopt;
  }
  if (const auto month = take_month(text)) {
    const bool dash = text.starts_with('-') || text.starts_with('\'');  // "Feb 24" may be a day
    if (!take_any(text, " -/'") || (digits_ahead(text) != 4 && !dash)) return std::nullopt;
    const auto year = take_year(text);
    return year ? std::optional(Date{*year, *month, 1}) : std::nullopt;
  }
  if (digits_ahead(text) <= 2) {
    const auto month = take_digits(text, 1, 2);
    if (!month || !take_any(text, "/-")) return std::nullopt;
    const auto year = take_digits(text, 4, 4);
    return year ? std::optional(Date{*year, *month, 1}) : std::nullopt;
  }
  const auto year = take_digits(text, 4, 4);
  if (!year) return std::nullopt;
  const bool mark = take_any(text, "-/ ");
  if (text.starts_with('Q') || text.starts_with('q')) {
    const auto quarter = take_quarter(text);
    return quarter ? std::optional(Date{*year, *quarter, 1}) : std::nullopt;
  }
  if (const auto week = take_week(text, *year)) return week;
  const bool stata = !mark && take_any(text, "mM");  // 2024m2
  const auto month = stata ? take_digits(text, 1, 2) : mark ? take_digits(text, 2, 2) : std::nullopt;
  if (!month) return std::nullopt;
  return Date{*year, *month, 1};
}

// Since 1970-01-01; nothing for a day that there is not.
std::optional<double> days_of(const Date& of) {
  using namespace std::chrono;
  const year_month_day date{year(of.year), month(unsigned(of.month)), day(unsigned(of.day))};
  return date.ok() ? std::optional(double(sys_days(date).time_since_epoch().count())) : std::nullopt;
}

// "2024年2月29日", "2024년 2월 29일" as 2024-2-29.
std::string without_signs(std::string_view text) {
  std::string plain(text);
  for (const auto& [sign, mark] : {std::pair{"年", "-"}, std::pair{"月", "-"}, std::pair{"日", ""},
                                   std::pair{"년", "-"}, std::pair{"월", "-"}, std::pair{"일", ""}})
    if (const std::size_t place = plain.find(sign); place != plain.npos) {
      plain.replace(place, std::string_view(sign).size(), mark);
      while (place + 1 < plain.size() && plain[place] == '-' && plain[place + 1] == ' ') plain.erase(place + 1, 1);
    }
  return plain;
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
  std::string plain;
  if (text.find("年") != text.npos || text.find("년") != text.npos) text = plain = without_signs(text);
  skip_weekday(text);
  if (text.empty() || (!is_digit(text.front()) && !is_letter(text.front()))) return std::nullopt;
  const bool time = digits_ahead(text) <= 2 && text.find('-') == text.npos;  // "8:00-12:00" is none
  if (const auto seconds = time ? time_value(text) : std::nullopt) return *seconds / 86400;
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
  if (rest.starts_with(" at ")) rest.remove_prefix(3);
  if (!take_any(rest, "Tt :_") && digits_ahead(rest) != 6) return std::nullopt;
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
      return !duration_value(text) && date_value(text, order).has_value();  // "1 day", "more" are no dates
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
    return std::ranges::all_of(
        texts, [&](const std::string& text) { return is_nothing(text) || date_value(text, order).has_value(); });
  };
  const auto first = std::ranges::find_if_not(texts, [](const std::string& text) { return is_nothing(text); });
  if (first == texts.end()) return std::nullopt;
  if (fits(DateOrder::year)) return DateForm{DateOrder::year};
  const bool days = fits(DateOrder::day), months = fits(DateOrder::month);
  if (!days && !months) return std::nullopt;
  const bool slashes = first->find('/') != std::string::npos;
  return DateForm{!days || (months && slashes) ? DateOrder::month : DateOrder::day, days != months};
}

}  // namespace ritz::detail
