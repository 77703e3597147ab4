// SPDX-License-Identifier: MIT
// What is said of measurements: text, JSON and pictures, and what a fit will take.
#include <iterator>

#include "linalg/products/dgemm_rate.hpp"
#include "report/plot/line_plot.hpp"
#include "report/plot/svg.hpp"
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
    note(table.notes, "recall over {} of the samples, drawn at random", found.recall_queries);
  return table_text(table);
}

std::string sweep_text(const IsometryResult& found) {
  TextTable table;
  table.columns = {"distortion", "rank", "principal components", "seconds"};
  for (const RankAt& each : found.sweep)
    table.rows.push_back({number_text(each.distortion), std::to_string(each.rank), std::to_string(each.principal),
                          fmt::format("{:.2f}", each.seconds)});
  Lines lines;
  lines.raw("{} samples, {} features: rank against distortion\n", found.n, found.d).raw(table_text(table));
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

Json certificate_of(const Result& fit) {
  Json json = sweep_json(fit.sweep);
  json["trace"] = fit.trace;
  json["trace_bound"] = fit.trace_bound;
  json["rank_bound"] = fit.rank_bound > 0 ? Json(fit.rank_bound) : Json(nullptr);
  return json;
}

Json result_of(const IsometryResult& found) {
  const Result& fit = found.fit;
  Json trials = Json::array(), rows = Json::array();
  for (const Trial& trial : fit.trials)
    trials.push_back({{"rank", trial.rank},
                      {"reached", trial.reached},
                      {"distortion", trial.distortion},
                      {"seconds", trial.seconds}});
  for (const Compared& row : found.comparison)
    rows.push_back({{"name", row.name},
                    {"distortion", row.distortion},
                    {"lowest", row.lowest},
                    {"highest", row.highest},
                    {"recall", row.recall}});
  return {
      {"rank", fit.psi.rows()},
      {"trials", std::move(trials)},
      {"comparison", std::move(rows)},
      {"recall_neighbours", found.recall},
      {"recall_queries", found.recall_queries},
      {"sweeps", fit.sweeps},
      {"working_pairs", fit.working_pairs},
      {"histogram", {{"lowest", found.lowest_bin}, {"highest", found.highest_bin}, {"counts", fit.sweep.histogram}}}};
}

Json ranks_of(const IsometryResult& found) {
  Json rows = Json::array();
  for (const RankAt& each : found.sweep)
    rows.push_back(
        {{"distortion", each.distortion}, {"rank", each.rank}, {"pca", each.principal}, {"seconds", each.seconds}});
  return {{"sweep", std::move(rows)}};
}

std::string ratio_svg(const IsometryResult& found, double distortion) {
  using namespace svg;
  constexpr double kWidth = 620, kHeight = 300, kLeft = 70;
  const std::vector<Index>& counts = found.fit.sweep.histogram;
  const double step = counts.empty() ? 1 : (found.highest_bin - found.lowest_bin) / double(counts.size());
  // As far as there is something to see: the band, and all ratios.
  const double low = std::min(1 - distortion, found.fit.sweep.lowest),
               high = std::max(1 + distortion, found.fit.sweep.highest);
  const Axis across = fitting_axis(low, high);
  double most = 1;
  for (const Index count : counts) most = std::max(most, double(count));
  const Heading heading{"Distances kept by the measurements", ""};
  const std::string subtitle =
      fmt::format("{} measurements of {} features; ratios of {} pairs lie in [{:.3f}, {:.3f}]", found.fit.psi.rows(),
                  found.d, grouped(found.fit.sweep.pairs), found.fit.sweep.lowest, found.fit.sweep.highest);
  const Heading whole{heading.title, subtitle};
  const double top = kMargin + whole.height() + 26, left = kMargin + kLeft;
  const double width = left + kWidth + kMargin, height = top + kHeight + 60;
  std::string svg;
  const Out out = std::back_inserter(svg);
  open_document(out, width, height, whole);
  const auto x = [&](double value) { return left + kWidth * across.share(value); };
  const auto y = [&](double share) { return top + kHeight * (1 - share); };
  // The band.
  fmt::format_to(
      out,
      R"(<rect class="band" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" fill="#009E73" fill-opacity="0.10"/>)",
      x(1 - distortion), y(1), x(1 + distortion) - x(1 - distortion), kHeight);
  fmt::format_to(out, "\n<g class=\"bars\" fill=\"#0072B2\">\n");
  for (std::size_t b = 0; b < counts.size(); ++b) {
    if (counts[b] == 0) continue;
    const double from = std::max(found.lowest_bin + step * double(b), across.low),
                 to = std::min(from + step, across.high), share = double(counts[b]) / most;
    if (to <= from) continue;
    // A bin that holds something is never invisible.
    const double tall = std::max(share * kHeight, 0.8);
    fmt::format_to(out, R"(<rect x="{:.1f}" y="{:.1f}" width="{:.2f}" height="{:.1f}"/>)", x(from), y(0) - tall,
                   std::max(x(to) - x(from) - 0.3, 0.4), tall);
  }
  fmt::format_to(out, "\n</g>\n");
  for (const double edge : {1 - distortion, 1.0, 1 + distortion}) {
    fmt::format_to(out,
                   R"(<path d="M{0:.1f} {1:.1f}V{2:.1f}" stroke="{3}" stroke-width="1.4" stroke-dasharray="{4}"/>)",
                   x(edge), y(1), y(0), edge == 1.0 ? "#767676" : "#D55E00", edge == 1.0 ? "3 3" : "none");
    put_text(out, x(edge), y(1) - 6, edge == 1.0 ? "1" : fmt::format("{:g}", edge),
             {.size = 11, .colour = edge == 1.0 ? "#595959" : "#D55E00", .anchor = "middle"});
  }
  fmt::format_to(out, R"(<path d="M{:.1f} {:.1f}H{:.1f}" stroke="#595959" stroke-width="1"/>)", x(across.low), y(0),
                 x(across.high));
  for (const double value : tick_values(across))
    put_text(out, x(value), y(0) + 17, tick_text(value, across), {.size = 11, .colour = "#595959", .anchor = "middle"});
  put_text(out, left + 0.5 * kWidth, y(0) + 40, "squared distance after / before", {.size = 12, .anchor = "middle"});
  for (const double share : {0.0, 0.5, 1.0})
    put_text(out, left - 7, y(share) + 4, grouped(Index(std::llround(share * most))),
             {.size = 11, .colour = "#595959", .anchor = "end"});
  put_text(out, left - 58, y(0.5), "pairs", {.size = 12, .anchor = "middle", .turn = -90});
  svg += "</svg>\n";
  return svg;
}

std::string rank_svg(const IsometryResult& found) {
  LinePlot plot;
  plot.title = "Measurements against distortion";
  plot.subtitle = fmt::format("all pairs of {} samples, {} features", found.n, found.d);
  plot.x_label = "distortion of squared distances";
  plot.y_label = "measurements";
  LineSeries own{"smallest rank found"}, pca{"principal components"};
  for (const RankAt& each : found.sweep) {
    own.add(each.distortion, double(each.rank));
    pca.add(each.distortion, double(each.principal));
  }
  plot.series = {own, pca};
  return line_svg(plot);
}

// Of the search and the comparison together, on the sets we know; a small rank or distortion takes more.
constexpr int kUsualSweeps = 15;
constexpr double kSingleRate = 1.8;  // products in single precision against double

}  // namespace

std::string IsometryTask::text(const F& whole) {
  const IsometryResult& found = whole.result;
  if (!whole.options.sweep.empty()) return sweep_text(found);
  const isometry::Options& how = whole.options.how;
  const isometry::Result& fit = found.fit;
  Lines lines;
  lines.raw("{} samples, {} features -> {} by {}\n", found.n, found.d, counted(fit.psi.rows(), "measurement"),
            TextForm<Method>::print(how.method));
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
    lines.add("worst pair", "{} and {}: {:.6f}", worst.a, worst.b, worst.ratio);
  }
  if (fit.sweep.coincident > 0) lines.add("coincident", "{} have no secant", counted(fit.sweep.coincident, "pair"));
  if (!fit.summary.converged()) lines.add("NOT FINISHED", fit.summary.message + ": the best so far");
  double seconds = 0;  // the other phases are parts of these
  for (const char* phase : {"solve", "judge"})
    if (fit.summary.seconds.contains(phase)) seconds += fit.summary.seconds.at(phase);
  return lines.notes(fit.summary.notes).raw(comparison_text(found)).add("time", "{:.2f} s", seconds).text();
}

Json sweep_json(const Sweep& sweep) {
  Json worst = Json::array();
  for (const MeasuredPair& pair : sweep.worst)
    worst.push_back({{"i", pair.a}, {"j", pair.b}, {"ratio", pair.ratio}, {"weight", pair.weight}});
  return {{"distortion", sweep.distortion}, {"pairs", sweep.pairs},     {"coincident", sweep.coincident},
          {"lowest", sweep.lowest},         {"highest", sweep.highest}, {"beyond", sweep.beyond},
          {"worst", std::move(worst)}};
}

Json isometry_json(const IsometryResult& found, const IsometryOptions& options) {
  const bool one = options.sweep.empty();
  const Result& fit = found.fit;
  const std::string method = TextForm<Method>::print(options.how.method);
  Facts facts{IsometryTask::verb, method};
  facts.options = options_json(options);
  facts.data = {{"n", found.n}, {"d", found.d}, {"hash", found.data_hash}};
  facts.result = one ? result_of(found) : ranks_of(found);
  if (one) {
    facts.certificate = certificate_of(fit);
    facts.options["rank"] = fit.psi.rows();
    facts.given = {{"rank", options.how.rank}};
  }
  Json json = envelope(fit.summary, std::move(facts));
  // What is made small: the trace by numax, otherwise the rank.
  json["objective"] = !one                                  ? Json(nullptr)
                      : options.how.method == Method::numax ? Json(fit.trace)
                                                            : Json(fit.psi.rows());
  return json;
}

std::string plot_svg(const IsometryResult& found, double distortion) {
  return found.sweep.empty() ? ratio_svg(found, distortion) : rank_svg(found);
}

double forecast(double rows, double columns) {
  // The samples, the search's copy, the working set's, single precision twice, embedded points, tiles.
  return rows * columns * (8 * 3 + 4 * 2) + rows * std::min(columns, 200.0) * 24 + 2e8;
}

ForecastReport IsometryTask::forecast(SampleSizes sizes, const IsometryOptions& options, const Dataset* data,
                                      const RunContext& context) {
  sizes.take(data);
  sizes.require_two();
  const double n = double(sizes.rows), d = double(sizes.columns);
  const double rank = options.how.rank > 0 ? double(options.how.rank) : std::ceil(d / 4);
  const double operations = n * (n - 1) * (d + rank), seconds = operations / (kSingleRate * dgemm_rate(context));
  ForecastReport report;
  report.bytes = isometry::forecast(n, d);
  report.headline = fmt::format("isometry of {} x {}, {} pairs, about {} measurements", sizes.rows, sizes.columns,
                                sizes.rows * (sizes.rows - 1) / 2, rank);
  report.lines.add("time", "about {:.2g} s a sweep over all pairs, {:.2g} s for {} sweeps", seconds,
                   kUsualSweeps * seconds, kUsualSweeps);
  report.data = {{"n", sizes.rows}, {"d", sizes.columns}};
  report.result = {
      {"operations_per_sweep", operations}, {"seconds_per_sweep", seconds}, {"seconds", kUsualSweeps * seconds}};
  return report;
}

}  // namespace ritz::isometry
