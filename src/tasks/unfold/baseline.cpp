// SPDX-License-Identifier: MIT
// What an embedding is to be better than: principal components, of the samples and of a kernel.
#include <algorithm>

#include "pairs/bandwidth.hpp"
#include "ritz/algorithms/embedding.hpp"
#include "tasks/unfold/task.hpp"

namespace ritz::unfold {

RowMatrix leading_components(const Dataset& data, std::string_view kernel, Index count, const RunContext& context) {
  const Samples X =
      data.sparse() ? Samples(std::get<SparseRows>(data.samples), Vector::Zero(data.cols()), Vector::Ones(data.cols()))
                    : Samples(data.dense());
  const KernelSum resolved = resolve_bandwidths(parse_kernel(kernel), X, context).kernel;
  EmbeddingRequest request;
  request.count = std::min(count, data.rows() - 1);
  const Embedding found = spectral_embedding(KernelMatrix(X, resolved), request, Matrix(), context);
  return found.U * found.values.cwiseMax(0.0).cwiseSqrt().asDiagonal();
}

void solve_baseline(const Dataset& data, Index dim, const RowMatrix& pca, UnfoldResult& found,
                    const RunContext& context) {
  Result& fit = found.fit;
  const bool linear = found.method == UnfoldMethod::pca;
  const RowMatrix scores =
      linear ? pca : leading_components(data, "gaussian(sigma=median)", std::max<Index>(dim, 10), context);
  const Index d = std::min(dim, scores.cols());
  fit.embedding = RowMatrix::Zero(found.n, dim);
  fit.embedding.leftCols(d) = scores.leftCols(d);
  fit.spectrum = scores.colwise().squaredNorm();
  found.factor = scores;
  if (linear && pca.cols() >= std::min(data.cols(), found.n - 1)) {  // nothing is left out
    fit.trace = fit.spectrum.sum();
    fit.held = fit.trace > 0 ? fit.spectrum.head(d).sum() / fit.trace : 0.0;
  }
  fit.summary.termination = Termination::converged;
  fit.summary.message = "leading eigenvectors";
}

}  // namespace ritz::unfold
