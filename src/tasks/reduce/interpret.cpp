// SPDX-License-Identifier: MIT
// Which features matter, and how sure that is.
#include <numbers>

#include "linalg/subspace.hpp"
#include "metrics/statistics.hpp"
#include "ritz/base/random.hpp"
#include "ritz/pairs/backend.hpp"
#include "tasks/projection/prepare.hpp"
#include "tasks/reduce/fit.hpp"

namespace ritz::reduce {

namespace {

constexpr double kLow = 0.05, kHigh = 0.95;

// As many rows as there are, with replacement; within each class where there are classes.
std::vector<Index> resampled_rows(const Gamma& gamma, Rng& rng) {
  std::vector<std::vector<Index>> strata(std::size_t(std::max(1, gamma.class_count)));
  for (Index i = 0; i < gamma.size(); ++i)
    strata[gamma.class_count > 0 ? std::size_t(gamma.classes[std::size_t(i)]) : 0].push_back(i);
  std::vector<Index> rows;
  for (const std::vector<Index>& members : strata)
    for (std::size_t k = 0; k < members.size(); ++k)
      rows.push_back(members[std::size_t(rng.below(Index(members.size())))]);
  std::ranges::sort(rows);
  return rows;
}

// Class sizes stay as they are, so that HYYᵀH needs no new centring; columns that were centred are centred again.
Gamma resampled_gamma(const Gamma& gamma, const std::vector<Index>& rows) {
  Gamma drawn;
  drawn.class_count = gamma.class_count;
  drawn.factor.weights = gamma.factor.weights;
  drawn.factor.basis.resize(Index(rows.size()), gamma.factor.basis.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    drawn.factor.basis.row(Index(i)) = gamma.factor.basis.row(rows[i]);
    if (gamma.class_count > 0) drawn.classes.push_back(gamma.classes[std::size_t(rows[i])]);
  }
  constexpr double kRounding = 1e-12;
  for (Index c = 0; c < gamma.factor.basis.cols(); ++c) {
    const auto column = gamma.factor.basis.col(c);
    if (std::abs(column.sum()) <= kRounding * column.cwiseAbs().sum())
      drawn.factor.basis.col(c).array() -= drawn.factor.basis.col(c).mean();
  }
  return drawn;
}

// Widths of single samples go with their rows: looked for anew, repeated rows would be neighbours of themselves.
KernelSum resampled_kernel(KernelSum kernel, const std::vector<Index>& rows) {
  for (KernelTerm& term : kernel) {
    if (!term.sample_scale) continue;
    auto scales = std::make_shared<std::vector<double>>();
    for (const Index i : rows) scales->push_back((*term.sample_scale)[std::size_t(i)]);
    term.sample_scale = std::move(scales);
  }
  return kernel;
}

Matrix loadings_of(const FittedProblem& fitted, const Matrix& W) {
  return fitted.frame.empty() ? W : product(fitted.frame.basis, W);
}

struct Spread {
  Vector mean, low, high;
};
// One row a resample.
Spread spread_of(const Matrix& rows) {
  Spread spread{Vector(rows.cols()), Vector(rows.cols()), Vector(rows.cols())};
  for (Index j = 0; j < rows.cols(); ++j) {
    Vector values = rows.col(j);
    spread.mean[j] = values.mean();
    std::ranges::sort(values);
    spread.low[j] = quantile({values.data(), std::size_t(values.size())}, kLow);
    spread.high[j] = quantile({values.data(), std::size_t(values.size())}, kHigh);
  }
  return spread;
}

}  // namespace

Vector feature_relevance(BlockIn W, const Vector& eigenvalues) {
  if (eigenvalues.size() != W.cols())
    fail(ErrorCode::bad_shape, "{} eigenvalues for {} axes; one an axis is needed", eigenvalues.size(), W.cols());
  Vector weights = eigenvalues.cwiseMax(0.0);
  if (!(weights.sum() > 0)) weights.setOnes();
  const Vector relevance = W.cwiseAbs2() * (weights / weights.sum());
  return relevance / relevance.sum();  // 1 up to W's own rounding
}

BootstrapReport bootstrap(const FittedProblem& fitted, const ism::Options& how, const BootstrapOptions& options,
                          RunContext& context) {
  ritz::check(options);
  const Matrix& W = fitted.W;
  const Index d = loadings_of(fitted, W).rows(), q = W.cols(), size = d * q;
  const PairSizes sizes{fitted.X.samples().rows(), W.rows(), q, fitted.gamma.factor.basis.cols(),
                        fitted.gamma.class_count > 0};
  const double kept = 8.0 * double(options.bootstrap) * double(size + d);
  require_memory(kept + projection::fit_bytes(3 * fitted.X.bytes(), sizes, fitted.kernel, context), context,
                 fmt::format("refitting on {} resamples", options.bootstrap));
  ism::Options again = how;
  again.dimension = q;
  again.curvature = Effort::never;
  BootstrapReport report;
  report.asked = options.bootstrap;
  Matrix loadings(options.bootstrap, size), relevance(options.bootstrap, d);
  try {
    for (Index b = 0; b < options.bootstrap; ++b) {
      Rng rng(context.seed, fmt::format("bootstrap {}", b));
      const std::vector<Index> rows = resampled_rows(fitted.gamma, rng);
      const projection::ScaledSamples drawn = fitted.X.rows(rows);
      RunContext inner = context.nested(fmt::format("resample {} of {}", b + 1, options.bootstrap));
      const ism::Problem problem{drawn.samples(), resampled_gamma(fitted.gamma, rows),
                                 resampled_kernel(fitted.kernel, rows)};
      const ism::Result fit = ism::solve(problem, again, inner);
      throw_if_interrupted(fit.summary.termination);
      const Matrix aligned = loadings_of(fitted, product(fit.W, procrustes_rotation(fit.W, W)));
      loadings.row(b) = aligned.reshaped().transpose();
      relevance.row(b) = feature_relevance(loadings_of(fitted, fit.W), fit.certificate.eigenvalues).transpose();
      report.angles.push_back(principal_angles(fit.W, W).maxCoeff() * 180 / std::numbers::pi);
      ++report.finished;
    }
  } catch (const Interrupted& interrupted) {
    note(report.notes, "{} after {} of {} resamples", interrupted.text(), report.finished, report.asked);
  }
  if (report.finished == 0) return report;
  const Spread entries = spread_of(loadings.topRows(report.finished));
  report.mean = entries.mean.reshaped(d, q);
  report.low = entries.low.reshaped(d, q);
  report.high = entries.high.reshaped(d, q);
  Spread shares = spread_of(relevance.topRows(report.finished));
  report.relevance_mean = std::move(shares.mean);
  report.relevance_low = std::move(shares.low);
  report.relevance_high = std::move(shares.high);
  return report;
}

}  // namespace ritz::reduce
