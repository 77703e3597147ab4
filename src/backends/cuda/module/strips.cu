// SPDX-License-Identifier: MIT
// What strips.cuh declares. No atomics: partial sums have a place each and are added in order, so that repeated runs on
// one card give the same bits.
#include <string>
#include <utility>
#include <vector>
#include "backends/cuda/module/fill_narrow.cuh"
#include "backends/cuda/module/strips.cuh"

namespace ritz::device {

namespace {

__global__ void set_all(double* out, std::size_t count, double value) {
  const std::size_t i = std::size_t(blockIdx.x) * 256 + threadIdx.x;
  if (i < count) out[i] = value;
}
__global__ void subtract_row(double* Z, std::size_t count, long q, const double* row) {
  const std::size_t i = std::size_t(blockIdx.x) * 256 + threadIdx.x;
  if (i < count) Z[i] -= row[i % q];
}
// ‖z‖², and where `mean` is given mᵀz + ½mᵀm.
__global__ void row_facts(const double* Z, long n, long q, const double* mean, double* norms, double* along) {
  const long i = blockIdx.x * 256L + threadIdx.x;
  if (i >= n) return;
  double norm = 0, inner = 0, own = 0;
  for (long c = 0; c < q; ++c) {
    const double z = Z[i * q + c];
    norm += z * z;
    if (along) inner += mean[c] * z, own += mean[c] * mean[c];
  }
  norms[i] = norm;
  if (along) along[i] = inner + 0.5 * own;
}
// out_i += Σ_k part[k·stride + i] over k in order: eight threads take every eighth part.
__global__ void add_parts(const double* part, long parts, long stride, long count, double* out) {
  __shared__ double sums[256];
  const long i = blockIdx.x * 32L + threadIdx.x % 32;
  double sum = 0;
  if (i < count)
    for (long k = threadIdx.x / 32; k < parts; k += 8) sum += part[std::size_t(k) * stride + i];
  sums[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x >= 32 || i >= count) return;
  for (int w = 1; w < 8; ++w) sum += sums[w * 32 + threadIdx.x];
  out[i] += sum;
}
__global__ void add_in_order(const double* part, long count, double* out) {
  __shared__ double sums[1024];
  double sum = 0;
  for (long i = threadIdx.x; i < count; i += 1024) sum += part[i];
  sums[threadIdx.x] = sum;
  for (int w = 512; w > 0; w /= 2) {
    __syncthreads();
    if (threadIdx.x < w) sums[threadIdx.x] += sums[threadIdx.x + w];
  }
  if (threadIdx.x == 0) *out += sums[0];
}

template <std::size_t... I>
PairForm form_of_type(int type, std::index_sequence<I...>) {
  static constexpr PairForm forms[] = {std::variant_alternative_t<I, KernelTypes>::form...};
  return forms[type];
}

}  // namespace

Forms forms_of(const Sweep& sweep) {
  Forms forms;
  for (int k = 0; k < sweep.count; ++k)
    (form_of_type(sweep.terms[k].type, std::make_index_sequence<std::variant_size_v<KernelTypes>>()) == PairForm::dot
         ? forms.dot
         : forms.difference) = true;
  return forms;
}

const Term* put_terms(const Sweep& sweep, long rows, long columns) {
  std::vector<Term> terms(sweep.terms, sweep.terms + sweep.count);
  std::size_t scales = 0;
  for (const Term& term : terms)
    if (term.row_scale) scales += std::size_t(rows) + columns;
  double* at = card().scales.need(scales);
  const auto place = [&](const double*& scale, long count) {
    require(cudaMemcpy(at, scale, count * sizeof(double), cudaMemcpyHostToDevice), "take data");
    scale = at;
    at += count;
  };
  for (Term& term : terms)
    if (term.row_scale) place(term.row_scale, rows), place(term.column_scale, columns);
  return card().terms.put(terms.data(), terms.size());
}

void squared_norms(const double* Z, long n, long q, double* norms) {
  row_facts<<<blocks(n), 256>>>(Z, n, q, nullptr, norms, nullptr);
}

void column_means(const double* Z, long n, long q, double* mean) {
  double* ones = card().ones.need(n);
  set_all<<<blocks(n), 256>>>(ones, n, 1.0 / double(n));
  gemm(false, false, q, 1, n, 1, Z, q, ones, n, 0, mean, q);
}

void centre_columns(double* Z, long n, long q) {
  column_means(Z, n, q, card().mean.need(q));
  subtract_row<<<blocks(std::size_t(n) * q), 256>>>(Z, std::size_t(n) * q, q, card().mean.data());
}

double* project(const Samples& samples, const double* W, long q, Buffer<double>& into) {
  double* Z = into.need(std::size_t(samples.n) * q);
  gemm(true, false, q, samples.n, samples.d, 1, card().W.put(W, std::size_t(samples.d) * q), samples.d,
       samples.X.data(), samples.d, 0, Z, q);
  return Z;
}

void take_side(double* Z, long n, long q, Forms forms, Buffer<double>& norms, Buffer<double>& along) {
  if (!forms.difference || n == 0) return;
  subtract_row<<<blocks(std::size_t(n) * q), 256>>>(Z, std::size_t(n) * q, q, card().mean.data());
  row_facts<<<blocks(n), 256>>>(Z, n, q, card().mean.data(), norms.need(n), forms.dot ? along.need(n) : nullptr);
  launched("centre samples");
}

Prepared prepared(const Samples& samples, const Sweep& sweep) {
  Prepared all{forms_of(sweep), project(samples, sweep.W, sweep.q, card().Z)};
  if (all.forms.difference) column_means(all.Z, samples.n, sweep.q, card().mean.need(sweep.q));
  take_side(all.Z, samples.n, sweep.q, all.forms, card().norms, card().along);
  Fill& f = all.fill;
  f.row_z = f.column_z = all.Z;
  f.q = sweep.q;
  if (all.forms.difference) f.row_norms = f.column_norms = card().norms.data();
  if (all.forms.difference && all.forms.dot) f.row_along = f.column_along = card().along.data();
  f.terms = put_terms(sweep, samples.n, samples.n);
  f.count = sweep.count;
  f.only = sweep.count == 1 ? sweep.terms[0].type : -1;
  return all;
}

long strip_rows(const Sweep& sweep, long rows, double bytes, double have) {
  const double free = free_memory();
  if (const long fitting = fitting_rows(sweep.strip_rows, rows, bytes, free, have); fitting > 0) return fitting;
  throw Failure{out_of_memory, "the card has " + gibibytes(free) + " of free memory, too little for " +
                                   std::to_string(kTileRows) + " rows of pairs (" + gibibytes(kTileRows * bytes) + ")"};
}

void set_gamma_of(const Samples& samples, Fill& f, double* strip) {
  if (samples.by_class) {
    f.classes = samples.classes.data();
    f.share = samples.share.data();
    return;
  }
  f.gamma = strip;
  if (samples.r == 0) {
    require(cudaMemset(strip, 0, std::size_t(f.rows) * f.stride * sizeof(double)), "clear a strip");
    return;
  }
  gemm(true, false, f.columns, f.rows, samples.r, 1, samples.basis.data(), samples.r,
       samples.weighted.data() + f.row0 * samples.r, samples.r, 0, strip, f.stride);
}

void set_products_of(Fill& f, double* strip) {
  if (f.q <= kInside) return;
  if (f.row_z)
    gemm(true, false, f.columns, f.rows, f.q, 1, f.column_z, f.q, f.row_z + f.row0 * f.q, f.q, 0, strip, f.stride);
  f.row_z = nullptr;
  f.products = strip;
}

dim3 grid_of(const Fill& f) {
  return dim3(unsigned((f.columns + kTileColumns * kSpan - 1) / (kTileColumns * kSpan)),
              unsigned((f.rows + kTileRows - 1) / kTileRows));
}

dim3 grid_of_sums(const Fill& f) {
  if (!narrow(f)) return grid_of(f);
  return dim3(blocks(f.columns, kNarrowColumns), blocks(f.rows, kNarrowRows));
}

void add_all(const double* part, long count, double* out) { add_in_order<<<1, 1024>>>(part, count, out); }

void add_sums(const Fill& f, bool difference, double* degree, double* objective) {
  const dim3 grid = grid_of_sums(f);
  add_all(f.objective_parts, long(grid.x) * grid.y, objective);
  if (!degree || !difference) return;
  add_parts<<<blocks(f.rows, 32), 256>>>(f.row_parts, grid.x, f.rows, f.rows, degree + f.row0);
  if (f.column_parts && f.row0 > 0)
    add_parts<<<blocks(f.row0, 32), 256>>>(f.column_parts, grid.y, f.stride, f.row0, degree);
  launched("add sums");
}

void need_parts(Fill& f, long rows, long columns, bool triangle) {
  f.row0 = 0, f.rows = rows, f.columns = columns, f.stride = padded(columns), f.triangle = triangle;
  const dim3 grid = grid_of_sums(f);
  f.objective_parts = card().parts.need(std::size_t(grid.x) * grid.y);
  f.row_parts = card().row_parts.need(std::size_t(grid.x) * rows);
  if (triangle) f.column_parts = card().column_parts.need(std::size_t(grid.y) * f.stride);
}

}  // namespace ritz::device
