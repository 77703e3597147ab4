// SPDX-License-Identifier: MIT
// The derivative of A ↦ A₊^(q−1), by divided differences over the eigenvalues (Daleckii–Krein).
#include <cmath>

#include "algorithms/kernel_dual.hpp"
#include "linalg/tall_products.hpp"

namespace ritz::kernel_dual {

namespace {

double divided_difference(double a, double b, double power) {  // of λ₊^power, a > 0
  if (power == 1) return b > 0 ? 1.0 : a / (a - b);
  const double fa = std::pow(a, power), fb = b > 0 ? std::pow(b, power) : 0.0;
  if (std::abs(a - b) > 1e-7 * a) return (fa - fb) / (a - b);
  return power * std::pow(0.5 * (a + b), power - 1);
}

}  // namespace

Vector Dual::curvature(const Evaluation& at, const Vector& v, const RunContext& context) const {
  const Measurements& measurements = problem_.measurements;
  const SpectrumSide& spectrum = at.spectrum;
  const double w = problem_.weight, p = problem_.capacity.power, q = p / (p - 1), power = q - 1;
  const double loss_curve = std::visit([](const auto& each) { return each.conjugate_curvature(); }, problem_.loss);
  const Vector direction = measurements.adjoint(v, context);  // T = Σ v_k·M_k on the slots
  const Index k = spectrum.count, all = spectrum.values.size();

  Vector slots = Vector::Zero(measurements.slots());
  if (k > 0) {
    const SparseRows T = slot_matrix(v, context);
    const RowMatrix V = spectrum.vectors.leftCols(k);
    RowMatrix TV;
    multiply_rows(T, V, TV, context);

    // U with D[T] = UVᵀ + VUᵀ: inside the wanted pairs, towards the other known ones, and towards the rest.
    const Matrix inner = tall_transposed_product(spectrum.vectors, TV, context);  // all × k
    const bool rest = !std::isnan(spectrum.outside_mean);
    Vector towards_rest = Vector::Zero(k);
    if (rest)
      for (Index i = 0; i < k; ++i)
        towards_rest(i) =
            divided_difference(spectrum.values(i), std::min(spectrum.outside_mean, spectrum.values(all - 1)), power);
    Matrix weights(all, k);
    for (Index j = 0; j < k; ++j)
      for (Index i = 0; i < all; ++i) {
        const double d = divided_difference(spectrum.values(j), spectrum.values(i), power);
        weights(i, j) = i < k ? 0.5 * d - towards_rest(j) : d - towards_rest(j);
      }
    RowMatrix U = tall_product(spectrum.vectors, weights.cwiseProduct(inner), context);
    if (rest) U += TV * towards_rest.asDiagonal();
    slots = measurements.slot_values(U, V, context);
  }
  if (spectrum.side == Side::negative) slots = direction - slots;  // A₊ = A + (−A)₊
  Vector change = at.scale * measurements.measure(slots, context);
  if (problem_.capacity.form == Capacity::Form::budget && at.power_sum > 0)
    change -= (q / p) / (at.power_sum * at.scale) * v.dot(at.measured) * at.measured;
  return w * w * change + w * loss_curve * v;
}

}  // namespace ritz::kernel_dual
