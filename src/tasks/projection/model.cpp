// SPDX-License-Identifier: MIT
// Model files of projections: writing them, and new samples in their space.

#include "metrics/neighbours.hpp"
#include "metrics/regression.hpp"
#include "ritz/linalg/products.hpp"
#include "tasks/model/access.hpp"
#include "tasks/projection/report.hpp"

namespace ritz::projection {

using namespace model_access;

namespace {}  // namespace

ClusterModel stored_clusters(const ModelFile& model, const Json& info) {
  ClusterModel clusters;
  clusters.Z = array(model, "Z");
  clusters.coefficients = array(model, "cluster_coefficients");
  clusters.offset = column(model, "cluster_offset", clusters.coefficients.cols()).col(0);
  clusters.centers = array(model, "cluster_centers");
  clusters.kernel = parse_kernel(fact<std::string>(info, "cluster_model", "kernel"));
  clusters.by_degree = fact<bool>(info, "cluster_model", "by_degree");
  clusters.of_samples = info.at("cluster_model").contains("of_samples") &&  // older models have embeddings only
                        fact<bool>(info, "cluster_model", "of_samples");
  const Index columns = clusters.of_samples ? clusters.Z.cols() : clusters.coefficients.cols();
  if (clusters.coefficients.rows() != clusters.Z.rows() || clusters.Z.cols() != array(model, "W").cols() ||
      clusters.centers.cols() != columns || clusters.centers.rows() < 1)
    reject("has arrays that do not fit together");
  return clusters;
}

namespace {

Prediction predict_by_cluster(const ModelFile& model, const Json& info, const Dataset& data,
                              const RunContext& context) {
  const ClusterModel clusters = stored_clusters(model, info);
  const RowMatrix Z = transform(model, data, context);
  Prediction prediction;
  prediction.clusters = true;
  prediction.labels.of = predict_clusters(clusters, Z, context);
  prediction.labels.names = numbered_names("", clusters.centers.rows());
  prediction.rule = clusters.of_samples
                        ? fmt::format("the nearest of {} clusters in the subspace", clusters.centers.rows())
                        : fmt::format("the nearest of {} clusters, in the embedding extended from {} samples",
                                      clusters.centers.rows(), clusters.Z.rows());
  return prediction;
}

// The mean of the nearest fitted samples' targets; a text a row, with a comma between several targets.
Prediction predict_numbers(const ModelFile& model, const RowMatrix& fitted, const Dataset& data,
                           const PredictOptions& options, const RunContext& context) {
  const RowMatrix targets = array(model, "targets"), Z = transform(model, data, context);
  if (targets.rows() != fitted.rows() || fitted.cols() != Z.cols()) reject("has arrays that do not fit together");
  const Index k = std::min(options.neighbours, fitted.rows());
  Prediction prediction;
  prediction.values = knn_means(fitted, targets, Z, k, context);
  for (Index i = 0; i < prediction.values.rows(); ++i) {
    std::string text;
    for (const double value : prediction.values.row(i)) text.append(text.empty() ? "" : ",").append(number_text(value));
    prediction.labels.of.push_back(int(i));
    prediction.labels.names.push_back(std::move(text));
  }
  prediction.rule = fmt::format("the mean target of the {} nearest of {} fitted samples in {} dimensions", k,
                                fitted.rows(), fitted.cols());
  return prediction;
}

}  // namespace

void bring_back(Projection& found) {
  const Frame& frame = found.scaling.frame;
  if (frame.empty()) return;
  found.inner = std::move(found.fit.W);
  found.fit.W = product(frame.basis, found.inner);
}

ColumnScaling model_scaling(const ModelFile& model, const Dataset& data) {
  const Index d = array(model, "W").rows();
  const Matrix &mean = column(model, "mean", d), &factor = column(model, "factor", d);
  if (data.cols() != d && !(data.sparse() && data.cols() < d))
    fail(ErrorCode::bad_shape, "{} has {} columns, the model was made for {}", data.source, data.cols(), d);
  return {mean.col(0), factor.col(0), {}};
}

Labels stored_classes(const ModelFile& model, const Json& info, Index n) {
  Labels labels;
  labels.names = fact<std::vector<std::string>>(info, "result", "classes");
  for (const Index c : numbers(column(model, "classes", n), Index(labels.names.size()))) labels.of.push_back(int(c));
  return labels;
}

ModelFile to_model(std::string_view method, const Projection& found, Json facts) {
  ModelFile model;
  model.method = method;
  model.arrays["W"] = found.fit.W;
  model.arrays["mean"] = found.scaling.mean;
  model.arrays["factor"] = found.scaling.factor;
  if (const Frame& frame = found.scaling.frame; !frame.empty() && !frame.orthonormal) {  // what `check` fits in
    model.arrays["frame"] = frame.basis;
    model.arrays["frame_W"] = found.inner;
  }
  if (!found.fit_rows.empty()) model.arrays["rows"] = as_column(found.fit_rows);
  if (!found.gamma.classes.empty()) {
    model.arrays["classes"] = as_column(found.gamma.classes);
  } else {
    model.arrays["gamma"] = found.gamma.factor.basis;
    model.arrays["gamma_weights"] = found.gamma.factor.weights;
  }
  Matrix fitted = found.embedding;
  if (!found.fit_rows.empty()) fitted = found.embedding(found.fit_rows, Eigen::all);
  model.arrays["Z"] = std::move(fitted);
  if (found.clusters) {
    const ClusterModel& clusters = found.clusters->model;
    model.arrays["cluster_coefficients"] = clusters.coefficients;
    model.arrays["cluster_offset"] = clusters.offset;
    model.arrays["cluster_centers"] = clusters.centers;
    facts["cluster_model"] = {{"kernel", kernel_text(clusters.kernel)},
                              {"by_degree", clusters.by_degree},
                              {"of_samples", clusters.of_samples}};
  }
  for (const char* where :
       {"threads", "samples"})  // the same model, byte for byte, however many computed it, and where
    facts["used"].erase(where);
  facts["feature_names"] = found.feature_names;
  model.info = info_text(std::move(facts));
  return model;
}

RowMatrix transform(const ModelFile& model, const Dataset& data, const RunContext& context) {
  return ScaledSamples(data, model_scaling(model, data)).samples().project(array(model, "W"), context);
}

Prediction predict(const ModelFile& model, const Dataset& data, const PredictOptions& options,
                   const RunContext& context) {
  const Json info = info_of(model);
  if (model.arrays.contains("cluster_centers")) return predict_by_cluster(model, info, data, context);
  const RowMatrix fitted = array(model, "Z");
  if (model.arrays.contains("targets")) return predict_numbers(model, fitted, data, options, context);
  if (!model.arrays.contains("classes"))
    fail(ErrorCode::unsupported, "the model knows neither classes nor targets: it was fitted by an older version");
  const Labels classes = stored_classes(model, info, fitted.rows());
  const RowMatrix Z = transform(model, data, context);
  if (fitted.cols() != Z.cols()) reject("has arrays that do not fit together");
  const Index k = std::min(options.neighbours, fitted.rows());
  Prediction prediction;
  prediction.labels.names = classes.names;
  prediction.labels.of = knn_labels(fitted, classes.of, Z, k, context);
  RowMatrix members = RowMatrix::Zero(fitted.rows(), classes.classes());
  for (Index i = 0; i < fitted.rows(); ++i) members(i, classes.of[std::size_t(i)]) = 1;
  prediction.votes = knn_means(fitted, members, Z, k, context);
  prediction.rule =
      fmt::format("majority of the {} nearest of {} fitted samples in {} dimensions", k, fitted.rows(), fitted.cols());
  return prediction;
}

}  // namespace ritz::projection
