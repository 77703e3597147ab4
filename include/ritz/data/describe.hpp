// SPDX-License-Identifier: MIT
// What a file holds, before anything is done with it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ritz/data/columns.hpp"
#include "ritz/data/io.hpp"

namespace ritz {

struct ColumnFacts {
  Column column;
  std::string why{};  // it would be of no use as it is; empty: it is fine
  Index missing = 0, distinct = 0;
  double low = kUnknown, high = kUnknown, mean = kUnknown;  // of numbers, dates and flags
  std::vector<std::pair<std::string, Index>> counts{};      // of texts and flags, the most frequent first
  bool constant() const { return distinct <= 1; }
};

struct TableFacts {
  std::string source;
  Index rows = 0;
  std::vector<ColumnFacts> columns;
  bool sparse = false;  // then there are no facts of the columns
  Index sparse_columns = 0;
  Index incomplete = 0;  // rows with a missing value
  Index duplicates = 0;  // rows that are the same as one before, names of rows aside
  std::vector<std::string> notes{};
};

// Reads the file as read_dataset would with these options, and refuses no column.
TableFacts describe_table(const std::string& path, const ReadOptions& options, const RunContext& context);

}  // namespace ritz
