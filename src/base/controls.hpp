// SPDX-License-Identifier: MIT
// Characters that do something to what stands around them, where a name of somebody else's is shown.
#pragma once

#include <string>
#include <string_view>

namespace ritz {

// Bytes of the control character that a text begins with, else 0: what speaks to a terminal (C0, DEL, C1), ends a line
// (U+2028, U+2029), or turns the direction of all that follows (U+202A to U+202E, U+2066 to U+2069).
std::size_t control_length(std::string_view text);

// With control characters as "\x1b" and "\u202e". Line ends and tabs stay, where `lines` says that there may be
// several.
enum class LineEnds { escaped, kept };
std::string printable(std::string_view text, LineEnds lines);

}  // namespace ritz
