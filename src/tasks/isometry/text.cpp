// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "report/table.hpp"
#include "tasks/isometry/task.hpp"

namespace ritz::isometry {

namespace {

std::string comparison_text(const IsometryResult& found) {
  TextTable table;
  table.columns = {"measurements", "rank", "distortion", "lowest ratio", "highest ratio"};
  if (found.recall > 0) table.columns.push_back(fmt::format("recall of {}", found.recall));
  for (const Compared& row : found.comparison) {
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

std::string sweep_text(const IsometryResult& found) {
  TextTable table;
  table.columns = {"distortion", "rank", "principal components", "seconds"};
  for (const RankAt& each : found.sweep)
    table.rows.push_back({number_text(each.distortion), std::to_string(each.rank), std::to_string(each.principal),
                          fmt::format("{:.2f}", each.seconds)});
  Lines lines;
  lines.raw(fmt::format("{} samples, {} features: rank against distortion\n", found.n, found.d)).raw(table_text(table));
  if (!found.fit.summary.converged()) lines.add("NOT FINISHED", found.fit.summary.message);
  return lines.notes(found.fit.summary.notes).text();
}

std::string bound_text(const isometry::Result& fit) {
  std::string text =
      fmt::format("tr P >= {:.4f} for every P with this distortion; here {:.4f}", fit.trace_bound, fit.trace);
  if (fit.rank_bound > 1)
    text += fmt::format("; none of rank below {} has a spectral norm as small as this", fit.rank_bound);
  return text;
}

}  // namespace

std::string IsometryTask::text(const Fit<IsometryTask>& whole) {
  const IsometryResult& found = whole.result;
  if (!whole.options.sweep.empty()) return sweep_text(found);
  const isometry::Options& how = whole.options.how;
  const isometry::Result& fit = found.fit;
  Lines lines;
  lines.raw(fmt::format("{} samples, {} features -> {} by {}\n", found.n, found.d,
                        counted(fit.psi.rows(), "measurement"), TextForm<Method>::print(how.method)));
  const std::string pairs = found.pairs.empty() ? fmt::format("all {} pairs", fit.sweep.pairs)
                                                : fmt::format("the {} pairs asked for", fit.sweep.pairs);
  lines.add(fit.reached(how.distortion) ? "kept" : "NOT KEPT",
            fmt::format("{}: squared distances times {:.4f} to {:.4f}, distortion {:.6g} of {:g}", pairs,
                        fit.sweep.lowest, fit.sweep.highest, fit.distortion, how.distortion));
  lines.add("rank", how.rank > 0
                        ? "as asked"
                        : fmt::format("{}, {} tried, {} over the pairs",
                                      how.method == Method::numax ? "of the smallest trace" : "smallest found",
                                      counted(Index(fit.trials.size()), "rank"), counted(fit.sweeps, "sweep")));
  if (fit.trace_bound > 0) lines.add("bound", bound_text(fit));
  if (!fit.sweep.worst.empty()) {
    const MeasuredPair& worst = fit.sweep.worst.front();
    lines.add("worst pair", fmt::format("{} and {}: {:.6f}", worst.a, worst.b, worst.ratio));
  }
  if (fit.sweep.coincident > 0)
    lines.add("coincident", fmt::format("{} have no secant", counted(fit.sweep.coincident, "pair")));
  if (!fit.summary.converged()) lines.add("NOT FINISHED", fit.summary.message + ": the best so far");
  double seconds = 0;  // the other phases are parts of these
  for (const char* phase : {"solve", "judge"})
    if (fit.summary.seconds.contains(phase)) seconds += fit.summary.seconds.at(phase);
  return lines.notes(fit.summary.notes)
      .raw(comparison_text(found))
      .add("time", fmt::format("{:.2f} s", seconds))
      .text();
}

}  // namespace ritz::isometry
