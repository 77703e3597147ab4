// SPDX-License-Identifier: MIT
// Reading a projection: which features matter, how sure that is, and a basis of the same or nearly the same subspace
// with few loadings.
#pragma once

#include "ritz/tasks/reduce.hpp"
#include "tasks/projection/scaled_samples.hpp"

namespace ritz::reduce {

struct FittedProblem {  // borrowed
  const projection::ScaledSamples& X;
  const Gamma& gamma;
  const KernelSum& kernel;  // resolved
  const ism::Result& fit;
};

// Refits from the spectral start on resamples of the rows with replacement, within each class where Γ comes from
// labels; otherwise the rows of Γ's factor are drawn along and centred anew where they were. Scaling and kernel widths
// stay those of the fit. Resample b depends on the seed and b alone. Throws memory when the loadings of all resamples
// do not fit into context.max_memory. Ctrl-C or the time limit: what is finished so far, with a note.
BootstrapReport bootstrap(const FittedProblem& fitted, const ism::Options& how, const BootstrapOptions& options,
                          RunContext& context);

// At most 40 thresholds, down to where the columns are no longer independent; one evaluation of F each. Ctrl-C or the
// time limit: the path so far, with a note.
SparseReport sparse_basis(const FittedProblem& fitted, const SparseOptions& options, RunContext& context);

}  // namespace ritz::reduce
