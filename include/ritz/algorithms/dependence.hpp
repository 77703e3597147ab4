// SPDX-License-Identifier: MIT
// Do two tables of the same samples depend on each other? The Hilbert-Schmidt independence criterion (Gretton et al.,
// Measuring statistical dependence with Hilbert-Schmidt norms, 2005), its normalised form CKA (Cortes et al. 2012), and
// a permutation test.
//
// With H = I − 11ᵀ/n, HSIC = Tr(KHLH)/n² and CKA = HSIC(K, L)/√(HSIC(K, K)·HSIC(L, L)). Kernels are held as centred
// factors, HKH ≈ AAᵀ and HLH ≈ BBᵀ with few columns, so that HSIC = ‖AᵀB‖²/n² and a permutation costs one thin product.
// Whatever a factor misses, the test is exact: under independence all orders of B's rows are equally likely, and
// p = (1 + #{statistics of permutations not below the observed one})/(1 + permutations) is at most α with a probability
// of at most α.
#pragma once

#include <vector>

#include "ritz/base/context.hpp"
#include "ritz/base/parallel.hpp"
#include "ritz/data/dataset.hpp"
#include "ritz/model/kernel_sum.hpp"
#include "ritz/model/samples.hpp"

namespace ritz::dependence {

struct Side {
  Matrix factor;      // A, n × r, columns of mean 0
  double missed = 0;  // Tr(K − LLᵀ) / Tr K: what the rank leaves out
};

struct FactorOptions {
  double tolerance = 1e-6;  // enough when at most this share of Tr K is missed
  Index max_rank = 1000;
};

// Of a resolved kernel on the samples themselves. Throws unsupported for kernels that are not positive semidefinite
// whatever the data, bad_data where Tr K = 0.
Side kernel_side(const Samples& X, const KernelSum& kernel, const FactorOptions& options, const RunContext& context);
// L_ij = [y_i = y_j]: exact.
Side label_side(const Labels& labels);

double hsic(BlockIn A, BlockIn B);
double alignment(BlockIn A, BlockIn B);  // CKA, in [0, 1]; 0 where a factor is 0

// A statistic and what it is when the samples of one side are shuffled.
struct Null {
  double observed = 0;
  std::vector<double> drawn;
  // Shuffles of columns keep the groups of single columns. The one that the found clusters are told by, where it falls
  // into groups by itself, and how likely one peak looks like that; empty: none, or nobody looked.
  std::string column{};
  double column_p = 1;
  double p() const;
  double mean() const;                  // of the drawn
  double quantile(double share) const;  // the drawn value that this share of them does not exceed
};

// ‖A_partᵀ·PB‖²/n² for the permutations P numbered in `numbers` of the context's seed, a row each, and for each part of
// A's columns, a column each: parts share the permutations and one product. 2·n·r·s operations a permutation.
Matrix shuffled_statistics(BlockIn A, const std::vector<Range>& parts, BlockIn B, Range numbers,
                           const RunContext& context);

// Benjamini and Hochberg (1995): the smallest false discovery rate at which each would be called.
std::vector<double> false_discovery_rates(const std::vector<double>& p);

}  // namespace ritz::dependence
