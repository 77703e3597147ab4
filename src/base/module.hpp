// SPDX-License-Identifier: MIT
// Modules: shared libraries that are found and loaded at run time, so that the program runs without what they stand on.
#pragma once

#include <string>

namespace ritz {

// The path of `file` in the folder $RITZ_PLUGINS, in ../lib/ritz beside the program, or in ritz/ beside the shared
// library that holds this code; empty where it is in none of them.
std::string module_path(const std::string& file);

}  // namespace ritz
