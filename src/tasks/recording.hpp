// SPDX-License-Identifier: MIT
// The checkpoint file of one call (TaskCall::checkpoint): what was asked of which data by which program, and what is
// done of it.
//
//   "RITZCKPT"  version  length, facts (JSON)  length, stages (base/checkpoint.hpp)  length, what the backend tells of
//   itself  SHA-256 of all before
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "report/envelope.hpp"
#include "report/table.hpp"
#include "ritz/base/checkpoint.hpp"
#include "ritz/tasks/task.hpp"

namespace ritz {

// In place as context.checkpoint from its making to close(). However the fit ends, the file then holds all that is
// done.
class Recording {
 public:
  // `options`: as settled. Where the call resumes: throws bad_file for a file that is none or damaged, bad_data where
  // the inputs differ from those of the earlier run, bad_option where the options do, unsupported where the program
  // does. The earlier run's memory budget is taken over, as ways are chosen by it.
  Recording(const TaskCall& call, std::string_view verb, const Json& options, RunContext& context);
  ~Recording() { close(); }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  void close();
  // What the user should know of it. `summary`: of the fit.
  void tell(const Summary& summary, Json& json, Lines& lines) const;

 private:
  RunContext& context_;
  std::string path_, resumed_;
  std::unique_ptr<Checkpoint> checkpoint_;
};

}  // namespace ritz
