// SPDX-License-Identifier: MIT
// The kernels of fill.cuh, compiled once: the one that is asked for again and again for each type of kernel by itself.
#include "backends/cuda/module/fill_narrow.cuh"
#include "backends/cuda/module/strips.cuh"

namespace ritz::device {

namespace {

template <Mode mode, class K>
void launch_narrow(const Fill& f) {
  const dim3 grid = grid_of_sums(f);
  if (f.q <= 4)
    fill_narrow<mode, K, 4><<<grid, kThreads>>>(f);
  else if (f.q <= 10)
    fill_narrow<mode, K, 10><<<grid, kThreads>>>(f);
  else
    fill_narrow<mode, K, kNarrow><<<grid, kThreads>>>(f);
}

template <Mode mode, std::size_t I = 0>
void launch_as(const Fill& f) {
  constexpr bool kSums = mode == Mode::weights || mode == Mode::objective;
  if constexpr (!kSums || I == std::variant_size_v<KernelTypes>) {
    fill<mode><<<grid_of(f), kThreads>>>(f);
    return launched("evaluate kernels");
  } else {  // those that are asked for again and again
    using K = std::variant_alternative_t<I, KernelTypes>;
    if constexpr (kListed<K>)
      if (f.only == int(I)) {
        if (narrow(f)) {
          launch_narrow<mode, K>(f);
          return launched("evaluate kernels");
        }
        if constexpr (mode == Mode::weights) {
          fill<mode, K><<<grid_of(f), kThreads>>>(f);
          return launched("evaluate kernels");
        }
      }
    launch_as<mode, I + 1>(f);
  }
}

}  // namespace

void launch(Mode mode, const Fill& f) {
  switch (mode) {
    case Mode::value:
      return launch_as<Mode::value>(f);
    case Mode::slope:
      return launch_as<Mode::slope>(f);
    case Mode::curvature:
      return launch_as<Mode::curvature>(f);
    case Mode::objective:
      return launch_as<Mode::objective>(f);
    case Mode::weights:
      return launch_as<Mode::weights>(f);
  }
}

}  // namespace ritz::device
