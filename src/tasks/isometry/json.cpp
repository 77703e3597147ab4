// SPDX-License-Identifier: MIT
#include "tasks/isometry/task.hpp"

namespace ritz::isometry {

namespace {

Json certificate_of(const Result& fit) {
  Json json = sweep_json(fit.sweep);
  json["trace"] = number_json(fit.trace);
  json["trace_bound"] = number_json(fit.trace_bound);
  json["rank_bound"] = fit.rank_bound > 0 ? Json(fit.rank_bound) : Json(nullptr);
  return json;
}

Json result_of(const IsometryResult& found) {
  const Result& fit = found.fit;
  Json trials = Json::array(), rows = Json::array();
  for (const Trial& trial : fit.trials)
    trials.push_back({{"rank", trial.rank},
                      {"reached", trial.reached},
                      {"distortion", number_json(trial.distortion)},
                      {"seconds", trial.seconds}});
  for (const Compared& row : found.comparison)
    rows.push_back({{"name", row.name},
                    {"distortion", number_json(row.distortion)},
                    {"lowest", number_json(row.lowest)},
                    {"highest", number_json(row.highest)},
                    {"recall", number_json(row.recall)}});
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

}  // namespace

Json sweep_json(const Sweep& sweep) {
  Json worst = Json::array();
  for (const MeasuredPair& pair : sweep.worst)
    worst.push_back({{"i", pair.a}, {"j", pair.b}, {"ratio", number_json(pair.ratio)}, {"weight", pair.weight}});
  return {{"distortion", number_json(sweep.distortion)},
          {"pairs", sweep.pairs},
          {"coincident", sweep.coincident},
          {"lowest", number_json(sweep.lowest)},
          {"highest", number_json(sweep.highest)},
          {"beyond", sweep.beyond},
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
                      : options.how.method == Method::numax ? number_json(fit.trace)
                                                            : Json(fit.psi.rows());
  return json;
}

Json IsometryTask::json(const Fit<IsometryTask>& fit) { return isometry_json(fit.result, fit.options); }

}  // namespace ritz::isometry
