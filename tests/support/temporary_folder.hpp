// SPDX-License-Identifier: MIT
// A folder for one test, gone with everything in it at the end.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

namespace ritz::test {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    // In memory where there is such a place: the writers flush every file, which a disk takes its time for.
    const std::string memory = "/dev/shm";
    const bool in_memory = access(memory.c_str(), W_OK) == 0;
    std::string pattern = (in_memory ? memory : std::filesystem::temp_directory_path().string()) + "/ritz-test-XXXXXX";
    if (!mkdtemp(pattern.data())) throw std::runtime_error("cannot make a temporary folder");
    path_ = pattern;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  std::string path(std::string_view name) const { return path_ + "/" + std::string(name); }
  const std::string& path() const { return path_; }

  // Writes the content and returns the path.
  std::string file(std::string_view name, std::string_view content) const {
    std::ofstream(path(name), std::ios::binary).write(content.data(), std::streamsize(content.size()));
    return path(name);
  }
  std::size_t file_count() const { return std::size_t(std::distance(std::filesystem::directory_iterator(path_), {})); }

 private:
  std::string path_;
};

inline std::string content_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace ritz::test
