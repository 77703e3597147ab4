// SPDX-License-Identifier: MIT
#include "reproduce/reproduction.hpp"

#include "metrics/statistics.hpp"
#include "ritz/base/text.hpp"

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

std::vector<std::string> expanded(const std::vector<std::string>& asked, std::span<const std::string_view> known,
                                  std::string_view option) {
  std::vector<std::string> result;
  for (const std::string& name : asked) {
    bool found = false;
    for (const std::string_view each : known)
      if (name == "all" || each == name || each.starts_with(name + "-") || each.ends_with("-" + name)) {
        if (!contains(result, each)) result.emplace_back(each);
        found = true;
      }
    if (!found)
      fail(ErrorCode::bad_option, "reproduce.{}: there is no '{}'{}", option, name,
           suggestion(name, std::vector<std::string>{known.begin(), known.end()}));
  }
  return result;
}

// --- the papers -----------------------------------------------------------------------------------------------------

Paper ism_ikdr();
Paper ism_kdac();
Paper simplenpkl();
Paper near_isometric();
Paper gmeb();

const std::vector<Paper>& papers() {
  static const std::vector<Paper> all = {ism_ikdr(), ism_kdac(), simplenpkl(), near_isometric(), gmeb()};
  return all;
}

}  // namespace ritz::reproduce
