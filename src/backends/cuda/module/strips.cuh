// SPDX-License-Identifier: MIT
// What sweeps share: samples on the card, projected and made ready, and strips of rows of pairs, as many at a time as
// the memory has room for.
#pragma once

#include <algorithm>

#include "backends/cuda/module/card.cuh"
#include "backends/cuda/module/fill.cuh"
#include "backends/memory_plan.hpp"

namespace ritz::device {

static_assert(kTileRows == kLeastRows);

// Pairs of samples, and for each sample, from starts[i] on, the pairs it is in with the sample at the other end.
struct Secants {
  long count = 0;
  Buffer<int> a, b, starts, pairs, others;
  Buffer<double> scale;
};

struct Samples {
  long n, d;
  Buffer<double> X;  // n × d
  Buffer<float> single;
  int single_centred = -1;  // -1: `single` is empty
  long r = 0;
  bool by_class = false;
  Buffer<double> basis, weighted, share;
  Buffer<int> classes;
  Secants secants;
  Buffer<double> distances;  // n × n, the lower triangle; the rest ∞
};

struct Forms {
  bool dot = false, difference = false;
};
Forms forms_of(const Sweep& sweep);

// --- rows

void squared_norms(const double* Z, long n, long q, double* norms);  // of the rows
void column_means(const double* Z, long n, long q, double* mean);    // on the card
void centre_columns(double* Z, long n, long q);                      // leaves their means in card().mean
double* project(const Samples& samples, const double* W, long q, Buffer<double>& into);  // XW, n × q
// About card().mean where a kernel is of differences.
void take_side(double* Z, long n, long q, Forms forms, Buffer<double>& norms, Buffer<double>& along);
// The terms on the card, with their scales.
const Term* put_terms(const Sweep& sweep, long rows, long columns);

// The samples projected by W, ready to be both sides of a strip.
struct Prepared {
  Forms forms;
  double* Z;
  Fill fill{};
};
Prepared prepared(const Samples& samples, const Sweep& sweep);

// --- sums

void add_all(const double* part, long count, double* out);  // out += Σ part, in a fixed order
// degree and objective (the last entry) of the strip that was just filled are added.
void add_sums(const Fill& f, bool difference, double* degree, double* objective);
void need_parts(Fill& f, long rows, long columns, bool triangle);  // room for the sums of a strip

// --- strips

// How many rows at a time. `bytes`: of a row with all its columns, beyond the work space `have` that is there already.
// Throws out_of_memory where not even a few rows have room.
long strip_rows(const Sweep& sweep, long rows, double bytes, double have);
void set_gamma_of(const Samples& samples, Fill& f, double* strip);  // from classes inside `fill`, or multiplied out
void set_products_of(Fill& f, double* strip);                       // of wide rows, by cuBLAS
dim3 grid_of(const Fill& f);
dim3 grid_of_sums(const Fill& f);  // where weights or the objective are asked for
void launch(Mode mode, const Fill& f);  // fill.cu

// Calls use(row0, rows) strip by strip, never more than two of them ahead of the card, and asks whether to stop.
template <class Use>
void for_each_strip(const Sweep& sweep, long n, long rows_at_a_time, const Use& use) {
  long number = 0;
  for (long row0 = 0; row0 < n; row0 += rows_at_a_time, ++number) {
    if (number >= 2) require(cudaEventSynchronize(card().events[number % 2]), "finish a strip");
    if (sweep.stop(sweep.ask)) throw Failure{stopped, "stopped"};
    use(row0, std::min(rows_at_a_time, n - row0));
    require(cudaEventRecord(card().events[number % 2]), "mark a strip");
  }
}

}  // namespace ritz::device
