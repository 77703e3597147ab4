// SPDX-License-Identifier: MIT
// What an action complains about.
#pragma once

#include <optional>
#include <string>

#include "ritz/base/error.hpp"

namespace ritz::test {

struct Complaint {
  std::optional<ErrorCode> code;  // none: it did not complain
  std::string message;
  bool says(const std::string& part) const { return message.find(part) != std::string::npos; }
};

template <class Action>
Complaint complaint(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return {error.code(), error.what()};
  }
  return {};
}

}  // namespace ritz::test
