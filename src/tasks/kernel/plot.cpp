// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "report/plot/scatter_plot.hpp"
#include "tasks/kernel/task.hpp"

namespace ritz::kernel {

std::string plot_svg(const KernelResult& found) {
  ScatterPlot plot;
  const Index q = std::min<Index>(2, found.factor.cols());
  plot.points = q > 0 ? Matrix(found.factor.leftCols(q)) : Matrix(Matrix::Zero(found.n, 1));
  plot.classes = found.labels.of;
  plot.class_names = found.labels.names;
  plot.title = "Samples in the learned kernel's feature space";
  plot.subtitle = fmt::format("two leading of {} dimensions, coloured by the {} clusters found", found.factor.cols(),
                              found.labels.classes());
  const auto label = [&](Index axis) {
    return fmt::format("dimension {} (eigenvalue {:.3g} of K)", axis + 1, found.fit.kernel.weights(axis));
  };
  if (q > 0) plot.x_label = label(0);
  if (q > 1) plot.y_label = label(1);
  return scatter_svg(plot);
}

}  // namespace ritz::kernel
