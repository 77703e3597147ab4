// SPDX-License-Identifier: MIT
// Symmetric operators. A class is an operator if it has a size and a block product; what more it can do (a dense
// matrix for LAPACK, a factor for the small Gram problem) is found out, not declared.
#pragma once

#include <concepts>
#include <functional>

#include "ritz/base/types.hpp"
#include "ritz/linalg/products.hpp"

namespace ritz {

template <class Op>
concept SymmetricOperator = requires(const Op& op, BlockIn in, BlockOut out) {
  { op.size() } -> std::convertible_to<Index>;
  op.apply(in, out);  // out = A·in, a block of columns at a time
};
template <class Op>
concept HasDense = requires(const Op& op) {
  { op.dense() } -> std::same_as<const Matrix&>;
};
template <class Op>
concept HasFactor = requires(const Op& op) {
  { op.factor() } -> std::same_as<const SymFactor&>;
};

// Borrows an operator for the length of a call, as string_view does, so that eigen-solvers are ordinary compiled
// functions.
class OperatorView {
 public:
  template <SymmetricOperator Op>
  requires(!std::same_as<Op, OperatorView>) OperatorView(const Op& op)
      : object_(&op),
        size_(op.size()),
        apply_([](const void* object, BlockIn in, BlockOut out) { static_cast<const Op*>(object)->apply(in, out); }) {
    if constexpr (HasDense<Op>) dense_ = &op.dense();
    if constexpr (HasFactor<Op>) factor_ = &op.factor();
  }
  Index size() const { return size_; }
  void apply(BlockIn in, BlockOut out) const { apply_(object_, in, out); }
  const Matrix* dense() const { return dense_; }       // null: not available
  const SymFactor* factor() const { return factor_; }  // null: not available

 private:
  const void* object_;
  Index size_;
  void (*apply_)(const void*, BlockIn, BlockOut);
  const Matrix* dense_ = nullptr;
  const SymFactor* factor_ = nullptr;
};

struct DenseOperator {
  Matrix matrix;  // symmetric; both triangles are filled
  Index size() const { return matrix.rows(); }
  void apply(BlockIn in, BlockOut out) const { multiply(matrix, in, out); }
  const Matrix& dense() const { return matrix; }
};
inline void keep(Archive& archive, DenseOperator& op) { archive(op.matrix); }

struct SparseOperator {
  Sparse matrix;  // symmetric; both triangles are stored
  Index size() const { return matrix.rows(); }
  void apply(BlockIn in, BlockOut out) const;
};

struct MatrixFreeOperator {
  Index n;
  std::function<void(BlockIn, BlockOut)> product;
  Index size() const { return n; }
  void apply(BlockIn in, BlockOut out) const { product(in, out); }
};

}  // namespace ritz
