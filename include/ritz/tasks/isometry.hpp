// SPDX-License-Identifier: MIT
// From samples to few measurements that keep distances: what `ritz isometry` does between reading and writing files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ritz/algorithms/isometry.hpp"
#include "ritz/data/dataset.hpp"
#include "ritz/tasks/model.hpp"

namespace ritz {

inline constexpr std::string_view kIsometryMethod = "isometry";

// Which pairs are kept: all, so many drawn at random, or each sample with so many nearest ones.
struct SecantChoice {
  enum class Kind { all, sample, nearest } kind = Kind::all;
  Index count = 0;
};
template <>
struct TextForm<SecantChoice> {
  static std::string kind() { return "all, sample:N or nearest:K"; }
  static std::optional<SecantChoice> parse(std::string_view text);
  static std::string print(const SecantChoice& choice);
};

struct IsometryOptions {
  static constexpr std::string_view name = "isometry";
  SecantChoice secants;
  Index recall = 0;
  bool baselines = true;
  static constexpr auto fields() {
    return std::tuple{field("secants", &IsometryOptions::secants,
                            "the pairs whose distances are kept: all, sample:N at random, or nearest:K of each sample"),
                      field("recall", &IsometryOptions::recall, 0, 100'000,
                            "report how many of the K nearest neighbours stay so; 0: not measured")};
  }
};

// One row of the comparison at equal rank.
struct IsometryRow {
  std::string name;              // "ritz", "pca", "random"
  double distortion = kUnknown;  // over the same pairs; baselines are scaled to the least
  double lowest = kUnknown, highest = kUnknown;
  double recall = kUnknown;  // share of the true nearest neighbours kept
};

struct Isometry {
  isometry::Result fit;  // phases of the summary: solve, measure, judge
  Index n = 0, d = 0;
  std::string data_hash;
  std::vector<std::string> feature_names;
  std::vector<isometry::WeightedPair> pairs;  // empty: all
  std::vector<IsometryRow> rows;              // the first is Ψ
  Index recall = 0, recall_queries = 0;
  double lowest_bin = 0, highest_bin = 2;  // of fit.sweep.histogram
};

// Pairs given by a file go before --secants. Sparse samples are filled in. Throws infeasible, with the least distortion
// that was reached, where the rank is too small; otherwise as isometry::solve.
Isometry keep_distances(const Dataset& data, const std::vector<isometry::WeightedPair>& given,
                        const IsometryOptions& options, const isometry::Options& how, RunContext& context);

// About what a fit holds at a time.
double isometry_bytes(double rows, double columns);

// --- rank against distortion ----------------------------------------------------------------------------------------

struct RankAgainstDistortion {
  std::vector<double> distortions;
  std::vector<Index> ranks, pca;  // smallest found; principal components, scaled to the least distortion
  std::vector<double> seconds;
  Matrix psi;  // of the last
};
RankAgainstDistortion sweep_distortions(const Dataset& data, const std::vector<double>& distortions,
                                        const IsometryOptions& options, const isometry::Options& how,
                                        RunContext& context);
// Fewest principal components with at most this distortion over all pairs.
Index principal_rank(const RowMatrix& X, double distortion, const RunContext& context);

// --- model ----------------------------------------------------------------------------------------------------------

ModelFile to_model(const Isometry& found, const IsometryOptions& options, const isometry::Options& how);
// XΨᵀ. Throws bad_shape when the columns do not match.
RowMatrix measure_samples(const ModelFile& model, const Dataset& data, const RunContext& context);

struct IsometryCheck {
  bool same_data = false;
  double asked = kUnknown, distortion = kUnknown, stored = kUnknown;
  isometry::Sweep sweep;
  // Of the fitted data: within the asked distortion, and what the model says of it is true.
  bool holds() const { return distortion <= asked * (1 + 1e-9) && (!same_data || agrees()); }
  bool agrees() const { return std::abs(distortion - stored) <= 1e-9 * (1 + stored); }
};
// All pairs of the data (of the fitted data: the pairs of the fit) measured anew; new data give the held-out
// distortion.
IsometryCheck check_isometry(const ModelFile& model, const Dataset& data, const RunContext& context);

// --- pictures -------------------------------------------------------------------------------------------------------

std::string ratio_svg(const Isometry& found, double distortion);  // the histogram of ratios with the band 1 ± δ
std::string rank_svg(const RankAgainstDistortion& found, Index samples, Index features);

}  // namespace ritz
