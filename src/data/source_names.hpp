// SPDX-License-Identifier: MIT
// How messages speak of files and of what stands in them.
#pragma once

#include <string>
#include <string_view>

namespace ritz {

std::string source_name(const std::string& path);  // "-" is standard input
// A piece of a file: in quotes, shortened, without control characters.
std::string excerpt(std::string_view field, std::size_t most = 40);

// What is UTF-8 as it is, anything else as Windows-1252, of which Latin-1 is a part. Never longer than 3 times.
std::string as_utf8(std::string_view text);
void append_utf8(unsigned code, std::string& out);  // one character

}  // namespace ritz
