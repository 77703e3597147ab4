// SPDX-License-Identifier: MIT
// Samples with names and labels, and the recorded steps that prepared them.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "ritz/base/types.hpp"

namespace ritz {

// Class labels of any text, numbered 0 … k − 1. Numbers are ordered by value, texts alphabetically.
struct Labels {
  std::vector<int> of;             // one per sample
  std::vector<std::string> names;  // of the classes
  Index size() const { return Index(of.size()); }
  int classes() const { return int(names.size()); }
  std::vector<Index> counts() const;
};
// Numbers the texts; "1" and "1.0" are the same label when every text is a number.
Labels make_labels(const std::vector<std::string>& texts);

struct NamedMatrix {
  std::string name;
  RowMatrix values;
};

struct TableRecipe;

struct DroppedRow {
  Index row;         // of the file, from 1
  std::string id{};  // where samples have names
};

struct Dataset {
  std::variant<RowMatrix, SparseRows> samples;  // n × d
  std::vector<std::string> feature_names;       // d of them; "x1", "x2", … where the file has none
  Labels labels;                                // empty: none
  std::vector<std::string> ids{};               // names of the samples; empty: none
  std::string source;                           // the file's name, for messages
  std::vector<std::string> notes;               // what the reader did: rows dropped, values filled in
  std::shared_ptr<const TableRecipe> recipe{};  // how the features came from the columns of a file; null: not known
  std::vector<DroppedRow> dropped{};            // rows of the file that are not among the samples

  Index rows() const;
  Index cols() const;
  bool sparse() const { return std::holds_alternative<SparseRows>(samples); }
  const RowMatrix& dense() const { return std::get<RowMatrix>(samples); }
  RowMatrix& dense() { return std::get<RowMatrix>(samples); }
};

// Row r of the data (and of the labels), for each r in `rows`, in that order. Classes keep their numbers and names,
// also those that no row is left of.
Dataset select_rows(const Dataset& data, const std::vector<Index>& rows);

// Takes columns, by name or by 1-based number, out of dense data, in the order asked for. Throws bad_option naming a
// column that is not there, is named twice, or would leave none; unsupported for sparse data.
RowMatrix take_columns(Dataset& data, const std::vector<std::string>& columns);

// Takes one category, by name or 1-based number, out of data that were read with that kind.
Labels take_labels(Dataset& data, const std::string& column);

// 16 hexadecimal digits from the shape and the values, not from names or labels: the same for the same numbers, dense
// or sparse, on every machine.
std::string data_hash(const Dataset& data);

}  // namespace ritz
