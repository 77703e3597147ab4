// SPDX-License-Identifier: MIT
#include "reproduce/data_folder.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "ritz/base/error.hpp"

namespace ritz {

std::string data_folder() {
  const char* named = std::getenv("RITZ_DATA");
  return named && *named ? named : "../shared/data";
}

std::string data_file(const std::string& name) {
  const std::filesystem::path path = std::filesystem::path(data_folder()) / name;
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    throw Error(ErrorCode::bad_file,
                fmt::format("{} is not in the data folder {}; say where the papers' data sets lie in "
                            "the environment variable RITZ_DATA",
                            name, data_folder()));
  return path.string();
}

}  // namespace ritz
