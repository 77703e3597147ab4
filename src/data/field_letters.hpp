// SPDX-License-Identifier: MIT
// Letters, digits and words in a field.
#pragma once

#include <algorithm>
#include <string_view>

namespace ritz::detail {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

inline std::size_t digits_ahead(std::string_view text) {
  return std::min(std::size_t(std::ranges::find_if_not(text, is_digit) - text.begin()), text.size());
}

// Letters at the front, of other alphabets, too.
inline std::string_view word_ahead(std::string_view text) {
  const auto part_of_word = [](char c) { return is_letter(c) || static_cast<unsigned char>(c) >= 0x80; };
  return text.substr(0, std::size_t(std::ranges::find_if_not(text, part_of_word) - text.begin()));
}

// Whether the word is one of those in a text with blanks between them.
inline bool among(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const std::string_view next = words.substr(0, words.find(' '));
    if (next == word) return true;
    words.remove_prefix(std::min(next.size() + 1, words.size()));
  }
  return false;
}

// Without blanks around it, those that do not break and thin ones, too.
std::string_view trim_all(std::string_view text);

}  // namespace ritz::detail
