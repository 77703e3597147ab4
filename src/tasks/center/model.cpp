// SPDX-License-Identifier: MIT
// What `ritz center` leaves behind: the centre, the weights, and how the subspaces were read.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ritz/linalg/subspace.hpp"
#include "tasks/center/json.hpp"
#include "tasks/model/access.hpp"

namespace ritz {

using namespace model_access;

ModelFile to_model(const CenterFit& found, const Subspaces& subspaces, const CenterOptions& options,
                   const SubspaceOptions& reading, const center::Options& how) {
  ModelFile model;
  model.method = kCenterMethod;
  model.arrays["center"] = found.fit.U;
  model.arrays["weights"] = found.fit.weights;
  std::vector<Index> dims;
  for (Index i = 0; i < subspaces.all.size(); ++i) dims.push_back(subspaces.all.dimension(i));
  model.arrays["dims"] = as_column(dims);
  Json info = center_json(found, options, reading, how);
  for (const char* passing : {"trace", "peak_memory_bytes", "seconds", "files"}) info.erase(passing);
  info["result"].erase("weights");
  info["result"].erase("distances");
  info["reading"] = {{"rank", reading.rank},
                     {"energy", reading.energy},
                     {"rows", reading.rows},
                     {"group_column", reading.group_column}};
  model.info = json_text(info);
  return model;
}

SubspaceOptions reading_of(const ModelFile& model) {
  const Json info = info_of(model);
  SubspaceOptions reading;
  reading.rank = fact<Index>(info, "reading", "rank");
  reading.energy = fact<double>(info, "reading", "energy");
  reading.rows = fact<bool>(info, "reading", "rows");
  reading.group_column = fact<std::string>(info, "reading", "group_column");
  return reading;
}

std::vector<Index> dimensions_of(const ModelFile& model) { return numbers(array(model, "dims"), Index(1) << 40); }

RowMatrix center_coordinates(const ModelFile& model, const Dataset& data) {
  const Matrix& U = array(model, "center");
  if (data.cols() != U.rows())
    throw Error(ErrorCode::bad_shape, fmt::format("{} has {} columns, but the centre lies in a space of {} dimensions",
                                                  data.source, data.cols(), U.rows()));
  if (U.cols() == 0)
    throw Error(ErrorCode::unsupported, "the model's centre has no dimension: the subspaces have nothing in common");
  if (data.sparse()) return std::get<SparseRows>(data.samples) * U;
  return data.dense() * U;
}

bool CenterCheck::values_agree() const {
  constexpr double kAgree = 1e-9;
  return std::abs(primal - stored_primal) <= kAgree * (1 + std::abs(primal)) &&
         std::abs(dual - stored_dual) <= kAgree * (1 + std::abs(dual));
}

bool CenterCheck::holds() const {
  constexpr double kOrthonormal = 1e-10;
  return values_agree() && orthonormality <= kOrthonormal && weights_off <= kOrthonormal && gap >= -kOrthonormal;
}

CenterCheck check_center(const ModelFile& model, const Subspaces& subspaces, const RunContext& context) {
  const Json info = info_of(model);
  const Matrix& U = array(model, "center");
  const center::Collection& all = subspaces.all;
  if (U.rows() != all.ambient())
    throw Error(ErrorCode::bad_shape,
                fmt::format("the subspaces lie in a space of {} dimensions, the model's centre in "
                            "one of {}",
                            all.ambient(), U.rows()));
  const Matrix& weights = array(model, "weights");
  if (weights.cols() != 1 || weights.rows() != all.size())
    throw Error(ErrorCode::bad_shape,
                fmt::format("there are {} subspaces, but the model was made from {}", all.size(), weights.rows()));
  CenterCheck check;
  check.stored_primal = fact<double>(info, "certificate", "primal");
  check.stored_dual = fact<double>(info, "certificate", "dual");
  check.same_data = fact<std::string>(info, "data", "hash") == subspaces.hash;
  if (!check.same_data) check.notes.push_back("these are not the subspaces that the model was made from");
  check.orthonormality = orthonormality_error(U);
  const Vector lambda = weights.col(0);
  check.weights_off = std::max(std::abs(lambda.sum() - 1), std::max(0.0, -lambda.minCoeff()));
  if (U.cols() == 0) {
    check.primal = check.dual = check.gap = 0;
    check.notes.push_back("the centre has no dimension: there is nothing to certify but the order");
    return check;
  }
  check.primal = center::distances(all, U, context).maxCoeff();
  check.dual = center::dual(all, lambda, U.cols(), context).value;
  check.gap = check.primal - check.dual;
  return check;
}

}  // namespace ritz
