// SPDX-License-Identifier: MIT
#include "tasks/kernel/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ritz/cluster/kmeans.hpp"
#include "tasks/kernel/json.hpp"
#include "tasks/model/access.hpp"
#include "tasks/model/samples.hpp"

namespace ritz {

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

}  // namespace

ModelFile to_model(const LearnedKernel& learned, const Dataset& data, const KernelOptions& options,
                   const npkl::Options& how) {
  if (how.solver == npkl::Solver::csdp && how.budget > 0)
    throw Error(ErrorCode::unsupported,
                "--save-model: csdp does not say the eigenvalues that new samples need with a budget; use --ridge or "
                "another --solver");
  ModelFile model;
  model.method = kKernelMethod;
  store_samples(model, data);
  model.arrays["mean"] = learned.scaling.mean;
  model.arrays["factor"] = learned.scaling.factor;
  model.arrays["basis"] = learned.fit.kernel.basis;
  model.arrays["weights"] = learned.fit.kernel.weights;
  model.arrays["eigenvalues"] = learned.fit.eigenvalues;
  model.arrays["degrees"] = degrees(learned.graph);
  if (!learned.graph_given) model.arrays["reach"] = learned.reach;
  if (learned.graph_given) store_graph(model, learned.graph);
  Matrix pairs(Index(learned.pairs.pairs.size()), 3);
  for (Index k = 0; k < pairs.rows(); ++k) {
    const LinkedPair& pair = learned.pairs.pairs[std::size_t(k)];
    pairs(k, 0) = double(pair.i), pairs(k, 1) = double(pair.j), pairs(k, 2) = pair.sign;
  }
  model.arrays["pairs"] = std::move(pairs);
  if (learned.fit.alpha.size() > 0) model.arrays["alpha"] = learned.fit.alpha;
  model.arrays["centers"] = learned.centers;
  model.arrays["labels"] = as_column(learned.labels.of);
  Json info = kernel_json(learned, options, how);
  for (const char* passing : {"trace", "peak_memory_bytes", "seconds", "files"}) info.erase(passing);
  info["result"].erase("suggestions");
  model.info = json_text(info);
  return model;
}

Extension extend_kernel(const ModelFile& model, Dataset& data, const RunContext& context) {
  const Json info = info_of(model);
  const SymFactor kernel = stored_kernel(model);
  const Index n = kernel.basis.rows(), r = kernel.basis.cols();
  const Matrix &eigenvalues = column(model, "eigenvalues", r), &degree = column(model, "degrees", n);
  Extension result;
  if (data.rows() == n && fact<std::string>(info, "data", "hash") == data_hash(data)) {
    result.factor = kernel.root();
    for (Index i = 0; i < n; ++i) result.nearest.push_back(i);
    return result;
  }
  const auto fitted = stored_samples(model, array(model, "mean").rows());
  if (std::visit([](const auto& X) { return Index(X.rows()); }, fitted) != n)
    reject("has arrays that do not fit together");
  scale_like_model(model, data);
  const Index k = std::clamp<Index>(fact<Index>(info, "options", "neighbours"), 1, n);
  const NeighbourTable table = nearest_fitted(fitted, data, k, context);
  const bool mutual = stored_kind(info) == GraphKind::mutual && model.arrays.contains("reach");
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
    if (table.squared_of(x)[0] == 0)
      result.factor.row(x) =
          kernel.basis.row(result.nearest[std::size_t(x)]).cwiseProduct(kernel.weights.cwiseSqrt().transpose());
    else if (links[std::size_t(x)].empty())
      ++result.unlinked;
  }
  return result;
}

Prediction predict_kernel(const ModelFile& model, Dataset& data, const RunContext& context) {
  const Json info = info_of(model);
  const RowMatrix centers = array(model, "centers");
  if (centers.rows() < 1) reject("has no clusters");
  const Extension found = extend_kernel(model, data, context);
  Prediction prediction;
  for (Index c = 1; c <= centers.rows(); ++c) prediction.labels.names.push_back(std::to_string(c));
  prediction.rule = fmt::format("the nearest of {} clusters, in the kernel extended from {} samples", centers.rows(),
                                array(model, "labels").rows());
  if (centers.cols() == 0) {
    prediction.labels.of.assign(std::size_t(data.rows()), 0);
    return prediction;
  }
  if (centers.cols() != found.factor.cols()) reject("has arrays that do not fit together");
  const std::vector<Index> labels = numbers(column(model, "labels", array(model, "basis").rows()), centers.rows());
  const RowMatrix points = fact<bool>(info, "options", "normalise_rows") ? unit_rows(found.factor) : found.factor;
  prediction.labels.of = nearest_centers(points, centers, context);
  for (Index x = 0; x < points.rows(); ++x)
    if (points.row(x).squaredNorm() == 0)
      prediction.labels.of[std::size_t(x)] = int(labels[std::size_t(found.nearest[std::size_t(x)])]);
  if (found.unlinked > 0)
    prediction.rule += fmt::format("; {} without a link to them: the cluster of the nearest", found.unlinked);
  return prediction;
}

}  // namespace ritz
