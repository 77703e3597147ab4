// SPDX-License-Identifier: MIT
// The fewest linear measurements of samples that keep their distances: the task `isometry`. Also the rank that each of
// several distortions needs, beside that of principal components.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "ritz/algorithms/isometry.hpp"
#include "ritz/base/options.hpp"
#include "ritz/data/dataset.hpp"
#include "ritz/tasks/model.hpp"

namespace ritz::isometry {

// Which pairs are kept: all, so many drawn at random, or each sample with so many nearest ones.
struct SecantChoice {
  enum class Kind { all, sample, nearest } kind = Kind::all;
  Index count = 0;
};

// What is asked for: few rows that keep every distance, or rows of a given number that keep nearest neighbours.
enum class Objective { distortion, recall };
constexpr auto names_of(Objective) { return std::array{"distortion", "recall"}; }

struct IsometryOptions {
  static constexpr std::string_view name = "isometry";
  Options how;  // its distortion is not asked for where there is a sweep
  SecantChoice secants;
  Index recall = 0;
  std::vector<double> sweep;
  Objective objective = Objective::distortion;
  double holdout = 0;
  std::vector<Index> prefixes;
  static constexpr auto fields() {
    return std::tuple{
        rows(&IsometryOptions::how),
        field("secants", &IsometryOptions::secants,
              "the pairs whose distances are kept: all, sample:N at random, or nearest:K of each sample"),
        field("recall", &IsometryOptions::recall, 0, 100'000,
              "report how many of the K nearest neighbours stay so; 0: not measured"),
        field("sweep", &IsometryOptions::sweep,
              "distortions, with commas between them: the rank at each, beside that of principal components"),
        field("objective", &IsometryOptions::objective,
              "distortion: every distance is kept; recall: at isometry.rank the nearest neighbours are, for search "
              "(isometry.recall of them, or 10)"),
        field("holdout", &IsometryOptions::holdout, 0.0, 0.9,
              "share of the samples that a second fit does not see: how well their distances are kept; 0: none"),
        field("prefixes", &IsometryOptions::prefixes,
              "numbers of rows, increasing, with commas between them: one projection whose first rows, so many, keep "
              "distances about as well as a projection of their own")};
  }
};

// One row of the comparison at equal rank.
struct Compared {
  std::string name;              // "ritz", "pca", "random"
  double distortion = kUnknown;  // over the same pairs; baselines are scaled to the least
  double lowest = kUnknown, highest = kUnknown;
  double recall = kUnknown;  // share of the true nearest neighbours kept
};

struct RankAt {
  double distortion;
  Index rank, principal;  // smallest found; of principal components, scaled to the least distortion, 0: not counted
  double seconds;
  bool finished = true;  // not: interrupted, and fewer measurements may do
};

struct IsometryResult {
  Result fit;  // phases of the summary: solve (sweeps and bound are parts of it), judge; of a sweep the summary alone
  Index n = 0, d = 0;
  std::string data_hash;
  std::vector<std::string> feature_names;
  std::vector<WeightedPair> pairs;   // empty: all
  std::vector<Compared> comparison;  // the first is Ψ
  Index recall = 0, recall_queries = 0;
  double lowest_bin = 0, highest_bin = 2;                                           // of fit.sweep.histogram
  Index holdout_rows = 0, holdout_rank = 0, holdout_beyond = 0, holdout_pairs = 0;  // of the second fit; 0 rows: none
  double holdout_distortion = kUnknown, holdout_fitted = kUnknown;
  // Objective recall: samples that neither the fit nor the choice of its settings saw, and the neighbours it keeps of
  // them; 0 queries: too few samples to hold some out.
  Index search_queries = 0;
  double search_recall = kUnknown, search_principal = kUnknown;
  std::vector<double> principal_prefixes;  // distortion of as many principal components as each prefix has rows
  std::vector<RankAt> sweep;               // as many as there was time for; empty: none was asked for
};

// `pairs` are those that matter; without them options.secants says which. Sparse samples are filled in. Throws
// infeasible, with the least distortion that was reached, where the rank is too small; otherwise as solve(). A sweep
// that is interrupted keeps the distortions that are done.
IsometryResult fit(const Dataset& data, const std::vector<WeightedPair>& pairs, const IsometryOptions& options,
                   RunContext& context);

// Fewest principal components with at most this distortion over all pairs.
Index principal_rank(const RowMatrix& X, double distortion, const RunContext& context);

// Throws unsupported for a sweep.
ModelFile to_model(const IsometryResult& found, const IsometryOptions& options);
RowMatrix measurements(const Dataset& data, const Matrix& psi, const RunContext& context);  // XΨᵀ
// The same with the Ψ of a model. Throws bad_shape when the columns do not match.
RowMatrix transform(const ModelFile& model, const Dataset& data, const RunContext& context);

struct CheckedPrefix {
  Index rank;
  double stored, distortion;
  bool agrees() const { return std::abs(distortion - stored) <= 1e-9 * (1 + stored); }
};
struct IsometryCheck {
  bool same_data = false;
  std::vector<CheckedPrefix> prefixes;  // where the model has some
  double asked = kUnknown, distortion = kUnknown, stored = kUnknown;
  Sweep sweep;
  // No pair beyond the asked distortion, and of the fitted data: what the model says of it is true.
  bool holds() const { return distortion <= limit() && sweep.beyond == 0 && (!same_data || agrees()); }
  double limit() const { return asked * (1 + 1e-9); }  // of the sweep's band
  bool agrees() const {
    return std::abs(distortion - stored) <= 1e-9 * (1 + stored) &&
           std::ranges::all_of(prefixes, &CheckedPrefix::agrees);
  }
};
// All pairs of the data (of the fitted data: the pairs of the fit) measured anew; new data give the held-out
// distortion.
IsometryCheck check(const ModelFile& model, const Dataset& data, const RunContext& context);

double forecast(double rows, double columns);  // bytes: about what a fit holds at a time

}  // namespace ritz::isometry

namespace ritz {
template <>
struct TextForm<isometry::SecantChoice> {
  static std::string kind() { return "all, sample:N or nearest:K"; }
  static std::optional<isometry::SecantChoice> parse(std::string_view text);
  static std::string print(const isometry::SecantChoice& choice);
};
}  // namespace ritz
