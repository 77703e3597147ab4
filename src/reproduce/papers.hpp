// SPDX-License-Identifier: MIT
// The papers whose tables and figures are measured again, a row each: `ritz reproduce` and its help read the table.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "reproduce/reproduction.hpp"
#include "ritz/base/options.hpp"

namespace ritz::reproduce {

struct Paper {
  std::string name, title;  // "gmeb", and what is measured
  std::string pictures;     // what the pictures show
  std::vector<OptionRow> options;
  // Options by name and text, put into the form that the measurement wants; throws bad_option.
  std::function<void(const std::map<std::string, std::string>& texts)> check_options;
  std::function<Json(const std::map<std::string, std::string>& texts)> options_json;
  std::function<Reproduction(const std::map<std::string, std::string>& texts, RunContext& context, const Tell& tell)>
      run;
};

const std::vector<Paper>& papers();

}  // namespace ritz::reproduce
