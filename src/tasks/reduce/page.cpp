// SPDX-License-Identifier: MIT
// The page of `reduce`.
#include "tasks/model/access.hpp"
#include "tasks/model/table.hpp"
#include "tasks/projection/report.hpp"
#include "tasks/reduce/task.hpp"

namespace ritz::reduce {

namespace {

using page::at, page::number, page::percent, page::words;

// The score of the setting that was chosen, where no samples were held out: a little too good, as it chose.
std::string what_choosing_showed(const Json& facts) {
  double best = kUnknown;
  for (const Json& each : at(facts, "result.setting.tried")) {
    const double score = number(each, "score");
    const bool same = words(each, "scale") == words(facts, "options.scale") &&
                      number(each, "dim") == number(facts, "result.dimension") &&
                      number(each, "shrinkage") == number(facts, "options.shrinkage");
    if (same && !(score <= best)) best = score;
  }
  if (!std::isfinite(best)) return "";
  const Json& classes = at(facts, "result.classes");
  if (classes.is_array() && classes.size() > 1)
    return fmt::format(
        " With them {} of the samples are classified right by their neighbours (cross-validated, where "
        "the setting was chosen).",
        percent(best));
  return fmt::format(" They explain {} of the variance (R² {:.3f}, cross-validated, where the setting was chosen).",
                     percent(std::max(0.0, best)), best);
}

std::string what_it_shows(const Json& facts) {
  const std::string unit = at(facts, "result.holdout.r2_after").is_number() ? "r2" : "accuracy";
  const double before = number(facts, "result.holdout." + unit + "_before"),
               after = number(facts, "result.holdout." + unit + "_after"), d = number(facts, "data.d");
  if (!std::isfinite(after)) return what_choosing_showed(facts);
  if (unit == "r2")
    return fmt::format(" Of {} samples kept out of the fit they explain {} of the variance, all {} features {}.",
                       words(facts, "result.holdout.test"), percent(after), d, percent(before));
  return fmt::format(" With them {} of {} samples kept out of the fit are classified right, with all {} features {}.",
                     percent(after), words(facts, "result.holdout.test"), d, percent(before));
}

void tell_heading(const Json& facts, const std::string& target, page::Page& page) {
  const Json &clusters = at(facts, "result.clusters"), &classes = at(facts, "result.classes");
  const bool grouped = !clusters.is_null(), classified = classes.is_array() && classes.size() > 1;
  const Index q = page::whole(facts, "result.dimension");
  page.question = grouped          ? "Which groups do the samples form, and in which directions?"
                  : classified     ? fmt::format("Which directions tell the {} classes apart?", classes.size())
                  : target.empty() ? "Which directions explain the numbers?"
                                   : fmt::format("Which directions explain {}?", target);
  std::vector<std::string> strongest;
  double share = 0;
  for (const Json& each : at(facts, "result.relevance")) {
    if (strongest.size() >= 4) break;
    strongest.push_back(words(each, "feature"));
    share += number(each, "relevance");
  }
  const std::string directions = q == 1 ? "One direction" : fmt::format("{} directions", q);
  const double d = number(facts, "data.d");
  page.answer = double(strongest.size()) >= d
                    ? fmt::format("{}, made of {}.", directions, page::joined(strongest, 4))
                    : fmt::format("{}, made mostly of {}: of {} features these have {} of the weight.", directions,
                                  page::joined(strongest, 4), d, percent(std::min(1.0, share)));
  page.answer += what_it_shows(facts);
  if (grouped) page.answer = fmt::format("Groups of {} samples, seen in: {}", words(clusters, "sizes"), page.answer);
  page.verdict = projection::verdict_of(facts);
  if (projection::nothing_found(facts)) page.answer = "Nothing beyond chance. " + page.answer;
  if (projection::nothing_found(facts) && page::converged(facts)) {
    page.verdict = grouped ? projection::chance_verdict(facts, "the columns", "clusters as clear")
                           : projection::chance_verdict(facts, classified ? "the labels" : "the targets",
                                                        "as much to do with the features");
  }
  page.figures = {{"samples", words(facts, "data.n")},
                  {"features", fmt::format("{} → {}", number(facts, "data.d"), q)}};
  if (classified) page.figures.emplace_back("classes", std::to_string(classes.size()));
  if (grouped) page.figures.emplace_back("clusters", std::to_string(at(clusters, "sizes").size()));
  if (std::isfinite(number(facts, "result.null.p")))
    page.figures.emplace_back("chance (p)", page::short_number(number(facts, "result.null.p")));
  if (std::isfinite(number(facts, "result.holdout.accuracy_after")))
    page.figures.emplace_back("held out, right", percent(number(facts, "result.holdout.accuracy_after")));
  if (std::isfinite(number(facts, "result.holdout.r2_after")))
    page.figures.emplace_back("held out, R²", page::short_number(number(facts, "result.holdout.r2_after")));
}

// What stands beside it: all features, linear models, other clusterings.
void tell_comparison(const Json& facts, page::Page& page) {
  TextTable table;
  table.columns = {"judged on held-out samples", "value"};
  const auto row = [&](const std::string& name, const char* path, bool share) {
    const double value = number(facts, path);
    if (std::isfinite(value)) table.rows.push_back({name, share ? percent(value) : page::short_number(value)});
  };
  const std::string near = words(facts, "result.holdout.neighbours");
  row(fmt::format("{} nearest neighbours in the new space, right", near), "result.holdout.accuracy_after", true);
  row(fmt::format("{} nearest neighbours with all features, right", near), "result.holdout.accuracy_before", true);
  row(fmt::format("{} nearest neighbours in the new space, R²", near), "result.holdout.r2_after", false);
  row(fmt::format("{} nearest neighbours with all features, R²", near), "result.holdout.r2_before", false);
  row("least squares with all features, R²", "result.holdout.r2_least_squares", false);
  row("partial least squares of as many components, R²", "result.holdout.r2_partial_least_squares", false);
  const auto folds = [&](const std::string& name, const std::string& key) {
    const double mean = number(facts, "result.folds." + key + ".mean"),
                 sd = number(facts, "result.folds." + key + ".sd");
    if (std::isfinite(mean)) table.rows.push_back({name, fmt::format("{:.3f} ± {:.3f}", mean, sd)});
  };
  const std::string over = fmt::format(" over {} folds", words(facts, "result.folds.finished"));
  folds("nearest neighbours in the new space" + over, "knn");
  folds("nearest neighbours with all features" + over, "knn_all_features");
  folds("support vector machine in the new space" + over, "svm");
  folds("support vector machine with all features" + over, "svm_all_features");
  row("agreement of the clusters with the truth (NMI)", "result.clusters.nmi", false);
  row("spectral clustering of all features (NMI)", "result.clusters.nmi_spectral", false);
  row("k-means of all features (NMI)", "result.clusters.nmi_kmeans", false);
  page.table("Compared with simpler ways", "Higher is better in every row; rows of one kind belong together.", table);
  page.table("Kernels that were tried", words(facts, "result.choice.reason"),
             page::table_of(at(facts, "result.choice.tried"),
                            {{"kernel", "kernel"}, {"score", "score"}, {"standard_error", "standard error"}}));
  page.table("Scales and dimensions that were tried", words(facts, "result.setting.reason"),
             page::table_of(at(facts, "result.setting.tried"), {{"setting", "scale and kernel"},
                                                                {"dim", "dimensions"},
                                                                {"score", "score"},
                                                                {"standard_error", "standard error"},
                                                                {"right", "classes found"},
                                                                {"judged", "samples"}}));
}

void tell_reading(const Json& facts, page::Page& page) {
  page::BarGroup relevance;
  for (const Json& each : at(facts, "result.relevance"))
    relevance.bars.push_back(
        {words(each, "feature"), number(each, "relevance"), number(each, "low"), number(each, "high")});
  page.bars("Which features matter",
            "Share of each feature in all axes together, weighted by what an axis brings; the shares sum to 1.",
            {relevance});
  const Json& sparse = at(facts, "result.sparse");
  if (sparse.is_null()) return;
  LinePlot plot;
  plot.x_label = "loadings that are kept";
  plot.y_label = "share of the objective that is lost";
  LineSeries series{"loss"};
  for (const Json& step : at(sparse, "path")) series.add(number(step, "loadings"), number(step, "loss"));
  plot.series = {std::move(series)};
  page.lines("With fewer loadings",
             fmt::format("{} loadings of {} features are enough: they cost {} of the objective.",
                         words(sparse, "loadings_kept"), words(sparse, "features_kept"),
                         percent(std::max(0.0, number(sparse, "loss")))),
             plot);
}

}  // namespace

std::vector<page::Grouping> ReduceTask::groups(const F& fit) {
  std::vector<page::Grouping> all;
  if (fit.result.clusters) all.push_back({"found cluster", fit.result.clusters->labels});
  if (fit.known.truth.size() > 0) all.push_back({"truth", fit.known.truth});
  if (!fit.result.fit_rows.empty()) {
    Labels part{std::vector<int>(std::size_t(fit.data->rows()), 1), {"fitted", "held out"}};
    for (const Index i : fit.result.fit_rows) part.of[std::size_t(i)] = 0;
    all.push_back({"part", std::move(part)});
  }
  return all;
}

namespace {

// What is explained, by name where it is one column of the table.
std::string target_of(const page::Source& from, const ModelFile& model) {
  for (const auto& recipe : {from.data ? from.data->recipe : nullptr, stored_recipe(model)})
    if (recipe && recipe->targets.size() == 1) return recipe->targets.front();
  return "";
}

}  // namespace

void ReduceTask::tell(const page::Source& given, page::Page& page, const RunContext& context) {
  page::Source from = given;
  const ModelFile& model = from.models.at(0);
  const std::string target = target_of(from, model);
  tell_heading(from.facts, target, page);
  const RowMatrix Z = projection::shown_samples(from, model, context);
  page::Scatter scatter = page::placed(from, Z, "axis", projection::feature_weight(model));
  scatter.title = "The samples in the new space";
  scatter.note =
      "Left the new axes, right the features that matter most as they were measured; a sample is lit in both.";
  if (model.arrays.contains("targets") && model_access::array(model, "targets").rows() == Z.rows()) {
    scatter.columns.push_back(
        {target.empty() ? "target" : target, Vector(model_access::array(model, "targets").col(0))});
    for (auto& view : scatter.views) view[2] = int(scatter.groups.size() + scatter.columns.size()) - 1;
    if (Z.cols() == 1) scatter.views[0][1] = int(scatter.columns.size()) - 1;
  }
  page.scatter(std::move(scatter));
  projection::tell_loadings(from, model, page);
  tell_reading(from.facts, page);
  tell_comparison(from.facts, page);
}

}  // namespace ritz::reduce
