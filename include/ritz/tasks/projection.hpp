// SPDX-License-Identifier: MIT
// A few directions of the data, and what they were found with: what `reduce` and `recluster` leave behind, and what can
// be done with it later.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ritz/algorithms/clustering.hpp"
#include "ritz/data/preprocess.hpp"
#include "ritz/tasks/model.hpp"
#include "ritz/tasks/task.hpp"

namespace ritz {

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

struct Projection {
  ism::Result fit;
  KernelSum kernel;  // resolved
  ColumnScaling scaling;
  // r × q, orthonormal: W in the coordinates of the scaling's frame, where the fit was made; fit.W = basis·inner are
  // then the loadings of the scaled features. Empty without a frame: fit.W is orthonormal itself.
  Matrix inner{};
  const Matrix& fitted_W() const { return inner.size() > 0 ? inner : fit.W; }
  std::vector<std::string> feature_names;  // d
  RowMatrix embedding;                     // all rows, n × q
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

// The certificate of a model's W, from the data and the model's Γ alone: nothing the solver left is trusted.
struct ProjectionCheck {
  ism::Certificate certificate;
  double stored_objective = kUnknown, stored_first_order = kUnknown, tolerance = kUnknown;
  KernelSum kernel;
  Index n = 0, d = 0;      // of what was looked at
  bool same_data = false;  // the hash of the data is that of the fit
  bool kept = true;        // what transform and predict use is what the data give
  double allowed = 0;      // of the difference of the objectives: what approximate sums may err by, and rounding
  double first_order_bound = kUnknown;  // of the exact residual, where the fit's sums were approximate
  bool sampled = false;                 // the fit saw some of the pairs, and promised nothing of the others' residual
  std::vector<std::string> notes;
  // The objective is what the model says, the first-order residual is within the tolerance of the fit, and no direction
  // with positive curvature was found.
  bool objective_agrees() const;
  bool stationary() const;
  bool holds() const;
};

namespace projection {

// The rows of `data` in the model's space. Throws bad_shape when the columns do not match the model's.
RowMatrix transform(const ModelFile& model, const Dataset& data, const RunContext& context);
// A label for each row of `data`: for a clustering the cluster it falls into, for a fit with class labels the majority
// among its nearest fitted samples in the reduced space. Throws unsupported for a model that knows no labels.
Prediction predict(const ModelFile& model, const Dataset& data, const PredictOptions& options,
                   const RunContext& context);
// Where `data` carry labels and the fit was made with class labels, Γ comes from these; else from the model.
// `targets`: what the samples' numbers are said to be, to be compared with; without rows: they are the model's word.
ProjectionCheck check(const ModelFile& model, const Dataset& data, const CheckOptions& options,
                      const RunContext& context, const RowMatrix& targets = {});

}  // namespace projection
}  // namespace ritz
