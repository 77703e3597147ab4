// SPDX-License-Identifier: MIT
#include "ritz/base/error.hpp"

namespace ritz {

ExitStatus exit_status(ErrorCode code) {
  switch (code) {
    case ErrorCode::bad_option:
    case ErrorCode::unwritable:
    case ErrorCode::unsupported:
      return ExitStatus::wrong_usage;
    case ErrorCode::bad_shape:
    case ErrorCode::not_finite:
    case ErrorCode::bad_data:
    case ErrorCode::bad_file:
      return ExitStatus::bad_data;
    case ErrorCode::write_failed:
      return ExitStatus::write_failed;
    case ErrorCode::memory:
      return ExitStatus::memory_budget;
    case ErrorCode::infeasible:
      return ExitStatus::infeasible;
  }
  return ExitStatus::internal_failure;
}

}  // namespace ritz
