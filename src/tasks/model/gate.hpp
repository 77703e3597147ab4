// SPDX-License-Identifier: MIT
// The gate for models: a task says which arrays and facts its models have, and no model comes to transform, predict or
// check that has others. What passes needs no further look at shapes and ranges.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "ritz/base/types.hpp"
#include "ritz/tasks/model.hpp"

namespace ritz {

inline constexpr double kLargestEntry = 1e150;  // of a column that is none of `entries`

enum class Entries {
  numbers,       // finite, and so are their squares
  not_negative,  // and finite
  places,        // whole numbers from 0, below the size `below` where one is named
  any,           // also those that are not finite
};

struct ArrayForm {
  std::string name;
  // A number, or the name of a size ("n", "d+1"): the same for all arrays of the model that name it.
  std::string rows, cols;
  Entries entries = Entries::numbers;
  std::string below{};
  Index columns = -1;  // the first so many hold `entries`, the others numbers; −1: all
  bool required = true;
  std::string with{};  // required where that array is there, otherwise not
};

enum class FactKind { number, number_or_none, whole, text, flag, texts };

struct FactForm {
  std::string path;  // "options.tolerance"
  FactKind kind = FactKind::number;
  double low = std::numeric_limits<double>::lowest(), high = std::numeric_limits<double>::max();
  bool required = true;
};

struct ModelForm {
  std::vector<ArrayForm> arrays;  // those that may be there
  std::vector<FactForm> facts{};
  std::vector<std::vector<std::string>> one_of{};  // of each group at most one is there
};

// Samples as store_samples leaves them, with their scaling: n × d.
void append_samples_form(ModelForm& form, bool required);

// Throws bad_file naming the array or fact that is missing, unknown, of another shape or out of range.
void require_form(const ModelFile& model, const ModelForm& form);

// What leaves a model is finite: throws not_finite naming the row.
void require_finite(const RowMatrix& rows, const std::string& source);

}  // namespace ritz
