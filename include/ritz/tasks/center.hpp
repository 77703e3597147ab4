// SPDX-License-Identifier: MIT
// From a collection of subspaces to their centre and its dimension: what `ritz center` does between reading and
// writing.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/plot/line_plot.hpp"
#include "ritz/tasks/model.hpp"
#include "ritz/tasks/reduce_options.hpp"
#include "ritz/tasks/subspaces.hpp"

namespace ritz {

enum class OrderRule { hybrid, proposed, santamaria, elbow };
template <>
struct EnumNames<OrderRule> {
  static constexpr std::array<std::string_view, 4> names = {"hybrid", "proposed", "santamaria", "elbow"};
};

struct CenterOptions {
  static constexpr std::string_view name = "center";
  Dimension dim;
  OrderRule rule = OrderRule::hybrid;
  Index max_dim = 0;
  center::Complement complement = center::Complement::space;
  static constexpr auto fields() {
    return std::tuple{
        field("dim", &CenterOptions::dim, "dimensions of the centre, or auto: by the rule, which may say none"),
        field("rule", &CenterOptions::rule,
              "how auto decides: hybrid, proposed (both of the paper), santamaria or elbow"),
        field("max_dim", &CenterOptions::max_dim, 0, 1'000'000'000,
              "largest dimension that auto looks at; 0: that of the largest subspace"),
        field("complement", &CenterOptions::complement,
              "where the proposed rule takes the centre's complement: in the whole space, as printed, or in the span "
              "of the data")};
  }
};

struct CenterFit {
  Index order = 0;                       // k; 0: nothing in common
  center::Result fit;                    // of k; of k = 0: no columns, all distances 0
  std::optional<center::Orders> orders;  // with auto
  bool screened = false;                 // the other orders were solved to less than the tolerance
  center::Outliers outliers;             // empty for k = 0 and for few subspaces
  Index subspaces = 0, n = 0, smallest = 0, largest = 0;
  std::string data_hash;
  std::vector<std::string> names;
};
inline constexpr Index kFewestForOutliers = 8;

// Throws Error for what the caller can put right. Interrupted leaves the best centre so far, or comes through when
// there is none.
CenterFit find_center(const Subspaces& subspaces, const CenterOptions& options, const center::Options& how,
                      RunContext& context);

double center_bytes(Index subspaces, double mean_dimension, Index n);  // about what a fit holds at a time

// With orders: the rules over k, each as a part of its value at k = 0. Else the distances in decreasing order.
LinePlot center_plot(const CenterFit& found, const CenterOptions& options);

inline constexpr std::string_view kCenterMethod = "center";
ModelFile to_model(const CenterFit& found, const Subspaces& subspaces, const CenterOptions& options,
                   const SubspaceOptions& reading, const center::Options& how);
// Rows of coordinates Uᵀx for the rows x of `data`. Throws bad_shape when the columns do not match.
RowMatrix center_coordinates(const ModelFile& model, const Dataset& data);
// How the model's subspaces were read, and their dimensions where they were side by side.
SubspaceOptions reading_of(const ModelFile& model);
std::vector<Index> dimensions_of(const ModelFile& model);

struct CenterCheck {
  double primal = kUnknown, dual = kUnknown, gap = kUnknown;
  double stored_primal = kUnknown, stored_dual = kUnknown;
  double orthonormality = kUnknown;  // max |UᵀU − I|
  double weights_off = kUnknown;     // how far λ is from the simplex
  bool same_data = false;
  std::vector<std::string> notes;
  bool values_agree() const;
  bool holds() const;
};
// Both values from the bases, the centre and the weights alone.
CenterCheck check_center(const ModelFile& model, const Subspaces& subspaces, const RunContext& context);

}  // namespace ritz
