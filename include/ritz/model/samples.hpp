// SPDX-License-Identifier: MIT
// Samples as the engines see them: dense rows, or sparse or stored ones that are centred and scaled on the fly, so that
// sparse data stay sparse, and those that memory cannot hold stay in their file.
#pragma once

#include <vector>

#include "ritz/base/context.hpp"
#include "ritz/base/parallel.hpp"
#include "ritz/base/types.hpp"
#include "ritz/data/dataset.hpp"

namespace ritz {

class Samples {
 public:
  // n × d, borrowed: what would have to be copied first (another storage order, an expression, a temporary) is refused.
  Samples(const RowMatrix& X);
  Samples(const Eigen::Map<const RowMatrix, 0, Eigen::OuterStride<>>& X);
  Samples(RowMatrix&&) = delete;
  template <class Derived>
  Samples(const Eigen::DenseBase<Derived>&) = delete;
  // Row i stands for (xᵢ − mean) ∘ factor. Borrowed.
  Samples(const SparseRows& X, Vector mean, Vector factor);
  Samples(const StoredRows& X, Vector mean, Vector factor);
  // Some rows of others, which are borrowed.
  Samples(const Samples& whole, std::vector<Index> rows);

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  bool sparse() const { return sparse_ != nullptr; }
  bool in_place() const { return dense_ != nullptr; }  // dense rows in memory

  RowMatrix project(BlockIn W, const RunContext& context) const;           // X·W, n × q
  Matrix adjoint(DataView M, const RunContext& context) const;             // Xᵀ·M, d × m
  Matrix weighted_gram(const Vector& w, const RunContext& context) const;  // Xᵀ·diag(w)·X, d × d

  // The given rows as a dense row-major block with stride d: a pointer into the data where they are in place, otherwise
  // into `buffer`.
  const double* rows_block(Range rows, RowMatrix& buffer) const;

 private:
  Index rows_, cols_;
  const double* dense_ = nullptr;
  Index stride_ = 0;
  const SparseRows* sparse_ = nullptr;
  const StoredRows* stored_ = nullptr;
  const Samples* whole_ = nullptr;
  std::vector<Index> places_{};  // of the rows in the whole
  Vector mean_, factor_;

  Eigen::Map<const RowMatrix, 0, Eigen::OuterStride<>> dense_view() const {
    return {dense_, rows_, cols_, Eigen::OuterStride<>(stride_)};
  }
  void read_elsewhere(Range rows, RowMatrix& buffer) const;
  template <class Use>
  auto with_rows(const Use& use) const;
};

}  // namespace ritz
