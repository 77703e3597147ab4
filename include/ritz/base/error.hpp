// SPDX-License-Identifier: MIT
// What went wrong, in one sentence, and what the program's exit status says about it.
#pragma once

#include <array>
#include <stdexcept>
#include <string>

#include "ritz/base/text.hpp"

namespace ritz {

enum class ErrorCode {
  bad_option,    // an option's value, or an unknown option
  bad_shape,     // sizes that do not match
  not_finite,    // NaN or infinity in the data
  bad_data,      // data on which the question has no answer: one class, all points equal
  bad_file,      // a file that cannot be read or is not what it claims to be
  unwritable,    // a path that cannot be written: no folder, no permission
  write_failed,  // writing began and failed: a full disk, a broken pipe
  unsupported,   // known, but not part of this build or not for this input
  memory,        // the memory budget does not suffice
  infeasible,    // the constraints contradict each other
};
constexpr auto names_of(ErrorCode) {
  return std::array{"bad_option", "bad_shape",    "not_finite",  "bad_data", "bad_file",
                    "unwritable", "write_failed", "unsupported", "memory",   "infeasible"};
}

// Exit statuses of the program. Not converging is a status, never an exception.
enum class ExitStatus {
  fine = 0,
  internal_failure = 1,
  wrong_usage = 2,
  bad_data = 3,
  not_converged = 4,
  memory_budget = 5,
  infeasible = 6,
  write_failed = 7,
  interrupted = 130,
};

ExitStatus exit_status(ErrorCode code);

// Thrown for what the caller can put right. Failing to converge is not an error: see Summary.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  ErrorCode code() const noexcept { return code_; }

 private:
  ErrorCode code_;
};

}  // namespace ritz
