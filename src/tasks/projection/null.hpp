// SPDX-License-Identifier: MIT
// Is there anything here? What a figure of merit is worth where nothing is to be found.
#pragma once

#include <functional>

#include "ritz/algorithms/dependence.hpp"
#include "ritz/data/dataset.hpp"
#include "ritz/model/samples.hpp"
#include "tasks/row.hpp"

namespace ritz::projection {

// Some of the samples, dense.
RowMatrix some_rows(const Samples& X, const std::vector<Index>& rows);

// The statistic of the rows, and of the same rows where each column is shuffled on its own, which leaves no clusters
// but those of single columns. Shuffle number i depends on the context's seed and on i alone. Throws Interrupted.
dependence::Null shuffled_columns(const RowMatrix& rows, int permutations,
                                  const std::function<double(const RowMatrix&)>& statistic, const RunContext& context);

// Names the column of a null by shuffled columns that found nothing (Null::column). labels: the clusters of the data's
// rows. All columns are counted as tried. Nothing is done for sparse data, most of whose values are 0.
void look_at_columns(dependence::Null& null, const Dataset& data, const Labels& labels, const RunContext& context);

// "p 0.05: none of 19 shuffles of the columns has clusters as clear": `of` and `like` are the last words. Where
// nothing_found it says so.
inline constexpr double kNothingFound = 0.05;
bool nothing_found(double p, double column_p);
// otherwise_told: samples kept out of the fit have shown more than chance does; then shuffles that do as well only mean
// that their measure does not see it.
std::string chance_text(const dependence::Null& null, std::string_view of, std::string_view like,
                        bool otherwise_told = false);
Json null_json(const dependence::Null& null, const char* statistic);

}  // namespace ritz::projection
