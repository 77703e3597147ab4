// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/kernel_dual.hpp"
#include "linalg/tall_products.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/random.hpp"

namespace ritz::kernel_dual {

namespace {

constexpr double kMostOfSpectrum = 0.6;
constexpr double kOutsideRounding = 1e-9;  // of the largest eigenvalue
constexpr double kOutsideCopies = 8;       // eigenvalues as large as the one that a probe finds

double conjugate_power(double p) { return p / (p - 1); }  // q

template <class Term>
double loss_sum(const AnyLoss& loss, const Vector& values, Term&& term) {
  return std::visit(
      [&](const auto& each) {
        double sum = 0;
        for (const double value : values) sum += term(each, value);
        return sum;
      },
      loss);
}

// A₀ with room for every slot of the measurements, so that A(α) only changes values.
SparseRows with_slots(const SparseRows& base, const Measurements& measurements) {
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(std::size_t(base.nonZeros() + 2 * measurements.slots()));
  for (Index r = 0; r < base.rows(); ++r)
    for (SparseRows::InnerIterator it(base, r); it; ++it) entries.emplace_back(int(r), int(it.col()), it.value());
  for (const auto& [i, j] : measurements.slot_list()) {
    entries.emplace_back(int(i), int(j), 0.0);
    if (i != j) entries.emplace_back(int(j), int(i), 0.0);
  }
  SparseRows matrix(base.rows(), base.cols());
  matrix.setFromTriplets(entries.begin(), entries.end());
  matrix.makeCompressed();
  return matrix;
}

int position(const SparseRows& matrix, Index i, Index j) {
  const int* begin = matrix.innerIndexPtr() + matrix.outerIndexPtr()[i];
  const int* end = matrix.innerIndexPtr() + matrix.outerIndexPtr()[i + 1];
  return int(std::lower_bound(begin, end, int(j)) - matrix.innerIndexPtr());
}

}  // namespace

void check(const Problem& problem) {
  const Index n = problem.base.size(), m = problem.measurements.count();
  if (m > 0 && problem.measurements.size() != n)
    throw Error(ErrorCode::bad_shape, fmt::format("the measurements are of {} × {} kernels, the base matrix is {} × {}",
                                                  problem.measurements.size(), problem.measurements.size(), n, n));
  if (problem.targets.size() != m)
    throw Error(ErrorCode::bad_shape, fmt::format("{} targets for {} measurements", problem.targets.size(), m));
  const Capacity& capacity = problem.capacity;
  if (capacity.form != Capacity::Form::none && !(capacity.value > 0))
    throw Error(ErrorCode::bad_option,
                fmt::format("the {} is {}; it must be positive",
                            capacity.form == Capacity::Form::ridge ? "ridge G" : "budget B", capacity.value));
  if (!(capacity.power >= 1))
    throw Error(ErrorCode::bad_option, fmt::format("the power p is {}; it must be at least 1", capacity.power));
  if (capacity.power == 1 && capacity.form == Capacity::Form::ridge)
    throw Error(ErrorCode::bad_option, "the power p = 1 needs a budget B: a ridge G·tr K has no unique kernel");
}

Dual::Dual(const Problem& problem, const RunContext& context) : problem_(problem) {
  A_ = problem.base;
  A_.sparse = with_slots(problem.base.sparse, problem.measurements);
  base_values_ = Eigen::Map<const Vector>(A_.sparse.valuePtr(), A_.sparse.nonZeros());
  positions_ = positions(A_.sparse, problem.measurements);
  slot_matrix_ = with_slots(SparseRows(A_.size(), A_.size()), problem.measurements);
  slot_positions_ = positions(slot_matrix_, problem.measurements);
  if (problem.within.cols() > 0) {
    side_.stay_in(problem.within);
    return;
  }
  if (problem.capacity.form == Capacity::Form::none) return;
  // K = c·(A + N) needs p = 2; there the smaller side of the spectrum of the base is worth a look.
  if (problem.capacity.power == 2 && (problem.base.identity > 0 || problem.base.factor.basis.cols() > 0)) {
    const SideCounts counts = side_counts(A_, context);
    if (counts.positive > 0.75 * double(A_.size())) side_.turn_to(Side::negative);
  }
}

Dual::Positions Dual::positions(const SparseRows& matrix, const Measurements& measurements) {
  Positions list;
  list.reserve(std::size_t(measurements.slots()));
  for (const auto& [i, j] : measurements.slot_list())
    list.push_back({position(matrix, i, j), i == j ? -1 : position(matrix, j, i)});
  return list;
}

SparseRows Dual::slot_matrix(const Vector& y, const RunContext& context) const {
  const Vector added = problem_.measurements.adjoint(y, context);
  SparseRows matrix = slot_matrix_;
  for (Index s = 0; s < added.size(); ++s)
    for (const int at : slot_positions_[std::size_t(s)])
      if (at >= 0) matrix.valuePtr()[at] = added(s);
  return matrix;
}

void Dual::set_matrix(const Vector& alpha, const RunContext& context) {
  const Vector added = problem_.weight * problem_.measurements.adjoint(alpha, context);
  Eigen::Map<Vector> values(A_.sparse.valuePtr(), A_.sparse.nonZeros());
  values = base_values_;
  for (Index s = 0; s < added.size(); ++s)
    for (const int at : positions_[std::size_t(s)])
      if (at >= 0) values(at) += added(s);
}

void Dual::keep(Archive& archive) {
  Vector values = Eigen::Map<const Vector>(A_.sparse.valuePtr(), A_.sparse.nonZeros());
  archive(values, side_, last_power_sum_, evaluations_);
  if (archive.restores()) Eigen::Map<Vector>(A_.sparse.valuePtr(), A_.sparse.nonZeros()) = values;
}

void keep(Archive& archive, Evaluation& at) {
  auto& [alpha, dual, dual_plain, primal, gradient, measured, spectrum, scale, power_sum] = at;
  archive(alpha, dual, dual_plain, primal, gradient, measured, spectrum, scale, power_sum);
}

double Dual::support(double power_sum) const {
  const double p = problem_.capacity.power, q = conjugate_power(p), value = problem_.capacity.value;
  if (problem_.capacity.form == Capacity::Form::ridge) return std::pow(value, 1 - q) / q * power_sum;
  return std::pow(value, 1 / p) * std::pow(power_sum, 1 / q);
}

// With V the block, R = (I − VVᵀ)AV₊ and nothing positive outside the block, A ⪯ VΘ₊Vᵀ + (RV₊ᵀ + V₊Rᵀ), whence
// ‖A₊‖_q <= ‖Θ₊‖_q + ‖R‖_q, and for q = 2, where the two terms are orthogonal, tr A₊² <= tr Θ₊² + 2‖R‖².
double Dual::upper_power_sum(const SpectrumSide& spectrum, double power_sum) const {
  const double q = conjugate_power(problem_.capacity.power), defect = spectrum.defect;
  if (defect == 0) return power_sum;
  if (q == 2) return power_sum + 2 * defect * defect;
  const double rank = double(std::max<Index>(1, spectrum.count));
  const double tail = defect * (q < 2 ? std::pow(rank, 1 / q - 0.5) : 1.0);
  return std::pow(std::pow(power_sum, 1 / q) + tail, q);
}

double Dual::wanted_defect(double allowed) const {
  const double p = problem_.capacity.power, value = problem_.capacity.value;
  if (p != 2) return std::min(1e-6, allowed);  // first order: as tight as can be had
  if (problem_.capacity.form == Capacity::Form::ridge) return std::sqrt(value * allowed);
  return std::sqrt(allowed * std::sqrt(std::max(last_power_sum_, 1e-6) / value));
}

Evaluation Dual::evaluate(const Vector& alpha, double allowed, const RunContext& context) {
  const Measurements& measurements = problem_.measurements;
  const double w = problem_.weight, p = problem_.capacity.power, q = conjugate_power(p);
  const bool ridge = problem_.capacity.form == Capacity::Form::ridge;
  ++evaluations_;
  set_matrix(alpha, context);

  Evaluation at;
  at.alpha = alpha;
  const bool positive = side_.side() == Side::positive;
  // The complement's kernel (A + N) is only as positive semidefinite as N is exact.
  const double size = std::sqrt(A_.squared_norm());
  const double accuracy = positive ? std::max(wanted_defect(allowed), 1e-11 * size) : 1e-9 * size;
  at.spectrum = side_(A_, accuracy, context);
  const Vector found = at.spectrum.values.head(at.spectrum.count);

  const double squares = positive ? 0 : A_.squared_norm();
  at.power_sum = positive ? found.array().pow(q).sum() : std::max(0.0, squares - found.squaredNorm());
  last_power_sum_ = at.power_sum;
  // Where most of the spectrum lies on this side, the other one is less work for the next α (K = c·(A + N), p = 2).
  if (p == 2 && problem_.within.cols() == 0 && kMostOfSpectrum * double(A_.size()) < double(at.spectrum.count))
    side_.turn_to(positive ? Side::negative : Side::positive);
  at.scale = ridge ? std::pow(problem_.capacity.value, 1 - q)
                   : (at.power_sum > 0 ? std::pow(problem_.capacity.value / at.power_sum, 1 / p) : 0.0);

  // K on the slots, ⟨A, K⟩ and tr Kᵖ.
  Vector slots;
  double inner = 0;
  if (positive) {
    const Vector root = (at.scale * found.array().pow(q - 1)).sqrt();
    RowMatrix F = at.spectrum.vectors.leftCols(at.spectrum.count) * root.asDiagonal();
    slots = measurements.slot_values(F, context);
    inner = at.scale * at.power_sum;  // Rayleigh quotients: exact for this K, whatever the defect
  } else {
    RowMatrix F = at.spectrum.vectors.leftCols(at.spectrum.count) * found.cwiseSqrt().asDiagonal();
    slots = measurements.slot_values(F, context);
    for (Index s = 0; s < slots.size(); ++s) {
      const auto [i, j] = measurements.slot_list()[std::size_t(s)];
      slots(s) += A_.sparse.valuePtr()[positions_[std::size_t(s)][0]] + (i == j ? A_.identity : 0.0);
      if (A_.factor.basis.cols() > 0)
        slots(s) += A_.factor.basis.row(i).cwiseProduct(A_.factor.basis.row(j)).dot(A_.factor.weights);
    }
    slots *= at.scale;
    inner = at.scale * at.power_sum;
  }
  at.measured = measurements.measure(slots, context);
  const double kernel_power = ridge ? std::pow(at.scale, p) * at.power_sum : problem_.capacity.value;

  const double linear = w * (alpha.dot(problem_.targets) -
                             loss_sum(problem_.loss, alpha, [](const auto& l, double a) { return l.conjugate(a); }));
  at.dual_plain = linear - support(at.power_sum);
  at.dual = linear - support(upper_power_sum(at.spectrum, at.power_sum));
  const Vector residual = problem_.targets - at.measured;
  at.primal = -inner + w * alpha.dot(at.measured) +
              w * loss_sum(problem_.loss, residual, [](const auto& l, double r) { return l.value(r); }) +
              (ridge ? problem_.capacity.value / p * kernel_power : 0.0);
  at.gradient = residual;
  std::visit(
      [&](const auto& each) {
        for (Index k = 0; k < alpha.size(); ++k) at.gradient(k) -= each.conjugate_slope(alpha(k));
      },
      problem_.loss);
  at.gradient *= w;
  return at;
}

double Dual::missing(const Evaluation& at, const RunContext& context) const {
  const double largest = at.spectrum.values.size() > 0 ? std::abs(at.spectrum.values(0)) : 1.0;
  const double outside = side_.largest_outside(A_, at.spectrum, context);
  if (outside <= kOutsideRounding * std::max(largest, 1e-3)) return 0;
  if (at.spectrum.side == Side::negative) return std::numeric_limits<double>::infinity();
  const double known = upper_power_sum(at.spectrum, at.power_sum);
  const double more = kOutsideCopies * std::pow(outside, conjugate_power(problem_.capacity.power));
  return support(known + more) - support(known);
}

double Dual::lipschitz(const RunContext& context) const {
  // λmax of MM* by power iteration from the constant vector: the Gram matrix has mostly non-negative entries.
  const Measurements& measurements = problem_.measurements;
  Vector v = Rng(context.seed, "kernel_dual_lipschitz").normal_matrix(measurements.count(), 1);
  v.array() = v.array().abs() + 1;
  double gram = 0;
  for (int step = 0; step < 50; ++step) {
    v.normalize();
    const Vector image = measurements.measure(measurements.adjoint(v, context), context);
    gram = v.dot(image);
    v = image;
    if (v.norm() == 0) break;
  }
  const double w = problem_.weight;
  const double curve = std::visit([](const auto& each) { return each.conjugate_curvature(); }, problem_.loss);
  return 1.02 * w * w * gram / problem_.capacity.value + w * curve;
}

}  // namespace ritz::kernel_dual
