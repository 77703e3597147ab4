// SPDX-License-Identifier: MIT
// What `ritz reduce` leaves behind, and what can be done with it later: new coordinates, new labels, a second look.
#pragma once

#include "ritz/tasks/reduce.hpp"

namespace ritz {

ModelFile to_model(const Reduction& reduction, const ReduceOptions& options, const ism::Options& how);

// The rows of `data` in the model's space; dense data are scaled in place, as in the fit. Throws bad_shape when the
// columns do not match the model's.
RowMatrix transform(const ModelFile& model, Dataset& data, const RunContext& context);

// A label for each row of `data`: for a clustering the cluster it falls into, for a fit with class labels the majority
// among its nearest fitted samples in the reduced space. Data are scaled in place. Throws unsupported for a model that
// knows no labels.
struct Prediction {
  Labels labels;
  std::string rule;  // how they were found
};
Prediction predict(const ModelFile& model, Dataset& data, Index neighbours, const RunContext& context);

// The certificate of the model's W, from the data and the model's Γ alone: nothing the solver left is trusted.
struct Check {
  ism::Certificate certificate;
  double stored_objective = kUnknown, stored_first_order = kUnknown, tolerance = kUnknown;
  KernelSum kernel;
  bool same_data = false;  // the hash of the data is that of the fit
  std::vector<std::string> notes;
  // The objective is what the model says, the first-order residual is within the tolerance of the fit, and no direction
  // with positive curvature was found.
  bool objective_agrees() const;
  bool stationary() const;
  bool holds() const;
};
// Where `data` carry labels and the fit was made with class labels, Γ comes from these; else from the model.
Check check_model(const ModelFile& model, Dataset& data, Effort curvature, const RunContext& context);

}  // namespace ritz
