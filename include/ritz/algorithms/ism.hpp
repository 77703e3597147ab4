// SPDX-License-Identifier: MIT
// Iterative spectral method: maximise F(W) = Tr(ΓK(XW)) over WᵀW = I by W ← top q eigenvectors of Φ(W), with a level
// shift that keeps F from falling. Derivation and errata: docs/algorithms/ism.md.
#pragma once

#include <array>
#include <string>

#include "ritz/backends/backend.hpp"
#include "ritz/base/iterate.hpp"
#include "ritz/base/options.hpp"

namespace ritz {

// Whether to compute something that may cost more than the fit itself.
enum class Effort { automatic, always, never };
template <>
struct EnumNames<Effort> {
  static constexpr std::array<std::string_view, 3> names = {"auto", "always", "never"};
};

// What ends the iteration: the first-order residual, or the papers' rule, the relative change of Φ's top eigenvalues,
// which says nothing about stationarity (docs/algorithms/ism.md).
enum class StopOn { residual, eigenvalues };
template <>
struct EnumNames<StopOn> {
  static constexpr std::array<std::string_view, 2> names = {"residual", "eigenvalues"};
};

namespace ism {

struct Problem {     // what
  const Samples& X;  // n × d, borrowed
  Gamma gamma;       // n × n, as a factor
  KernelSum kernel;  // resolved (see resolve_bandwidths)
};

struct Options {  // how
  static constexpr std::string_view name = "ism";
  Index dimension = 2;
  double tolerance = 1e-6;
  int max_iterations = 1000;
  StopOn stop = StopOn::residual;
  Effort curvature = Effort::automatic;
  Precision precision = Precision::full;
  double approximate = 0;
  PairAccuracy accuracy() const { return {precision, approximate}; }
  static constexpr auto fields() {
    return std::tuple{
        field("dimension", &Options::dimension, 1, 1 << 24, "columns of W"),
        field("tolerance", &Options::tolerance, 0.0, 1.0,
              "stop when the first-order residual |(I - WW')PhiW| / |Phi| is at most this"),
        field("stop", &Options::stop,
              "what the tolerance bounds: the residual, or the relative change of the eigenvalues (the papers' rule)"),
        field("max_iterations", &Options::max_iterations, 1, 1'000'000'000, "at most this many iterations"),
        field("curvature", &Options::curvature,
              "second-order certificate: the largest eigenvalue of the tangent Hessian (auto: when it is cheap)"),
        field("precision", &Options::precision,
              "of the sums over pairs: double, or mixed (products of tiles in single precision)"),
        field("approximate", &Options::approximate, 0.0, 0.1,
              "relative error of the objective that a low-rank kernel may cause; 0: exact sums")};
  }
};

// How good the answer is, from W and the data alone.
struct Certificate {
  double first_order = kUnknown;  // ‖(I − WWᵀ)ΦW‖_F / ‖Φ‖₂; 0 at a stationary point
  double eigengap = kUnknown;     // λ_q − λ_{q+1} of Φ(W); near 0 the subspace is not unique
  double dominance =
      kUnknown;  // sine of the largest angle between W and the top q eigenvectors of Φ(W); 0: fixed point
  double curvature = kUnknown;       // largest eigenvalue of the tangent Hessian; <= 0 at a local maximum
  double orthonormality = kUnknown;  // max |WᵀW − I|
  double phi_norm = kUnknown;        // ‖Φ‖₂
  double objective = kUnknown;
  // Relative error that single precision caused in Φ on the way (PairPass::precision_error); unknown where it was not
  // used. The other numbers are in double precision: the last iterations are.
  double precision_error = kUnknown;
  Vector eigenvalues;          // the q largest of Φ(W)
  std::string curvature_note;  // why it was not computed, or how
};

struct Result {                       // what came of it
  Matrix W;                           // d × q, orthonormal; columns diagonalise WᵀΦW, largest first, signs fixed
  double start_objective = kUnknown;  // F at the spectral start
  Certificate certificate;
  Summary summary;
};

// From `start` (d × q, orthonormal), or where that is empty from the top eigenvectors of Φ₀. Throws bad_option when the
// dimension exceeds the columns of the data. Cancelled or past context.deadline: the best W so far, with the reason in
// the summary.
Result solve(const Problem& problem, const Options& options, RunContext& context, const Matrix& start = {});

// The same certificate for any W: what `ritz check` recomputes.
Certificate certify(const Problem& problem, const Matrix& W, Effort curvature, const RunContext& context);

struct DimensionChoice {
  Index dimension;
  std::string reason;
};
// The largest gap in the spectrum of the start Φ₀, among its first `most` positive eigenvalues.
DimensionChoice choose_dimension(const Problem& problem, Index most, const RunContext& context);

// Working memory of solve() beyond the data itself, in bytes.
double working_bytes(const PairSizes& sizes, const KernelSum& kernel, const RunContext& context,
                     const PairAccuracy& accuracy = {});

}  // namespace ism
}  // namespace ritz
