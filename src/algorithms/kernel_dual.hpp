// SPDX-License-Identifier: MIT
// The one dual behind all kernel learning here: pairs (SimpleNPKL with every loss), maximum variance unfolding,
// coloured and minimum volume embeddings, and structure preserving embedding are data for it.
//
//   primal   minimise  −⟨A₀, K⟩ + w·Σ_k ℓ(b_k − ⟨M_k, K⟩) + capacity(K)   over K ⪰ 0
//   dual     maximise  J(α) = w·Σ_k (α_k·b_k − ℓ*(α_k)) − capacity*(A(α)),   A(α) = A₀ + w·Σ_k α_k·M_k
//
// with capacity(K) = G/p·tr Kᵖ (ridge), the bound tr Kᵖ <= B (budget), or nothing. The kernel that belongs to α is
// K = c·A₊^(q−1), q = p/(p−1), a factor of as many columns as A has positive eigenvalues; K is never filled in. Every
// evaluation gives a primal feasible K and a dual feasible α, so the gap between their values certifies both.
// docs/algorithms/kernel.md derives all of it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "linalg/sparse_sum.hpp"
#include "linalg/spectrum_side.hpp"
#include "model/loss_list.hpp"
#include "model/measurement.hpp"
#include "ritz/algorithms/dual_solver.hpp"
#include "ritz/base/context.hpp"
#include "ritz/base/iterate.hpp"
#include "ritz/base/options.hpp"

namespace ritz::kernel_dual {

struct Capacity {
  enum class Form { ridge, budget, none } form = Form::ridge;
  double value = 0.01;  // G or B
  double power = 2;     // p >= 1; p = 1 with a budget only
};

struct Problem {
  SparseSum base;  // A₀
  Measurements measurements;
  Vector targets;     // b
  double weight = 1;  // w
  AnyLoss loss = SquareHinge{};
  Capacity capacity;
  // n × r, orthonormal columns, or empty: K = WQWᵀ only, so that WᵀAW takes the place of A. Another problem, not an
  // approximation of this one.
  RowMatrix within{};
  // Without a capacity, a stress that lowers A: −Σ repair_k·w·M_k is positive semidefinite, and 0 on the constants
  // only, which A takes to multiples of themselves that are not positive. Dual values are made feasible with it.
  Vector repair{};
};
// bad_shape or bad_option for a problem that is not one.
void check(const Problem& problem);

// What is known at one α.
struct Evaluation {
  Vector alpha;
  double dual = kUnknown;        // J(α), a lower bound of the optimum: the spectrum's defect is already taken off
  double dual_plain = kUnknown;  // J(α) as the computed eigenvalues give it: what line searches compare
  double primal = kUnknown;      // of the kernel that belongs to α: an upper bound of the optimum
  Vector gradient;               // of J
  Vector measured;               // ⟨M_k, K⟩
  SpectrumSide spectrum;         // of A(α)
  double scale = 0;              // c
  double power_sum = 0;          // tr A₊^q
};

void keep(Archive& archive, Evaluation& at);

// Evaluates the dual at one α after another, carrying eigenvectors along.
class Dual {
 public:
  explicit Dual(const Problem& problem, const RunContext& context);
  const Problem& problem() const { return problem_; }
  // `allowed`: error of J(α) that an inexact spectrum may cause.
  Evaluation evaluate(const Vector& alpha, double allowed, const RunContext& context);
  // −∇²J·v at an evaluation (smooth losses, 1 < p <= 2): exact where the spectrum is complete, otherwise with the
  // eigenvalues outside the block replaced by their mean.
  Vector curvature(const Evaluation& at, const Vector& v, const RunContext& context) const;
  // Upper bound of the curvature: w²·λmax(MM*)/G + w·ℓ*″ (ridge, p = 2).
  double lipschitz(const RunContext& context) const;
  SparseRows slot_matrix(const Vector& y, const RunContext& context) const;  // Σ y_k·M_k
  const SparseSum& matrix() const { return A_; }                             // A(α) of the last evaluation
  void set_matrix(const Vector& alpha, const RunContext& context);
  // What a Lanczos run outside the block finds of the side that the spectrum of `at` should hold, as what it takes off
  // at.dual: 0, nothing is missing. A missed negative eigenvalue costs the primal value its kernel: ∞. matrix() must be
  // that of `at`.
  double missing(const Evaluation& at, const RunContext& context) const;
  void widen(const RunContext& context) { side_.widen(context); }  // … and what to do then
  int evaluations() const { return evaluations_; }
  void keep(Archive& archive);  // what is carried

 private:
  double support(double power_sum) const;  // capacity*(A) from tr A₊^q
  double upper_power_sum(const SpectrumSide& spectrum, double power_sum) const;
  double wanted_defect(double allowed) const;
  const Problem& problem_;
  SparseSum A_;
  using Positions = std::vector<std::array<int, 2>>;  // of each slot among a matrix's values: (i, j), and (j, i) or −1
  static Positions positions(const SparseRows& matrix, const Measurements& measurements);
  Vector base_values_;  // of A₀ on A_'s pattern
  Positions positions_;
  SparseRows slot_matrix_;  // the slots alone
  Positions slot_positions_;
  SideSolver side_;
  double last_power_sum_ = 0;
  int evaluations_ = 0;
};

struct Options {
  static constexpr std::string_view name = "kernel_dual";
  Solver solver = Solver::automatic;
  double tolerance = 1e-6;
  int max_iterations = 1000;
  Index columns = 8;
  double settled = 1e-7;
  double enough = 0;
  static constexpr auto fields() {
    return std::tuple{
        field("solver", &Options::solver, "how the dual is maximised: automatic|newton|lbfgsb|gradient"),
        field("tolerance", &Options::tolerance, 0.0, 1.0, "stop when duality gap <= tolerance·|objective|"),
        field("max_iterations", &Options::max_iterations, 1, 100'000'000, "at most this many evaluations of the dual"),
        field("columns", &Options::columns, 1, 10'000, "columns of the factor, where there is no capacity"),
        field("settled", &Options::settled, 0.0, 1.0,
              "… and there also stop when ten steps lower the objective by less than this part"),
        field("enough", &Options::enough, 0.0, 1.0,
              "… or by less than this part of what all steps have lowered it by")};
  }
};

struct Result {
  Evaluation best;           // α with the largest dual value
  Evaluation from;           // the one that `primal` and `kernel` come from; not always the same α
  double primal = kUnknown;  // smallest primal value, of `kernel`
  double dual = kUnknown;    // largest lower bound
  double gap = kUnknown;     // primal − dual
  double relative_gap = kUnknown;
  SymFactor kernel;      // K = V·diag(κ)·Vᵀ, κ decreasing; for the positive side
  Vector eigenvalues;    // of A, one a column of the kernel's basis
  SparseSum matrix;      // A(α) of `from`: K = scale·A₊^(q−1)
  bool complete = true;  // the spectrum held its whole side (see Dual::missing)
  int evaluations = 0;
  Summary summary;
};
void keep(Archive& archive, Result& result);
Result solve(const Problem& problem, const Options& options, RunContext& context,
             const std::optional<Vector>& start = std::nullopt);
// Without a capacity: K = FFᵀ from F = `start` (n × r, not zero) and further columns; needs a loss with curvature.
Result solve_factored(const Problem& problem, const Options& options, RunContext& context, const RowMatrix& start);

}  // namespace ritz::kernel_dual
