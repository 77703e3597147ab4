// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "cli/flags.hpp"
#include "cli/reduce_text.hpp"
#include "cli/session.hpp"
#include "tasks/recluster/json.hpp"
#include "tasks/recluster/plot.hpp"

namespace ritz::cli {

namespace {

struct ViewOptions {
  static constexpr std::string_view name = "views";
  Index views = 1;
  std::string image_shape;
  static constexpr auto fields() {
    return std::tuple{field("views", &ViewOptions::views, 1, 1000,
                            "clusterings to find, each new against all before; files of the second get the ending .2"),
                      field("image_shape", &ViewOptions::image_shape,
                            "samples are images of HEIGHTxWIDTH pixels: the plot shows the mean of each cluster")};
  }
};

struct Flags {
  RunOptions run;
  DataFlags data;
  std::vector<std::string> given;  // files
  std::string truth;
  ReclusterOptions recluster;
  kdac::Options kdac;
  TuneOptions tune;
  ViewOptions views;
  std::string json;  // empty: none, "-": standard output
  std::string projection, embedding, labels, model, plot, trace, path, path_plot;
};

std::string sizes_text(const Labels& labels) { return fmt::format("{}", fmt::join(labels.counts(), ", ")); }

std::string summary_text(const Reclustering& found) {
  const Reduction& reduction = found.reduction;
  const Summary& summary = reduction.fit.summary;
  const Index q = reduction.fit.W.cols(), k = reduction.clusters->labels.classes();
  std::string text = fmt::format("{} samples, {} features, {} clusters unlike the given ones, in {} dimension{}\n",
                                 reduction.n, reduction.d, k, q, q == 1 ? "" : "s");
  const auto line = [&](std::string_view name, const std::string& value) {
    text += fmt::format("  {:<12} {}\n", name, value);
  };
  line("kernel", fmt::format("{}, lambda {}", kernel_text(reduction.kernel), number_text(found.lambda)));
  line(summary.converged() ? "converged" : "NOT CONVERGED",
       fmt::format("{} rounds, {} (residual {:.1e})", summary.iterations, summary.message,
                   reduction.fit.certificate.first_order));
  line("clusters",
       fmt::format("sizes {}; {}", sizes_text(reduction.clusters->labels), found.reduction.clusters->labelled_by));
  line("quality",
       fmt::format("HSIC(XW, U) {:.6g} of at most {}, spectral gap {:.3g} ({:.6g} against {:.6g})", found.fit.quality,
                   k, found.fit.gap, found.spectrum[std::size_t(k - 1)], found.spectrum.back()));
  for (std::size_t i = 0; i < found.given.size(); ++i)
    line("novelty",
         fmt::format("NMI {:.3f} with given clustering {} (0: new, 1: the same)", found.fit.novelty[i], i + 1));
  line("cost", fmt::format("{:.8g} = {} * {:.6g} - {:.6g}", found.fit.cost, number_text(found.lambda),
                           found.fit.hsic_given, found.fit.quality));
  if (const auto tuned = summary.used.find("tune"); tuned != summary.used.end()) line("tuned", tuned->second);
  if (std::isfinite(found.nmi)) line("NMI, truth", fmt::format("{:.3f}", found.nmi));
  for (const Alternative& other : found.alternatives) {
    const TuneStep& step = other.candidate.step;
    line(
        "candidate",
        fmt::format("another one: sizes {}, quality {:.4g}, separation {:.3g}, novelty {:.3f}, score {:.3g}{}; --views "
                    "{} fits it",
                    sizes_text(other.labels), step.quality, step.separation, other.novelty, step.score,
                    std::isfinite(other.nmi) ? fmt::format(", NMI {:.3f} with the truth", other.nmi) : "",
                    &other - found.alternatives.data() + 2));
  }
  line("certificate", certificate_text(reduction.fit.certificate));
  for (const std::string& note : summary.notes) line("note", note);
  text += "strongest features per axis (loading, name)\n";
  for (Index a = 0; a < std::min<Index>(q, 10); ++a) {
    text += fmt::format("  axis {}  ", a + 1);
    for (const Index i : strongest_features(reduction.fit.W.col(a), kLoadingsShown))
      text += fmt::format(" {:+.2f} {} ", reduction.fit.W(i, a), reduction.feature_names[std::size_t(i)]);
    text += '\n';
  }
  if (q > 10) text += fmt::format("  … {} more axes, see --save-projection\n", q - 10);
  double seconds = 0;
  for (const auto& [phase, part] : summary.seconds) seconds += part;
  line("time", fmt::format("{:.2f} s", seconds));
  return text;
}

std::vector<std::string> axis_names(Index q) {
  std::vector<std::string> names;
  for (Index a = 1; a <= q; ++a) names.push_back(fmt::format("axis{}", a));
  return names;
}

// labels.txt, labels.2.txt, …
std::string numbered(const std::string& path, Index view) {
  if (view == 1 || path.empty() || path == "-") return path;
  const std::size_t slash = path.find_last_of('/'), dot = path.find('.', slash == std::string::npos ? 1 : slash + 2);
  const std::string number = "." + std::to_string(view);
  return dot == std::string::npos ? path + number : path.substr(0, dot) + number + path.substr(dot);
}

Outputs outputs_of(const Flags& flags, Index view) {
  Outputs all = {{"projection", flags.projection},
                 {"embedding", flags.embedding},
                 {"labels", flags.labels},
                 {"model", flags.model},
                 {"plot", flags.plot},
                 {"trace", flags.trace},
                 {"path", flags.path},
                 {"path plot", flags.path_plot}};
  for (auto& [kind, path] : all) path = numbered(path, view);
  return all;
}

void write_path(const std::string& path, const Tuning& tuning) {
  RowMatrix rows(Index(tuning.path.size()), 9);
  for (Index i = 0; i < rows.rows(); ++i) {
    const TuneStep& step = tuning.path[std::size_t(i)];
    rows.row(i) << step.sigma, step.multiple, step.lambda, double(step.dimension), step.quality, step.separation,
        step.novelty, step.stability, step.score;
  }
  write_matrix(path, rows,
               {"sigma", "multiple", "lambda", "dimension", "quality", "separation", "novelty", "stability", "score"});
}

void write_files(const Flags& flags, const Reclustering& found, Index view, const Dataset& data, ImageShape shape) {
  const Reduction& reduction = found.reduction;
  const auto text = [](const std::string& path, const std::string& content) {
    write_atomically(path, [&](std::ostream& out) { out << content; });
  };
  for (const auto& [kind, path] : outputs_of(flags, view)) {
    if (path.empty()) continue;
    if (kind == "projection") write_matrix(path, RowMatrix(reduction.fit.W));
    if (kind == "embedding") write_matrix(path, reduction.embedding, axis_names(reduction.embedding.cols()));
    if (kind == "labels") write_labels(path, reduction.clusters->labels);
    if (kind == "model") save_model(path, to_model(found, flags.recluster, flags.kdac));
    if (kind == "plot")
      text(path, reclustering_svg(
                     found, shape.height > 0 ? cluster_means(data, reduction.clusters->labels) : RowMatrix(), shape));
    if (kind == "path" && found.tuning) write_path(path, *found.tuning);
    if (kind == "path plot" && found.tuning) text(path, line_svg(tuning_plot(*found.tuning)));
    if (kind == "trace") write_trace(path, reduction.fit.summary.trace);
  }
}

Labels read_clustering(const std::string& path, const Dataset& data, const RunContext& context) {
  Labels labels = read_labels(path, context);
  if (labels.size() != data.rows())
    throw Error(ErrorCode::bad_shape,
                fmt::format("{} has {} labels, but {} has {} rows", path, labels.size(), data.source, data.rows()));
  return labels;
}

ExitStatus work(Flags& flags) {
  Outputs files = outputs_of(flags, 1);
  for (Index v = 2; v <= flags.views.views; ++v)
    for (const auto& [kind, path] : outputs_of(flags, v))
      if (path != "-") files.emplace_back(kind, path);
  files.emplace_back("json", flags.json);
  require_outputs(files);  // now rather than after hours of work
  if (!flags.tune.tune && (!flags.path.empty() || !flags.path_plot.empty()))
    throw Error(ErrorCode::bad_option, "--save-path and --plot-path show what --tune tried; give --tune");
  if (!flags.views.image_shape.empty() && flags.plot.empty())
    throw Error(ErrorCode::bad_option, "--image-shape says how --plot shows the mean of each cluster; give --plot");
  RunContext context = make_context(flags.run);
  Views found;
  Dataset data;
  ImageShape shape;
  {
    const ProgressLine progress(flags.run, context, flags.kdac.round_tolerance);
    data = read_data(flags.data, context);
    if (!flags.views.image_shape.empty()) shape = image_shape(flags.views.image_shape, data.cols());
    std::vector<Labels> given;
    for (const std::string& path : flags.given) {
      given.push_back(read_clustering(path, data, context));
      if (given.back().classes() < 2)
        throw Error(ErrorCode::bad_data,
                    fmt::format("{}: all {} labels are '{}'; there is nothing to differ from: give at least two "
                                "clusters",
                                path, given.back().size(), given.back().names[0]));
    }
    Labels truth;
    if (!flags.truth.empty()) truth = read_clustering(flags.truth, data, context);
    found = recluster(data, given, truth, flags.views.views, flags.recluster, flags.kdac, flags.tune, context);
  }
  Json json;
  for (std::size_t v = 0; v < found.all.size(); ++v) {
    write_files(flags, found.all[v], Index(v) + 1, data, shape);
    if (flags.views.views > 1) say(flags.run, fmt::format("view {}: ", v + 1));
    say(flags.run, summary_text(found.all[v]));
    Json one = reclustering_json(found.all[v], flags.recluster, flags.kdac);
    Outputs written = outputs_of(flags, Index(v) + 1);
    if (!found.all[v].tuning) std::erase_if(written, [](const auto& file) { return file.first.starts_with("path"); });
    list_outputs(flags.run, written, one);
    if (v == 0)
      json = std::move(one);
    else
      json["views"].push_back(std::move(one));  // beyond the first
  }
  if (!found.ended.empty()) {
    say(flags.run, fmt::format("{}\n", found.ended));
    json["notes"].push_back(found.ended);
  }
  print_json(flags.json, json);
  return interrupted_by_user() ? ExitStatus::interrupted : status_of(found.all.back().reduction.fit.summary);
}

}  // namespace

Verb add_recluster(CLI::App& root) {
  auto flags = std::make_shared<Flags>();
  flags->kdac.clusters = 0;  // asked for
  CLI::App& app = *root.add_subcommand(
      "recluster", "Another clustering of the same samples: good, and different from the given one (KDAC)");
  add_data_flags(app, flags->data, false);
  app.add_option("--given", flags->given, "file with the clustering to differ from, a label a line; may be repeated")
      ->type_name("FILE")
      ->required();
  app.add_option("--truth", flags->truth, "file with labels that the found clusters are only compared with")
      ->type_name("FILE");
  add_fields(app, flags->kdac, {"dimension"});
  add_fields(app, flags->recluster);
  add_fields(app, flags->tune);
  add_fields(app, flags->views);
  add_output(app, "--save-labels", flags->labels, "the clusters found, one a line");
  add_output(app, "--save-projection", flags->projection, "W, a row a feature");
  add_output(app, "--save-embedding", flags->embedding, "the samples in the new space, a row a sample");
  add_output(app, "--save-model", flags->model, "model file for 'ritz transform', 'predict' and 'check'");
  add_output(app, "--save-trace", flags->trace, "objective and movement of every round");
  add_output(app, "--save-path", flags->path, "the settings that --tune tried, with their scores");
  add_output(app, "--plot-path", flags->path_plot, "SVG picture of these scores against the width of the kernel");
  add_output(app, "--plot", flags->plot,
             "SVG picture of the samples in the new subspace, coloured by the given and by the found clusters");
  add_run_flags(app, flags->run, flags->json);
  return [flags] { return work(*flags); };
}

}  // namespace ritz::cli
