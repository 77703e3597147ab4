// SPDX-License-Identifier: MIT
// Samples with names and labels, and the recorded steps that prepared them.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "ritz/base/parallel.hpp"
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

// Dense samples as they lie, a row each.
using RowsView = Eigen::Map<const RowMatrix, 0, Eigen::OuterStride<>>;
RowsView view_of(const RowMatrix& X);

// Samples that lie elsewhere, row after row, as in an array of NumPy's. Whoever lends them sees to it that they stay
// where and as they are while the data set, or a copy of it, is used.
struct LentRows {
  const double* first = nullptr;
  Index rows = 0, cols = 0;
};

// Samples that stay in a file because memory cannot hold them: rows are read when they are needed, as often as that is.
// Where the rows are:
class RowStore {
 public:
  virtual ~RowStore() = default;
  // The given rows, one after the other, as numbers. Several threads may read at once. Throws bad_file.
  virtual void read(Range rows, double* out) const = 0;
};

// Some rows and columns of a store, by default all. Copies share the store.
class StoredRows {
 public:
  StoredRows(std::shared_ptr<const RowStore> store, Index rows, Index cols);

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  void read(Range rows, double* out) const;  // with stride cols()
  RowMatrix block(Range rows) const;
  // In the order asked for, a row as often as it is named.
  StoredRows with_rows(const std::vector<Index>& rows) const;
  StoredRows with_columns(const std::vector<Index>& columns) const;

 private:
  using Places = std::shared_ptr<const std::vector<Index>>;  // null: all
  std::shared_ptr<const RowStore> store_;
  Index store_cols_, rows_, cols_;
  Places rows_of_, columns_of_;
};

// use(first row, block) for all rows, a block of them after the other: for one pass over what cannot be held.
template <class Use>
void for_each_block(const StoredRows& X, const Use& use) {
  constexpr Index kRowsPerBlock = 2048;
  for (Index t = 0; t < tile_count(X.rows(), kRowsPerBlock); ++t) {
    const Range rows = tile_range(X.rows(), kRowsPerBlock, t);
    use(rows.begin, X.block(rows));
  }
}

struct TableRecipe;

struct DroppedRow {
  Index row;         // of the file, from 1
  std::string id{};  // where samples have names
};

struct Dataset {
  std::variant<RowMatrix, SparseRows, LentRows, StoredRows> samples;  // n × d
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
  bool stored() const { return std::holds_alternative<StoredRows>(samples); }
  RowsView dense() const;  // not of sparse samples; throws ErrorCode::memory for stored ones
  RowMatrix& dense();      // to be changed: lent samples become a copy of its own first
  // f(samples), which are a RowsView or SparseRows.
  template <class F>
  auto visit(F&& f) const {
    if (const auto* X = std::get_if<SparseRows>(&samples)) return std::forward<F>(f)(*X);
    return std::forward<F>(f)(dense());
  }
};

// Row r of the data (and of the labels), for each r in `rows`, in that order. Classes keep their numbers and names,
// also those that no row is left of. Of stored samples many rows stay where they are, few come into memory.
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
