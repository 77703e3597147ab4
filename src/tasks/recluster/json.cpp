// SPDX-License-Identifier: MIT
#include "tasks/projection/report.hpp"
#include "tasks/recluster/task.hpp"

namespace ritz::recluster {

namespace {

Json step_json(const TuneStep& step) {
  return {{"sigma", step.sigma},
          {"multiple", step.multiple},
          {"lambda", step.lambda},
          {"dimension", step.dimension},
          {"quality", number_json(step.quality)},
          {"separation", number_json(step.separation)},
          {"novelty", number_json(step.novelty)},
          {"stability", number_json(step.stability)},
          {"score", number_json(step.score)},
          {"kind", step.kind}};
}

Json given_json(const View& found) {
  Json given = Json::array();
  for (std::size_t i = 0; i < found.given.size(); ++i)
    given.push_back({{"clusters", found.given[i].names},
                     {"sizes", found.given[i].counts()},
                     {"novelty", number_json(found.solved.novelty[i])}});
  return given;
}

Json tuning_json(const Tuning& tuning) {
  Json path = Json::array();
  for (const TuneStep& step : tuning.path) path.push_back(step_json(step));
  return {{"chosen", tuning.chosen}, {"reason", tuning.reason}, {"path", std::move(path)}};
}

Json alternatives_json(const std::vector<Alternative>& all) {
  Json json = Json::array();
  for (const Alternative& other : all) {
    Json one = step_json(other.candidate.step);
    one["novelty"] = number_json(other.novelty);
    one["nmi"] = number_json(other.nmi);
    one["sizes"] = other.labels.counts();
    json.push_back(std::move(one));
  }
  return json;
}

}  // namespace

Json view_json(const View& found, const ReclusterOptions& options) {
  Facts facts{ReclusterTask::verb, ReclusterTask::method};
  facts.certificate = certificate_json(found.fit.certificate);
  facts.options = options_json(options);
  facts.options["dim"] = found.fit.W.cols();
  facts.options["kernel"] = kernel_text(found.kernel);
  facts.options["lambda"] = number_json(found.lambda);
  facts.given = {{"dim", TextForm<Dimension>::print(options.dim)},
                 {"kernel", options.kernel},
                 {"sigma", options.sigma},
                 {"lambda", TextForm<Lambda>::print(options.lambda)}};
  facts.data = projection::data_json(found);
  Json spectrum = Json::array();
  for (const double value : found.spectrum) spectrum.push_back(number_json(value));
  facts.result = {{"dimension", found.fit.W.cols()},
                  {"cost", number_json(found.solved.cost)},
                  {"quality", number_json(found.solved.quality)},
                  {"hsic_given", number_json(found.solved.hsic_given)},
                  {"novelty", number_json(found.solved.worst_novelty())},
                  {"nmi", number_json(found.nmi)},
                  {"sizes", found.clusters->labels.counts()},
                  {"gap", number_json(found.solved.gap)},
                  {"separation", number_json(found.separation)},
                  {"spectrum", std::move(spectrum)},
                  {"degenerate", found.degenerate},
                  {"labelled_by", found.clusters->labelled_by},
                  {"eigenvalues", vector_json(found.fit.certificate.eigenvalues)},
                  {"start_objective", number_json(found.fit.start_objective)},
                  {"given", given_json(found)},
                  {"top_loadings", projection::loadings_json(found)}};
  if (found.tuning) {
    facts.result["alternatives"] = alternatives_json(found.alternatives);
    facts.result["tuning"] = tuning_json(*found.tuning);
  }
  return envelope(found.fit.summary, std::move(facts));
}

Json ReclusterTask::json(const Fit<ReclusterTask>& fit) {
  const ReclusterResult& found = fit.result;
  Json json = view_json(found.views.front(), fit.options);
  for (std::size_t v = 1; v < found.views.size(); ++v)  // beyond the first
    json["views"].push_back(view_json(found.views[v], fit.options));
  if (!found.ended.empty()) json["notes"].push_back(found.ended);
  return json;
}

}  // namespace ritz::recluster
