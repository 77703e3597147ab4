// SPDX-License-Identifier: MIT
#include "ritz/tasks/isometry.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <ostream>

#include "base/machine.hpp"
#include "cli/flags.hpp"
#include "cli/session.hpp"
#include "report/table.hpp"
#include "ritz/graph/pair_files.hpp"
#include "ritz/linalg/tall_products.hpp"
#include "tasks/isometry/json.hpp"

namespace ritz::cli {

namespace {

struct Flags {
  RunOptions run;
  DataFlags data;
  isometry::Options how;
  IsometryOptions isometry;
  bool distortion_given = false;
  std::vector<double> sweep;  // distortions
  std::string pairs;          // file
  std::string json;           // empty: none, "-": standard output
  std::string projection, embedding, model, plot;
};

std::string comparison_text(const Isometry& found) {
  TextTable table;
  table.columns = {"measurements", "rank", "distortion", "lowest ratio", "highest ratio"};
  if (found.recall > 0) table.columns.push_back(fmt::format("recall of {}", found.recall));
  for (const IsometryRow& row : found.rows) {
    const std::string name = row.name == "ritz"  ? "these"
                             : row.name == "pca" ? "principal components"
                                                 : "random projection";
    table.rows.push_back({name, std::to_string(found.fit.psi.rows()), fmt::format("{:.4f}", row.distortion),
                          fmt::format("{:.4f}", row.lowest), fmt::format("{:.4f}", row.highest)});
    if (found.recall > 0) table.rows.back().push_back(fmt::format("{:.1f} %", 100 * row.recall));
  }
  if (found.recall > 0 && found.recall_queries < found.n)
    table.notes.push_back(fmt::format("recall over {} of the samples, drawn at random", found.recall_queries));
  return table_text(table);
}

std::string bound_text(const isometry::Result& fit) {
  if (!(fit.trace_bound > 0)) return "";
  std::string text =
      fmt::format("tr P >= {:.4f} for every P with this distortion; here {:.4f}", fit.trace_bound, fit.trace);
  if (fit.rank_bound > 1)
    text += fmt::format("; none of rank below {} has a spectral norm as small as this", fit.rank_bound);
  return text;
}

std::string summary_text(const Isometry& found, const isometry::Options& how) {
  const isometry::Result& fit = found.fit;
  std::string text = fmt::format("{} samples, {} features -> {} by {}\n", found.n, found.d,
                                 counted(fit.psi.rows(), "measurement"), TextForm<isometry::Method>::print(how.method));
  const auto line = [&](std::string_view name, const std::string& value) {
    text += fmt::format("  {:<12} {}\n", name, value);
  };
  const std::string pairs = found.pairs.empty() ? fmt::format("all {} pairs", fit.sweep.pairs)
                                                : fmt::format("the {} pairs asked for", fit.sweep.pairs);
  line(fit.reached(how.distortion) ? "kept" : "NOT KEPT",
       fmt::format("{}: squared distances times {:.4f} to {:.4f}, distortion {:.6g} of {:g}", pairs, fit.sweep.lowest,
                   fit.sweep.highest, fit.distortion, how.distortion));
  line("rank", how.rank > 0
                   ? "as asked"
                   : fmt::format("{}, {} tried, {} over the pairs",
                                 how.method == isometry::Method::numax ? "of the smallest trace" : "smallest found",
                                 counted(Index(fit.trials.size()), "rank"), counted(fit.sweeps, "sweep")));
  if (const std::string bound = bound_text(fit); !bound.empty()) line("bound", bound);
  if (!fit.sweep.worst.empty()) {
    const isometry::MeasuredPair& worst = fit.sweep.worst.front();
    line("worst pair", fmt::format("{} and {}: {:.6f}", worst.a, worst.b, worst.ratio));
  }
  if (fit.sweep.coincident > 0)
    line("coincident", fmt::format("{} have no secant", counted(fit.sweep.coincident, "pair")));
  if (!fit.summary.converged()) line("NOT FINISHED", fit.summary.message + ": the best so far");
  for (const std::string& note : fit.summary.notes) line("note", note);
  text += comparison_text(found);
  double seconds = 0;
  for (const char* phase : {"solve", "measure", "judge"})
    if (fit.summary.seconds.contains(phase)) seconds += fit.summary.seconds.at(phase);
  line("time", fmt::format("{:.2f} s", seconds));
  return text;
}

Outputs outputs_of(const Flags& flags) {
  return {
      {"projection", flags.projection}, {"embedding", flags.embedding}, {"model", flags.model}, {"plot", flags.plot}};
}

Json with_files(const Flags& flags, Json json) {
  list_outputs(flags.run, outputs_of(flags), json);
  return json;
}

ExitStatus work_sweep(Flags& flags, const Dataset& data, RunContext& context) {
  if (!flags.projection.empty() || !flags.embedding.empty() || !flags.model.empty() || !flags.pairs.empty() ||
      flags.how.rank > 0)
    throw Error(ErrorCode::bad_option,
                "--sweep asks for the rank at several distortions: --rank, --pairs and --save are for one");
  const RankAgainstDistortion found = sweep_distortions(data, flags.sweep, flags.isometry, flags.how, context);
  TextTable table;
  table.columns = {"distortion", "rank", "principal components", "seconds"};
  Json rows = Json::array();
  for (std::size_t k = 0; k < found.ranks.size(); ++k) {
    table.rows.push_back({number_text(found.distortions[k]), std::to_string(found.ranks[k]),
                          std::to_string(found.pca[k]), fmt::format("{:.2f}", found.seconds[k])});
    rows.push_back({{"distortion", found.distortions[k]},
                    {"rank", found.ranks[k]},
                    {"pca", found.pca[k]},
                    {"seconds", found.seconds[k]}});
  }
  say(flags.run,
      fmt::format("{} samples, {} features: rank against distortion\n", data.rows(), data.cols()) + table_text(table));
  if (!flags.plot.empty())
    write_atomically(flags.plot, [&](std::ostream& out) { out << rank_svg(found, data.rows(), data.cols()); });
  Json json = head_json("isometry", TextForm<isometry::Method>::print(flags.how.method),
                        found.ranks.size() == flags.sweep.size() ? "fine" : "incomplete");
  json["data"] = {{"n", data.rows()}, {"d", data.cols()}, {"hash", data_hash(data)}};
  json["options"] = options_json(flags.how);
  json["options"].update(options_json(flags.isometry));
  json["result"] = {{"sweep", std::move(rows)}};
  json["files"] = Json::object();
  json["peak_memory_bytes"] = peak_memory_bytes();
  print_json(flags.json, with_files(flags, std::move(json)));
  return interrupted_by_user() ? ExitStatus::interrupted : ExitStatus::fine;
}

ExitStatus work(Flags& flags) {
  if (flags.sweep.empty() && !flags.distortion_given)
    throw Error(ErrorCode::bad_option,
                "--distortion is required: how much a squared distance may change, between 0 and 1, such as 0.25");
  Outputs files = outputs_of(flags);
  files.emplace_back("json", flags.json);
  require_outputs(files);  // now rather than after hours of work
  RunContext context = make_context(flags.run);
  Dataset data;
  Isometry found;
  {
    const ProgressLine progress(flags.run, context, flags.how.distortion);
    data = read_data(flags.data, context);
    if (!flags.sweep.empty()) return work_sweep(flags, data, context);
    std::vector<isometry::WeightedPair> pairs;
    if (!flags.pairs.empty())
      for (const WeightedEdge& edge : read_weighted_pairs(flags.pairs, data.rows(), context))
        pairs.push_back({edge.i, edge.j, edge.weight});
    found = keep_distances(data, pairs, flags.isometry, flags.how, context);
  }
  if (!flags.projection.empty()) write_matrix(flags.projection, RowMatrix(found.fit.psi));
  const ModelFile model = to_model(found, flags.isometry, flags.how);
  if (!flags.embedding.empty()) write_matrix(flags.embedding, measure_samples(model, data, context.uninterrupted()));
  if (!flags.model.empty()) save_model(flags.model, model);
  if (!flags.plot.empty())
    write_atomically(flags.plot, [&](std::ostream& out) { out << ratio_svg(found, flags.how.distortion); });
  say(flags.run, summary_text(found, flags.how));
  print_json(flags.json, with_files(flags, isometry_json(found, flags.isometry, flags.how)));
  return interrupted_by_user() ? ExitStatus::interrupted : status_of(found.fit.summary);
}

}  // namespace

Verb add_isometry(CLI::App& root) {
  auto flags = std::make_shared<Flags>();
  CLI::App& app = *root.add_subcommand(
      "isometry", "The fewest linear measurements that keep all distances (NuMax, FroMax, NILE-Pro, and better)");
  add_data_flags(app, flags->data, false);
  add_fields(app, flags->how);
  add_fields(app, flags->isometry);
  app.add_option("--pairs", flags->pairs,
                 "file with rows i,j or i,j,weight, from 0: the pairs that matter; one of weight w "
                 "is kept within distortion / w")
      ->type_name("FILE");
  app.add_option_function<std::string>(
         "--sweep",
         [flags](const std::string& text) {
           const auto values = TextForm<std::vector<double>>::parse(text);
           if (!values)
             throw Error(ErrorCode::bad_option, fmt::format("--sweep: cannot read '{}'; expected {}", text,
                                                            TextForm<std::vector<double>>::kind()));
           flags->sweep = *values;
         },
         "distortions, with commas between them: the rank at each, beside that of principal components")
      ->type_name("LIST");
  add_output(app, "--save-projection", flags->projection, "the measurements, one a row: y = P x");
  add_output(app, "--save-embedding", flags->embedding, "the measured samples, a row each");
  add_output(app, "--save-model", flags->model, "model file for 'ritz transform' and 'check'");
  add_output(app, "--plot", flags->plot,
             "SVG picture: histogram of the ratios, or rank against distortion of a --sweep");
  add_run_flags(app, flags->run, flags->json);
  return [flags, &app] {
    flags->distortion_given = app.get_option("--distortion")->count() > 0;
    return work(*flags);
  };
}

}  // namespace ritz::cli
