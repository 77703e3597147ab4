// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "report/plot/line_plot.hpp"
#include "report/plot/svg_text.hpp"
#include "ritz/base/error.hpp"
#include "tasks/projection/report.hpp"
#include "tasks/recluster/task.hpp"

namespace ritz::recluster {

namespace {

struct Picture {
  std::string svg;
  double width, height;
};

// Sizes from the root element that open_document wrote.
Picture sized(std::string svg) {
  const auto number = [&](std::string_view name) {
    const std::size_t at = svg.find(name);
    return at == std::string::npos ? 0 : std::strtod(svg.c_str() + at + name.size(), nullptr);
  };
  const double width = number(" width=\""), height = number(" height=\"");
  return {std::move(svg), width, height};
}

// Grey images in a row, each with its own name; black and white are the extremes over all of them.
Picture image_row(const RowMatrix& means, ImageShape shape, const Labels& labels) {
  constexpr double kPixel = 4, kBetween = 24, kNameHeight = 22;
  const double low = means.minCoeff(), range = std::max(means.maxCoeff() - low, 1e-300);
  const double side = kPixel * double(shape.width);
  const double width =
      2 * svg::kMargin + double(means.rows()) * side + double(std::max<Index>(0, means.rows() - 1)) * kBetween;
  const double height = 2 * svg::kMargin + 30 + kPixel * double(shape.height) + kNameHeight;
  const std::vector<Index> counts = labels.counts();
  std::string text;
  const svg::Out out = std::back_inserter(text);
  svg::open_document(out, width, height, {"mean image of each found cluster", ""});
  for (Index c = 0; c < means.rows(); ++c) {
    const double left = svg::kMargin + double(c) * (side + kBetween), top = svg::kMargin + 30;
    fmt::format_to(out, "<g class=\"image\" shape-rendering=\"crispEdges\">\n");
    for (Index i = 0; i < shape.height; ++i)
      for (Index j = 0; j < shape.width; ++j) {
        const int grey = int(std::lround(255 * (means(c, i * shape.width + j) - low) / range));
        fmt::format_to(out, R"(<rect x="{:g}" y="{:g}" width="{:g}" height="{:g}" fill="#{:02x}{:02x}{:02x}"/>)",
                       left + kPixel * double(j), top + kPixel * double(i), kPixel, kPixel, grey, grey, grey);
      }
    fmt::format_to(out, "</g>\n");
    svg::put_text(out, left, top + kPixel * double(shape.height) + 16,
                  fmt::format("{}: {}", labels.names[std::size_t(c)], svg::grouped(counts[std::size_t(c)])),
                  {.size = 12}, side + kBetween);
  }
  text += "</svg>\n";
  return {std::move(text), width, height};
}

// The pictures of a row side by side, the rows below each other, as nested documents.
std::string arranged(const std::vector<std::vector<Picture>>& rows) {
  double width = 0, height = 0;
  for (const auto& row : rows) {
    double sum = 0, tallest = 0;
    for (const Picture& each : row) {
      sum += each.width;
      tallest = std::max(tallest, each.height);
    }
    width = std::max(width, sum);
    height += tallest;
  }
  std::string text;
  const svg::Out out = std::back_inserter(text);
  svg::open_document(out, width, height, {"", ""});
  double top = 0;
  for (const auto& row : rows) {
    double left = 0, tallest = 0;
    for (const Picture& each : row) {
      fmt::format_to(out, "<svg x=\"{:g}\" y=\"{:g}\" {}", left, top, std::string_view(each.svg).substr(5));
      left += each.width;
      tallest = std::max(tallest, each.height);
    }
    top += tallest;
  }
  text += "</svg>\n";
  return text;
}

}  // namespace

ImageShape image_shape(const std::string& text) {
  const std::size_t cross = text.find('x');
  const Index height = Index(read_integer(text.substr(0, cross)).value_or(0));
  const Index width = cross == std::string::npos ? 0 : Index(read_integer(text.substr(cross + 1)).value_or(0));
  if (height < 1 || width < 1)
    throw Error(ErrorCode::bad_option,
                fmt::format("recluster.image_shape: cannot read '{}'; expected height and width such as 32x30", text));
  return {height, width};
}

void require_pixels(const std::string& text, Index columns) {
  const auto [height, width] = image_shape(text);
  if (height > columns || width > columns || height * width != columns)
    throw Error(ErrorCode::bad_option,
                fmt::format("recluster.image_shape is {}, {} pixels, but the data has {} columns", text,
                            double(height) * double(width), columns));
}

RowMatrix cluster_means(const Dataset& data, const Labels& labels) {
  RowMatrix means = RowMatrix::Zero(labels.classes(), data.cols());
  for (Index i = 0; i < data.rows(); ++i) {
    auto row = means.row(labels.of[std::size_t(i)]);
    if (data.sparse())
      row += Eigen::RowVectorXd(std::get<SparseRows>(data.samples).row(i));
    else
      row += data.dense().row(i);
  }
  const std::vector<Index> counts = labels.counts();
  for (Index c = 0; c < means.rows(); ++c) means.row(c) /= double(std::max<Index>(1, counts[std::size_t(c)]));
  return means;
}

std::string view_svg(const View& found, const RowMatrix& means, ImageShape shape) {
  const Labels& labels = found.clusters->labels;
  const auto scatter = [&](const Labels& colours, const char* title, const std::string& subtitle) {
    return sized(scatter_svg(projection::embedding_plot(found, colours, title, subtitle)));
  };
  std::vector<std::vector<Picture>> rows(1);
  rows[0].push_back(
      scatter(found.given.front(), "Given clustering", fmt::format("{} clusters", found.given.front().classes())));
  rows[0].push_back(scatter(
      labels, "Found clustering",
      fmt::format("NMI with the given one {:.3f}, {}", found.solved.worst_novelty(), kernel_text(found.kernel))));
  if (means.size() > 0) rows.push_back({image_row(means, shape, labels)});
  return arranged(rows);
}

std::string tuning_svg(const Tuning& tuning) {
  std::map<Index, std::map<double, double>> best;  // by dimension, by width
  for (const TuneStep& step : tuning.path) {
    auto& line = best[step.dimension];
    const auto [at, fresh] = line.try_emplace(step.multiple, step.score);
    if (!fresh) at->second = std::max(at->second, step.score);
  }
  LinePlot plot;
  plot.title = "Settings that were tried";
  plot.subtitle = tuning.reason;
  plot.x_label = "width of the kernel, in medians of the distances";
  plot.y_label = "score";
  plot.x_scale = AxisScale::log10;
  for (const auto& [q, line] : best) {
    LineSeries series{fmt::format("{} dimension{}", q, q == 1 ? "" : "s"), {}, {}, {}};
    for (const auto& [multiple, score] : line) {
      series.x.push_back(multiple);
      series.y.push_back(score);
    }
    plot.series.push_back(std::move(series));
  }
  return line_svg(plot);
}

}  // namespace ritz::recluster
