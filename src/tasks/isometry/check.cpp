// SPDX-License-Identifier: MIT
// The distortion of a model, measured anew. Of other data than the fitted ones it is a measurement, not a promise that
// could fail.

#include "ritz/pairs/backend.hpp"
#include "tasks/isometry/task.hpp"
#include "tasks/model/access.hpp"

namespace ritz::isometry {

using namespace model_access;

namespace {

std::vector<WeightedPair> stored_pairs(const ModelFile& model, Index samples) {
  const Matrix& stored = array(model, "pairs");
  if (stored.cols() != 3) reject("has arrays that do not fit together");
  const std::vector<Index> a = numbers(stored.col(0), samples), b = numbers(stored.col(1), samples);
  std::vector<WeightedPair> pairs;
  for (Index k = 0; k < stored.rows(); ++k) pairs.push_back({a[std::size_t(k)], b[std::size_t(k)], stored(k, 2)});
  return pairs;
}

}  // namespace

IsometryCheck check(const ModelFile& model, const Dataset& data, const RunContext& context) {
  const Json info = info_of(model);
  const Matrix& psi = projection_for(model, data);
  RowMatrix filled;
  const RowMatrix& X = dense_rows(data, filled, context);
  IsometryCheck check;
  check.same_data =
      data.rows() == fact<Index>(info, "data", "n") && fact<std::string>(info, "data", "hash") == data_hash(data);
  check.asked = fact<double>(info, "options", "distortion");
  check.stored = number_or_unknown(info, "certificate", "distortion");
  SweepRequest request;
  request.band = check.limit();
  request.listed = 10;
  std::vector<WeightedPair> pairs;  // none: all
  if (check.same_data && model.arrays.contains("pairs")) pairs = stored_pairs(model, data.rows());
  check.sweep = backend_or_cpu(context).distance_sweep(X, std::move(pairs), context)->sweep(psi, request, context);
  check.distortion = check.sweep.distortion;
  return check;
}

CheckReport IsometryTask::check(const ModelFile& model, const Inputs& inputs, const CheckOptions&,
                                const RunContext& context) {
  const auto data = inputs.dataset(context);
  const IsometryCheck found = isometry::check(model, *data, context);
  CheckReport report = certificate_report(found.holds(), found.same_data);
  if (!found.same_data) {
    report.promised = false;
    if (!found.holds()) report.status = "exceeds";
    report.headline = found.holds() ? "new data are within the band" : "new data are not all within the band";
  }
  report.lines
      .add("distortion", "{:.8g} over {} pairs, asked for {:g}{}", found.distortion, found.sweep.pairs, found.asked,
           found.same_data
               ? fmt::format(", the model says {:.8g}{}", found.stored, found.agrees() ? "" : ": THEY DIFFER")
               : " of the fitted data")
      .add("ratios", "{:.6g} to {:.6g}", found.sweep.lowest, found.sweep.highest);
  if (found.sweep.beyond > 0)
    report.lines.add("beyond", "{} of {} pairs ({:.3g} %)", found.sweep.beyond, found.sweep.pairs,
                     100 * double(found.sweep.beyond) / double(found.sweep.pairs));
  report.facts["objective"] = found.distortion;
  report.facts["certificate"] = sweep_json(found.sweep);
  report.facts["result"] = {{"stored_distortion", found.stored}, {"asked_distortion", found.asked}};
  report.facts["data"] = {{"n", data->rows()}, {"d", data->cols()}};
  return report;
}

}  // namespace ritz::isometry
