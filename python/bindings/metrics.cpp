// SPDX-License-Identifier: MIT
// Measures of results, as the tasks themselves take them.
#include "bindings/module.hpp"
#include "linalg/subspace.hpp"
#include "metrics/clustering.hpp"
#include "metrics/neighbours.hpp"
#include "pairs/bandwidth.hpp"
#include "ritz/model/gamma.hpp"
#include "ritz/pairs/backend.hpp"

namespace ritz::python {

namespace {

Matrix basis_of(const Rows& vectors, const char* name) {
  const Matrix given = matrix_of(vectors);
  if (given.size() == 0 || !given.allFinite())
    throw Error(ErrorCode::bad_data, std::string(name) + " must hold finite vectors, a column each");
  return orthonormalise(given, 1e-10).basis;
}

std::pair<Matrix, Matrix> bases_of(const Rows& A, const Rows& B) {
  std::pair<Matrix, Matrix> bases = {basis_of(A, "A"), basis_of(B, "B")};
  if (bases.first.rows() != bases.second.rows())
    throw Error(ErrorCode::bad_shape, "A lies in a space of " + std::to_string(bases.first.rows()) +
                                          " dimensions, B in one of " + std::to_string(bases.second.rows()));
  return bases;
}

// (⟨HKH, Γ⟩, alignment) of a kernel on the rows of X with labels, or with numbers.
std::pair<double, double> dependence(const Rows& given, const std::optional<std::vector<std::string>>& labels,
                                     const std::optional<Rows>& targets, const std::string& kernel,
                                     const std::string& target_kernel) {
  const RowMatrix values = matrix_of(given);
  Session session({});
  std::optional<RowMatrix> numbers;
  if (targets) numbers = matrix_of(*targets);
  return session.run([&] {
    const RunContext& context = session.context();
    const Samples X(values);
    Gamma gamma;
    if (labels) {
      gamma = supervised_gamma(make_labels(*labels));
    } else {
      const RowMatrix standardised = standardised_targets(*numbers);
      TargetOptions how;
      set(how, "kernel", target_kernel);
      if (how.kernel == TargetKernel::gaussian) how.sigma = resolved_width(how.sigma, Samples(standardised), context);
      gamma = target_gamma(standardised, how, context).gamma;
    }
    if (gamma.size() != X.rows())
      throw Error(ErrorCode::bad_shape,
                  "X has " + std::to_string(X.rows()) + " rows, y has " + std::to_string(gamma.size()));
    const KernelSum sum = resolve_bandwidths(parse_kernel(kernel), X, context).kernel;
    const AlignmentSums sums = backend_or_cpu(context).alignment_sums(sum, X, gamma, context);
    Vector weights(Index(sum.size()));
    for (Index t = 0; t < weights.size(); ++t) weights(t) = sum[std::size_t(t)].weight;
    const double value = weights.dot(sums.target);
    const double size = std::sqrt(weights.dot(sums.gram * weights)) * sums.target_norm;
    return std::pair(value, size > 0 ? value / size : 0.0);
  });
}

py::dict distortion(const Rows& X, const Rows& psi, Index bins) {
  Session session({});
  const Eigen::Map<const RowMatrix> points(X.data(), X.shape(0), X.shape(1));
  const Matrix map = matrix_of(psi);
  if (map.cols() != points.cols())
    throw Error(ErrorCode::bad_shape,
                "X has " + std::to_string(points.cols()) + " columns, the map takes " + std::to_string(map.cols()));
  const DistanceFacts found = session.run([&] {
    const auto sweep = backend_or_cpu(session.context()).distance_sweep(points, {}, session.context());
    return sweep->sweep(map, {.listed = 1, .bins = bins}, session.context());
  });
  py::dict facts;
  facts["distortion"] = found.distortion;
  facts["lowest"] = found.lowest;
  facts["highest"] = found.highest;
  facts["pairs"] = found.pairs;
  facts["histogram"] = found.histogram;
  return facts;
}

}  // namespace

void bind_metrics(py::module_& m) {
  using Numbers = std::vector<int>;
  m.def("normalised_mutual_information",
        [](const Numbers& a, const Numbers& b) { return normalised_mutual_information(a, b); });
  m.def("rand_index", [](const Numbers& a, const Numbers& b) { return rand_index(a, b); });
  m.def("adjusted_rand_index", [](const Numbers& a, const Numbers& b) { return adjusted_rand_index(a, b); });
  m.def("leave_one_out_accuracy", [](const Rows& X, const Numbers& labels, Index k) {
    const RowMatrix values = matrix_of(X);
    Session session({});
    return session.run([&] { return leave_one_out_knn_accuracy(values, labels, k, session.context()); });
  });
  m.def("principal_angles", [](const Rows& A, const Rows& B) {
    const auto [a, b] = bases_of(A, B);
    return to_numpy(RowMatrix(principal_angles(a, b).transpose()));
  });
  m.def("dependence", &dependence);
  m.def("distortion", &distortion);
}

}  // namespace ritz::python
