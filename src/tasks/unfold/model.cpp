// SPDX-License-Identifier: MIT

#include "linalg/dense/dense.hpp"
#include "ritz/base/parallel.hpp"
#include "tasks/model/samples.hpp"
#include "tasks/unfold/task.hpp"

namespace ritz::unfold {

using namespace model_access;

namespace {

constexpr double kRidge = 1e-3;  // of the mean squared distance to the neighbours, as locally linear embedding has it
constexpr Index kRowsPerTile = 64;

// Weights of Σw = 1 that come nearest to x = Σ w_j·x_j: G·w ∝ 1 with G_ab = (x − x_a)ᵀ(x − x_b). `away`: rows x − x_j.
Vector barycentric(const Matrix& away) {
  Matrix G = away * away.transpose();
  G.diagonal().array() += kRidge * G.trace() / double(G.rows());
  const Vector w = semidefinite_solve(G, Vector::Ones(G.rows()));
  return w / w.sum();
}

}  // namespace

ModelFile to_model(const UnfoldResult& found, const Dataset& data, const UnfoldOptions& options) {
  ModelFile model;
  model.method = std::string(UnfoldTask::method);
  const Result& fit = found.fit;
  if (found.d > 0) {
    store_samples(model, *scaled_data(data, found.scaling));
    model.arrays["mean"] = found.scaling.mean;
    model.arrays["factor"] = found.scaling.factor;
  }
  model.arrays["embedding"] = fit.embedding;
  store_graph(model, found.graph);
  if (!is_baseline(found.method)) {
    model.arrays["kernel_factor"] = found.factor;
    model.arrays["penalties"] = as_column(found.penalties);
    const bool dual = options.how.solver != Solver::csdp;
    if (dual && fit.alpha.size() > 0) model.arrays["alpha"] = fit.alpha;
    const bool of_kernel = options.how.ridge > 0 || options.how.budget > 0;  // which is then a function of it
    if (dual && of_kernel && fit.kernel_alpha.size() > 0) model.arrays["kernel_alpha"] = fit.kernel_alpha;
  }
  if (fit.drawn_to.cols() > 0) model.arrays["drawn_to"] = fit.drawn_to;
  if (fit.smooth.cols() > 0) model.arrays["smooth"] = fit.smooth;
  if (!fit.triples.empty()) {
    Matrix triples(Index(fit.triples.size()), 3);
    for (Index t = 0; t < triples.rows(); ++t)
      for (Index c = 0; c < 3; ++c) triples(t, c) = double(fit.triples[std::size_t(t)][std::size_t(c)]);
    model.arrays["triples"] = std::move(triples);
  }
  if (found.method == UnfoldMethod::cmvu) {  // 0: not known
    std::vector<int> colours;
    for (const int label : data.labels.of)
      colours.push_back(data.labels.names[std::size_t(label)] == options.unlabelled ? 0 : label + 1);
    model.arrays["colours"] = as_column(colours);
  }
  Json info = unfold_json(found, options);
  if (found.d > 0) info["feature_names"] = data.feature_names;
  model.info = info_text(std::move(info));
  return model;
}

bool without_samples(const ModelFile& model) { return !model.arrays.contains("mean"); }

RowMatrix transform(const ModelFile& model, const Dataset& data, const RunContext& context) {
  const Json info = info_of(model);
  if (without_samples(model))
    fail(ErrorCode::unsupported, "the model was made from a graph alone: samples have no place in it");
  const RowMatrix Y = array(model, "embedding");
  const Index n = Y.rows();
  if (data.rows() == n && fact<std::string>(info, "data", "hash") == data_hash(data)) return Y;
  const auto fitted = stored_samples(model, array(model, "mean").rows());
  if (std::visit([](const auto& X) { return Index(X.rows()); }, fitted) != n)
    reject("has arrays that do not fit together");
  const Dataset scaled = scaled_like_model(model, data);
  const Index k = std::clamp<Index>(fact<Index>(info, "options", "neighbours"), 1, n);
  const NeighbourTable table = nearest_fitted(fitted, scaled, k, context);
  RowMatrix placed(data.rows(), Y.cols());
  for_each_tile(tile_count(data.rows(), kRowsPerTile), context, [&](Index t) {
    const Range rows = tile_range(data.rows(), kRowsPerTile, t);
    Matrix away(k, scaled.cols());
    for (Index x = rows.begin; x < rows.end; ++x) {
      const auto near = table.rows_of(x);
      if (table.squared_of(x)[0] == 0) {
        placed.row(x) = Y.row(near[0]);
        continue;
      }
      for (Index a = 0; a < k; ++a)
        std::visit(
            [&](const auto& X) {
              using Rows = std::decay_t<decltype(X)>;
              away.row(a) = Eigen::RowVectorXd(std::get<Rows>(scaled.samples).row(x)) -
                            Eigen::RowVectorXd(X.row(near[std::size_t(a)]));
            },
            fitted);
      const Vector w = barycentric(away);
      placed.row(x).setZero();
      for (Index a = 0; a < k; ++a) placed.row(x) += w(a) * Y.row(near[std::size_t(a)]);
    }
  });
  return placed;
}

}  // namespace ritz::unfold
