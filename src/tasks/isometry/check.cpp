// SPDX-License-Identifier: MIT
// The distortion of a model, measured anew. Of other data than the fitted ones it is a measurement, not a promise that
// could fail.

#include "ritz/pairs/backend.hpp"
#include "tasks/isometry/task.hpp"
#include "tasks/model/access.hpp"

namespace ritz::isometry {

using namespace model_access;

std::vector<WeightedPair> stored_pairs(const ModelFile& model, Index samples) {
  if (!model.arrays.contains("pairs")) return {};
  const Matrix& stored = array(model, "pairs");
  if (stored.cols() != 3) reject("has arrays that do not fit together");
  const std::vector<Index> a = numbers(stored.col(0), samples), b = numbers(stored.col(1), samples);
  std::vector<WeightedPair> pairs;
  for (Index k = 0; k < stored.rows(); ++k) pairs.push_back({a[std::size_t(k)], b[std::size_t(k)], stored(k, 2)});
  return pairs;
}

namespace {

// Rank, scale and distortion of each prefix, by the same pairs.
std::vector<CheckedPrefix> checked_prefixes(const ModelFile& model, const Matrix& psi, const DistanceSweep& meter,
                                            const RunContext& context) {
  std::vector<CheckedPrefix> checked;
  if (!model.arrays.contains("prefixes")) return checked;
  const Matrix& stored = array(model, "prefixes");
  for (const Index rank : numbers(stored.col(0), psi.rows() + 1)) {
    const Index j = Index(checked.size());
    if (rank < 1 || !(stored(j, 1) > 0)) reject("has prefixes without rows, or of no size");
    const Matrix prefix = std::sqrt(stored(j, 1)) * psi.topRows(rank);
    checked.push_back({rank, stored(j, 2), meter.sweep(prefix, {}, context).distortion});
  }
  return checked;
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
  if (check.same_data) pairs = stored_pairs(model, data.rows());
  const auto meter = backend_or_cpu(context).distance_sweep(X, std::move(pairs), context);
  check.sweep = meter->sweep(psi, request, context);
  check.prefixes = checked_prefixes(model, psi, *meter, context);
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
  report.plain
      .add("distortion", "{:.8g} over {} pairs, asked for {:g}{}", found.distortion, found.sweep.pairs, found.asked,
           found.same_data
               ? fmt::format(", the model says {:.8g}{}", found.stored, found.agrees() ? "" : ": THEY DIFFER")
               : " of the fitted data")
      .add("ratios", "{:.6g} to {:.6g}", found.sweep.lowest, found.sweep.highest);
  for (const CheckedPrefix& prefix : found.prefixes)
    report.plain.add(fmt::format("first {}", prefix.rank), "distortion {:.8g}, {} {:.8g}{}", prefix.distortion,
                     found.same_data ? "the model says" : "of the fitted data", prefix.stored,
                     found.same_data && !prefix.agrees() ? ": THEY DIFFER" : "");
  if (found.sweep.beyond > 0)
    report.plain.add("beyond", "{} of {} pairs ({:.3g} %)", found.sweep.beyond, found.sweep.pairs,
                     100 * double(found.sweep.beyond) / double(found.sweep.pairs));
  report.facts["objective"] = found.distortion;
  report.facts["certificate"] = sweep_json(found.sweep);
  report.facts["result"] = {{"stored_distortion", found.stored}, {"asked_distortion", found.asked}};
  Json prefixes = Json::array();
  for (const CheckedPrefix& prefix : found.prefixes)
    prefixes.push_back({{"rank", prefix.rank}, {"distortion", prefix.distortion}, {"stored", prefix.stored}});
  if (!found.prefixes.empty()) report.facts["result"]["prefixes"] = std::move(prefixes);
  report.facts["data"] = {{"n", data->rows()}, {"d", data->cols()}};
  return report;
}

}  // namespace ritz::isometry
