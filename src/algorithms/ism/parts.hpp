// SPDX-License-Identifier: MIT
// What the files of ISM and its rivals share.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "linalg/eigen.hpp"
#include "ritz/algorithms/ism.hpp"

namespace ritz::ism {

// Eigenvalues closer than this, relative to ‖Φ‖, are taken as tied: which of their vectors enter W is then our choice.
inline constexpr double kTie = 1e-10;
// Φ's spectrum may have hardly a gap at the cut, where iterating takes longer than LAPACK's direct way; above this size
// that way would hold up Ctrl-C.
inline constexpr Index kDirectSize = 1500;
// F may fall by rounding only: this share of its size.
inline constexpr double kObjectiveRounding = 1e-12;
inline constexpr std::string_view kNoClimb = "no step raises the objective beyond rounding";

std::shared_ptr<PairPass> make_pass(const Problem& problem, const PairAccuracy& accuracy, const RunContext& context);

// Throws bad_option naming the kernel when Φ holds a value that is not finite.
void require_finite(const PhiMatrix& phi, const KernelSum& kernel);
EigenSolver eigen_solver(const PhiMatrix& phi);
// By the run's backend where that is faster, otherwise by `eigen`. `norm`: of Φ, or less, where it is known.
EigenPairs leading_pairs(EigenSolver& eigen, const PhiMatrix& phi, const EigenRequest& request,
                         const RunContext& context, double norm = kUnknown);
Matrix outside(const Matrix& W, const Matrix& block);                 // (I − WWᵀ)·block
double residual(const PhiMatrix& phi, const Matrix& W, double norm);  // ‖(I − WWᵀ)ΦW‖_F / norm

// Top eigenvectors of Φ₀. Where Φ₀ has fewer than q positive eigenvalues and the others are 0 (k classes give rank
// k − 1) LAPACK would return arbitrary null vectors; the leading principal axes outside the rest stand in for them.
Matrix spectral_start(const Problem& problem, PairPass& pass, Index q, const RunContext& context);

// --- the solvers

// What a solver works with: the sums over pairs, timed as "pairs".
struct Setting {
  const Problem& problem;
  const Options& options;
  PairPass& pass;
  std::map<std::string, double>& seconds;
  PairSums sums(const Matrix& W, const RunContext& context) const;  // throws bad_option where the kernel overflows
  PairGradient gradient(const Matrix& W, const RunContext& context) const;
  double objective(const Matrix& W, const RunContext& context) const;
};

// One climb from one start. The trace begins with the extra column "residual".
struct Climb {
  Matrix W;  // d × q, orthonormal
  double start_objective = kUnknown;
  std::optional<PairSums> sums;     // at W, where they are at hand
  std::optional<double> curvature;  // at W, where it was computed
  Summary summary;
  std::optional<double> products{};  // with the Hessian that may still be spent; nothing: as many as of a fresh fit
};

inline void keep(Archive& archive, Climb& climb) {
  auto& [W, start_objective, sums, curvature, summary, products] = climb;
  archive(W, start_objective, sums, curvature, summary, products);
}

// Each starts at an orthonormal W (d × q) and never returns less than its F, `plain` excepted. Interrupted inside: the
// best W so far. All may throw Interrupted before the first sums are known.
enum class WhenSlow { go_on, leave };  // `leave`: end as stalled where another method would converge sooner
Climb climb_ism(const Setting& setting, Matrix start, WhenSlow slow, RunContext& context);
Climb climb_plain(const Setting& setting, Matrix start, RunContext& context);
Climb climb_dg(const Setting& setting, const Matrix& start, RunContext& context);
Climb climb_sm(const Setting& setting, Matrix start, RunContext& context);
Climb climb_gm(const Setting& setting, Matrix start, int max_iterations, RunContext& context);
Climb climb_best(const Setting& setting, Matrix start, RunContext& context);

// Adds a second climb's iterations, trace and outcome to the first's; columns that only one of them has are kept, with
// unknown values in the other's rows.
void append(Summary& first, Summary&& second);

// --- second order

// E ↦ P(2ΦE − 2E(WᵀΦW) + T[E]), P = I − WWᵀ: the Hessian of F at W on tangents E = PE (d × q).
class TangentHessian {
 public:
  TangentHessian(const Problem& problem, PairPass& pass, const PhiMatrix& phi, const Matrix& W);
  Matrix operator()(const Matrix& E, const RunContext& context) const;
  struct Top {
    double value;
    Matrix direction;  // unit tangent, d × q
  };
  // Eigenvalue and eigenvector by matrix-free Lanczos, whose products are taken off `left`. Throws Error where it does
  // not settle within them; then none are left.
  Top largest(double& left, const RunContext& context) const;

 private:
  const Problem& problem_;
  PairPass& pass_;
  const PhiMatrix& phi_;
  const Matrix& W_;
  Matrix inside_;  // WᵀΦW
};

// Products with the Hessian that a fit may spend, all told: without end where they are asked for; by itself the
// curvature takes no longer than the fit's own sweeps over the pairs, or what a moment allows where these are few.
double curvature_products(const Problem& problem, Index q, Effort effort, int sweeps);
// Why the second-order certificate is not computed; empty: it is.
std::string no_curvature(const Problem& problem, Index q, Effort effort, double products);

// The certificate of W, whose sums are at hand. A curvature that is known already is not computed again; one that
// cannot be computed is a note. `products` may be spent on it; nothing: what a moment allows.
Certificate certify(const Problem& problem, PairPass& pass, const PairSums& sums, const Matrix& W, Effort curvature,
                    const RunContext& context, std::optional<double> known_curvature = {},
                    std::optional<double> products = {});

inline double inner(const Matrix& A, const Matrix& B) { return A.cwiseProduct(B).sum(); }

// --- a sample of the pairs (options.accuracy.sample_pairs > 0)

// solve() on sampled pairs, with Certificate::sampling. Throws bad_option for kernels of dot products whose sums cost
// n².
Result solve_sampled(const Problem& problem, const Options& options, RunContext& context, const Matrix& start);
Index sampled_rows(const PairSizes& sizes, double share);  // of the samples, that the sampled pairs are of

}  // namespace ritz::ism
