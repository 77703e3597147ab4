// SPDX-License-Identifier: MIT
// What `isometry` leaves behind: the measurements, the pairs where they are not all, and the prefixes.

#include "linalg/tall_products.hpp"
#include "tasks/isometry/task.hpp"
#include "tasks/model/access.hpp"

namespace ritz::isometry {

using namespace model_access;

ModelFile to_model(const IsometryResult& found, const IsometryOptions& options) {
  if (!options.sweep.empty())
    fail(ErrorCode::unsupported, "a sweep over distortions leaves no model: ask for one distortion");
  ModelFile model;
  model.method = std::string(IsometryTask::method);
  model.arrays["projection"] = found.fit.psi;
  if (!found.pairs.empty()) {
    Matrix pairs(Index(found.pairs.size()), 3);
    for (Index k = 0; k < pairs.rows(); ++k) {
      const WeightedPair& pair = found.pairs[std::size_t(k)];
      pairs.row(k) << double(pair.a), double(pair.b), pair.weight;
    }
    model.arrays["pairs"] = std::move(pairs);
  }
  if (!found.fit.prefixes.empty()) {
    Matrix& prefixes = model.arrays["prefixes"];
    prefixes.resize(Index(found.fit.prefixes.size()), 3);
    for (Index j = 0; j < prefixes.rows(); ++j) {
      const Prefix& prefix = found.fit.prefixes[std::size_t(j)];
      prefixes.row(j) << double(prefix.rank), prefix.scale, prefix.distortion;
    }
  }
  Json info = isometry_json(found, options);
  for (Json& trial : info["result"]["trials"]) trial.erase("seconds");
  info["feature_names"] = found.feature_names;
  model.info = info_text(std::move(info));
  return model;
}

const Matrix& projection_for(const ModelFile& model, const Dataset& data) {
  const Matrix& psi = array(model, "projection");
  if (data.cols() != psi.cols())
    fail(ErrorCode::bad_shape, "{} has {} columns; the model was made from {}", data.source, data.cols(), psi.cols());
  return psi;
}

RowMatrix measurements(const Dataset& data, const Matrix& psi, const RunContext& context) {
  if (data.sparse()) return std::get<SparseRows>(data.samples) * psi.transpose();
  return tall_product(data.dense(), Matrix(psi.transpose()), context);
}

RowMatrix transform(const ModelFile& model, const Dataset& data, const RunContext& context) {
  return measurements(data, projection_for(model, data), context);
}

}  // namespace ritz::isometry
