// SPDX-License-Identifier: MIT
// What the module libritz_cuda.so offers: one C function, ritz_device_table, returns this table. Plain pointers to the
// host's memory, row-major unless said otherwise. Both sides are compiled from this file and compare `layout` and
// `version` before anything else is read. Calls come one at a time. A call returns a Status; `message` tells why.
#pragma once

#include <cstddef>

#include "backends/ratio_scan.hpp"

namespace ritz::device {

inline constexpr int kLayout = 2;                           // raised with every change of this file
inline constexpr const char* kEntry = "ritz_device_table";  // const Table* ritz_device_table()
inline constexpr const char* kModule = "libritz_cuda.so";
inline constexpr std::size_t kObject = 48;  // bytes of the largest kernel

enum Status : int { fine = 0, stopped = 1, out_of_memory = 2, failed = 3 };

struct Facts {
  char name[128];      // of the card
  double total_bytes;  // of its memory
};

// A kernel of model/kernel_list.hpp by its place there and its bytes: there are no pointers in it.
struct Term {
  int type;
  double weight;
  alignas(8) unsigned char object[kObject];
  const double *row_scale, *column_scale;  // of every sample, for kernels with a width of their own; or null
};

// A sweep over the pairs of samples projected by W (d × q, column-major; null: q = d, the samples themselves).
struct Sweep {
  const double* W;
  long q;
  const Term* terms;
  int count;
  long strip_rows;               // at most so many rows at a time; 0: as many as are fast and fit
  int (*stop)(const void* ask);  // asked once a strip; not 0: return `stopped`
  const void* ask;
};

enum Part : int { value = 0, slope = 1, curvature = 2 };  // f, f′ or f″

struct Table {
  int layout;
  const char* version;
  const char* (*message)();

  int (*open)(Facts* facts);  // the first card; takes a third of a second the first time
  int (*free_bytes)(double* bytes);

  // --- samples on the card, n × d
  int (*make)(long n, long d, void** samples);
  int (*put_rows)(void* samples, long first, long count, const double* rows, long stride);
  void (*drop)(void* samples);

  // --- sums over all pairs of one set of samples
  // Γ = basis·weightedᵀ, both n × r. Where `classes` are given, Γ_ij = [c_i = c_j] − share_i − share_j instead.
  int (*set_gamma)(void* samples, long r, const double* basis, const double* weighted, const int* classes,
                   const double* share);
  // Φ (d × d) and F as in ritz/pairs/pair_pass.hpp; phi null: F alone. tf32: products in that precision.
  int (*sums)(void* samples, const Sweep* sweep, int tf32, double* phi, double* objective);
  int (*phi_product)(void* samples, const Sweep* sweep, const double* V, long m, double* out,
                     double* objective);  // ΦV, V and out d × m and column-major
  int (*curvature_product)(void* samples, const Sweep* sweep, const double* E, long directions,
                           double* out);  // d × q·directions, column-major
  int (*curvature_bound)(void* samples, const Sweep* sweep, double* bound);
  int (*kernel_product)(void* samples, const Sweep* sweep, const double* in, long m, double* out);  // n × m

  // --- two sets, without W: K(a, b)·in where m > 0 (in rows(b) × m, out rows(a) × m), else K(a, b) itself
  int (*cross)(void* a, void* b, const Sweep* sweep, int part, const double* in, long m, double* out);

  // --- distances of all pairs i > j of centred samples: squared ones at most `zero` count as 0. kth: the squared
  // distance at place k of the sorted ones.
  int (*distances)(void* samples, double zero, long* zeros);
  int (*kth_distance)(void* samples, long k, double* squared);

  // The tiles of all pairs of samples under a map (ratio_scan.hpp): kScanRoom pairs and `bins` counts for each, bins at
  // most 1024. Of the sweep, only how to stop is read, here and below.
  int (*scan_ratios)(void* samples, const Sweep* sweep, const int* copies, const ScanRequest* request,
                     ScannedTile* tiles, ScannedPair* pairs, unsigned* histogram);

  // Pairs of samples, v_p = √scale_p·(x_a − x_b), in place of those before: out_p = ‖Bᵀv_p‖², or v_pᵀBv_p with a
  // symmetric B where `whole`; Σ y_p v_p(v_pᵀB), d × k. B is d × k and column-major, as is what is given back.
  int (*set_secants)(void* samples, long count, const int* a, const int* b, const double* scale);
  int (*secant_values)(void* samples, const double* B, long k, int whole, double* out);
  int (*secant_adjoint)(void* samples, const double* y, const double* B, long k, double* out);

  // For each query the points that may be among its k nearest, each set in the order of its rows: `counts` of them in
  // rows of `room` ≥ k entries, -1 where there is no room for all. own: query i is point i, and left out. slack: how
  // far ‖p‖² − 2qᵀp may be off, relative to ‖q‖² + max‖p‖²; 0: not at all.
  int (*candidates)(void* queries, void* points, const Sweep* sweep, long k, int own, double slack, long room,
                    int* counts, int* found);

  // The `count` largest eigenvalues, decreasing, of a symmetric n × n matrix, one more where there is one, and the
  // vectors of the first (n × count, column-major).
  int (*eigen)(const double* A, long n, long count, double* values, double* vectors);
};

}  // namespace ritz::device
