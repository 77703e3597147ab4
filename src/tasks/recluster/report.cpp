// SPDX-License-Identifier: MIT
// What is said of a clustering: text, JSON and pictures, and what a fit will take.
#include <iterator>

#include "report/plot/line_plot.hpp"
#include "report/plot/svg.hpp"
#include "tasks/forecast_time.hpp"
#include "tasks/projection/null.hpp"
#include "tasks/projection/prepare.hpp"
#include "tasks/projection/report.hpp"
#include "tasks/recluster/task.hpp"

namespace ritz::recluster {

namespace {

Index asked_clusters(const ReclusterOptions& options) {  // for forecasts: a usual number where it is open
  return options.clusters.automatic() ? 8 : options.clusters > 0 ? Index(options.clusters) : options.how.clusters;
}

void add_candidate(Lines& lines, const Alternative& other, std::size_t number) {
  const TuneStep& step = other.candidate.step;
  lines.add("another", "clusters of {} samples, overlap {:.3f}{}: recluster.views {} fits it",
            sizes_text(other.labels.counts()), other.novelty,
            std::isfinite(other.nmi) ? fmt::format(", {:.3f} with the truth", other.nmi) : "", number);
  lines.detail("another", "quality {:.4g}, separation {:.3g}, score {:.3g}", step.quality, step.separation, step.score);
}

void add_view(Lines& lines, const View& found) {
  constexpr std::size_t kOthersShown = 2;
  const Summary& summary = found.fit.summary;
  const kdac::Result& solved = found.solved;
  const Index k = found.clusters->labels.classes();
  lines.raw("{}, {}, {} unlike the given ones, in {}\n", counted(found.n, "sample"), counted(found.d, "feature"),
            counted(k, "cluster"), counted(found.fit.W.cols(), "dimension"));
  lines.ending(summary);
  std::string overlap;
  for (std::size_t i = 0; i < found.given.size(); ++i)
    overlap += fmt::format("{}{:.3f}", i == 0 ? "" : ", ", solved.novelty[i]);
  lines.add("found", "{}{} of {} samples; overlap with the given {} (NMI; 0: new, 1: the same)",
            found.degenerate.empty() ? "" : "DEGENERATE: ", counted(k, "cluster"),
            sizes_text(found.clusters->labels.counts()), overlap);
  if (std::isfinite(found.nmi)) lines.add("truth", "agreement {:.3f} (NMI, 1 is perfect)", found.nmi);
  projection::add_axes(lines, found, ReclusterTask::verb);
  for (std::size_t i = 0; i < std::min(kOthersShown, found.alternatives.size()); ++i)
    add_candidate(lines, found.alternatives[i], i + 2);
  lines.add("how sure", "{}; quality {:.4g}{}, separation {:.3g}", projection::sureness_text(found, "round"),
            solved.quality, solved.by_degree ? fmt::format(" of at most {}", k) : " (unbounded without degrees)",
            found.separation);
  if (const auto& null = found.null; !null.drawn.empty())
    lines.add("chance", projection::chance_text(null, "the columns", "clusters as clear"));
  if (found.tuning)
    lines.add("next", "look at it: recluster.plot FILE, recluster.plot_path FILE; compare the axes with what you know");
  else
    lines.add("next", "recluster.tune looks for the width and dimension by itself; recluster.plot FILE draws it");
  lines.detail("kernel", "{}, lambda {:.4g}", projection::short_kernel_text(found.kernel), found.lambda)
      .detail("clusters", found.clusters->labelled_by)
      .detail("spectrum", "gap {:.3g} ({:.6g} against {:.6g})", solved.gap, found.spectrum[std::size_t(k - 1)],
              found.spectrum.back())
      .detail("cost", "{:.8g} = {:.6g} * {:.6g} - {:.6g}", solved.cost, found.lambda, solved.hsic_given,
              solved.quality);
  if (const auto tuned = summary.used.find("tune"); tuned != summary.used.end()) lines.detail("tuned", tuned->second);
  lines.detail("certificate", "{}, residual {:.1e}", projection::certificate_text(found.fit.certificate),
               found.fit.certificate.first_order);
  lines.notes(summary.notes);
}

Json step_json(const TuneStep& step) {
  return {{"sigma", step.sigma},     {"multiple", step.multiple},
          {"lambda", step.lambda},   {"dimension", step.dimension},
          {"quality", step.quality}, {"separation", step.separation},
          {"novelty", step.novelty}, {"stability", step.stability},
          {"score", step.score},     {"kind", step.kind}};
}

Json given_json(const View& found) {
  Json given = Json::array();
  for (std::size_t i = 0; i < found.given.size(); ++i)
    given.push_back(
        {{"clusters", found.given[i].names}, {"sizes", found.given[i].counts()}, {"novelty", found.solved.novelty[i]}});
  return given;
}

Json tuning_json(const Tuning& tuning) {
  Json path = Json::array();
  for (const TuneStep& step : tuning.path) path.push_back(step_json(step));
  return {{"chosen", tuning.chosen}, {"reason", tuning.reason}, {"path", std::move(path)}};
}

Json alternatives_json(const std::vector<Alternative>& all) {
  Json json = Json::array();
  for (const Alternative& other : all) {
    Json one = step_json(other.candidate.step);
    one["novelty"] = other.novelty;
    one["nmi"] = other.nmi;
    one["sizes"] = other.labels.counts();
    json.push_back(std::move(one));
  }
  return json;
}

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
  constexpr double kBetween = 24, kNameHeight = 22, kSmallest = 96;
  const double pixel = std::max(4.0, std::floor(kSmallest / double(shape.width)));  // small images are enlarged
  const double low = means.minCoeff(), range = std::max(means.maxCoeff() - low, 1e-300);
  const double side = pixel * double(shape.width);
  const svg::Heading heading{"mean image of each found cluster", ""};
  const double width =
      std::max(2 * svg::kMargin + double(means.rows()) * side + double(std::max<Index>(0, means.rows() - 1)) * kBetween,
               heading.width());
  const double height = 2 * svg::kMargin + 30 + pixel * double(shape.height) + kNameHeight;
  const std::vector<Index> counts = labels.counts();
  std::string text;
  const svg::Out out = std::back_inserter(text);
  svg::open_document(out, width, height, heading);
  for (Index c = 0; c < means.rows(); ++c) {
    const double left = svg::kMargin + double(c) * (side + kBetween), top = svg::kMargin + 30;
    fmt::format_to(out, "<g class=\"image\" shape-rendering=\"crispEdges\">\n");
    for (Index i = 0; i < shape.height; ++i)
      for (Index j = 0; j < shape.width; ++j) {
        const int grey = int(std::lround(255 * (means(c, i * shape.width + j) - low) / range));
        fmt::format_to(out, R"(<rect x="{:g}" y="{:g}" width="{:g}" height="{:g}" fill="#{:02x}{:02x}{:02x}"/>)",
                       left + pixel * double(j), top + pixel * double(i), pixel, pixel, grey, grey, grey);
      }
    fmt::format_to(out, "</g>\n");
    svg::put_text(out, left, top + pixel * double(shape.height) + 16,
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

// `classes`: of all given clusterings. Every view adds its clusters to what the next one must differ from.
double bytes_of(double data_bytes, PairSizes sizes, Index classes, const ReclusterOptions& options,
                const RunContext& context) {
  const kdac::Options& how = options.how;
  sizes.gamma_columns = classes + how.clusters * options.views;
  sizes.by_class = false;
  return projection::fit_bytes(projection::samples_held(sizes.sparse, options.scale) * data_bytes, sizes,
                               asked_kernel(options), context, how.accuracy) +
         projection::embedding_bytes(sizes.n, how.clusters);
}

// Some dozens of rounds with a few steps each; the trials of a search are on few samples.
constexpr double kRoundsAsFits = 10;

Index dimension_of(const ReclusterOptions& options, Index columns) {
  return options.dim.value > 0 ? options.dim.value : std::min(asked_clusters(options), columns);
}

}  // namespace

Lines ReclusterTask::text(const F& fit) {
  const ReclusterResult& found = fit.result;
  Lines lines;
  for (std::size_t v = 0; v < found.views.size(); ++v) {
    if (fit.options.views > 1) lines.raw("view {}: ", v + 1);
    add_view(lines, found.views[v]);
  }
  if (!found.ended.empty()) lines.add("note", found.ended);
  return lines;
}

Json view_json(const View& found, const ReclusterOptions& options) {
  Facts facts{ReclusterTask::verb, ReclusterTask::method};
  facts.certificate = certificate_json(found.fit.certificate);
  facts.options = options_json(options);
  facts.options["clusters"] = found.clusters->labels.classes();
  if (const auto columns = found.fit.summary.used.find("columns"); columns != found.fit.summary.used.end())
    facts.options["scale"] = columns->second;
  facts.options["dim"] = found.fit.W.cols();
  facts.options["kernel"] = kernel_text(found.kernel);
  facts.options["lambda"] = found.lambda;
  facts.given = {{"clusters", TextForm<ClusterCount>::print(options.clusters)},
                 {"scale", TextForm<Scaling>::print(options.scale)},
                 {"dim", TextForm<Dimension>::print(options.dim)},
                 {"kernel", options.kernel},
                 {"sigma", options.sigma},
                 {"lambda", TextForm<Lambda>::print(options.lambda)}};
  facts.data = projection::data_json(found);
  Json spectrum = Json::array();
  for (const double value : found.spectrum) spectrum.push_back(value);
  facts.result = {{"dimension", found.fit.W.cols()},
                  {"cost", found.solved.cost},
                  {"quality", found.solved.quality},
                  {"hsic_given", found.solved.hsic_given},
                  {"novelty", found.solved.worst_novelty()},
                  {"nmi", found.nmi},
                  {"sizes", found.clusters->labels.counts()},
                  {"gap", found.solved.gap},
                  {"separation", found.separation},
                  {"spectrum", std::move(spectrum)},
                  {"degenerate", found.degenerate},
                  {"labelled_by", found.clusters->labelled_by},
                  {"eigenvalues", vector_json(found.fit.certificate.eigenvalues)},
                  {"start_objective", found.fit.start_objective},
                  {"given", given_json(found)},
                  {"top_loadings", projection::loadings_json(found)}};
  if (!found.null.drawn.empty()) facts.result["null"] = projection::null_json(found.null, "clarity");
  if (found.tuning) {
    facts.result["alternatives"] = alternatives_json(found.alternatives);
    facts.result["tuning"] = tuning_json(*found.tuning);
  }
  return envelope(found.fit.summary, std::move(facts));
}

Json ReclusterTask::json(const F& fit) {
  const ReclusterResult& found = fit.result;
  Json json = view_json(found.views.front(), fit.options);
  for (std::size_t v = 1; v < found.views.size(); ++v)  // beyond the first
    json["views"].push_back(view_json(found.views[v], fit.options));
  if (!found.ended.empty()) json["notes"].push_back(found.ended);
  return json;
}

ImageShape image_shape(const std::string& text) {
  const std::size_t cross = text.find('x');
  const Index height = Index(read_integer(text.substr(0, cross)).value_or(0));
  const Index width = cross == std::string::npos ? 0 : Index(read_integer(text.substr(cross + 1)).value_or(0));
  if (height < 1 || width < 1)
    fail(ErrorCode::bad_option, "recluster.image_shape: cannot read '{}'; expected height and width such as 32x30",
         text);
  return {height, width};
}

void require_pixels(const std::string& text, Index columns) {
  const auto [height, width] = image_shape(text);
  if (height > columns || width > columns || height * width != columns)
    fail(ErrorCode::bad_option, "recluster.image_shape is {}, {} pixels, but the data has {} columns", text,
         double(height) * double(width), columns);
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

std::string view_svg(const View& found, const RowMatrix& means, ImageShape shape, const std::vector<std::string>& ids) {
  const Labels& labels = found.clusters->labels;
  const auto scatter = [&](const Labels& colours, const char* title, const std::string& subtitle) {
    ScatterPlot plot = projection::embedding_plot(found, colours, title, subtitle);
    plot.point_names = ids;
    return sized(scatter_svg(plot));
  };
  std::vector<std::vector<Picture>> rows(1);
  rows[0].push_back(
      scatter(found.given.front(), "Given clustering", fmt::format("{} clusters", found.given.front().classes())));
  rows[0].push_back(scatter(labels, "Found clustering",
                            fmt::format("overlap with the given one {:.3f} (0: new)", found.solved.worst_novelty())));
  if (means.size() > 0) rows.push_back({image_row(means, shape, labels)});
  return arranged(rows);
}

std::string tuning_svg(const Tuning& tuning) {
  std::map<Index, std::map<double, double>> best;  // by dimension, by width: at first sight
  LineSeries finals{"with stability", {}, {}, {}, false, "#8C8C8C"}, chosen{"chosen", {}, {}, {}, false, "#111111"};
  for (const TuneStep& step : tuning.path) {
    if (std::isfinite(step.stability)) {  // its score counts what resamples say
      finals.add(step.multiple, step.score);
      continue;
    }
    auto& line = best[step.dimension];
    const auto [at, fresh] = line.try_emplace(step.multiple, step.score);
    if (!fresh) at->second = std::max(at->second, step.score);
  }
  LinePlot plot;
  plot.title = "Settings that were tried";
  if (tuning.chosen < tuning.path.size()) {
    const TuneStep& step = tuning.path[tuning.chosen];
    chosen.add(step.multiple, step.score);
    plot.subtitle =
        fmt::format("chosen: {:.3g} medians, {}, score {:.3g} (separation {:.3g}, stability {:.3g})", step.multiple,
                    counted(step.dimension, "dimension"), step.score, step.separation, step.stability);
  }
  plot.x_label = "width of the kernel, in medians of the distances";
  plot.y_label = "score";
  plot.x_scale = AxisScale::log10;
  for (const auto& [q, line] : best) {
    LineSeries series{counted(q, "dimension"), {}, {}, {}};
    for (const auto& [multiple, score] : line) series.add(multiple, score);
    plot.series.push_back(std::move(series));
  }
  plot.series.push_back(std::move(finals));
  plot.series.push_back(std::move(chosen));
  return line_svg(plot);
}

double forecast(const Dataset& data, const Given& given, const ReclusterOptions& options, const RunContext& context) {
  Index classes = 0;
  for (const Labels& labels : given.clusterings) classes += labels.classes();
  const PairSizes sizes{data.rows(), data.cols(), dimension_of(options, data.cols()), 0, false, data.sparse()};
  return bytes_of(data_bytes(data), sizes, classes, options, context);
}

ForecastReport ReclusterTask::forecast(const ReclusterSizes& asked, const ReclusterOptions& options,
                                       const Dataset* data, const RunContext& context) {
  SampleSizes samples = asked.samples;
  samples.take(data);
  if (asked_clusters(options) == 0)
    fail(ErrorCode::bad_option, "say how many clusters to look for: recluster.clusters K");
  PairSizes sizes = projection::forecast_sizes(samples, asked_clusters(options) + 1, options.dim, verb, data);
  sizes.gamma_columns = asked_clusters(options) + asked.classes;
  sizes.by_class = false;
  const auto probe = [&](Index rows, RunContext& inner) {
    Dataset some = probe_samples(rows, samples.columns, asked.classes, data);
    const Given given{{some.labels}};
    fit(some, given, options, inner);
  };
  ForecastReport report =
      projection::forecast_report(sizes, asked_kernel(options), kRoundsAsFits * double(options.views), probe, context);
  report.bytes = bytes_of(samples.bytes(data), sizes, asked.classes, options, context) +
                 (sizes.sparse ? 0.0 : projection::frame_bytes(samples));
  report.headline = fmt::format("recluster {} x {}, {} clusters in {}", sizes.n, samples.columns,
                                asked_clusters(options), counted(sizes.q, "dimension"));
  report.data = {{"n", sizes.n}, {"d", samples.columns}, {"clusters", asked_clusters(options)}};
  return report;
}

}  // namespace ritz::recluster
