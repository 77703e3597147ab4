// SPDX-License-Identifier: MIT
// Labels from an embedding, for the training samples and for new ones.
#include <fmt/format.h>

#include <cmath>

#include "pairs/bandwidth.hpp"
#include "ritz/algorithms/embedding.hpp"
#include "ritz/pairs/backend.hpp"

namespace ritz {

namespace {

// Eigenvalues below this part of the largest are 0 up to rounding: dividing by them would extend noise.
constexpr double kVanished = 1e-10;

RowMatrix unit_rows(const Matrix& U) {
  if (U.cols() == 0) return RowMatrix::Zero(U.rows(), 1);  // nothing to tell the samples apart
  const Vector norms = U.rowwise().norm();
  const double zero = 1e-12 * norms.maxCoeff();
  RowMatrix rows = RowMatrix::Zero(U.rows(), U.cols());
  for (Index i = 0; i < U.rows(); ++i)
    if (norms[i] > zero) rows.row(i) = U.row(i) / norms[i];
  return rows;
}

}  // namespace

SpectralClusters cluster_embedding(const Embedding& embedding, DataView Z, const KernelSum& kernel,
                                   const KMeansOptions& options, const RunContext& context) {
  Index kept = 0;
  while (kept < embedding.values.size() && embedding.values[kept] > kVanished * std::abs(embedding.values[0])) ++kept;
  const Vector inverse = embedding.values.head(kept).cwiseInverse();
  SpectralClusters result;
  result.model.Z = Z;
  result.model.kernel = kernel;
  result.model.by_degree = uses_degrees(embedding.normalisation);
  result.model.coefficients = embedding.U.leftCols(kept) * inverse.asDiagonal();
  // HLHu = λu and Hu = u: u = (Lu − mean(Lu))/λ, at a training sample and, with its own row of L, at any other.
  Matrix features = embedding.images.leftCols(kept) * inverse.asDiagonal();
  result.model.offset =
      is_centred(embedding.normalisation) ? Vector(-features.colwise().mean().transpose()) : Vector(Vector::Zero(kept));
  features.rowwise() += result.model.offset.transpose();
  if (result.model.by_degree)
    result.model.coefficients = embedding.degrees.cwiseSqrt().cwiseInverse().asDiagonal() * result.model.coefficients;

  const KMeansResult clusters = kmeans(unit_rows(features), options, context);
  result.labels = clusters.labels;
  result.model.centers = clusters.centers;
  result.inertia = clusters.inertia;
  return result;
}

Matrix extend_embedding(const ClusterModel& model, DataView Z, const RunContext& context) {
  for (const KernelTerm& term : model.kernel)
    if (is_per_sample(term.kernel))
      throw Error(ErrorCode::unsupported,
                  fmt::format("new samples cannot be labelled with kernel {}: a sample's width depends on its "
                              "neighbours in all columns, which the model does not hold; label by a Gaussian instead",
                              kernel_text(model.kernel)));
  if (Z.cols() != model.Z.cols())
    throw Error(ErrorCode::bad_shape,
                fmt::format("the samples have {} columns; the model was fitted on {}", Z.cols(), model.Z.cols()));
  const Index n = model.Z.rows(), m = model.coefficients.cols();
  RowMatrix in(n, m + (model.by_degree ? 1 : 0));
  in.leftCols(m) = model.coefficients;
  if (model.by_degree) in.col(m).setOnes();
  const RowMatrix rows = Z;
  const Samples left(rows), right(model.Z);
  const RowMatrix out = cross_kernel_product({left, model.kernel}, {right, model.kernel}, in, context);
  Matrix U = out.leftCols(m);
  if (model.by_degree)
    for (Index i = 0; i < U.rows(); ++i)  // a sample far from all others has degree 0, and no direction
      U.row(i) *= out(i, m) > 0 ? 1 / std::sqrt(out(i, m)) : 0.0;
  U.rowwise() += model.offset.transpose();
  return U;
}

RowMatrix cluster_points(const ClusterModel& model, DataView Z, const RunContext& context) {
  return model.of_samples ? RowMatrix(Z) : clustered_points(extend_embedding(model, Z, context));
}

std::vector<int> predict_clusters(const ClusterModel& model, DataView Z, const RunContext& context) {
  return nearest_centers(cluster_points(model, Z, context), model.centers, context);
}

SpectralClusters cluster_samples(DataView Z, const KernelSum& kernel, const KMeansOptions& options,
                                 const RunContext& context) {
  KMeansResult clusters = kmeans(Z, options, context);
  SpectralClusters result;
  result.model = {.Z = Z,
                  .kernel = kernel,
                  .coefficients = Matrix(Z.rows(), 0),
                  .offset = Vector(0),
                  .centers = std::move(clusters.centers),
                  .of_samples = true};
  result.labels = std::move(clusters.labels);
  result.inertia = clusters.inertia;
  return result;
}

RowMatrix clustered_points(const Matrix& extended) { return unit_rows(extended); }

PlainClusterings plain_clusterings(const Samples& X, const KernelSum& kernel, const KMeansOptions& options,
                                   const RunContext& context) {
  const KernelSum used = has_positive_values(kernel)
                             ? kernel
                             : resolve_bandwidths(parse_kernel("gaussian(sigma=median)"), X, context).kernel;
  const EmbeddingRequest request{
      .count = options.clusters, .normalisation = Normalisation::degree, .tolerance = 1e-4, .max_products = 30};
  const Embedding embedding = spectral_embedding(KernelMatrix(X, used), request, {}, context);
  PlainClusterings plain{kmeans(unit_rows(embedding.U), options, context).labels, {}, kernel_text(used)};
  const double bytes =
      8 * double(X.rows()) * double(X.cols());  // k-means holds the samples densely, twice where sparse
  if (2 * bytes <= double(context.max_memory)) {
    RowMatrix buffer;
    const Eigen::Map<const RowMatrix> rows(X.rows_block({0, X.rows()}, buffer), X.rows(), X.cols());
    plain.kmeans = kmeans(rows, options, context).labels;
  }
  return plain;
}

}  // namespace ritz
