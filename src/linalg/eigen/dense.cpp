// SPDX-License-Identifier: MIT
#include "linalg/eigen/engine.hpp"
#include "linalg/eigen/tridiagonal.hpp"

namespace ritz::detail {

EigenPairs solve_dense(const OperatorView& op, const EigenRequest& request, const RunContext& context) {
  Product multiply(op, context);
  const double sign = sign_of(request.end);
  context.poll();
  const TridiagonalForm form(formed(op, multiply));
  const Index n = op.size();
  const bool from_top = request.end == End::largest;
  const Vector inward = from_top ? Vector(form.values().reverse()) : form.values();

  const Cut wanted = cut(request, sign * inward, form.norm());
  Candidates candidates;
  candidates.values = inward.head(wanted.count);
  context.poll();
  if (from_top)
    candidates.vectors = form.vectors(n - wanted.count, wanted.count).rowwise().reverse();
  else
    candidates.vectors = form.vectors(0, wanted.count);
  candidates.images = multiply.of(candidates.vectors);
  if (wanted.count < n) candidates.next = inward(wanted.count);
  candidates.norm = form.norm();
  candidates.capped = wanted.capped;
  EigenPairs pairs = judge(std::move(candidates), request);
  pairs.products = multiply.columns();
  return pairs;
}

}  // namespace ritz::detail
