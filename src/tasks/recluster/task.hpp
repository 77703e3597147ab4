// SPDX-License-Identifier: MIT
// The row of `recluster`; see tasks/row.hpp.
#pragma once

#include "ritz/tasks/recluster.hpp"
#include "tasks/projection/report.hpp"
#include "tasks/view_pictures.hpp"

namespace ritz::recluster {

struct ReclusterSizes {
  static constexpr std::string_view name = "estimate";
  SampleSizes samples;
  Index classes = 2;
  static constexpr auto fields() {
    return std::tuple{rows(&ReclusterSizes::samples), field("classes", &ReclusterSizes::classes, 2, 1'000'000,
                                                            "clusters of all given clusterings together")};
  }
};

struct ReclusterTask : Verb<ReclusterTask, Dataset, Given, ReclusterOptions, ReclusterResult, ReclusterSizes> {
  static constexpr std::string_view verb = "recluster", method = "kdac",
                                    summary =
                                        "Another clustering of the same samples: good, and different from the given "
                                        "one (KDAC)";
  static std::vector<InputRow> inputs();
  static std::vector<Output<ReclusterTask>> outputs();
  static void settle(const TaskCall& call, const ReclusterOptions& options);
  static double goal(const ReclusterOptions& options) { return options.how.round_tolerance; }
  static std::shared_ptr<const Dataset> read(const Inputs& inputs, const ReclusterOptions& options, Given& given,
                                             const RunContext& context);
  static ReclusterResult fit(const Dataset& data, const Given& given, const ReclusterOptions& options,
                             RunContext& context);
  static Summary& summary_of(ReclusterResult& result) { return result.views.back().fit.summary; }
  static Index most_views(const ReclusterOptions& options) { return options.views; }
  static Index views(const F& fit) { return Index(fit.result.views.size()); }
  static Lines text(const F& fit);
  static Json json(const F& fit);
  static constexpr auto form = projection::model_form;
  static ModelFile model(const F& fit) { return to_model(fit.result.views.front(), fit.options); }
  static constexpr auto transform = projection::transform;
  static constexpr auto predict = projection::predict;
  static constexpr auto check = projection::check_report;
  static std::vector<page::Grouping> groups(const F& fit);
  static void tell(const page::Source& from, page::Page& page, const RunContext& context);
  static ForecastReport forecast(const ReclusterSizes& sizes, const ReclusterOptions& options, const Dataset* data,
                                 const RunContext& context);
};

// The kernel with sigma put in; not resolved.
KernelSum asked_kernel(const ReclusterOptions& options);
Json view_json(const View& found, const ReclusterOptions& options);

// Throws bad_option where it has not `columns` pixels.
void require_pixels(const std::string& text, Index columns);
// Score of the settings that were tried against the width, a line for each dimension (its best).
std::string tuning_svg(const Tuning& tuning);

}  // namespace ritz::recluster
