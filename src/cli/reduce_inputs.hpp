// SPDX-License-Identifier: MIT
// The tables beside the samples: numeric targets, an expert's scores, a truth to compare with.
#pragma once

#include "cli/session.hpp"
#include "ritz/tasks/reduce_options.hpp"

namespace ritz::cli {

struct GuidanceFlags {
  std::string targets, scores, truth;       // files
  std::vector<std::string> target_columns;  // of X: names or numbers from 1
};

void add_guidance_flags(CLI::App& app, GuidanceFlags& flags);
// Reads the files; target columns are taken out of the data; a truth becomes the data's labels. Throws naming the file
// and the numbers of rows where they do not match, or a truth where no clusters are sought.
Guidance read_guidance(const GuidanceFlags& flags, Mode mode, Dataset& data, const RunContext& context);

}  // namespace ritz::cli
