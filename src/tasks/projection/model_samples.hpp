// SPDX-License-Identifier: MIT
#pragma once

#include "report/json.hpp"
#include "ritz/tasks/model.hpp"
#include "tasks/projection/scaled_samples.hpp"

namespace ritz::projection {

// The data as the model's fit saw them; borrowed where nothing has to be changed.
ScaledSamples model_samples(const ModelFile& model, const Dataset& data);
// The classes that the model was fitted to, of n rows.
Labels stored_classes(const ModelFile& model, const Json& info, Index n);

}  // namespace ritz::projection
