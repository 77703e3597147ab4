// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "report/table.hpp"
#include "tasks/bounds/bounds.hpp"
#include "tasks/kernel/task.hpp"

namespace ritz::kernel {

namespace {

std::string pairs_text(const KernelResult& found) {
  const SettledPairs& settled = found.settled;
  const Index used = Index(found.pairs.pairs.size()), must = must_links(found.pairs);
  std::string text = fmt::format("{} {}", found.given, found.drawn ? "drawn" : "given");
  if (settled.derived > 0) text += fmt::format(", {} follow from them", settled.derived);
  if (settled.repeated > 0) text += fmt::format(", {} repeated", settled.repeated);
  if (!settled.dropped.empty()) text += fmt::format(", {} dropped", settled.dropped.size());
  return text + fmt::format("; {} must-links and {} cannot-links are used, {:.1f} % of them are met", must, used - must,
                            100 * found.fit.satisfied);
}

std::string graph_text(const KernelResult& found, const KernelOptions& options) {
  return fmt::format("{}, {}, {} isolated ({})", counted(Index(found.graph.edges.size()), "edge"),
                     counted(connected_components(found.graph).count, "component"),
                     isolated_vertices(found.graph).size(),
                     source_text(found.graph_given, options.graph, found.neighbours));
}

std::string problem_text(const npkl::Options& how, Index n) {
  const double ridge = how.ridge > 0 ? how.ridge : npkl::default_ridge(n);
  return fmt::format(
      "{} loss, C = {}, {}{}", how.loss, number_text(how.penalty),
      how.budget > 0 ? fmt::format("B = {}", number_text(how.budget)) : fmt::format("G = {}", number_text(ridge)),
      how.power == 2 ? "" : fmt::format(", p = {}", number_text(how.power)));
}

std::string agreement_text(const std::vector<Agreement>& all) {
  TextTable table;
  table.columns = {"", "Rand", "adjusted"};
  for (const Agreement& each : all) {
    std::vector<std::string>& row = table.rows.emplace_back();
    row.push_back(each.name);
    row.push_back(each.left_out.empty() ? fmt::format("{:.3f}", each.rand) : "-");
    row.push_back(each.left_out.empty() ? fmt::format("{:+.3f}", each.adjusted) : "-");
    if (!each.left_out.empty()) table.notes.push_back(fmt::format("{}: {}", each.name, each.left_out));
  }
  return table_text(table);
}

}  // namespace

std::string KernelTask::text(const Fit<KernelTask>& whole) {
  const KernelResult& found = whole.result;
  const npkl::Result& fit = found.fit;
  const Summary& ran = fit.summary;
  Lines lines;
  lines.raw(fmt::format("{} samples, {} features -> a kernel of rank {}, {}\n", found.n, found.d,
                        fit.kernel.weights.size(), counted(found.labels.classes(), "cluster")));
  lines.add("pairs", pairs_text(found))
      .add("graph", graph_text(found, whole.options))
      .add("problem", problem_text(whole.options.how, found.n))
      .ending(ran, fmt::format("{} of the dual, {}", counted(fit.evaluations, "evaluation"), ran.message))
      .add("objective", fmt::format("{:.10g}", fit.objective))
      .add("certificate", bounds_text(fit.primal, fit.dual, fit.gap, fit.relative_gap))
      .add("clusters", fmt::format("sizes {}", sizes_text(found.labels.counts())))
      .notes(ran.notes);
  if (!found.baselines.empty()) lines.raw(agreement_text(found.baselines));
  return lines.time(ran).text();
}

}  // namespace ritz::kernel
