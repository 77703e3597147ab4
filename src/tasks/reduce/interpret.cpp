// SPDX-License-Identifier: MIT
#include "tasks/reduce/interpret.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linalg/subspace.hpp"
#include "ritz/base/error.hpp"
#include "ritz/pairs/backend.hpp"

namespace ritz::reduce {

namespace {

constexpr double kZero = 1e-12;  // a loading below this is rounding

// Numbers of loadings to try, decreasing: all of them where they are few, else in equal ratios.
std::vector<Index> loading_counts(Index most, Index least) {
  constexpr Index kMostSteps = 40;
  std::vector<Index> counts;
  if (most < least) return counts;
  const double steps = double(std::min<Index>(kMostSteps, most - least + 1));
  for (double s = 0; s < steps; ++s) {
    const double share = steps > 1 ? s / (steps - 1) : 0;
    const bool each = most - least + 1 <= kMostSteps;
    const double count = each ? double(most) - s : double(most) * std::pow(double(least) / double(most), share);
    if (const auto rounded = Index(std::llround(count)); counts.empty() || rounded < counts.back())
      counts.push_back(rounded);
  }
  return counts;
}

Matrix thresholded(const Matrix& loadings, double threshold) {
  return (loadings.array().abs() >= threshold).select(loadings, 0.0);
}

}  // namespace

Vector feature_relevance(BlockIn W, const Vector& eigenvalues) {
  if (eigenvalues.size() != W.cols())
    throw Error(ErrorCode::bad_shape,
                fmt::format("{} eigenvalues for {} axes; one an axis is needed", eigenvalues.size(), W.cols()));
  Vector weights = eigenvalues.cwiseMax(0.0);
  if (!(weights.sum() > 0)) weights.setOnes();
  const Vector relevance = W.cwiseAbs2() * (weights / weights.sum());
  return relevance / relevance.sum();  // 1 up to W's own rounding
}

SparseReport sparse_basis(const FittedProblem& fitted, const SparseOptions& options, RunContext& context) {
  ritz::check(options);
  const auto pass = backend_or_cpu(context).pair_pass(fitted.X.samples(), fitted.gamma);
  const Matrix& W = fitted.fit.W;
  SparseReport report;
  report.max_loss = options.max_loss;
  report.rotation = varimax(W);
  report.W = report.loadings = report.rotation.loadings;
  std::vector<double> sizes;
  for (const double loading : report.rotation.loadings.reshaped())
    if (std::abs(loading) > kZero) sizes.push_back(std::abs(loading));
  std::ranges::sort(sizes, std::ranges::greater());
  try {
    report.objective = pass->objective(W, fitted.kernel, context);
    for (const Index count : loading_counts(Index(sizes.size()), W.cols())) {
      context.poll();
      SparseStep step;
      step.threshold = sizes[std::size_t(count - 1)];
      const Matrix kept = thresholded(report.rotation.loadings, step.threshold);
      const Orthonormalised basis = nearest_orthonormal(kept);
      if (basis.rank < W.cols()) break;  // and with fewer loadings too
      step.features = Index((kept.rowwise().squaredNorm().array() > 0).count());
      step.loadings = Index((kept.array() != 0).count());
      step.objective = pass->objective(basis.basis, fitted.kernel, context);
      step.loss = (report.objective - step.objective) / std::abs(report.objective);
      report.path.push_back(step);
      if (step.loss <= options.max_loss) {
        report.chosen = report.path.size() - 1;
        report.W = basis.basis;
        report.loadings = kept.colwise().normalized();
      }
      if (context.observer && context.observer({context.nested("sparse").path, int(report.path.size()), step.objective,
                                                step.loss, 0}) == Next::stop)
        break;
    }
  } catch (const Interrupted& interrupted) {
    report.notes.push_back(
        fmt::format("{} after {} thresholds of the sparse basis", interrupted.text(), report.path.size()));
  }
  return report;
}

}  // namespace ritz::reduce
