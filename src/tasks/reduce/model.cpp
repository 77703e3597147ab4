// SPDX-License-Identifier: MIT
#include "tasks/reduce/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/json.hpp"
#include "ritz/metrics/neighbours.hpp"
#include "ritz/pairs/bandwidth.hpp"
#include "tasks/model/access.hpp"
#include "tasks/model/scaled_samples.hpp"
#include "tasks/reduce/json.hpp"

namespace ritz {

using namespace model_access;

namespace {

// The objective of a model and its recomputed value may differ by this much, relative: sums in another order.
constexpr double kSameObjective = 1e-9;
constexpr double kOrthonormal = 1e-8;  // max |WᵀW − I|

// The data as the model's fit saw them. A sparse file is as wide as its largest index: features that do not occur are
// zeros.
Samples model_samples(const ModelFile& model, Dataset& data) {
  const Index d = array(model, "W").rows();
  const Matrix &mean = column(model, "mean", d), &factor = column(model, "factor", d);
  if (data.sparse() && data.cols() < d) std::get<SparseRows>(data.samples).conservativeResize(data.rows(), d);
  if (data.cols() != d)
    throw Error(ErrorCode::bad_shape,
                fmt::format("{} has {} columns, the model was made for {}", data.source, data.cols(), d));
  return scaled_samples(data, {mean.col(0), factor.col(0), {}});
}

Labels stored_classes(const ModelFile& model, const Json& info, Index n) {
  Labels labels;
  labels.names = fact<std::vector<std::string>>(info, "result", "classes");
  for (const Index c : numbers(column(model, "classes", n), Index(labels.names.size()))) labels.of.push_back(int(c));
  return labels;
}

Prediction predict_by_cluster(const ModelFile& model, const Json& info, Dataset& data, const RunContext& context) {
  ClusterModel clusters;
  clusters.Z = array(model, "Z");
  clusters.coefficients = array(model, "cluster_coefficients");
  clusters.offset = column(model, "cluster_offset", clusters.coefficients.cols()).col(0);
  clusters.centers = array(model, "cluster_centers");
  clusters.kernel = parse_kernel(fact<std::string>(info, "cluster_model", "kernel"));
  clusters.by_degree = fact<bool>(info, "cluster_model", "by_degree");
  if (clusters.coefficients.rows() != clusters.Z.rows() || clusters.Z.cols() != array(model, "W").cols() ||
      clusters.centers.cols() != clusters.coefficients.cols() || clusters.centers.rows() < 1)
    reject("has arrays that do not fit together");
  const RowMatrix Z = transform(model, data, context);
  Prediction prediction;
  prediction.labels.of = predict_clusters(clusters, Z, context);
  for (Index c = 1; c <= clusters.centers.rows(); ++c) prediction.labels.names.push_back(std::to_string(c));
  prediction.rule = fmt::format("the nearest of {} clusters, in the embedding extended from {} samples",
                                clusters.centers.rows(), clusters.Z.rows());
  return prediction;
}

}  // namespace

ModelFile to_model(const Reduction& reduction, const ReduceOptions& options, const ism::Options& how) {
  ModelFile model;
  model.method = "ism";
  model.arrays["W"] = reduction.fit.W;
  model.arrays["mean"] = reduction.scaling.mean;
  model.arrays["factor"] = reduction.scaling.factor;
  if (!reduction.fit_rows.empty()) model.arrays["rows"] = as_column(reduction.fit_rows);
  if (!reduction.gamma.classes.empty()) {
    model.arrays["classes"] = as_column(reduction.gamma.classes);
  } else {
    model.arrays["gamma"] = reduction.gamma.factor.basis;
    model.arrays["gamma_weights"] = reduction.gamma.factor.weights;
  }
  Matrix fitted = reduction.embedding;
  if (!reduction.fit_rows.empty()) {
    fitted.resize(Index(reduction.fit_rows.size()), reduction.embedding.cols());
    for (std::size_t i = 0; i < reduction.fit_rows.size(); ++i)
      fitted.row(Index(i)) = reduction.embedding.row(reduction.fit_rows[i]);
  }
  model.arrays["Z"] = std::move(fitted);
  if (reduction.clusters) {
    const ClusterModel& clusters = reduction.clusters->model;
    model.arrays["cluster_coefficients"] = clusters.coefficients;
    model.arrays["cluster_offset"] = clusters.offset;
    model.arrays["cluster_centers"] = clusters.centers;
  }
  Json info = reduction_json(reduction, options, how);
  info.erase("trace");
  info.erase("peak_memory_bytes");
  info.erase("seconds");
  info["used"].erase("threads");  // the same model, byte for byte, however many computed it
  info["feature_names"] = reduction.feature_names;
  if (reduction.clusters)
    info["cluster_model"] = {{"kernel", kernel_text(reduction.clusters->model.kernel)},
                             {"by_degree", reduction.clusters->model.by_degree}};
  model.info = json_text(info);
  return model;
}

RowMatrix transform(const ModelFile& model, Dataset& data, const RunContext& context) {
  const Samples X = model_samples(model, data);
  return X.project(array(model, "W"), context);
}

Prediction predict(const ModelFile& model, Dataset& data, Index neighbours, const RunContext& context) {
  const Json info = info_of(model);
  if (model.arrays.contains("cluster_centers")) return predict_by_cluster(model, info, data, context);
  if (!model.arrays.contains("classes"))
    throw Error(ErrorCode::unsupported, "the model knows no classes: it was fitted to numeric targets");
  const RowMatrix fitted = array(model, "Z");
  const Labels classes = stored_classes(model, info, fitted.rows());
  const RowMatrix Z = transform(model, data, context);
  if (fitted.cols() != Z.cols()) reject("has arrays that do not fit together");
  const Index k = std::min(neighbours, fitted.rows());
  Prediction prediction;
  prediction.labels.names = classes.names;
  prediction.labels.of = knn_labels(fitted, classes.of, Z, k, context);
  prediction.rule =
      fmt::format("majority of the {} nearest of {} fitted samples in {} dimensions", k, fitted.rows(), fitted.cols());
  return prediction;
}

bool Check::objective_agrees() const {
  return std::abs(certificate.objective - stored_objective) <= kSameObjective * std::abs(stored_objective);
}

bool Check::stationary() const { return certificate.first_order <= std::max(tolerance, 1e-12) * 1.5; }

bool Check::holds() const {
  const bool climbs = certificate.curvature > 1e-6 * certificate.phi_norm;  // false where it is not known
  return objective_agrees() && stationary() && !climbs && certificate.orthonormality <= kOrthonormal;
}

Check check_model(const ModelFile& model, Dataset& data, Effort curvature, const RunContext& context) {
  const Json info = info_of(model);
  Check check;
  check.stored_objective = fact<double>(info, "objective");
  if (const Json& stored = fact<Json>(info, "certificate", "first_order"); stored.is_number())
    check.stored_first_order = stored.get<double>();  // null where the fit was interrupted
  // The papers' stop rule bounds another quantity than the residual; the rounds of a clustering have their own.
  const bool papers_rule = fact<std::string>(info, "options", "stop") == EnumNames<StopOn>::names[1];
  check.tolerance =
      model.arrays.contains("cluster_centers")
          ? clustering::settled_residual(fact<double>(info, "options", "round_tolerance"), array(model, "W").cols())
      : papers_rule ? ism::Options{}.tolerance
                    : fact<double>(info, "options", "tolerance");
  check.same_data = fact<std::string>(info, "data", "hash") == data_hash(data);
  if (!check.same_data) check.notes.push_back(data.source + " does not hold the data that the model was fitted to");
  if (model.arrays.contains("rows")) {
    data = select_rows(data, numbers(array(model, "rows"), data.rows()));
    check.notes.push_back(fmt::format("the fit left samples out: {} are looked at", data.rows()));
  }
  const Labels given = data.labels;
  const Samples X = model_samples(model, data);
  Gamma gamma;
  if (!model.arrays.contains("classes")) {
    const Matrix& basis = array(model, "gamma");
    gamma = factored_gamma({basis, column(model, "gamma_weights", basis.cols()).col(0)});
  } else if (given.size() > 0) {
    gamma = supervised_gamma(given);
  } else {
    const Matrix& stored = array(model, "classes");
    gamma = supervised_gamma(stored_classes(model, info, stored.rows()));
  }
  if (gamma.size() != X.rows())
    throw Error(ErrorCode::bad_shape,
                fmt::format("{} has {} rows, the model was fitted to {}", data.source, X.rows(), gamma.size()));
  ResolvedKernel resolved = resolve_bandwidths(parse_kernel(fact<std::string>(info, "options", "kernel")), X, context);
  check.kernel = resolved.kernel;
  check.certificate = ism::certify({X, std::move(gamma), resolved.kernel}, array(model, "W"), curvature, context);
  return check;
}

}  // namespace ritz
