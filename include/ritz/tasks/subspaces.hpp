// SPDX-License-Identifier: MIT
// From files to a collection of subspaces: bases, data matrices whose leading subspace is taken, or groups of samples.
#pragma once

#include <string>
#include <vector>

#include "ritz/algorithms/center.hpp"
#include "ritz/base/options.hpp"
#include "ritz/data/dataset.hpp"

namespace ritz {

// How a matrix stands for a subspace: by the span of its columns (or rows), or by the leading part of it.
struct SubspaceOptions {
  static constexpr std::string_view name = "center";
  Index rank = 0;
  double energy = 0;
  bool rows = false;
  std::string group_column;
  static constexpr auto fields() {
    return std::tuple{
        field("rank", &SubspaceOptions::rank, 0, 1'000'000'000,
              "dimensions taken from each matrix, those of its largest singular values; 0: the whole span"),
        field("energy", &SubspaceOptions::energy, 0.0, 1.0,
              "as many dimensions as hold this share of the squared singular values; 0: the whole span"),
        field("rows", &SubspaceOptions::rows, "vectors are the rows of the matrices, not their columns"),
        field("group_column", &SubspaceOptions::group_column,
              "the file is a table of samples, and this column tells their groups: a subspace each")};
  }
};

struct Subspaces {
  center::Collection all;
  std::vector<std::string> names;  // one each: its file, or array, or group
  std::vector<std::string> notes;  // what was found: lower rank than columns
  std::string hash;                // of the orthonormal bases
};

// Vectors that depend on the others are left out, and a note says so. Throws bad_data for a matrix without columns, or
// a zero one among the vectors of a basis; bad_shape for different numbers of rows; not_finite.
Subspaces subspaces_of(std::vector<NamedMatrix> matrices, const SubspaceOptions& options, const RunContext& context);
// Bases side by side: the first dims[0] columns, the next dims[1], …
Subspaces split_subspaces(RowMatrix bases, const std::vector<Index>& dims, const std::string& source,
                          const SubspaceOptions& options, const RunContext& context);
// The span of the samples (rows) of each class.
Subspaces group_subspaces(const Dataset& data, const SubspaceOptions& options, const RunContext& context);

// All of it from files. `dims`: a file with the numbers of columns of bases side by side, or empty; an archive with the
// arrays "bases" and "dims" needs none, and `known` (of a model) stands for one.
Subspaces read_subspaces(const std::vector<std::string>& files, const std::string& dims,
                         const std::vector<Index>& known, const SubspaceOptions& options, const RunContext& context);

}  // namespace ritz
