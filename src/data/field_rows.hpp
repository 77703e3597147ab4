// SPDX-License-Identifier: MIT
// Text files whose rows have a fixed number of fields of their own meaning: pairs of samples, edges. Any delimiter,
// quotes, comments and gzip as in a table of samples. For the layers above, which know what the fields mean.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ritz/base/context.hpp"

namespace ritz {

struct FieldRow {
  const std::vector<std::string_view>& fields;
  long long line;  // of the file, from 1
  const std::string& source;

  // Throws bad_file: "NAME, line 12: the sentence".
  [[noreturn]] void fail(const std::string& sentence) const;
};

struct RowShape {
  std::size_t fields;
  std::size_t further = 0;  // how many more may follow
};

// Calls `take` for each row but a first one that `is_header` recognises. Throws bad_file for another number of fields.
void read_field_rows(const std::string& path, const RowShape& shape, const RunContext& context,
                     const std::function<bool(const FieldRow&)>& is_header,
                     const std::function<void(const FieldRow&)>& take);

}  // namespace ritz
