// SPDX-License-Identifier: MIT
#include "reproduce/reproduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "metrics/statistics.hpp"

namespace ritz::reproduce {

double Spread::mean() const { return ritz::mean(values); }
double Spread::deviation() const { return ritz::deviation(values); }

std::string Spread::text(std::string_view number) const {
  if (values.empty() || std::isnan(mean())) return "-";
  const std::string centre = fmt::format(fmt::runtime(number), mean());
  return values.size() == 1 ? centre : fmt::format("{} ± {:.2g}", centre, deviation());
}

std::string Spread::percent() const {
  if (values.empty() || std::isnan(mean())) return "-";
  const std::string centre = fmt::format("{:.1f}", 100 * mean());
  return values.size() == 1 ? centre : fmt::format("{} ± {:.1f}", centre, 100 * deviation());
}

RunContext limited(const RunContext& context, double seconds) {
  using Clock = std::chrono::steady_clock;
  RunContext inner = context;
  inner.deadline =
      std::min(context.deadline,
               Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds)));
  return inner;
}

bool contains(const std::vector<std::string>& list, std::string_view name) {
  return std::ranges::find(list, name) != list.end();
}

}  // namespace ritz::reproduce
