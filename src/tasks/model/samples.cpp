// SPDX-License-Identifier: MIT
#include "tasks/model/samples.hpp"

#include <algorithm>
#include <cmath>

#include "pairs/neighbours.hpp"
#include "ritz/cluster/kmeans.hpp"

namespace ritz {

using namespace model_access;

// Sparse samples as three columns: where each row starts, and its columns and values.
void store_samples(ModelFile& model, const Dataset& data) {
  if (!data.sparse()) {
    model.arrays["X"] = data.dense();
    return;
  }
  const auto& X = std::get<SparseRows>(data.samples);
  std::vector<Index> starts{0}, columns;
  std::vector<double> values;
  for (Index i = 0; i < X.rows(); ++i) {
    for (SparseRows::InnerIterator it(X, i); it; ++it) columns.push_back(it.col()), values.push_back(it.value());
    starts.push_back(Index(columns.size()));
  }
  model.arrays["X_starts"] = as_column(starts);
  model.arrays["X_columns"] = as_column(columns);
  model.arrays["X_values"] = as_column(values);
}

std::variant<RowMatrix, SparseRows> stored_samples(const ModelFile& model, Index d) {
  if (model.arrays.contains("X")) {
    if (array(model, "X").cols() != d) reject("has arrays that do not fit together");
    return RowMatrix(array(model, "X"));
  }
  const Matrix& values = array(model, "X_values");
  const std::vector<Index> starts = numbers(array(model, "X_starts"), values.rows() + 1),
                           columns = numbers(column(model, "X_columns", values.rows()), d);
  if (starts.empty() || starts.front() != 0 || starts.back() != values.rows() || !std::ranges::is_sorted(starts))
    reject("has arrays that do not fit together");
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t i = 0; i + 1 < starts.size(); ++i)
    for (Index at = starts[i]; at < starts[i + 1]; ++at)
      entries.emplace_back(int(i), int(columns[std::size_t(at)]), values(at, 0));
  SparseRows X(Index(starts.size()) - 1, d);
  X.setFromTriplets(entries.begin(), entries.end());
  return X;
}

void store_graph(ModelFile& model, const Graph& graph) {
  Matrix edges(Index(graph.edges.size()), 2);
  for (Index e = 0; e < edges.rows(); ++e) {
    edges(e, 0) = double(graph.edges[std::size_t(e)].i);
    edges(e, 1) = double(graph.edges[std::size_t(e)].j);
  }
  model.arrays["edges"] = std::move(edges);
}

Graph stored_graph(const ModelFile& model, Index vertices) {
  const Matrix& stored = array(model, "edges");
  if (stored.cols() != 2) reject("has arrays that do not fit together");
  const std::vector<Index> first = numbers(stored.col(0), vertices), second = numbers(stored.col(1), vertices);
  Graph graph{vertices, {}};
  for (std::size_t e = 0; e < first.size(); ++e) {
    if (first[e] >= second[e]) reject("holds an edge that is not one");
    graph.edges.push_back({first[e], second[e]});
  }
  return graph;
}

namespace {

void scale_columns(const ColumnScaling& scaling, Dataset& data) {
  if (!data.sparse()) {
    apply_scaling(scaling, data.dense());
    return;
  }
  auto& X = std::get<SparseRows>(data.samples);
  for (Index i = 0; i < X.rows(); ++i)
    for (SparseRows::InnerIterator it(X, i); it; ++it) it.valueRef() *= scaling.factor(it.col());
}

}  // namespace

std::shared_ptr<const Dataset> scaled_data(const Dataset& data, const ColumnScaling& scaling) {
  if ((scaling.mean.array() == 0).all() && (scaling.factor.array() == 1).all())
    return {std::shared_ptr<const Dataset>(), &data};
  // Not the names of features: of a million sparse columns they are most of it.
  auto scaled = std::make_shared<Dataset>(
      Dataset{.samples = data.samples, .labels = data.labels, .ids = data.ids, .source = data.source});
  scale_columns(scaling, *scaled);
  return scaled;
}

Dataset scaled_like_model(const ModelFile& model, const Dataset& data) {
  const Index d = array(model, "mean").rows();
  const Matrix& mean = column(model, "mean", d);
  const Matrix& factor = column(model, "factor", d);
  Dataset scaled = data;
  if (scaled.sparse() && scaled.cols() < d) std::get<SparseRows>(scaled.samples).conservativeResize(scaled.rows(), d);
  if (scaled.cols() != d)
    fail(ErrorCode::bad_shape, "{} has {} columns, the model was made for {}", data.source, data.cols(), d);
  const bool sparse = model.arrays.contains("X_values");
  if (sparse && !scaled.sparse()) scaled.samples = SparseRows(scaled.dense().sparseView());
  if (!sparse && scaled.sparse()) scaled.samples = RowMatrix(std::get<SparseRows>(scaled.samples));
  scale_columns({mean.col(0), factor.col(0), {}}, scaled);
  return scaled;
}

bool close_to(const Matrix& stored, const Matrix& found) {
  constexpr double kRounding = 1e-9;
  if (stored.rows() != found.rows() || stored.cols() != found.cols()) return false;
  return stored.size() == 0 || (stored - found).cwiseAbs().maxCoeff() <= kRounding * found.cwiseAbs().maxCoeff();
}

bool holds_samples(const ModelFile& model, const Dataset& scaled) {
  const auto fitted = stored_samples(model, scaled.cols());
  if (const auto* dense = std::get_if<RowMatrix>(&fitted)) return !scaled.sparse() && close_to(*dense, scaled.dense());
  if (!scaled.sparse()) return false;
  const auto &found = std::get<SparseRows>(scaled.samples), &kept = std::get<SparseRows>(fitted);
  if (found.rows() != kept.rows() || found.cols() != kept.cols()) return false;
  return SparseRows(found - kept).norm() <= 1e-9 * found.norm();
}

bool are_clusters(const RowMatrix& points, const RowMatrix& centers, const std::vector<Index>& labels,
                  const RunContext& context, bool of_points) {
  constexpr double kAbout = 0.1;  // k-means ends where the sum of squares hardly falls any more
  if (centers.cols() != points.cols() || Index(labels.size()) != points.rows()) return false;
  RowMatrix means = RowMatrix::Zero(centers.rows(), centers.cols());
  Vector counts = Vector::Zero(centers.rows());
  double spread = 0;
  const std::vector<int> nearest = nearest_centers(points, centers, context);
  for (Index i = 0; i < points.rows(); ++i) {
    const Index own = labels[std::size_t(i)];
    const double to_own = (points.row(i) - centers.row(own)).squaredNorm();
    const double to_nearest = (points.row(i) - centers.row(nearest[std::size_t(i)])).squaredNorm();
    if (of_points && to_own > to_nearest + 1e-9 * (to_own + centers.row(own).squaredNorm())) return false;
    means.row(own) += points.row(i);
    counts(own) += 1;
    spread += points.row(i).squaredNorm();
  }
  spread = std::sqrt(spread / double(points.rows()));
  for (Index c = 0; c < centers.rows(); ++c)
    if (!(counts(c) > 0) || (means.row(c) / counts(c) - centers.row(c)).norm() > kAbout * spread) return false;
  return true;
}

NeighbourTable nearest_fitted(const std::variant<RowMatrix, SparseRows>& fitted, const Dataset& data, Index k,
                              const RunContext& context) {
  if (data.sparse() != std::holds_alternative<SparseRows>(fitted)) reject("has arrays that do not fit together");
  return data.sparse() ? cross_neighbours(std::get<SparseRows>(data.samples), std::get<SparseRows>(fitted), k, context)
                       : cross_neighbours(data.dense(), std::get<RowMatrix>(fitted), k, context);
}

}  // namespace ritz
