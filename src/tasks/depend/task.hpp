// SPDX-License-Identifier: MIT
// The row of `depend`; see tasks/row.hpp.
#pragma once

#include "ritz/model/kernel_sum.hpp"
#include "ritz/tasks/depend.hpp"
#include "tasks/row.hpp"

namespace ritz::depend {

Json depend_json(const DependResult& found, const DependOptions& options);
ModelFile to_model(const DependResult& found, const DependOptions& options);
// Throws bad_option naming the option.
KernelSum asked_kernel(const std::string& text, const char* option);
// The names and figures of all features, as CSV.
std::string features_csv(const DependResult& found);
std::string plot_svg(const DependResult& found);

// Known: what the samples are compared with.
struct DependTask : Verb<DependTask, Dataset, Other, DependOptions, DependResult, SampleSizes> {
  static constexpr std::string_view verb = "depend", method = "hsic",
                                    summary =
                                        "Is there anything here? Whether features and labels, numbers or a second "
                                        "table depend on each other, and which features do (HSIC)";
  static DataRow data();
  static std::vector<InputRow> inputs();
  static std::vector<Output<DependTask>> outputs();
  static void settle(const TaskCall& call, const DependOptions& options);
  static double goal(const DependOptions&) { return 0; }
  static Summary& summary_of(DependResult& result) { return result.summary; }
  static std::shared_ptr<const Dataset> read(const Inputs& inputs, const DependOptions& options, Other& other,
                                             const RunContext& context);
  static constexpr auto fit = depend::fit;
  static Lines text(const F& fit);
  static constexpr auto json = depend_json;
  static constexpr auto model = to_model;
  static ModelForm form();
  static CheckReport check(const ModelFile& model, const Inputs& inputs, const CheckOptions& how,
                           const RunContext& context);
  static std::vector<page::Grouping> groups(const F& fit);
  static std::vector<page::Column> columns(const F& fit);
  static void tell(const page::Source& from, page::Page& page, const RunContext& context);
  static ForecastReport forecast(SampleSizes sizes, const DependOptions& options, const Dataset* data,
                                 const RunContext& context);
};

}  // namespace ritz::depend
