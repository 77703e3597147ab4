// SPDX-License-Identifier: MIT
#pragma once

#include "ritz/model/kernel.hpp"

namespace ritz {

struct Polynomial {  // (scale·β + offset)^degree
  static constexpr std::string_view name = "polynomial";
  static constexpr PairForm form = PairForm::dot;
  static constexpr int trend = +1;
  static constexpr bool per_sample = false;
  int degree = 3;
  double offset = 1.0;
  double scale = 1.0;

  RITZ_INLINE double value(double beta) const { return power(scale * beta + offset, degree); }
  RITZ_INLINE double slope(double beta) const { return degree * scale * power(scale * beta + offset, degree - 1); }
  RITZ_INLINE double curvature(double beta) const {
    return degree < 2 ? 0.0 : degree * (degree - 1) * scale * scale * power(scale * beta + offset, degree - 2);
  }
  static constexpr auto fields() {
    return std::tuple{field("degree", &Polynomial::degree, 1, 20, "power"),
                      field("offset", &Polynomial::offset, 0.0, 1e6, "added to the inner product"),
                      field("scale", &Polynomial::scale, 1e-12, 1e12, "multiplies the inner product")};
  }

  // The usual degrees as constants: a loop over elements vectorises only when the loop over the degree is unrolled.
  template <class Use>
  void specialise(Use&& use) const {
    switch (degree) {
      case 1:
        return use(Fixed<1>{offset, scale});
      case 2:
        return use(Fixed<2>{offset, scale});
      case 3:
        return use(Fixed<3>{offset, scale});
      case 4:
        return use(Fixed<4>{offset, scale});
      case 5:
        return use(Fixed<5>{offset, scale});
      default:
        return use(*this);
    }
  }

 private:
  RITZ_INLINE static double power(double x, int exponent) {
    double result = 1;
    for (int i = 0; i < exponent; ++i) result *= x;
    return result;
  }
  template <int Degree>
  struct Fixed {
    double offset, scale;
    RITZ_INLINE double value(double beta) const { return Polynomial{Degree, offset, scale}.value(beta); }
    RITZ_INLINE double slope(double beta) const { return Polynomial{Degree, offset, scale}.slope(beta); }
    RITZ_INLINE double curvature(double beta) const { return Polynomial{Degree, offset, scale}.curvature(beta); }
  };
};

}  // namespace ritz
