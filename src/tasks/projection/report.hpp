// SPDX-License-Identifier: MIT
// What is said, drawn and kept of a projection, whichever task found it.
#pragma once

#include "report/plot/scatter_plot.hpp"
#include "ritz/pairs/backend.hpp"
#include "ritz/tasks/projection.hpp"
#include "tasks/projection/prepare.hpp"
#include "tasks/row.hpp"

namespace ritz::projection {

// W of the fit, made in the coordinates of a frame, becomes loadings of the scaled features.
void bring_back(Projection& found);
// How the model scales `data`, without its frame: W multiplies what comes of it.
ColumnScaling model_scaling(const ModelFile& model, const Dataset& data);
ClusterModel stored_clusters(const ModelFile& model, const Json& info);
// The classes that the model was fitted to, of n rows.
Labels stored_classes(const ModelFile& model, const Json& info, Index n);

// `facts`: the task's JSON object, of which the model keeps what does not pass with the run.
ModelFile to_model(std::string_view method, const Projection& found, Json facts);
ModelForm model_form();  // what it may hold
CheckReport check_report(const ModelFile& model, const Inputs& inputs, const CheckOptions& options,
                         const RunContext& context);

Json data_json(const Projection& found);      // n, d, hash
Json loadings_json(const Projection& found);  // the strongest features of each axis

// As kernel_text, with numbers of four digits: for reading, not for parsing.
std::string short_kernel_text(const KernelSum& kernel);
// Eigengap, dominance and curvature, with what they mean, and what approximate sums cost.
// What is exact and what is estimated of a fit to some of the pairs.
std::string sampling_text(const ism::Sampling& sampling);
std::string certificate_text(const ism::Certificate& certificate);
// The same for newcomers: "settled after 5 steps, at a local best".
std::string sureness_text(const Projection& found, std::string_view step);
// The strongest features of each axis, a line each, four axes at most.
void add_axes(Lines& lines, const Projection& found, std::string_view verb);

// The samples in the first two new dimensions, coloured by `colours`; each axis says its two strongest features.
ScatterPlot embedding_plot(const Projection& found, const Labels& colours, const std::string& title,
                           const std::string& subtitle);

NamedColumns embedding_content(const Projection& found);                  // columns axis1, axis2, …
NamedColumns loadings_content(const Matrix& W, const Projection& found);  // a row a feature, with its name

// --- of their pages ---
page::Verdict verdict_of(const Json& facts);
// Shuffled data do as well by the measure of `result.null`: whatever was found may be noise. And what a page says then:
// "3 of 19 shuffles of the columns have clusters as clear".
bool nothing_found(const Json& facts);
page::Verdict chance_verdict(const Json& facts, std::string_view of, std::string_view like);
Vector feature_weight(const ModelFile& model);  // squared loadings over all axes
std::vector<std::string> named_features(const Json& info, Index columns);
// The samples where there are some, otherwise those of the fit, in the model's space. Adds the classes and the found
// clusters to the groups of `from` where they are not there.
RowMatrix shown_samples(page::Source& from, const ModelFile& model, const RunContext& context);
// which: before the title, where there are several models.
void tell_loadings(const page::Source& from, const ModelFile& model, page::Page& page, const std::string& which = "");

// Sizes of a fit of which only numbers are known. `told`: classes or clusters, `data`: where there are some. Throws
// bad_option where too little is known or too many dimensions are asked for.
// Fewer samples than columns are fitted in their span; frame_bytes is what that takes.
double frame_bytes(const SampleSizes& samples);
PairSizes forecast_sizes(const SampleSizes& samples, Index told, const Dimension& dim, std::string_view verb,
                         const Dataset* data);
// Time and route of an iteration; memory, headline and data are the task's. `fits`: how many fits of this size all of
// it is worth, those of choices, folds and resamples among them, where no small one (`fit`) can be timed.
// On `ranks` machines like this one, which divide the sweeps over pairs.
ForecastReport forecast_report(const PairSizes& sizes, const KernelSum& kernel, double fits,
                               const std::function<void(Index rows, RunContext& context)>& fit,
                               const RunContext& context, Index ranks = 1);

}  // namespace ritz::projection
