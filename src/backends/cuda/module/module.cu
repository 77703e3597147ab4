// SPDX-License-Identifier: MIT
// libritz_cuda.so: the sweeps over pairs on an NVIDIA card, a strip of rows at a time. What lies between the strips is
// cuBLAS and cuSOLVER. No atomics: partial sums have a place each and are added in order, so that repeated runs on one
// card give the same bits.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

#include "backends/cuda/module/card.cuh"
#include "backends/cuda/module/fill.cuh"

namespace ritz::device {

namespace {

constexpr long kStripRows = 4096;  // by measurement: fewer leave the card idle, more only take memory
constexpr long kInside = 64;       // columns of z up to which their products are formed inside `fill`
constexpr double kShare = 0.9;     // of the free memory that strips may take

struct Samples {
  long n, d;
  Buffer<double> X;  // n × d
  Buffer<float> single;
  int single_centred = -1;  // -1: `single` is empty
  long r = 0;
  bool by_class = false;
  Buffer<double> basis, weighted, share;
  Buffer<int> classes;
  Buffer<double> distances;  // n × n, the lower triangle; the rest ∞
};

// --- small kernels

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
__global__ void add_all(const double* part, long count, double* out) {
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
// Y += scale·diag(degree)·X, n × d.
__global__ void add_scaled_rows(const double* X, const double* degree, double scale, std::size_t count, long d,
                                double* Y) {
  const std::size_t i = std::size_t(blockIdx.x) * 256 + threadIdx.x;
  if (i < count) Y[i] += scale * degree[i / d] * X[i];
}
__global__ void symmetric_sum(const double* half, long d, double* out) {
  const std::size_t i = std::size_t(blockIdx.x) * 256 + threadIdx.x;
  if (i < std::size_t(d) * d) out[i] = half[i] + half[i % d * d + i / d];
}
__global__ void to_single(const double* from, const double* mean, std::size_t count, long d, float* to) {
  const std::size_t i = std::size_t(blockIdx.x) * 256 + threadIdx.x;
  if (i < count) to[i] = float(from[i] - (mean ? mean[i % d] : 0.0));
}
__global__ void to_double(const float* from, std::size_t count, double* to) {
  const std::size_t i = std::size_t(blockIdx.x) * 256 + threadIdx.x;
  if (i < count) to[i] = double(from[i]);
}
// Ω = A ∘ c, c = 2(own_i + own_j − cross_ij) for differences, cross_ij for dot products; in place of cross.
__global__ void curvature_weights(const double* A, const double* own, long row0, long rows, long columns, long stride,
                                  double* cross) {
  const long j = blockIdx.x * 256L + threadIdx.x, i = blockIdx.y;
  if (j >= columns || i >= rows) return;
  const std::size_t at = std::size_t(i) * stride + j;
  cross[at] = A[at] * (own ? 2 * (own[row0 + i] + own[j] - cross[at]) : cross[at]);
}
// left = [Z E], right = [E Z], n × 2q, own = zᵀe; E is n × width and its q columns from `first` on count.
__global__ void both_orders(const double* Z, const double* E, long n, long q, long width, long first, double* left,
                            double* right, double* own) {
  const long i = blockIdx.x * 256L + threadIdx.x;
  if (i >= n) return;
  double sum = 0;
  for (long c = 0; c < q; ++c) {
    const double z = Z[i * q + c], e = E[i * width + first + c];
    left[i * 2 * q + c] = right[i * 2 * q + q + c] = z;
    left[i * 2 * q + q + c] = right[i * 2 * q + c] = e;
    sum += z * e;
  }
  own[i] = sum;
}
// Z with a column of ones.
__global__ void with_ones(const double* Z, long n, long q, double* out) {
  const std::size_t i = std::size_t(blockIdx.x) * 256 + threadIdx.x;
  if (i >= std::size_t(n) * (q + 1)) return;
  const long row = i / (q + 1), c = i % (q + 1);
  out[i] = c < q ? Z[row * q + c] : 1.0;
}
// U (n × width, columns from `first` on) += scale·(T[:, :q] − T[:, q]∘Z where `degrees`), T = Ω·[Z 1].
__global__ void add_curvature(const double* T, const double* Z, long n, long q, long width, long first, double scale,
                              bool degrees, double* U) {
  const std::size_t at = std::size_t(blockIdx.x) * 256 + threadIdx.x;
  if (at >= std::size_t(n) * q) return;
  const long i = at / q, c = at % q;
  const double* row = T + std::size_t(i) * (q + 1);
  U[i * width + first + c] += scale * (row[c] - (degrees ? row[q] * Z[at] : 0.0));
}
// Σ |A_dot|·‖x_i‖²‖x_j‖² + |A_difference|·‖x_i − x_j‖⁴ over a strip, a part for each row.
__global__ void bound_parts(const double* dot, const double* difference, const double* products, const double* norms,
                            long row0, long columns, long stride, double* part) {
  __shared__ double sums[256];
  const long i = blockIdx.x;
  double sum = 0;
  for (long j = threadIdx.x; j < columns; j += 256) {
    const std::size_t at = std::size_t(i) * stride + j;
    const double a = norms[row0 + i], b = norms[j];
    if (dot) sum += fabs(dot[at]) * a * b;
    if (difference) {
      const double distance = fmax(a + b - 2 * products[at], 0.0);
      sum += fabs(difference[at]) * distance * distance;
    }
  }
  sums[threadIdx.x] = sum;
  for (int w = 128; w > 0; w /= 2) {
    __syncthreads();
    if (threadIdx.x < w) sums[threadIdx.x] += sums[threadIdx.x + w];
  }
  if (threadIdx.x == 0) part[i] = sums[0];
}
// Squared distances of i > j in place of the products; ∞ elsewhere.
__global__ void squared_distances(const double* norms, long n, double* products) {
  const long j = blockIdx.x * 256L + threadIdx.x, i = blockIdx.y;
  if (j >= n) return;
  double& at = products[std::size_t(i) * n + j];
  at = j < i ? fmax(norms[i] + norms[j] - 2 * at, 0.0) : INFINITY;
}
// How many entries are at most `limit`, a count for each block.
__global__ void count_at_most(const double* values, std::size_t count, double limit, double* part) {
  __shared__ double sums[256];
  double mine = 0;
  for (std::size_t i = std::size_t(blockIdx.x) * 256 + threadIdx.x; i < count; i += std::size_t(gridDim.x) * 256)
    mine += values[i] <= limit;
  sums[threadIdx.x] = mine;
  for (int w = 128; w > 0; w /= 2) {
    __syncthreads();
    if (threadIdx.x < w) sums[threadIdx.x] += sums[threadIdx.x + w];
  }
  if (threadIdx.x == 0) part[blockIdx.x] = sums[0];
}

// --- what sweeps share

struct Forms {
  bool dot = false, difference = false;
};
template <std::size_t... I>
PairForm form_of_type(int type, std::index_sequence<I...>) {
  static constexpr PairForm forms[] = {std::variant_alternative_t<I, KernelTypes>::form...};
  return forms[type];
}
Forms forms_of(const Sweep& sweep) {
  Forms forms;
  for (int k = 0; k < sweep.count; ++k)
    (form_of_type(sweep.terms[k].type, std::make_index_sequence<std::variant_size_v<KernelTypes>>()) == PairForm::dot
         ? forms.dot
         : forms.difference) = true;
  return forms;
}

// The terms on the card, with their scales.
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

// Column means of Z (n × q), on the card.
void column_means(const double* Z, long n, long q, double* mean) {
  double* ones = card().ones.need(n);
  set_all<<<blocks(n), 256>>>(ones, n, 1.0 / double(n));
  gemm(false, false, q, 1, n, 1, Z, q, ones, n, 0, mean, q);
}

// XW, n × q.
double* project(const Samples& samples, const double* W, long q, Buffer<double>& into) {
  double* Z = into.need(std::size_t(samples.n) * q);
  gemm(true, false, q, samples.n, samples.d, 1, card().W.put(W, std::size_t(samples.d) * q), samples.d,
       samples.X.data(), samples.d, 0, Z, q);
  return Z;
}

// About `mean` where a kernel is of differences.
void take_side(double* Z, long n, long q, Forms forms, Buffer<double>& norms, Buffer<double>& along) {
  if (!forms.difference || n == 0) return;
  subtract_row<<<blocks(std::size_t(n) * q), 256>>>(Z, std::size_t(n) * q, q, card().mean.data());
  row_facts<<<blocks(n), 256>>>(Z, n, q, card().mean.data(), norms.need(n), forms.dot ? along.need(n) : nullptr);
  launched("centre samples");
}

// The samples projected by W, ready to be both sides of a strip.
struct Prepared {
  Forms forms;
  double* Z;
  Fill fill{};
};
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

// Strips of rows, as many rows as the memory has room for. `bytes`: of a row with all its columns, beyond the work
// space that is there already.
long strip_rows(const Sweep& sweep, long rows, double bytes, double have) {
  const double room = kShare * free_memory() + have;
  long most = std::min(sweep.strip_rows > 0 ? sweep.strip_rows : kStripRows, rows);
  if (double(most) * bytes <= room) return most;
  most = long(room / bytes) / kTileRows * kTileRows;
  if (most >= std::min<long>(kTileRows, rows)) return most;
  throw Failure{out_of_memory, "the card has " + gibibytes(free_memory()) + " of free memory, too little for " +
                                   std::to_string(kTileRows) + " rows of pairs (" + gibibytes(kTileRows * bytes) + ")"};
}
long padded(long columns) { return (columns + 15) / 16 * 16; }

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

// Γ of a strip: from classes inside `fill`, or multiplied out into `strip`.
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
// Products of wide rows go through cuBLAS, into `strip`.
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
template <Mode mode, std::size_t I = 0>
void launch(const Fill& f) {
  if constexpr (mode != Mode::weights || I == std::variant_size_v<KernelTypes>) {
    fill<mode><<<grid_of(f), kThreads>>>(f);
    return launched("evaluate kernels");
  } else {  // the one that is asked for again and again
    using K = std::variant_alternative_t<I, KernelTypes>;
    if constexpr (kListed<K>)
      if (f.only == int(I)) {
        fill<mode, K><<<grid_of(f), kThreads>>>(f);
        return launched("evaluate kernels");
      }
    launch<mode, I + 1>(f);
  }
}

// --- sums over all pairs

// degree and objective (the last entry) of the strip that was just filled are added.
void add_sums(const Fill& f, bool difference, double* degree, double* objective) {
  const dim3 grid = grid_of(f);
  add_all<<<1, 1024>>>(f.objective_parts, long(grid.x) * grid.y, objective);
  if (!degree || !difference) return;
  add_parts<<<blocks(f.rows, 32), 256>>>(f.row_parts, grid.x, f.rows, f.rows, degree + f.row0);
  if (f.column_parts && f.row0 > 0)
    add_parts<<<blocks(f.row0, 32), 256>>>(f.column_parts, grid.y, f.stride, f.row0, degree);
  launched("add sums");
}

void need_parts(Fill& f, long rows, long columns, bool triangle) {
  f.row0 = 0, f.rows = rows, f.columns = columns, f.stride = padded(columns), f.triangle = triangle;
  const dim3 grid = grid_of(f);
  f.objective_parts = card().parts.need(std::size_t(grid.x) * grid.y);
  f.row_parts = card().row_parts.need(std::size_t(grid.x) * rows);
  if (triangle) f.column_parts = card().column_parts.need(std::size_t(grid.y) * f.stride);
}

// Samples in single precision, less their mean for sums over differences alone.
const float* single_of(Samples& samples, bool centred) {
  const std::size_t count = std::size_t(samples.n) * samples.d;
  if (samples.single_centred != int(centred)) {
    samples.single.need(count);
    double* mean = card().mean.need(std::max<long>(samples.d, 1));
    if (centred) column_means(samples.X.data(), samples.n, samples.d, mean);
    to_single<<<blocks(count), 256>>>(samples.X.data(), centred ? mean : nullptr, count, samples.d,
                                      samples.single.data());
    launched("round samples");
    samples.single_centred = int(centred);
  }
  return samples.single.data();
}

void pair_sums(Samples& samples, const Sweep& sweep, bool tf32, double* phi, double* objective) {
  const long n = samples.n, d = samples.d;
  const Forms forms = forms_of(sweep);
  const float* X_single = phi && tf32 ? single_of(samples, !forms.dot) : nullptr;  // before `mean` is that of Z
  Prepared all = prepared(samples, sweep);
  double* degree = card().degree.need(n + 1);
  require(cudaMemset(degree, 0, (n + 1) * sizeof(double)), "clear sums");
  double* Y = phi ? card().Y.need(std::size_t(n) * d) : nullptr;
  const bool wide = sweep.q > kInside, gamma_strip = !samples.by_class;
  // One strip for weights, in place of Γ or of the products; where both are multiplied out, two.
  const int strips = std::max<int>(int(wide) + int(gamma_strip), phi && !X_single ? 1 : 0);
  const double bytes = double(padded(n)) * (8.0 * strips + (X_single ? 4 : 0) + 16.0 / kTileRows) + 16.0 * n / 256;
  const long rows_at_a_time = strip_rows(sweep, n, bytes, double(card().strips.bytes() + card().single_strip.bytes()));
  const std::size_t entries = std::size_t(rows_at_a_time) * padded(n);
  double* strip = strips > 0 ? card().strips.need(strips * entries) : nullptr;
  float* single = X_single ? card().single_strip.need(entries) : nullptr;
  need_parts(all.fill, rows_at_a_time, n, true);
  for_each_strip(sweep, n, rows_at_a_time, [&](long row0, long rows) {
    Fill f = all.fill;
    f.row0 = row0, f.rows = rows, f.columns = row0 + rows, f.stride = padded(f.columns);
    set_products_of(f, strip);
    set_gamma_of(samples, f, wide && gamma_strip ? strip + entries : strip);
    f.strip = strip, f.single = single;
    if (!phi) {
      launch<Mode::objective>(f);
      return add_sums(f, false, nullptr, degree + n);
    }
    launch<Mode::weights>(f);
    add_sums(f, all.forms.difference, degree, degree + n);
    if (single) {
      const float one = 1, zero = 0;
      float* part = card().single_Y.need(std::size_t(rows_at_a_time) * d);
      require(cublasSetMathMode(card().blas, CUBLAS_TF32_TENSOR_OP_MATH), "set its precision");
      require(cublasSgemm(card().blas, CUBLAS_OP_N, CUBLAS_OP_N, int(d), int(rows), int(f.columns), &one, X_single,
                          int(d), single, int(f.stride), &zero, part, int(d)),
              "multiply");
      require(cublasSetMathMode(card().blas, CUBLAS_DEFAULT_MATH), "set its precision");
      to_double<<<blocks(std::size_t(rows) * d), 256>>>(part, std::size_t(rows) * d, Y + row0 * d);
    } else {
      gemm(false, false, d, rows, f.columns, 1, samples.X.data(), d, strip, f.stride, 0, Y + row0 * d, d);
    }
  });
  if (phi) {
    // Halved by the symmetric sum, doubled by Φ's factor 2. Where X was centred, diag and Ψ must agree on that.
    const bool centred = X_single && !all.forms.dot;
    const double* X = samples.X.data();
    if (centred) {  // Z and its mean are no longer needed
      to_double<<<blocks(std::size_t(n) * d), 256>>>(X_single, std::size_t(n) * d,
                                                     card().other_Z.need(std::size_t(n) * d));
      X = card().other_Z.data();
    }
    if (all.forms.difference)
      add_scaled_rows<<<blocks(std::size_t(n) * d), 256>>>(X, degree, 1.0, std::size_t(n) * d, d, Y);
    double* half = card().half.need(2 * std::size_t(d) * d);
    gemm(false, true, d, d, n, 1, X, d, Y, d, 0, half, d);
    symmetric_sum<<<blocks(std::size_t(d) * d), 256>>>(half, d, half + std::size_t(d) * d);
    launched("add sums");
    require(cudaMemcpy(phi, half + std::size_t(d) * d, std::size_t(d) * d * 8, cudaMemcpyDeviceToHost), "give data");
  }
  require(cudaMemcpy(objective, degree + n, 8, cudaMemcpyDeviceToHost), "give data back");
}

void pair_phi_product(Samples& samples, const Sweep& sweep, const double* V, long m, double* out, double* objective) {
  const long n = samples.n, d = samples.d;
  double* P = project(samples, V, m, card().in);
  if (!forms_of(sweep).dot) {  // differences do not see a shift
    column_means(P, n, m, card().mean.need(m));
    subtract_row<<<blocks(std::size_t(n) * m), 256>>>(P, std::size_t(n) * m, m, card().mean.data());
  }
  Prepared all = prepared(samples, sweep);
  double* degree = card().degree.need(n + 1);
  require(cudaMemset(degree, 0, (n + 1) * sizeof(double)), "clear sums");
  double* U = card().Y.need(std::size_t(n) * m);
  const bool both = sweep.q > kInside && !samples.by_class;
  const double bytes = double(padded(n)) * 8 * (both ? 2 : 1) + 16.0 * n / 256;
  const long rows_at_a_time = strip_rows(sweep, n, bytes, double(card().strips.bytes()));
  const std::size_t entries = std::size_t(rows_at_a_time) * padded(n);
  double* strip = card().strips.need(entries * (both ? 2 : 1));
  need_parts(all.fill, rows_at_a_time, n, false);
  for_each_strip(sweep, n, rows_at_a_time, [&](long row0, long rows) {
    Fill f = all.fill;
    f.row0 = row0, f.rows = rows;
    set_products_of(f, strip);
    set_gamma_of(samples, f, both ? strip + entries : strip);
    f.strip = strip;
    launch<Mode::weights>(f);
    add_sums(f, all.forms.difference, degree, degree + n);
    gemm(false, false, m, rows, n, 1, P, m, strip, f.stride, 0, U + row0 * m, m);
  });
  if (all.forms.difference)
    add_scaled_rows<<<blocks(std::size_t(n) * m), 256>>>(P, degree, 2.0, std::size_t(n) * m, m, U);
  double* product = card().out.need(std::size_t(d) * m);
  gemm(false, true, d, m, n, 1, samples.X.data(), d, U, m, 0, product, d);
  card().out.get(out, std::size_t(d) * m);
  require(cudaMemcpy(objective, degree + n, 8, cudaMemcpyDeviceToHost), "give data back");
}

// Strips of Γ ∘ f″ for both forms, `extra` more strips behind them; use(f, dot, difference, extra).
template <class Use>
void curvature_strips(Samples& samples, const Sweep& sweep, Prepared& all, int extra, const Use& use) {
  const long n = samples.n;
  const int forms = int(all.forms.dot) + int(all.forms.difference), strips = std::max(2, forms) + extra;
  const long rows_at_a_time = strip_rows(sweep, n, 8.0 * double(padded(n)) * strips, double(card().strips.bytes()));
  const std::size_t entries = std::size_t(rows_at_a_time) * padded(n);
  double* strip = card().strips.need(entries * strips);
  for_each_strip(sweep, n, rows_at_a_time, [&](long row0, long rows) {
    Fill f = all.fill;
    f.row0 = row0, f.rows = rows, f.columns = n, f.stride = padded(n), f.triangle = false;
    set_products_of(f, strip);
    set_gamma_of(samples, f, strip + entries);
    f.strip = all.forms.dot ? strip : nullptr;
    f.second = all.forms.difference ? strip + (all.forms.dot ? entries : 0) : nullptr;
    launch<Mode::curvature>(f);
    use(f, strip + std::max(2, forms) * entries);
  });
}

// Σ_ij Ω_ij ∂c_ij/∂E with Ω = Γ ∘ f″ ∘ c: 2XᵀΩZ for dot products, 4Xᵀ(diag(Ω1) − Ω)Z for differences.
void pair_curvature(Samples& samples, const Sweep& sweep, const double* E, long directions, double* out) {
  const long n = samples.n, d = samples.d, q = sweep.q, width = q * directions;
  const Forms forms = forms_of(sweep);
  double* e = project(samples, E, width, card().in);
  if (!forms.dot) {
    column_means(e, n, width, card().mean.need(width));
    subtract_row<<<blocks(std::size_t(n) * width), 256>>>(e, std::size_t(n) * width, width, card().mean.data());
  }
  Prepared all = prepared(samples, sweep);
  // With both forms Z is centred, and dot products want it as it is.
  const double* Z = all.Z;
  if (forms.dot && forms.difference) Z = project(samples, sweep.W, q, card().other_Z);
  const std::size_t sides = std::size_t(n) * 4 * q + n;  // left, right, own
  double* side = card().half.need(directions * sides + std::size_t(n) * (2 * q + 2));
  double *ones = side + directions * sides, *T = ones + std::size_t(n) * (q + 1);
  with_ones<<<blocks(std::size_t(n) * (q + 1)), 256>>>(Z, n, q, ones);
  for (long k = 0; k < directions; ++k) {
    double* left = side + k * sides;
    both_orders<<<blocks(n), 256>>>(Z, e, n, q, width, k * q, left, left + 2 * n * q, left + 4 * n * q);
  }
  double* U = card().Y.need(std::size_t(n) * width);
  require(cudaMemset(U, 0, std::size_t(n) * width * 8), "clear sums");
  curvature_strips(samples, sweep, all, 1, [&](const Fill& f, double* cross) {
    for (long k = 0; k < directions; ++k)
      for (const bool dot : {true, false}) {
        const double* A = dot ? f.strip : f.second;
        if (!A) continue;
        const double *left = side + k * sides, *right = left + 2 * n * q, *own = left + 4 * n * q;
        gemm(true, false, n, f.rows, 2 * q, 1, right, 2 * q, left + f.row0 * 2 * q, 2 * q, 0, cross, f.stride);
        curvature_weights<<<dim3(blocks(n), unsigned(f.rows)), 256>>>(A, dot ? nullptr : own, f.row0, f.rows, n,
                                                                      f.stride, cross);
        gemm(false, false, q + 1, f.rows, n, 1, ones, q + 1, cross, f.stride, 0, T + f.row0 * (q + 1), q + 1);
        add_curvature<<<blocks(std::size_t(f.rows) * q), 256>>>(T + f.row0 * (q + 1), Z + f.row0 * q, f.rows, q, width,
                                                                k * q, dot ? 2.0 : -4.0, !dot, U + f.row0 * width);
        launched("weigh curvatures");
      }
  });
  double* product = card().out.need(std::size_t(d) * width);
  gemm(false, true, d, width, n, 1, samples.X.data(), d, U, width, 0, product, d);
  card().out.get(out, std::size_t(d) * width);
}

void pair_curvature_bound(Samples& samples, const Sweep& sweep, double* bound) {
  const long n = samples.n, d = samples.d;
  Prepared all = prepared(samples, sweep);
  double* norms = card().other_norms.need(n);
  row_facts<<<blocks(n), 256>>>(samples.X.data(), n, d, nullptr, norms, nullptr);
  double *part = card().parts.need(n), *sum = card().degree.need(n + 1) + n;
  require(cudaMemset(sum, 0, 8), "clear sums");
  curvature_strips(samples, sweep, all, 1, [&](const Fill& f, double* products) {
    if (f.second)
      gemm(true, false, n, f.rows, d, 1, samples.X.data(), d, samples.X.data() + f.row0 * d, d, 0, products, f.stride);
    bound_parts<<<unsigned(f.rows), 256>>>(f.strip, f.second, products, norms, f.row0, n, f.stride, part);
    add_all<<<1, 1024>>>(part, f.rows, sum);
    launched("add sums");
  });
  require(cudaMemcpy(bound, sum, 8, cudaMemcpyDeviceToHost), "give data back");
  *bound *= 2;
}

// Rows of the kernel (or a derivative) between two prepared sides; each strip is multiplied by `in`, or handed out.
void kernel_strips(const Sweep& sweep, Fill side, long n, long columns, int part, const double* in, long m,
                   double* out) {
  if (n == 0) return;
  if (columns == 0) return void(std::fill_n(out, std::size_t(n) * m, 0.0));
  const long rows_at_a_time = strip_rows(sweep, n, 8.0 * double(padded(columns)), double(card().strips.bytes()));
  double* strip = card().strips.need(std::size_t(rows_at_a_time) * padded(columns));
  if (m > 0) card().in.put(in, std::size_t(columns) * m), card().out.need(std::size_t(n) * m);
  for_each_strip(sweep, n, rows_at_a_time, [&](long row0, long rows) {
    Fill f = side;
    f.row0 = row0, f.rows = rows, f.columns = columns, f.stride = padded(columns), f.triangle = false;
    set_products_of(f, strip);
    f.strip = part == curvature ? nullptr : strip;
    if (part == curvature) (f.row_norms ? f.second : f.strip) = strip;
    if (part == value)
      launch<Mode::value>(f);
    else if (part == slope)
      launch<Mode::slope>(f);
    else
      launch<Mode::curvature>(f);
    if (m > 0)
      gemm(false, false, m, rows, columns, 1, card().in.data(), m, strip, f.stride, 0, card().out.data() + row0 * m, m);
    else
      require(cudaMemcpy2D(out + std::size_t(row0) * columns, columns * 8, strip, f.stride * 8, columns * 8, rows,
                           cudaMemcpyDeviceToHost),
              "give data back");
  });
  if (m > 0) card().out.get(out, std::size_t(n) * m);
}

void pair_cross(const Samples& a, const Samples& b, const Sweep& sweep, int part, const double* in, long m,
                double* out) {
  const Forms forms = forms_of(sweep);
  const long d = b.d;
  Fill f{};
  f.q = d;
  f.row_z = a.X.data(), f.column_z = b.X.data();
  if (forms.difference && b.n > 0) {  // about the mean of b
    column_means(b.X.data(), b.n, d, card().mean.need(std::max<long>(d, 1)));
    const auto copy = [&](const Samples& from, Buffer<double>& to) {
      to.need(std::size_t(from.n) * d);
      require(cudaMemcpy(to.data(), from.X.data(), std::size_t(from.n) * d * 8, cudaMemcpyDeviceToDevice), "copy");
      return to.data();
    };
    double *rows = copy(a, card().Z), *columns = copy(b, card().other_Z);
    take_side(rows, a.n, d, forms, card().norms, card().along);
    take_side(columns, b.n, d, forms, card().other_norms, card().other_along);
    f.row_z = rows, f.column_z = columns;
    f.row_norms = card().norms.data(), f.column_norms = card().other_norms.data();
    if (forms.dot) f.row_along = card().along.data(), f.column_along = card().other_along.data();
  }
  f.terms = put_terms(sweep, a.n, b.n);
  f.count = sweep.count;
  kernel_strips(sweep, f, a.n, b.n, part, in, m, out);
}

// --- distances, eigenvalues

double entries_at_most(const Samples& samples, double limit) {
  constexpr unsigned kBlocks = 1024;
  double* part = card().parts.need(kBlocks + 1);
  require(cudaMemset(part + kBlocks, 0, 8), "clear sums");
  count_at_most<<<kBlocks, 256>>>(samples.distances.data(), std::size_t(samples.n) * samples.n, limit, part);
  add_all<<<1, 1024>>>(part, kBlocks, part + kBlocks);
  double count = 0;
  require(cudaMemcpy(&count, part + kBlocks, 8, cudaMemcpyDeviceToHost), "give data back");
  return count;
}

void all_distances(Samples& samples, double zero, long* zeros) {
  const long n = samples.n, d = samples.d;
  double* out = samples.distances.need(std::size_t(n) * n);
  row_facts<<<blocks(n), 256>>>(samples.X.data(), n, d, nullptr, card().norms.need(n), nullptr);
  gemm(true, false, n, n, d, 1, samples.X.data(), d, samples.X.data(), d, 0, out, n);
  squared_distances<<<dim3(blocks(n), unsigned(n)), 256>>>(card().norms.data(), n, out);
  launched("measure distances");
  *zeros = long(entries_at_most(samples, zero));
}

// Numbers ≥ 0 have the order of their bits: the value is found bit by bit.
void kth(const Samples& samples, long k, double* squared) {
  unsigned long long low = 0, high = 0x7ff0000000000000ull;  // ∞
  while (low < high) {
    const unsigned long long middle = low + (high - low) / 2;
    double limit;
    std::memcpy(&limit, &middle, 8);
    if (entries_at_most(samples, limit) > double(k))
      high = middle;
    else
      low = middle + 1;
  }
  std::memcpy(squared, &low, 8);
}

void top_eigen(const double* A, long n, long count, double* values, double* vectors) {
  const long found_count = std::min(count + 1, n);
  double* a = card().half.put(A, std::size_t(n) * n);
  double* w = card().norms.need(n);
  int* info = card().info.need(1);
  int size = 0, found = 0;
  const auto range = CUSOLVER_EIG_RANGE_I;
  require(cusolverDnDsyevdx_bufferSize(card().solver, CUSOLVER_EIG_MODE_VECTOR, range, CUBLAS_FILL_MODE_LOWER, int(n),
                                       a, int(n), 0, 0, int(n - found_count + 1), int(n), &found, w, &size),
          "prepare eigenvalues");
  require(cusolverDnDsyevdx(card().solver, CUSOLVER_EIG_MODE_VECTOR, range, CUBLAS_FILL_MODE_LOWER, int(n), a, int(n),
                            0, 0, int(n - found_count + 1), int(n), &found, w, card().Y.need(size), size, info),
          "find eigenvalues");
  int state = 0;
  card().info.get(&state, 1);
  if (state != 0 || found != found_count) throw Failure{failed, "the card's eigenvalues did not converge"};
  std::vector<double> increasing(found_count), all(std::size_t(n) * found_count);
  card().norms.get(increasing.data(), found_count);
  require(cudaMemcpy(all.data(), a, all.size() * 8, cudaMemcpyDeviceToHost), "give data back");
  for (long k = 0; k < found_count; ++k) values[k] = increasing[found_count - 1 - k];
  for (long k = 0; k < count; ++k) std::copy_n(all.data() + (found_count - 1 - k) * n, n, vectors + k * n);
}

// --- ratios of squared distances

struct Scan {
  const double *G, *H;  // products of points and of their images: strip rows × stride, columns from row0 on
  long stride, row0, rows, n, panels;
  const double *x, *y;  // squared norms
  const int* copies;
  ScanRequest request;
  ScannedTile* tiles;
  ScannedPair* pairs;
  unsigned* histogram;  // a row of bins for each tile
};

constexpr int kScanBins = 1024;  // of the search for the kept pairs, and the most of a histogram

// One block for each tile of kScanPanel² pairs: counts, then the bounds that leave about `kept` pairs of each tail,
// then the list. Places in the list are taken as threads come: the host puts it in order.
__global__ void __launch_bounds__(256) scan_tiles(const Scan a) {
  __shared__ double shared[256];
  __shared__ unsigned bins[kScanBins];
  __shared__ unsigned long long total;
  __shared__ unsigned listed;
  __shared__ double edge, upper_end;
  __shared__ bool settled;
  const long down = a.row0 / kScanPanel + blockIdx.y, across = a.row0 / kScanPanel + blockIdx.x;
  if (across < down) return;
  const long i0 = down * kScanPanel, j0 = across * kScanPanel,
             tile = down * a.panels - down * (down - 1) / 2 + across - down;
  const long i_end = min(i0 + kScanPanel, a.row0 + a.rows), j_end = min(j0 + kScanPanel, a.n);
  const ScanRequest& r = a.request;
  struct Pair {
    double p, margin, ratio, error;
    bool told;
  };
  const auto pair_at = [&](long i, long j) {
    const std::size_t at = std::size_t(i - a.row0) * a.stride + (j - a.row0);
    Pair pair;
    pair.p = a.x[i] + a.x[j] - 2 * a.G[at];
    const double q = fmax(a.y[i] + a.y[j] - 2 * a.H[at], 0.0);
    pair.margin = 2 * r.slack * r.factor * (a.x[i] + a.x[j]);
    pair.told = pair.p > 2 * pair.margin;
    pair.ratio = pair.told ? q / pair.p : 0;
    pair.error = pair.told ? pair.margin / pair.p * fmax(1.0, pair.ratio / r.factor) : 0;
    return pair;
  };
  const auto each = [&](const auto& use) {
    for (long i = i0; i < i_end; ++i)
      for (long j = j0 + threadIdx.x; j < j_end; j += 256)
        if (j > i) use(i, j, pair_at(i, j));
  };
  const auto reduced = [&](double mine, const auto& join) {
    __syncthreads();
    shared[threadIdx.x] = mine;
    for (int w = 128; w > 0; w /= 2) {
      __syncthreads();
      if (threadIdx.x < w) shared[threadIdx.x] = join(shared[threadIdx.x], shared[threadIdx.x + w]);
    }
    __syncthreads();
    return shared[0];
  };
  const auto larger = [](double u, double v) { return u > v ? u : v; };
  const auto sum = [](double u, double v) { return u + v; };  // of whole numbers: exact

  for (int b = threadIdx.x; b < kScanBins; b += 256) bins[b] = 0;
  if (threadIdx.x == 0) total = 0, listed = 0;
  __syncthreads();
  double high = -INFINITY, low = -INFINITY, sure_high = -INFINITY, sure_low = -INFINITY;  // low ones negated
  double above = 0, below = 0;
  unsigned long long beyond = 0;
  each([&](long i, long j, const Pair& pair) {
    if (r.bins > 0 && pair.told) {
      const double place = (pair.ratio - r.lowest_bin) * r.per_ratio;
      atomicAdd(&bins[place >= 0 ? int(fmin(place, double(r.bins - 1))) : 0], 1u);
    }
    if (!pair.told) return;
    high = larger(high, pair.ratio), low = larger(low, -pair.ratio);
    sure_high = larger(sure_high, pair.ratio - pair.error), sure_low = larger(sure_low, -pair.ratio - pair.error);
    above += pair.ratio > 1 + r.band, below += pair.ratio < 1 - r.band;
    if ((fabs(pair.ratio - 1) - r.band) * pair.p > pair.margin)
      beyond += (unsigned long long)(a.copies[i]) * a.copies[j];
  });
  atomicAdd(&total, beyond);
  high = reduced(high, larger), low = reduced(low, larger);
  sure_high = reduced(sure_high, larger), sure_low = reduced(sure_low, larger);
  above = reduced(above, sum), below = reduced(below, sum);
  if (threadIdx.x < r.bins)
    for (long b = threadIdx.x; b < r.bins; b += 256) a.histogram[tile * r.bins + b] = bins[b];

  // The bound above which (negated: below which) about `kept` ratios lie: a histogram, and one of its bin where that
  // still holds too many.
  const auto bound = [&](double sign, double from, double most, double count) {
    if (count <= double(r.kept)) return from;
    if (threadIdx.x == 0) edge = from, upper_end = most, settled = false;
    unsigned taken = 0;  // above upper_end
    for (int round = 0; round < 4; ++round) {
      __syncthreads();
      for (int b = threadIdx.x; b < kScanBins; b += 256) bins[b] = 0;
      __syncthreads();
      const double start = edge, end = upper_end, per = kScanBins / (end - start);
      if (settled || !(end > start)) break;
      each([&](long, long, const Pair& pair) {
        const double value = sign * pair.ratio;
        if (pair.told && value > start && value <= end)
          atomicAdd(&bins[int(fmin((value - start) * per, double(kScanBins - 1)))], 1u);
      });
      __syncthreads();
      if (threadIdx.x == 0) {
        int b = kScanBins - 1;
        while (b > 0 && taken + bins[b] < r.kept) taken += bins[b--];
        edge = start + b / per, upper_end = b == kScanBins - 1 ? end : start + (b + 1) / per;
        settled = taken + bins[b] <= r.kept + 16;
      }
    }
    __syncthreads();
    const double found = edge;
    __syncthreads();
    return found;
  };
  const double over = bound(1, 1 + r.band, high, above), under = bound(-1, r.band - 1, low, below);

  each([&](long i, long j, const Pair& pair) {
    unsigned kind = 0;
    if (!pair.told) {
      kind = scan_untold | scan_doubtful;
    } else {
      const double outside = (fabs(pair.ratio - 1) - r.band) * pair.p;
      if (outside <= pair.margin && outside > -pair.margin) kind |= scan_doubtful;
      if ((pair.ratio > 1 + r.band && pair.ratio >= over) || pair.ratio + pair.error >= sure_high) kind |= scan_above;
      if ((pair.ratio < 1 - r.band && -pair.ratio >= under) || pair.error - pair.ratio >= sure_low) kind |= scan_below;
    }
    if (!kind) return;
    const unsigned place = atomicAdd(&listed, 1u);
    if (place < kScanRoom)
      a.pairs[tile * kScanRoom + place] = {(unsigned short)(i - i0), (unsigned short)(j - j0), (unsigned char)(kind),
                                           float(pair.error), pair.ratio};
  });
  __syncthreads();
  if (threadIdx.x == 0) a.tiles[tile] = {(long long)(total), (long long)(listed)};
}

void scan_all(Samples& samples, const Sweep& sweep, const int* copies, const ScanRequest& request, ScannedTile* tiles,
              ScannedPair* pairs, unsigned* histogram) {
  const long n = samples.n, d = samples.d, r = request.r, panels = (n + kScanPanel - 1) / kScanPanel;
  const long count = panels * (panels + 1) / 2;
  double* psi = card().W.put(request.psi, std::size_t(r) * d);
  double* Y = card().Z.need(std::size_t(n) * r);
  gemm(true, false, r, n, d, 1, psi, d, samples.X.data(), d, 0, Y, r);
  double *x = card().norms.need(n), *y = card().other_norms.need(n);
  row_facts<<<blocks(n), 256>>>(samples.X.data(), n, d, nullptr, x, nullptr);
  row_facts<<<blocks(n), 256>>>(Y, n, r, nullptr, y, nullptr);
  const int* many = card().info.put(copies, n);
  const std::size_t list = std::size_t(count) * kScanRoom;
  auto* listed = reinterpret_cast<ScannedPair*>(card().Y.need((list * sizeof(ScannedPair)) / 8 + 1));
  auto* facts = reinterpret_cast<ScannedTile*>(card().degree.need(2 * count));
  auto* bins = reinterpret_cast<unsigned*>(card().half.need(count * request.bins / 2 + 1));
  const double bytes = 16.0 * double(padded(n));
  long rows_at_a_time = strip_rows(sweep, n, bytes, double(card().strips.bytes()));
  rows_at_a_time = std::max(kScanPanel, rows_at_a_time / kScanPanel * kScanPanel);
  const std::size_t entries = std::size_t(rows_at_a_time) * padded(n);
  double* strip = card().strips.need(2 * entries);
  for_each_strip(sweep, n, rows_at_a_time, [&](long row0, long rows) {
    const long columns = n - row0, stride = padded(columns);
    gemm(true, false, columns, rows, d, 1, samples.X.data() + row0 * d, d, samples.X.data() + row0 * d, d, 0, strip,
         stride);
    gemm(true, false, columns, rows, r, 1, Y + row0 * r, r, Y + row0 * r, r, 0, strip + entries, stride);
    const dim3 grid(unsigned((columns + kScanPanel - 1) / kScanPanel), unsigned((rows + kScanPanel - 1) / kScanPanel));
    scan_tiles<<<grid, 256>>>(
        {strip, strip + entries, stride, row0, rows, n, panels, x, y, many, request, facts, listed, bins});
    launched("compare distances");
  });
  require(cudaMemcpy(tiles, facts, count * sizeof(ScannedTile), cudaMemcpyDeviceToHost), "give data back");
  require(cudaMemcpy(pairs, listed, list * sizeof(ScannedPair), cudaMemcpyDeviceToHost), "give data back");
  if (request.bins > 0)
    require(cudaMemcpy(histogram, bins, count * request.bins * sizeof(unsigned), cudaMemcpyDeviceToHost), "give data");
}

// --- neighbours

// Doubles as numbers that have their order.
__device__ unsigned long long ordered(double x) {
  const unsigned long long bits = (unsigned long long)__double_as_longlong(x);
  return bits >> 63 ? ~bits : bits | 1ull << 63;
}
__device__ double unordered(unsigned long long key) {
  return __longlong_as_double((long long)(key >> 63 ? key & ~(1ull << 63) : ~key));
}

// One block for each query: the k-th smallest of t_j = ‖p_j‖² − 2qᵀp_j digit by digit, then the rows surely before it
// and those that may be at its place, each in the order of the rows. Counts of whole numbers have no order to keep.
struct Nearest {
  const double *products, *point_norms, *query_norms;
  double largest, slack;  // of the points' norms; relative error of t
  long row0, points, stride, k;
  bool own;  // the row itself is left out
  long room;
  int *counts, *found;
};
__global__ void __launch_bounds__(256) nearest(const Nearest a) {
  __shared__ unsigned counts[256];
  __shared__ unsigned long long prefix;
  __shared__ long remaining;
  __shared__ unsigned warps[8];
  const long i = blockIdx.x, self = a.own ? a.row0 + i : -1;
  const double* row = a.products + std::size_t(i) * a.stride;
  const auto key = [&](long j) { return j == self ? ~0ull : ordered(a.point_norms[j] - 2 * row[j]); };
  if (threadIdx.x == 0) prefix = 0, remaining = a.k;
  for (int shift = 56; shift >= 0; shift -= 8) {
    counts[threadIdx.x] = 0;
    __syncthreads();
    const unsigned long long above = shift == 56 ? 0 : ~0ull << (shift + 8), wanted = prefix;
    for (long j = threadIdx.x; j < a.points; j += 256) {
      const unsigned long long each = key(j);
      if ((each & above) == wanted) atomicAdd(&counts[each >> shift & 255], 1u);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      int digit = 0;
      while (digit < 255 && remaining > long(counts[digit])) remaining -= counts[digit++];
      prefix |= (unsigned long long)digit << shift;
    }
    __syncthreads();
  }
  const double last = unordered(prefix), margin = 2 * a.slack * (a.query_norms[a.row0 + i] + a.largest);
  long total = 0;
  for (int round = 0; round < 2; ++round)
    for (long first = 0; first < a.points; first += 256) {
      const long j = first + threadIdx.x;
      bool taken = false;
      if (j < a.points && j != self) {
        const double t = a.point_norms[j] - 2 * row[j];
        taken = round == 0 ? t < last - margin : t >= last - margin && t <= last + margin;
      }
      const unsigned votes = __ballot_sync(~0u, taken);
      __syncthreads();
      if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = __popc(votes);
      __syncthreads();
      long place = total + __popc(votes & ((1u << threadIdx.x % 32) - 1));
      for (int w = 0; w < 8; ++w) {
        if (w < threadIdx.x / 32) place += warps[w];
        total += warps[w];
      }
      if (taken && place < a.room) a.found[std::size_t(i) * a.room + place] = int(j);
    }
  // Where the products are exact, of equally near rows the first are the right ones.
  if (threadIdx.x == 0) a.counts[i] = total <= a.room ? int(total) : a.slack == 0 ? int(a.room) : -1;
}

void find_candidates(const Samples& queries, const Samples& points, const Sweep& sweep, long k, bool own, double slack,
                     long room, int* counts, int* found) {
  const long n = queries.n, d = queries.d, m = points.n, stride = padded(m);
  double *norms = card().norms.need(n), *point_norms = card().other_norms.need(m);
  row_facts<<<blocks(n), 256>>>(queries.X.data(), n, d, nullptr, norms, nullptr);
  row_facts<<<blocks(m), 256>>>(points.X.data(), m, d, nullptr, point_norms, nullptr);
  std::vector<double> host(m);
  card().other_norms.get(host.data(), m);
  const long rows_at_a_time =
      strip_rows(sweep, n, 8.0 * double(stride) + 4.0 * double(room + 1), double(card().strips.bytes()));
  double* strip = card().strips.need(std::size_t(rows_at_a_time) * stride);
  int* out = card().info.need(std::size_t(rows_at_a_time) * (room + 1));
  for_each_strip(sweep, n, rows_at_a_time, [&](long row0, long rows) {
    gemm(true, false, m, rows, d, 1, points.X.data(), d, queries.X.data() + row0 * d, d, 0, strip, stride);
    nearest<<<unsigned(rows), 256>>>({strip, point_norms, norms, *std::max_element(host.begin(), host.end()), slack,
                                      row0, m, stride, k, own, room, out, out + rows});
    launched("look for neighbours");
    require(cudaMemcpy(counts + row0, out, rows * sizeof(int), cudaMemcpyDeviceToHost), "give data back");
    require(cudaMemcpy(found + row0 * room, out + rows, std::size_t(rows) * room * sizeof(int), cudaMemcpyDeviceToHost),
            "give data back");
  });
}

// --- the table

std::string last_message;

template <class Work>
int guarded(const Work& work) {
  try {
    work();
    return fine;
  } catch (const Failure& failure) {
    cudaDeviceSynchronize();  // nothing runs on in buffers that are let go
    if (failure.status == out_of_memory) card().strips.release(), card().single_strip.release();
    last_message = failure.message;
    return failure.status;
  } catch (const std::exception& error) {
    last_message = error.what();
    return failed;
  }
}

int open_card(Facts* facts) {
  return guarded([&] {
    int count = 0, driver = 0, runtime = 0;
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    const cudaError_t error = cudaGetDeviceCount(&count);
    const auto version = [](int v) { return std::to_string(v / 1000) + "." + std::to_string(v % 1000 / 10); };
    if (error == cudaErrorInsufficientDriver)
      throw Failure{failed, driver == 0 ? std::string("there is no NVIDIA driver")
                                        : "the NVIDIA driver is for CUDA " + version(driver) +
                                              "; the module needs one for CUDA " + version(runtime)};
    if (error != cudaSuccess || count == 0)
      throw Failure{failed, error == cudaSuccess ? "there is no NVIDIA card" : cudaGetErrorString(error)};
    cudaDeviceProp properties;
    require(cudaGetDeviceProperties(&properties, 0), "describe itself");
    if (properties.major < 8)
      throw Failure{failed, std::string("the ") + properties.name + " is too old: compute capability 8.0 is needed"};
    require(cudaSetDevice(0), "start");
    if (!card().blas) {
      for (cudaEvent_t& event : card().events)
        require(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "start");
      require(cublasCreate(&card().blas), "start cuBLAS");
      require(cusolverDnCreate(&card().solver), "start cuSOLVER");
      // The libraries load their code with the first call: now, while data are read.
      constexpr long kTry = 512;
      std::vector<double> unit(kTry * kTry, 0.0), values(3), vectors(2 * kTry);
      for (long k = 0; k < kTry; ++k) unit[k * (kTry + 1)] = double(k);
      top_eigen(unit.data(), kTry, 2, values.data(), vectors.data());
      gemm(true, false, kTry, kTry, kTry, 1, card().half.data(), kTry, card().half.data(), kTry, 0,
           card().Y.need(kTry * kTry), kTry);
    }
    std::snprintf(facts->name, sizeof facts->name, "%s", properties.name);
    facts->total_bytes = double(properties.totalGlobalMem);
  });
}

Samples& of(void* samples) { return *static_cast<Samples*>(samples); }

const Table table = {
    kLayout,
    RITZ_VERSION,
    [] { return last_message.c_str(); },
    open_card,
    [](double* bytes) { return guarded([&] { *bytes = free_memory(); }); },
    [](long n, long d, void** samples) {
      return guarded([&] {
        auto made = std::make_unique<Samples>();
        made->n = n, made->d = d;
        made->X.need(std::max<std::size_t>(std::size_t(n) * d, 1));
        *samples = made.release();
      });
    },
    [](void* samples, long first, long count, const double* rows, long stride) {
      return guarded([&] {
        const long d = of(samples).d;
        if (count > 0 && d > 0)
          require(cudaMemcpy2D(of(samples).X.data() + std::size_t(first) * d, d * 8, rows, stride * 8, d * 8, count,
                               cudaMemcpyHostToDevice),
                  "take data");
      });
    },
    [](void* samples) { delete &of(samples); },
    [](void* samples, long r, const double* basis, const double* weighted, const int* classes, const double* share) {
      return guarded([&] {
        Samples& s = of(samples);
        s.r = r;
        s.by_class = classes != nullptr;
        if (s.by_class) {
          s.classes.put(classes, s.n);
          s.share.put(share, s.n);
        } else {
          s.basis.put(basis, std::size_t(s.n) * r);
          s.weighted.put(weighted, std::size_t(s.n) * r);
        }
      });
    },
    [](void* samples, const Sweep* sweep, int tf32, double* phi, double* objective) {
      return guarded([&] { pair_sums(of(samples), *sweep, tf32 != 0, phi, objective); });
    },
    [](void* samples, const Sweep* sweep, const double* V, long m, double* out, double* objective) {
      return guarded([&] { pair_phi_product(of(samples), *sweep, V, m, out, objective); });
    },
    [](void* samples, const Sweep* sweep, const double* E, long directions, double* out) {
      return guarded([&] { pair_curvature(of(samples), *sweep, E, directions, out); });
    },
    [](void* samples, const Sweep* sweep, double* bound) {
      return guarded([&] { pair_curvature_bound(of(samples), *sweep, bound); });
    },
    [](void* samples, const Sweep* sweep, const double* in, long m, double* out) {
      return guarded([&] {
        const Prepared all = prepared(of(samples), *sweep);
        kernel_strips(*sweep, all.fill, of(samples).n, of(samples).n, value, in, m, out);
      });
    },
    [](void* a, void* b, const Sweep* sweep, int part, const double* in, long m, double* out) {
      return guarded([&] { pair_cross(of(a), of(b), *sweep, part, in, m, out); });
    },
    [](void* samples, double zero, long* zeros) { return guarded([&] { all_distances(of(samples), zero, zeros); }); },
    [](void* samples, long k, double* squared) { return guarded([&] { kth(of(samples), k, squared); }); },
    [](void* samples, const Sweep* sweep, const int* copies, const ScanRequest* request, ScannedTile* tiles,
       ScannedPair* pairs, unsigned* histogram) {
      return guarded([&] { scan_all(of(samples), *sweep, copies, *request, tiles, pairs, histogram); });
    },
    [](void* queries, void* points, const Sweep* sweep, long k, int own, double slack, long room, int* counts,
       int* found) {
      return guarded(
          [&] { find_candidates(of(queries), of(points), *sweep, k, own != 0, slack, room, counts, found); });
    },
    [](const double* A, long n, long count, double* values, double* vectors) {
      return guarded([&] { top_eigen(A, n, count, values, vectors); });
    },
};

}  // namespace

}  // namespace ritz::device

extern "C" __attribute__((visibility("default"))) const ritz::device::Table* ritz_device_table() {
  return &ritz::device::table;
}
