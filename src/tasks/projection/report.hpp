// SPDX-License-Identifier: MIT
// What is said, drawn and kept of a projection, whichever task found it.
#pragma once

#include <string>
#include <string_view>

#include "report/json.hpp"
#include "report/lines.hpp"
#include "report/plot/scatter_plot.hpp"
#include "ritz/tasks/projection.hpp"
#include "tasks/row.hpp"

namespace ritz::projection {

// `facts`: the task's JSON object, of which the model keeps what does not pass with the run.
ModelFile to_model(std::string_view method, const Projection& found, Json facts);
CheckReport check_report(const ModelFile& model, const Inputs& inputs, const CheckOptions& options,
                         const RunContext& context);

Json data_json(const Projection& found);      // n, d, hash
Json loadings_json(const Projection& found);  // the strongest features of each axis

// As kernel_text, with numbers of six digits: for reading, not for parsing.
std::string short_kernel_text(const KernelSum& kernel);
// Eigengap, dominance and curvature, with what they mean, and what approximate sums cost.
std::string certificate_text(const ism::Certificate& certificate);
// The strongest features of each axis, ten axes at most.
std::string axes_text(const Projection& found, std::string_view verb);

// The samples in the first two new dimensions, coloured by `colours`; each axis says its two strongest features.
ScatterPlot embedding_plot(const Projection& found, const Labels& colours, const std::string& title,
                           const std::string& subtitle);

NamedColumns embedding_content(const Projection& found);  // columns axis1, axis2, …

}  // namespace ritz::projection
