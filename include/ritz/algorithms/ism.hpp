// SPDX-License-Identifier: MIT
// Maximise F(W) = Tr(ΓK(XW)) over WᵀW = I. The iterative spectral method takes W ← top q eigenvectors of Φ(W), with a
// level shift that keeps F from falling; its rivals solve the same problem from the same start, with the same
// certificate and trace. Derivation, rivals and errata: docs/algorithms/ism.md.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "ritz/base/iterate.hpp"
#include "ritz/base/options.hpp"
#include "ritz/pairs/backend.hpp"

namespace ritz {

// Whether to compute something that may cost more than the fit itself.
enum class Effort { automatic, always, never };
constexpr auto names_of(Effort) { return std::array{"auto", "always", "never"}; }

// What ends the iteration: the first-order residual, or the papers' rule, the relative change of Φ's top eigenvalues,
// which says nothing about stationarity (docs/algorithms/ism.md).
enum class StopOn { residual, eigenvalues };
constexpr auto names_of(StopOn) { return std::array{"residual", "eigenvalues"}; }

// How F is maximised.
//   ism    top eigenvectors of Φ(W), with the level shift where F would fall
//   plain  the same without the shift, as printed in the papers: F may fall, and the iteration may swing between two
//          subspaces, which ends the run as stalled with the better of the two
//   dg     dimension growth: one column at a time by gradient ascent, orthogonal to the earlier ones, which stay fixed
//   sm     Stiefel manifold: curvilinear search along Cayley transforms (Wen & Yin 2013)
//   gm     Grassmann manifold: Riemannian trust region with exact Hessian products (Absil, Baker & Gallivan 2007)
//   best   ism, then the trust region where the certificate says that F can still climb or ism is slow
enum class Solver { ism, plain, dg, sm, gm, best };
constexpr auto names_of(Solver) { return std::array{"ism", "plain", "dg", "sm", "gm", "best"}; }

namespace ism {

struct Problem {     // what
  const Samples& X;  // n × d, borrowed
  Gamma gamma;       // n × n, as a factor
  KernelSum kernel;  // resolved (see resolve_bandwidths)
  // Of X, for problems that differ in Γ alone, so that the data go up once: Γ is set in it. None: one is made.
  PairPass* pass = nullptr;
};

struct Options {  // how
  static constexpr std::string_view name = "ism";
  Index dimension = 2;
  double tolerance = 1e-6;
  int max_iterations = 1000;
  StopOn stop = StopOn::residual;  // eigenvalues: for the solvers ism and plain only
  Solver solver = Solver::ism;
  int restarts = 0;
  Effort curvature = Effort::automatic;
  PairAccuracy accuracy = {};
  bool certified = true;  // false: no certificate, for the steps of a loop that looks at W alone
  static constexpr auto fields() {
    return std::tuple{
        field("dimension", &Options::dimension, 1, 1 << 24, "columns of W"),
        field("tolerance", &Options::tolerance, 0.0, 1.0,
              "stop when the first-order residual |(I - WW')PhiW| / |Phi| is at most this"),
        field("stop", &Options::stop,
              "what the tolerance bounds: the residual, or the relative change of the eigenvalues (the papers' rule)"),
        field("solver", &Options::solver,
              "ism, plain (ism without level shift), the rivals dg (dimension growth), sm (Stiefel manifold) and gm "
              "(Grassmann trust region), or best (ism, then gm where F can still climb)"),
        field("restarts", &Options::restarts, 0, 1'000'000,
              "random starts tried besides the spectral one; the best result is kept"),
        field("max_iterations", &Options::max_iterations, 1, 1'000'000'000, "at most this many iterations"),
        field("curvature", &Options::curvature,
              "second-order certificate: the largest eigenvalue of the tangent Hessian (auto: while it takes no longer "
              "than the fit)"),
        rows(&Options::accuracy)};
  }
};

// What is known of the sums over all pairs where the fit saw a sample of them.
struct Sampling {
  double share = 0;                        // of the pairs, in the fit's sums
  Index rows = 0;                          // that these pairs are of
  double fitted = kUnknown;                // F as the fit's own pairs estimate it: too large, as W suits them
  double estimate = kUnknown;              // F by other pairs, that had no part in the fit
  double low = kUnknown, high = kUnknown;  // an interval for F
  static constexpr double kConfidence = 0.99;
  double exact = kUnknown;              // F over all pairs; unknown: it would have taken longer than the fit
  bool corrected = false;               // F and ΦW over all pairs were the control variate of the last iterations
  double exact_first_order = kUnknown;  // of W, over all pairs, relative to the fit's ‖Φ‖
};

// How good the answer is, from W and the data alone.
struct Certificate {
  double first_order = kUnknown;  // ‖(I − WWᵀ)ΦW‖_F / ‖Φ‖₂; 0 at a stationary point
  // max_a ‖(I − WWᵀ)Φw_a‖ / |w_aᵀΦw_a| over the axes: against each kept eigenvalue itself. Where the last is far
  // smaller than ‖Φ‖₂, its axis may still turn though first_order is small.
  double kept_order = kUnknown;
  double eigengap = kUnknown;  // λ_q − λ_{q+1} of Φ(W); near 0 the subspace is not unique
  double dominance =
      kUnknown;  // sine of the largest angle between W and the top q eigenvectors of Φ(W); 0: fixed point
  double curvature = kUnknown;       // largest eigenvalue of the tangent Hessian; <= 0 at a local maximum
  double orthonormality = kUnknown;  // max |WᵀW − I|
  double phi_norm = kUnknown;        // ‖Φ‖₂
  double objective = kUnknown;
  // The papers' sufficient condition for a local maximum at a fixed point, gap >= bound with gap = λ_q − λ_{q+1} of
  // Φ(W) and bound = 2Σ|Γ_ij f″_ij|‖a_ij‖²‖b_ij‖² (‖xᵢ − xⱼ‖⁴ for difference kernels, ‖xᵢ‖²‖xⱼ‖² for dot kernels). It
  // rarely holds: `curvature` is the real test. Computed where the curvature is allowed.
  double inequality_gap = kUnknown;
  double inequality_bound = kUnknown;
  std::optional<bool> inequality_holds;  // false as well where W is not spanned by leading eigenvectors of its Φ
  // With sums by a low-rank kernel everything above belongs to those sums; this is how far they may lie from the exact
  // ones, 0 where they are exact.
  PairError approximation;
  double first_order_bound = kUnknown;  // of the exact first_order: with Φ's error, W's residual is at most this
  // Relative error that single precision caused in Φ on the way (PairPass::precision_error); unknown where it was not
  // used. The other numbers are in double precision: the last iterations are.
  double precision_error = kUnknown;
  // Where it is there, first_order, eigengap, dominance, curvature and eigenvalues belong to the sampled sums, and
  // `objective` to all pairs: exact, or the estimate.
  std::optional<Sampling> sampling{};
  Vector eigenvalues;          // the q largest of Φ(W)
  std::string curvature_note;  // why it was not computed, or how
};

struct Result {                       // what came of it
  Matrix W;                           // d × q, orthonormal; columns diagonalise WᵀΦW, largest first, signs fixed
  double start_objective = kUnknown;  // F at the spectral start
  Certificate certificate;
  Summary summary;
};

void keep(Archive& archive, Certificate& certificate);
void keep(Archive& archive, Result& result);

// From `start` (d × q, orthonormal), or where that is empty from the top eigenvectors of Φ₀; with options.restarts also
// from so many random subspaces, of which the result with the largest F is kept (the first in a tie), its trace with
// it. Summary::used says which solver and which start. Throws bad_option when the dimension exceeds the columns of the
// data. Cancelled or past context.deadline: the best W so far, with the reason in the summary.
Result solve(const Problem& problem, const Options& options, RunContext& context, const Matrix& start = {});

// The same certificate for any W: what `ritz check` recomputes.
Certificate certify(const Problem& problem, const Matrix& W, Effort curvature, const RunContext& context);

// Working memory of solve() beyond the data itself, in bytes.
double working_bytes(const PairSizes& sizes, const KernelSum& kernel, const RunContext& context,
                     const PairAccuracy& accuracy = {});

}  // namespace ism
}  // namespace ritz
