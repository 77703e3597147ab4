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
#pragma once

#include <concepts>
#include <limits>
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

template <class O>
concept OptionTable = requires {
  { O::name } -> std::convertible_to<std::string_view>;
  O::fields();
};

template <OptionTable O, class Visit>
void for_each_field(Visit&& visit) {
  std::apply([&](const auto&... each) { (visit(each), ...); }, O::fields());
}

std::string flag_name(std::string_view field_name);  // "max_iterations" -> "max-iterations"

template <OptionTable O>
std::vector<std::string> field_names() {
  std::vector<std::string> names;
  for_each_field<O>([&](const auto& each) { names.emplace_back(each.name); });
  return names;
}

// Throws bad_option naming the field, its value and the range. NaN is outside every range.
template <OptionTable O>
void check(const O& options) {
  for_each_field<O>([&](const auto& each) {
    using Form = TextForm<typename std::decay_t<decltype(each)>::Value>;
    if constexpr (requires { each.low <= each.high; }) {
      const auto& value = options.*(each.member);
      if (!each.ranged || (value >= each.low && value <= each.high)) return;
      throw Error(ErrorCode::bad_option, std::string(O::name) + '.' + std::string(each.name) + " is " +
                                             Form::print(value) + "; it must lie in [" + Form::print(each.low) + ", " +
                                             Form::print(each.high) + ']');
    }
  });
}

// Sets one field from text. Hyphens and underscores in the name are the same.
template <OptionTable O>
void set(O& options, std::string_view name, std::string_view value) {
  std::string wanted(name);
  for (char& c : wanted)
    if (c == '-') c = '_';
  bool found = false;
  for_each_field<O>([&](const auto& each) {
    if (each.name != wanted) return;
    found = true;
    using Form = TextForm<typename std::decay_t<decltype(each)>::Value>;
    auto parsed = Form::parse(trimmed(value));
    if (!parsed)
      throw Error(ErrorCode::bad_option, std::string(O::name) + '.' + wanted + ": cannot read '" + std::string(value) +
                                             "'; expected " + Form::kind());
    options.*(each.member) = std::move(*parsed);
  });
  if (!found)
    throw Error(ErrorCode::bad_option, std::string(O::name) + " has no option '" + std::string(name) + "'" +
                                           suggestion(wanted, field_names<O>()));
}

// name -> text of every field, in table order.
template <OptionTable O>
std::vector<std::pair<std::string, std::string>> text_values(const O& options) {
  std::vector<std::pair<std::string, std::string>> values;
  for_each_field<O>([&](const auto& each) {
    using Form = TextForm<typename std::decay_t<decltype(each)>::Value>;
    values.emplace_back(each.name, Form::print(options.*(each.member)));
  });
  return values;
}

}  // namespace ritz
