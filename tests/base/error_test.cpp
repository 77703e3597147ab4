// SPDX-License-Identifier: MIT
#include "ritz/base/error.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

using namespace ritz;

namespace {

constexpr ErrorCode kAll[] = {
    ErrorCode::bad_option, ErrorCode::bad_shape,    ErrorCode::not_finite,  ErrorCode::bad_data, ErrorCode::bad_file,
    ErrorCode::unwritable, ErrorCode::write_failed, ErrorCode::unsupported, ErrorCode::memory,   ErrorCode::infeasible};

}  // namespace

TEST_CASE("every error code has a name of its own and a failing exit status") {
  std::set<std::string_view> names;
  for (const ErrorCode code : kAll) {
    names.insert(to_string(code));
    CHECK(to_string(code) != "unknown");
    CHECK(exit_status(code) != ExitStatus::fine);
    CHECK(exit_status(code) != ExitStatus::not_converged);
    CHECK(exit_status(code) != ExitStatus::internal_failure);
  }
  CHECK(names.size() == std::size(kAll));
}

TEST_CASE("the exit status tells usage, data, memory and contradiction apart") {
  CHECK(exit_status(ErrorCode::bad_option) == ExitStatus::wrong_usage);
  CHECK(exit_status(ErrorCode::unsupported) == ExitStatus::wrong_usage);
  CHECK(exit_status(ErrorCode::not_finite) == ExitStatus::bad_data);
  CHECK(exit_status(ErrorCode::bad_file) == ExitStatus::bad_data);
  CHECK(int(exit_status(ErrorCode::memory)) == 5);
  CHECK(int(exit_status(ErrorCode::infeasible)) == 6);
  CHECK(int(ExitStatus::interrupted) == 130);
}

TEST_CASE("an error carries its sentence and its code") {
  try {
    throw Error(ErrorCode::bad_shape, "3 rows and 4 labels");
  } catch (const std::runtime_error& error) {
    CHECK(std::string(error.what()) == "3 rows and 4 labels");
    CHECK(dynamic_cast<const Error&>(error).code() == ErrorCode::bad_shape);
  }
}
