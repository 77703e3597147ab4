// SPDX-License-Identifier: MIT
// Options from a file.
#pragma once

#include <string>
#include <vector>

namespace ritz::cli {

// Of lines "kernel = linear" the flags "--kernel=linear"; blank lines and those that begin with # are skipped. Throws
// bad_file where it cannot be read or is more than a megabyte, bad_option for a line that is none.
std::vector<std::string> flags_of(const std::string& path);

}  // namespace ritz::cli
