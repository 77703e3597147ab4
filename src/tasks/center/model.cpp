// SPDX-License-Identifier: MIT
// What `center` leaves behind: the centre, the weights, and how the subspaces were read.

#include <numeric>

#include "linalg/tall_products.hpp"
#include "tasks/center/task.hpp"
#include "tasks/model/access.hpp"
#include "tasks/model/table.hpp"

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
  if (!found.dropped.empty()) model.arrays["dropped"] = as_column(found.dropped);
  if (subspaces.means.rows() > 0) {  // for predictions
    model.arrays["bases"] = subspaces.all.vectors;
    model.arrays["means"] = subspaces.means;
  }
  Json info = center_json(found, options);
  info["result"].erase("weights");
  info["reading"] = {{"rank", reading.rank},
                     {"energy", reading.energy},
                     {"rows", reading.rows},
                     {"group_column", reading.group_column},
                     {"center_groups", reading.center_groups}};
  model.info = info_text(std::move(info));
  store_recipe(model, subspaces.columns.get());
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

Prediction predict(const ModelFile& model, const Dataset& data, const RunContext& context) {
  if (!model.arrays.contains("bases"))
    fail(ErrorCode::unsupported,
         "the model was made from subspaces, not from groups of samples (center.group_column): it has no class to "
         "predict");
  const Matrix &bases = array(model, "bases"), &means = array(model, "means");
  const std::vector<Index> dims = numbers(array(model, "dims"), bases.rows() + 1);
  if (data.cols() != bases.cols())
    fail(ErrorCode::bad_shape, "{} has {} columns, but the groups lie in a space of {} dimensions", data.source,
         data.cols(), bases.cols());
  Prediction prediction;
  prediction.labels.names = fact<std::vector<std::string>>(info_of(model), "result", "names");
  if (Index(prediction.labels.names.size()) != means.rows() ||
      std::accumulate(dims.begin(), dims.end(), Index(0)) != bases.rows())
    reject("has arrays that do not fit together");
  prediction.rule = fmt::format("the nearest of {} subspaces", means.rows());
  // ‖(I − P)(x − m)‖² of each group, with x − m formed first: far from the origin nothing cancels.
  const RowMatrix samples = data.sparse() ? RowMatrix(std::get<SparseRows>(data.samples)) : data.dense();
  prediction.labels.of.assign(std::size_t(data.rows()), 0);
  Vector least = Vector::Constant(data.rows(), std::numeric_limits<double>::infinity());
  Index first = 0;
  for (Index g = 0; g < means.rows(); first += dims[std::size_t(g++)]) {
    const RowMatrix moved = samples.rowwise() - means.row(g);
    const RowMatrix inside = tall_product(moved, bases.middleRows(first, dims[std::size_t(g)]).transpose(), context);
    for (Index i = 0; i < data.rows(); ++i) {
      const double distance = moved.row(i).squaredNorm() - inside.row(i).squaredNorm();
      if (!(distance < least(i))) continue;
      least(i) = distance;
      prediction.labels.of[std::size_t(i)] = int(g);
    }
  }
  return prediction;
}

}  // namespace ritz::center
