// SPDX-License-Identifier: MIT
#include "cli/flags.hpp"

#include <fmt/format.h>

#include "ritz/tasks/task.hpp"

namespace ritz::cli {

std::string in_flags(const std::string& message) {
  return in_words_of(message, [](const std::string& name) { return "--" + flag_name(name); });
}

void add_row(CLI::App& app, const OptionRow& row, const std::function<void(const std::string&)>& assign) {
  const std::string flag = "--" + flag_name(row.name);
  if (row.flag) {
    app.add_flag_callback(
        flag, [assign] { assign("true"); }, in_flags(row.help));
    return;
  }
  app.add_option_function<std::string>(flag, assign, in_flags(row.help))
      ->type_name(row.choices.empty() ? "VALUE" : fmt::format("{}", fmt::join(row.choices, "|")))
      ->default_str(row.standard);
}

void add_rows(CLI::App& app, const std::vector<OptionRow>& rows, std::map<std::string, std::string>& values,
              const std::function<void(const std::map<std::string, std::string>&)>& check) {
  for (const OptionRow& row : rows)
    add_row(app, row, [&values, check, name = row.name](const std::string& text) {
      check({{name, text}});
      values[name] = text;
    });
}

}  // namespace ritz::cli
