// SPDX-License-Identifier: MIT
// Where the papers' data sets lie: beside the project, never inside.
#pragma once

#include <string>

namespace ritz {

std::string data_folder();  // the environment's RITZ_DATA, else ../shared/data
// Path of a file in it. Throws bad_file saying where it was looked for.
std::string data_file(const std::string& name);

}  // namespace ritz
