// SPDX-License-Identifier: MIT
#include "linalg/projections.hpp"

#include <algorithm>
#include <functional>

#include "ritz/base/error.hpp"
#include "ritz/base/text.hpp"

namespace ritz {

Vector project_simplex(const Vector& v, double total) {
  if (!(total >= 0)) throw Error(ErrorCode::bad_option, "the entries of a simplex cannot sum to " + number_text(total));
  if (v.size() == 0) throw Error(ErrorCode::bad_shape, "cannot project an empty vector onto a simplex");
  // The projection is (v − shift)₊. Taking the maximum off first leaves it unchanged and keeps the digits of the
  // differences when v is far from the simplex.
  const Vector centred = v.array() - v.maxCoeff();
  Vector sorted = centred;
  std::sort(sorted.data(), sorted.data() + sorted.size(), std::greater<>());
  double sum = 0, shift = 0;
  for (Index i = 0; i < sorted.size(); ++i) {
    sum += sorted(i);
    const double candidate = (sum - total) / double(i + 1);
    if (sorted(i) - candidate <= 0 && i > 0) break;
    shift = candidate;
  }
  return (centred.array() - shift).max(0.0);
}

Vector project_l1_ball(const Vector& v, double radius) {
  if (!(radius >= 0)) throw Error(ErrorCode::bad_option, "the radius of a ball cannot be " + number_text(radius));
  const Vector magnitude = v.cwiseAbs();
  if (magnitude.sum() <= radius) return v;
  return v.array().sign() * project_simplex(magnitude, radius).array();
}

Vector project_box(const Vector& v, const Vector& low, const Vector& high) {
  if (low.size() != v.size() || high.size() != v.size())
    throw Error(ErrorCode::bad_shape, "a box with " + std::to_string(low.size()) + " lower and " +
                                          std::to_string(high.size()) + " upper bounds does not fit " +
                                          std::to_string(v.size()) + " entries");
  for (Index i = 0; i < v.size(); ++i)
    if (!(low(i) <= high(i)))
      throw Error(ErrorCode::bad_option, "the box is empty: entry " + std::to_string(i) + " has the bounds [" +
                                             number_text(low(i)) + ", " + number_text(high(i)) + ']');
  return v.cwiseMax(low).cwiseMin(high);
}

}  // namespace ritz
