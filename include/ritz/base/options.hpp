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

#include <array>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
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

// What is done with a value whose type only its row knows: what follows is compiled once, not once a table and row.
struct ValueForm {
  std::string (*kind)();  // what is expected, in words
  std::string (*print)(const void* value);
  bool (*parse)(std::string_view text, void* value);  // false, and nothing is changed, where it cannot be read
  void (*assign)(const void* from, void* to);
  bool (*within)(const void* value, const void* low, const void* high);
  std::vector<std::string> (*choices)();  // of an enum
  bool flag;                              // true or false
};
template <class T>
inline constexpr ValueForm value_form = {
    []() -> std::string { return TextForm<T>::kind(); },
    [](const void* value) -> std::string { return TextForm<T>::print(*static_cast<const T*>(value)); },
    [](std::string_view text, void* value) {
      auto parsed = TextForm<T>::parse(text);
      if (parsed) *static_cast<T*>(value) = *std::move(parsed);
      return parsed.has_value();
    },
    [](const void* from, void* to) { *static_cast<T*>(to) = *static_cast<const T*>(from); },
    []([[maybe_unused]] const void* value, [[maybe_unused]] const void* low, [[maybe_unused]] const void* high) {
      if constexpr (requires(const T& a) { a <= a; })
        return *static_cast<const T*>(value) >= *static_cast<const T*>(low) &&
               *static_cast<const T*>(value) <= *static_cast<const T*>(high);
      else
        return true;
    },
    []() -> std::vector<std::string> {
      if constexpr (Named<T>) {
        constexpr auto names = names_of(T{});
        return {names.begin(), names.end()};
      }
      return {};
    },
    std::same_as<T, bool>};

// A row and the place of its value. A table that is const is not written to.
struct FieldValue {
  std::string_view name, help;
  const ValueForm* form;
  void* value;
  const void *low, *high;  // inclusive; null where there is no range

  template <class T>
  T* as() const {  // null where it is of another type
    return form == &value_form<T> ? static_cast<T*>(value) : nullptr;
  }
};
using FieldValues = std::vector<FieldValue>;

void append_without(FieldValues& all, const FieldValues& inner, const std::array<std::string_view, 8>& without);

// All rows, those of inner tables among them, in table order.
template <OptionTable O>
FieldValues field_values(const O& options) {
  static const auto table = O::fields();
  FieldValues all;
  const auto one = [&]<class Row>(const Row& row) {
    const auto& value = options.*(row.member);
    if constexpr (requires { row.without; })
      append_without(all, field_values(value), row.without);
    else
      all.push_back({row.name, row.help, &value_form<typename Row::Value>, const_cast<typename Row::Value*>(&value),
                     row.ranged ? &row.low : nullptr, &row.high});
  };
  std::apply([&](const auto&... row) { (one(row), ...); }, table);
  return all;
}

std::string flag_name(std::string_view field_name);  // "max_iterations" -> "max-iterations"

std::vector<std::string> field_names(const FieldValues& fields);
template <OptionTable O>
std::vector<std::string> field_names() {
  return field_names(field_values(O{}));
}

// Throws bad_option naming the field, its value and the range. NaN is outside every range.
void check(std::string_view table, const FieldValues& fields);
template <OptionTable O>
void check(const O& options) {
  check(O::name, field_values(options));
}

// Sets one field from text. Hyphens and underscores in the name are the same.
void set(std::string_view table, const FieldValues& fields, std::string_view name, std::string_view text);
template <OptionTable O>
void set(O& options, std::string_view name, std::string_view text) {
  set(O::name, field_values(options), name, text);
}

// Copies what two tables share: every field of `to` that `from` has by the same name and type.
void take_fields(const FieldValues& from, const FieldValues& to);
template <OptionTable From, OptionTable To>
void take_fields(const From& from, To& to) {
  take_fields(field_values(from), field_values(to));
}

// name -> text of every field, in table order.
std::vector<std::pair<std::string, std::string>> text_values(const FieldValues& fields);
template <OptionTable O>
std::vector<std::pair<std::string, std::string>> text_values(const O& options) {
  return text_values(field_values(options));
}

// A row as any binding shows it.
struct OptionRow {
  std::string name, kind, help;  // kind: what is expected, in words
  std::string standard;          // the default, as text
  std::string low, high;         // inclusive; empty where there is no range
  bool flag = false;             // true or false: no value needs to be given
  std::vector<std::string> choices{};
};

std::vector<OptionRow> option_rows(const FieldValues& defaults);
template <OptionTable O>
std::vector<OptionRow> option_rows(const O& defaults = {}) {
  return option_rows(field_values(defaults));
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
