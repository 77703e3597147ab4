// SPDX-License-Identifier: MIT
// What a text in a field means: yes or no, a date, a number in its clothes, a word for nothing, a place on a scale.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ritz::detail {

// 1 for true, yes, y, t, on, 0 for their opposites, in any case; also those of other languages, and what Excel writes
// there: WAHR, VRAI, VERDADERO.
std::optional<double> flag_value(std::string_view text);

// What comes first in a date of numbers: "2024-02-29", "29.02.2024", "02/29/2024".
enum class DateOrder { year, day, month };
std::string_view to_string(DateOrder order);  // "year-month-day", …
std::optional<DateOrder> date_order(std::string_view text);
// Days since 1970-01-01, with parts of a day where a time stands behind: "2024-02-29T18:30:05.5Z", "29.2.24 18:30",
// "2/29/2024 6:30 PM"; of a time alone ("18:30", "1:02:03") the part of a day. Years of two digits are 1969 to 2068.
// Months may be names, "29-Feb-2024", "February 29, 2024", "29FEB2024:18:30:05", whatever the order. A month or a
// quarter or an ISO week is its first day: "2024-02", "Feb 2024", "2024Q1", "2024-W09". What duration_value reads is in
// days. A year of four digits in front is the year whatever the order.
std::optional<double> date_value(std::string_view text, DateOrder order = DateOrder::year);
// Days of how long something took: "1 days 02:03:04.5", "125:30:00", "90:05.2" (minutes), "1h30", "2 h 20 min",
// "3 weeks 2 days", "90 s", "PT1H30M"; years of 365.25 days, months of a twelfth of it.
std::optional<double> duration_value(std::string_view text);
// The order that all of the texts but words for nothing can be read in; where two would do, what the marks suggest:
// month first with slashes, day first with points and dashes. Nothing: they are no dates.
struct DateForm {
  DateOrder order;
  bool only = true;  // the other order would not do
};
std::optional<DateForm> date_form(std::span<const std::string> texts);
// The first text that is no date among texts of which most are, in any order or the one that is wanted; nothing where
// they are not.
std::optional<std::string> not_a_date(std::span<const std::string> texts, std::optional<DateOrder> wanted = {});
DateOrder likely_order(std::span<const std::string> texts);  // in which most of them can be read

// A number as people dress it: "$1,234.50", "12.5 %", "-3 kg", "1'234.5", "1 234,5" (also with the blanks that do not
// break), "(3.20)" for −3.2, "−3" with a typographer's minus, "1.2k", "$3M", "5 m2", "3rd", "1.5×10^3", digits of other
// scripts; in parts, "5½", "3 1/4 in", "5'11\"" (inches), "47°22'8\"N", "7/10" (in "/10"). `unit` is what stood beside
// it, "M$" of "$3M"; a limit, "<0.5" or "5+", is its number, and so are "ca. 3", "3 ± 0.2", "3.21(4)" and "3.2*".
struct DressedNumber {
  double value;
  std::string unit;
  bool limit = false;
};
std::optional<DressedNumber> dressed_number(std::string_view field, char decimal);
// Signs and words of money beside numbers.
inline constexpr std::array<std::string_view, 24> kMoney = {"$",   "€",   "£",   "¥",   "₹",   "R$",  "US$", "CHF",
                                                            "USD", "EUR", "GBP", "JPY", "CNY", "INR", "AUD", "CAD",
                                                            "SEK", "NOK", "DKK", "PLN", "CZK", "BRL", "MXN", "ZAR"};
// The number in another unit: "2 kg" in g is 2000, "3M" in nothing 3e6; one without a unit is in it. Nothing where the
// units have nothing in common.
std::optional<double> in_unit(const DressedNumber& number, const std::string& unit);
// The unit in which all of the numbers among the texts can be told: one and the same, zeros aside, or that of which all
// are multiples ("g" of g and kg, none of 950, 1.2k and 3M); may be empty. Nothing where there is none, where a text is
// no number and no word for nothing either, or where there is no number.
std::optional<std::string> common_unit(std::span<const std::string> texts, char decimal);
// The common unit, or else the one that most of the numbers among the texts have.
std::string likely_unit(std::span<const std::string> texts, char decimal);
// How many units there are that have nothing in common; no unit is one, too.
std::size_t unit_count(std::span<const std::string> texts, char decimal);
// A number with nothing beside it but a sign of money or of percent.
bool is_priced(std::string_view text, char decimal);
// Total, sum, average and their like in other languages: what a row below a table is called that sums it up.
bool is_total_word(std::string_view text);
// Words that mean a missing value among numbers, though in a column of texts they may be a level: none, unknown, -.
bool is_nothing(std::string_view text);

// The texts in the order of a scale that people know (low, medium, high; never … always; 1 - disagree … 5 - agree), or
// of ranges (under 18, 18-24, 65+), at least three of them; empty: they are none.
std::vector<std::string> on_scale(std::span<const std::string> texts);

}  // namespace ritz::detail
