// SPDX-License-Identifier: MIT
// Delimited text whose rows have names, as data frames do.
#pragma once

#include <string>
#include <vector>

#include "ritz/base/types.hpp"

namespace ritz {

// As write_matrix to a name that means delimited text; each row begins with its name, and `corner` stands above them.
void write_named_rows(const std::string& path, DataView values, const std::vector<std::string>& column_names,
                      const std::vector<std::string>& row_names, const std::string& corner);

}  // namespace ritz
