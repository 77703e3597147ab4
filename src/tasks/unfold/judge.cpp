// SPDX-License-Identifier: MIT
// How well an embedding keeps what it was made from, and what it is to be better than: principal components, of the
// samples and of a kernel.

#include "data/footprint.hpp"
#include "metrics/neighbours.hpp"
#include "pairs/bandwidth.hpp"
#include "pairs/neighbours.hpp"
#include "ritz/algorithms/embedding.hpp"
#include "tasks/unfold/task.hpp"

namespace ritz::unfold {

namespace {

constexpr Index kVoters = 5;            // of the k-NN classifier
constexpr double kWholeTrace = 0.9999;  // columns that hold this share of tr K are the kernel

void judge_distances(UnfoldResult& found) {
  if (found.squared.size() == 0 || found.fit.measured.size() != found.squared.size()) return;
  // An edge of length 0 (equal samples) has no relative error.
  const double least = 1e-12 * found.squared.maxCoeff();
  double sum = 0, most = 0;
  Index count = 0;
  for (Index e = 0; e < found.squared.size(); ++e) {
    if (found.squared(e) <= least) continue;
    const double change = std::abs(found.fit.measured(e) - found.squared(e)) / found.squared(e);
    sum += change;
    most = std::max(most, change);
    ++count;
  }
  found.fit.stretch = count > 0 ? sum / double(count) : 0.0;
  found.max_stretch = most;
}

double accuracy_in(DataView points, const std::vector<Index>& rows, const std::vector<int>& labels,
                   const RunContext& context) {
  const RowMatrix known = points(rows, Eigen::all);
  return leave_one_out_knn_accuracy(known, labels, std::min<Index>(kVoters, Index(rows.size()) - 1), context);
}

}  // namespace

double kept_neighbours(const Graph& graph, DataView points, const RunContext& context) {
  std::vector<std::vector<Index>> neighbours(std::size_t(graph.vertices));
  for (const Edge& edge : graph.edges) {
    neighbours[std::size_t(edge.i)].push_back(edge.j);
    neighbours[std::size_t(edge.j)].push_back(edge.i);
  }
  std::size_t most = 0;
  for (auto& list : neighbours) {
    std::ranges::sort(list);
    most = std::max(most, list.size());
  }
  if (most == 0) return kUnknown;
  const NeighbourTable table = nearest_neighbours(
      points, std::min<Index>(kMostCounted, std::min<Index>(Index(most), graph.vertices - 1)), context);
  double sum = 0;
  Index counted = 0;
  for (Index i = 0; i < graph.vertices; ++i) {
    const auto& mine = neighbours[std::size_t(i)];
    if (mine.empty()) continue;
    const auto looked = std::min(mine.size(), std::size_t(table.k));
    const auto near = table.rows_of(i).first(looked);
    const auto hits = std::ranges::count_if(near, [&](Index j) { return std::ranges::binary_search(mine, j); });
    sum += double(hits) / double(looked);
    ++counted;
  }
  return sum / double(counted);
}

void judge(const Dataset& data, const RowMatrix& pca, const UnfoldOptions& options, UnfoldResult& found,
           const RunContext& context) {
  judge_distances(found);
  const RowMatrix& Z = found.fit.embedding;
  found.kept_neighbours = kept_neighbours(found.graph, Z, context);
  if (found.factor.cols() > 0 && found.factor.squaredNorm() >= kWholeTrace * found.fit.trace)
    found.kept_neighbours_kernel = kept_neighbours(found.graph, found.factor, context);

  std::vector<Index> rows;
  std::vector<int> labels;
  for (Index i = 0; i < data.labels.size(); ++i) {
    const int label = data.labels.of[std::size_t(i)];
    if (data.labels.names[std::size_t(label)] == options.unlabelled) continue;
    rows.push_back(i);
    labels.push_back(label);
  }
  if (rows.size() < 2) return;
  found.accuracy.embedding = accuracy_in(Z, rows, labels, context);
  if (found.d == 0) return;
  found.accuracy.pca = accuracy_in(pca.leftCols(std::min(pca.cols(), Z.cols())), rows, labels, context);
  std::string left_out;
  const RowMatrix filled = filled_in(data, context, left_out, EmptyColumns::go);
  if (left_out.empty()) found.accuracy.all = accuracy_in(dense_or(data, filled), rows, labels, context);
}

namespace {

// What columns without an entry add to products and distances is nothing, but a vector over all columns takes room.
SparseRows filled_columns(const SparseRows& X) {
  std::vector<Index> place(std::size_t(X.cols()), -1);
  Index columns = 0;
  for (Index i = 0; i < X.rows(); ++i)
    for (SparseRows::InnerIterator it(X, i); it; ++it) place[std::size_t(it.col())] = 0;
  for (Index& at : place)
    if (at == 0) at = columns++;
  std::vector<Eigen::Triplet<double>> entries;
  for (Index i = 0; i < X.rows(); ++i)
    for (SparseRows::InnerIterator it(X, i); it; ++it)
      entries.emplace_back(int(i), int(place[std::size_t(it.col())]), it.value());
  SparseRows filled(X.rows(), std::max<Index>(columns, 1));
  filled.setFromTriplets(entries.begin(), entries.end());
  return filled;
}

}  // namespace

RowMatrix leading_components(const Dataset& data, std::string_view kernel, Index count, const RunContext& context) {
  const SparseRows filled = data.sparse() ? filled_columns(std::get<SparseRows>(data.samples)) : SparseRows();
  const Samples X =
      data.sparse() ? Samples(filled, Vector::Zero(filled.cols()), Vector::Ones(filled.cols())) : Samples(data.dense());
  const double size = std::sqrt(data.sparse() ? filled.squaredNorm() : data.dense().squaredNorm());
  if (!std::isfinite(std::pow(size, 4)))
    fail(ErrorCode::bad_data,
         "{}: its values are so large that products of squared distances are no numbers any more: scale the data "
         "(unfold.scale)",
         data.source);
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
