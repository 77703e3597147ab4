// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <ostream>

#include "cli/flags.hpp"
#include "cli/session.hpp"
#include "report/table.hpp"
#include "tasks/center/json.hpp"

namespace ritz::cli {

namespace {

struct Flags {
  RunOptions run;
  std::vector<std::string> files;
  std::string dims;
  SubspaceOptions reading;
  CenterOptions center;
  center::Options how;
  std::string json;  // empty: none, "-": standard output
  std::string basis, distances, model, trace, plot;
};

std::string orders_text(const CenterFit& found) {
  const center::Orders& orders = *found.orders;
  TextTable table;
  table.columns = {"k", "hybrid", "proposed", "santamaria", "radius", "gap"};
  for (std::size_t k = 0; k < orders.of.size(); ++k) {
    const center::Order& each = orders.of[k];
    const auto marked = [&](double value, Index best) {
      return fmt::format("{:.4f}{}", value, Index(k) == best ? " *" : "");
    };
    table.rows.push_back({std::to_string(k), marked(each.hybrid, orders.hybrid), marked(each.proposed, orders.proposed),
                          marked(each.santamaria, orders.santamaria), fmt::format("{:.6g}", each.objective),
                          k == 0 ? "" : fmt::format("{:.1e}", std::max(0.0, each.gap))});
  }
  table.notes = {fmt::format("marked: the least cost; the elbow of the singular values is at {}", orders.elbow)};
  return table_text(table);
}

std::string some(const std::vector<Index>& of, const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 6;
  std::string text;
  for (std::size_t a = 0; a < std::min(kShown, of.size()); ++a)
    text += fmt::format("{}{}", a == 0 ? "" : ", ", names[std::size_t(of[a])]);
  if (of.size() > kShown) text += ", ...";
  return text;
}

std::string summary_text(const CenterFit& found, const CenterOptions& options) {
  const center::Result& fit = found.fit;
  const Summary& summary = fit.summary;
  std::string text = fmt::format(
      "{} of {} in R^{} -> {}\n", counted(found.subspaces, "subspace"),
      found.smallest == found.largest ? counted(found.largest, "dimension")
                                      : fmt::format("{} to {} dimensions", found.smallest, found.largest),
      found.n,
      found.order == 0 ? "nothing in common" : fmt::format("a centre of {}", counted(found.order, "dimension")));
  const auto line = [&](std::string_view name, const std::string& value) {
    text += fmt::format("  {:<12} {}\n", name, value);
  };
  if (found.orders)
    line("order", fmt::format("{} by the rule {}; proposed {}, hybrid {}, santamaria {}, elbow {}", found.order,
                              TextForm<OrderRule>::print(options.rule), found.orders->proposed, found.orders->hybrid,
                              found.orders->santamaria, found.orders->elbow));
  if (found.order > 0) {
    line(summary.converged() ? "converged" : "NOT CONVERGED",
         fmt::format("{}, {}, {}", counted(summary.iterations, "round"), counted(fit.evaluations, "eigendecomposition"),
                     summary.message));
    line("radius", fmt::format("{:.12g} (squared chordal distance of the farthest)", fit.objective));
    line("certificate", fmt::format("the least radius lies in [{:.12g}, {:.12g}]: gap {:.1e}", fit.dual, fit.objective,
                                    std::max(0.0, fit.gap)));
    const std::vector<Index> support = fit.support();
    line("support",
         fmt::format("{} with weight: {}", counted(Index(support.size()), "subspace"), some(support, found.names)));
    if (found.subspaces >= kFewestForOutliers)
      line("outliers", found.outliers.of.empty()
                           ? "none"
                           : fmt::format("{}: {}", found.outliers.of.size(), some(found.outliers.of, found.names)));
  }
  for (const std::string& note : summary.notes) line("note", note);
  if (found.orders) text += orders_text(found);
  double seconds = 0;
  for (const auto& [phase, part] : summary.seconds) seconds += part;
  line("time", fmt::format("{:.2f} s", seconds));
  return text;
}

Outputs outputs_of(const Flags& flags) {
  return {{"center", flags.basis},
          {"distances", flags.distances},
          {"model", flags.model},
          {"trace", flags.trace},
          {"plot", flags.plot}};
}

void write_distances(std::ostream& out, const CenterFit& found) {
  out << "name,distance,weight\n";
  for (Index i = 0; i < found.subspaces; ++i) {
    std::string name = found.names[std::size_t(i)];
    if (name.find_first_of(",\"\n") != std::string::npos) {
      std::string quoted = "\"";
      for (const char c : name) quoted += c == '"' ? "\"\"" : std::string(1, c);
      name = quoted + '"';
    }
    out << name << ',' << number_text(found.fit.distances(i)) << ',' << number_text(found.fit.weights(i)) << '\n';
  }
}

void write_files(const Flags& flags, const CenterFit& found, const Subspaces& subspaces) {
  for (const auto& [kind, path] : outputs_of(flags)) {
    if (path.empty()) continue;
    if (kind == "center") write_matrix(path, RowMatrix(found.fit.U));
    if (kind == "distances") write_atomically(path, [&](std::ostream& out) { write_distances(out, found); });
    if (kind == "model") save_model(path, to_model(found, subspaces, flags.center, flags.reading, flags.how));
    if (kind == "trace") write_trace(path, found.fit.summary.trace);
    if (kind == "plot")
      write_atomically(path, [&](std::ostream& out) { out << line_svg(center_plot(found, flags.center)); });
  }
}

ExitStatus work(Flags& flags) {
  Outputs files = outputs_of(flags);
  files.emplace_back("json", flags.json);
  require_outputs(files);  // now rather than after hours of work
  RunContext context = make_context(flags.run);
  Subspaces subspaces;
  CenterFit found;
  {
    const ProgressLine progress(flags.run, context, flags.how.tolerance);
    subspaces = read_subspaces(flags.files, flags.dims, {}, flags.reading, context);
    found = find_center(subspaces, flags.center, flags.how, context);
  }
  if (found.order == 0 && !flags.basis.empty()) {
    found.fit.summary.notes.push_back("no centre is written: it has no dimension");
    flags.basis.clear();
  }
  if (flags.trace != "" && found.fit.summary.trace.columns.empty()) flags.trace.clear();
  write_files(flags, found, subspaces);
  say(flags.run, summary_text(found, flags.center));
  Json json = center_json(found, flags.center, flags.reading, flags.how);
  list_outputs(flags.run, outputs_of(flags), json);
  print_json(flags.json, json);
  return interrupted_by_user() ? ExitStatus::interrupted : status_of(found.fit.summary);
}

}  // namespace

Verb add_center(CLI::App& root) {
  auto flags = std::make_shared<Flags>();
  CLI::App& app = *root.add_subcommand(
      "center", "What linear subspaces have in common, and in how many dimensions (minimax centre, GMEB)");
  app.add_option("S", flags->files,
                 "a file for each subspace, its basis as columns; or one NPZ or MAT file with many; or one table with "
                 "--dims or --group-column")
      ->required()
      ->type_name("FILE");
  app.add_option("--dims", flags->dims, "file with the dimensions of subspaces whose bases stand side by side in S")
      ->type_name("FILE");
  add_fields(app, flags->center);
  add_fields(app, flags->reading);
  add_fields(app, flags->how);
  add_output(app, "--save-center", flags->basis, "orthonormal basis of the centre, a column each");
  add_output(app, "--save-distances", flags->distances, "name, squared distance and weight of each subspace, as CSV");
  add_output(app, "--save-model", flags->model, "model file for 'ritz transform' and 'check'");
  add_output(app, "--save-trace", flags->trace, "radius, gap and dual value of every round");
  add_output(app, "--plot", flags->plot, "SVG picture: the rules over the order, or the distances with --dim");
  add_run_flags(app, flags->run, flags->json);
  return [flags] { return work(*flags); };
}

}  // namespace ritz::cli
