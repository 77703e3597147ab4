// SPDX-License-Identifier: MIT
// Samples and graphs in a model file, and new samples as its fit saw its own.
#pragma once

#include <memory>
#include <variant>

#include "ritz/data/preprocess.hpp"
#include "ritz/graph/graph.hpp"
#include "tasks/model/access.hpp"

namespace ritz {

void store_samples(ModelFile& model, const Dataset& data);
std::variant<RowMatrix, SparseRows> stored_samples(const ModelFile& model, Index d);

void store_graph(ModelFile& model, const Graph& graph);
Graph stored_graph(const ModelFile& model, Index vertices);

// The samples under a scaling, without the names of their features; sparse ones are not centred. Borrows `data`, which
// must outlive it, where the scaling changes nothing.
std::shared_ptr<const Dataset> scaled_data(const Dataset& data, const ColumnScaling& scaling);
// Samples as the model's fit saw its own, sparse or dense as they were. Throws bad_shape when the columns do not match.
Dataset scaled_like_model(const ModelFile& model, const Dataset& data);

// The samples that the model holds are these, which scaled_like_model has made of the data.
bool holds_samples(const ModelFile& model, const Dataset& scaled);
// Equal up to rounding, 1e-9 of the largest entry.
bool close_to(const Matrix& stored, const Matrix& found);
// `labels` are the nearest of the centers, and these are about the means of their points.
bool are_clusters(const RowMatrix& points, const RowMatrix& centers, const std::vector<Index>& labels,
                  const RunContext& context, bool of_points = true);

// The k nearest rows of the fitted samples for each row of the data, which scaled_like_model has prepared.
NeighbourTable nearest_fitted(const std::variant<RowMatrix, SparseRows>& fitted, const Dataset& data, Index k,
                              const RunContext& context);

}  // namespace ritz
