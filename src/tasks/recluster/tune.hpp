// SPDX-License-Identifier: MIT
// Width, weight and dimension of an alternative clustering chosen by the program. Reasons: docs/algorithms/kdac.md.
//
// HSIC(XW, U) alone is fooled: with a narrow kernel K ≈ I every sample is its own cluster and it takes its largest
// value. k clusters that hold together leave k − 1 eigenvalues of the centred normalised kernel near 1 and a gap after
// them. With the leak 1 − λ_{k−1} between the clusters and the leak 1 − λ_k inside them,
//   separation = log((1 − λ_k + ε)/(1 − λ_{k−1} + ε)),  ε = 1e-3,
// is 0 for K ≈ I (both leaks vanish) and for one connected cloud (both are alike). Clusters may also consist of pieces:
// k + 1 pieces leave k eigenvalues near 1, and k-means joins two of them. The gap is then that after λ_k, and counts
// with the share of the variance of U's rows that k clusters explain; the larger one is taken. The score is
//   mean(λ_1 …) · separation · (1 − novelty) · stability,
// the mean over the eigenvalues before the gap; 0 where a cluster is a few outliers.
#pragma once

#include <string>
#include <vector>

#include "ritz/algorithms/kdac.hpp"

namespace ritz {

struct TuneOptions {
  static constexpr std::string_view name = "tune";
  bool tune = false;
  Index tune_rows = 400;
  int tune_resamples = 4;
  static constexpr auto fields() {
    return std::tuple{field("tune", &TuneOptions::tune, "choose width, lambda and dimension: those that are not given"),
                      field("tune_rows", &TuneOptions::tune_rows, 20, 1'000'000,
                            "samples that settings are tried on, a random choice of all"),
                      field("tune_resamples", &TuneOptions::tune_resamples, 0, 1000,
                            "resamples that the stability of the labels is judged by")};
  }
};

// What is fixed beforehand; 0 or NaN: to be chosen.
struct TuneFixed {
  double sigma = 0;
  double lambda = kUnknown;  // of all samples
  Index dimension = 0;
};

struct TuneStep {
  double multiple, sigma;  // of the median distance, and the width
  double lambda;           // for all samples; the search scales it to its own number of samples
  Index dimension;
  double quality, separation, novelty;
  double stability = kUnknown;  // mean agreement of labels from resamples; of the finalists only
  double score;
  std::string kind;  // wide: from the wider kernel, narrow: from more dimensions, refine, settled: solved; beyond: of a
                     // further clustering, its novelty against the chosen one, too
};

// A further clustering that the search came across: as good as half of the chosen one, and new against it, too.
struct Candidate {
  TuneStep step;       // λ is for the given clusterings and the chosen one together
  double share = 0;    // λ in units of the balanced one
  Matrix W;            // d × q
  ClusterModel model;  // labels any sample
};

struct Tuning {
  double sigma = kUnknown, lambda = kUnknown;
  Matrix W;  // d × q: where the fit to all samples starts
  std::vector<TuneStep> path;
  std::size_t chosen = 0;         // in the path
  std::vector<Candidate> others;  // best first
  std::string reason;
  std::string interrupted;  // why the search ended early; empty: it did not
};

struct Separation {
  double value;  // as above
  double held;   // mean of the eigenvalues before the gap
};
Separation cluster_separation(const Embedding& embedding, const std::vector<int>& labels);

// Gaussian kernels from 0.8 to 0.035 medians, each from the solution of the wider one; dimensions downwards, each also
// from the leading directions of the next larger one; then refined; the best are solved and judged again. Last, what
// else was met on the way, and a short search with the chosen clustering among the given ones, make the others. Throws
// Interrupted before the first fit.
Tuning tune_kdac(const Samples& X, const std::vector<Labels>& given, const TuneFixed& fixed, const kdac::Options& how,
                 const TuneOptions& options, RunContext& context);

// W after the rounds have settled on growing parts of many samples (2000, 8000, … up to half of them): what is left to
// do on all of them is then small. λ is that of all samples.
Matrix settled_on_parts(const kdac::Problem& problem, const kdac::Options& how, Matrix W, RunContext& context);

}  // namespace ritz
