// SPDX-License-Identifier: MIT
// The eigen engine: the asked part of the spectrum of anything that can multiply a block.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "ritz/base/checkpoint.hpp"
#include "ritz/base/context.hpp"
#include "ritz/base/text.hpp"
#include "ritz/base/types.hpp"
#include "ritz/linalg/operator.hpp"

namespace ritz {

enum class End { largest, smallest };  // algebraically

struct Count {
  Index k;
};
struct Above {  // every eigenvalue > threshold; with End::smallest: every eigenvalue < threshold
  double threshold;
  Index max_rank;  // more than this many is reported by EigenPairs::complete == false
};
struct LeadingCluster {  // the extreme value and all within relative_gap·|A| of it
  double relative_gap;
  Index max_rank;
};
using Selection = std::variant<Count, Above, LeadingCluster>;

struct EigenRequest {
  Selection pick = Count{1};
  End end = End::largest;
  double tolerance = 1e-10;  // converged when ‖Av − λv‖ <= tolerance · ‖A‖ for every returned pair
};

enum class EigenMethod { automatic, dense, gram, lanczos, subspace };
constexpr auto names_of(EigenMethod) { return std::array{"automatic", "dense", "gram", "lanczos", "subspace"}; }

// Invariants: values.size() == vectors.cols(); values run from the asked end inward; vectors are orthonormal and each
// has its entry of largest magnitude positive (the first of them in a tie). Every returned pair has been multiplied
// out: `residual` is measured, not inferred. Pairs that did not reach the tolerance are not returned.
struct EigenPairs {
  Vector values;
  Matrix vectors;
  // The first value not returned, where the method knows it: the eigengap is |last − next|. Exact for dense and gram;
  // the iterations stop improving it at a tenth of the gap.
  double next = kUnknown;
  double residual = 0;     // max ‖Av − λv‖ over the returned pairs
  double norm = kUnknown;  // the estimate of ‖A‖₂ that the tolerance was multiplied with
  Index products = 0;      // columns multiplied by the operator
  bool complete = true;    // false: fewer pairs than asked; `message` says why
  std::string message;
};

struct EigenPlan {
  EigenMethod method;
  std::string reason;  // goes into Summary::used
};
// Pure, so that the choice can be tested without solving anything.
EigenPlan plan_eigen(const OperatorView& op, const EigenRequest& request, EigenMethod asked, bool have_start);

// Keep one per loop. It remembers its last basis (warm start).
class EigenSolver {
 public:
  explicit EigenSolver(EigenMethod asked = EigenMethod::automatic) : asked_(asked) {}
  EigenPairs operator()(const OperatorView& op, const EigenRequest& request, const RunContext& context);
  const EigenPlan& last_plan() const { return plan_; }
  void start_from(Matrix basis) { start_ = std::move(basis); }
  void keep(Archive& archive) { archive(plan_.method, plan_.reason, start_); }

 private:
  EigenMethod asked_;
  EigenPlan plan_{EigenMethod::automatic, "not run"};
  Matrix start_;
};

// The pairs, or an Error when some are missing: for callers that cannot go on with fewer.
EigenPairs require_complete(EigenPairs pairs, std::string_view what);

// The largest eigenvalue alone, to a coarse accuracy, by a Lanczos space that is not restarted: a fraction of the
// engine's products where values crowd at that end. It grows until ‖Av − λv‖ <= allowed, or `most` vectors are kept.
struct LargestPair {
  double value = 0;     // of the space: not above λmax
  double residual = 0;  // ‖Av − λv‖, from the recurrence
  Vector vector;
  Index products = 0;
};
// `near`: a vector that the start leans towards, half of it stays random; or empty.
LargestPair largest_pair(const OperatorView& op, double allowed, Index most, const Vector& near,
                         const RunContext& context);

// Estimates of both ends of the spectrum from a few Lanczos steps, from inside: lowest >= λmin, highest <= λmax, both
// usually within a percent of the spectrum's width. For scaling steps and residuals, not for certificates.
struct SpectralBounds {
  double lowest, highest;
  double norm() const;
};
SpectralBounds spectral_bounds(const OperatorView& op, const RunContext& context, int steps = 20);

}  // namespace ritz
