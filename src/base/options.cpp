// SPDX-License-Identifier: MIT
#include "ritz/base/options.hpp"

namespace ritz {

std::string flag_name(std::string_view field_name) {
  std::string flag(field_name);
  for (char& c : flag)
    if (c == '_') c = '-';
  return flag;
}

}  // namespace ritz
