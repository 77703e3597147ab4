// SPDX-License-Identifier: MIT
// What a fit leaves behind, as one file: magic, version, a JSON header with the names and shapes of the arrays, the
// arrays (little-endian doubles, column by column), and a checksum over all of it. No code, and a reader that trusts
// nothing: every size is checked against the file before memory is taken.
#pragma once

#include <map>
#include <string>

#include "ritz/base/context.hpp"
#include "ritz/base/types.hpp"

namespace ritz {

struct ModelFile {
  std::string method;  // "ism"
  std::map<std::string, Matrix> arrays;
  std::string info = "{}";  // a JSON object: options, summary, names of features and classes
};

void save_model(const std::string& path, const ModelFile& model);  // to a temporary name, then renamed
ModelFile load_model(const std::string& path);                     // throws bad_file naming what is wrong with the file

}  // namespace ritz
