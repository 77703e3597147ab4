// SPDX-License-Identifier: MIT
// The row of `center`; see tasks/row.hpp.
#pragma once

#include "ritz/tasks/center.hpp"
#include "tasks/row.hpp"

namespace ritz::center {

struct CenterSizes {
  static constexpr std::string_view name = "estimate";
  Index subspaces = 0, space = 0;
  double dimension = 10;
  static constexpr auto fields() {
    return std::tuple{field("subspaces", &CenterSizes::subspaces, 0, Index(1) << 40, "number of subspaces"),
                      field("space", &CenterSizes::space, 0, Index(1) << 32, "dimension of the space that they lie in"),
                      field("dimension", &CenterSizes::dimension, 1.0, 1e9, "mean dimension of the subspaces")};
  }
};

Json center_json(const CenterResult& found, const CenterOptions& options);

struct CenterTask : Verb<CenterTask, Subspaces, NothingKnown, CenterOptions, CenterResult, CenterSizes> {
  static constexpr std::string_view verb = "center", method = "center",
                                    summary =
                                        "What linear subspaces have in common, and in how many dimensions "
                                        "(minimax centre, GMEB)";
  static DataRow data();
  static std::vector<InputRow> inputs();
  static std::vector<Output<CenterTask>> outputs();
  static double goal(const CenterOptions& options) { return options.how.tolerance; }
  static std::shared_ptr<const Subspaces> read(const Inputs& inputs, const CenterOptions& options, Known& known,
                                               const RunContext& context);
  static CenterResult fit(const Subspaces& subspaces, const Known&, const CenterOptions& options, RunContext& context) {
    return center::fit(subspaces, options, context);
  }
  static Lines text(const F& fit);
  static constexpr auto json = center_json;
  static ModelForm form();
  static constexpr auto model = to_model;
  static constexpr auto transform = center::transform;
  static Prediction predict(const ModelFile& model, const Dataset& data, const PredictOptions&,
                            const RunContext& context) {
    return center::predict(model, data, context);
  }
  static CheckReport check(const ModelFile& model, const Inputs& inputs, const CheckOptions& how,
                           const RunContext& context);
  static void tell(const page::Source& from, page::Page& page, const RunContext& context);
  static ForecastReport forecast(const CenterSizes& sizes, const CenterOptions& options, const Subspaces* subspaces,
                                 const RunContext& context);
};

// The matrices in memory, or all of it from files: center.dims names one with the numbers of columns of bases side by
// side; an archive with the arrays "bases" and "dims" needs none, and `known` (of a model) stands for one.
Subspaces given_subspaces(const Inputs& inputs, const std::vector<Index>& known, const SubspaceOptions& options,
                          const RunContext& context);

// With orders: the rules over k, each as a part of its value at k = 0. Else the distances in decreasing order.
std::string plot_svg(const CenterResult& found, const CenterOptions& options);

}  // namespace ritz::center
