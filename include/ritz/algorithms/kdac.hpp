// SPDX-License-Identifier: MIT
// Another clustering of the same samples: good, and different from the ones that are known (KDAC).
// Derivation, errata of the paper and a table of its symbols: docs/algorithms/kdac.md.
//
//   maximise F = Tr(ΓK), Γ = D^(−½)H(UUᵀ − λΣYYᵀ)HD^(−½), K = K(XW), D = diag(K1), over WᵀW = I and UᵀU = I
//
// = HSIC(XW, U) − λ·Σ HSIC(XW, Y): quality of the clusters that U shows, less agreement with those that are given (Y
// one-hot). The loop is that of clustering.hpp: U step, W step by ISM with D held fixed, keep the best round.
#pragma once

#include <array>
#include <vector>

#include "ritz/algorithms/clustering.hpp"

namespace ritz {

// Where the loop starts: from the spectral embedding of the samples themselves and the top eigenvectors of Φ₀, or from
// that embedding and random subspaces, as in the paper's Algorithm 1.
enum class Init { spectral, random };
constexpr auto names_of(Init) { return std::array{"spectral", "random"}; }

// Whether K is divided by the roots of its degrees. `auto`: where all values of the kernel are positive (gaussian,
// rbf-relative); other kernels give some samples degrees that are not positive, and D^(−½) has no meaning.
enum class ByDegree { automatic, always, never };
constexpr auto names_of(ByDegree) { return std::array{"auto", "always", "never"}; }

namespace kdac {

struct Problem {
  const Samples& X;           // n × d, borrowed
  KernelSum kernel;           // resolved
  std::vector<Labels> given;  // the clusterings to stay away from; at least one
  double lambda = 1;          // λ >= 0: how far
};

struct Options {
  static constexpr std::string_view name = "kdac";
  Index clusters = 2;
  Index dimension = 0;
  Init init = Init::spectral;
  int restarts = 0;
  ByDegree by_degree = ByDegree::automatic;
  double round_tolerance = 1e-3;
  int max_rounds = 100;
  int inner_iterations = 100;
  double inner_tolerance = 1e-4;  // tighter, rounds drift along flat valleys instead of settling
  Solver solver = Solver::ism;
  LabelBy label_by = LabelBy::automatic;
  int kmeans_starts = 20;
  Effort curvature = Effort::automatic;
  PairAccuracy accuracy = {};
  static constexpr auto fields() {
    return std::tuple_cat(
        clustering::loop_rows<Options>(),
        std::tuple{
            field("init", &Options::init, "start of the loop: spectral, or random subspaces"),
            field("restarts", &Options::restarts, 0, 1'000'000,
                  "random starts: that many in place of the spectral one (kdac.init random, at least one) or "
                  "beside it; the best is kept"),
            field("by_degree", &Options::by_degree,
                  "divide the kernel matrix by the roots of its row sums (auto: for kernels of positive values)")});
  }
};

struct Result {
  clustering::Result found;   // W, U, labels, model, certificate of the W step, summary
  double cost = kUnknown;     // Eq. 2: λ·hsic_given − quality = −F
  double quality = kUnknown;  // CQ = HSIC(XW, U) without 1/(n − 1)²; at most k with degrees
  bool by_degree = false;
  double hsic_given = kUnknown;  // Σ HSIC(XW, Y), likewise
  std::vector<double> novelty;   // NMI of the found labels with each given clustering: 0 is new, 1 is the same
  double gap = kUnknown;         // eigenvalue k less eigenvalue k + 1 of the (normalised) kernel matrix
  double worst_novelty() const;  // the largest NMI
};

// Throws bad_data where a given clustering has one cluster only or degrees are not positive, bad_shape where it has
// another length, bad_option where clusters or dimension do not fit. Interrupted after the first round: the best so
// far, with the reason in the summary. `start` (d × q, orthonormal) stands in for the spectral start.
Result solve(const Problem& problem, const Options& options, RunContext& context, const Matrix& start = {});

}  // namespace kdac
}  // namespace ritz
