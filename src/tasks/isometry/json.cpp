// SPDX-License-Identifier: MIT
#include "tasks/isometry/json.hpp"

#include "base/machine.hpp"

namespace ritz {

Json sweep_json(const isometry::Sweep& sweep) {
  Json worst = Json::array();
  for (const isometry::MeasuredPair& pair : sweep.worst)
    worst.push_back({{"i", pair.a}, {"j", pair.b}, {"ratio", number_json(pair.ratio)}, {"weight", pair.weight}});
  return {{"distortion", number_json(sweep.distortion)},
          {"pairs", sweep.pairs},
          {"coincident", sweep.coincident},
          {"lowest", number_json(sweep.lowest)},
          {"highest", number_json(sweep.highest)},
          {"beyond", sweep.beyond},
          {"worst", std::move(worst)}};
}

Json isometry_json(const Isometry& found, const IsometryOptions& options, const isometry::Options& how) {
  const isometry::Result& fit = found.fit;
  Json json = head_json("isometry", TextForm<isometry::Method>::print(how.method));
  json.update(summary_json(fit.summary));
  json.erase("objective");
  Json certificate = sweep_json(fit.sweep);
  certificate["trace"] = number_json(fit.trace);
  certificate["trace_bound"] = number_json(fit.trace_bound);
  certificate["rank_bound"] = fit.rank_bound > 0 ? Json(fit.rank_bound) : Json(nullptr);
  json["certificate"] = std::move(certificate);
  json["options"] = options_json(how);
  json["options"].update(options_json(options));
  json["used"] = fit.summary.used;
  json["notes"] = fit.summary.notes;
  json["data"] = {{"n", found.n}, {"d", found.d}, {"hash", found.data_hash}};
  Json trials = Json::array(), rows = Json::array();
  for (const isometry::Trial& trial : fit.trials)
    trials.push_back({{"rank", trial.rank},
                      {"reached", trial.reached},
                      {"distortion", number_json(trial.distortion)},
                      {"seconds", trial.seconds}});
  for (const IsometryRow& row : found.rows)
    rows.push_back({{"name", row.name},
                    {"distortion", number_json(row.distortion)},
                    {"lowest", number_json(row.lowest)},
                    {"highest", number_json(row.highest)},
                    {"recall", number_json(row.recall)}});
  json["result"] = {
      {"rank", fit.psi.rows()},
      {"trials", std::move(trials)},
      {"comparison", std::move(rows)},
      {"recall_neighbours", found.recall},
      {"recall_queries", found.recall_queries},
      {"sweeps", fit.sweeps},
      {"working_pairs", fit.working_pairs},
      {"histogram", {{"lowest", found.lowest_bin}, {"highest", found.highest_bin}, {"counts", fit.sweep.histogram}}}};
  json["files"] = Json::object();
  json["seconds"] = fit.summary.seconds;
  json["peak_memory_bytes"] = peak_memory_bytes();
  return json;
}

}  // namespace ritz
