// SPDX-License-Identifier: MIT
#include "tasks/reduce/interpret_json.hpp"
#include "ritz/tasks/reduce.hpp"

namespace ritz {

namespace {

constexpr Index kFeaturesShown = 20;

Json bootstrap_json(const Interpretation& reading, const std::vector<Index>& features) {
  const BootstrapReport& boot = reading.bootstrap;
  Json json = {{"resamples", boot.finished}, {"asked", boot.asked}, {"interval", {0.05, 0.95}}};
  json["largest_angle_degrees"] = boot.angles;
  Json loadings = Json::array();
  for (const Index j : features)
    for (Index a = 0; boot.finished > 0 && a < reading.W.cols(); ++a)
      loadings.push_back({{"feature", reading.feature_names[std::size_t(j)]},
                          {"axis", a + 1},
                          {"fitted", number_json(reading.W(j, a))},
                          {"mean", number_json(boot.mean(j, a))},
                          {"low", number_json(boot.low(j, a))},
                          {"high", number_json(boot.high(j, a))}});
  json["loadings"] = std::move(loadings);
  json["notes"] = boot.notes;
  return json;
}

Json sparse_json(const Interpretation& reading) {
  const SparseReport& sparse = reading.sparse;
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
          {{"feature", reading.feature_names[std::size_t(j)]}, {"loading", number_json(sparse.loadings(j, a))}});
    loadings.push_back(std::move(axis));
  }
  json["loadings"] = std::move(loadings);
  json["notes"] = sparse.notes;
  return json;
}

}  // namespace

Json interpretation_json(const Interpretation& reading) {
  const BootstrapReport& boot = reading.bootstrap;
  const std::vector<Index> features = strongest_features(reading.relevance, kFeaturesShown);
  Json json;
  json["relevance"] = Json::array();
  for (const Index j : features) {
    Json one = {{"feature", reading.feature_names[std::size_t(j)]}, {"relevance", number_json(reading.relevance[j])}};
    if (boot.finished > 0) {
      one["low"] = number_json(boot.relevance_low[j]);
      one["high"] = number_json(boot.relevance_high[j]);
    }
    json["relevance"].push_back(std::move(one));
  }
  if (boot.asked > 0) json["bootstrap"] = bootstrap_json(reading, features);
  if (!reading.sparse.path.empty()) json["sparse"] = sparse_json(reading);
  return json;
}

}  // namespace ritz
