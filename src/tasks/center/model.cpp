// SPDX-License-Identifier: MIT
// What `center` leaves behind: the centre, the weights, and how the subspaces were read.

#include "tasks/center/task.hpp"
#include "tasks/model/access.hpp"

namespace ritz::center {

using namespace model_access;

ModelFile to_model(const CenterResult& found, const Subspaces& subspaces, const CenterOptions& options) {
  const SubspaceOptions& reading = options.reading;
  ModelFile model;
  model.method = std::string(CenterTask::method);
  model.arrays["center"] = found.fit.U;
  model.arrays["weights"] = found.fit.weights;
  std::vector<Index> dims;
  for (Index i = 0; i < subspaces.all.size(); ++i) dims.push_back(subspaces.all.dimension(i));
  model.arrays["dims"] = as_column(dims);
  Json info = center_json(found, options);
  info["result"].erase("weights");
  info["result"].erase("distances");
  info["reading"] = {{"rank", reading.rank},
                     {"energy", reading.energy},
                     {"rows", reading.rows},
                     {"group_column", reading.group_column}};
  model.info = info_text(std::move(info));
  return model;
}

RowMatrix transform(const ModelFile& model, const Dataset& data, const RunContext&) {
  const Matrix& U = array(model, "center");
  if (data.cols() != U.rows())
    fail(ErrorCode::bad_shape, "{} has {} columns, but the centre lies in a space of {} dimensions", data.source,
         data.cols(), U.rows());
  if (U.cols() == 0)
    fail(ErrorCode::unsupported, "the model's centre has no dimension: the subspaces have nothing in common");
  if (data.sparse()) return std::get<SparseRows>(data.samples) * U;
  return data.dense() * U;
}

}  // namespace ritz::center
