// SPDX-License-Identifier: MIT
// Values as text and back, the same way on the command line, in JSON, in kernel formulas and in messages.
#pragma once

#include <algorithm>
#include <concepts>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace ritz {

std::string trimmed(std::string_view text);

// Shortest text that reads back to the same double; "inf", "-inf", "nan" otherwise.
std::string number_text(double value);
std::optional<double> read_double(std::string_view text);  // the whole text, or nothing
std::optional<long long> read_integer(std::string_view text);

// "1500", "64k", "400M", "2G", "1.5GiB": powers of 1024; nothing when it is not a size.
std::optional<std::size_t> read_bytes(std::string_view text);
std::string bytes_text(double bytes);  // "1.4 GiB"

// The candidate with the smallest edit distance, or "" when none is near enough to be a likely misspelling.
std::string nearest_name(std::string_view name, std::span<const std::string> candidates);
// "; did you mean 'gaussian'?" or "; known are: a, b, c"
std::string suggestion(std::string_view name, std::span<const std::string> candidates);

// An enum whose values have names has, behind it, names_of: an array of them in the order of the enumerators.
template <class E>
concept Named = std::is_enum_v<E> && requires(E value) {
  names_of(value);
};
template <Named E>
constexpr std::string_view to_string(E value) {
  return names_of(value)[std::size_t(value)];
}

template <class T>
struct TextForm;  // kind(): what is expected, in words; parse(); print()

template <std::integral T>
requires(!std::same_as<T, bool>) struct TextForm<T> {
  static std::string kind() { return "a whole number"; }
  static std::optional<T> parse(std::string_view text) {
    const auto value = read_integer(text);
    if (!value || !std::in_range<T>(*value)) return std::nullopt;
    return T(*value);
  }
  static std::string print(T value) { return std::to_string(value); }
};

template <>
struct TextForm<double> {
  static std::string kind() { return "a number"; }
  static std::optional<double> parse(std::string_view text) { return read_double(text); }
  static std::string print(double value) { return number_text(value); }
};

template <>
struct TextForm<bool> {
  static std::string kind() { return "true or false"; }
  static std::optional<bool> parse(std::string_view text) {
    if (text == "true" || text == "yes" || text == "on" || text == "1") return true;
    if (text == "false" || text == "no" || text == "off" || text == "0") return false;
    return std::nullopt;
  }
  static std::string print(bool value) { return value ? "true" : "false"; }
};

template <>
struct TextForm<std::string> {
  static std::string kind() { return "text"; }
  static std::optional<std::string> parse(std::string_view text) { return std::string(text); }
  static std::string print(const std::string& value) { return value; }
};

template <Named E>
struct TextForm<E> {
  static std::string kind() {
    std::string text = "one of ";
    for (const std::string_view name : names_of(E{})) {
      text.append(name);
      text.push_back('|');
    }
    text.pop_back();
    return text;
  }
  static std::optional<E> parse(std::string_view text) {
    constexpr auto names = names_of(E{});
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i] == text) return E(i);
    return std::nullopt;
  }
  static std::string print(E value) { return std::string(to_string(value)); }
};

// Several values with commas between them; none is empty.
template <class T>
struct TextForm<std::vector<T>> {
  static std::string kind() {
    std::string text = TextForm<T>::kind();
    text += ", or several with commas between them";
    return text;
  }
  static std::optional<std::vector<T>> parse(std::string_view text) {
    std::vector<T> values;
    for (std::size_t begin = 0; !text.empty() && begin <= text.size();) {  // no text: no value
      const std::size_t end = std::min(text.find(',', begin), text.size());
      const auto value = TextForm<T>::parse(text.substr(begin, end - begin));
      if (end == begin || !value) return std::nullopt;
      values.push_back(*value);
      begin = end + 1;
    }
    return values;
  }
  static std::string print(const std::vector<T>& values) {
    std::string text;
    for (const T& value : values) {
      if (!text.empty()) text += ',';
      text += TextForm<T>::print(value);
    }
    return text;
  }
};

}  // namespace ritz
