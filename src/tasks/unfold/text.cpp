// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/table.hpp"
#include "tasks/bounds/bounds.hpp"
#include "tasks/unfold/task.hpp"

namespace ritz::unfold {

namespace {

std::string problem_text(const UnfoldResult& found, const Options& how) {
  const double budget =
      found.method == UnfoldMethod::spe && how.ridge == 0 && how.budget == 0 ? double(found.n) : how.budget;
  return fmt::format("C = {:.6g}{}", found.penalties[0],
                     budget > 0      ? fmt::format(", B = {}", number_text(budget))
                     : how.ridge > 0 ? fmt::format(", G = {}", number_text(how.ridge))
                                     : ", no limit");
}

std::string spectrum_text(const UnfoldResult& found) {
  constexpr Index kShown = 6;
  const Vector& values = found.fit.spectrum;
  std::string text;
  for (Index k = 0; k < std::min(kShown, values.size()); ++k)
    text += fmt::format("{}{:.4g}", k == 0 ? "" : ", ", values(k));
  if (values.size() > kShown) text += ", ...";
  if (std::isfinite(found.fit.held))
    text += fmt::format("; {} hold {:.1f} % of the variance", counted(found.fit.embedding.cols(), "dimension"),
                        100 * found.fit.held);
  return text;
}

std::string fidelity_text(const UnfoldResult& found) {
  std::string text;
  if (found.squared.size() > 0)
    text = fmt::format("distances change by {:.2g} % on average, {:.2g} % at most; ", 100 * found.fit.stretch,
                       100 * found.max_stretch);
  if (found.method == UnfoldMethod::spe)
    text = fmt::format("no stranger is nearer than a neighbour by more than {:.2g} (squared); ", found.fit.slack);
  return text + fmt::format("{:.1f} % of the neighbours stay so", 100 * found.kept_neighbours);
}

std::string accuracy_text(const UnfoldResult& found) {
  TextTable table;
  table.columns = {"5-NN, leave one out", "right"};
  const auto row = [&](const std::string& name, double value) {
    if (std::isfinite(value)) table.rows.push_back({name, fmt::format("{:.1f} %", 100 * value)});
  };
  row(fmt::format("{}, {}", TextForm<UnfoldMethod>::print(found.method),
                  counted(found.fit.embedding.cols(), "dimension")),
      found.accuracy.embedding);
  if (found.method != UnfoldMethod::pca)
    row(fmt::format("pca, {}", counted(found.fit.embedding.cols(), "dimension")), found.accuracy.pca);
  row(fmt::format("all {} features", found.d), found.accuracy.all);
  return table_text(table);
}

}  // namespace

std::string UnfoldTask::text(const Fit<UnfoldTask>& whole) {
  const UnfoldResult& found = whole.result;
  const unfold::Result& fit = found.fit;
  const Summary& ran = fit.summary;
  Lines lines;
  lines.raw(fmt::format("{} -> {} by {}\n",
                        found.d > 0 ? fmt::format("{} samples, {} features", found.n, found.d)
                                    : fmt::format("a graph of {} vertices", found.n),
                        counted(fit.embedding.cols(), "dimension"), TextForm<UnfoldMethod>::print(found.method)));
  lines.add("graph", fmt::format("{}, {} ({})", counted(Index(found.graph.edges.size()), "edge"),
                                 counted(Index(found.parts.size()), "component"),
                                 source_text(found.graph_given, whole.options.graph_kind, found.neighbours)));
  if (!is_baseline(found.method))
    lines.add("problem", problem_text(found, whole.options.how))
        .ending(ran,
                fmt::format("{}, {}, {}", counted(fit.rounds, "fit"), counted(fit.evaluations, "step"), ran.message))
        .add("objective", fmt::format("{:.10g}", fit.objective))
        .add("certificate", bounds_text(fit.objective, fit.dual, fit.gap, fit.relative_gap));
  lines.add("spectrum", spectrum_text(found)).add("fidelity", fidelity_text(found)).notes(ran.notes);
  if (std::isfinite(found.accuracy.embedding)) lines.raw(accuracy_text(found));
  return lines.time(ran).text();
}

}  // namespace ritz::unfold
