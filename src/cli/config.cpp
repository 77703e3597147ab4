// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "cli/session.hpp"
#include "ritz/base/text.hpp"

namespace ritz::cli {

namespace {

constexpr std::string_view kFlag = "--config";

bool is_flag(std::string_view word, std::string_view flag) {
  return word == flag || (word.starts_with(flag) && word.substr(flag.size()).starts_with('='));
}

std::string unquoted(std::string_view text) {
  const bool quoted = text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
  return std::string(quoted ? text.substr(1, text.size() - 2) : text);
}

// "kernel = linear" -> "--kernel=linear"
std::vector<std::string> flags_of(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw Error(ErrorCode::bad_file, fmt::format("--config: {} cannot be read", path));
  std::vector<std::string> flags;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    const std::string text = trimmed(line);
    if (text.empty() || text.starts_with('#')) continue;
    const std::size_t equals = text.find('=');
    const std::string key = trimmed(text.substr(0, equals));
    if (equals == std::string::npos || key.empty() || key.find_first_of(" \t") != std::string::npos)
      throw Error(ErrorCode::bad_option,
                  fmt::format("{}, line {}: expected 'option = value', found '{}'", path, number, text));
    const std::string value = unquoted(trimmed(text.substr(equals + 1)));
    if (value.empty())
      throw Error(ErrorCode::bad_option, fmt::format("{}, line {}: {} has no value", path, number, key));
    flags.push_back(fmt::format("--{}={}", flag_name(key), value));
  }
  if (file.bad()) throw Error(ErrorCode::bad_file, fmt::format("--config: {} cannot be read", path));
  return flags;
}

}  // namespace

std::vector<std::string> with_config(std::vector<std::string> words) {
  std::vector<std::string> given, added;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!is_flag(words[i], kFlag) || (words[i] == kFlag && i + 1 == words.size())) {
      given.push_back(std::move(words[i]));
      continue;
    }
    const std::string path = words[i] == kFlag ? words[++i] : words[i].substr(kFlag.size() + 1);
    std::ranges::move(flags_of(path), std::back_inserter(added));
  }
  const std::size_t typed = given.size();
  for (std::string& flag : added) {
    const std::string_view name = std::string_view(flag).substr(0, flag.find('='));
    const bool overruled = std::any_of(given.begin(), given.begin() + std::ptrdiff_t(typed),
                                       [&](const std::string& word) { return is_flag(word, name); });
    if (!overruled) given.push_back(std::move(flag));
  }
  return given;
}

}  // namespace ritz::cli
