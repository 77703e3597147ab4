// SPDX-License-Identifier: MIT
// Some of the samples, with their given labels.
#pragma once

#include <cstdint>
#include <vector>

#include "ritz/algorithms/kdac.hpp"

namespace ritz::recluster {

struct Part {
  RowMatrix rows;
  std::vector<Labels> given;
};

// `count` rows at least: a few of every given cluster, then any. In increasing order; `place` names the draw.
std::vector<Index> chosen_rows(const std::vector<Labels>& given, Index n, Index count, std::uint64_t seed,
                               std::uint64_t place);
Part part_of(const Samples& X, const std::vector<Labels>& given, const std::vector<Index>& rows);

// W after the rounds have settled on growing parts of many samples (2000, 8000, … up to half of them): what is left to
// do on all of them is then small. λ is that of all samples.
Matrix settled_on_parts(const kdac::Problem& problem, const kdac::Options& how, Matrix W, RunContext& context);

}  // namespace ritz::recluster
