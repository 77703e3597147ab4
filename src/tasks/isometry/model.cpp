// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "ritz/linalg/tall_products.hpp"
#include "ritz/pairs/backend.hpp"
#include "ritz/tasks/isometry.hpp"
#include "tasks/isometry/json.hpp"
#include "tasks/model/access.hpp"
#include "tasks/reduce/prepare.hpp"

namespace ritz {

using namespace model_access;

ModelFile to_model(const Isometry& found, const IsometryOptions& options, const isometry::Options& how) {
  ModelFile model;
  model.method = kIsometryMethod;
  model.arrays["projection"] = found.fit.psi;
  if (!found.pairs.empty()) {
    Matrix pairs(Index(found.pairs.size()), 3);
    for (Index k = 0; k < pairs.rows(); ++k) {
      const isometry::WeightedPair& pair = found.pairs[std::size_t(k)];
      pairs.row(k) << double(pair.a), double(pair.b), pair.weight;
    }
    model.arrays["pairs"] = std::move(pairs);
  }
  Json info = isometry_json(found, options, how);
  for (const char* passing : {"peak_memory_bytes", "seconds", "files"}) info.erase(passing);
  for (Json& trial : info["result"]["trials"]) trial.erase("seconds");
  info["feature_names"] = found.feature_names;
  model.info = json_text(info);
  return model;
}

namespace {

const Matrix& projection_for(const ModelFile& model, const Dataset& data) {
  const Matrix& psi = array(model, "projection");
  if (data.cols() != psi.cols())
    throw Error(ErrorCode::bad_shape,
                fmt::format("{} has {} columns; the model was made from {}", data.source, data.cols(), psi.cols()));
  return psi;
}

}  // namespace

RowMatrix measure_samples(const ModelFile& model, const Dataset& data, const RunContext& context) {
  const Matrix& psi = projection_for(model, data);
  if (data.sparse()) return std::get<SparseRows>(data.samples) * psi.transpose();
  return tall_product(data.dense(), Matrix(psi.transpose()), context);
}

IsometryCheck check_isometry(const ModelFile& model, const Dataset& data, const RunContext& context) {
  const Json info = info_of(model);
  const Matrix& psi = projection_for(model, data);
  RowMatrix filled;
  if (data.sparse()) {
    std::string left_out;
    filled = filled_in(data, context, left_out);
    if (!left_out.empty()) throw Error(ErrorCode::memory, left_out);
  }
  const RowMatrix& X = data.sparse() ? filled : data.dense();
  IsometryCheck check;
  check.same_data =
      data.rows() == fact<Index>(info, "data", "n") && fact<std::string>(info, "data", "hash") == data_hash(data);
  check.asked = fact<double>(info, "options", "distortion");
  check.stored = number_or_unknown(info, "certificate", "distortion");
  isometry::SweepRequest request;
  request.band = check.asked;
  request.listed = 10;
  std::vector<WeightedPair> pairs;  // none: all
  if (check.same_data && model.arrays.contains("pairs")) {
    const Matrix& stored = array(model, "pairs");
    if (stored.cols() != 3) reject("has arrays that do not fit together");
    const std::vector<Index> a = numbers(stored.col(0), data.rows()), b = numbers(stored.col(1), data.rows());
    for (Index k = 0; k < stored.rows(); ++k) pairs.push_back({a[std::size_t(k)], b[std::size_t(k)], stored(k, 2)});
  }
  check.sweep = backend_or_cpu(context).distance_sweep(X, std::move(pairs), context)->sweep(psi, request, context);
  check.distortion = check.sweep.distortion;
  return check;
}

}  // namespace ritz
