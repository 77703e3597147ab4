// SPDX-License-Identifier: MIT
// What is said of measurements: text, JSON and pictures, and what a fit will take.
#include <iterator>

#include "backends/ratio_scan.hpp"
#include "report/plot/line_plot.hpp"
#include "report/plot/svg.hpp"
#include "report/table.hpp"
#include "tasks/forecast_card.hpp"
#include "tasks/forecast_time.hpp"
#include "tasks/isometry/task.hpp"

namespace ritz::isometry {

namespace {

// Measurements of the same rank found otherwise. Fewer distorted pairs than here: never seen, but it would be said.
std::string comparison_text(const IsometryResult& found) {
  std::vector<std::string> rows;
  for (const Compared& row : found.comparison) {
    if (row.name == "ritz") continue;
    rows.push_back(fmt::format("{} change them by {}",
                               row.name == "pca" ? "principal components" : "random projections",
                               percent_text(row.distortion)));
  }
  const auto better = [&](const Compared& row) {
    return row.name == "pca" && row.distortion < found.comparison.front().distortion;
  };
  if (std::ranges::any_of(found.comparison, better))
    rows.back() += "; a smaller isometry.distortion may need no more measurements";
  return fmt::format("{}", fmt::join(rows, ", "));
}

std::string recall_text(const IsometryResult& found) {
  std::string text, worse;
  for (const Compared& row : found.comparison)
    if (row.name == "pca" && row.recall > found.comparison.front().recall + 0.005)
      worse = "LESS than principal components: ";
  for (const Compared& row : found.comparison)
    text += fmt::format("{}{} {:.1f} %", text.empty() ? "" : ", ",
                        row.name == "ritz"  ? "these keep"
                        : row.name == "pca" ? "principal components"
                                            : "random projections",
                        100 * row.recall);
  text += fmt::format(" of the {} nearest", found.recall);
  if (found.recall_queries < found.n) text += fmt::format(", over {} samples drawn at random", found.recall_queries);
  return worse + text;
}

Lines sweep_lines(const IsometryResult& found) {
  TextTable table;
  table.columns = {"distortion", "rank", "principal components", "seconds"};
  for (const RankAt& each : found.sweep)
    table.rows.push_back({number_text(each.distortion), fmt::format("{}{}", each.finished ? "" : "<= ", each.rank),
                          each.principal > 0 ? std::to_string(each.principal) : "-",
                          fmt::format("{:.2f}", each.seconds)});
  Lines lines;
  lines
      .raw("{}, {}: how many measurements for which distortion\n", counted(found.n, "sample"),
           counted(found.d, "feature"))
      .ending(found.fit.summary)
      .add("found", "a rank for {}", counted(Index(found.sweep.size()), "distortion"))
      .raw(table_text(table))
      .add("how sure", "each is measured over all pairs")
      .add("next", "isometry.distortion fits the one you choose; isometry.plot FILE draws the table");
  return lines.notes(found.fit.summary.notes);
}

TextTable prefix_table(const IsometryResult& found) {
  TextTable table;
  table.columns = {"first rows", "scale", "distortion", "rows of their own", "principal components"};
  for (std::size_t j = 0; j < found.fit.prefixes.size(); ++j) {
    const Prefix& prefix = found.fit.prefixes[j];
    table.rows.push_back(
        {std::to_string(prefix.rank), fmt::format("{:.4f}", prefix.scale), fmt::format("{:.4f}", prefix.distortion),
         fmt::format("{:.4f}", prefix.alone),
         j < found.principal_prefixes.size() ? fmt::format("{:.4f}", found.principal_prefixes[j]) : std::string("-")});
  }
  return table;
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
  Json prefixes = fit.prefixes.empty() ? Json(nullptr) : Json::array();
  for (std::size_t j = 0; j < fit.prefixes.size(); ++j) {
    const Prefix& prefix = fit.prefixes[j];
    prefixes.push_back(
        {{"rank", prefix.rank},
         {"scale", prefix.scale},
         {"distortion", prefix.distortion},
         {"alone", prefix.alone},
         {"pca", j < found.principal_prefixes.size() ? Json(found.principal_prefixes[j]) : Json(nullptr)}});
  }
  return {
      {"rank", fit.psi.rows()},
      {"trials", std::move(trials)},
      {"comparison", std::move(rows)},
      {"recall_neighbours", found.recall},
      {"recall_queries", found.recall_queries},
      {"holdout", found.holdout_rows == 0 ? Json(nullptr)
                                          : Json{{"samples", found.holdout_rows},
                                                 {"rank", found.holdout_rank},
                                                 {"fitted", found.holdout_fitted},
                                                 {"distortion", found.holdout_distortion},
                                                 {"beyond", found.holdout_beyond},
                                                 {"pairs", found.holdout_pairs}}},
      {"search",
       found.search_queries == 0
           ? Json(nullptr)
           : Json{{"queries", found.search_queries}, {"recall", found.search_recall}, {"pca", found.search_principal}}},
      {"prefixes", std::move(prefixes)},
      {"sweeps", fit.sweeps},
      {"working_pairs", fit.working_pairs},
      {"histogram", {{"lowest", found.lowest_bin}, {"highest", found.highest_bin}, {"counts", fit.sweep.histogram}}}};
}

Json ranks_of(const IsometryResult& found) {
  Json rows = Json::array();
  for (const RankAt& each : found.sweep)
    rows.push_back({{"distortion", each.distortion},
                    {"rank", each.rank},
                    {"finished", each.finished},
                    {"pca", each.principal > 0 ? Json(each.principal) : Json(nullptr)},
                    {"seconds", each.seconds}});
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
  const double width = std::max(left + kWidth + kMargin, whole.width()), height = top + kHeight + 60;
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
  for (const double value : tick_values({0, most, fitting_axis(0, most).step}))
    put_text(out, left - 7, y(value / most) + 4, grouped(Index(std::llround(value))),
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
    if (each.principal > 0) pca.add(each.distortion, double(each.principal));
  }
  plot.series = {own};
  if (!pca.x.empty()) plot.series.push_back(pca);
  return line_svg(plot);
}

constexpr int kUsualSweeps = 50;     // of the search and the comparison together, most of them over a part of the pairs
constexpr double kSingleRate = 1.8;  // products in single precision against double
// Of the search at all ranks and of the bound, d³√n of them: 4 to 10 seconds a run on digits and others (d of 13 to
// 64).
constexpr double kSearchOperations = 8e4, kWide = 150;

}  // namespace

Lines IsometryTask::text(const F& whole) {
  const IsometryResult& found = whole.result;
  if (!whole.options.sweep.empty()) return sweep_lines(found);
  const isometry::Options& how = whole.options.how;
  const isometry::Result& fit = found.fit;
  const std::string pairs = found.pairs.empty() ? fmt::format("all {} pairs", fit.sweep.pairs)
                                                : fmt::format("the {} pairs asked for", fit.sweep.pairs);
  const double asked = asked_distortion(found, whole.options);
  Lines lines;
  lines.raw("{}, {} -> {} that {} distances within {:g}\n", counted(found.n, "sample"), counted(found.d, "feature"),
            counted(fit.psi.rows(), "measurement"), fit.psi.rows() == 1 ? "keeps" : "keep", asked);
  lines.ending(fit.summary);
  lines.add("found", "{}squared distances of {} times {:.4f} to {:.4f}, distortion {:.4g}",
            fit.reached(asked) ? "" : "NOT KEPT: ", pairs, fit.sweep.lowest, fit.sweep.highest, fit.distortion);
  if (!fit.prefixes.empty()) lines.raw(table_text(prefix_table(found)));
  if (found.comparison.size() > 1) lines.add("otherwise", "as many {}", comparison_text(found));
  if (found.recall > 0) lines.add("recall", recall_text(found));
  if (found.holdout_rows > 0)
    lines.add("held out",
              "{} that a fit of {} did not see: distortion {:.4g} (fitted {:.4g}), {} of {} pairs beyond {:g}",
              counted(found.holdout_rows, "sample"), counted(found.holdout_rank, "measurement"),
              found.holdout_distortion, found.holdout_fitted, found.holdout_beyond, found.holdout_pairs, asked);
  const auto mixture = fit.summary.used.find("mixture");
  if (found.holdout_rows == 0 && mixture == fit.summary.used.end() && fit.psi.rows() < found.d)
    lines.add("new samples",
              "may be changed by more: isometry.holdout 0.25 fits without a quarter and says by how much");
  if (mixture != fit.summary.used.end())
    lines.add("search", "nearest neighbours are kept, not distances: {}{}", mixture->second,
              found.search_queries == 0
                  ? std::string()
                  : fmt::format("; of {} held out, {:.1f} % of the neighbours (principal components {:.1f} %)",
                                counted(found.search_queries, "sample"), 100 * found.search_recall,
                                100 * found.search_principal));
  if (!fit.sweep.worst.empty()) {
    const MeasuredPair& worst = fit.sweep.worst.front();
    const auto name = [&](Index i) {
      return whole.data->ids.empty() ? std::to_string(i) : whole.data->ids[std::size_t(i)];
    };
    lines.add("worst pair", "{} and {}: times {:.4f}", name(worst.a), name(worst.b), worst.ratio);
  }
  if (fit.sweep.coincident > 0)
    lines.add("equal", "{} of samples are the same point: nothing to keep", counted(fit.sweep.coincident, "pair"));
  std::string sure = "measured over every one of the pairs";
  if (how.rank == 0 && fit.prefixes.empty())
    sure += fmt::format("; {} tried, fewer measurements were not found", counted(Index(fit.trials.size()), "rank"));
  if (fit.rank_bound > 1) sure += fmt::format(", fewer than {} cannot do at this norm", fit.rank_bound);
  lines.add("how sure", sure)
      .add("next",
           "isometry.save_model FILE keeps it; 'ritz check' measures a saved model on other samples; isometry.sweep "
           "0.1,0.2,0.4 shows the trade")
      .detail("method", "{}, {} over the pairs", TextForm<Method>::print(how.method), counted(fit.sweeps, "sweep"));
  if (fit.trace_bound > 0) lines.detail("bound", bound_text(fit));
  return lines.notes(fit.summary.notes);
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
  facts.options["distortion"] = asked_distortion(found, options);
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
  report.data = {{"n", sizes.rows}, {"d", sizes.columns}};
  report.result = {{"operations_per_sweep", operations}, {"seconds_per_sweep", seconds}};
  const double listed = double(kScanRoom) * sizeof(ScannedPair) + sizeof(ScannedTile);
  add_card(report, device::bytes_of_ratios(sizes.rows, sizes.columns, long(rank), kScanPanel, listed));
  const double guess =
      kUsualSweeps * seconds + kSearchOperations * d * d * std::min(d, kWide) * std::sqrt(n) / thread_rate(context);
  const auto probe = [&](Index rows, RunContext& inner) {
    fit(probe_samples(rows, sizes.columns, 2, data), {}, options, inner);
  };
  add_seconds(report, timed(sizes.rows, probe, guess, context));
  return report;
}

}  // namespace ritz::isometry
