// SPDX-License-Identifier: MIT
// The page of `isometry`.
#include "ritz/pairs/backend.hpp"
#include "tasks/isometry/task.hpp"
#include "tasks/model/access.hpp"

namespace ritz::isometry {

namespace {

using page::at, page::number, page::percent, page::words;
constexpr std::size_t kMostListed = 10;

void tell_sweep(const Json& facts, page::Page& page) {
  LinePlot plot;
  plot.x_label = "distortion of squared distances";
  plot.y_label = "measurements";
  LineSeries own{"smallest rank found"}, pca{"principal components"};
  for (const Json& each : at(facts, "result.sweep")) {
    own.add(number(each, "distortion"), number(each, "rank"));
    if (std::isfinite(number(each, "pca"))) pca.add(number(each, "distortion"), number(each, "pca"));
  }
  if (own.x.empty()) return;
  page.answer = fmt::format("From {} at a distortion of {:g} to {} at {:g}{}.",
                            counted(Index(own.y.front()), "measurement"), own.x.front(), own.y.back(), own.x.back(),
                            pca.x.size() < own.x.size()
                                ? std::string()
                                : fmt::format("; principal components need {} and {}", pca.y.front(), pca.y.back()));
  plot.series = {std::move(own)};
  if (!pca.x.empty()) plot.series.push_back(std::move(pca));
  page.verdict =
      page::converged(facts)
          ? page::Verdict{page::Light::good, "Kept on every pair",
                          "At each rank all pairs were measured. The ranks are the smallest that were found."}
          : page::not_converged(facts);
  page.lines("Rank against distortion", "How many measurements it takes to keep all distances so well.", plot)
      .table("The same in numbers", "",
             page::table_of(at(facts, "result.sweep"),
                            {{"distortion", "distortion"}, {"rank", "rank"}, {"pca", "principal components"}}));
}

page::Verdict verdict_of(const Json& facts, double asked) {
  const double distortion = number(facts, "certificate.distortion"), bound = number(facts, "certificate.rank_bound");
  if (!(distortion <= asked * (1 + 1e-9)))
    return {page::Light::bad, "Not kept",
            fmt::format("The least distortion that was found is {:.4g}, {:g} was asked for.", distortion, asked)};
  if (!page::converged(facts)) return page::not_converged(facts);
  return {
      page::Light::good, "Kept on every pair",
      fmt::format("All {} pairs were measured with these very numbers, none was sampled: the promise holds for each of "
                  "them. That no fewer measurements would do is not proven{}.",
                  words(facts, "certificate.pairs"),
                  std::isfinite(bound)
                      ? fmt::format("; {:g} {} needed at least at this spectral norm", bound, bound == 1 ? "is" : "are")
                      : "")};
}

void tell_ratios(const Json& facts, double asked, page::Page& page) {
  page::Histogram ratios;
  ratios.x_label = "squared distance after / before";
  const std::vector<double> counts = page::numbers(facts, "result.histogram.counts");
  const double low = number(facts, "result.histogram.lowest"), high = number(facts, "result.histogram.highest");
  std::size_t first = 0, last = counts.size();
  while (first < last && !(counts[first] > 0)) ++first;
  while (last > first && !(counts[last - 1] > 0)) --last;
  if (first < last) {
    const double step = (high - low) / double(counts.size());
    ratios.low = low + step * double(first);
    ratios.high = low + step * double(last);
    ratios.counts.assign(counts.begin() + std::ptrdiff_t(first), counts.begin() + std::ptrdiff_t(last));
    ratios.band = {1 - asked, 1 + asked};
    page.histogram(
        "How well distances are kept",
        fmt::format("All pairs: the green band is what was asked for, 1 ± {:g}. The ratios lie in [{:.4g}, {:.4g}].",
                    asked, number(facts, "certificate.lowest"), number(facts, "certificate.highest")),
        ratios);
  }
}

// The fit keeps the very worst pair; with the samples at hand those next to it are measured, too.
void tell_worst(const page::Source& from, page::Page& page, const RunContext& context) {
  constexpr double kMostPairs = 5e7;  // some seconds
  constexpr double kNear = 0.9;       // of the largest distortion
  const double distortion = number(from.facts, "certificate.distortion");
  page::PairTable worst(from, {"ratio"});
  std::string_view note = "The two whose distance is changed most.";
  const double n = from.data ? double(from.data->rows()) : 0;
  if (from.data && !from.models.empty() && worst.same && n * (n - 1) / 2 <= kMostPairs && std::isfinite(distortion)) {
    RowMatrix filled;
    const RowMatrix& X = dense_rows(*from.data, filled, context);
    const Matrix& psi = projection_for(from.models[0], *from.data);
    const DistanceRequest request{.band = kNear * distortion, .listed = Index(kMostListed), .per_point = 2};
    const auto meter =
        backend_or_cpu(context).distance_sweep(X, stored_pairs(from.models[0], from.data->rows()), context);
    for (const MeasuredPair& pair : meter->sweep(psi, request, context).worst)
      worst.add(pair.a, pair.b, {fmt::format("{:.6f}", pair.ratio)});
    note = "Those whose distances are changed most, each sample at most twice.";
  } else {
    for (const Json& pair : at(from.facts, "certificate.worst"))
      worst.add(page::whole(pair, "i"), page::whole(pair, "j"), {fmt::format("{:.6f}", number(pair, "ratio"))});
  }
  page.table("The worst pairs", note, worst.table, worst.points);
}

void tell_comparison(const Json& facts, page::Page& page) {
  TextTable table;
  table.columns = {"as many measurements by", "distortion", "lowest ratio", "highest ratio"};
  const bool recall = number(facts, "result.recall_neighbours") > 0;
  if (recall) table.columns.push_back(fmt::format("recall of {} neighbours", words(facts, "result.recall_neighbours")));
  for (const Json& each : at(facts, "result.comparison")) {
    const std::string name = words(each, "name");
    table.rows.push_back({name == "ritz"  ? "these"
                          : name == "pca" ? "principal components"
                                          : "random projection",
                          page::short_number(number(each, "distortion")), page::short_number(number(each, "lowest")),
                          page::short_number(number(each, "highest"))});
    if (recall) table.rows.back().push_back(percent(number(each, "recall")));
  }
  page.table("Compared at the same rank", "Smaller distortion and larger recall are better.", table);
  LinePlot plot;
  plot.x_label = "measurements";
  plot.y_label = "distortion";
  LineSeries reached{"reached"}, missed{"not reached"};
  reached.joined = missed.joined = false;
  for (const Json& trial : at(facts, "result.trials"))
    (at(trial, "reached") == Json(true) ? reached : missed).add(number(trial, "rank"), number(trial, "distortion"));
  if (reached.x.size() + missed.x.size() > 1) {
    for (LineSeries* each : {&reached, &missed})
      if (!each->x.empty()) plot.series.push_back(std::move(*each));
    page.lines("Ranks that were tried", "The least distortion that was found at each rank.", plot);
  }
}

// How much of the variance of the measurements comes from each feature by itself.
Vector weight_of_features(const ModelFile& model, const Dataset& data) {
  const Matrix& psi = model_access::array(model, "projection");
  Vector weight = psi.colwise().squaredNorm().transpose();
  if (data.sparse()) return weight;
  const RowsView X = data.dense();
  for (Index j = 0; j < X.cols(); ++j) weight[j] *= (X.col(j).array() - X.col(j).mean()).square().mean();
  return weight;
}

}  // namespace

void IsometryTask::tell(const page::Source& from, page::Page& page, const RunContext& context) {
  const Json& facts = from.facts;
  page.question = "How few measurements keep all distances?";
  page.figures = {{"samples", words(facts, "data.n")}, {"features", words(facts, "data.d")}};
  if (!at(facts, "result.sweep").is_null()) return tell_sweep(facts, page);
  const double asked = number(facts, "options.distortion"), rank = number(facts, "result.rank");
  page.answer = fmt::format("{} of {} features keep every squared distance within {} of what it was.",
                            counted(Index(rank), "measurement"), number(facts, "data.d"),
                            percent(number(facts, "certificate.distortion")));
  page.verdict = verdict_of(facts, asked);
  page.figures.emplace_back("measurements", words(facts, "result.rank"));
  page.figures.emplace_back("distortion",
                            fmt::format("{:.4f} of {:g}", number(facts, "certificate.distortion"), asked));
  page.figures.emplace_back("pairs measured", words(facts, "certificate.pairs"));
  // Each step tries a rank: its objective is that rank, and what it came to is among those that were tried.
  page.objective = {"Ranks, one after the other", "Where a rank does, a smaller one is tried.", "measurements"};
  page.measure.title = "";
  tell_ratios(facts, asked, page);
  tell_worst(from, page, context);
  if (at(facts, "result.prefixes").is_array())
    page.table("Prefixes",
               "The first rows by themselves: squared distances of so many, times the scale, change by no more.",
               page::table_of(at(facts, "result.prefixes"), {{"rank", "first rows"},
                                                             {"scale", "scale"},
                                                             {"distortion", "distortion"},
                                                             {"alone", "rows of their own"},
                                                             {"pca", "principal components"}}));
  if (!from.models.empty() && from.data) {
    page::Scatter scatter = page::placed(from, transform(from.models[0], *from.data, context), "measurement",
                                         weight_of_features(from.models[0], *from.data));
    scatter.title = "The measured samples";
    scatter.note = "Left the strongest measurements, right the features that make up most of them.";
    page.scatter(std::move(scatter));
  }
  tell_comparison(facts, page);
}

}  // namespace ritz::isometry
