// SPDX-License-Identifier: MIT
// What linear subspaces have in common, and in how many dimensions: the task `center`. From files or matrices to a
// collection of subspaces (bases, data matrices whose leading subspace is taken, or groups of samples), to its centre.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ritz/algorithms/center.hpp"
#include "ritz/base/options.hpp"
#include "ritz/data/dataset.hpp"
#include "ritz/tasks/model.hpp"
#include "ritz/tasks/task.hpp"

namespace ritz::center {

enum class OrderRule { hybrid, proposed, santamaria, elbow };
constexpr auto names_of(OrderRule) { return std::array{"hybrid", "proposed", "santamaria", "elbow"}; }

// How a matrix stands for a subspace: by the span of its columns (or rows), or by the leading part of it.
struct SubspaceOptions {
  static constexpr std::string_view name = "center";
  Index rank = 0;
  double energy = 0;
  bool rows = false;
  std::string group_column;
  bool center_groups = false;
  static constexpr auto fields() {
    return std::tuple{
        field("rank", &SubspaceOptions::rank, 0, 1'000'000'000,
              "dimensions taken from each matrix, those of its largest singular values; 0: the whole span"),
        field("energy", &SubspaceOptions::energy, 0.0, 1.0,
              "as many dimensions as hold this share of the squared singular values; 0: the whole span"),
        field("rows", &SubspaceOptions::rows, "vectors are the rows of the matrices, not their columns"),
        field("group_column", &SubspaceOptions::group_column,
              "the file is a table of samples, and this column tells their groups: a subspace each"),
        field(
            "center_groups", &SubspaceOptions::center_groups,
            "with center.group_column: take each group's mean off its samples first, so that the means do not decide")};
  }
};

struct Subspaces {
  Collection all;
  std::vector<std::string> names;       // one each: its file, or array, or group
  std::vector<std::string> notes;       // what was found: lower rank than columns
  std::vector<std::string> features{};  // of the space: the columns of a table of samples; empty: they have no names
  RowMatrix means{};                    // groups of samples: what was taken off, a row each (0 where nothing was)
  std::string hash;                     // of the orthonormal bases
  std::shared_ptr<const TableRecipe> columns{};  // groups of samples: how their table was read
};

// Vectors that depend on the others are left out, and a note says so. Throws bad_data for a matrix without columns, or
// a zero one among the vectors of a basis; bad_shape for different numbers of rows; not_finite.
Subspaces subspaces_of(std::vector<NamedMatrix> matrices, const SubspaceOptions& options, const RunContext& context);
// Bases side by side: the first dims[0] columns, the next dims[1], …
Subspaces split_subspaces(RowMatrix bases, const std::vector<Index>& dims, const std::string& source,
                          const SubspaceOptions& options, const RunContext& context);
// The span of the samples (rows) of each class; with center_groups around the mean of the class.
Subspaces group_subspaces(const Dataset& data, const SubspaceOptions& options, const RunContext& context);

struct CenterOptions {
  static constexpr std::string_view name = "center";
  Method method = Method::minimax;
  Dimension dim;
  OrderRule rule = OrderRule::hybrid;
  Index max_dim = 0;
  Complement complement = Complement::space;
  bool drop_outliers = false;
  SubspaceOptions reading;
  Options how;
  static constexpr auto fields() {
    return std::tuple{
        field(
            "method", &CenterOptions::method,
            "what is least: minimax the largest distance; mean the sum of squared chordal distances; median the sum of "
            "chordal distances, which few outliers hardly move; karcher the sum of squared angles; flag: the means of "
            "all dimensions, nested"),
        field("dim", &CenterOptions::dim, "dimensions of the centre, or auto: by the rule, which may say none"),
        field("rule", &CenterOptions::rule,
              "how auto decides: hybrid, proposed (both of the paper), santamaria or elbow"),
        field("max_dim", &CenterOptions::max_dim, 0, 1'000'000'000,
              "largest dimension that auto looks at; 0: that of the largest subspace"),
        field("complement", &CenterOptions::complement,
              "where the proposed rule takes the centre's complement: in the whole space, as printed, or in the span "
              "of the data"),
        field("drop_outliers", &CenterOptions::drop_outliers,
              "leave out the subspaces that do not belong, and find the centre of the others"),
        rows(&CenterOptions::reading),
        rows(&CenterOptions::how)};
  }
};

struct CenterResult {
  Index order = 0;               // k; 0: nothing in common
  Result fit;                    // of k; of k = 0: no columns, all distances 0
  std::optional<Orders> orders;  // with auto
  bool screened = false;         // the other orders were solved to less than the tolerance
  Outliers outliers;             // empty for k = 0 and for few subspaces
  std::vector<Index> dropped{};  // left out of the fit; their distances are measured, their weights are 0
  std::vector<std::string> features{};
  Index subspaces = 0, n = 0, smallest = 0, largest = 0;
  std::string data_hash;
  std::vector<std::string> names;
};
inline constexpr Index kFewestForOutliers = 8;

// Throws Error for what the caller can put right. Interrupted leaves the best centre so far, or comes through when
// there is none.
CenterResult fit(const Subspaces& subspaces, const CenterOptions& options, RunContext& context);

ModelFile to_model(const CenterResult& found, const Subspaces& subspaces, const CenterOptions& options);
// Rows of coordinates Uᵀx for the rows x of `data`. Throws bad_shape when the columns do not match.
RowMatrix transform(const ModelFile& model, const Dataset& data, const RunContext& context);
// The group whose subspace, through its mean where that was taken off, is nearest to a sample; for models of groups.
Prediction predict(const ModelFile& model, const Dataset& data, const RunContext& context);

struct CenterCheck {
  double primal = kUnknown, dual = kUnknown, gap = kUnknown;
  double stored_primal = kUnknown, stored_dual = kUnknown;
  double orthonormality = kUnknown;          // max |UᵀU − I|
  double weights_off = kUnknown;             // how far λ is from the simplex
  double residual = 0, stored_residual = 0;  // of the gradient, where the centre is not the minimax one
  bool same_data = false;
  std::vector<std::string> notes;
  bool values_agree() const;
  bool holds() const;
};
// Both values from the bases, the centre and the weights alone.
CenterCheck check(const ModelFile& model, const Subspaces& subspaces, const RunContext& context);

double forecast(Index subspaces, double mean_dimension, Index n);  // bytes: about what a fit holds at a time

}  // namespace ritz::center
