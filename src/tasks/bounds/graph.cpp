// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/lines.hpp"
#include "ritz/base/error.hpp"
#include "ritz/graph/pair_files.hpp"
#include "tasks/bounds/bounds.hpp"

namespace ritz {

Edge ends_in(const RowMatrix& rows, Index row, Index samples, const std::string& name) {
  const auto end = [&](Index column) {
    const double value = rows(row, column);
    if (!(value >= 0) || value >= double(samples) || value != std::floor(value))
      throw Error(ErrorCode::bad_data,
                  fmt::format("{}, row {}: there is no sample {}; the {} samples are numbered from "
                              "0 to {}",
                              name, row + 1, value, samples, samples - 1));
    return Index(value);
  };
  const Index i = end(0), j = end(1);
  if (i == j)
    throw Error(ErrorCode::bad_data,
                fmt::format("{}, row {}: {} is paired with itself; two samples are needed", name, row + 1, i));
  return {std::min(i, j), std::max(i, j)};
}

const RowMatrix& rows_in(const Inputs& inputs, const std::string& name, Index columns) {
  const auto* rows = std::get_if<RowMatrix>(&inputs.others.at(name));
  if (!rows) throw Error(ErrorCode::bad_option, fmt::format("the input '{}' is of the wrong kind", name));
  if (rows->cols() != columns)
    throw Error(ErrorCode::bad_shape, fmt::format("{} has {} columns, expected {}", name, rows->cols(), columns));
  if (rows->rows() == 0) throw Error(ErrorCode::bad_data, name + " has no row");
  return *rows;
}

Graph given_graph(const Inputs& inputs, const std::string& name, Index vertices, const RunContext& context) {
  if (!inputs.has(name)) return {};
  if (const std::string path = inputs.word(name); !path.empty()) return read_edges(path, vertices, context);
  const RowMatrix& rows = rows_in(inputs, name, 2);
  Graph graph{vertices, {}};
  for (Index e = 0; e < rows.rows(); ++e) graph.edges.push_back(ends_in(rows, e, vertices, name));
  std::ranges::sort(graph.edges);
  const auto repeated = std::ranges::unique(graph.edges);
  graph.edges.erase(repeated.begin(), repeated.end());
  return graph;
}

Json graph_json(const Graph& graph, bool given, Index neighbours) {
  return {{"source", given ? "given" : "neighbours"},
          {"neighbours", given ? Json(nullptr) : Json(neighbours)},
          {"edges", graph.edges.size()},
          {"isolated", isolated_vertices(graph).size()},
          {"components", connected_components(graph).count}};
}

std::string source_text(bool given, GraphKind kind, Index neighbours) {
  if (given) return "given";
  return fmt::format("{} of {}", TextForm<GraphKind>::print(kind), counted(neighbours, "neighbour"));
}

}  // namespace ritz
