// SPDX-License-Identifier: MIT
// Axes of few features and few loadings: features are dropped, the axes fitted again without them, and small loadings
// of what is left set to zero.
#include "linalg/dense/dense.hpp"
#include "linalg/subspace.hpp"
#include "tasks/projection/prepare.hpp"
#include "tasks/reduce/fit.hpp"

namespace ritz::reduce {

namespace {

constexpr double kZero = 1e-12;  // a loading below this is rounding

// Numbers of loadings, or of features, to try, decreasing: all of them where they are few, else in equal ratios.
std::vector<Index> counts_between(Index most, Index least) {
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

// The problem with some of the features only: W has rows of zeros for all others.
class Restricted {
 public:
  explicit Restricted(const FittedProblem& fitted)  // with all of them
      : fitted_(fitted), samples_(&fitted.X.samples()), whole_(true) {}

  // Empty where W could not have so many columns any more.
  static std::unique_ptr<Restricted> to(const FittedProblem& fitted, std::vector<Index> features,
                                        const RunContext& context) {
    auto some = std::unique_ptr<Restricted>(new Restricted(fitted, std::move(features)));
    const Matrix map = some->map_of_samples();
    if (map.cols() < fitted.W.cols()) return nullptr;
    some->own_ = fitted.X.samples().project(map, context);
    some->samples_of_own_.emplace(some->own_);
    some->samples_ = &*some->samples_of_own_;
    return some;
  }

  const Samples& samples() const { return *samples_; }

  // Of loadings that are zero elsewhere, as the samples have them; and back.
  Matrix coordinates(const Matrix& loadings) const {
    if (in_frame()) {
      const Matrix inner = product(fitted_.frame.inverse, loadings);
      return whole_ ? inner : Matrix(span_.transpose() * inner);
    }
    if (!whole_) return loadings(features_, Eigen::all);
    return fitted_.frame.empty() ? loadings : product(fitted_.frame.inverse, loadings);
  }
  Matrix loadings(const Matrix& coordinates, Index d) const {
    if (whole_) return fitted_.frame.empty() ? coordinates : product(fitted_.frame.basis, coordinates);
    Matrix all = Matrix::Zero(d, coordinates.cols());
    if (in_frame()) {
      const Matrix back = fitted_.frame.basis * (span_ * coordinates);
      for (const Index j : features_) all.row(j) = back.row(j);  // elsewhere it is rounding
    } else {
      all(features_, Eigen::all) = coordinates;
    }
    return all;
  }

 private:
  Restricted(const FittedProblem& fitted, std::vector<Index> features)
      : fitted_(fitted), features_(std::move(features)), whole_(false) {}

  // Columns that are orthonormal in coordinates of their own, not among the features.
  bool in_frame() const { return !fitted_.frame.empty() && !fitted_.frame.orthonormal; }

  // Takes the samples to coordinates in which restricted axes are what they were: orthonormal.
  Matrix map_of_samples() {
    const Frame& frame = fitted_.frame;
    const Index d = frame.empty() ? fitted_.W.rows() : frame.basis.rows();
    if (!in_frame()) {
      if (!frame.empty()) return frame.basis(features_, Eigen::all).transpose();
      Matrix picked = Matrix::Zero(d, Index(features_.size()));
      for (std::size_t k = 0; k < features_.size(); ++k) picked(features_[k], Index(k)) = 1;
      return picked;
    }
    // V with basis(dropped)·V = 0: a complement of the span of those rows.
    std::vector<Index> dropped;
    for (Index j = 0; j < d; ++j)
      if (std::ranges::find(features_, j) == features_.end()) dropped.push_back(j);
    const Matrix rows = frame.basis(dropped, Eigen::all).transpose();
    const Matrix spanned = orthonormalise(rows, 1e-10).basis;
    const Index r = frame.basis.cols();
    Matrix rest = Matrix::Identity(r, r) - spanned * spanned.transpose();
    const SymmetricEigen eigen = symmetric_eigen(std::move(rest));
    span_ = eigen.vectors.leftCols(r - spanned.cols());
    return span_;
  }

  const FittedProblem& fitted_;
  std::vector<Index> features_;
  const Samples* samples_ = nullptr;
  RowMatrix own_;
  std::optional<Samples> samples_of_own_;
  Matrix span_;
  bool whole_;
};

class Thinning {
 public:
  Thinning(const FittedProblem& fitted, const SparseOptions& options, RunContext& context)
      : fitted_(fitted), options_(options), context_(context), left_(std::make_unique<Restricted>(fitted)) {
    report_.max_loss = options.max_loss;
    loadings_ = fitted.frame.empty() ? fitted.W : product(fitted.frame.basis, fitted.W);
  }

  SparseReport run() {
    try {
      report_.objective = backend_or_cpu(context_)
                              .pair_pass(fitted_.X.samples(), fitted_.gamma)
                              ->objective(fitted_.W, fitted_.kernel, context_);
      drop_features();
      drop_loadings();
    } catch (const Interrupted& interrupted) {
      note(report_.notes, "{} after {} of the sparse basis", interrupted.text(),
           counted(Index(report_.path.size()), "step"));
    }
    if (report_.W.size() == 0) turn();  // interrupted before
    return std::move(report_);
  }

 private:
  bool fits() {
    constexpr double kShare = 0.25;
    const double bytes = 8.0 * double(fitted_.X.samples().rows()) * double(fitted_.W.rows());
    if (bytes <= kShare * double(context_.max_memory)) return true;
    note(report_.notes, "no feature was dropped: a copy of the samples would take too much memory");
    return false;
  }

  // The weakest go, a few at a time, and the axes move to where they are best without them.
  void drop_features() {
    const Index q = fitted_.W.cols(), d = loadings_.rows();
    Vector strength = loadings_.rowwise().squaredNorm();
    const Index used = Index((strength.array() > kZero * kZero).count());
    add({0, Index((loadings_.array().abs() > kZero).count()), used, report_.objective});
    ism::Options how{.dimension = q, .tolerance = 1e-4, .max_iterations = 50};
    how.curvature = Effort::never;
    how.certified = false;
    if (used <= q || !fits()) return;
    for (const Index count : counts_between(used - 1, q)) {
      std::vector<Index> features = strongest_features(strength, count);
      std::ranges::sort(features);
      auto fewer = Restricted::to(fitted_, std::move(features), context_);
      if (!fewer) break;
      const Orthonormalised start = nearest_orthonormal(fewer->coordinates(loadings_));
      RunContext inner = context_.nested("sparse");
      const ism::Problem problem{fewer->samples(), fitted_.gamma, fitted_.kernel};
      const ism::Result found = ism::solve(problem, how, inner, start.rank == q ? start.basis : Matrix());
      throw_if_interrupted(found.summary.termination);
      SparseStep step{0, count * q, count, found.summary.objective};
      if (!allowed(step)) break;
      add(step);
      report_.chosen = report_.path.size() - 1;
      left_ = std::move(fewer);
      loadings_ = left_->loadings(found.W, d);
      strength = loadings_.rowwise().squaredNorm();
    }
  }

  // Towards few large loadings, in the same subspace.
  void turn() {
    report_.rotation = varimax(loadings_);
    report_.W = report_.rotation.loadings;
    report_.loadings = thresholded(report_.W, kZero).colwise().normalized();
  }

  // Of the axes that are left.
  void drop_loadings() {
    const Index q = loadings_.cols(), d = loadings_.rows();
    turn();
    std::vector<double> sizes;
    for (const double loading : report_.rotation.loadings.reshaped())
      if (std::abs(loading) > kZero) sizes.push_back(std::abs(loading));
    std::ranges::sort(sizes, std::ranges::greater());
    if (Index(sizes.size()) < report_.path.back().loadings) {  // by the turn alone, which costs nothing
      add({kZero, Index(sizes.size()), report_.path.back().features, report_.path.back().objective});
      report_.chosen = report_.path.size() - 1;
    }
    const auto pass = backend_or_cpu(context_).pair_pass(left_->samples(), fitted_.gamma);
    for (const Index count : counts_between(Index(sizes.size()) - 1, q)) {
      context_.agree();
      const double threshold = sizes[std::size_t(count - 1)];
      const Matrix kept = thresholded(report_.rotation.loadings, threshold);
      const Orthonormalised basis = nearest_orthonormal(left_->coordinates(kept));
      if (basis.rank < q) break;  // and with fewer loadings too
      add({threshold, Index((kept.array() != 0).count()), Index((kept.rowwise().squaredNorm().array() > 0).count()),
           pass->objective(basis.basis, fitted_.kernel, context_)});
      if (allowed(report_.path.back())) {
        report_.chosen = report_.path.size() - 1;
        report_.W = left_->loadings(basis.basis, d);
        report_.loadings = kept.colwise().normalized();
      }
      const SparseStep& step = report_.path.back();
      if (context_.observer && context_.observer({context_.nested("sparse").path, int(report_.path.size()),
                                                  step.objective, step.loss, 0}) == Next::stop)
        break;
    }
  }

  bool allowed(const SparseStep& step) const {
    return (report_.objective - step.objective) / std::abs(report_.objective) <= options_.max_loss;
  }
  void add(SparseStep step) {
    step.loss = (report_.objective - step.objective) / std::abs(report_.objective);
    report_.path.push_back(step);
  }

  const FittedProblem& fitted_;
  const SparseOptions& options_;
  RunContext& context_;
  std::unique_ptr<Restricted> left_;
  Matrix loadings_;  // d × q
  SparseReport report_;
};

}  // namespace

SparseReport sparse_basis(const FittedProblem& fitted, const SparseOptions& options, RunContext& context) {
  ritz::check(options);
  return Thinning(fitted, options, context).run();
}

}  // namespace ritz::reduce
