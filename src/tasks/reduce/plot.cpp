// SPDX-License-Identifier: MIT
#include "tasks/reduce/plot.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ritz {

ScatterPlot embedding_plot(const Reduction& reduction, const Labels& colours, const std::string& title,
                           const std::string& subtitle) {
  ScatterPlot plot;
  const Index q = std::min<Index>(2, reduction.embedding.cols());
  plot.points = reduction.embedding.leftCols(q);
  plot.classes = colours.of;
  plot.class_names = colours.names;
  plot.title = title;
  plot.subtitle = subtitle;
  const auto label = [&](Index axis) {
    std::string text = fmt::format("axis {}:", axis + 1);
    for (const Index i : strongest_features(reduction.fit.W.col(axis), 2))
      text += fmt::format(" {:+.2f} {}", reduction.fit.W(i, axis), reduction.feature_names[std::size_t(i)]);
    return text;
  };
  plot.x_label = label(0);
  if (q > 1) plot.y_label = label(1);
  return plot;
}

}  // namespace ritz
