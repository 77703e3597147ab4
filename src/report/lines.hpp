// SPDX-License-Identifier: MIT
// The lines of a summary: a short name, then what there is to say of it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ritz/base/iterate.hpp"
#include "ritz/base/types.hpp"

namespace ritz {

class Lines {
 public:
  Lines& add(std::string_view name, const std::string& value);      // "  name         value"
  Lines& notes(const std::vector<std::string>& all);                // one "note" each
  Lines& raw(const std::string& text);                              // as it is: a table, a heading
  Lines& ending(const Summary& summary, const std::string& facts);  // "converged" or "NOT CONVERGED"
  Lines& time(const Summary& summary);                              // seconds of all phases together
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string counted(Index count, std::string_view one);                       // "1 edge", "2 edges"
std::string sizes_text(const std::vector<Index>& sizes);                      // "40, 2, 7"
std::vector<std::string> numbered_names(std::string_view word, Index count);  // "axis1", "axis2", …

}  // namespace ritz
