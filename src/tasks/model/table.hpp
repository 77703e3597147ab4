// SPDX-License-Identifier: MIT
// How the columns of a table became features, in a model file and in the facts of a run.
#pragma once

#include <memory>

#include "report/envelope.hpp"
#include "ritz/data/columns.hpp"
#include "ritz/data/dataset.hpp"
#include "ritz/tasks/model.hpp"
#include "ritz/tasks/task.hpp"

namespace ritz {

void store_recipe(ModelFile& model, const TableRecipe* recipe);  // nothing for null
// Null where the model tells nothing of its columns. Throws bad_file for what cannot be a recipe.
std::shared_ptr<const TableRecipe> stored_recipe(const ModelFile& model);

// The source of samples that are to be read as the model's own were; `fitted`: they are meant to be these.
DataSource source_for(const ModelFile& model, DataSource source, bool fitted = false);

// The samples, where a word of the named inputs may be a column of theirs instead of a file: such a column is no data,
// rows that lack it are dropped, and its labels take the word's place in `inputs`.
std::shared_ptr<const Dataset> dataset_and_columns(Inputs& inputs, const std::vector<std::string>& names,
                                                   const RunContext& context);

// The samples and the targets that are given with them, for a model: from the file `targets`, or from the columns
// `target_column` of the samples' own, which are no data; samples without a target are left out, with a note. No
// targets: 0 × 0.
struct SamplesAndTargets {
  std::shared_ptr<const Dataset> data;
  RowMatrix targets;
};
SamplesAndTargets samples_and_targets(const Inputs& inputs, const RunContext& context);

// The kinds of columns that are not numbers, what was left out, and the rows that were dropped.
void add_reading(Json& facts, const Dataset& data);

}  // namespace ritz
