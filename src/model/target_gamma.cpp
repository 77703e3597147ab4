// SPDX-License-Identifier: MIT
#include "ritz/model/gamma.hpp"

#include <fmt/format.h>

#include <cassert>
#include <cmath>

#include "linalg/pivoted_cholesky.hpp"
#include "model/kernels/gaussian.hpp"
#include "ritz/base/error.hpp"
#include "ritz/data/preprocess.hpp"

namespace ritz {

RowMatrix standardised_targets(const RowMatrix& targets) {
  if (targets.rows() < 1 || targets.cols() < 1)
    throw Error(ErrorCode::bad_shape, fmt::format("the targets are {} x {}; there must be samples and columns",
                                                  targets.rows(), targets.cols()));
  for (Index i = 0; i < targets.rows(); ++i)
    for (Index c = 0; c < targets.cols(); ++c)
      if (!std::isfinite(targets(i, c)))
        throw Error(ErrorCode::not_finite, fmt::format("target column {}, sample {} is {}; targets must be numbers",
                                                       c + 1, i + 1, targets(i, c)));
  Dataset table;
  table.samples = targets;
  for (Index c = 1; c <= targets.cols(); ++c) table.feature_names.push_back(fmt::format("target {}", c));
  const ColumnScaling scaling = learn_scaling(table, Scaling::standard);
  if (!scaling.constant_columns.empty()) {
    const Index c = scaling.constant_columns[0];
    throw Error(ErrorCode::bad_data, fmt::format("target column {} is {} for all {} samples; nothing can depend on it",
                                                 c + 1, targets(0, c), targets.rows()));
  }
  apply_scaling(scaling, table.dense());
  return std::move(table.dense());
}

namespace {

Gamma centred_gamma(Matrix basis) {
  basis.rowwise() -= basis.colwise().mean().eval();
  const Index columns = basis.cols();
  return factored_gamma({std::move(basis), Vector::Ones(columns)});
}

}  // namespace

TargetGamma target_gamma(const RowMatrix& Y, const TargetOptions& options, const RunContext& context) {
  check(options);
  const Index n = Y.rows(), columns = Y.cols();
  TargetGamma result;
  if (options.kernel == TargetKernel::linear) {
    result.gamma = centred_gamma(Y);
    result.text = fmt::format("linear kernel of {} standardised target column{}", columns, columns > 1 ? "s" : "");
    return result;
  }
  const Gaussian kernel{options.sigma};
  assert(kernel.sigma.resolved());
  const PsdColumns entries{
      Vector::Ones(n), [&](Range rows, const std::vector<Index>& chosen, double* out, Index stride) {
        for (Index i = rows.begin; i < rows.end; ++i)
          for (std::size_t k = 0; k < chosen.size(); ++k)
            out[(i - rows.begin) * stride + Index(k)] = kernel.value((Y.row(i) - Y.row(chosen[k])).squaredNorm());
      }};
  PivotedCholeskyOptions limits;
  limits.trace = options.tolerance * double(n);
  limits.max_rank = std::min<Index>(n, options.max_rank);
  const PivotedCholesky low_rank = pivoted_cholesky(entries, limits, context);
  result.error = low_rank.trace / double(n);
  result.gamma = centred_gamma(low_rank.factor);
  const Index rank = low_rank.factor.cols();
  result.text = fmt::format("gaussian(sigma={}) of {} standardised target column{}, rank {}, error {:.1e}",
                            number_text(kernel.sigma.value), columns, columns > 1 ? "s" : "", rank, result.error);
  if (result.error > options.tolerance)
    result.notes.push_back(
        fmt::format("the targets' kernel misses {:.2g} of its trace at rank {}, more than the {:.2g} "
                    "asked for; a larger width or rank would do",
                    result.error, rank, options.tolerance));
  return result;
}

}  // namespace ritz
