// SPDX-License-Identifier: MIT
// What the library says in files only, for the short while that Python needs to read it.
#pragma once

#include <filesystem>
#include <string>

namespace ritz::python {

// A folder of our own, in memory where the machine has such a place; gone with the object.
class PassingFolder {
 public:
  PassingFolder();
  ~PassingFolder();
  PassingFolder(const PassingFolder&) = delete;
  PassingFolder& operator=(const PassingFolder&) = delete;
  std::string path_of(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

std::string bytes_of(const std::string& path);
void put_bytes(const std::string& path, const std::string& bytes);

}  // namespace ritz::python
