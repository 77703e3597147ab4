// SPDX-License-Identifier: MIT
// What `kernel` and `unfold` share: a graph of the samples, and an optimum between two bounds.
#pragma once

#include "ritz/graph/graph.hpp"
#include "tasks/row.hpp"

namespace ritz {

inline constexpr Index kDenseCheck = 2000;  // samples up to which a check has LAPACK find eigenvalues

Json bounds_json(double primal, double dual, double gap, double relative_gap);
std::string bounds_text(double primal, double dual, double gap, double relative_gap);
CheckReport bounds_report(const KernelCheck& check, const Dataset& data);

// The edges i,j of an input, from its file or from two columns in memory; no vertices where it is not given.
Graph given_graph(const Inputs& inputs, const std::string& name, Index vertices, const RunContext& context);
// An input of rows in memory; throws bad_option where it is something else.
const RowMatrix& rows_of(const Inputs& inputs, const std::string& name);
Json graph_json(const Graph& graph, bool given, Index neighbours);
std::string source_text(bool given, GraphKind kind, Index neighbours);  // "given", "union of 5 neighbours"

}  // namespace ritz
