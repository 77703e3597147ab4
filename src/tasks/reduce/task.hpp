// SPDX-License-Identifier: MIT
// The row of `reduce`; see tasks/row.hpp.
#pragma once

#include "ritz/tasks/reduce.hpp"
#include "tasks/projection/report.hpp"

namespace ritz::reduce {

struct ReduceSizes {
  static constexpr std::string_view name = "estimate";
  SampleSizes samples;
  Index classes = 2;
  Index ranks = 1;
  static constexpr auto fields() {
    return std::tuple{
        rows(&ReduceSizes::samples),
        field("classes", &ReduceSizes::classes, 2, 1'000'000, "number of classes, where no labels are given"),
        field("ranks", &ReduceSizes::ranks, 1, 1'000'000, "machines like this one that share the work under mpirun")};
  }
};

Json reduce_json(const ReduceResult& found, const ReduceOptions& options);

struct ReduceTask : Verb<ReduceTask, Dataset, Guidance, ReduceOptions, ReduceResult, ReduceSizes> {
  static constexpr std::string_view verb = "reduce", method = "ism",
                                    summary =
                                        "Interpretable projection: the few directions of the data that tell classes "
                                        "apart, explain numbers, or show clusters (ISM)";
  static DataRow data() { return {.labels = true, .stays = true}; }
  static std::vector<InputRow> inputs();
  static std::vector<Output<ReduceTask>> outputs();
  static void settle(const TaskCall& call, ReduceOptions& options);
  static double goal(const ReduceOptions& options, const Inputs& inputs);
  static std::shared_ptr<const Dataset> read(const Inputs& inputs, const ReduceOptions& options, Guidance& guidance,
                                             const RunContext& context);
  static constexpr auto fit = reduce::fit;
  static Lines text(const F& fit);
  static Json json(const F& fit);
  static constexpr auto form = projection::model_form;
  static constexpr auto model = to_model;
  static constexpr auto transform = projection::transform;
  static constexpr auto predict = projection::predict;
  static constexpr auto check = projection::check_report;
  static std::vector<page::Grouping> groups(const F& fit);
  static void tell(const page::Source& from, page::Page& page, const RunContext& context);
  static ForecastReport forecast(const ReduceSizes& sizes, const ReduceOptions& options, const Dataset* data,
                                 const RunContext& context);
};

Json choice_json(const Choice& choice);
Json folds_json(const FoldReport& report);
Json interpretation_json(const ReduceResult& found);

}  // namespace ritz::reduce
