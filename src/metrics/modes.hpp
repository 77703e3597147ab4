// SPDX-License-Identifier: MIT
// Do the numbers of one column fall into groups? By the excess mass (Müller and Sawitzki, Excess mass estimates and
// tests for multimodality, 1991): E_k(λ) is the most that k intervals hold of the samples' share less λ times their
// length. Where the density has one peak a second interval gains little at any λ; what it gains at most is twice
// Hartigan's dip.
#pragma once

#include <vector>

#include "ritz/base/random.hpp"

namespace ritz {

// max_λ E₂(λ) − E₁(λ), over powers of 2^(1/4) times 1/range; in [0, 1/2]. Does not depend on unit and origin. Equal
// values are first laid out over half of the way to their neighbours, so that rounding makes no groups: 0s and 1s have
// none.
double second_peak(std::vector<double> values);

// How likely as large a second_peak is among as many numbers drawn uniformly, the density with one peak that shows the
// largest: a Gumbel distribution through draws from `random`. 1 for fewer than 8 different values.
double second_peak_p(const std::vector<double>& values, Rng random);

}  // namespace ritz
