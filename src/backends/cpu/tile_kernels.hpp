// SPDX-License-Identifier: MIT
// Elementwise work on one row of a tile of pairs: plain pointers, no Eigen, compiled once for each instruction set.
#pragma once

#include <cstddef>

namespace ritz::tile {

using Size = std::ptrdiff_t;

struct RowSums {
  double objective;  // Σ γ·value
  double degree;     // Σ γ·slope over difference kernels
};

// For one kernel type; `kernel` points to an object of that type. Each adds weight·(…) for n values of β. Where `scale`
// is given, β is multiplied by it first, and derivatives with respect to the unscaled β are added.
struct KernelRow {
  using Function = void(const void* kernel, double weight, const double* beta, const double* scale, Size n,
                        double* first, double* second);
  Function* value;        // f into first
  Function* value_slope;  // f into first, f′ into second
  Function* curvature;    // f″ into first
  // squared_distances, value_slope and combine of the functions below in one, for one kernel of differences.
  RowSums (*weigh)(const void* kernel, double weight, const double* dots, double own_norm, const double* norms, Size n,
                   const double* gamma, double* weights, double* column_degree);
};

// C = alpha·A·B, added to C where `add`. Entries of A lie a_row and a_step apart, those of B b_step and b_column, along
// the inner size k; the rows of C are contiguous.
template <class Number>
struct BlockProduct {
  Size m, n, k;
  Number alpha;
  const Number* A;
  Size a_row, a_step;
  const Number* B;
  Size b_step, b_column;
  Number* C;
  Size c_row;
  bool add;
};

// What a band of ratios says of a row of pairs: pair j may lie beyond where
//   up + ups[j] − 2·H[j] + grow·G[j] >= 0   or   low + lows[j] + 2·H[j] − shrink·G[j] >= 0.
struct BandRow {
  float up, low, grow, shrink;
  const float *ups, *lows, *G, *H;
};

struct Functions {
  const char* instruction_set;
  void (*product)(const BlockProduct<double>&);
  void (*single_product)(const BlockProduct<float>&);
  const KernelRow* kernels;  // by the index of the kernel's type in KernelTypes
  // β = max(own + norm − 2·dot, 0)
  void (*squared_distances)(const double* dots, double own_norm, const double* norms, Size n, double* beta);
  void (*outer_scale)(double own, const double* others, Size n, double* scale);
  Size (*beyond)(const BandRow& row, Size n, int* places);  // those pairs, in order; gives how many
  float (*single_dot)(const float* a, const float* b, Size n);
  double (*weighted_sum)(const double* gamma, const double* value, Size n);  // Σ γ·value
  // The weight of each pair in XᵀMX, M = Ψ_dot − 2Ψ_difference; Ψ_difference is added to `column_degree`. Either slope
  // may be null.
  RowSums (*combine)(const double* gamma, const double* value, const double* dot_slope, const double* difference_slope,
                     Size n, double* weights, double* column_degree);
  // ω = γ·curvature·c into `omega`, with c = scale·(own + other − cross), and added to `column_sum`; returns Σ ω.
  double (*curvature_weights)(const double* gamma, const double* curvature, double scale, double own,
                              const double* others, const double* cross, Size n, double* omega, double* column_sum);
};

const Functions& functions();  // the best set this machine can run

// Of one instruction set each, whether or not this machine has it.
namespace generic {
const Functions& functions();
}
#if defined(__x86_64__)
namespace avx2 {
const Functions& functions();
}
namespace avx512 {
const Functions& functions();
}
#endif

}  // namespace ritz::tile
