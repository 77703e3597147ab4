// SPDX-License-Identifier: MIT
// Command-line flags from field tables: nothing about an option is written twice.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "ritz/base/options.hpp"

namespace ritz::cli {

// "ism.max_iterations is 0; …" -> "--max-iterations is 0; …": a user knows the flag, not the struct.
std::string in_terms_of_flags(const std::string& message, std::string_view owner);

// `skip` names fields that another flag decides.
template <OptionTable O>
void add_fields(CLI::App& app, O& options, const std::vector<std::string>& skip = {}) {
  for_each_field(options, [&]<class Value>(const auto& each, const Value& standard) {
    using Form = TextForm<Value>;
    if (std::ranges::find(skip, each.name) != skip.end()) return;
    const std::string flag = "--" + flag_name(each.name), name(each.name);
    const auto assign = [&options, name](const std::string& text) {
      try {
        set(options, name, text);
        check(options);
      } catch (const Error& error) {
        throw Error(error.code(), in_terms_of_flags(error.what(), O::name));
      }
    };
    if constexpr (std::same_as<Value, bool>)
      app.add_flag_callback(
          flag, [assign] { assign("true"); }, std::string(each.help));
    else
      app.add_option_function<std::string>(flag, assign, std::string(each.help))
          ->type_name(std::is_enum_v<Value> ? Form::kind().substr(7) : "VALUE")
          ->default_str(Form::print(standard));
  });
}

}  // namespace ritz::cli
