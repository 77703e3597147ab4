// SPDX-License-Identifier: MIT
// From a data set to an interpretable projection: what `ritz reduce` does between reading and writing files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ritz/algorithms/ism.hpp"
#include "ritz/tasks/model.hpp"
#include "ritz/tasks/reduce_options.hpp"

namespace ritz {

struct HoldoutReport {
  Index train = 0, test = 0, neighbours = 0;
  double accuracy_before = kUnknown;  // k-NN on all (scaled) features
  double accuracy_after = kUnknown;   // k-NN in the reduced space
};

// What the clustering modes found.
struct ClusterReport {
  Labels labels;              // of all rows; names "1", "2", …
  ClusterModel model;         // labels new samples
  double quality = kUnknown;  // CQ = HSIC(XW, U) without 1/(n − 1)²
  double gap = kUnknown;  // eigenvalue k minus eigenvalue k + 1 of the kernel matrix: near 0, clusters are arbitrary
  // Agreement with the truth, where one is given: of these clusters, of plain spectral clustering and of k-means on all
  // features.
  double nmi = kUnknown, nmi_spectral = kUnknown, nmi_kmeans = kUnknown;
  std::string labelled_by;
};

struct Reduction {
  Mode mode = Mode::supervised;
  ism::Result fit;
  KernelSum kernel;  // resolved
  ColumnScaling scaling;
  std::vector<std::string> feature_names;  // d
  Labels classes;                          // of all rows
  RowMatrix embedding;                     // all rows, n × q
  HoldoutReport holdout;
  std::optional<ClusterReport> clusters;
  Index n = 0, d = 0;             // as read, before any hold-out
  std::vector<Index> fit_rows;    // the rows that were fitted; empty: all
  Gamma gamma;                    // of the fitted rows
  double gamma_trace = kUnknown;  // Tr Γ: what a kernel's diagonal of ones adds to the objective
  std::string data_hash;
};

// Indices of the entries of largest magnitude, the largest first, at most `most`; zeros are left out.
std::vector<Index> strongest_features(const Vector& loadings, Index most);
inline constexpr Index kLoadingsShown = 5;

// Scales the data in place (sparse data are scaled on the fly), resolves the kernel's widths, chooses the dimension
// where asked, fits, and embeds all rows. Throws Error for what the caller can put right; memory is checked against
// context.max_memory before the work begins. Interrupted leaves the best fit so far, or comes through when there is
// none.
Reduction reduce(Dataset& data, const ReduceOptions& options, const ism::Options& how, RunContext& context,
                 const Guidance& guidance = {});

}  // namespace ritz
