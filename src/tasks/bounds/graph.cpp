// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "graph/pair_files.hpp"
#include "report/lines.hpp"
#include "ritz/base/error.hpp"
#include "tasks/bounds/bounds.hpp"

namespace ritz {

const RowMatrix& rows_of(const Inputs& inputs, const std::string& name) {
  if (const auto* rows = std::get_if<RowMatrix>(&inputs.others.at(name))) return *rows;
  throw Error(ErrorCode::bad_option, fmt::format("the input '{}' is of the wrong kind", name));
}

Graph given_graph(const Inputs& inputs, const std::string& name, Index vertices, const RunContext& context) {
  if (!inputs.has(name)) return {};
  const std::string path = inputs.word(name);
  return path.empty() ? edges_of(rows_of(inputs, name), vertices) : read_edges(path, vertices, context);
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
