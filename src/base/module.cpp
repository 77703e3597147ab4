// SPDX-License-Identifier: MIT
#include "base/module.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

namespace ritz {

std::string module_path(const std::string& file) {
  namespace fs = std::filesystem;
  std::vector<fs::path> folders;
  std::error_code ignored;
  if (const char* given = std::getenv("RITZ_PLUGINS"); given && *given) folders.emplace_back(given);
  Dl_info info{};  // the file of this code: the program, whose name may be relative, or a shared library
  fs::path own;
  if (dladdr(reinterpret_cast<const void*>(&module_path), &info) != 0 && info.dli_fname)
    own = fs::canonical(info.dli_fname, ignored);
  if (own.empty()) own = fs::canonical("/proc/self/exe", ignored);
  folders.push_back(own.parent_path() / ".." / "lib" / "ritz");
  folders.push_back(own.parent_path() / "ritz");
  for (const fs::path& folder : folders)
    if (fs::exists(folder / file, ignored)) return (folder / file).lexically_normal().string();
  return {};
}

}  // namespace ritz
