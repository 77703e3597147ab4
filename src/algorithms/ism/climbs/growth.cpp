// SPDX-License-Identifier: MIT
// Dimension growth (D. Niu, J. Dy, M. Jordan, Iterative discovery of multiple alternative clustering views, 2014): the
// columns of W are found one after the other, each by gradient ascent among the unit vectors orthogonal to the earlier
// ones, which stay as they are.
#include <fmt/format.h>

#include <cmath>

#include "algorithms/ism/climbs/first_order.hpp"
#include "linalg/subspace.hpp"

namespace ritz::ism {

namespace {

// Only the last column moves.
Curve last_column() {
  const auto tangent = [](const Matrix& W, const Matrix& phi_W) {
    Matrix T = Matrix::Zero(W.rows(), W.cols());
    T.rightCols(1) = 2 * outside(W, phi_W.rightCols(1));
    return T;
  };
  const auto point = [](const Matrix& W, const Matrix& T, double step) {
    Matrix moved = W;
    moved.rightCols(1) = (W.rightCols(1) + step * T.rightCols(1)).normalized();
    return moved;
  };
  return {.tangent = tangent, .point = point, .memory = 0};
}

// `found` and the columns of `start` that go furthest outside it, `count` in all.
Matrix completed(const Matrix& found, const Matrix& start, Index count) {
  Matrix candidates(start.rows(), start.cols() + start.rows());
  candidates << start, Matrix::Identity(start.rows(), start.rows());
  Matrix W(start.rows(), count);
  W << found, orthonormalise_against(found, candidates, 1e-8).basis.leftCols(count - found.cols());
  return W;
}

}  // namespace

Climb climb_dg(const Setting& setting, const Matrix& start, RunContext& context) {
  const Index d = start.rows(), q = start.cols();
  const Curve curve = last_column();
  Climb all{.W = start};
  all.start_objective = setting.objective(start, context);
  Matrix found(d, 0);
  bool stalled = false;
  std::string why;
  for (Index k = 1; k <= q; ++k) {
    Climb column;
    try {
      column = climb_along(curve, setting, completed(found, start.middleCols(k - 1, q - k + 1), k),
                           setting.options.max_iterations - all.summary.iterations, context);
    } catch (const Interrupted& interrupted) {  // between two columns
      if (k == 1) throw;
      all.summary.termination = termination_of(interrupted);
      all.summary.message = interrupted.text();
      break;
    }
    Trace& trace = column.summary.trace;  // F of k columns is not F of q
    Trace wider{trace.columns, {}};
    wider.columns.emplace_back("columns");
    for (std::size_t r = 0; r < trace.rows(); ++r) {
      for (std::size_t c = 0; c < trace.columns.size(); ++c) wider.values.push_back(trace.at(r, c));
      wider.values.push_back(double(k));
    }
    trace = std::move(wider);
    found = std::move(column.W);
    all.sums = std::move(column.sums);
    const Termination end = column.summary.termination;
    if (k == 1)
      all.summary = std::move(column.summary);
    else
      append(all.summary, std::move(column.summary));
    if (end == Termination::stalled && !stalled) {
      stalled = true;
      why = fmt::format("column {}: {}", k, all.summary.message);
    }
    const bool out_of_iterations = k < q && all.summary.iterations >= setting.options.max_iterations;
    if (out_of_iterations) {
      all.summary.termination = Termination::max_iterations;
      all.summary.message = fmt::format("the iteration limit is reached with {} of {} columns", k, q);
      break;
    }
    if (end != Termination::converged && end != Termination::stalled) break;
  }
  if (found.cols() < q) {
    all.W = completed(found, start, q);
    all.sums.reset();
    all.summary.objective = setting.objective(all.W, context.uninterrupted());
  } else {
    all.W = std::move(found);
    if (all.summary.converged())
      all.summary.message = "each column is stationary among those orthogonal to the earlier ones";
  }
  if (stalled && all.summary.converged()) {
    all.summary.termination = Termination::stalled;
    all.summary.message = why;
  }
  return all;
}

}  // namespace ritz::ism
