// SPDX-License-Identifier: MIT
// The row of `isometry`; see tasks/row.hpp.
#pragma once

#include "ritz/tasks/isometry.hpp"
#include "tasks/row.hpp"

namespace ritz::isometry {

Json sweep_json(const Sweep& sweep);
Json isometry_json(const IsometryResult& found, const IsometryOptions& options);
// What a model promises: the distortion asked for, or where neighbours or prefixes were, the one that came of it.
inline double asked_distortion(const IsometryResult& found, const IsometryOptions& options) {
  const bool came = options.objective == Objective::recall || !options.prefixes.empty();
  return came ? found.fit.distortion : options.how.distortion;
}

// Known: the pairs that matter.
struct IsometryTask
    : Verb<IsometryTask, Dataset, std::vector<WeightedPair>, IsometryOptions, IsometryResult, SampleSizes> {
  static constexpr std::string_view verb = "isometry", method = "isometry",
                                    summary =
                                        "The fewest linear measurements that keep all distances (NuMax, FroMax, "
                                        "NILE-Pro, and better)";
  static std::vector<InputRow> inputs();
  static std::vector<Output<IsometryTask>> outputs();
  static double goal(const IsometryOptions& options) { return options.how.distortion; }
  static void settle(const TaskCall& call, const IsometryOptions& options);
  static std::shared_ptr<const Dataset> read(const Inputs& inputs, const IsometryOptions& options, Known& known,
                                             const RunContext& context);
  static constexpr auto fit = isometry::fit;
  static Lines text(const F& fit);
  static constexpr auto json = isometry_json;
  static ModelForm form();
  static constexpr auto model = to_model;
  static constexpr auto transform = isometry::transform;
  static CheckReport check(const ModelFile& model, const Inputs& inputs, const CheckOptions& how,
                           const RunContext& context);
  static void tell(const page::Source& from, page::Page& page, const RunContext& context);
  static ForecastReport forecast(SampleSizes sizes, const IsometryOptions& options, const Dataset* data,
                                 const RunContext& context);
};

// The measurements of a model. Throws bad_shape when the columns do not match.
const Matrix& projection_for(const ModelFile& model, const Dataset& data);
// The data's own rows, or `filled` in. Throws memory.
const RowMatrix& dense_rows(const Dataset& data, RowMatrix& filled, const RunContext& context);
// Those that a model was fitted to; none: all.
std::vector<WeightedPair> stored_pairs(const ModelFile& model, Index samples);
std::vector<WeightedPair> chosen_pairs(const RowMatrix& X, const SecantChoice& choice, const RunContext& context);
// Fills in comparison and recall: principal components and random measurements of the same rank.
void compare(const RowMatrix& X, const IsometryOptions& options, IsometryResult& found, const RunContext& context);
// Fills in what a fit without some of the samples does to these.
void judge_new(const RowMatrix& X, const IsometryOptions& options, IsometryResult& found, RunContext& context);
// The k nearest of each query among the samples, itself left out, by increasing number.
std::vector<std::vector<Index>> neighbours_of(const std::vector<Index>& queries, const RowMatrix& X, Index k,
                                              const RunContext& context);
// Share of the true neighbours that were found, a number a query.
Vector kept(const std::vector<std::vector<Index>>& truth, const std::vector<std::vector<Index>>& found);
inline constexpr Index kMostQueries = 2000;  // samples whose neighbours are looked up
// Fills in the fit: principal components, leading directions of a mixture of the scatter of all samples and that of
// near ones, or rows learned from there; which of them, held-out queries say.
void fit_recall(const RowMatrix& X, const IsometryOptions& options, IsometryResult& found, RunContext& context);
// Fills in sweep and summary.
void fit_sweep(const RowMatrix& X, const IsometryOptions& options, IsometryResult& found, RunContext& context);

// The histogram of ratios with the band 1 ± distortion; of a sweep the rank against the distortion.
std::string plot_svg(const IsometryResult& found, double distortion);

}  // namespace ritz::isometry
