// SPDX-License-Identifier: MIT
// Do the features tell anything about the labels, numbers or second table that stand beside them, and which of them do:
// the task `depend`. HSIC, its normalised form CKA, a permutation test, and the same for each feature with control of
// false discoveries. Nothing is fitted: what it finds holds of the samples as they are.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ritz/base/iterate.hpp"
#include "ritz/base/options.hpp"
#include "ritz/data/dataset.hpp"
#include "ritz/data/preprocess.hpp"
#include "ritz/tasks/model.hpp"

namespace ritz::depend {

struct DependOptions {
  static constexpr std::string_view name = "depend";
  std::string kernel = "gaussian(sigma=median)";
  std::string target_kernel = "gaussian(sigma=median)";
  Scaling scale = Scaling::standard;
  int permutations = 1000;
  double level = 0.05;
  bool features = true;
  double tolerance = 1e-6;
  Index max_rank = 0;
  static constexpr auto fields() {
    return std::tuple{
        field("kernel", &DependOptions::kernel,
              "of the samples: gaussian sees every kind of dependence, linear only correlations"),
        field("target_kernel", &DependOptions::target_kernel,
              "of the numbers beside them; classes are compared as equal or not"),
        field("scale", &DependOptions::scale, "standardise columns, only centre them, or leave them"),
        field("permutations", &DependOptions::permutations, 19, 10'000'000,
              "how often the pairing is shuffled; p cannot be below 1/(1 + this)"),
        field("level", &DependOptions::level, 0.0, 0.5,
              "a smaller p counts as evidence; for the features: the share of false discoveries that is accepted"),
        field("features", &DependOptions::features, "test every feature by itself, too"),
        field("tolerance", &DependOptions::tolerance, 0.0, 1.0, "share of a kernel's trace that its factor may miss"),
        field("max_rank", &DependOptions::max_rank, 0, 1'000'000,
              "largest rank of a factor; 0: what a minute allows. The test is exact for any rank")};
  }
};

// What the samples are compared with: numbers, or else classes, or where both are empty the data's own labels.
struct Other {
  RowMatrix numbers;  // n × m
  Labels labels;
  std::vector<std::string> names{};  // of the columns of numbers; empty: they have none
};

struct FeatureDependence {
  std::string name;
  double hsic = 0, cka = 0;
  double p = 1;     // of its own permutation test
  double rate = 1;  // false discovery rate at which it would be called (Benjamini and Hochberg)
};

struct DependResult {
  double hsic = kUnknown, cka = kUnknown;
  double p = kUnknown;
  double null_mean = kUnknown, null_quantile = kUnknown;  // HSIC of shuffled pairs: mean, and quantile 1 − level
  std::vector<double> null;                               // HSIC of each permutation
  std::vector<FeatureDependence> features;                // as the columns stand
  std::uint64_t seed = 0;                                 // of the permutations
  Index n = 0, d = 0, rank = 0, other_rank = 0;
  double missed = 0, other_missed = 0;  // shares of the kernels' traces that the factors of the test leave out
  bool exact = false;                   // hsic and cka are of the whole kernel of the samples
  std::string against;                  // "3 classes", "2 columns of numbers"
  std::string data_hash;                // of both
  Summary summary;
};

// Throws bad_data where there is nothing to compare with, where all samples or all others are equal, or fewer than 5
// samples. Interrupted leaves a test with the permutations so far, or comes through where there are none.
DependResult fit(const Dataset& data, const Other& other, const DependOptions& options, RunContext& context);

double forecast(double rows, double columns, const DependOptions& options);  // bytes, the samples included

}  // namespace ritz::depend
