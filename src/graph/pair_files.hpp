// SPDX-License-Identifier: MIT
// Files of pairs and of edges: delimited text as of data/io.hpp (gzipped or "-" too), with or without a header.
#pragma once

#include <string>
#include <vector>

#include "ritz/base/context.hpp"
#include "ritz/graph/graph.hpp"
#include "ritz/graph/pairs.hpp"

namespace ritz {

// Rows "i,j,must" or "i,j,cannot" (also +1, 1 and -1) of samples numbered from 0, or by name where `ids` has one for
// each sample. A first row is a header when none of its three fields can be what the column holds. Throws bad_file
// naming file and line for another number of fields, an unknown word, an unknown sample, or a pair of a sample with
// itself, and bad_data for a file without pairs. Repeated and contradictory pairs are settled_pairs' concern.
PairSet read_pairs(const std::string& path, Index samples, const RunContext& context,
                   const std::vector<std::string>& ids = {});

// The same from rows i, j, ±1 in memory. Throws bad_shape for another number of columns, bad_data otherwise.
PairSet linked_pairs(const RowMatrix& rows, Index samples, const std::vector<std::string>& ids = {});

struct WeightedEdge {
  Index i, j;  // i < j
  double weight;
};
// Rows "i,j" or "i,j,weight" of samples numbered from 0; no weight is 1, a pair of weight 0 is left out, and of one
// that is named again the largest weight counts. By i, then j. Errors as above.
std::vector<WeightedEdge> read_weighted_pairs(const std::string& path, Index samples, const RunContext& context);
// The same pairs from rows i, j[, weight] in memory. Throws bad_shape for another number of columns, bad_data
// otherwise.
std::vector<WeightedEdge> weighted_pairs(const RowMatrix& rows, Index samples);

// Rows "i,j" of vertices numbered from 0, either way round; an edge that is named again counts once. Errors as above.
Graph read_edges(const std::string& path, Index vertices, const RunContext& context);
Graph edges_of(const RowMatrix& rows, Index vertices);  // the same from two columns in memory

}  // namespace ritz
