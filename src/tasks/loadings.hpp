// SPDX-License-Identifier: MIT
// Loadings of features in one line, whichever verb they are of.
#pragma once

#include <string>
#include <vector>

#include "ritz/base/types.hpp"

namespace ritz {

// Features that are the levels of one category ("city=Bern", "city=Genf") together, all others alone; in the order of
// their first.
struct FeatureGroup {
  std::string name;  // "city"
  std::vector<Index> features;
};
std::vector<FeatureGroup> level_groups(const std::vector<std::string>& names);

// A name that is a number between quotes: beside a loading it would read as another one.
std::string quoted_number(const std::string& name);

// "+0.64 age, -0.35 spend, 0.52 city (+0.40 Bern, -0.33 Genf)": the strongest first, so many as a line of a summary
// holds, two at least. Of a category the root of the sum of squares, and its strongest levels.
std::string loadings_line(const Vector& loadings, const std::vector<std::string>& names, std::size_t most = 5);

// A long name with its middle left out.
std::string shortened(const std::string& name, std::size_t most = 28);

}  // namespace ritz
