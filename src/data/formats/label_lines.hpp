// SPDX-License-Identifier: MIT
// Labels as text, one a line.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "data/streams/byte_source.hpp"
#include "ritz/base/context.hpp"
#include "ritz/data/dataset.hpp"

namespace ritz::detail {

// Quotes taken off. A first line is a header when it is no number and all the others are.
std::vector<std::string> read_label_lines(ByteSource& source, const RunContext& context);
// The names of the classes, quoted where they would not read back as themselves.
void write_label_lines(std::ostream& out, const Labels& labels, const std::string& path);

}  // namespace ritz::detail
