// SPDX-License-Identifier: MIT
// General semidefinite programs through CSDP (Borchers, 1999), a program of its own that is looked for on PATH when it
// is needed. Slow beside the special solvers of this library: an independent answer to compare theirs with.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "ritz/base/context.hpp"
#include "ritz/base/text.hpp"
#include "ritz/base/types.hpp"

namespace ritz {

// One entry of a symmetric block-diagonal matrix, all indices from 0. row ≠ column stands for both mirror images.
// Entries at the same place add up.
struct SdpEntry {
  Index block, row, column;
  double value;
};

// The pair of problems
//   primal: maximise <C, X>  over X ⪰ 0 with <Aᵢ, X> = bᵢ,
//   dual:   minimise bᵀy     over y with Σ yᵢ Aᵢ − C ⪰ 0,
// whose matrices share one block structure.
struct SdpProblem {
  std::vector<Index> blocks;                       // sizes; −s is a diagonal block with s entries
  std::vector<SdpEntry> objective;                 // C
  std::vector<std::vector<SdpEntry>> constraints;  // A₁ … A_m, m >= 1
  std::vector<double> right;                       // b₁ … b_m
};

struct SdpOptions {
  // CSDP stops when the relative infeasibility of both problems and their relative gap are all below this. Where it
  // gets stuck before, it says so in the status.
  double tolerance = 1e-9;
  int max_iterations = 200;
  int threads = 1;  // of its linear algebra, 0: as many as cores; the last bits of the answer depend on it
};

enum class SdpStatus {
  solved,
  nearly_solved,      // within 1000 times the tolerance
  primal_infeasible,  // no X meets the constraints
  dual_infeasible,    // no y does: where the primal has a point, its objective is unbounded
  max_iterations,
  stuck,              // at the edge of feasibility, or no progress: typical for a problem without interior
  numerical_failure,  // a singular matrix, or numbers that are not finite
};
constexpr auto names_of(SdpStatus) {
  return std::array{"solved",         "nearly_solved", "primal_infeasible", "dual_infeasible",
                    "max_iterations", "stuck",         "numerical_failure"};
}
// Whether the numbers of the solution are an answer: solved or nearly_solved.
bool usable(SdpStatus status);

struct SdpSolution {
  SdpStatus status = SdpStatus::numerical_failure;
  std::string message;                        // the status in words
  Vector y;                                   // m
  std::vector<Matrix> X;                      // by block; a diagonal block is one column
  double primal = kUnknown, dual = kUnknown;  // <C, X> and bᵀy; primal <= dual up to the infeasibilities
  double seconds = 0;                         // of the program itself, files excluded
};

// The absolute path of `csdp`, or "" when no folder of PATH has it.
std::string csdp_path();

// About what CSDP allocates, by its manual: 8 (m² + 11 Σ s²) bytes, s the sizes of the blocks.
double csdp_bytes(const SdpProblem& problem);

// Writes the problem into a fresh folder of the temporary directory, runs the program there, reads its answer and
// removes the folder, also upon errors. No shell is involved. Throws
//   Error unsupported  without the program,
//   Error memory       when csdp_bytes exceeds context.max_memory,
//   Error bad_shape    for entries outside the blocks, or sizes that do not match,
//   Error not_finite   for NaN or infinity,
//   Error bad_file     when the program ends in a way it should not, or its answer cannot be read,
//   Interrupted        within a tenth of a second after Ctrl-C or the deadline; the program is ended first.
SdpSolution solve_sdp(const SdpProblem& problem, const SdpOptions& options, const RunContext& context);

}  // namespace ritz
