// SPDX-License-Identifier: MIT
// Embeddings by kernel learning: maximum variance unfolding (MVU), coloured MVU, minimum volume embedding (MVE) and
// structure preserving embedding (SPE). All are data for one dual (algorithms/kernel_dual.hpp);
// docs/algorithms/unfold.md.
//
//   mvu    maximise tr HK            subject to the distances of the graph's edges
//   cmvu   maximise ⟨HYH, K⟩         the same; Y the kernel of the labels
//   mve    maximise ⟨2VVᵀ − I, K⟩    the same; V the d leading eigenvectors of the last K, until it settles
//   spe    maximise ⟨HWH, K⟩         subject to: every vertex is nearer to its neighbours than to all others
//
// K may be bound to U·A·Uᵀ, U the d smoothest vectors of the graph (Weinberger and others 2006, Song and others 2008):
// a problem of d² unknowns however many samples there are. Its optimum, and what certifies it, is that among such
// kernels.
//
// Distances are kept by a square loss C/2·(D_ij − ⟨T_ij, K⟩)², ⟨T_ij, K⟩ = K_ii + K_jj − 2K_ij.
#pragma once

#include <array>
#include <vector>

#include "ritz/algorithms/dual_solver.hpp"
#include "ritz/base/iterate.hpp"
#include "ritz/base/options.hpp"
#include "ritz/graph/graph.hpp"
#include "ritz/linalg/products.hpp"

namespace ritz::unfold {

enum class Method { mvu, cmvu, mve, spe };
constexpr auto names_of(Method) { return std::array{"mvu", "cmvu", "mve", "spe"}; }
using kernel_dual::Solver;

struct Options {
  static constexpr std::string_view name = "unfold";
  Method method = Method::mvu;
  Index dim = 2;
  double penalty = 0;
  double ridge = 0;
  double budget = 0;
  Index smooth = 0;
  Solver solver = Solver::automatic;
  double tolerance = 0;
  int max_iterations = 20'000;
  int rounds = 100;
  double max_work = 3e11;
  static constexpr auto fields() {
    return std::tuple{
        field("method", &Options::method, "mvu, cmvu (needs labels), mve or spe"),
        field("dim", &Options::dim, 1, 10'000, "dimensions of the embedding"),
        field("penalty", &Options::penalty, 0.0, 1e18,
              "weight C of the distances (spe: of the order of neighbours); 0: as much as keeps squared distances to "
              "about "
              "a hundredth, the long ones counting most (spe: as much as keeps the order; 1 with a ridge or budget)"),
        field("ridge", &Options::ridge, 0.0, 1e12, "weight G of tr K^2 / 2; 0: none"),
        field("budget", &Options::budget, 0.0, 1e18, "bound B of tr K^2; 0: none (spe: the number of samples)"),
        field(
            "smooth", &Options::smooth, 0, 1 << 24,
            "embed within this many of the graph's smoothest vectors; 0: where more than 5000 samples have a graph too "
            "dense to be embedded freely, 100; as many as samples: never"),
        field("solver", &Options::solver, "how the dual is maximised, or csdp: the general solver, if installed"),
        field("tolerance", &Options::tolerance, 0.0, 1.0,
              "stop when duality gap <= tolerance * |objective|; 0: 1e-6 with a ridge or budget, 0.01 without, 0.001 "
              "for cmvu, spe and a bounded mve"),
        field("max_iterations", &Options::max_iterations, 1, 100'000'000, "at most this many steps of a fit"),
        field("rounds", &Options::rounds, 1, 100'000, "mve: fits, at most; spe: rounds of new constraints, at most"),
        field("max_work", &Options::max_work, 1.0, 1e30,
              "spe: whole spectra, at n^3 each, of n samples that the rounds may take, about; 3e11: a minute")};
  }
};

double resolved_tolerance(const Options& options);  // what 0 stands for
// The smooth vectors that n samples are bound to as asked; 0: none, or as the graph will have it.
Index asked_smooth(const Options& options, Index samples);
// Whether n samples begin with the optimum among smooth kernels, and end there where their graph is too dense.
bool begins_smoothly(const Options& options, Index samples);

// Distances, colours and start are not looked at by spe.
struct Problem {
  Graph graph;
  Vector squared;           // of each edge
  std::vector<int> labels;  // cmvu: one a vertex, −1 where unknown
  RowMatrix start;          // n × d′: the samples, or any embedding; needed without a capacity and by mve
};

struct Result {
  RowMatrix embedding;      // n × dim: columns √κ·v of K's leading eigenvectors
  Vector spectrum;          // leading eigenvalues κ of K, dim or more
  Matrix vectors;           // their eigenvectors
  double trace = kUnknown;  // tr K: what all dimensions hold
  double held = kUnknown;   // share of it in the embedding's
  double objective = kUnknown, dual = kUnknown, gap = kUnknown, relative_gap = kUnknown;
  double penalty = kUnknown;  // C as used
  double stretch = kUnknown;  // mean of |distance² in K − wanted|/wanted over the edges
  double slack = kUnknown;    // spe: how far some stranger is nearer than a neighbour, at most (squared distances)
  Index constraints = 0;      // edges; spe: triples that were needed
  Vector alpha;               // one a constraint, of the largest dual value; zeros from csdp
  Vector kernel_alpha;        // the same of the smallest primal value, to which K belongs; not for spe
  Vector measured;            // squared distance of each edge in K; not for spe
  Matrix drawn_to;            // mve: V of the last fit
  RowMatrix smooth;  // U, n × d, orthonormal: K = UAUᵀ, and the certificate is of such kernels; or no column
  std::vector<std::array<Index, 3>> triples{};  // spe: of α: a vertex, a stranger, a neighbour
  int evaluations = 0, rounds = 0;
  Summary summary;
};
void keep(Archive& archive, Result& result);
// Throws bad_data for a graph that is not connected where that makes the problem unbounded (no capacity, mvu and mve),
// and lets Interrupted through where there is no embedding yet.
Result solve(const Problem& problem, const Options& options, RunContext& context);

// The dual's data of one fit (mve: of its first), for oracles: `penalty` as resolved.
kernel_dual::Problem dual_problem(const Problem& problem, const Options& options, RunContext& context);

}  // namespace ritz::unfold
