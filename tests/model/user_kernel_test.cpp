// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "model/kernel_list.hpp"

using namespace ritz;

TEST_CASE("a user kernel has the name, form and derivatives it was given") {
  const KernelTerm term = user_kernel(
      "quartic", PairForm::dot, [](double b) { return b * b * b * b; }, [](double b) { return 4 * b * b * b; },
      [](double b) { return 12 * b * b; });

  CHECK(form_of(term.kernel) == PairForm::dot);
  CHECK(kernel_text({term}) == "quartic");
  CHECK(start_slope(term.kernel) == 1);  // its slope at 0 is 0, and it rises
  const auto& kernel = std::get<UserKernel<PairForm::dot>>(*term.kernel);
  CHECK(kernel.value(2) == 16);
  CHECK(kernel.slope(-1) == -4);
  CHECK(kernel.curvature(3) == 108);
}

TEST_CASE("a missing curvature is taken from differences of the slope, next to zero too") {
  const KernelTerm term = user_kernel(
      "laplace", PairForm::difference, [](double b) { return std::exp(-b); }, [](double b) { return -std::exp(-b); });
  const auto& kernel = std::get<UserKernel<PairForm::difference>>(*term.kernel);

  for (const double beta : {0.0, 1e-6, 0.3, 5.0}) {
    CAPTURE(beta);
    CHECK(kernel.curvature(beta) == doctest::Approx(std::exp(-beta)).epsilon(1e-6));
  }
}

TEST_CASE("copies of a user kernel keep its functions alive") {
  KernelSum sum;
  {
    const std::string long_name(100, 'x');
    sum = {user_kernel(
        long_name, PairForm::dot, [scale = std::vector<double>(100, 2.0)](double b) { return scale[99] * b; },
        [](double) { return 2.0; })};
  }
  const KernelSum copy = sum;
  sum.clear();

  CHECK(std::get<UserKernel<PairForm::dot>>(*copy[0].kernel).value(3) == 6);
  CHECK(kernel_text(copy) == std::string(100, 'x'));
}

TEST_CASE("a slope that is not the derivative is refused with the place and both numbers") {
  const auto value = [](double b) { return std::exp(-b); };

  CHECK_THROWS_WITH_AS(
      user_kernel("mine", PairForm::difference, value, value),
      doctest::Contains("kernel \"mine\": at β = 0.037 its slope gives 0.963676, but differences of its "
                        "value give -0.963676"),
      Error);
  CHECK_THROWS_WITH_AS(user_kernel(
                           "mine", PairForm::difference, value, [](double b) { return -std::exp(-b); },
                           [](double b) { return 2 * std::exp(-b); }),
                       doctest::Contains("its curvature gives"), Error);
  CHECK_THROWS_WITH_AS(user_kernel("mine", PairForm::difference, value, {}), doctest::Contains("value and a slope"),
                       Error);
  CHECK_THROWS_WITH_AS(user_kernel("", PairForm::dot, value, value), doctest::Contains("name"), Error);
  CHECK_THROWS_WITH_AS(user_kernel(
                           "mine", PairForm::dot, [](double) { return std::nan(""); }, [](double) { return 0.0; }),
                       doctest::Contains("not finite"), Error);
}

TEST_CASE("user kernels are not among those that text can name") {
  CHECK_FALSE(std::ranges::count(kernel_names(), "user"));
  CHECK_THROWS_WITH_AS(parse_kernel("user"), doctest::Contains("there is no kernel 'user'"), Error);
}
