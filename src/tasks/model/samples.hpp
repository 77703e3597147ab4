// SPDX-License-Identifier: MIT
// Samples and graphs in a model file, and new samples as its fit saw its own.
#pragma once

#include <variant>

#include "ritz/data/dataset.hpp"
#include "ritz/graph/graph.hpp"
#include "ritz/tasks/model.hpp"

namespace ritz {

void store_samples(ModelFile& model, const Dataset& data);
std::variant<RowMatrix, SparseRows> stored_samples(const ModelFile& model, Index d);

void store_graph(ModelFile& model, const Graph& graph);
Graph stored_graph(const ModelFile& model, Index vertices);

// Samples as the model's fit saw its own: scaled in place, and sparse or dense as they were. Throws bad_shape when the
// columns do not match.
void scale_like_model(const ModelFile& model, Dataset& data);
// The same for columns of any factor; sparse samples are not centred.
void scale_columns(const Vector& mean, const Vector& factor, Dataset& data);

// The k nearest rows of the fitted samples for each row of the data, which scale_like_model has prepared.
NeighbourTable nearest_fitted(const std::variant<RowMatrix, SparseRows>& fitted, const Dataset& data, Index k,
                              const RunContext& context);

}  // namespace ritz
