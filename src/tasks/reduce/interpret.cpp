// SPDX-License-Identifier: MIT
#include "tasks/reduce/interpret.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "metrics/statistics.hpp"
#include "ritz/pairs/backend.hpp"
#include "ritz/tasks/reduce.hpp"
#include "tasks/model/ready_samples.hpp"

namespace ritz {

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

std::string feature_list(const std::vector<Index>& features, const std::vector<std::string>& names) {
  std::string text;
  for (const Index j : features) text.append(text.empty() ? "" : ", ").append(names[std::size_t(j)]);
  return text;
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
  check(options);
  const Samples X = ready_samples(fitted.data, fitted.scaling);
  const auto pass = backend_or_cpu(context).pair_pass(X, fitted.gamma);
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

std::string interpretation_text(const Interpretation& reading) {
  constexpr Index kShown = 6;
  std::string text;
  const auto line = [&](std::string_view name, const std::string& value) {
    text += fmt::format("  {:<12} {}\n", name, value);
  };
  const auto& [names, relevance, W, boot, sparse] = reading;
  std::string list;
  for (const Index j : strongest_features(relevance, kShown)) {
    list += fmt::format("{}{} {:.1f} %", list.empty() ? "" : ", ", names[std::size_t(j)], 100 * relevance[j]);
    if (boot.finished > 0)
      list += fmt::format(" ({:.1f} to {:.1f})", 100 * boot.relevance_low[j], 100 * boot.relevance_high[j]);
  }
  line("relevance", list);
  if (boot.finished > 0) {
    std::vector<double> angles = boot.angles;
    std::ranges::sort(angles);
    line("bootstrap", fmt::format("{} resamples, subspace within {:.1f}° in half and {:.1f}° in 95 % of them",
                                  boot.finished, quantile(angles, 0.5), quantile(angles, 0.95)));
  }
  if (!sparse.path.empty()) {
    const SparseStep& step = sparse.path[sparse.chosen];
    const Vector used = sparse.W.cwiseAbs2().rowwise().sum();
    line("sparse",
         fmt::format("{} of {} loadings, {} of {} features, cost {:.2g} % of the objective: {}", step.loadings,
                     W.size(), step.features, W.rows(), 100 * std::max(0.0, step.loss),
                     feature_list(strongest_features(used, kShown), names) + (step.features > kShown ? ", …" : "")));
  }
  for (const auto* notes : {&boot.notes, &sparse.notes})
    for (const std::string& note : *notes) line("note", note);
  return text;
}

}  // namespace ritz
