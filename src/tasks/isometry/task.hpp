// SPDX-License-Identifier: MIT
// The row of `isometry`; see tasks/row.hpp.
#pragma once

#include "ritz/tasks/isometry.hpp"
#include "tasks/row.hpp"

namespace ritz::isometry {

struct IsometrySizes {
  static constexpr std::string_view name = "estimate";
  Index rows = 0, columns = 0;
  static constexpr auto fields() {
    return std::tuple{
        field("rows", &IsometrySizes::rows, 0, Index(1) << 40, "number of samples, where no data is given"),
        field("columns", &IsometrySizes::columns, 0, Index(1) << 32, "number of features, where no data is given")};
  }
};

struct IsometryTask {
  using Data = Dataset;
  using Known = std::vector<WeightedPair>;  // the pairs that matter
  using Options = IsometryOptions;
  using Result = IsometryResult;
  using Sizes = IsometrySizes;
  static constexpr std::string_view verb = "isometry", method = "isometry",
                                    summary =
                                        "The fewest linear measurements that keep all distances (NuMax, FroMax, "
                                        "NILE-Pro, and better)";
  static DataRow data() { return {}; }
  static std::vector<InputRow> inputs();
  static std::vector<Output<IsometryTask>> outputs();
  static double goal(const IsometryOptions& options) { return options.how.distortion; }
  static void settle(const TaskCall& call, const IsometryOptions& options);
  static std::shared_ptr<const Dataset> read(const Inputs& inputs, const IsometryOptions& options, Known& known,
                                             const RunContext& context);
  static IsometryResult fit(const Dataset& data, const Known& known, const IsometryOptions& options,
                            RunContext& context) {
    return isometry::fit(data, known, options, context);
  }
  static Summary& summary_of(IsometryResult& result) { return result.fit.summary; }
  static std::string text(const Fit<IsometryTask>& fit);
  static Json json(const Fit<IsometryTask>& fit);
  static ModelFile model(const Fit<IsometryTask>& fit) { return to_model(fit.result, fit.options); }
  static RowMatrix transform(const ModelFile& model, const Dataset& data, const RunContext& context) {
    return isometry::transform(model, data, context);
  }
  static CheckReport check(const ModelFile& model, const Inputs& inputs, const CheckOptions& how,
                           const RunContext& context);
  static ForecastReport forecast(const IsometrySizes& sizes, const IsometryOptions& options, const Dataset* data,
                                 const RunContext& context);
};

// The measurements of a model. Throws bad_shape when the columns do not match.
const Matrix& projection_for(const ModelFile& model, const Dataset& data);
// The data's own rows, or `filled` in. Throws memory.
const RowMatrix& dense_rows(const Dataset& data, RowMatrix& filled, const RunContext& context);
std::vector<WeightedPair> chosen_pairs(const RowMatrix& X, const SecantChoice& choice, const RunContext& context);
// Fills in comparison and recall: principal components and random measurements of the same rank.
void compare(const RowMatrix& X, const IsometryOptions& options, IsometryResult& found, const RunContext& context);
// Fills in sweep and summary.
void fit_sweep(const RowMatrix& X, const IsometryOptions& options, IsometryResult& found, RunContext& context);

Json sweep_json(const Sweep& sweep);
Json isometry_json(const IsometryResult& found, const IsometryOptions& options);
// The histogram of ratios with the band 1 ± distortion; of a sweep the rank against the distortion.
std::string plot_svg(const IsometryResult& found, double distortion);

}  // namespace ritz::isometry
