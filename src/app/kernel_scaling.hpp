// SPDX-License-Identifier: MIT
#pragma once

#include "ritz/app/model_file.hpp"
#include "ritz/data/dataset.hpp"

namespace ritz {

// Samples as a kernel model's fit saw its own: scaled in place, and sparse or dense as they were. Throws bad_shape when
// the columns do not match.
void scale_like_model(const ModelFile& model, Dataset& data);
// The same for columns of any factor; sparse samples are not centred.
void scale_columns(const Vector& mean, const Vector& factor, Dataset& data);

}  // namespace ritz
