// SPDX-License-Identifier: MIT
#include "tasks/center/task.hpp"

namespace ritz::center {

namespace {

Json orders_json(const Orders& orders) {
  Json json;
  const auto column = [&](const char* name, double Order::*value) {
    Json values = Json::array();
    for (const Order& each : orders.of) values.push_back(number_json(each.*value));
    json[name] = std::move(values);
  };
  json["selected"] = {{"proposed", orders.proposed},
                      {"hybrid", orders.hybrid},
                      {"santamaria", orders.santamaria},
                      {"elbow", orders.elbow}};
  json["k"] = Json::array();
  for (std::size_t k = 0; k < orders.of.size(); ++k) json["k"].push_back(k);
  column("proposed", &Order::proposed);
  column("objective_cost", &Order::objective_cost);
  column("penalty_cost", &Order::penalty_cost);
  column("hybrid", &Order::hybrid);
  column("santamaria", &Order::santamaria);
  column("objective", &Order::objective);
  column("dual", &Order::dual);
  column("gap", &Order::gap);
  json["singular_values"] = vector_json(orders.singular_values);
  json["complete"] = orders.complete;
  return json;
}

}  // namespace

Json center_json(const CenterResult& found, const CenterOptions& options) {
  const Result& fit = found.fit;
  const std::string solver = TextForm<Solver>::print(options.how.solver);  // the facts are only a view of it
  Facts facts{CenterTask::verb, solver};
  facts.certificate = {{"primal", number_json(fit.objective)},
                       {"dual", number_json(fit.dual)},
                       {"gap", number_json(fit.gap)},
                       {"dual_bound", number_json(fit.dual_bound)},
                       {"closed", fit.gap <= options.how.tolerance},
                       {"slope", number_json(fit.slope)}};
  facts.options = options_json(options);
  facts.options["dim"] = found.order;
  facts.given = {{"dim", TextForm<Dimension>::print(options.dim)}};
  facts.data = {{"n", found.n},
                {"subspaces", found.subspaces},
                {"smallest_dimension", found.smallest},
                {"largest_dimension", found.largest},
                {"hash", found.data_hash}};
  Json outliers = Json::array();
  for (const Index i : found.outliers.of)
    outliers.push_back(
        {{"index", i}, {"name", found.names[std::size_t(i)]}, {"distance", number_json(found.outliers.distances(i))}});
  facts.result = {{"order", found.order},
                  {"orders", found.orders ? orders_json(*found.orders) : Json(nullptr)},
                  {"radius", number_json(fit.objective)},
                  {"weights", vector_json(fit.weights)},
                  {"support", found.order > 0 ? Json(fit.support()) : Json::array()},
                  {"on_ball", found.order > 0 ? Json(fit.on_ball()) : Json::array()},
                  {"distances", vector_json(fit.distances)},
                  {"names", found.names},
                  {"outliers", std::move(outliers)},
                  {"outlier_fence", number_json(found.outliers.fence)},
                  {"eigenvalues", vector_json(fit.eigenvalues)},
                  {"working_set", fit.working},
                  {"evaluations", fit.evaluations}};
  Json json = envelope(fit.summary, std::move(facts));
  json["objective"] = number_json(fit.objective);
  return json;
}

Json CenterTask::json(const Fit<CenterTask>& fit) { return center_json(fit.result, fit.options); }

}  // namespace ritz::center
