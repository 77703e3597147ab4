// SPDX-License-Identifier: MIT
// Sums over all pairs: Φ, the objective, and Φ times a few vectors.
#include "backends/cuda/module/operations.cuh"
#include "backends/cuda/module/strips.cuh"

namespace ritz::device {

namespace {

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

}  // namespace

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
  const double bytes = row_bytes_of_sums(n, strips + (X_single ? 0.5 : 0));
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
      launch(Mode::objective, f);
      return add_sums(f, false, nullptr, degree + n);
    }
    launch(Mode::weights, f);
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
    centre_columns(P, n, m);
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
    launch(Mode::weights, f);
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

}  // namespace ritz::device
