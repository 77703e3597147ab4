// SPDX-License-Identifier: MIT
#include "bindings/arrays.hpp"

#include <limits>
#include <utility>

#include "ritz/base/error.hpp"

namespace ritz::python {

namespace {

template <class M>
py::capsule owner_of(M* kept) {
  return {kept, [](void* held) { delete static_cast<M*>(held); }};
}

template <class T>
py::array_t<T, py::array::c_style | py::array::forcecast> values_of(const py::object& array) {
  return array.cast<py::array_t<T, py::array::c_style | py::array::forcecast>>();
}

SparseRows sparse_of(const py::object& X) {
  const auto [rows, cols] = X.attr("shape").cast<std::pair<Index, Index>>();
  if (X.attr("nnz").cast<Index>() > std::numeric_limits<int>::max())
    throw Error(ErrorCode::unsupported, "X has more than 2147483647 values that are not zero");
  const auto starts = values_of<int>(X.attr("indptr")), columns = values_of<int>(X.attr("indices"));
  const auto values = values_of<double>(X.attr("data"));
  return Eigen::Map<const SparseRows>(rows, cols, Index(values.size()), starts.data(), columns.data(), values.data());
}

// Borrows the values: the array lives as long as the data set, which may end in a thread without the lock.
std::shared_ptr<Dataset> lent_by(Rows values) {
  if (values.ndim() != 2) throw Error(ErrorCode::bad_shape, "an array of two dimensions is needed");
  auto data = std::make_unique<Dataset>();
  data->samples = LentRows{values.data(), values.shape(0), values.shape(1)};
  PyObject* const kept = values.release().ptr();
  return {data.release(), [kept](Dataset* held) {
            delete held;
            const py::gil_scoped_acquire lock;
            Py_DECREF(kept);
          }};
}

bool is_sparse(const py::object& X) { return py::hasattr(X, "indptr"); }

}  // namespace

py::array_t<double> to_numpy(RowMatrix&& values) {
  auto* kept = new RowMatrix(std::move(values));
  return py::array_t<double>(std::vector<py::ssize_t>{kept->rows(), kept->cols()}, kept->data(), owner_of(kept));
}

py::array_t<double> to_numpy(Matrix&& values) {
  auto* kept = new Matrix(std::move(values));
  const auto step = py::ssize_t(sizeof(double));
  return py::array_t<double>(std::vector<py::ssize_t>{kept->rows(), kept->cols()},
                             std::vector<py::ssize_t>{step, step * kept->rows()}, kept->data(), owner_of(kept));
}

py::tuple to_numpy(const Labels& labels) {
  return py::make_tuple(py::array_t<int>(py::ssize_t(labels.of.size()), labels.of.data()), labels.names);
}

py::object to_python(Dataset&& data) {
  if (!data.sparse()) return to_numpy(std::move(data.dense()));
  auto& X = std::get<SparseRows>(data.samples);
  X.makeCompressed();
  const auto array = [](const auto* first, Index size) {
    return py::array_t<std::decay_t<decltype(*first)>>(size, first);
  };
  const py::tuple parts = py::make_tuple(array(X.valuePtr(), X.nonZeros()), array(X.innerIndexPtr(), X.nonZeros()),
                                         array(X.outerIndexPtr(), X.rows() + 1));
  return py::module_::import("scipy.sparse").attr("csr_matrix")(parts, py::make_tuple(X.rows(), X.cols()));
}

RowMatrix matrix_of(const Rows& values) {
  if (values.ndim() != 2) throw Error(ErrorCode::bad_shape, "an array of two dimensions is needed");
  return Eigen::Map<const RowMatrix>(values.data(), values.shape(0), values.shape(1));
}

std::shared_ptr<Dataset> dataset_of(const py::object& X, const std::vector<std::string>& feature_names,
                                    const std::optional<std::vector<std::string>>& labels) {
  std::shared_ptr<Dataset> data;
  if (is_sparse(X)) {
    data = std::make_shared<Dataset>();
    data->samples = sparse_of(X);
  } else {
    data = lent_by(X.cast<Rows>());
  }
  data->source = "X";
  data->feature_names = feature_names;
  if (feature_names.empty())
    for (Index i = 1; i <= data->cols(); ++i) data->feature_names.push_back("x" + std::to_string(i));
  if (labels) data->labels = make_labels(*labels);
  return data;
}

Inputs inputs_of(const py::object& X, const std::vector<std::string>& feature_names,
                 const std::optional<std::vector<std::string>>& labels, const py::dict& others) {
  Inputs inputs;
  if (!X.is_none()) inputs.data.data = dataset_of(X, feature_names, labels);
  for (const auto& [key, value] : others) {
    Inputs::Value& input = inputs.others[key.cast<std::string>()];
    if (!py::isinstance<py::list>(value)) {
      input = matrix_of(value.cast<Rows>());
    } else if (const py::list list = value.cast<py::list>(); list.empty() || py::isinstance<py::str>(list[0])) {
      input = make_labels(list.cast<std::vector<std::string>>());
    } else {
      std::vector<NamedMatrix> matrices;
      for (const auto& [name, values] : list.cast<std::vector<std::pair<std::string, Rows>>>())
        matrices.push_back({name, matrix_of(values)});
      input = std::move(matrices);
    }
  }
  return inputs;
}

}  // namespace ritz::python
