// SPDX-License-Identifier: MIT
#include "ritz/data/dataset.hpp"

#include <utility>

#include "base/at.hpp"

namespace ritz {

StoredRows::StoredRows(std::shared_ptr<const RowStore> store, Index rows, Index cols)
    : store_(std::move(store)), store_cols_(cols), rows_(rows), cols_(cols) {}

void StoredRows::read(Range rows, double* out) const {
  std::vector<double> whole;  // rows with all columns, where some are wanted
  if (columns_of_) whole.resize(std::size_t(rows.size() * store_cols_));
  double* into = columns_of_ ? whole.data() : out;
  if (!rows_of_) {
    store_->read(rows, into);
  } else {
    for (Index i = rows.begin; i < rows.end;) {  // runs of rows that lie side by side
      Index end = i + 1;
      while (end < rows.end && at(*rows_of_, end) == at(*rows_of_, end - 1) + 1) ++end;
      const Index first = at(*rows_of_, i);
      store_->read({first, first + end - i}, into + (i - rows.begin) * store_cols_);
      i = end;
    }
  }
  if (!columns_of_) return;
  for (Index i = 0; i < rows.size(); ++i)
    for (const Index j : *columns_of_) *out++ = at(whole, i * store_cols_ + j);
}

RowMatrix StoredRows::block(Range rows) const {
  RowMatrix values(rows.size(), cols_);
  read(rows, values.data());
  return values;
}

StoredRows StoredRows::with_rows(const std::vector<Index>& rows) const {
  StoredRows some = *this;
  std::vector<Index> places = rows;
  if (rows_of_)
    for (Index& place : places) place = at(*rows_of_, place);
  some.rows_ = Index(places.size());
  some.rows_of_ = std::make_shared<const std::vector<Index>>(std::move(places));
  return some;
}

StoredRows StoredRows::with_columns(const std::vector<Index>& columns) const {
  StoredRows some = *this;
  std::vector<Index> places = columns;
  if (columns_of_)
    for (Index& place : places) place = at(*columns_of_, place);
  some.cols_ = Index(places.size());
  some.columns_of_ = std::make_shared<const std::vector<Index>>(std::move(places));
  return some;
}

}  // namespace ritz
