// SPDX-License-Identifier: MIT
// Second derivatives of the objective along directions, and a bound of them.
#include "backends/cuda/module/operations.cuh"
#include "backends/cuda/module/strips.cuh"

namespace ritz::device {

namespace {

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
    launch(Mode::curvature, f);
    use(f, strip + std::max(2, forms) * entries);
  });
}

}  // namespace

// Σ_ij Ω_ij ∂c_ij/∂E with Ω = Γ ∘ f″ ∘ c: 2XᵀΩZ for dot products, 4Xᵀ(diag(Ω1) − Ω)Z for differences.
void pair_curvature(Samples& samples, const Sweep& sweep, const double* E, long directions, double* out) {
  const long n = samples.n, d = samples.d, q = sweep.q, width = q * directions;
  const Forms forms = forms_of(sweep);
  double* e = project(samples, E, width, card().in);
  if (!forms.dot) {
    centre_columns(e, n, width);
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
  squared_norms(samples.X.data(), n, d, norms);
  double *part = card().parts.need(n), *sum = card().degree.need(n + 1) + n;
  require(cudaMemset(sum, 0, 8), "clear sums");
  curvature_strips(samples, sweep, all, 1, [&](const Fill& f, double* products) {
    if (f.second)
      gemm(true, false, n, f.rows, d, 1, samples.X.data(), d, samples.X.data() + f.row0 * d, d, 0, products, f.stride);
    bound_parts<<<unsigned(f.rows), 256>>>(f.strip, f.second, products, norms, f.row0, n, f.stride, part);
    add_all(part, f.rows, sum);
    launched("add sums");
  });
  require(cudaMemcpy(bound, sum, 8, cudaMemcpyDeviceToHost), "give data back");
  *bound *= 2;
}

}  // namespace ritz::device
