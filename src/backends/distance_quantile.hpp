// SPDX-License-Identifier: MIT
// What quantiles of distances share between backends.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "ritz/model/samples.hpp"
#include "ritz/pairs/backend.hpp"

namespace ritz {

// The chosen rows about their mean.
struct CentredRows {
  CentredRows(const Samples& X, std::span<const Index> chosen) : rows(Index(chosen.size()), X.cols()) {
    RowMatrix buffer;
    for (Index i = 0; i < rows.rows(); ++i) {
      const Index row = chosen[std::size_t(i)];
      std::copy_n(X.rows_block({row, row + 1}, buffer), X.cols(), rows.data() + i * X.cols());
    }
    rows.rowwise() -= rows.colwise().mean().eval();
    norms = rows.rowwise().squaredNorm();
    // Cancellation leaves equal points at about 1e-16 of the norms; they are at distance 0.
    constexpr double kZero = 1e-14;
    zero = kZero * norms.maxCoeff();
  }
  RowMatrix rows;
  Vector norms;
  double zero;  // squared distances up to this one are 0
};

// Of m points, `zeros` of whose pairs are at distance 0; kth(k) is the squared distance at place k of the sorted ones.
template <class Kth>
DistanceQuantile quantile_at(Index m, Index zeros, double share, const Kth& kth) {
  const Index pairs = m * (m - 1) / 2;
  // Place p of the m² sorted values: m zeros of the diagonal, then every distance twice.
  const auto at = [&](double place) {
    const Index p = Index(place), behind = p < m ? 0 : (p - m) / 2;
    return p < m || behind < zeros ? 0.0 : std::sqrt(kth(behind));
  };
  const double last = share * (double(m) * double(m) - 1);
  const double below = at(std::floor(last));
  DistanceQuantile quantile{0.5 * (below + at(std::ceil(last))), 0};
  if (zeros < pairs)
    quantile.positive =
        std::sqrt(kth(zeros + std::min<Index>(Index(share * double(pairs - zeros)), pairs - zeros - 1)));
  return quantile;
}

}  // namespace ritz
