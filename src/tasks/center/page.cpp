// SPDX-License-Identifier: MIT
// The page of `center`.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "tasks/center/task.hpp"
#include "tasks/model/access.hpp"

namespace ritz::center {

namespace {

using page::at, page::number, page::words;

// Rounding alone is no distance.
double told(double distance) {
  constexpr double kRounding = 1e-12;
  return std::abs(distance) <= kRounding ? 0 : distance;
}

std::vector<double> told_distances(const Json& facts) {
  std::vector<double> distances = page::numbers(facts, "result.distances");
  std::ranges::transform(distances, distances.begin(), told);
  return distances;
}

page::Verdict verdict_of(const Json& facts) {
  if (!page::converged(facts)) return page::not_converged(facts);
  const std::string method = words(facts, "options.method");
  if (method == "mean" || method == "flag")
    return {page::Light::good, "Proven",
            "The centre is spanned by the leading eigenvectors of the average projector: no other has a smaller sum of "
            "squared distances."};
  if (!method.empty() && method != "minimax")
    return {page::Light::fair, "Local optimum",
            "No small turn of the centre has a smaller sum; another start could end elsewhere."};
  const double primal = told(number(facts, "certificate.primal")), dual = told(number(facts, "certificate.dual"));
  if (at(facts, "certificate.closed") == Json(true))
    return {page::Light::good, "Proven",
            fmt::format(
                "The radius {:.8g} is matched by a lower bound ({:.8g}) that no subspace can pass: this is the centre.",
                primal, dual)};
  return {
      page::Light::fair, "Local optimum",
      fmt::format("No small turn of the centre comes nearer to the farthest subspace. The least possible radius lies "
                  "between {:.6g} and {:.6g}; for some collections such a gap cannot be closed.",
                  dual, primal)};
}

void tell_order(const Json& facts, page::Page& page) {
  const Json& orders = at(facts, "result.orders");
  if (orders.is_null()) return;
  LinePlot plot;
  plot.x_label = "dimension k of the centre";
  plot.y_label = "cost, as a part of that of k = 0";
  const std::vector<double> k = page::numbers(orders, "k");
  for (const char* rule : {"hybrid", "proposed", "santamaria"}) {
    const std::vector<double> values = page::numbers(orders, rule);
    LineSeries series{rule};
    for (std::size_t i = 0; i < std::min(k.size(), values.size()); ++i) series.add(k[i], values[i] / values[0]);
    plot.series.push_back(std::move(series));
  }
  page.lines(
      "How many dimensions they share",
      fmt::format("Each rule takes the lowest point of its curve: hybrid {}, proposed {}, Santamaria {}, elbow {}.",
                  words(orders, "selected.hybrid"), words(orders, "selected.proposed"),
                  words(orders, "selected.santamaria"), words(orders, "selected.elbow")),
      plot);
}

void tell_distances(const page::Source& from, const Matrix& weights, page::Page& page) {
  constexpr std::size_t kBars = 15, kRows = 2000, kBins = 30;
  constexpr double kHeld = 1e-8;  // a smaller weight is none
  const Json& facts = from.facts;
  const std::vector<double> distances = told_distances(facts);
  const Json& names = at(facts, "result.names");
  const auto name = [&](std::size_t i) {
    return names.is_array() && i < names.size() && names[i].is_string() ? names[i].get<std::string>()
                                                                        : fmt::format("subspace {}", i + 1);
  };
  std::vector<std::size_t> order(distances.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return distances[a] > distances[b]; });
  page::BarGroup far, held;
  page::Histogram spread;
  spread.x_label = "squared chordal distance";
  spread.counts.assign(kBins, 0);
  spread.low = 0;
  spread.high = std::max(1e-12, distances.empty() ? 1 : *std::ranges::max_element(distances));
  for (const double distance : distances)
    if (distance >= 0) spread.counts[std::min(kBins - 1, std::size_t(double(kBins) * distance / spread.high))] += 1;
  spread.mark = spread.high;
  spread.mark_name = "radius";
  TextTable table;
  table.columns = {"subspace", "squared distance", "weight"};
  const auto weight = [&](std::size_t i) { return Index(i) < weights.rows() ? weights(Index(i), 0) : kUnknown; };
  for (const std::size_t i : order) {
    if (far.bars.size() < kBars) far.bars.push_back({name(i), distances[i]});
    if (table.rows.size() < kRows)
      table.rows.push_back({name(i), fmt::format("{:.6g}", distances[i]), page::short_number(weight(i))});
  }
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return weight(a) > weight(b); });
  for (const std::size_t i : order)
    if (weight(i) > kHeld && held.bars.size() < kBars) held.bars.push_back({name(i), weight(i)});
  const Matrix dims = from.models.empty() ? Matrix() : model_access::array(from.models[0], "dims");
  page::Scatter all;
  all.title = "The subspaces";
  all.note = "Far from the centre to the right; those with a weight hold it in place.";
  Vector across(Index(distances.size())), up(across.size()), size(across.size());
  Labels role{{}, {"holds the centre", "inside", "outlier"}};
  for (std::size_t i = 0; i < distances.size(); ++i) {
    across[Index(i)] = distances[i];
    up[Index(i)] = weight(i);
    size[Index(i)] = dims.rows() == across.size() ? dims(Index(i), 0) : kUnknown;
    role.of.push_back(weight(i) > kHeld ? 0 : 1);
    all.names.push_back(name(i));
  }
  for (const Json& outlier : at(facts, "result.outliers"))
    if (const double i = number(outlier, "index"); i >= 0 && i < double(role.of.size())) role.of[std::size_t(i)] = 2;
  all.columns = {{"squared distance", across}, {"weight", up}, {"dimensions", size}};
  all.groups = {{"role", std::move(role)}};
  // Of the same size all of them: by their place then.
  if (size.size() > 0 && !(size.maxCoeff() > size.minCoeff()))
    all.columns[2] = {"place in the collection", Vector::LinSpaced(size.size(), 0, double(size.size() - 1))};
  all.views = {{0, 1, 0}, {2, 0, 0}};
  page.scatter(std::move(all))
      .histogram("Distances of all subspaces", "From the centre: 0 where one holds the other.", spread)
      .bars("The farthest", "Squared chordal distance from the centre.", {far})
      .bars("Support",
            "Only subspaces with a weight hold the centre in place: without the others it would be the same.", {held})
      .table("All subspaces", "The farthest first.", table)
      .table("Outliers", "Farther from a robust centre than the spread of the others allows.",
             page::table_of(at(facts, "result.outliers"), {{"name", "subspace"}, {"distance", "distance"}}));
}

}  // namespace

void CenterTask::tell(const page::Source& from, page::Page& page, const RunContext&) {
  const Json& facts = from.facts;
  const double order = number(facts, "result.order"), outliers = double(at(facts, "result.outliers").size());
  page.question = "What do these subspaces have in common?";
  const std::vector<double> distances = told_distances(facts);
  const double radius = distances.empty() ? number(facts, "result.radius") : *std::ranges::max_element(distances);
  page.answer = order == 0
                    ? "Nothing: no dimension is shared by them."
                    : fmt::format(
                          "A centre of {}: none of the {} subspaces is farther from it than {:.4g} (squared chordal "
                          "distance){}.",
                          counted(Index(order), "dimension"), words(facts, "data.subspaces"), radius,
                          outliers > 0 ? fmt::format("; {:g} of them are outliers", outliers) : "");
  page.verdict = verdict_of(facts);
  page.figures = {{"subspaces", words(facts, "data.subspaces")},
                  {"space", words(facts, "data.n")},
                  {"common dimensions", words(facts, "result.order")},
                  {"squared radius", page::short_number(radius)},
                  {"support", std::to_string(at(facts, "result.support").size())}};
  if (order > 0)
    tell_distances(from, from.models.empty() ? Matrix() : model_access::array(from.models[0], "weights"), page);
  tell_order(facts, page);
  page::BarGroup made_of;
  for (const Json& each : at(facts, "result.loadings"))
    if (made_of.bars.size() < 15) made_of.bars.push_back({words(each, "feature"), number(each, "share")});
  page.bars("What the centre is made of", "How much of each feature lies in it: 1 wholly, 0 nothing.", {made_of});
}

}  // namespace ritz::center
