// SPDX-License-Identifier: MIT
// Field tables: an option is written once, and its check, its message, its command-line flag, its JSON and its help
// line come from that one row.
//
//   struct Options {
//     static constexpr std::string_view name = "ism";
//     double tolerance = 1e-6;
//     static constexpr auto fields() {
//       return std::tuple{field("tolerance", &Options::tolerance, 0.0, 1.0, "stop when the residual is below")};
//     }
//   };
//
// A table may hold another one's rows, so that a value is neither copied nor renamed on its way down:
//
//   struct TaskOptions {
//     Options ism;
//     static constexpr auto fields() { return std::tuple{rows(&TaskOptions::ism)}; }
//   };
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "ritz/base/error.hpp"
#include "ritz/base/text.hpp"

namespace ritz {

template <class Owner, class T>
struct Field {
  using Value = T;
  std::string_view name;  // snake_case; the flag is the same word with hyphens
  T Owner::*member;
  std::string_view help;
  bool ranged = false;
  T low{}, high{};  // inclusive, where ranged
};

template <class Owner, class T>
constexpr Field<Owner, T> field(std::string_view name, T Owner::*member, std::type_identity_t<T> low,
                                std::type_identity_t<T> high, std::string_view help) {
  return {name, member, help, true, low, high};
}
// For types whose text form is the whole check: enums, flags, texts, bandwidths.
template <class Owner, class T>
constexpr Field<Owner, T> field(std::string_view name, T Owner::*member, std::string_view help) {
  return {name, member, help, false, T{}, T{}};
}

// All rows of a table within a table, but for those that the outer one decides itself.
template <class Owner, class Inner>
struct Rows {
  Inner Owner::*member;
  std::array<std::string_view, 8> without{};
};
template <class Owner, class Inner, class... Names>
constexpr Rows<Owner, Inner> rows(Inner Owner::*member, Names... without) {
  return {member, {without...}};
}

template <class O>
concept OptionTable = requires {
  { O::name } -> std::convertible_to<std::string_view>;
  O::fields();
};

// visit(row, value) for every row, those of inner tables among them, in table order.
template <class O, class Visit>
requires OptionTable<std::remove_const_t<O>>
void for_each_field(O& options, Visit&& visit) {
  const auto one = [&]<class Row>(const Row& row) {
    auto& value = options.*(row.member);
    if constexpr (requires { row.without; })
      for_each_field(value, [&](const auto& inner, auto& inner_value) {
        if (std::ranges::find(row.without, inner.name) == row.without.end()) visit(inner, inner_value);
      });
    else
      visit(row, value);
  };
  std::apply([&](const auto&... row) { (one(row), ...); }, std::remove_const_t<O>::fields());
}

std::string flag_name(std::string_view field_name);  // "max_iterations" -> "max-iterations"

template <OptionTable O>
std::vector<std::string> field_names() {
  std::vector<std::string> names;
  const O defaults{};
  for_each_field(defaults, [&](const auto& row, const auto&) { names.emplace_back(row.name); });
  return names;
}

// Throws bad_option naming the field, its value and the range. NaN is outside every range.
template <OptionTable O>
void check(const O& options) {
  for_each_field(options, [&]<class Value>(const auto& row, const Value& value) {
    if constexpr (requires { row.low <= row.high; }) {
      using Form = TextForm<Value>;
      if (!row.ranged || (value >= row.low && value <= row.high)) return;
      throw Error(ErrorCode::bad_option, std::string(O::name) + '.' + std::string(row.name) + " is " +
                                             Form::print(value) + "; it must lie in [" + Form::print(row.low) + ", " +
                                             Form::print(row.high) + ']');
    }
  });
}

// Sets one field from text. Hyphens and underscores in the name are the same.
template <OptionTable O>
void set(O& options, std::string_view name, std::string_view text) {
  std::string wanted(name);
  std::ranges::replace(wanted, '-', '_');
  bool found = false;
  for_each_field(options, [&]<class Value>(const auto& row, Value& value) {
    if (row.name != wanted) return;
    found = true;
    auto parsed = TextForm<Value>::parse(trimmed(text));
    if (!parsed)
      throw Error(ErrorCode::bad_option, std::string(O::name) + '.' + wanted + ": cannot read '" + std::string(text) +
                                             "'; expected " + TextForm<Value>::kind());
    value = std::move(*parsed);
  });
  if (!found)
    throw Error(ErrorCode::bad_option, std::string(O::name) + " has no option '" + std::string(name) + "'" +
                                           suggestion(wanted, field_names<O>()));
}

// Copies what two tables share: every field of `to` that `from` has by the same name and type.
template <OptionTable From, OptionTable To>
void take_fields(const From& from, To& to) {
  for_each_field(to, [&]<class Value>(const auto& row, Value& value) {
    for_each_field(from, [&]<class Other>(const auto& same, const Other& other) {
      if constexpr (std::same_as<Value, Other>)
        if (same.name == row.name) value = other;
    });
  });
}

// name -> text of every field, in table order.
template <OptionTable O>
std::vector<std::pair<std::string, std::string>> text_values(const O& options) {
  std::vector<std::pair<std::string, std::string>> values;
  for_each_field(options, [&]<class Value>(const auto& row, const Value& value) {
    values.emplace_back(row.name, TextForm<Value>::print(value));
  });
  return values;
}

// A row as any binding shows it.
struct OptionRow {
  std::string name, kind, help;  // kind: what is expected, in words
  std::string standard;          // the default, as text
  std::string low, high;         // inclusive; empty where there is no range
  bool flag = false;             // true or false: no value needs to be given
  std::vector<std::string> choices{};
};

template <OptionTable O>
std::vector<OptionRow> option_rows(const O& defaults = {}) {
  std::vector<OptionRow> all;
  for_each_field(defaults, [&]<class Value>(const auto& row, const Value& value) {
    using Form = TextForm<Value>;
    OptionRow shown{std::string(row.name), Form::kind(), std::string(row.help), Form::print(value), {}, {}};
    shown.flag = std::same_as<Value, bool>;
    if constexpr (std::is_enum_v<Value>)
      for (const std::string_view choice : names_of(value)) shown.choices.emplace_back(choice);
    if constexpr (requires { row.low <= row.high; })
      if (row.ranged) shown.low = Form::print(row.low), shown.high = Form::print(row.high);
    all.push_back(std::move(shown));
  });
  return all;
}

// A number of dimensions, or `auto`.
struct Dimension {
  std::ptrdiff_t value = 0;  // 0: auto
  bool operator==(const Dimension&) const = default;
};
template <>
struct TextForm<Dimension> {
  static std::string kind() { return "a whole number from 1, or auto"; }
  static std::optional<Dimension> parse(std::string_view text) {
    if (text == "auto") return Dimension{};
    const auto number = read_integer(text);
    if (!number || *number < 1) return std::nullopt;
    return Dimension{std::ptrdiff_t(*number)};
  }
  static std::string print(Dimension dimension) {
    return dimension.value == 0 ? "auto" : std::to_string(dimension.value);
  }
};

}  // namespace ritz
