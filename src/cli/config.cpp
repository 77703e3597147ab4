// SPDX-License-Identifier: MIT
#include "cli/config.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/fail.hpp"
#include "data/source_names.hpp"
#include "ritz/base/options.hpp"
#include "ritz/base/text.hpp"

namespace ritz::cli {

namespace {

constexpr std::size_t kMostBytes = std::size_t(1) << 20;

std::string unquoted(std::string_view text) {
  const bool quoted = text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
  return std::string(quoted ? text.substr(1, text.size() - 2) : text);
}

}  // namespace

std::vector<std::string> flags_of(const std::string& path) {
  std::ifstream file(path);
  std::error_code error;
  if (!file && !std::filesystem::exists(path, error)) fail(ErrorCode::bad_file, "--config: no such file: {}", path);
  if (!file) fail(ErrorCode::bad_file, "--config: {} cannot be read", path);
  std::string whole(kMostBytes + 1, '\0');
  file.read(whole.data(), std::streamsize(whole.size()));
  if (file.bad()) fail(ErrorCode::bad_file, "--config: {} cannot be read", path);
  if (!file.eof()) fail(ErrorCode::bad_file, "--config: {} has more than a megabyte: no file of options", path);
  whole.resize(std::size_t(file.gcount()));
  std::istringstream lines(whole);
  std::vector<std::string> flags;
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (line.find('\0') != line.npos)
      fail(ErrorCode::bad_option, "{}, line {}: a zero byte: no file of options", path, number);
    const std::string text = trimmed(line);
    if (text.empty() || text.starts_with('#')) continue;
    const std::size_t equals = text.find('=');
    const std::string key = trimmed(text.substr(0, equals));
    if (equals == std::string::npos || key.empty() || key.find_first_of(" \t") != std::string::npos)
      fail(ErrorCode::bad_option, "{}, line {}: expected 'option = value', found {}", path, number, excerpt(text));
    const std::string value = unquoted(trimmed(text.substr(equals + 1)));
    if (value.empty()) fail(ErrorCode::bad_option, "{}, line {}: {} has no value", path, number, key);
    flags.push_back(fmt::format("--{}={}", flag_name(key), value));
  }
  return flags;
}

}  // namespace ritz::cli
