// SPDX-License-Identifier: MIT
// CSDP in tests: an independent solver, where it is installed.
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "oracles/csdp/sdp.hpp"

namespace ritz::test {

// Whether the program is there; a line in the test's output where it is not.
inline bool csdp_installed() {
  if (!csdp_path().empty()) return true;
  MESSAGE("skipped: the program csdp is not on PATH; the package coinor-csdp has it");
  return false;
}

// PATH is something else while it lives.
class OtherPath {
 public:
  explicit OtherPath(const std::string& path) : former_(std::getenv("PATH") ? std::getenv("PATH") : "") {
    setenv("PATH", path.c_str(), 1);
  }
  OtherPath(const OtherPath&) = delete;
  OtherPath& operator=(const OtherPath&) = delete;
  ~OtherPath() { setenv("PATH", former_.c_str(), 1); }

 private:
  std::string former_;
};

}  // namespace ritz::test
