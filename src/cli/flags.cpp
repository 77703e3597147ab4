// SPDX-License-Identifier: MIT
#include "cli/flags.hpp"

namespace ritz::cli {

std::string in_terms_of_flags(const std::string& message, std::string_view owner) {
  if (!message.starts_with(std::string(owner) + '.')) return message;
  const std::size_t begin = owner.size() + 1, end = message.find_first_of(" :", begin);
  return "--" + flag_name(message.substr(begin, end - begin)) + message.substr(end);
}

}  // namespace ritz::cli
