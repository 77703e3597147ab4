// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "app/recluster_json.hpp"
#include "cli/flags.hpp"
#include "cli/reduce_text.hpp"
#include "cli/session.hpp"
#include "ritz/app/recluster.hpp"
#include "ritz/app/scatter_plot.hpp"

namespace ritz::cli {

namespace {

struct Flags {
  RunOptions run;
  DataFlags data;
  std::vector<std::string> given;  // files
  std::string truth;
  ReclusterOptions recluster;
  kdac::Options kdac;
  std::string json;  // empty: none, "-": standard output
  std::string projection, embedding, labels, model, plot, trace;
};

std::string sizes_text(const Labels& labels) {
  std::string sizes;
  for (const Index count : labels.counts()) sizes += (sizes.empty() ? "" : ", ") + std::to_string(count);
  return sizes;
}

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
  if (std::isfinite(found.nmi)) line("NMI, truth", fmt::format("{:.3f}", found.nmi));
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

void write_files(const Flags& flags, const Reclustering& found) {
  const Reduction& reduction = found.reduction;
  if (!flags.projection.empty()) write_matrix(flags.projection, RowMatrix(reduction.fit.W));
  if (!flags.embedding.empty())
    write_matrix(flags.embedding, reduction.embedding, axis_names(reduction.embedding.cols()));
  if (!flags.labels.empty()) write_labels(flags.labels, reduction.clusters->labels);
  if (!flags.model.empty()) save_model(flags.model, to_model(found, flags.recluster, flags.kdac));
  if (!flags.trace.empty()) {
    const Trace& trace = reduction.fit.summary.trace;
    const Eigen::Map<const RowMatrix> rows(trace.values.data(), Index(trace.rows()), Index(trace.columns.size()));
    write_matrix(flags.trace, RowMatrix(rows), trace.columns);
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
  const Outputs files = {{"projection", flags.projection},
                         {"embedding", flags.embedding},
                         {"labels", flags.labels},
                         {"model", flags.model},
                         {"plot", flags.plot},
                         {"trace", flags.trace},
                         {"json", flags.json}};
  require_outputs(files);
  RunContext context = make_context(flags.run);
  Reclustering found;
  {
    const ProgressLine progress(flags.run, context, flags.kdac.round_tolerance);
    Dataset data = read_data(flags.data, context);
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
    found = recluster(data, given, truth, flags.recluster, flags.kdac, context);
  }
  write_files(flags, found);
  say(flags.run, summary_text(found));
  Json json = reclustering_json(found, flags.recluster, flags.kdac);
  for (const auto& [kind, path] : files)
    if (!path.empty() && kind != "json") {
      json["files"][kind] = path;
      if (path != "-") say(flags.run, fmt::format("  wrote {:<12} {}\n", kind, path));
    }
  print_json(flags.json, json);
  return interrupted_by_user() ? ExitStatus::interrupted : status_of(found.reduction.fit.summary);
}

}  // namespace

Verb add_recluster(CLI::App& root) {
  auto flags = std::make_shared<Flags>();
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
  add_output(app, "--save-labels", flags->labels, "the clusters found, one a line");
  add_output(app, "--save-projection", flags->projection, "W, a row a feature");
  add_output(app, "--save-embedding", flags->embedding, "the samples in the new space, a row a sample");
  add_output(app, "--save-model", flags->model, "model file for 'ritz transform', 'predict' and 'check'");
  add_output(app, "--save-trace", flags->trace, "objective and movement of every round");
  add_run_flags(app, flags->run, flags->json);
  return [flags] { return work(*flags); };
}

}  // namespace ritz::cli
