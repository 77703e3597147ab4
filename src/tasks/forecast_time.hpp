// SPDX-License-Identifier: MIT
// How long a fit may take: small ones are done and timed, and what they take is carried on to the size that is asked
// about. Where none can be done, a formula in operations, divided by what a thread of this machine does just now.
#pragma once

#include <functional>

#include "linalg/products/dgemm_rate.hpp"
#include "tasks/row.hpp"

namespace ritz {

// Operations a second of one thread: most of what a small fit does is not shared.
inline double thread_rate(const RunContext& context) {
  RunContext one = context;
  one.threads = 1;
  return dgemm_rate(one);
}

// Samples to try a fit with: of `data` where there are some, rows drawn from it, and its labels; otherwise made up,
// around a centre for each class, with a spectrum that decays as that of measured data does.
Dataset probe_samples(Index rows, Index columns, Index classes, const Dataset* data);

struct SecondsForecast {
  double seconds = kUnknown, low = kUnknown, high = kUnknown;
  std::string how{};  // "by fits to 150 and 300 of 5000 rows"
};
// `fit` is done with 100 rows, 200, and on while that takes a moment, at most `rows`; the growth between the last two
// is taken to go on, between once and three times the power of the rows. `otherwise`: where the fit fails, or only the
// smallest could be done and says little of so many rows.
SecondsForecast timed(Index rows, const std::function<void(Index rows, RunContext& context)>& fit, double otherwise,
                      const RunContext& context);

// The line "time", result.seconds and their range.
void add_seconds(ForecastReport& report, const SecondsForecast& forecast);

}  // namespace ritz
