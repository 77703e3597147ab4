// SPDX-License-Identifier: MIT
// What the methods of the eigen engine share: counted products, the meaning of a selection, the honest ending.
#pragma once

#include <optional>

#include "linalg/dense/dense.hpp"
#include "linalg/eigen.hpp"
#include "ritz/base/context.hpp"

namespace ritz::detail {

// Multiplies by the operator, counts columns, polls the context between products and rejects results that are not
// finite. A dense matrix is spread over the context's threads in fixed tiles of rows.
class Product {
 public:
  Product(const OperatorView& op, const RunContext& context) : op_(op), context_(context) {}
  Index size() const { return op_.size(); }
  Index columns() const { return columns_; }
  const RunContext& context() const { return context_; }
  void operator()(BlockIn in, BlockOut out);
  Matrix of(BlockIn in);

 private:
  const OperatorView& op_;
  const RunContext& context_;
  Index columns_ = 0;
};

// +1 for the largest end, −1 for the smallest: the methods look for the largest values of sign·A.
inline double sign_of(End end) { return end == End::largest ? 1.0 : -1.0; }

// Throws bad_option or bad_shape when the request makes no sense for an operator of this size.
void check_request(Index size, const EigenRequest& request);

// The value of sign·A below which nothing is asked for, given the values found so far (decreasing) and the norm. For a
// count it is the last of them, and −∞ while there are fewer.
double boundary(const EigenRequest& request, const Vector& decreasing, double norm);
// The most pairs the request can return.
Index rank_limit(Index size, const EigenRequest& request);

// How many of the leading values of sign·A (decreasing) are asked for, and whether max_rank cut them.
struct Cut {
  Index count;
  bool capped;
};
Cut cut(const EigenRequest& request, const Vector& decreasing, double norm);

// Pairs before they are judged, in terms of A itself, from the asked end inward.
struct Candidates {
  Vector values;
  Matrix vectors;  // orthonormal
  Matrix images;   // A · vectors
  double next = kUnknown;
  double norm = kUnknown;
  bool capped = false;  // max_rank cut the selection
};
// Measures the residuals, leaves out the pairs that miss the tolerance, fixes signs, writes the message.
EigenPairs judge(Candidates candidates, const EigenRequest& request);

// spectral_bounds with products counted by the caller.
SpectralBounds estimated_bounds(Product& multiply, int steps = 20);

// A in full: the operator's own matrix, or its products with the identity.
Matrix formed(const OperatorView& op, Product& multiply);
// Whether forming and decomposing the matrix is reasonable when an iteration has failed.
bool may_form(Index size, const RunContext& context);

EigenPairs solve_dense(const OperatorView& op, const EigenRequest& request, const RunContext& context);
EigenPairs solve_gram(const OperatorView& op, const EigenRequest& request, const RunContext& context);

// The iterations can give up, for a reason, and leave the way to another method open.
struct Attempt {
  std::optional<EigenPairs> pairs;
  std::string gave_up;  // why there are none
  Matrix basis;         // what to start from next time
  Index products = 0;
};
// `pairs` may be incomplete. None where the request is too large a part of the spectrum.
Attempt solve_lanczos(const OperatorView& op, const EigenRequest& request, const RunContext& context);
// None where the request is too large a part of the spectrum, or when the iteration has not settled.
Attempt solve_subspace(const OperatorView& op, const EigenRequest& request, const Matrix& start,
                       const RunContext& context);

}  // namespace ritz::detail
