// SPDX-License-Identifier: MIT
#include "linalg/pivoted_cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/tall_products.hpp"
#include "ritz/base/error.hpp"

extern "C" void dtrsm_(const char* side, const char* uplo, const char* transpose, const char* diagonal, const int* m,
                       const int* n, const double* alpha, const double* a, const int* lda, double* b, const int* ldb);

namespace ritz {

namespace {

constexpr Index kBlock = 64;         // columns added at a time: enough for BLAS to reach its rate
constexpr Index kCandidates = 128;   // looked at for them; more of them gain nothing (docs/decisions/0011)
constexpr Index kRowsPerTile = 512;  // of a block's update
constexpr Index kGrowth = 256;       // columns by which the store of L grows
// A candidate whose residual the others have brought below this share of the mean residual waits for a later block.
constexpr double kExplained = 0.5;
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

class Factorisation {
 public:
  Factorisation(const PsdColumns& G, const PivotedCholeskyOptions& options, const RunContext& context)
      : G_(G),
        context_(context),
        n_(G.diagonal.size()),
        max_rank_(options.max_rank > 0 ? std::min(options.max_rank, n_) : n_),
        residual_(G.diagonal.cwiseMax(0)),
        largest_(n_ > 0 ? G.diagonal.maxCoeff() : 0) {
    if (!G.diagonal.allFinite()) reject();
    trace_ = residual_.sum();
  }

  double trace() const { return trace_; }
  double rounding() const { return double(rank_ + 1) * kEpsilon * largest_; }
  bool full() const { return rank_ == max_rank_; }
  CholeskyProgress progress(Index added) const {
    return {store_.middleCols(rank_ - added, added), rank_, residual_, trace_};
  }

  // Candidates at equal steps of the running sum of the residual diagonal.
  std::vector<Index> spread_candidates() const {
    const Index count = std::min(kCandidates, n_);
    std::vector<Index> chosen;
    double sum = 0;
    for (Index i = 0, k = 0; i < n_ && k < count; ++i) {
      sum += residual_[i];
      if (!(sum > (double(k) + 0.5) / double(count) * trace_)) continue;
      chosen.push_back(i);
      while (k < count && sum > (double(k) + 0.5) / double(count) * trace_) ++k;
    }
    return chosen;
  }

  // Adds the columns of some of the candidates; returns how many. 0: nothing is left but rounding.
  Index add(const std::vector<Index>& candidates, double explained) {
    const auto chosen = choose(candidates, explained);
    const auto& pivots = chosen.pivots;
    const auto& triangle = chosen.triangle;
    const Index added = Index(pivots.size()), end = rank_ + added;
    if (added == 0) return 0;
    reserve(end);
    const RowMatrix rows = gathered(pivots);
    for_each_tile(tile_count(n_, kRowsPerTile), context_, [&](Index t) {
      const Range tile = tile_range(n_, kRowsPerTile, t);
      const Index stride = store_.cols();
      double* block = store_.data() + tile.begin * stride + rank_;
      G_.fill(tile, pivots, block, stride);
      row_gemm(tile.size(), added, rank_, -1, {store_.data() + tile.begin * stride, stride}, Transpose::no,
               {rows.data(), rank_}, Transpose::yes, 1, {block, stride});
      // Row-major B·C⁻ᵀ is column-major C⁻¹·Bᵀ.
      const char left = 'L', lower = 'L', plain = 'N';
      const int order = int(added), columns = int(tile.size()), lda = int(triangle.rows()), ldb = int(stride);
      const double one = 1;
      dtrsm_(&left, &lower, &plain, &plain, &order, &columns, &one, triangle.data(), &lda, block, &ldb);
      for (Index i = tile.begin; i < tile.end; ++i)
        residual_[i] = std::max(0.0, residual_[i] - store_.row(i).segment(rank_, added).squaredNorm());
    });
    rank_ = end;
    pivots_.insert(pivots_.end(), pivots.begin(), pivots.end());
    for (const Index p : pivots) residual_[p] = 0;
    if (!store_.middleCols(rank_ - added, added).allFinite()) reject();
    trace_ = residual_.sum();
    return added;
  }

  PivotedCholesky finish(bool reached) {
    store_.conservativeResize(n_, rank_);
    return {std::move(store_), std::move(pivots_), std::move(residual_), trace_, rounding(), reached};
  }

 private:
  const PsdColumns& G_;
  const RunContext& context_;
  Index n_, max_rank_, rank_ = 0;
  RowMatrix store_;  // L in its first rank_ columns
  std::vector<Index> pivots_;
  Vector residual_;
  double largest_, trace_ = 0;

  [[noreturn]] static void reject() {
    throw Error(ErrorCode::not_finite, "a matrix to be factored holds a value that is not finite");
  }

  void reserve(Index columns) {
    if (columns <= store_.cols()) return;
    RowMatrix larger(n_, std::min(max_rank_, columns + kGrowth));
    if (rank_ > 0) larger.leftCols(rank_) = store_.leftCols(rank_);
    store_ = std::move(larger);
  }

  RowMatrix gathered(const std::vector<Index>& rows) const {
    RowMatrix out(Index(rows.size()), rank_);
    if (rank_ == 0) return out;  // and there is no store yet
    for (Index i = 0; i < out.rows(); ++i) out.row(i) = store_.row(rows[std::size_t(i)]).head(rank_);
    return out;
  }

  struct Choice {
    std::vector<Index> pivots;
    Matrix triangle;  // lower: the Cholesky factor of the residual among the pivots
  };
  // Cholesky with the largest pivot first on the residual matrix of the candidates.
  Choice choose(const std::vector<Index>& candidates, double explained) const {
    const Index count = Index(candidates.size()), limit = std::min({kBlock, count, max_rank_ - rank_});
    RowMatrix S(count, count);
    const RowMatrix rows = gathered(candidates);
    for (Index i = 0; i < count; ++i) {
      const Index at = candidates[std::size_t(i)];
      G_.fill({at, at + 1}, candidates, S.data() + i * count, count);
    }
    {
      const SingleThreadedBlas hold;
      row_gemm(count, count, rank_, -1, {rows.data(), rank_}, Transpose::no, {rows.data(), rank_}, Transpose::yes, 1,
               {S.data(), count});
    }
    if (!S.allFinite()) reject();
    // Below this a pivot is made of rounding errors, and dividing by it would magnify them.
    const double floor = 16 * (rounding() + double(kBlock) * kEpsilon * largest_);
    Vector left = S.diagonal();
    Matrix local = Matrix::Zero(count, limit);
    std::vector<Index> order;
    for (Index k = 0; k < limit; ++k) {
      Index best = 0;
      for (Index i = 1; i < count; ++i)
        if (left[i] > left[best]) best = i;
      if (!(left[best] > (k == 0 ? floor : std::max(floor, explained)))) break;
      const double root = std::sqrt(left[best]);
      local.col(k) = S.col(best);
      if (k > 0) local.col(k) -= local.leftCols(k) * local.row(best).head(k).transpose();
      local.col(k) /= root;
      left -= local.col(k).cwiseAbs2();
      left[best] = -1;
      for (const Index done : order) local(done, k) = 0;
      order.push_back(best);
    }
    Choice choice{{}, Matrix(Index(order.size()), Index(order.size()))};
    for (std::size_t k = 0; k < order.size(); ++k) {
      choice.pivots.push_back(candidates[std::size_t(order[k])]);
      choice.triangle.row(Index(k)) = local.row(order[k]).head(Index(order.size()));
    }
    return choice;
  }
};

}  // namespace

PivotedCholesky pivoted_cholesky(const PsdColumns& G, const PivotedCholeskyOptions& options,
                                 const RunContext& context) {
  Factorisation work(G, options, context);
  std::size_t tried = 0;  // of options.first
  for (;;) {
    if (work.trace() <= options.trace) return work.finish(true);
    if (work.full()) return work.finish(false);
    context.poll();
    Index added = 0;
    if (tried < options.first.size()) {
      const std::size_t end = std::min(options.first.size(), tried + std::size_t(kBlock));
      added = work.add({options.first.begin() + std::ptrdiff_t(tried), options.first.begin() + std::ptrdiff_t(end)}, 0);
      tried = end;
      if (added == 0) continue;
    } else {
      added = work.add(work.spread_candidates(), kExplained * work.trace() / double(G.diagonal.size()));
      if (added == 0) return work.finish(false);
    }
    const bool enough = options.enough && options.enough(work.progress(added));
    if (enough || work.trace() <= options.trace) return work.finish(true);
    if (options.give_up && options.give_up(work.progress(added))) return work.finish(false);
  }
}

}  // namespace ritz
