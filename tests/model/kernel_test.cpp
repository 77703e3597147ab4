// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>

#include "model/kernel_list.hpp"

using namespace ritz;

namespace {

std::string message_of(const std::string& text) {
  try {
    parse_kernel(text);
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::bad_option);
    return error.what();
  }
  return "";
}

}  // namespace

// What every kernel of the list promises (model/kernel.hpp); a new kernel is tested by joining the list.
TEST_CASE("slope and curvature are the derivatives of the value") {
  for (const std::string& name : kernel_names()) {
    KernelSum sum = parse_kernel(name);
    set_widths(sum, {1.3, 1});
    std::visit(
        [&](const auto& kernel) {
          for (double beta = 0.05; beta < 6; beta += 0.37) {
            const double h = 1e-4;
            CAPTURE(name);
            CAPTURE(beta);
            CHECK(kernel.slope(beta) ==
                  doctest::Approx((kernel.value(beta + h) - kernel.value(beta - h)) / (2 * h)).epsilon(1e-6));
            CHECK(kernel.curvature(beta) ==
                  doctest::Approx((kernel.slope(beta + h) - kernel.slope(beta - h)) / (2 * h)).epsilon(1e-6));
            CHECK(kernel.slope(beta) * kernel.trend >= 0);
            if (has_positive_values(sum)) CHECK(kernel.value(beta) > 0);
          }
        },
        *sum.front().kernel);
  }
}

TEST_CASE("widths are found by their type, whatever the kernel calls them") {
  KernelSum sum = parse_kernel("gaussian(sigma=median)+linear");
  CHECK(has_open_width(sum[0].kernel));
  CHECK_FALSE(has_open_width(sum[1].kernel));

  CHECK(set_widths(sum, {2, 1}));
  CHECK(std::get<Gaussian>(*sum[0].kernel).sigma.value == 2);
  CHECK(is_resolved(sum, 1));

  KernelSum none = parse_kernel("linear");
  CHECK_FALSE(set_widths(none, {2, 1}));
  CHECK(has_positive_values(parse_kernel("gaussian+rbf-relative")));
  CHECK_FALSE(has_positive_values(parse_kernel("gaussian+linear")));
}

TEST_CASE("the constant degrees of the polynomial kernel agree with the general one") {
  for (int degree = 1; degree <= 7; ++degree)
    for (const double beta : {-1.7, 0.0, 0.4, 2.0}) {
      const Polynomial kernel{degree, 0.5, 0.8};
      kernel.specialise([&](const auto& fixed) {
        CHECK(fixed.value(beta) == doctest::Approx(std::pow(0.8 * beta + 0.5, degree)));
        CHECK(fixed.slope(beta) == doctest::Approx(kernel.slope(beta)));
        CHECK(fixed.curvature(beta) == doctest::Approx(kernel.curvature(beta)));
      });
    }
}

TEST_CASE("the vectorisable exponential is accurate over its whole range") {
  CHECK(vector_exp(0) == 1.0);
  CHECK(vector_exp(-800) == 0.0);
  CHECK(vector_exp(-1e300) == 0.0);
  CHECK(rc::check([] {
    const double x = double(*rc::gen::inRange(-708000, 709000)) / 1000 + double(*rc::gen::inRange(0, 1000)) * 1e-9;
    RC_ASSERT(std::abs(vector_exp(x) - std::exp(x)) <= 1e-15 * std::exp(x));
  }));
}

TEST_CASE("a kernel's text parses back to the same kernel") {
  for (const std::string text :
       {"linear", "squared", "polynomial(degree=3,offset=1,scale=0.25)", "gaussian(sigma=median)",
        "gaussian(sigma=0.2*median)", "gaussian(sigma=4.995526922935054)", "multiquadric(offset=0.5)",
        "rbf-relative(neighbours=9)", "0.7*gaussian(sigma=median)+0.3*polynomial(degree=3,offset=1,scale=1)"})
    CHECK(kernel_text(parse_kernel(text)) == text);
}

TEST_CASE("blanks, exponents and omitted parameters are understood") {
  const KernelSum sum = parse_kernel(" 1e+2 * gaussian( sigma = 0.5 * median ) + 2e-1*linear ");

  REQUIRE(sum.size() == 2);
  CHECK(sum[0].weight == 100);
  CHECK(std::get<Gaussian>(*sum[0].kernel).sigma.of_median == 0.5);
  CHECK(sum[1].weight == 0.2);
  CHECK(std::get<Polynomial>(*parse_kernel("polynomial()")[0].kernel).degree == 3);
}

TEST_CASE("a wrong kernel is explained and the nearest known name suggested") {
  CHECK(message_of("gausian").find("did you mean 'gaussian'?") != std::string::npos);
  CHECK(message_of("zebra").find("known are: linear, squared") != std::string::npos);
  CHECK(message_of("gaussian(sgma=2)").find("did you mean 'sigma'?") != std::string::npos);
  CHECK(message_of("gaussian(sigma=-1)").find("expected a positive number") != std::string::npos);
  CHECK(message_of("gaussian(sigma=nan)").find("expected a positive number") != std::string::npos);
  CHECK(message_of("polynomial(degree=0)").find("must lie in [1, 20]") != std::string::npos);
  CHECK(message_of("polynomial(degree=2.5)").find("expected a whole number") != std::string::npos);
  CHECK(message_of("gaussian(sigma=1").find("unmatched '('") != std::string::npos);
  CHECK(message_of("gaussian)").find("unmatched ')'") != std::string::npos);
  CHECK(message_of("gaussian(1)").find("not of the form name=value") != std::string::npos);
  CHECK(message_of("linear+").find("a term is empty") != std::string::npos);
  CHECK(message_of("").find("a term is empty") != std::string::npos);
  CHECK(message_of("-1*linear").find("must be a positive number") != std::string::npos);
  CHECK(message_of("0*linear").find("must be a positive number") != std::string::npos);
  CHECK(message_of("2*").find("name is missing") != std::string::npos);
}

TEST_CASE("the start slope is the slope at zero, or the trend where that is zero") {
  CHECK(start_slope(KernelVariant(Polynomial{3, 0.0, 1.0})) == 1);
  CHECK(start_slope(KernelVariant(Polynomial{3, 2.0, 1.0})) == 12);
  CHECK(start_slope(KernelVariant(RbfRelative{})) == -0.5);
}
