// SPDX-License-Identifier: MIT
// Is there anything here? What a figure of merit is worth where nothing is to be found.
#pragma once

#include <functional>

#include "ritz/algorithms/dependence.hpp"
#include "ritz/model/samples.hpp"
#include "tasks/row.hpp"

namespace ritz::projection {

// Some of the samples, dense.
RowMatrix some_rows(const Samples& X, const std::vector<Index>& rows);

// The statistic of the rows, and of the same rows where each column is shuffled on its own, which leaves no clusters
// but those of single columns. Shuffle number i depends on the context's seed and on i alone. Throws Interrupted.
dependence::Null shuffled_columns(const RowMatrix& rows, int permutations,
                                  const std::function<double(const RowMatrix&)>& statistic, const RunContext& context);

// "p 0.05: none of 19 shuffles of the columns has clusters as clear": `of` and `like` are the last words. Above
// kNothingFound it says that nothing is found.
inline constexpr double kNothingFound = 0.05;
std::string chance_text(const dependence::Null& null, std::string_view of, std::string_view like);
Json null_json(const dependence::Null& null, const char* statistic);

}  // namespace ritz::projection
