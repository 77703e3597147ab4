// SPDX-License-Identifier: MIT
// What the paper "A Family of Simple Non-Parametric Kernel Learning Algorithms" prints, to stand beside our numbers.
#pragma once

#include <string>
#include <string_view>

namespace ritz::reproduce {

// The cell of a table ("table2"), by the set or parameter that its row belongs to ("heart", "2.5") and a column
// ("SHL");
// "" where the paper has none.
std::string simplenpkl_paper(std::string_view table, std::string_view row, std::string_view column);

}  // namespace ritz::reproduce
