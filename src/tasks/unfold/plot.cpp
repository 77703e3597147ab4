// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "report/plot/scatter_plot.hpp"
#include "tasks/unfold/task.hpp"

namespace ritz::unfold {

namespace {

constexpr std::size_t kMostLines = 6000;  // edges; more are a grey blot

std::string method_title(UnfoldMethod method) {
  switch (method) {
    case UnfoldMethod::mvu:
      return "Maximum variance unfolding";
    case UnfoldMethod::cmvu:
      return "Coloured maximum variance unfolding";
    case UnfoldMethod::mve:
      return "Minimum volume embedding";
    case UnfoldMethod::spe:
      return "Structure preserving embedding";
    case UnfoldMethod::pca:
      return "Principal components";
    default:
      return "Kernel principal components";
  }
}

}  // namespace

std::string plot_svg(const UnfoldResult& found, const Labels& colours) {
  const RowMatrix& Z = found.fit.embedding;
  ScatterPlot plot;
  plot.title = method_title(found.method);
  plot.subtitle = found.graph_given ? fmt::format("{} samples, {} edges", found.n, found.graph.edges.size())
                                    : fmt::format("{} samples, {} edges ({} neighbours)", found.n,
                                                  found.graph.edges.size(), found.neighbours);
  if (found.fit.held >= 0)
    plot.subtitle +=
        fmt::format("; {} hold {:.1f} %", Z.cols() == 1 ? "this dimension" : fmt::format("{} dimensions", Z.cols()),
                    100 * found.fit.held);
  plot.classes = colours.of;
  plot.class_names = colours.names;
  const auto label = [](Index axis) { return fmt::format("dimension {}", axis + 1); };
  const auto columns = [&](Index second) {
    Matrix points(found.n, 2);
    points.col(0) = Z.col(0);
    points.col(1) = Z.col(second);
    return points;
  };
  plot.x_label = label(0);
  plot.equal_scale = true;
  if (Z.cols() == 1) {
    plot.points = Z;
    return scatter_svg(plot);
  }
  plot.points = columns(1);
  plot.y_label = label(1);
  if (Z.cols() > 2) plot.more.push_back({columns(2), "", label(0), label(2)});
  if (found.graph.edges.size() <= kMostLines)
    for (const Edge& edge : found.graph.edges) plot.lines.push_back({edge.i, edge.j});
  return scatter_svg(plot);
}

}  // namespace ritz::unfold
