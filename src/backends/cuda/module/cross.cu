// SPDX-License-Identifier: MIT
// The kernel itself: times vectors, or between two sets of samples.
#include "backends/cuda/module/operations.cuh"
#include "backends/cuda/module/strips.cuh"

namespace ritz::device {

namespace {

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
      launch(Mode::value, f);
    else if (part == slope)
      launch(Mode::slope, f);
    else
      launch(Mode::curvature, f);
    if (m > 0)
      gemm(false, false, m, rows, columns, 1, card().in.data(), m, strip, f.stride, 0, card().out.data() + row0 * m, m);
    else
      require(cudaMemcpy2D(out + std::size_t(row0) * columns, columns * 8, strip, f.stride * 8, columns * 8, rows,
                           cudaMemcpyDeviceToHost),
              "give data back");
  });
  if (m > 0) card().out.get(out, std::size_t(n) * m);
}

}  // namespace

void pair_kernel_product(Samples& samples, const Sweep& sweep, const double* in, long m, double* out) {
  const Prepared all = prepared(samples, sweep);
  kernel_strips(sweep, all.fill, samples.n, samples.n, value, in, m, out);
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

}  // namespace ritz::device
