// SPDX-License-Identifier: MIT
#include "bindings/files.hpp"

#include <stdlib.h>  // mkdtemp is POSIX

#include <fstream>
#include <iterator>

#include "ritz/base/error.hpp"

namespace ritz::python {

PassingFolder::PassingFolder() {
  std::error_code error;
  const std::filesystem::path memory = "/dev/shm";
  const bool there = std::filesystem::is_directory(memory, error) && !error;
  std::string name = ((there ? memory : std::filesystem::temp_directory_path()) / "ritz-XXXXXX").string();
  if (!mkdtemp(name.data())) throw Error(ErrorCode::unwritable, name + ": no folder can be made here");
  path_ = name;
}

PassingFolder::~PassingFolder() {
  std::error_code error;
  std::filesystem::remove_all(path_, error);
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void put_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  if (!file.write(bytes.data(), std::streamsize(bytes.size())).flush())
    throw Error(ErrorCode::unwritable, path + ": cannot be written");
}

}  // namespace ritz::python
