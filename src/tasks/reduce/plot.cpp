// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "tasks/projection/report.hpp"
#include "tasks/reduce/task.hpp"

namespace ritz::reduce {

std::string plot_svg(const ReduceResult& found) {
  return scatter_svg(
      projection::embedding_plot(found, found.clusters ? found.clusters->labels : found.classes,
                                 fmt::format("{} samples in {} of {} dimensions", found.n, found.fit.W.cols(), found.d),
                                 projection::short_kernel_text(found.kernel)));
}

}  // namespace ritz::reduce
