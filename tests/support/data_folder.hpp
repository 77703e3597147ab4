// SPDX-License-Identifier: MIT
// Files that tests read: the papers' data sets, in $RITZ_DATA or ../shared/data beside the source tree, and the small
// cases of this tree. Tests that need a data set which is not there say so and pass.
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace ritz::test {

// This file is tests/support/data_folder.hpp of the source tree.
inline std::filesystem::path tests_folder() {
  // ctest says where it is: a compiler's cache may have made __FILE__ relative to a folder that is not the current one.
  if (const char* folder = std::getenv("RITZ_TESTS")) return folder;
  return std::filesystem::path(__FILE__).parent_path().parent_path();
}

inline std::filesystem::path data_folder() {
  if (const char* folder = std::getenv("RITZ_DATA")) return folder;
  return tests_folder().parent_path().parent_path() / "shared" / "data";
}

// The path of a data file such as "ism/wine.csv"; nothing, with a line in the test's output, where it is absent.
inline std::optional<std::string> data_file(std::string_view name) {
  const auto path = data_folder() / name;
  if (std::filesystem::is_regular_file(path)) return path.string();
  MESSAGE("skipped: " << path.string() << " is not there; set RITZ_DATA to the folder of the data sets");
  return std::nullopt;
}

// A file of tests/cases/npkl, small instances of kernel learning and unfolding with known optima; nothing where the
// program has been taken away from its source tree.
inline std::optional<std::string> case_file(const std::string& name) {
  const auto path = tests_folder() / "cases" / "npkl" / name;
  if (std::filesystem::is_regular_file(path)) return path.string();
  MESSAGE("skipped: " << path.string() << " is not there");
  return std::nullopt;
}

}  // namespace ritz::test
