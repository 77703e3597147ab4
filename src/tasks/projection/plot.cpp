// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "tasks/projection/report.hpp"

namespace ritz::projection {

ScatterPlot embedding_plot(const Projection& found, const Labels& colours, const std::string& title,
                           const std::string& subtitle) {
  ScatterPlot plot;
  const Index q = std::min<Index>(2, found.embedding.cols());
  plot.points = found.embedding.leftCols(q);
  plot.classes = colours.of;
  plot.class_names = colours.names;
  plot.title = title;
  plot.subtitle = subtitle;
  const auto label = [&](Index axis) {
    std::string text = fmt::format("axis {}:", axis + 1);
    for (const Index i : strongest_features(found.fit.W.col(axis), 2))
      text += fmt::format(" {:+.2f} {}", found.fit.W(i, axis), found.feature_names[std::size_t(i)]);
    return text;
  };
  plot.x_label = label(0);
  if (q > 1) plot.y_label = label(1);
  return plot;
}

NamedColumns embedding_content(const Projection& found) {
  return {found.embedding, numbered_names("axis", found.embedding.cols())};
}

}  // namespace ritz::projection
