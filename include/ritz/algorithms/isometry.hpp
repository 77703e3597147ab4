// SPDX-License-Identifier: MIT
// Near-isometric linear embeddings: the fewest linear measurements Ψ (r × d) that keep every squared distance within
// 1 ± δ. Secants are never stored: the ratio of a pair is measured from the embedded points, and sums of secants are
// XᵀLX with a Laplacian L. docs/algorithms/isometry.md has the formulas.
//
//   auto     a smooth feasibility problem a rank, by L-BFGS and Levenberg–Marquardt; smallest rank found by itself
//   numax    the convex relaxation min tr P, P ⪰ 0 (ADMM), with a certified lower bound of tr P
//   fromax   P near a product of the rank (ADMM)
//   nile     the largest distortion itself, by a proximal step (NILE-Pro)
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "ritz/base/context.hpp"
#include "ritz/base/iterate.hpp"
#include "ritz/base/options.hpp"
#include "ritz/base/types.hpp"
#include "ritz/pairs/distance_sweep.hpp"

namespace ritz::isometry {

enum class Method { automatic, numax, fromax, nile };
constexpr auto names_of(Method) { return std::array{"auto", "numax", "fromax", "nile"}; }

struct Options {
  static constexpr std::string_view name = "isometry";
  double distortion = 0;
  Index rank = 0;
  Method method = Method::automatic;
  double tolerance = 1e-3;
  int max_iterations = 0;
  int rounds = 60;
  double eta = 0.1;
  double beta = 0, beta1 = 0, beta2 = 1;
  int steps() const { return max_iterations > 0 ? max_iterations : method == Method::nile ? 50'000 : 3000; }
  static constexpr auto fields() {
    return std::tuple{
        field("distortion", &Options::distortion,
              "how much a squared distance may change: a factor in [1 - distortion, 1 + distortion]"),
        field("rank", &Options::rank, 0, Index(1) << 24, "measurements; 0: as few as are found"),
        field("method", &Options::method,
              "auto: smooth feasibility and rank adjustment; numax: nuclear norm; fromax: Frobenius norm; nile: the "
              "largest distortion itself"),
        field("tolerance", &Options::tolerance, 0.0, 1.0,
              "numax stops when its trace is within tolerance * trace of the lower bound"),
        field("max_iterations", &Options::max_iterations, 0, 100'000'000,
              "at most this many steps of one solve; 0: 3000, of nile 50000"),
        field("rounds", &Options::rounds, 1, 100'000,
              "sweeps over all pairs for one rank, at most: each adds the worst pairs to the working set"),
        field("eta", &Options::eta, 1e-12, 1e12, "nile: length of the first step"),
        field("beta", &Options::beta, 0.0, 1e12, "nile: beta of its Lagrangian; 0: 1 / (4 * distortion)"),
        field("beta1", &Options::beta1, 0.0, 1e12, "fromax: beta1, of the pairs; 0: 20 * columns / pairs"),
        field("beta2", &Options::beta2, 1e-12, 1e12, "fromax: beta2, of the two factors")};
  }
};

// Measured by ritz::DistanceSweep of the backend.
using ritz::MeasuredPair, ritz::WeightedPair;
using Sweep = DistanceFacts;
using SweepRequest = DistanceRequest;

struct Problem {
  const RowMatrix& X;                 // n × d, a point a row; borrowed
  std::vector<WeightedPair> pairs{};  // those that matter; empty: all
};

struct Trial {  // of one rank
  Index rank;
  bool reached;       // the distortion, on all pairs
  double distortion;  // of all pairs where reached, otherwise of the working set
  double seconds;
};

inline void keep(Archive& archive, Trial& trial) {
  archive(trial.rank, trial.reached, trial.distortion, trial.seconds);
}

struct Prefix {  // the first rows of Ψ, by themselves
  Index rank;
  double scale;       // of their squared distances
  double distortion;  // of scale·‖Ψ_r x‖², over all pairs
  double alone;       // the least distortion that was found for as many rows of their own
};

struct Result {
  Matrix psi;  // r × d, rows orthogonal, by decreasing norm; nested: the rows between two prefixes are
  double distortion = kUnknown;   // measured over all pairs of the problem
  Sweep sweep;                    // of psi: worst pairs and histogram
  double trace = kUnknown;        // ‖Ψ‖²_F = tr ΨᵀΨ
  double trace_bound = kUnknown;  // tr P of no P with this distortion is smaller; not for fromax and nile
  Index rank_bound = 0;  // no Ψ with the spectral norm of this one has fewer rows: ⌈trace_bound/‖Ψ‖²⌉
  std::vector<Trial> trials;
  std::vector<Prefix> prefixes;  // of solve_nested(); the last is Ψ itself, of scale 1
  Index working_pairs = 0;       // of the last solve
  int sweeps = 0;                // over all pairs
  Summary summary;  // its trace has a row a trial (objective: rank, measure: distortion); iterations: of all solves
  bool reached(double asked) const { return distortion <= asked * (1 + 1e-9); }
};
// Where the rank is given and too small, the result is the one of least distortion that was found at it, and
// `reached` false. Throws bad_option for a distortion outside (0, 1), bad_data without two distinct points, and lets
// Interrupted through where there is nothing yet; later the best Ψ so far is kept.
Result solve(const Problem& problem, const Options& options, RunContext& context);

// One Ψ whose first r rows keep distances nearly as well as r rows of their own, for each of the increasing ranks: the
// largest distortion of a prefix, as a multiple of the least that was found for its rank alone, is as small as is
// found; the summary's objective is that multiple. Options: all but rank and distortion, for method auto. Throws
// bad_option for more rows than the points span, otherwise as solve().
Result solve_nested(const Problem& problem, const std::vector<Index>& ranks, const Options& options,
                    RunContext& context);

// A query, and samples whose images shall be nearer to its own than those of others.
struct NearAndFar {
  Index query;
  std::vector<Index> near, far;
};
// Rows from `start` on that keep near samples nearer than far ones: a step towards a minimum, over Ψ and a threshold
// t_q of each query, of the mean over the queries of Σ softplus(±(log ‖Ψ(x_q − x_j)‖² − t_q)/0.05), + for near samples,
// − for far ones, and pull/2·‖Ψ − anchor‖². The larger the pull, the more what is learned holds for queries not seen.
Matrix keep_nearer(const RowMatrix& X, const std::vector<NearAndFar>& queries, const Matrix& start,
                   const Matrix& anchor, double pull, const RunContext& context);

// Baselines of the same rank, scaled so that the smallest and largest ratio over all pairs centre on 1.
Matrix principal_measurements(DataView X, Index rank, const RunContext& context);
Matrix random_measurements(Index columns, Index rank, const RunContext& context);  // Gaussian, variance 1/rank
void centre_ratios(Matrix& psi, const Sweep& measured);

}  // namespace ritz::isometry
