// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>

#include "model/kernel_list.hpp"

namespace ritz {

namespace {

using Function = std::function<double(double)>;

struct UserFunctions {
  std::string name;
  Function value, slope, curvature;
};

constexpr double kStep = 1e-4;          // of differences, relative to β where that is above 1
constexpr double kDisagreement = 1e-2;  // a slip in a sign or a factor is far larger, a kink far rarer

double step_at(double beta) { return kStep * std::max(1.0, std::abs(beta)); }

// f′ of a function by differences of second order; one-sided next to 0 where β cannot be negative.
double difference(const Function& f, double beta, PairForm form) {
  const double h = step_at(beta);
  if (form == PairForm::difference && beta < h) return (4 * f(beta + h) - 3 * f(beta) - f(beta + 2 * h)) / (2 * h);
  return (f(beta + h) - f(beta - h)) / (2 * h);
}

void require_derivative(const std::string& name, PairForm form, const Function& of, const Function& given,
                        std::string_view what, std::string_view whose) {
  bool tried = false;
  for (const double beta : {-1.37, -0.29, 0.037, 0.29, 1.37, 6.1}) {
    if (form == PairForm::difference && beta < 0) continue;
    const double number = difference(of, beta, form), told = given(beta), size = std::abs(of(beta));
    if (!std::isfinite(number) || !std::isfinite(size)) continue;  // outside the kernel's domain
    tried = true;
    // Where f is large and flat the difference keeps few digits.
    if (std::abs(number - told) <= kDisagreement * std::max(std::abs(number), std::abs(told)) + 1e-9 * size) continue;
    throw Error(
        ErrorCode::bad_option,
        fmt::format("kernel \"{}\": at β = {} its {} gives {:.6g}, but differences of its {} give {:.6g}; both must "
                    "be derivatives with respect to β, with sign and constants",
                    name, beta, what, told, whose, number));
  }
  if (!tried)
    throw Error(ErrorCode::bad_option, fmt::format("kernel \"{}\": its {} is not finite at any β tried, from {} to 6.1",
                                                   name, whose, form == PairForm::difference ? "0.037" : "-1.37"));
}

template <PairForm F>
UserKernel<F> pointers_to(const UserFunctions& functions) {
  UserKernel<F> kernel;
  kernel.title = functions.name.c_str();
  kernel.object = &functions;
  kernel.value_of = [](const void* f, double beta) { return static_cast<const UserFunctions*>(f)->value(beta); };
  kernel.slope_of = [](const void* f, double beta) { return static_cast<const UserFunctions*>(f)->slope(beta); };
  kernel.curvature_of = [](const void* f, double beta) {
    return static_cast<const UserFunctions*>(f)->curvature(beta);
  };
  kernel.trend = functions.slope(1.0) < 0 ? -1 : 1;
  return kernel;
}

}  // namespace

KernelTerm user_kernel(std::string name, PairForm form, Function value, Function slope, Function curvature) {
  if (name.empty()) throw Error(ErrorCode::bad_option, "a kernel of one's own needs a name");
  if (!value || !slope)
    throw Error(ErrorCode::bad_option, fmt::format("kernel \"{}\" needs a value and a slope", name));
  require_derivative(name, form, value, slope, "slope", "value");
  if (curvature)
    require_derivative(name, form, slope, curvature, "curvature", "slope");
  else
    curvature = [slope, form](double beta) { return difference(slope, beta, form); };
  auto functions = std::make_shared<UserFunctions>(
      UserFunctions{std::move(name), std::move(value), std::move(slope), std::move(curvature)});
  KernelTerm term;
  if (form == PairForm::dot)
    term.kernel = KernelVariant(pointers_to<PairForm::dot>(*functions));
  else
    term.kernel = KernelVariant(pointers_to<PairForm::difference>(*functions));
  term.owner = std::move(functions);
  return term;
}

}  // namespace ritz
