// SPDX-License-Identifier: MIT
// What a fit leaves behind, as one file: magic, version, a JSON header with the names and shapes of the arrays, the
// arrays (little-endian doubles, column by column), and a checksum over all of it. No code, and a reader that trusts
// nothing: every size is checked against the file before memory is taken.
#pragma once

#include <map>
#include <string>
#include <vector>

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

// The primal value of any K ⪰ 0 is an upper bound of the optimum and the dual value of any α a lower one, so that the
// gap needs no trust in what the solver did.
struct KernelCheck {
  double primal = kUnknown, dual = kUnknown, gap = kUnknown, relative_gap = kUnknown;
  double stored_primal = kUnknown, stored_dual = kUnknown, tolerance = kUnknown;
  double agreement = 1e-6;  // how far the values may lie from the stored ones, in parts of them
  double scale = 0;         // of the terms that cancel in both values: 1e-12 of it is rounding
  bool has_dual = true;     // not: the solver left no α, and only the primal value is looked at
  Index positive = 0;       // eigenvalues of A(α)
  Index edges = 0;
  std::string spectrum;  // how they were found
  bool feasible = true;  // weights are not negative, the budget and the subspace are kept
  bool kept = true;      // what transform and predict use is what the data and the kernel give
  bool same_data = false;
  std::vector<std::string> notes;
  bool values_agree() const;  // with the stored ones, to `agreement` of them
  bool within_tolerance() const;
  void take_gap();  // both gaps, from primal and dual
  bool holds() const { return feasible && kept && values_agree() && within_tolerance(); }
};

}  // namespace ritz
