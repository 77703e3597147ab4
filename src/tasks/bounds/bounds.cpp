// SPDX-License-Identifier: MIT
#include "tasks/bounds/bounds.hpp"

#include "graph/pair_files.hpp"

namespace ritz {

namespace {

constexpr double kRounding = 1e-12;

}  // namespace

bool KernelCheck::values_agree() const {
  const double size = std::max(std::abs(stored_primal), has_dual ? std::abs(stored_dual) : 0.0);
  const double allowed = std::max(agreement * size, kRounding * scale);
  const auto agrees = [&](double found, double stored) {
    return std::isfinite(found) && std::abs(found - stored) <= allowed;  // false of NaN
  };
  return agrees(primal, stored_primal) && (!has_dual || agrees(dual, stored_dual));
}

void KernelCheck::take_gap() {
  gap = primal - dual;
  const double size = std::max(std::abs(primal), std::abs(dual));
  relative_gap = size > 0 ? std::max(0.0, gap) / size : 0.0;
}

bool KernelCheck::within_tolerance() const {
  // Twice what was asked for: the spectrum here is another one.
  return !has_dual || relative_gap <= 2 * std::max(tolerance, 1e-9) || std::abs(gap) <= kRounding * scale;
}

Json bounds_json(double primal, double dual, double gap, double relative_gap) {
  return {{"gap", gap}, {"relative_gap", relative_gap}, {"primal", primal}, {"dual", dual}};
}

std::string bounds_text(double primal, double dual, double gap, double relative_gap) {
  return fmt::format("the optimum lies in [{:.8g}, {:.8g}]: gap {:.1e}, relative {:.1e}", dual, primal, gap,
                     relative_gap);
}

CheckReport bounds_report(const KernelCheck& check, const Dataset& data) {
  CheckReport report = certificate_report(check.holds(), check.same_data);
  Lines& lines = report.lines;
  if (report.holds)
    report.plain.add("found", "these data give what the model says{}",
                     check.has_dual ? fmt::format("; nothing is better by more than {:.2g} %",
                                                  100 * std::max(0.0, check.relative_gap))
                                    : "");
  report.plain.notes(check.notes);
  lines.add("primal", "{:.10g}, the model says {:.10g}", check.primal, check.stored_primal);
  if (check.has_dual)
    lines
        .add("dual", "{:.10g}, the model says {:.10g}{}", check.dual, check.stored_dual,
             check.values_agree() ? "" : ": THEY DIFFER")
        .add("gap", "{:.1e}, relative {:.1e}, asked for {:.0e}{}", check.gap, check.relative_gap, check.tolerance,
             check.within_tolerance() ? "" : ": TOO WIDE")
        .add("spectrum", "{} positive eigenvalues of A ({})", check.positive, check.spectrum);
  Json& facts = report.facts;
  facts["objective"] = check.primal;
  facts["certificate"] = bounds_json(check.primal, check.dual, check.gap, check.relative_gap);
  facts["used"] = {{"spectrum", check.spectrum}};
  facts["notes"] = check.notes;
  facts["result"] = {{"stored_primal", check.stored_primal},
                     {"stored_dual", check.stored_dual},
                     {"values_agree", check.values_agree()},
                     {"tolerance", check.tolerance},
                     {"within_tolerance", check.within_tolerance()},
                     {"feasible", check.feasible},
                     {"kept_agrees", check.kept},
                     {"positive_eigenvalues", check.positive},
                     {"edges", check.edges}};
  facts["data"] = {{"n", data.rows()}, {"d", data.cols()}};
  return report;
}

const RowMatrix& rows_of(const Inputs& inputs, const std::string& name) {
  if (const auto* rows = std::get_if<RowMatrix>(&inputs.others.at(name))) return *rows;
  fail(ErrorCode::bad_option, "the input '{}' is of the wrong kind", name);
}

Graph given_graph(const Inputs& inputs, const std::string& name, Index vertices, const RunContext& context) {
  if (!inputs.has(name)) return {};
  const std::string path = inputs.word(name);
  return path.empty() ? edges_of(rows_of(inputs, name), vertices) : read_edges(path, vertices, context);
}

Json graph_json(const Graph& graph, bool given, Index neighbours) {
  return {{"source", given ? "given" : "neighbours"},
          {"neighbours", given ? Json(nullptr) : Json(neighbours)},
          {"edges", graph.edges.size()},
          {"isolated", isolated_vertices(graph).size()},
          {"components", connected_components(graph).count}};
}

std::string source_text(bool given, GraphKind kind, Index neighbours) {
  if (given) return "given";
  return fmt::format("{} of {}", TextForm<GraphKind>::print(kind), counted(neighbours, "neighbour"));
}

}  // namespace ritz
