// SPDX-License-Identifier: MIT
// What is said of a projection: text and JSON, and what a fit will take.
#include "tasks/projection/report.hpp"
#include "data/footprint.hpp"
#include "data/stored/stored_dataset.hpp"
#include "metrics/statistics.hpp"
#include "tasks/forecast_time.hpp"
#include "tasks/loadings.hpp"
#include "tasks/projection/null.hpp"
#include "tasks/reduce/fit.hpp"
#include "tasks/reduce/task.hpp"

namespace ritz::reduce {

namespace {

// How samples that had no part in a fit fare; the fairest evidence there is.
struct Seen {
  double reduced = kUnknown, all = kUnknown;  // share right, or R2: in the new space, with all features
  Index tested = 0;
  std::string by;  // "52 held-out samples"
  double margin(double share) const { return std::sqrt(std::max(0.0, share * (1 - share)) / double(tested)); }
};

Seen seen_of(const ReduceResult& found) {
  const HoldoutReport& held = found.holdout;
  if (std::isfinite(held.accuracy_after))
    return {held.accuracy_after, held.accuracy_before, held.test, counted(held.test, "held-out sample")};
  if (found.folds && found.folds->finished > 0)
    return {
        found.folds->knn.mean(), found.folds->knn_all_features.mean(), found.n,
        fmt::format("the samples (each predicted by a fit to the other {})", counted(found.folds->count - 1, "fold"))};
  if (!found.setting || found.setting->chosen >= found.setting->tried.size()) return {};
  const TriedSetting& chosen = found.setting->tried[found.setting->chosen];
  return {std::isfinite(chosen.right) ? chosen.right : chosen.score.value, kUnknown, found.setting->rows,
          "the samples (cross-validated, where the setting was chosen)"};
}

double commonest_share(const ReduceResult& found) {
  return double(std::ranges::max(found.classes.counts())) / double(found.classes.size());
}

// Samples that had no part in the choice either are classified far better than by the commonest class. Then it says
// nothing that the features as a whole have no more to do with the labels than with shuffled ones.
bool held_out_tell(const ReduceResult& found) {
  constexpr double kFar = 3;  // deviations
  if (found.classes.size() == 0 || !(std::isfinite(found.holdout.accuracy_after) || found.folds)) return false;
  const Seen seen = seen_of(found);
  const double chance = commonest_share(found);
  return seen.reduced > chance + kFar * seen.margin(chance);
}

std::string chance_line(const ReduceResult& found) {
  if (found.clusters) return projection::chance_text(*found.null, "the columns", "clusters as clear");
  return projection::chance_text(*found.null, found.targets.size() > 0 ? "the targets" : "the labels",
                                 "as much to do with the features", held_out_tell(found));
}

// How k-NN fares, beside all features and beside what needs no features at all.
void add_classes(Lines& lines, const ReduceResult& found) {
  const Seen seen = seen_of(found);
  const std::string axes = counted(found.fit.W.cols(), "direction");
  if (!std::isfinite(seen.reduced)) {
    lines.add("found", "{} that {} the classes apart", axes, found.fit.W.cols() == 1 ? "tells" : "tell");
    return;
  }
  const double chance = commonest_share(found);
  const Index k = found.holdout.neighbours > 0 ? found.holdout.neighbours : found.folds ? found.folds->neighbours : 5;
  std::string text = fmt::format("{}-NN in {} is right for {:.1f} % of {}", k, counted(found.fit.W.cols(), "dimension"),
                                 100 * seen.reduced, seen.by);
  if (std::isfinite(seen.all)) text += fmt::format(", {:.1f} % with all {} features", 100 * seen.all, found.d);
  text += fmt::format("; always the commonest class: {:.1f} %", 100 * chance);
  // Where one class is nearly all, votes cannot do better than to name it, whatever the features have to do with it.
  const bool related = found.null && !projection::nothing_found(found.null->p(), found.null->column_p);
  if (seen.reduced <= chance + 2 * seen.margin(chance))
    lines.add("found", (related ? "NO BETTER than always the commonest class: " : "NOTHING beyond chance: ") + text);
  else if (seen.reduced < seen.all - seen.margin(seen.all))
    lines.add("found", "LESS than all features tell: " + text);
  else
    lines.add("found", text);
}

void add_targets(Lines& lines, const ReduceResult& found) {
  const Seen seen = seen_of(found);
  if (!std::isfinite(seen.reduced)) {
    lines.add("found", "{} along which the targets change", counted(found.fit.W.cols(), "direction"));
    return;
  }
  const double linear =
      found.folds && found.folds->finished > 0 ? found.folds->least_squares.mean() : found.holdout.least_squares;
  std::string text = fmt::format("k-NN explains {:.1f} % of the targets' variance (R2 {:.3f}) of {}",
                                 100 * std::max(0.0, seen.reduced), seen.reduced, seen.by);
  if (std::isfinite(seen.all)) text += fmt::format("; with all {} features {:.3f}", found.d, seen.all);
  if (std::isfinite(linear)) text += fmt::format(", linear regression {:.3f}", linear);
  lines.add("found", seen.reduced <= 0              ? "NOTHING that predicts: " + text
                     : seen.reduced < linear - 0.01 ? "LESS than linear regression explains: " + text
                                                    : text);
}

void add_clusters(Lines& lines, const ClusterReport& clusters) {
  const std::string sizes = fmt::format("{} of {} samples", counted(clusters.labels.classes(), "cluster"),
                                        sizes_text(clusters.labels.counts()));
  if (std::isfinite(clusters.nmi)) {
    const double best = std::max(clusters.nmi_kmeans, clusters.nmi_spectral);
    lines.add("found",
              "{}{}; agreement with the labels (NMI, 1 is perfect) {:.3f}; k-means on all features {:.3f}, "
              "spectral clustering {:.3f}",
              clusters.nmi < best - 0.005
                  ? fmt::format("WORSE than {}: ", clusters.nmi_kmeans >= best ? "k-means" : "spectral clustering")
                  : "",
              sizes, clusters.nmi, clusters.nmi_kmeans, clusters.nmi_spectral);
  } else {
    lines.add("found", sizes);
  }
  lines.detail("clusters", clusters.labelled_by)
      .detail("quality", "HSIC {:.6g}, gap {:.3g}", clusters.quality, clusters.gap);
}

std::string feature_list(const std::vector<Index>& features, const std::vector<std::string>& names) {
  std::string text;
  for (const Index j : features) text.append(text.empty() ? "" : ", ").append(shortened(names[std::size_t(j)]));
  return text;
}

constexpr Index kFeaturesShown = 20, kFeaturesNamed = 6;  // in JSON, in a summary

Json bootstrap_json(const ReduceResult& found, const std::vector<Index>& features) {
  const BootstrapReport& boot = found.reading.bootstrap;
  Json json = {{"resamples", boot.finished}, {"asked", boot.asked}, {"interval", {0.05, 0.95}}};
  json["largest_angle_degrees"] = boot.angles;
  Json loadings = Json::array();
  for (const Index j : features)
    for (Index a = 0; boot.finished > 0 && a < found.fit.W.cols(); ++a)
      loadings.push_back({{"feature", found.feature_names[std::size_t(j)]},
                          {"axis", a + 1},
                          {"fitted", found.fit.W(j, a)},
                          {"mean", boot.mean(j, a)},
                          {"low", boot.low(j, a)},
                          {"high", boot.high(j, a)}});
  json["loadings"] = std::move(loadings);
  json["notes"] = boot.notes;
  return json;
}

Json sparse_json(const ReduceResult& found) {
  const SparseReport& sparse = found.reading.sparse;
  const SparseStep& chosen = sparse.path[sparse.chosen];
  Json json = {{"objective", sparse.objective},
               {"max_loss", sparse.max_loss},
               {"loadings_kept", chosen.loadings},
               {"features_kept", chosen.features},
               {"loss", chosen.loss},
               {"varimax_before", sparse.rotation.criterion_before},
               {"varimax_after", sparse.rotation.criterion_after}};
  Json path = Json::array();
  for (const SparseStep& step : sparse.path)
    path.push_back({{"loadings", step.loadings},
                    {"features", step.features},
                    {"threshold", step.threshold},
                    {"objective", step.objective},
                    {"loss", step.loss}});
  json["path"] = std::move(path);
  Json loadings = Json::array();
  for (Index a = 0; a < sparse.W.cols(); ++a) {
    Json axis = Json::array();
    for (const Index j : strongest_features(sparse.loadings.col(a), kFeaturesShown))
      axis.push_back({{"feature", found.feature_names[std::size_t(j)]}, {"loading", sparse.loadings(j, a)}});
    loadings.push_back(std::move(axis));
  }
  json["loadings"] = std::move(loadings);
  json["notes"] = sparse.notes;
  return json;
}

Json holdout_json(const HoldoutReport& holdout, bool targets) {
  Json json = {{"train", holdout.train}, {"test", holdout.test}, {"neighbours", holdout.neighbours}};
  json[targets ? "r2_before" : "accuracy_before"] = holdout.accuracy_before;
  json[targets ? "r2_after" : "accuracy_after"] = holdout.accuracy_after;
  if (!targets) return json;
  json["r2_least_squares"] = holdout.least_squares;
  json["r2_partial_least_squares"] = holdout.partial;
  return json;
}

Json setting_json(const SettingChoice& setting) {
  Json json = {{"reason", setting.reason},
               {"dimensions", setting.curve},
               {"score", setting.score},
               {"rows", setting.rows},
               {"notes", setting.notes}};
  json["tried"] = Json::array();
  for (const TriedSetting& each : setting.tried)
    json["tried"].push_back({{"setting", scale_text(each)},
                             {"scale", TextForm<Scaling>::print(each.scale)},
                             {"shrinkage", each.shrinkage},
                             {"whiten_by", TextForm<WhitenBy>::print(each.whiten_by)},
                             {"dim", each.dim},
                             {"kernel", each.kernel},
                             {"score", each.score.value},
                             {"standard_error", each.score.standard_error},
                             {"right", each.right},
                             {"judged", each.judged},
                             {"seconds", each.seconds}});
  return json;
}

Json clusters_json(const ClusterReport& clusters) {
  return {{"sizes", clusters.labels.counts()},   {"quality", clusters.quality}, {"gap", clusters.gap},
          {"labelled_by", clusters.labelled_by}, {"nmi", clusters.nmi},         {"nmi_spectral", clusters.nmi_spectral},
          {"nmi_kmeans", clusters.nmi_kmeans}};
}

// What is not in the line "found".
void add_folds(Lines& lines, const FoldReport& report, Index features) {
  const auto spread = [](const FoldMeasure& measure, double scale, int digits) {
    return fmt::format("{:.{}f} ± {:.{}f}", scale * measure.mean(), digits, scale * measure.deviation(), digits);
  };
  const std::string name = report.finished == report.count ? fmt::format("{} folds", report.count)
                                                           : fmt::format("{}/{} folds", report.finished, report.count);
  if (report.finished == 0) {
    lines.add(name, "none finished");
    return;
  }
  std::string text;
  const auto say = [&](const std::string& what, const FoldMeasure& reduced, const FoldMeasure& all) {
    if (!std::isfinite(reduced.mean())) return;
    text += fmt::format("{}{} {} % right", text.empty() ? "" : "; ", what, spread(reduced, 100, 1));
    if (std::isfinite(all.mean())) text += fmt::format(" ({} % with all {} features)", spread(all, 100, 1), features);
  };
  if (std::isfinite(report.least_squares.mean())) {
    text = fmt::format("R2 {} by {}-NN ({} with all {} features), {} by least squares, {} by partial least squares",
                       spread(report.knn, 1, 3), report.neighbours, spread(report.knn_all_features, 1, 3), features,
                       spread(report.least_squares, 1, 3), spread(report.partial, 1, 3));
  } else {
    say(fmt::format("{}-NN", report.neighbours), report.knn, report.knn_all_features);
    say("SVM", report.svm, report.svm_all_features);
  }
  lines.add(name, text + "; the model shown and saved is fitted to all samples");
  lines.detail("objective", "{:.7g} ± {:.3g} over the folds, {:.7g} without the kernel's diagonal",
               report.objective.mean(), report.objective.deviation(), report.zero_diagonal.mean());
}

// Of a table with categories: the columns, each with the sum over its features, the largest first.
std::vector<std::pair<std::string, double>> column_relevance(const ReduceResult& found, const Dataset& data) {
  const Vector& relevance = found.reading.relevance;
  if (!data.recipe || data.recipe->features() == Index(data.recipe->columns.size()) ||
      data.recipe->features() != relevance.size())
    return {};
  std::vector<std::pair<std::string, double>> columns;
  for (const Column& column : data.recipe->columns) columns.emplace_back(column.name, 0.0);
  const std::vector<Index> of = data.recipe->column_of_features();
  for (Index j = 0; j < relevance.size(); ++j) columns[std::size_t(of[std::size_t(j)])].second += relevance[j];
  std::ranges::stable_sort(columns, [](const auto& a, const auto& b) { return a.second > b.second; });
  return columns;
}

// Of all features, the levels of a category together; the largest first.
std::string relevance_text(const ReduceResult& found) {
  constexpr std::size_t kWidth = 78;
  const auto& [relevance, boot, sparse, few] = found.reading;
  const std::vector<FeatureGroup> groups = level_groups(found.feature_names);
  Vector shares(Index(groups.size()));
  for (Index g = 0; g < shares.size(); ++g) shares[g] = relevance(groups[std::size_t(g)].features).sum();
  std::string list;
  for (const Index g : strongest_features(shares, kFeaturesNamed)) {
    const FeatureGroup& group = groups[std::size_t(g)];
    std::string text = fmt::format("{} {:.1f} %", shortened(group.name), 100 * shares[g]);
    if (const Index j = group.features.front(); boot.finished > 0 && group.features.size() == 1)
      text += fmt::format(" ({:.1f} to {:.1f})", 100 * boot.relevance_low[j], 100 * boot.relevance_high[j]);
    if (boot.finished == 0 && !list.empty() && text_width(list) + text_width(text) > kWidth) break;
    list += (list.empty() ? "" : ", ") + text;
  }
  return list;
}

std::string sparse_text(const ReduceResult& found) {
  const SparseReport& sparse = found.reading.sparse;
  const SparseStep& step = sparse.path[sparse.chosen];
  const Vector used = sparse.W.cwiseAbs2().rowwise().sum();
  return fmt::format("{} of {} features do, for {:.2g} % of the objective: {}", step.features, found.fit.W.rows(),
                     100 * std::max(0.0, step.loss),
                     feature_list(strongest_features(used, kFeaturesNamed), found.feature_names) +
                         (step.features > kFeaturesNamed ? ", …" : ""));
}

std::string few_text(const ReduceResult& found) {
  const FewReport& few = found.reading.few;
  std::vector<std::string> names;
  for (std::size_t k = 0; k < few.features.size() && k < 12; ++k)
    names.push_back(found.feature_names[std::size_t(few.features[k])]);
  const bool percent = found.targets.size() == 0;
  const auto told = [&](double value) {
    return percent ? fmt::format("{:.1f} %", 100 * value) : fmt::format("{:.3f}", value);
  };
  return fmt::format("{}{}; {} {} with them alone, {} with all {} (cross-validated)", listed(names),
                     few.features.size() > names.size() ? ", …" : "", few.judged_by, told(few.score.value),
                     told(few.score_all.value), found.d);
}

Json few_json(const ReduceResult& found) {
  const FewReport& few = found.reading.few;
  Json json = {{"judged_by", few.judged_by},
               {"score", few.score.value},
               {"score_all_features", few.score_all.value},
               {"features", Json::array()},
               {"notes", few.notes}};
  for (std::size_t k = 0; k < few.features.size(); ++k)
    json["features"].push_back(
        {{"feature", found.feature_names[std::size_t(few.features[k])]}, {"relevance", few.relevance[k]}});
  return json;
}

// What to do with it, by what is not known yet.
std::string next_text(const ReduceResult& found, const ReduceOptions& options) {
  std::vector<std::string> steps;
  const bool judged = found.folds || options.holdout > 0;
  if (found.fit.summary.termination == Termination::max_iterations) {  // what would make it converge
    const int limit = found.clusters ? options.max_rounds : options.how.max_iterations;
    steps.push_back(fmt::format("{} {} goes on", found.clusters ? "reduce.max_rounds" : "ism.max_iterations",
                                std::min<std::int64_t>(10 * std::int64_t(limit), 1'000'000'000)));
  }
  if (!judged && !found.clusters) steps.emplace_back("reduce.folds 5 tells how it does on new samples");
  if (found.clusters && options.how.restarts < 2) steps.emplace_back("reduce.restarts 10 tries other starts");
  if (found.reading.bootstrap.asked == 0) steps.emplace_back("reduce.bootstrap 20 how sure the loadings are");
  steps.emplace_back("reduce.plot FILE draws it");
  if (steps.size() < 3) steps.emplace_back("reduce.save_model FILE keeps it for new samples");
  return fmt::format("{}", fmt::join(steps, "; "));
}

}  // namespace

Lines ReduceTask::text(const F& whole) {
  const ReduceResult& found = whole.result;
  const Summary& summary = found.fit.summary;
  const BootstrapReport& boot = found.reading.bootstrap;
  const std::string guided_by = found.clusters             ? counted(found.clusters->labels.classes(), "cluster")
                                : found.classes.size() > 0 ? fmt::format("{} classes", found.classes.classes())
                                                           : "numeric targets";
  Lines lines;
  lines.raw("{}, {}, {} -> {}\n", counted(found.n, "sample"), counted(found.d, "feature"), guided_by,
            counted(found.fit.W.cols(), "dimension"));
  lines.ending(summary)
      .detail("kernel", projection::short_kernel_text(found.kernel))
      .detail("certificate", "{}, residual {:.1e}", projection::certificate_text(found.fit.certificate),
              found.fit.certificate.first_order);
  if (const auto& sampling = found.fit.certificate.sampling) lines.add("sampled", projection::sampling_text(*sampling));
  if (found.clusters)
    add_clusters(lines, *found.clusters);
  else if (found.targets.size() > 0)
    add_targets(lines, found);
  else
    add_classes(lines, found);
  projection::add_axes(lines, found, verb);
  lines.add("relevance", relevance_text(found));
  if (!found.reading.sparse.path.empty()) lines.add("sparse", sparse_text(found));
  if (!found.reading.few.features.empty())
    lines.add(fmt::format("best {}", found.reading.few.features.size()), few_text(found));
  if (found.folds) add_folds(lines, *found.folds, found.d);
  std::string sure = projection::sureness_text(found, "step");
  if (boot.finished > 0) {
    std::vector<double> angles = boot.angles;
    std::ranges::sort(angles);
    sure += fmt::format("; in {} the directions turn by {:.1f}° (half of them) to {:.1f}° (95 %)",
                        counted(boot.finished, "resample"), quantile(angles, 0.5), quantile(angles, 0.95));
  }
  lines.add("how sure", sure);
  if (found.null) lines.add("chance", chance_line(found));
  if (found.choice) lines.add("chosen", found.choice->reason);
  if (found.setting) {
    lines.add("chosen", found.setting->reason);
    if (!found.setting->curve.empty()) lines.detail("dimensions", found.setting->curve);
  }
  lines.add("next", next_text(found, whole.options));
  if (found.holdout.test > 0)
    lines.add("note",
              "the model shown and saved is fitted to the {} other samples: without reduce.holdout it is to all",
              found.holdout.train);
  std::vector<std::string> notes = summary.notes;
  for (const auto* more : {&boot.notes, &found.reading.sparse.notes, &found.reading.few.notes})
    std::ranges::copy(*more, std::back_inserter(notes));
  if (found.setting) std::ranges::copy(found.setting->notes, std::back_inserter(notes));
  if (found.folds) std::ranges::copy(found.folds->notes, std::back_inserter(notes));
  return lines.notes(notes);
}

Json choice_json(const Choice& choice) {
  Json json = {{"kernel", choice.kernel}, {"reason", choice.reason}, {"score", choice.score}};
  json["tried"] = Json::array();
  for (const Tried& each : choice.tried)
    json["tried"].push_back({{"kernel", each.kernel},
                             {"score", each.score.value},
                             {"standard_error", each.score.standard_error},
                             {"seconds", each.seconds}});
  json["notes"] = choice.notes;
  return json;
}

Json folds_json(const FoldReport& report) {
  Json json = {{"count", report.count},
               {"finished", report.finished},
               {"neighbours", report.neighbours},
               {"scaled", report.scaled_once ? "once, on all samples" : "on each training part"},
               {"deviation", "population"},
               {"test_sizes", report.test_sizes}};
  const auto add = [&](const char* name, const FoldMeasure& measure) {
    Json values = Json::array();
    for (const double value : measure.values) values.push_back(value);
    json[name] = {{"mean", measure.mean()}, {"sd", measure.deviation()}, {"values", std::move(values)}};
  };
  add("objective", report.objective);
  add("objective_zero_diagonal", report.zero_diagonal);
  add("dimension", report.dimension);
  add("iterations", report.iterations);
  add("seconds", report.seconds);
  add("knn", report.knn);
  add("svm", report.svm);
  add("knn_all_features", report.knn_all_features);
  add("svm_all_features", report.svm_all_features);
  if (std::isfinite(report.least_squares.mean())) {  // numeric targets: all of these are R2
    add("least_squares", report.least_squares);
    add("partial_least_squares", report.partial);
  }
  json["notes"] = report.notes;
  return json;
}

Json interpretation_json(const ReduceResult& found) {
  const BootstrapReport& boot = found.reading.bootstrap;
  const std::vector<Index> features = strongest_features(found.reading.relevance, kFeaturesShown);
  Json json = Json::object();
  json["relevance"] = Json::array();
  for (const Index j : features) {
    Json one = {{"feature", found.feature_names[std::size_t(j)]}, {"relevance", found.reading.relevance[j]}};
    if (boot.finished > 0) {
      one["low"] = boot.relevance_low[j];
      one["high"] = boot.relevance_high[j];
    }
    json["relevance"].push_back(std::move(one));
  }
  if (boot.asked > 0) json["bootstrap"] = bootstrap_json(found, features);
  if (!found.reading.sparse.path.empty()) json["sparse"] = sparse_json(found);
  if (!found.reading.few.judged_by.empty()) json["few"] = few_json(found);
  return json;
}

Json ReduceTask::json(const F& fit) {
  Json json = reduce_json(fit.result, fit.options);
  for (const auto& [name, share] : column_relevance(fit.result, *fit.data))
    json["result"]["column_relevance"].push_back({{"column", name}, {"relevance", share}});
  return json;
}

Json reduce_json(const ReduceResult& found, const ReduceOptions& options) {
  Facts facts{ReduceTask::verb, ReduceTask::method};
  facts.certificate = certificate_json(found.fit.certificate);
  facts.options = options_json(options);
  facts.options["clusters"] = found.clusters ? found.clusters->labels.classes() : 0;
  facts.options["mode"] = TextForm<Mode>::print(found.mode);
  facts.options["dim"] = found.fit.W.cols();
  facts.options["kernel"] = kernel_text(found.kernel);
  facts.options["scale"] = TextForm<Scaling>::print(found.scale);
  facts.options["shrinkage"] = found.shrinkage;
  facts.options["whiten_by"] = TextForm<WhitenBy>::print(found.whiten_by);
  if (found.choice) facts.options["sigma"] = "";
  facts.given = {{"mode", TextForm<Mode>::print(options.mode)},
                 {"clusters", TextForm<ClusterCount>::print(options.clusters)},
                 {"dim", TextForm<Dimension>::print(options.dim)},
                 {"kernel", options.kernel},
                 {"sigma", options.sigma},
                 {"scale", TextForm<Scaling>::print(options.scale)},
                 {"shrinkage", options.shrinkage},
                 {"whiten_by", TextForm<WhitenBy>::print(options.whiten_by)}};
  facts.data = projection::data_json(found);
  facts.result = {{"dimension", found.fit.W.cols()},
                  {"eigenvalues", vector_json(found.fit.certificate.eigenvalues)},
                  {"start_objective", found.fit.start_objective},
                  {"gamma_trace", found.gamma_trace},
                  {"classes", found.classes.names},
                  {"class_counts", found.classes.counts()},
                  {"top_loadings", projection::loadings_json(found)}};
  if (found.holdout.test > 0) facts.result["holdout"] = holdout_json(found.holdout, found.targets.size() > 0);
  if (found.clusters) facts.result["clusters"] = clusters_json(*found.clusters);
  if (found.choice) facts.result["choice"] = choice_json(*found.choice);
  if (found.setting) facts.result["setting"] = setting_json(*found.setting);
  if (found.folds) facts.result["folds"] = folds_json(*found.folds);
  if (found.null) {
    facts.result["null"] = projection::null_json(*found.null, found.clusters ? "quality" : "hsic");
    if (held_out_tell(found)) facts.result["null"]["held_out_tell"] = true;
  }
  facts.result.update(interpretation_json(found));
  return envelope(found.fit.summary, std::move(facts));
}

ForecastReport ReduceTask::forecast(const ReduceSizes& asked, const ReduceOptions& options, const Dataset* data,
                                    const RunContext& context) {
  ReduceSizes sizes = asked;
  sizes.samples.take(data);
  if (data && data->labels.size() > 0) sizes.classes = data->labels.classes();
  const bool clusters = finds_clusters(options.mode);
  const Index told = clusters && options.clusters > 0 ? options.clusters.value : sizes.classes;
  PairSizes pairs = projection::forecast_sizes(sizes.samples, told, options.dim, verb, data);
  const KernelSum kernel = widest_kernel(options);
  // Choices are made on at most so many samples, some dozens of settings or kernels in five folds each.
  constexpr double kSettings = 14, kFolds = 5;
  const double small = std::min(1.0, double(Evidence::kMostRows) / double(pairs.n));
  const bool open = !clusters && options.preset == Preset::best &&
                    (options.dim.value == 0 || options.scale == Scaling::automatic || leaves_kernel_open(options));
  const double choice = open ? kSettings * kFolds * small * small : 0;
  const double fits = (1 + choice) * double(1 + options.splitting.folds) + double(options.resampling.bootstrap) +
                      (clusters ? 10.0 * double(1 + options.how.restarts) : 0.0);
  double held = sizes.samples.bytes(data);
  const bool stays = !data && held > detail::kHeldShare * double(context.max_memory);
  if (stays) {
    held = 8.0 * std::min(double(pairs.n), kStoredRows) * double(sizes.samples.columns);
    pairs.sparse = true;  // not held as they are
  }
  const auto probe = [&](Index rows, RunContext& inner) {
    fit(probe_samples(rows, sizes.samples.columns, told, data), {}, options, inner);
  };
  ForecastReport report = projection::forecast_report(pairs, kernel, fits, probe, context, sizes.ranks);
  report.bytes =
      fit_bytes(held, pairs, kernel, options, context) + (pairs.sparse ? 0.0 : projection::frame_bytes(sizes.samples));
  if (stays || (data && data->stored()))
    report.lines.add("samples", "stay in their file: {} do not fit into the memory allowed",
                     bytes_text(8.0 * double(pairs.n) * double(sizes.samples.columns)));
  report.headline = fmt::format("reduce {} x {}, {} {} -> {}", pairs.n, sizes.samples.columns, told,
                                clusters ? "clusters" : "classes", counted(pairs.q, "dimension"));
  report.data = {{"n", pairs.n}, {"d", sizes.samples.columns}, {"classes", told}};
  return report;
}

}  // namespace ritz::reduce
