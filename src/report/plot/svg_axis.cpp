// SPDX-License-Identifier: MIT
#include "report/plot/svg_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace ritz::svg {

Axis fitting_axis(double smallest, double largest) {
  constexpr double kConstant = 1e-9;  // a relative spread below this is rounding, and ticks could not show it
  constexpr double kPadding = 0.04;
  constexpr double kTicks = 6;
  const double magnitude = std::max(std::abs(smallest), std::abs(largest));
  const double spread = largest - smallest;
  const bool constant = spread <= std::max(kConstant * magnitude, kSmallestDrawn);
  const double room = constant ? (magnitude > kSmallestDrawn ? 0.1 * magnitude : 1) : kPadding * spread;
  Axis axis{smallest - room, largest + room, 1};
  const double raw = (axis.high - axis.low) / kTicks;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  const double factor = raw / power;
  axis.step = power * (factor <= 1 ? 1 : factor <= 2 ? 2 : factor <= 2.5 ? 2.5 : factor <= 5 ? 5 : 10);
  return axis;
}

std::vector<double> tick_values(const Axis& axis) {
  std::vector<double> values;
  const double first = std::ceil(axis.low / axis.step), last = std::floor(axis.high / axis.step);
  for (double k = first; k <= last; ++k) values.push_back(k == 0 ? 0 : k * axis.step);
  return values;
}

std::string superscript(int number) {
  constexpr std::array<std::string_view, 10> digits = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = number < 0 ? "⁻" : "";
  for (const char c : std::to_string(std::abs(number))) text += digits[std::size_t(c - '0')];
  return text;
}

std::string tick_text(double value, const Axis& axis) {
  constexpr double kPlainBelow = 1e6, kPlainStep = 1e-4;
  if (value == 0) return "0";
  const std::string sign = value < 0 ? "−" : "";
  // Place of the last digit that ticks differ in; steps of 2.5 need one more.
  int step_power = int(std::floor(std::log10(axis.step) + 1e-9));
  if (std::abs(axis.step / std::pow(10, step_power) - 2.5) < 1e-6) --step_power;
  if (std::max(std::abs(axis.low), std::abs(axis.high)) < kPlainBelow && axis.step >= kPlainStep)
    return sign + fmt::format("{:.{}f}", std::abs(value), std::max(0, -step_power));
  const int power = int(std::floor(std::log10(std::abs(value)) + 1e-9));
  const double mantissa = std::abs(value) / std::pow(10, power);
  return sign + fmt::format("{:.{}f}·10{}", mantissa, std::max(0, power - step_power), superscript(power));
}

}  // namespace ritz::svg
