// SPDX-License-Identifier: MIT
// What the methods share. Inside, a pair i of weight w has the scaled secant √w·(x_a − x_b)/‖x_a − x_b‖, so that
// A(P)_i = w·ratio is wanted within w ± δ: one δ for all pairs.
#pragma once

#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "backends/secant_products.hpp"
#include "linalg/dense/dense.hpp"
#include "ritz/algorithms/isometry.hpp"

namespace ritz::isometry {

// Room that is left inside the band, so that what converges to its edge arrives.
inline constexpr double kInside = 1e-3;

// The points as the search sees them: distinct, centred, the farthest of norm 1, in coordinates of their span, in
// random order so that leading rows are a sample.
struct Reduced {
  RowMatrix X;
  Matrix basis;                          // d × d′, orthonormal; empty: the coordinates are the old ones
  std::vector<Index> rows;               // of the given points
  Matrix back(const Matrix& psi) const;  // to the given columns
  Matrix forth(const Matrix& psi) const { return basis.size() == 0 ? psi : Matrix(psi * basis); }
};

Reduced reduced(const Problem& problem, const RunContext& context);

// Pairs that a solve looks at, with copies of the points that occur in them.
class WorkingSet {
 public:
  // X outlives the working set; rows of X must differ in every pair.
  explicit WorkingSet(const RowMatrix& X) : X_(&X) {}
  // Pairs that are in it already are passed over; gives how many were new.
  Index add(const std::vector<WeightedPair>& pairs);
  void keep(const std::vector<char>& kept);  // one flag a pair
  void keep(Archive& archive);

  Index size() const { return Index(a_.size()); }
  Index columns() const { return X_->cols(); }
  const Vector& target() const { return weight_; }
  WeightedPair pair(Index i) const;

  // A(ΨᵀΨ) from Ψ, r × d.
  Vector measured(const Matrix& psi, const RunContext& context) const;
  // A(P) for symmetric P, d × d.
  Vector measured_by(const Matrix& P, const RunContext& context) const;
  // A*(y)·B for B d × k; Bᵀ = Ψ gives half the gradient of Σ φ(A(ΨᵀΨ)), y = φ′.
  Matrix adjoint_times(const Vector& y, BlockIn B, const RunContext& context) const;
  Matrix adjoint(const Vector& y, const RunContext& context) const;  // A*(y)
  // Rows √w·v of some of the pairs.
  RowMatrix secants(const std::vector<Index>& which) const;

 private:
  const RowMatrix* X_;
  RowMatrix points_;           // those that occur
  std::vector<Index> rows_;    // their rows of X
  std::vector<Index> place_;   // of a row of X among them, −1: not there
  std::vector<Index> a_, b_;   // ends, as places
  std::vector<double> scale_;  // w/‖x_a − x_b‖²
  Vector weight_;
  std::vector<std::uint64_t> known_;  // sorted keys of the pairs
  // By the run's backend, once asked for these pairs; null inside: it has nothing faster.
  mutable std::optional<std::shared_ptr<SecantProducts>> elsewhere_;

  SecantProducts* elsewhere(const RunContext& context) const;
};

// One try at a rank.
struct Attempt {
  Matrix psi;
  double distortion = kUnknown;  // on the working set
  int iterations = 0;
  bool reached = false;
};
inline void keep(Archive& archive, Attempt& attempt) {
  archive(attempt.psi, attempt.distortion, attempt.iterations, attempt.reached);
}

// The best of a run of steps, and when to end it: δ is met, or `patience` steps took no tenth off the excess over it.
class BestOfSteps {
 public:
  BestOfSteps(double delta, int patience) : delta_(delta), patience_(patience) {}
  bool ends(const Matrix& psi, double distortion) {
    if (!(distortion >= best_.distortion)) best_.psi = psi, best_.distortion = distortion;
    best_.reached = best_.distortion <= delta_ * (1 - 1e-8);
    if (best_.reached) return true;
    ++best_.iterations;
    if (best_.distortion - delta_ < 0.9 * milestone_) {
      milestone_ = best_.distortion - delta_;
      since_ = 0;
      return false;
    }
    return ++since_ > patience_;
  }
  Attempt take() { return std::move(best_); }

 private:
  Attempt best_;
  double delta_, milestone_ = std::numeric_limits<double>::infinity();
  int patience_, since_ = 0;
};

// Signed distance to the band w ± δ′: 0 inside.
Vector excess(const Vector& measured, const Vector& target, double inner);

// Minimises ½Σ max(|A(ΨᵀΨ) − w| − δ′, 0)² with δ′ = δ(1 − kInside), by L-BFGS until no pair exceeds δ or nothing is
// gained any more, then by Levenberg–Marquardt. `enough` ≥ δ: so little distortion ends it, as
// reached.
Attempt hinge_attempt(const WorkingSet& set, const Matrix& start, double delta, double enough, const Options& options,
                      const RunContext& context);
// One damped Gauss–Newton step on the pairs outside the band: J has the rows 2y⊗v with y = Ψv. Δ = −Jᵀ(JJᵀ + μI)⁻¹e,
// JJᵀ = 4(YYᵀ)∘(VVᵀ), which is factored where it is small. Otherwise (JᵀJ + μI)Δ = −Jᵀe by a few conjugate gradients,
// which need no more than products with V: so many pairs are outside only far from a solution, and there a step need
// not be exact.
struct Linearised {
  Linearised(Matrix secants, Matrix images, const Vector& outside);  // rows v and y
  std::optional<Matrix> step(double damping) const;  // nothing where the damping is too small for the factorisation

 private:
  Vector across(const Matrix& along) const;  // J·along
  Matrix back(const Vector& z) const;        // Jᵀz
  Matrix by_gradients(double damping) const;

  Matrix V_, Y_, system_;  // JJᵀ, where it is factored
  Vector e_;
  double mean_ = 0;  // of the diagonal
};

// Ψ of small trace nearly inside the band: a minimum of ½μ‖Ψ‖² + ½Σ max(|A(ΨᵀΨ) − w| − δ, 0)². At it
// μ·tr ΨᵀΨ = 2|Σ A·out|, so that μ sets how far the pairs at the edge are pressed out.
Matrix leaner(const WorkingSet& set, const Matrix& start, double delta, const RunContext& context);
// Value and gradient, for tests.
struct HingeValue {
  double value, distortion;
  Matrix gradient;  // r × d
};
HingeValue hinge(const WorkingSet& set, const Matrix& psi, double delta, const RunContext& context);
// The unit direction in which one more row of Ψ lowers the hinge most, scaled to do so; empty where none does.
Vector growth_direction(const WorkingSet& set, const Matrix& psi, double delta, const RunContext& context);

Attempt nile_attempt(const WorkingSet& set, const Matrix& start, double delta, const Options& options,
                     const RunContext& context);
Attempt fromax_attempt(const WorkingSet& set, const Matrix& start, double delta, const Options& options,
                       const RunContext& context);

struct NumaxResult {
  Matrix psi;
  double trace = kUnknown;
  double bound = kUnknown;  // tr P ≥ (Σwy − δ‖y‖₁)/λmax(A*y), the best seen
  double distortion = kUnknown;
  int iterations = 0;
  bool converged = false;
};
// `start`: P of an earlier run, or 0 × 0.
NumaxResult numax(const WorkingSet& set, double delta, const Options& options, double gap, const RunContext& context);
// The bound of dual values y: valid for every y with λmax(A*y) > 0 and a positive numerator; otherwise 0.
double trace_bound(const WorkingSet& set, const Vector& y, double delta, const RunContext& context);

// (I + κA*A)L = R for symmetric R, d × d; factored once where that is small enough, else conjugate gradients.
class SecantSystem {
 public:
  SecantSystem(const WorkingSet& set, double kappa, const RunContext& context);
  Matrix solve(const Matrix& right, const Matrix& guess, const RunContext& context) const;

 private:
  const WorkingSet& set_;
  double kappa_;
  enum class Form { packed, pairs, iterative } form_ = Form::iterative;
  Cholesky factor_;
};

// Ψ with orthogonal rows by decreasing norm and the same ΨᵀΨ, the `rank` leading of them; fewer where it has fewer.
Matrix leading_rows(const Matrix& psi, Index rank);
Matrix factor_of(const Matrix& P, double relative_tolerance, Index most);  // Ψ with ΨᵀΨ ≈ P

}  // namespace ritz::isometry
