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

#include "tasks/recluster/task.hpp"

namespace ritz::recluster {

// What is fixed beforehand; 0 or NaN: to be chosen.
struct TuneFixed {
  double sigma = 0;
  double lambda = kUnknown;  // of all samples
  Index dimension = 0;
};

struct Separation {
  double value;  // as above
  double held;   // mean of the eigenvalues before the gap
};
Separation cluster_separation(const Embedding& embedding, const std::vector<int>& labels);
// See View::degenerate.
std::string degenerate(const kdac::Result& result, Index clusters);

// Gaussian kernels from 0.8 to 0.035 medians, each from the solution of the wider one; dimensions downwards, each also
// from the leading directions of the next larger one; then refined; the best are solved and judged again. Last, what
// else was met on the way, and a short search with the chosen clustering among the given ones, make the others. Throws
// Interrupted before the first fit.
Tuning tune_kdac(const Samples& X, const std::vector<Labels>& given, const TuneFixed& fixed, const kdac::Options& how,
                 const TuneOptions& options, RunContext& context);

// Some of the samples, with their given labels.
struct Part {
  RowMatrix rows;
  std::vector<Labels> given;
};

// `count` rows at least: a few of every given cluster, then any. In increasing order; `place` names the draw.
std::vector<Index> chosen_rows(const std::vector<Labels>& given, Index n, Index count, std::uint64_t seed,
                               std::uint64_t place);
Part part_of(const Samples& X, const std::vector<Labels>& given, const std::vector<Index>& rows);

// How clear the clusters of quick fits of the problem to at most kNullRows samples are, from the samples themselves and
// from W, the better of both: separation times the eigenvalues before the gap, without degrees the quality. Drawn: the
// same where each column is shuffled on its own, which leaves no clusters but those of single columns. A search for the
// setting is not repeated in the shuffled columns.
inline constexpr Index kNullRows = 200;
dependence::Null shuffled_columns(const kdac::Problem& problem, const kdac::Options& how, const Matrix& W,
                                  int permutations, const RunContext& context);

// W after the rounds have settled on growing parts of many samples (2000, 8000, … up to half of them): what is left to
// do on all of them is then small. λ is that of all samples.
Matrix settled_on_parts(const kdac::Problem& problem, const kdac::Options& how, Matrix W, RunContext& context);

}  // namespace ritz::recluster
