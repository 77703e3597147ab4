// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "linalg/eigen/engine.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/parallel.hpp"

namespace ritz {

EigenPairs EigenSolver::operator()(const OperatorView& op, const EigenRequest& request, const RunContext& context) {
  detail::check_request(op.size(), request);
  const bool have_start = start_.rows() == op.size() && start_.cols() > 0;
  plan_ = plan_eigen(op, request, asked_, have_start);
  const SingleThreadedBlas hold;

  Index spent = 0;
  Matrix basis;
  const auto done = [&](EigenPairs pairs) {
    pairs.products += spent;
    start_ = basis.cols() > 0 ? std::move(basis) : pairs.vectors;
    return pairs;
  };
  const auto dense_instead = [&](const std::string& why) {
    plan_ = {EigenMethod::dense, fmt::format("dense: {} given up ({})", to_string(plan_.method), why)};
    return done(detail::solve_dense(op, request, context));
  };

  if (plan_.method == EigenMethod::gram) return done(detail::solve_gram(op, request, context));
  if (plan_.method == EigenMethod::dense) return done(detail::solve_dense(op, request, context));
  if (plan_.method == EigenMethod::subspace) {
    detail::Attempt attempt = detail::solve_subspace(op, request, have_start ? start_ : Matrix(op.size(), 0), context);
    basis = std::move(attempt.basis);
    if (attempt.pairs) return done(std::move(*attempt.pairs));
    spent += attempt.products;
    plan_ = {EigenMethod::lanczos, fmt::format("lanczos: subspace iteration given up ({})", attempt.gave_up)};
  }
  detail::Attempt attempt = detail::solve_lanczos(op, request, context);
  if (!attempt.pairs) {
    spent += attempt.products;
    return dense_instead(attempt.gave_up);
  }
  // An explicit choice of method is a question about that method; otherwise any way to the answer is welcome.
  if (!attempt.pairs->complete && asked_ != EigenMethod::lanczos && detail::may_form(op.size(), context) &&
      attempt.pairs->values.size() < detail::rank_limit(op.size(), request)) {
    spent += attempt.products;
    return dense_instead(attempt.pairs->message);
  }
  return done(std::move(*attempt.pairs));
}

EigenPairs require_complete(EigenPairs pairs, std::string_view what) {
  if (!pairs.complete)
    throw Error(ErrorCode::bad_data, fmt::format("{}: the eigenpairs could not all be found: {}", what, pairs.message));
  return pairs;
}

}  // namespace ritz
