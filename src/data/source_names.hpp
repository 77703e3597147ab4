// SPDX-License-Identifier: MIT
// How messages speak of files and of what stands in them.
#pragma once

#include <string>
#include <string_view>

namespace ritz {

std::string source_name(const std::string& path);  // "-" is standard input
// A piece of a file: in quotes, shortened, without control characters.
std::string excerpt(std::string_view field);

}  // namespace ritz
