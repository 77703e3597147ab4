// SPDX-License-Identifier: MIT
// The papers' data sets: $RITZ_DATA, or ../shared/data beside the source tree. Tests that need a file which is not
// there say so and pass.
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace ritz::test {

inline std::filesystem::path data_folder() {
  if (const char* folder = std::getenv("RITZ_DATA")) return folder;
  // This file is tests/support/data_folder.hpp of the source tree.
  const auto root = std::filesystem::path(__FILE__).parent_path().parent_path().parent_path();
  return root.parent_path() / "shared" / "data";
}

// The path of a data file such as "ism/wine.csv"; nothing, with a line in the test's output, where it is absent.
inline std::optional<std::string> data_file(std::string_view name) {
  const auto path = data_folder() / name;
  if (std::filesystem::is_regular_file(path)) return path.string();
  MESSAGE("skipped: " << path.string() << " is not there; set RITZ_DATA to the folder of the data sets");
  return std::nullopt;
}

}  // namespace ritz::test
