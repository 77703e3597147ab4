// SPDX-License-Identifier: MIT
// Another program, run to its end.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ritz/base/context.hpp"

namespace ritz {

// The absolute path of an executable file of this name in a folder of PATH; "" when there is none.
std::string program_on_path(const std::string& name);

struct ChildCommand {
  std::string program;                                           // a path
  std::vector<std::string> arguments;                            // without the program's own name
  std::string folder;                                            // where it runs
  std::vector<std::pair<std::string, std::string>> environment;  // set in addition to ours
};

struct ChildEnd {
  int code = 0;        // exit status, meaningful when signal = 0
  int signal = 0;      // that ended it
  std::string output;  // standard output and error together
};

// Polls the context while it waits. Whatever happens, the child is gone when this returns or throws. Without input, and
// without a shell. It stays in our process group: a second Ctrl-C, which ends us at once, ends it as well.
ChildEnd run_child(const ChildCommand& command, const RunContext& context);

}  // namespace ritz
