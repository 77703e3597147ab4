// SPDX-License-Identifier: MIT
// The row of `reduce`; see tasks/row.hpp.
#pragma once

#include "ritz/tasks/reduce.hpp"
#include "tasks/row.hpp"

namespace ritz::reduce {

struct ReduceSizes {
  static constexpr std::string_view name = "estimate";
  Index rows = 0, columns = 0, classes = 2;
  static constexpr auto fields() {
    return std::tuple{
        field("rows", &ReduceSizes::rows, 0, Index(1) << 40, "number of samples, where no data is given"),
        field("columns", &ReduceSizes::columns, 0, Index(1) << 32, "number of features, where no data is given"),
        field("classes", &ReduceSizes::classes, 2, 1'000'000, "number of classes, where no labels are given")};
  }
};

struct ReduceTask {
  using Data = Dataset;
  using Known = Guidance;
  using Options = ReduceOptions;
  using Result = ReduceResult;
  using Sizes = ReduceSizes;
  static constexpr std::string_view verb = "reduce", method = "ism",
                                    summary =
                                        "Interpretable projection: the few directions of the data that tell classes "
                                        "apart, explain numbers, or show clusters (ISM)";
  static DataRow data();
  static std::vector<InputRow> inputs();
  static std::vector<Output<ReduceTask>> outputs();
  static void settle(const TaskCall& call, ReduceOptions& options);
  static double goal(const ReduceOptions& options, const Inputs& inputs);
  static std::shared_ptr<const Dataset> read(const Inputs& inputs, const ReduceOptions& options, Guidance& guidance,
                                             const RunContext& context);
  static ReduceResult fit(const Dataset& data, const Guidance& guidance, const ReduceOptions& options,
                          RunContext& context);
  static Summary& summary_of(ReduceResult& result) { return result.fit.summary; }
  static std::string text(const Fit<ReduceTask>& fit);
  static Json json(const Fit<ReduceTask>& fit);
  static ModelFile model(const Fit<ReduceTask>& fit);
  static RowMatrix transform(const ModelFile& model, const Dataset& data, const RunContext& context);
  static Prediction predict(const ModelFile& model, const Dataset& data, const PredictOptions& options,
                            const RunContext& context);
  static CheckReport check(const ModelFile& model, const Inputs& inputs, const CheckOptions& how,
                           const RunContext& context);
  static ForecastReport forecast(const ReduceSizes& sizes, const ReduceOptions& options, const Dataset* data,
                                 const RunContext& context);
};

Json reduce_json(const ReduceResult& found, const ReduceOptions& options);
Json choice_json(const Choice& choice);
Json folds_json(const FoldReport& report);
Json interpretation_json(const ReduceResult& found);

std::string folds_text(const FoldReport& report, Index features);  // a few lines of a summary
std::string interpretation_text(const ReduceResult& found);        // likewise
std::string plot_svg(const ReduceResult& found);

}  // namespace ritz::reduce
