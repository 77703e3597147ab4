// SPDX-License-Identifier: MIT
// Block Krylov iteration with Rayleigh–Ritz and thick restart, for loops whose operator changes a little from step to
// step: it starts from the last basis, and a block sees all copies of a multiple eigenvalue. The basis is widened by
// the residuals of the pairs that have not settled; residuals of Ritz pairs span the same space as further products.
#include <fmt/format.h>

#include <algorithm>

#include "linalg/eigen/engine.hpp"
#include "linalg/subspace.hpp"
#include "ritz/base/random.hpp"
#include "ritz/linalg/products.hpp"

namespace ritz::detail {
namespace {

constexpr int kMaxSteps = 30;         // a loop's next operator needs a handful; after that something else is wrong
constexpr int kProbeSteps = 8;        // Krylov steps from a random vector before the basis is believed to be leading
constexpr Index kGuards = 4;          // pairs kept beyond the wanted ones, to keep the gap that drives convergence wide
constexpr Index kMinimalRoom = 20;    // directions added between two restarts
constexpr Index kRoomBlocks = 4;      // … and at least this many blocks
constexpr Index kBlockPart = 4;       // beyond n / 4 pairs the dense way is cheaper
constexpr double kSafety = 0.5;       // of the tolerance: the final residuals are measured anew
constexpr double kBeyondGap = 0.1;    // the first unwanted value is settled within this part of the gap …
constexpr double kBeyondNorm = 1e-6;  // … or within this part of the norm
constexpr double kKnown = 1e-2;       // residual, in norms, up to which a pair of the first basis counts as remembered

class BlockIteration {
 public:
  BlockIteration(Product& multiply, const EigenRequest& request, const Matrix& start)
      : multiply_(multiply), request_(request), sign_(sign_of(request.end)) {
    const Index n = multiply.size();
    Rng random(multiply.context().seed, "subspace");
    const auto* exact = std::get_if<Count>(&request.pick);
    const Index block = std::min(rank_limit(n, request), exact ? exact->k : kGuards) + kGuards;
    // One fresh random column at the end, the probe: a remembered basis can be invariant without being the leading one.
    const Index fresh = std::max<Index>(block - start.cols(), 0) + 1;
    basis_ = orthonormalise(side_by_side(start, random.normal_matrix(n, fresh))).basis;
    images_ = multiply_.of(basis_);
    probe_ = images_.rightCols(1);
  }

  void project() {
    const Matrix projected = sign_ * transposed_product(basis_, images_);
    ritz_ = symmetric_eigen(0.5 * (projected + projected.transpose()));
    norm_ = std::max(norm_, ritz_.values.cwiseAbs().maxCoeff());
    wanted_ = cut(request_, ritz_.values, norm_);
    // The pair after the last wanted one must be known well enough to say that it is not wanted.
    const Index shown = std::min(wanted_.count + 1, ritz_.values.size());
    const Matrix y = ritz_.vectors.leftCols(shown);
    vectors_ = product(basis_, y);
    vector_images_ = product(images_, y);
    residuals_ = vector_images_ - vectors_ * (sign_ * ritz_.values.head(shown)).asDiagonal();
    open_.clear();
    Index known = 0;
    for (Index j = 0; j < shown; ++j) {
      const double residual = residuals_.col(j).stableNorm();
      if (!(residual <= allowed(j))) open_.push_back(j);
      if (j < wanted_.count && residual <= kKnown * norm_) ++known;
    }
    if (wanted_at_start_ < 0) wanted_at_start_ = known;
    // With every Ritz value wanted nothing is known about what lies beyond.
    beyond_known_ = shown > wanted_.count || basis_.cols() == basis_.rows();
  }

  bool settled() const { return open_.empty() && beyond_known_ && probes_ >= kProbeSteps && !found_more(); }

  // Widens the basis; false when there is nothing left to widen it with.
  bool widen() {
    if (probes_ >= kProbeSteps && (open_.empty() || !beyond_known_)) new_round();
    Matrix directions = residuals_(Eigen::all, open_);
    const bool probing = probes_ < kProbeSteps;
    if (probing) directions = side_by_side(directions, probe_);
    for (auto column : directions.colwise()) column.stableNormalize();
    restart_if_full(directions.cols());
    const Orthonormalised fresh = orthonormalise_against(basis_, directions);
    if (probing) ++probes_;
    if (fresh.rank == 0) {
      probes_ = kProbeSteps;  // the probe's Krylov space has closed
      return probing;
    }
    const Matrix fresh_images = multiply_.of(fresh.basis);
    if (probing) probe_ = fresh_images.rightCols(std::min(probe_.cols(), fresh.rank));
    basis_ = side_by_side(basis_, fresh.basis);
    images_ = side_by_side(images_, fresh_images);
    return true;
  }

  Candidates candidates() {
    Candidates result;
    result.values = sign_ * ritz_.values.head(wanted_.count);
    result.vectors = vectors_.leftCols(wanted_.count);
    // The images have been rotated at every restart: multiply the final vectors out once more.
    result.images = multiply_.of(result.vectors);
    if (ritz_.values.size() > wanted_.count) result.next = sign_ * ritz_.values(wanted_.count);
    result.norm = norm_;
    result.capped = wanted_.capped;
    return result;
  }

  // The leading Ritz vectors; columns added since the last projection are not part of them.
  Matrix next_start() const {
    const Matrix& y = ritz_.vectors;
    return product(basis_.leftCols(y.rows()), y.leftCols(std::min(wanted_.count + kGuards, y.cols())));
  }
  Index basis_size() const { return basis_.cols(); }

 private:
  // A block of b columns sees b copies of a value. A count has room for all it needs; a threshold may want more copies
  // than there were columns, so a round of probing must end with no more wanted pairs than it began with.
  bool found_more() const {
    return !std::holds_alternative<Count>(request_.pick) && !wanted_.capped && wanted_.count > wanted_at_start_;
  }

  void new_round() {
    const Index width = 2 * probe_.cols() + kGuards;
    probe_ = Rng(multiply_.context().seed, "subspace", std::uint64_t(++rounds_)).normal_matrix(basis_.rows(), width);
    probes_ = 0;
    wanted_at_start_ = wanted_.count;
    restart();
  }

  // The largest residual the j-th shown pair may keep.
  double allowed(Index j) const {
    const double tight = kSafety * request_.tolerance * norm_;
    if (j < wanted_.count) return tight;
    const double value = ritz_.values(j);
    if (std::holds_alternative<Count>(request_.pick) || wanted_.capped)
      return std::max({tight, kBeyondNorm * norm_, kBeyondGap * (ritz_.values(j - 1) - value)});
    // A residual smaller than the distance would only say that some value lies outside, not that the next one does.
    return std::max(tight, kBeyondGap * (boundary(request_, ritz_.values, norm_) - value));
  }

  // A restart keeps the leading Ritz vectors. In the middle of a round it would throw the probe away: behind exact
  // copies of the next value an unfinished Krylov space ranks last.
  void restart_if_full(Index adding) {
    const Index keep = std::min(wanted_.count + kGuards, basis_.cols());
    const Index room = std::max(kMinimalRoom, kRoomBlocks * adding) + kProbeSteps * probe_.cols();
    if (basis_.cols() + adding > keep + room) restart();
  }

  void restart() {
    const Index keep = std::min(wanted_.count + kGuards, basis_.cols());
    const Matrix y = ritz_.vectors.leftCols(keep);
    basis_ = orthonormalise(product(basis_, y)).basis;
    images_ = product(images_, y);
    ritz_ = {ritz_.values.head(keep), Matrix::Identity(keep, keep)};
  }

  Product& multiply_;
  const EigenRequest& request_;
  double sign_, norm_ = 0;
  Matrix basis_, images_;
  Matrix probe_;  // the next directions of the Krylov space of random vectors
  SymmetricEigen ritz_;
  Cut wanted_{0, false};
  Matrix vectors_, vector_images_, residuals_;
  std::vector<Index> open_;  // positions of the pairs that have not settled
  bool beyond_known_ = false;
  Index wanted_at_start_ = -1;  // of the round of probing
  int probes_ = 0, rounds_ = 0;
};

}  // namespace

Attempt solve_subspace(const OperatorView& op, const EigenRequest& request, const Matrix& start,
                       const RunContext& context) {
  const Index n = op.size();
  const auto refuse = [](std::string why, Index products, Matrix basis) {
    return Attempt{std::nullopt, std::move(why), std::move(basis), products};
  };
  const auto too_large = [n](Index pairs) { return kBlockPart * pairs + kMinimalRoom > n; };
  const auto* exact = std::get_if<Count>(&request.pick);
  if (too_large(exact ? exact->k + kGuards : kGuards))
    return refuse(fmt::format("{} of {} pairs are wanted", exact ? exact->k : 1, n), 0, {});

  Product multiply(op, context);
  const Matrix leading = start.leftCols(std::min(start.cols(), n / kBlockPart));
  BlockIteration iteration(multiply, request, leading);
  for (int step = 0; step < kMaxSteps; ++step) {
    iteration.project();
    if (iteration.settled()) {
      Attempt attempt;
      attempt.basis = iteration.next_start();
      attempt.pairs = judge(iteration.candidates(), request);
      attempt.products = attempt.pairs->products = multiply.columns();
      if (attempt.pairs->complete || attempt.pairs->values.size() == rank_limit(n, request)) return attempt;
      return refuse(attempt.pairs->message, multiply.columns(), std::move(attempt.basis));
    }
    if (2 * iteration.basis_size() > n)
      return refuse(fmt::format("its basis has grown to {} of {} columns", iteration.basis_size(), n),
                    multiply.columns(), iteration.next_start());
    if (!iteration.widen()) break;
  }
  return refuse(fmt::format("not settled after {} products", multiply.columns()), multiply.columns(),
                iteration.next_start());
}

}  // namespace ritz::detail
