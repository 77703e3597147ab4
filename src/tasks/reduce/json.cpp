// SPDX-License-Identifier: MIT
#include "tasks/projection/report.hpp"
#include "tasks/reduce/task.hpp"

namespace ritz::reduce {

namespace {

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
                          {"fitted", number_json(found.fit.W(j, a))},
                          {"mean", number_json(boot.mean(j, a))},
                          {"low", number_json(boot.low(j, a))},
                          {"high", number_json(boot.high(j, a))}});
  json["loadings"] = std::move(loadings);
  json["notes"] = boot.notes;
  return json;
}

Json sparse_json(const ReduceResult& found) {
  const SparseReport& sparse = found.reading.sparse;
  const SparseStep& chosen = sparse.path[sparse.chosen];
  Json json = {{"objective", number_json(sparse.objective)},
               {"max_loss", sparse.max_loss},
               {"loadings_kept", chosen.loadings},
               {"features_kept", chosen.features},
               {"loss", number_json(chosen.loss)},
               {"varimax_before", number_json(sparse.rotation.criterion_before)},
               {"varimax_after", number_json(sparse.rotation.criterion_after)}};
  Json path = Json::array();
  for (const SparseStep& step : sparse.path)
    path.push_back({{"loadings", step.loadings},
                    {"features", step.features},
                    {"threshold", step.threshold},
                    {"objective", number_json(step.objective)},
                    {"loss", number_json(step.loss)}});
  json["path"] = std::move(path);
  Json loadings = Json::array();
  for (Index a = 0; a < sparse.W.cols(); ++a) {
    Json axis = Json::array();
    for (const Index j : strongest_features(sparse.loadings.col(a), kFeaturesShown))
      axis.push_back(
          {{"feature", found.feature_names[std::size_t(j)]}, {"loading", number_json(sparse.loadings(j, a))}});
    loadings.push_back(std::move(axis));
  }
  json["loadings"] = std::move(loadings);
  json["notes"] = sparse.notes;
  return json;
}

Json holdout_json(const HoldoutReport& holdout) {
  return {{"train", holdout.train},
          {"test", holdout.test},
          {"neighbours", holdout.neighbours},
          {"accuracy_before", number_json(holdout.accuracy_before)},
          {"accuracy_after", number_json(holdout.accuracy_after)}};
}

Json clusters_json(const ClusterReport& clusters) {
  return {{"sizes", clusters.labels.counts()},
          {"quality", number_json(clusters.quality)},
          {"gap", number_json(clusters.gap)},
          {"labelled_by", clusters.labelled_by},
          {"nmi", number_json(clusters.nmi)},
          {"nmi_spectral", number_json(clusters.nmi_spectral)},
          {"nmi_kmeans", number_json(clusters.nmi_kmeans)}};
}

}  // namespace

Json choice_json(const Choice& choice) {
  Json json = {{"kernel", choice.kernel}, {"reason", choice.reason}, {"score", choice.score}};
  json["tried"] = Json::array();
  for (const Tried& each : choice.tried)
    json["tried"].push_back({{"kernel", each.kernel},
                             {"score", number_json(each.score.value)},
                             {"standard_error", number_json(each.score.standard_error)},
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
    for (const double value : measure.values) values.push_back(number_json(value));
    json[name] = {
        {"mean", number_json(measure.mean())}, {"sd", number_json(measure.deviation())}, {"values", std::move(values)}};
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
  json["notes"] = report.notes;
  return json;
}

Json interpretation_json(const ReduceResult& found) {
  const BootstrapReport& boot = found.reading.bootstrap;
  const std::vector<Index> features = strongest_features(found.reading.relevance, kFeaturesShown);
  Json json;
  json["relevance"] = Json::array();
  for (const Index j : features) {
    Json one = {{"feature", found.feature_names[std::size_t(j)]},
                {"relevance", number_json(found.reading.relevance[j])}};
    if (boot.finished > 0) {
      one["low"] = number_json(boot.relevance_low[j]);
      one["high"] = number_json(boot.relevance_high[j]);
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
  if (found.choice) facts.options["sigma"] = "";
  facts.given = {{"mode", TextForm<Mode>::print(options.mode)},
                 {"dim", TextForm<Dimension>::print(options.dim)},
                 {"kernel", options.kernel},
                 {"sigma", options.sigma}};
  facts.data = projection::data_json(found);
  facts.result = {{"dimension", found.fit.W.cols()},
                  {"eigenvalues", vector_json(found.fit.certificate.eigenvalues)},
                  {"start_objective", number_json(found.fit.start_objective)},
                  {"gamma_trace", number_json(found.gamma_trace)},
                  {"classes", found.classes.names},
                  {"class_counts", found.classes.counts()},
                  {"top_loadings", projection::loadings_json(found)}};
  if (found.holdout.test > 0) facts.result["holdout"] = holdout_json(found.holdout);
  if (found.clusters) facts.result["clusters"] = clusters_json(*found.clusters);
  if (found.choice) facts.result["choice"] = choice_json(*found.choice);
  if (found.folds) facts.result["folds"] = folds_json(*found.folds);
  facts.result.update(interpretation_json(found));
  return envelope(found.fit.summary, std::move(facts));
}

Json ReduceTask::json(const Fit<ReduceTask>& fit) { return reduce_json(fit.result, fit.options); }

}  // namespace ritz::reduce
