// SPDX-License-Identifier: MIT
#include "tasks/center/json.hpp"

#include "base/machine.hpp"

namespace ritz {

namespace {

Json orders_json(const center::Orders& orders) {
  Json json;
  const auto column = [&](const char* name, double center::Order::*value) {
    Json values = Json::array();
    for (const center::Order& each : orders.of) values.push_back(number_json(each.*value));
    json[name] = std::move(values);
  };
  json["selected"] = {{"proposed", orders.proposed},
                      {"hybrid", orders.hybrid},
                      {"santamaria", orders.santamaria},
                      {"elbow", orders.elbow}};
  json["k"] = Json::array();
  for (std::size_t k = 0; k < orders.of.size(); ++k) json["k"].push_back(k);
  column("proposed", &center::Order::proposed);
  column("objective_cost", &center::Order::objective_cost);
  column("penalty_cost", &center::Order::penalty_cost);
  column("hybrid", &center::Order::hybrid);
  column("santamaria", &center::Order::santamaria);
  column("objective", &center::Order::objective);
  column("dual", &center::Order::dual);
  column("gap", &center::Order::gap);
  json["singular_values"] = vector_json(orders.singular_values);
  json["complete"] = orders.complete;
  return json;
}

}  // namespace

Json center_json(const CenterFit& found, const CenterOptions& options, const SubspaceOptions& reading,
                 const center::Options& how) {
  const center::Result& fit = found.fit;
  Json json = head_json("center", TextForm<center::Solver>::print(how.solver));
  json.update(summary_json(fit.summary));
  json["objective"] = number_json(fit.objective);
  json["certificate"] = {{"primal", number_json(fit.objective)}, {"dual", number_json(fit.dual)},
                         {"gap", number_json(fit.gap)},          {"dual_bound", number_json(fit.dual_bound)},
                         {"closed", fit.gap <= how.tolerance},   {"slope", number_json(fit.slope)}};
  json["options"] = options_json(how);
  json["options"].update(options_json(options));
  json["options"].update(options_json(reading));
  json["options"]["dim"] = found.order;
  json["given"] = {{"dim", TextForm<Dimension>::print(options.dim)}};
  json["used"] = fit.summary.used;
  json["notes"] = fit.summary.notes;
  json["data"] = {{"n", found.n},
                  {"subspaces", found.subspaces},
                  {"smallest_dimension", found.smallest},
                  {"largest_dimension", found.largest},
                  {"hash", found.data_hash}};
  Json outliers = Json::array();
  for (const Index i : found.outliers.of)
    outliers.push_back(
        {{"index", i}, {"name", found.names[std::size_t(i)]}, {"distance", number_json(found.outliers.distances(i))}});
  json["result"] = {{"order", found.order},
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
  json["trace"] = trace_json(fit.summary.trace);
  json["files"] = Json::object();
  json["seconds"] = fit.summary.seconds;
  json["peak_memory_bytes"] = peak_memory_bytes();
  return json;
}

Json center_check_json(const CenterCheck& check) {
  Json json;
  json["objective"] = number_json(check.primal);
  json["certificate"] = {{"primal", number_json(check.primal)},
                         {"dual", number_json(check.dual)},
                         {"gap", number_json(check.gap)},
                         {"orthonormality", number_json(check.orthonormality)},
                         {"weights_off_simplex", number_json(check.weights_off)}};
  json["result"] = {{"stored_objective", number_json(check.stored_primal)},
                    {"stored_dual", number_json(check.stored_dual)},
                    {"values_agree", check.values_agree()}};
  json["notes"] = check.notes;
  return json;
}

}  // namespace ritz
