// SPDX-License-Identifier: MIT

#include "ritz/cluster/kmeans.hpp"
#include "tasks/kernel/task.hpp"
#include "tasks/model/samples.hpp"

namespace ritz::kernel {

using namespace model_access;

namespace {

SymFactor stored_kernel(const ModelFile& model) {
  const Matrix& basis = array(model, "basis");
  return {basis, column(model, "weights", basis.cols()).col(0)};
}

GraphKind stored_kind(const Json& info) {
  const auto kind = TextForm<GraphKind>::parse(fact<std::string>(info, "options", "graph"));
  if (!kind) reject("names a graph that is not known");
  return *kind;
}

struct Extension {
  RowMatrix factor;
  std::vector<Index> nearest;  // fitted sample
  std::vector<bool> same;      // … which is equal
  Index unlinked = 0;          // rows without a link: zeros
};

Extension extended(const ModelFile& model, const Dataset& data, const RunContext& context) {
  const Json info = info_of(model);
  const SymFactor kernel = stored_kernel(model);
  const Index n = kernel.basis.rows(), r = kernel.basis.cols();
  const Matrix &eigenvalues = column(model, "eigenvalues", r), &degree = column(model, "degrees", n);
  Extension result;
  if (data.rows() == n && fact<std::string>(info, "data", "hash") == data_hash(data)) {
    result.factor = kernel.root();
    for (Index i = 0; i < n; ++i) result.nearest.push_back(i);
    result.same.assign(std::size_t(n), true);
    return result;
  }
  const auto fitted = stored_samples(model, array(model, "mean").rows());
  if (std::visit([](const auto& X) { return Index(X.rows()); }, fitted) != n)
    reject("has arrays that do not fit together");
  const Index k = std::clamp<Index>(fact<Index>(info, "options", "neighbours"), 1, n);
  const NeighbourTable table = nearest_fitted(fitted, scaled_like_model(model, data), k, context);
  const bool mutual = stored_kind(info) == GraphKind::mutual && !model.arrays.contains("edges");
  const Matrix reach = mutual ? column(model, "reach", n) : Matrix();
  std::vector<std::vector<Index>> links(std::size_t(data.rows()));
  for (Index x = 0; x < data.rows(); ++x) {
    const auto rows = table.rows_of(x);
    const auto squared = table.squared_of(x);
    result.nearest.push_back(rows[0]);
    for (std::size_t j = 0; j < rows.size(); ++j)
      if (!mutual || squared[j] < reach(rows[j], 0)) links[std::size_t(x)].push_back(rows[j]);
  }
  result.factor = npkl::extend(kernel, eigenvalues.col(0), degree.col(0), links);
  for (Index x = 0; x < data.rows(); ++x) {
    result.same.push_back(table.squared_of(x)[0] == 0);
    if (result.same.back())
      result.factor.row(x) =
          kernel.basis.row(result.nearest[std::size_t(x)]).cwiseProduct(kernel.weights.cwiseSqrt().transpose());
    else if (links[std::size_t(x)].empty())
      ++result.unlinked;
  }
  return result;
}

}  // namespace

Blend stored_blend(const Json& info) {
  const Json clusters = fact<Json>(info, "result", "clusters");
  if (!clusters.is_object() || !clusters.contains("weights")) return {};
  const Json& weights = clusters["weights"];
  if (!weights.is_array() || weights.size() != 2 || !weights[0].is_number() || !weights[1].is_number())
    reject("has weights of the clusters that cannot be read");
  return {weights[0].get<double>(), weights[1].get<double>()};
}

void require_extension(const KernelOptions& options) {
  if (options.how.solver == npkl::Solver::csdp && options.how.budget > 0)
    fail(ErrorCode::unsupported,
         "kernel.save_model: csdp does not say the eigenvalues that new samples need with a budget; use "
         "kernel.ridge or another kernel.solver");
}

ModelFile to_model(const KernelResult& found, const Dataset& data, const KernelOptions& options) {
  require_extension(options);
  ModelFile model;
  model.method = std::string(KernelTask::method);
  store_samples(model, *scaled_data(data, found.scaling));
  model.arrays["mean"] = found.scaling.mean;
  model.arrays["factor"] = found.scaling.factor;
  model.arrays["basis"] = found.fit.kernel.basis;
  model.arrays["weights"] = found.fit.kernel.weights;
  model.arrays["eigenvalues"] = found.fit.eigenvalues;
  model.arrays["degrees"] = degrees(found.graph);
  if (!found.graph_given) model.arrays["reach"] = found.reach;
  if (found.graph_given) store_graph(model, found.graph);
  Matrix pairs(Index(found.pairs.pairs.size()), 3);
  for (Index k = 0; k < pairs.rows(); ++k) {
    const LinkedPair& pair = found.pairs.pairs[std::size_t(k)];
    pairs(k, 0) = double(pair.i), pairs(k, 1) = double(pair.j), pairs(k, 2) = pair.sign;
  }
  model.arrays["pairs"] = std::move(pairs);
  if (found.fit.alpha.size() > 0) model.arrays["alpha"] = found.fit.alpha;
  model.arrays["centers"] = found.centers;
  model.arrays["labels"] = as_column(found.labels.of);
  Json info = kernel_json(found, options);
  info["result"].erase("suggestions");
  info["feature_names"] = data.feature_names;
  model.info = info_text(std::move(info));
  return model;
}

RowMatrix transform(const ModelFile& model, const Dataset& data, const RunContext& context) {
  return extended(model, data, context).factor;
}

Prediction predict(const ModelFile& model, const Dataset& data, const RunContext& context) {
  const Json info = info_of(model);
  const RowMatrix centers = array(model, "centers");
  if (centers.rows() < 1) reject("has no clusters");
  const Extension found = extended(model, data, context);
  Prediction prediction;
  prediction.clusters = true;
  for (Index c = 1; c <= centers.rows(); ++c) prediction.labels.names.push_back(std::to_string(c));
  prediction.rule = fmt::format("the nearest of {} clusters, in the kernel extended from {} samples", centers.rows(),
                                array(model, "labels").rows());
  if (centers.cols() == 0) {
    prediction.labels.of.assign(std::size_t(data.rows()), 0);
    return prediction;
  }
  const Blend blend = stored_blend(info);
  const RowMatrix rows = fact<bool>(info, "options", "normalise_rows") ? unit_rows(found.factor) : found.factor;
  const RowMatrix points =
      clustered_points(blend, blend.samples > 0 ? countable(scaled_like_model(model, data)) : RowMatrix(), rows);
  if (centers.cols() != points.cols()) reject("has arrays that do not fit together");
  const std::vector<Index> labels = numbers(column(model, "labels", array(model, "basis").rows()), centers.rows());
  prediction.labels.of = nearest_centers(points, centers, context);
  for (Index x = 0; x < points.rows(); ++x)  // must-links may have kept a fitted sample with a center farther away
    if (found.same[std::size_t(x)] || (blend.samples == 0 && rows.row(x).squaredNorm() == 0))
      prediction.labels.of[std::size_t(x)] = int(labels[std::size_t(found.nearest[std::size_t(x)])]);
  if (found.unlinked > 0)
    prediction.rule += fmt::format("; {} without a link to them: the cluster of the nearest", found.unlinked);
  return prediction;
}

}  // namespace ritz::kernel
