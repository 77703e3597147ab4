// SPDX-License-Identifier: MIT
#include "tasks/reduce/folds_json.hpp"

namespace ritz {

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

}  // namespace ritz
