// SPDX-License-Identifier: MIT
// What the table of the module is made of; table.hpp says what each does. They throw Failure.
#pragma once

#include "backends/cuda/table.hpp"

namespace ritz::device {

struct Samples;

// sums.cu
void pair_sums(Samples& samples, const Sweep& sweep, bool tf32, double* phi, double* objective);
void pair_phi_product(Samples& samples, const Sweep& sweep, const double* V, long m, double* out, double* objective);
// curvature.cu
void pair_curvature(Samples& samples, const Sweep& sweep, const double* E, long directions, double* out);
void pair_curvature_bound(Samples& samples, const Sweep& sweep, double* bound);
// cross.cu
void pair_kernel_product(Samples& samples, const Sweep& sweep, const double* in, long m, double* out);
void pair_cross(const Samples& a, const Samples& b, const Sweep& sweep, int part, const double* in, long m,
                double* out);
// distances.cu
void all_distances(Samples& samples, double zero, long* zeros);
void kth(const Samples& samples, long k, double* squared);
// eigen.cu
void top_eigen(const double* A, long n, long count, double* values, double* vectors);
// ratios.cu
void scan_all(Samples& samples, const Sweep& sweep, const int* copies, const ScanRequest& request, ScannedTile* tiles,
              ScannedPair* pairs, unsigned* histogram);
// secants.cu
void take_secants(Samples& samples, long count, const int* a, const int* b, const double* scale);
void secant_values(const Samples& samples, const double* B, long k, bool whole, double* out);
void secant_adjoint(const Samples& samples, const double* y, const double* B, long k, double* out);
// neighbours.cu
void find_candidates(const Samples& queries, const Samples& points, const Sweep& sweep, long k, bool own, double slack,
                     long room, int* counts, int* found);

}  // namespace ritz::device
