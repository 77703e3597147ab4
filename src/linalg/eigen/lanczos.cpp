// SPDX-License-Identifier: MIT
// Restarted Lanczos (Spectra) on what is not yet found. One start vector sees one copy of a multiple eigenvalue, so the
// pairs found are deflated and the search repeated until nothing better is left.
#include <fmt/format.h>

#include <Spectra/SymEigsSolver.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "linalg/eigen/engine.hpp"
#include "linalg/subspace.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/random.hpp"
#include "ritz/linalg/products.hpp"

namespace ritz::detail {
namespace {

constexpr int kMaxRestarts = 100;
constexpr int kPeekRestarts = 40;
constexpr Index kBasisGrowth = 4;  // when nothing converges: a larger space resolves what restarts lose
constexpr Index kLargestBasis = 300;
constexpr Index kExtraBasis = 20;       // Krylov vectors beyond the wanted ones: enough for a restart to make headway
constexpr double kLoose = 1e-5;         // of the spectrum's width: tells the values apart, costs half of the products
constexpr double kFarEndMargin = 0.05;  // the bounds come from inside
constexpr Index kLanczosPart = 2;       // beyond n / 2 pairs the dense way is cheaper

// P (sign·A − shift) P / scale with P = I − VVᵀ. The wanted values lie near 1 and everything else, the deflated
// directions included, towards 0: Spectra's tolerance is relative to the value, which a value near 0 can never meet.
class DeflatedOperator {
 public:
  using Scalar = double;
  DeflatedOperator(Product& multiply, const Matrix& deflated, double sign, double shift, double scale)
      : multiply_(multiply), deflated_(deflated), sign_(sign), shift_(shift), scale_(scale) {}
  Index rows() const { return multiply_.size(); }
  Index cols() const { return multiply_.size(); }
  void perform_op(const double* x, double* y) const {
    const Eigen::Map<const Vector> in(x, rows());
    Eigen::Map<Vector> out(y, rows());
    Vector kept = in;
    project(kept);
    Vector image(rows());
    multiply_(kept, image);
    image = (sign_ * image - shift_ * kept) / scale_;
    project(image);
    out = image;
  }
  void project(Vector& x) const {
    if (deflated_.cols() > 0) subtract_product(deflated_, transposed_product(deflated_, x), x);
  }
  double value_of(double theta) const { return scale_ * theta + shift_; }

 private:
  Product& multiply_;
  const Matrix& deflated_;
  double sign_, shift_, scale_;
};

// Spectra hands out converged pairs only; we want all of them, to measure them ourselves.
class RestartedLanczos : public Spectra::SymEigsSolver<DeflatedOperator> {
 public:
  using Spectra::SymEigsSolver<DeflatedOperator>::SymEigsSolver;
  SymmetricEigen ritz() const { return symmetric_eigen(m_fac.matrix_H()); }
  ritz::Matrix lifted(const ritz::Matrix& y) const { return product(m_fac.matrix_V(), y); }
};

class Search {
 public:
  Search(Product& multiply, const EigenRequest& request, const SpectralBounds& bounds)
      : multiply_(multiply), request_(request), sign_(sign_of(request.end)), norm_(bounds.norm()) {
    const double width = bounds.highest - bounds.lowest;
    const double far_end = sign_ > 0 ? bounds.lowest : -bounds.highest;
    shift_ = far_end - kFarEndMargin * width;
    scale_ = (1 + kFarEndMargin) * width;
    found_.resize(multiply.size(), 0);
  }

  const Vector& values() const { return values_; }  // of sign·A, decreasing
  const Matrix& vectors() const { return found_; }
  double norm() const { return norm_; }
  double width() const { return scale_; }

  // Adds `count` leading pairs of what is left; the best of their values, or nothing if they have not converged.
  std::optional<double> grow(Index count) {
    constexpr double kSafety = 0.1, kRounding = 4e-16;
    const double tolerance = std::clamp(kSafety * request_.tolerance * norm_ / scale_, kRounding, kLoose);
    double best = -std::numeric_limits<double>::infinity();
    for (Index extra = kExtraBasis;;) {
      const Outcome outcome = run(count, extra, tolerance, kMaxRestarts);
      if (outcome.values.size() > 0) best = std::max(best, outcome.values(0));
      // Where a Krylov space closes early (few distinct values), Spectra's own estimates are not to be trusted, and it
      // may restart in place for ever. What measures well is kept, and a fresh start searches the rest.
      const std::vector<Index> good = converged_ones(outcome);
      if (good.empty()) {
        const Index larger = std::min(kBasisGrowth * extra, (multiply_.size() - found_.cols()) / 2 - 2 * count);
        if (larger <= extra || extra >= kLargestBasis) {
          add(outcome.values, outcome.vectors);
          return std::nullopt;
        }
        extra = larger;
        continue;
      }
      add(outcome.values(good), outcome.vectors(Eigen::all, good));
      count -= Index(good.size());
      if (count == 0) return best;
    }
  }

  // The leading value of what is left, roughly.
  double peek() {
    const Outcome outcome = run(1, kExtraBasis, kLoose, kPeekRestarts);
    return outcome.values.size() > 0 ? outcome.values(0) : kUnknown;
  }

 private:
  struct Outcome {
    Vector values;
    Matrix vectors;
  };

  Outcome run(Index count, Index extra, double tolerance, int max_restarts) {
    DeflatedOperator op(multiply_, found_, sign_, shift_, scale_);
    const Index room = multiply_.size() - found_.cols();
    count = std::min(count, room - 1);
    RestartedLanczos lanczos(op, count, std::min(room, 2 * count + extra));
    Vector start = Rng(multiply_.context().seed, "lanczos", runs_++).normal_matrix(multiply_.size(), 1);
    op.project(start);
    lanczos.init(start.data());
    try {
      lanczos.compute(Spectra::SortRule::LargestAlge, max_restarts, tolerance);
    } catch (const Error&) {
      throw;  // ours, from inside a product
    } catch (const std::runtime_error&) {
      return {Vector(0), Matrix(multiply_.size(), 0)};  // Spectra's small eigenproblem failed
    }
    const SymmetricEigen ritz = lanczos.ritz();
    Outcome outcome{ritz.values.head(count), lanczos.lifted(ritz.vectors.leftCols(count))};
    for (double& theta : outcome.values) theta = op.value_of(theta);
    return outcome;
  }

  std::vector<Index> converged_ones(const Outcome& outcome) {
    const Matrix images = sign_ * multiply_.of(outcome.vectors);
    std::vector<Index> good;
    for (Index j = 0; j < outcome.values.size(); ++j) {
      const double residual = (images.col(j) - outcome.values(j) * outcome.vectors.col(j)).stableNorm();
      if (residual <= 0.5 * request_.tolerance * norm_) good.push_back(j);
    }
    return good;
  }

  void add(const Vector& added_values, const Matrix& added) {
    const Orthonormalised fresh = orthonormalise_against(found_, added);
    const Matrix joined = side_by_side(found_, fresh.basis);
    const Index after = joined.cols();
    Vector values(after);
    values << values_, added_values.head(fresh.rank);
    std::vector<Index> order(static_cast<std::size_t>(after));
    std::iota(order.begin(), order.end(), Index(0));
    std::ranges::stable_sort(order, [&](Index a, Index b) { return values(a) > values(b); });
    values_ = values(order);
    found_ = joined(Eigen::all, order);
    if (after > 0) norm_ = std::max(norm_, values_.cwiseAbs().maxCoeff());
  }

  Product& multiply_;
  const EigenRequest& request_;
  double sign_, norm_, shift_, scale_;
  Vector values_;
  Matrix found_;
  std::uint64_t runs_ = 0;
};

// Rayleigh–Ritz on the basis found: sharpens values inside clusters and gives the images to measure residuals with.
Candidates rayleigh_ritz(const Matrix& basis, double next, double norm, const EigenRequest& request,
                         Product& multiply) {
  const double sign = sign_of(request.end);
  const Matrix images = multiply.of(basis);
  const Matrix projected = sign * transposed_product(basis, images);
  const SymmetricEigen ritz = symmetric_eigen(0.5 * (projected + projected.transpose()));
  const Cut wanted = cut(request, ritz.values, norm);
  Candidates candidates;
  candidates.values = sign * ritz.values.head(wanted.count);
  candidates.vectors = product(basis, ritz.vectors.leftCols(wanted.count));
  candidates.images = product(images, ritz.vectors.leftCols(wanted.count));
  candidates.norm = norm;
  candidates.capped = wanted.capped;
  candidates.next = next;
  if (wanted.count < ritz.values.size()) {
    const double beyond = ritz.values(wanted.count);
    candidates.next = std::isnan(next) ? sign * beyond : sign * std::max(sign * next, beyond);
  }
  return candidates;
}

// A multiple of the identity: every basis is one of eigenvectors, and a Krylov space would break down at once.
Attempt any_basis(const EigenRequest& request, double norm, Product& multiply) {
  const Index n = multiply.size();
  const Index count = std::min(n, rank_limit(n, request) + 1);
  const Matrix basis = orthonormalise(Rng(multiply.context().seed, "lanczos").normal_matrix(n, count)).basis;
  Attempt attempt;
  attempt.pairs = judge(rayleigh_ritz(basis, kUnknown, norm, request, multiply), request);
  return attempt;
}

}  // namespace

Attempt solve_lanczos(const OperatorView& op, const EigenRequest& request, const RunContext& context) {
  constexpr Index kTiny = 64;  // below, a restart has no room and the dense way costs nothing
  constexpr Index kFirstChunk = 8;
  constexpr double kConstant = 1e-14;  // a spectrum no wider than rounding
  const Index n = op.size();
  const auto too_large = [n](Index pairs) { return kLanczosPart * pairs + kExtraBasis > n; };
  const auto refuse = [](std::string why, Index products) {
    return Attempt{std::nullopt, std::move(why), {}, products};
  };
  if (n <= kTiny) return refuse(fmt::format("n = {} <= {}", n, kTiny), 0);
  const auto* exact = std::get_if<Count>(&request.pick);
  Index chunk = exact ? exact->k : std::min(kFirstChunk, rank_limit(n, request) + 1);
  if (too_large(chunk)) return refuse(fmt::format("{} of {} pairs are wanted", chunk, n), 0);

  Product multiply(op, context);
  const SpectralBounds bounds = estimated_bounds(multiply);
  if (bounds.highest - bounds.lowest <= kConstant * bounds.norm()) {
    if (rank_limit(n, request) > n / kLanczosPart) return refuse("the spectrum is constant", 0);
    Attempt attempt = any_basis(request, bounds.norm(), multiply);
    attempt.pairs->products = multiply.columns();
    return attempt;
  }

  Search search(multiply, request, bounds);
  const Index most = rank_limit(n, request);
  // Below this value of sign·A nothing more is to be returned.
  const auto last_wanted = [&] {
    const double limit = boundary(request, search.values(), search.norm());
    return search.values().size() >= most ? std::max(limit, search.values()(most - 1)) : limit;
  };
  const auto passed = [&] {
    const Index found = search.values().size();
    return exact || found > most || search.values()(found - 1) < last_wanted();
  };

  bool converged = search.grow(chunk).has_value();
  while (converged && !passed()) {
    const Index found = search.values().size();
    chunk = std::min(2 * chunk, most + 1 - found);
    if (too_large(found + chunk))
      return refuse(fmt::format("more than {} of {} pairs are wanted", found, n), multiply.columns());
    converged = search.grow(chunk).has_value();
  }
  // Has a copy of a multiple value been missed? A rough look at what is left says so, unless it is too near to tell.
  double next = kUnknown;
  if (converged) {
    next = search.peek();
    bool verified = next < last_wanted() - kLoose * search.width();
    while (!verified && converged) {
      next = kUnknown;
      const double last = last_wanted();
      if (too_large(search.values().size() + 1))
        return refuse(fmt::format("more than {} of {} pairs are wanted", search.values().size(), n),
                      multiply.columns());
      const std::optional<double> best = search.grow(1);
      converged = best.has_value();
      verified = best && *best <= last + request.tolerance * search.norm();
    }
  }

  Attempt attempt;
  const double sign = sign_of(request.end);
  attempt.pairs = judge(rayleigh_ritz(search.vectors(), sign * next, search.norm(), request, multiply), request);
  attempt.products = attempt.pairs->products = multiply.columns();
  if (!converged && attempt.pairs->complete) {
    attempt.pairs->complete = false;
    attempt.pairs->message = "the search for further eigenvalues beside the returned ones has not converged";
  }
  return attempt;
}

}  // namespace ritz::detail
