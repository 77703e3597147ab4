// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/table.hpp"
#include "tasks/center/task.hpp"

namespace ritz::center {

namespace {

std::string orders_text(const CenterResult& found) {
  const Orders& orders = *found.orders;
  TextTable table;
  table.columns = {"k", "hybrid", "proposed", "santamaria", "radius", "gap"};
  for (std::size_t k = 0; k < orders.of.size(); ++k) {
    const Order& each = orders.of[k];
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

}  // namespace

std::string CenterTask::text(const Fit<CenterTask>& whole) {
  const CenterResult& found = whole.result;
  const CenterOptions& options = whole.options;
  const center::Result& fit = found.fit;
  const Summary& ran = fit.summary;
  Lines lines;
  lines.raw(fmt::format(
      "{} of {} in R^{} -> {}\n", counted(found.subspaces, "subspace"),
      found.smallest == found.largest ? counted(found.largest, "dimension")
                                      : fmt::format("{} to {} dimensions", found.smallest, found.largest),
      found.n,
      found.order == 0 ? "nothing in common" : fmt::format("a centre of {}", counted(found.order, "dimension"))));
  if (found.orders)
    lines.add("order", fmt::format("{} by the rule {}; proposed {}, hybrid {}, santamaria {}, elbow {}", found.order,
                                   TextForm<OrderRule>::print(options.rule), found.orders->proposed,
                                   found.orders->hybrid, found.orders->santamaria, found.orders->elbow));
  if (found.order > 0) {
    lines.ending(ran, fmt::format("{}, {}, {}", counted(ran.iterations, "round"),
                                  counted(fit.evaluations, "eigendecomposition"), ran.message));
    lines.add("radius", fmt::format("{:.12g} (squared chordal distance of the farthest)", fit.objective));
    lines.add("certificate", fmt::format("the least radius lies in [{:.12g}, {:.12g}]: gap {:.1e}", fit.dual,
                                         fit.objective, std::max(0.0, fit.gap)));
    const std::vector<Index> support = fit.support();
    lines.add("support", fmt::format("{} with weight: {}", counted(Index(support.size()), "subspace"),
                                     some(support, found.names)));
    if (found.subspaces >= kFewestForOutliers)
      lines.add("outliers", found.outliers.of.empty() ? "none"
                                                      : fmt::format("{}: {}", found.outliers.of.size(),
                                                                    some(found.outliers.of, found.names)));
  }
  if (found.order == 0 && found.n > 0) lines.add("note", "the centre has no dimension: none is written");
  lines.notes(ran.notes);
  if (found.orders) lines.raw(orders_text(found));
  return lines.time(ran).text();
}

}  // namespace ritz::center
