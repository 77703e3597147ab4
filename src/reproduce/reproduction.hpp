// SPDX-License-Identifier: MIT
// What a reproduction of a paper's tables and figures gives, and what the measurements share.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/json.hpp"
#include "report/table.hpp"

namespace ritz::reproduce {

struct Figure {
  std::string name;  // "figure1b": for the file's name, where there are several
  std::string svg;
};

struct Reproduction {
  std::vector<TextTable> tables;
  std::vector<Figure> figures;
  Json rows = Json::array();  // one object a measured cell, with the paper's
  std::string ended;          // why it is incomplete; empty: it is not
};

using Tell = std::function<void(const std::string&)>;  // called with a line before every measurement

// The same measurement several times.
struct Spread {
  std::vector<double> values;
  void add(double value) { values.push_back(value); }
  double mean() const;       // NaN without values
  double deviation() const;  // of the population; NaN without values
  // "mean ± deviation", the mean in the format of one number; no deviation of a single value, "-" without values.
  std::string text(std::string_view number) const;
  std::string percent() const;  // of shares: "97.4 ± 0.2"
};

// A context that ends after `seconds`, or when the whole run does.
RunContext limited(const RunContext& context, double seconds);

bool contains(const std::vector<std::string>& list, std::string_view name);

// The known names that a list stands for: "all" for all of them, the part of a name before or after a '-' for all that
// have it. Throws bad_option naming the option.
std::vector<std::string> expanded(const std::vector<std::string>& asked, std::span<const std::string_view> known,
                                  std::string_view option);

}  // namespace ritz::reproduce
