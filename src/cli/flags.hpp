// SPDX-License-Identifier: MIT
// Command-line flags from field tables and rows: nothing about an option is written twice.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "ritz/base/options.hpp"

namespace ritz::cli {

// "reduce.dim is 0; …" -> "--dim is 0; …": a user knows the flag, not the table.
std::string in_flags(const std::string& message);

// One flag; `assign` takes its text.
void add_row(CLI::App& app, const OptionRow& row, const std::function<void(const std::string&)>& assign);

// A flag for each row; its text goes to `values` once `check` has taken it.
void add_rows(CLI::App& app, const std::vector<OptionRow>& rows, std::map<std::string, std::string>& values,
              const std::function<void(const std::map<std::string, std::string>&)>& check);

// The same straight into a struct. `skip` names fields that another flag decides.
template <OptionTable O>
void add_fields(CLI::App& app, O& options, const std::vector<std::string>& skip = {}) {
  for (const OptionRow& row : option_rows(options)) {
    if (std::ranges::find(skip, row.name) != skip.end()) continue;
    add_row(app, row, [&options, name = row.name](const std::string& text) {
      set(options, name, text);
      check(options);
    });
  }
}

}  // namespace ritz::cli
