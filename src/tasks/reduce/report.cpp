// SPDX-License-Identifier: MIT
// What is said of a projection: text and JSON, and what a fit will take.
#include "tasks/projection/report.hpp"
#include "metrics/statistics.hpp"
#include "tasks/reduce/fit.hpp"
#include "tasks/reduce/task.hpp"

namespace ritz::reduce {

namespace {

void add_clusters(Lines& lines, const ClusterReport& clusters) {
  lines.add("clusters", "sizes {}; {}", sizes_text(clusters.labels.counts()), clusters.labelled_by);
  lines.add("quality", "HSIC {:.6g}, gap {:.3g}", clusters.quality, clusters.gap);
  if (std::isfinite(clusters.nmi))
    lines.add("NMI, truth", "{:.3f}; spectral clustering of all features {:.3f}, k-means {:.3f}", clusters.nmi,
              clusters.nmi_spectral, clusters.nmi_kmeans);
}

std::string feature_list(const std::vector<Index>& features, const std::vector<std::string>& names) {
  std::string text;
  for (const Index j : features) text.append(text.empty() ? "" : ", ").append(names[std::size_t(j)]);
  return text;
}

constexpr Index kFeaturesShown = 20;

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
    json["tried"].push_back({{"scale", TextForm<Scaling>::print(each.scale)},
                             {"shrinkage", each.shrinkage},
                             {"dim", each.dim},
                             {"kernel", each.kernel},
                             {"score", each.score.value},
                             {"standard_error", each.score.standard_error},
                             {"seconds", each.seconds}});
  return json;
}

Json clusters_json(const ClusterReport& clusters) {
  return {{"sizes", clusters.labels.counts()},   {"quality", clusters.quality}, {"gap", clusters.gap},
          {"labelled_by", clusters.labelled_by}, {"nmi", clusters.nmi},         {"nmi_spectral", clusters.nmi_spectral},
          {"nmi_kmeans", clusters.nmi_kmeans}};
}

}  // namespace

std::string folds_text(const FoldReport& report, Index features) {
  Lines lines;
  const auto spread = [](const FoldMeasure& measure, double scale, int digits) {
    return fmt::format("{:.{}f} ± {:.{}f}", scale * measure.mean(), digits, scale * measure.deviation(), digits);
  };
  std::string objective = "none finished";
  if (report.finished > 0)
    objective = fmt::format("objective {:.7g} ± {:.3g}", report.objective.mean(), report.objective.deviation());
  if (std::isfinite(report.zero_diagonal.mean()))
    objective += fmt::format(" ({:.7g} without the kernel's diagonal)", report.zero_diagonal.mean());
  lines.add(report.finished == report.count ? fmt::format("{} folds", report.count)
                                            : fmt::format("{}/{} folds", report.finished, report.count),
            objective);
  const auto accuracy = [&](const std::string& name, const FoldMeasure& reduced, const FoldMeasure& all) {
    if (!std::isfinite(reduced.mean())) return;
    std::string value = fmt::format("{} % right", spread(reduced, 100, 1));
    if (std::isfinite(all.mean())) value += fmt::format("; with all {} features {} %", features, spread(all, 100, 1));
    lines.add(name, value);
  };
  if (std::isfinite(report.least_squares.mean())) {
    lines.add(fmt::format("{}-NN", report.neighbours), "R2 {}; with all {} features {}", spread(report.knn, 1, 3),
              features, spread(report.knn_all_features, 1, 3));
    lines.add("linear", "R2 of least squares {}, of partial least squares {}", spread(report.least_squares, 1, 3),
              spread(report.partial, 1, 3));
    return lines.notes(report.notes).text();
  }
  accuracy(fmt::format("{}-NN", report.neighbours), report.knn, report.knn_all_features);
  accuracy("SVM", report.svm, report.svm_all_features);
  return lines.notes(report.notes).text();
}

std::string interpretation_text(const ReduceResult& found) {
  constexpr Index kShown = 6;
  Lines lines;
  const std::vector<std::string>& names = found.feature_names;
  const Matrix& W = found.fit.W;
  const auto& [relevance, boot, sparse] = found.reading;
  std::string list;
  for (const Index j : strongest_features(relevance, kShown)) {
    list += fmt::format("{}{} {:.1f} %", list.empty() ? "" : ", ", names[std::size_t(j)], 100 * relevance[j]);
    if (boot.finished > 0)
      list += fmt::format(" ({:.1f} to {:.1f})", 100 * boot.relevance_low[j], 100 * boot.relevance_high[j]);
  }
  lines.add("relevance", list);
  if (boot.finished > 0) {
    std::vector<double> angles = boot.angles;
    std::ranges::sort(angles);
    lines.add("bootstrap", "{} resamples, subspace within {:.1f}° in half and {:.1f}° in 95 % of them", boot.finished,
              quantile(angles, 0.5), quantile(angles, 0.95));
  }
  if (!sparse.path.empty()) {
    const SparseStep& step = sparse.path[sparse.chosen];
    const Vector used = sparse.W.cwiseAbs2().rowwise().sum();
    lines.add("sparse", "{} of {} loadings, {} of {} features, cost {:.2g} % of the objective: {}", step.loadings,
              W.size(), step.features, W.rows(), 100 * std::max(0.0, step.loss),
              feature_list(strongest_features(used, kShown), names) + (step.features > kShown ? ", …" : ""));
  }
  return lines.notes(boot.notes).notes(sparse.notes).text();
}

std::string ReduceTask::text(const F& whole) {
  const ReduceResult& found = whole.result;
  const Summary& summary = found.fit.summary;
  const ism::Certificate& certificate = found.fit.certificate;
  const Index q = found.fit.W.cols();
  const std::string guided_by = found.clusters ? fmt::format("{} clusters", found.clusters->labels.classes())
                                : found.classes.size() > 0 ? fmt::format("{} classes", found.classes.classes())
                                                           : "numeric targets";
  Lines lines;
  lines.raw("{} samples, {} features, {} -> {}\n", found.n, found.d, guided_by, counted(q, "dimension"));
  lines.add("kernel", projection::short_kernel_text(found.kernel));
  lines.ending(summary, "{} iterations, {} (residual {:.1e})", summary.iterations, summary.message,
               certificate.first_order);
  lines.add("objective", "{:.10g}", summary.objective);
  lines.add("certificate", projection::certificate_text(certificate));
  if (found.clusters) add_clusters(lines, *found.clusters);
  if (found.targets.size() > 0 && std::isfinite(found.holdout.accuracy_before))
    lines.add(fmt::format("{}-NN", found.holdout.neighbours),
              fmt::format("R2 {:.3f} with all {} features -> {:.3f} with {} ({} samples held out of the fit; least "
                          "squares {:.3f}, partial {:.3f})",
                          found.holdout.accuracy_before, found.d, found.holdout.accuracy_after, q, found.holdout.test,
                          found.holdout.least_squares, found.holdout.partial));
  else if (std::isfinite(found.holdout.accuracy_before))
    lines.add(fmt::format("{}-NN", found.holdout.neighbours),
              fmt::format("{:.1f} % right with all {} features -> {:.1f} % with {} ({} samples held out of the fit)",
                          100 * found.holdout.accuracy_before, found.d, 100 * found.holdout.accuracy_after, q,
                          found.holdout.test));
  lines.notes(summary.notes);
  if (found.choice) lines.add("choice", found.choice->reason);
  if (found.setting) {
    lines.add("chosen", found.setting->reason);
    if (!found.setting->curve.empty()) lines.add("dimensions", found.setting->curve);
    lines.notes(found.setting->notes);
  }
  lines.raw(projection::axes_text(found, verb));
  if (found.folds) lines.raw(folds_text(*found.folds, found.d));
  return lines.raw(interpretation_text(found)).time(summary).text();
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
  Json json;
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
  return json;
}

Json reduce_json(const ReduceResult& found, const ReduceOptions& options) {
  Facts facts{ReduceTask::verb, ReduceTask::method};
  facts.certificate = certificate_json(found.fit.certificate);
  facts.options = options_json(options);
  facts.options["mode"] = TextForm<Mode>::print(found.mode);
  facts.options["dim"] = found.fit.W.cols();
  facts.options["kernel"] = kernel_text(found.kernel);
  facts.options["scale"] = TextForm<Scaling>::print(found.scale);
  facts.options["shrinkage"] = found.shrinkage;
  if (found.choice) facts.options["sigma"] = "";
  facts.given = {{"mode", TextForm<Mode>::print(options.mode)},
                 {"dim", TextForm<Dimension>::print(options.dim)},
                 {"kernel", options.kernel},
                 {"sigma", options.sigma},
                 {"scale", TextForm<Scaling>::print(options.scale)},
                 {"shrinkage", options.shrinkage}};
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
  facts.result.update(interpretation_json(found));
  return envelope(found.fit.summary, std::move(facts));
}

ForecastReport ReduceTask::forecast(const ReduceSizes& asked, const ReduceOptions& options, const Dataset* data,
                                    const RunContext& context) {
  ReduceSizes sizes = asked;
  sizes.samples.take(data);
  if (data && data->labels.size() > 0) sizes.classes = data->labels.classes();
  const bool clusters = finds_clusters(options.mode);
  const Index told = clusters && options.clusters > 0 ? options.clusters : sizes.classes;
  const PairSizes pairs = projection::forecast_sizes(sizes.samples, told, options.dim, verb, data);
  const KernelSum kernel = widest_kernel(options);
  ForecastReport report = projection::forecast_report(pairs, kernel, context);
  report.bytes = fit_bytes(sizes.samples.bytes(data), pairs, kernel, options, context);
  report.headline = fmt::format("reduce {} x {}, {} {} -> {} dimensions", pairs.n, pairs.d, told,
                                clusters ? "clusters" : "classes", pairs.q);
  report.data = {{"n", pairs.n}, {"d", pairs.d}, {"classes", told}};
  return report;
}

}  // namespace ritz::reduce
