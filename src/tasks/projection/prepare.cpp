// SPDX-License-Identifier: MIT
#include "tasks/projection/prepare.hpp"

#include <utility>

#include "data/footprint.hpp"
#include "data/scale_rows.hpp"
#include "data/stored/keep_rows.hpp"
#include "linalg/dense/dense.hpp"
#include "pairs/bandwidth.hpp"
#include "ritz/algorithms/ism.hpp"
#include "ritz/base/random.hpp"
#include "ritz/linalg/products.hpp"
#include "tasks/projection/null.hpp"

namespace ritz::projection {

namespace {

std::string list_some(const std::vector<Index>& columns, const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(columns.size(), 5); ++i)
    text += (i ? ", " : "") + names[std::size_t(columns[i])];
  if (columns.size() > 5) text += fmt::format(" and {} more", columns.size() - 5);
  return text;
}

// What constant columns say; throws where all are.
std::vector<std::string> column_notes(const ColumnScaling& scaling, const Dataset& data, Scaling kind) {
  const std::vector<Index>& columns = scaling.constant_columns;
  if (Index(columns.size()) == data.cols())
    fail(ErrorCode::bad_data, "{}: all {} points are equal; there is nothing to reduce", data.source, data.rows());
  if (columns.empty() || kind == Scaling::center || kind == Scaling::none) return {};
  return {fmt::format("{} constant column{} set to 0: {}", columns.size(), columns.size() == 1 ? "" : "s",
                      list_some(columns, data.feature_names))};
}

// work(all scaled rows, dense), unless those that are not would take too much memory then: false.
template <class Work>
bool with_dense_rows(const Dataset& data, const ColumnScaling& scaling, const RunContext& context, const Work& work) {
  constexpr double kShare = 0.25;  // of the memory: rows, their transpose and a basis as large are alive at once
  const double needed = 8.0 * double(data.rows()) * double(data.cols());
  if ((data.sparse() || data.stored()) && needed > kShare * double(context.max_memory)) return false;
  const ScaledSamples scaled(data, scaling);
  RowMatrix buffer;
  const double* rows = scaled.samples().rows_block({0, data.rows()}, buffer);
  work(Eigen::Map<const RowMatrix>(rows, data.rows(), data.cols()));
  return true;
}

// V·diag(c)^(−½) with the eigenpairs of C = (1 − s)·S + s·μ·I, S the covariance inside the classes and μ the mean of
// its diagonal.
Frame whitened_inside_by(const SymmetricEigen& eigen, double shrinkage) {
  const double mean = eigen.values.mean();
  constexpr double kNoScatter = 1e-6;  // of the mean: where the shrinkage is 0, a weight that is still a number
  const Vector shrunk = ((1 - shrinkage) * eigen.values.array() + shrinkage * mean).cwiseMax(kNoScatter * mean);
  const Vector root = shrunk.cwiseMax(1e-300).cwiseSqrt();
  return {eigen.vectors * root.cwiseInverse().asDiagonal(), root.asDiagonal() * eigen.vectors.transpose(), false};
}

// `covariance` is called where its eigenpairs are not at hand.
template <class Covariance>
Frame whitened_by(const Whitening& how, const Covariance& covariance) {
  std::optional<SymmetricEigen> fresh;
  std::optional<SymmetricEigen>& eigen = !how.kept ? fresh : how.classes ? how.kept->classes : how.kept->all;
  if (!eigen) eigen = symmetric_eigen(covariance());
  return how.classes ? whitened_inside_by(*eigen, how.shrinkage) : whitening_by(*eigen, how.shrinkage);
}

Matrix covariance_inside(DataView X, const Labels& classes) {
  const Index n = X.rows(), d = X.cols();
  Matrix means = Matrix::Zero(classes.classes(), d);
  const std::vector<Index> counts = classes.counts();
  for (Index i = 0; i < n; ++i) means.row(classes.of[std::size_t(i)]) += X.row(i);
  for (Index c = 0; c < means.rows(); ++c) means.row(c) /= double(std::max<Index>(1, counts[std::size_t(c)]));
  Matrix inside = X;
  for (Index i = 0; i < n; ++i) inside.row(i) -= means.row(classes.of[std::size_t(i)]);
  return transposed_product(inside, inside) / double(n);
}

// A block of rows after the other, wherever they are.
Matrix covariance_of(const Samples& X, const Labels* classes, const RunContext& context) {
  const double n = double(X.rows());
  Matrix covariance = X.weighted_gram(Vector::Ones(X.rows()), context) / n;
  if (!classes) return covariance;
  RowMatrix members = RowMatrix::Zero(X.rows(), classes->classes());
  for (Index i = 0; i < X.rows(); ++i) members(i, classes->of[std::size_t(i)]) = 1;
  const Matrix sums = X.adjoint(members, context);
  const std::vector<Index> counts = classes->counts();
  for (Index c = 0; c < sums.cols(); ++c)
    covariance -= sums.col(c) * sums.col(c).transpose() / (n * double(std::max<Index>(1, counts[std::size_t(c)])));
  return covariance;
}

Frame whitened(const Samples& X, const Whitening& how, const RunContext& context) {
  return whitened_by(how, [&] { return covariance_of(X, how.classes, context); });
}

Frame whitened(DataView X, const Whitening& how) {
  return whitened_by(how, [&]() -> Matrix {
    if (how.classes) return covariance_inside(X, *how.classes);
    const Matrix columns = X;
    return columns.transpose() * columns / double(X.rows());
  });
}

}  // namespace

ColumnScaling learned_scaling(const Dataset& data, Scaling asked, const Whitening& how, const RunContext& context) {
  const Scaling kind = asked == Scaling::automatic ? Scaling::standard : asked;
  ColumnScaling scaling = learn_scaling(data, kind, context);
  Frame narrow = narrow_frame(data, scaling, context);
  if (kind != Scaling::whiten) {
    scaling.frame = std::move(narrow);
    return scaling;
  }
  if (narrow.empty() && !data.sparse() && (data.stored() || !how.classes)) {
    const ScaledSamples scaled(data, scaling);
    scaling.frame = whitened(scaled.samples(), how, context.uninterrupted());
    return scaling;
  }
  const bool done = with_dense_rows(data, scaling, context, [&](DataView X) {
    scaling.frame = narrow.empty() ? whitened(X, how) : whitened(RowMatrix(X * narrow.basis), how);
  });
  if (!done)
    fail(ErrorCode::memory, "{}: whitening makes sparse data dense, which takes {}; scale them by standard",
         data.source, bytes_text(8.0 * double(data.rows()) * double(data.cols())));
  if (!narrow.empty()) {
    scaling.frame.basis = product(narrow.basis, scaling.frame.basis);
    scaling.frame.inverse = product(scaling.frame.inverse, narrow.inverse);
  }
  return scaling;
}

namespace {

Prepared with_widths(ColumnScaling scaling, ScaledSamples X, KernelSum asked, std::vector<std::string> notes,
                     const RunContext& context) {
  ResolvedKernel resolved = resolve_bandwidths(std::move(asked), X.samples(), context);
  std::map<std::string, std::string> used;
  if (!resolved.text.empty()) used["bandwidth"] = resolved.text;
  std::ranges::move(resolved.notes, std::back_inserter(notes));
  return {std::move(scaling), std::move(X), std::move(resolved.kernel), std::move(used), std::move(notes)};
}

RunContext one_thread() {
  RunContext one;
  one.threads = 1;
  return one;
}

bool changes_nothing(const Dataset& data, const ColumnScaling& scaling) {
  if (!scaling.frame.empty()) return false;
  if (data.stored()) return true;                                // scaled on the fly
  if (data.sparse()) return data.cols() >= scaling.mean.size();  // scaled on the fly
  return (scaling.mean.array() == 0).all() && (scaling.factor.array() == 1).all();
}

Samples view(const Dataset& data, const ColumnScaling& scaling) {
  if (data.sparse()) return {std::get<SparseRows>(data.samples), scaling.mean, scaling.factor};
  if (data.stored()) {
    const auto& rows = std::get<StoredRows>(data.samples);
    if (scaling.frame.empty()) return {rows, scaling.mean, scaling.factor};
    return {rows, Vector::Zero(rows.cols()), Vector::Ones(rows.cols())};  // scaled() has done it
  }
  return {data.dense()};
}

}  // namespace

KernelSum asked_kernel(const std::string& text, const std::string& sigma, std::string_view verb) {
  KernelSum kernel = parse_kernel(text);
  if (sigma.empty()) return kernel;
  const auto width = TextForm<Bandwidth>::parse(sigma);
  if (!width)
    fail(ErrorCode::bad_option, "{}.sigma: cannot read '{}'; expected {}, or 'auto'", verb, sigma,
         TextForm<Bandwidth>::kind());
  if (!set_widths(kernel, *width))
    fail(ErrorCode::bad_option, "{}.sigma is the width of Gaussian kernels; there is none in '{}'", verb, text);
  return kernel;
}

void check_samples(const Dataset& data, const Dimension& dim, std::string_view verb) {
  if (data.rows() < 2) fail(ErrorCode::bad_data, "{}: one sample only; at least two are needed", data.source);
  if (dim.value > data.cols())
    fail(ErrorCode::bad_option, "{}.dim is {}; it must lie in [1, {}] because the data has {} columns", verb, dim.value,
         data.cols(), data.cols());
}

CountedClusters cluster_count(const Samples& X, const RunContext& context) {
  constexpr Index kLookedAt = 500;
  const std::vector<Index> rows = Rng(context.seed, "clusters").sample(X.rows(), std::min(X.rows(), kLookedAt));
  return count_clusters(some_rows(X, rows), context);
}

void check_clusters(Index clusters, const Dataset& data, std::string_view verb) {
  if (clusters == 0) fail(ErrorCode::bad_option, "say how many clusters to look for: {}.clusters K", verb);
  if (clusters < 2 || clusters >= data.rows())
    fail(ErrorCode::bad_option, "{}.clusters is {}; it must lie in [2, {}] because there are {} samples", verb,
         clusters, data.rows() - 1, data.rows());
}

Frame narrow_frame(const Dataset& data, const ColumnScaling& scaling, const RunContext& context) {
  Frame frame;
  if (fitted_columns(data) == data.cols()) return frame;
  if (!with_dense_rows(data, scaling, context, [&](DataView X) { frame = row_space(X); })) {
    constexpr double kSums = 2;  // of all columns with all: the next is made beside the last
    const double d = double(data.cols());
    require_memory(kSums * 8 * d * d, context, fmt::format("a fit to {} sparse columns", data.cols()));
  }
  return frame;
}

Index fitted_columns(const Dataset& data) { return std::min(data.rows(), data.cols()); }

Prepared prepare(const Dataset& data, Scaling scale, KernelSum asked, const RunContext& context,
                 const Whitening& whitening) {
  ColumnScaling scaling = learned_scaling(data, scale, whitening, context);
  std::vector<std::string> notes = column_notes(scaling, data, scale);
  ScaledSamples X(data, scaling, context);
  return with_widths(std::move(scaling), std::move(X), std::move(asked), std::move(notes), context);
}

Prepared prepare(Dataset&& data, Scaling scale, KernelSum asked, const RunContext& context,
                 const Whitening& whitening) {
  ColumnScaling scaling = learned_scaling(data, scale, whitening, context);
  std::vector<std::string> notes = column_notes(scaling, data, scale);
  ScaledSamples X(std::move(data), scaling);
  return with_widths(std::move(scaling), std::move(X), std::move(asked), std::move(notes), context);
}

double samples_held(bool sparse, Scaling scale) { return sparse || scale == Scaling::none ? 1 : 2; }

double fit_bytes(double samples_bytes, const PairSizes& sizes, const KernelSum& kernel, const RunContext& context,
                 const PairAccuracy& accuracy) {
  const double n = double(sizes.n);
  // Before the fit: widths from the data, and weights that are left open.
  double before = bandwidth_bytes(kernel, sizes.n, sizes.d, context);
  if (has_open_weights(kernel))
    before =
        std::max(before, backend_or_cpu(context).alignment_bytes(kernel, sizes.n, sizes.d, resolved_threads(context)));
  return samples_bytes + 8 * n * double(sizes.q) +
         std::max(ism::working_bytes(sizes, kernel, context, accuracy), 8 * n * double(sizes.gamma_columns) + before);
}

double embedding_bytes(Index n, Index clusters) {
  // A basis of eight blocks of vectors, their images, and copies of them.
  return 8.0 * double(n) * 24 * double(clusters + 6);
}

namespace {

// In the frame's coordinates, which are kept in a file of their own.
StoredRows in_frame(const StoredRows& rows, const ColumnScaling& scaling, const RunContext& context) {
  constexpr Index kRows = 2048;  // of a tile of a tall product: the same bits as of rows in memory
  return keep_rows(rows.rows(), scaling.frame.basis.cols(), kRows, [&](Range range) {
    RowMatrix block = rows.block(range);
    apply_scaling(scaling, block);
    return Samples(block).project(scaling.frame.basis, context);
  });
}

}  // namespace

ScaledSamples::Parts ScaledSamples::scaled(std::unique_ptr<Dataset> own, const ColumnScaling& scaling) {
  if (own->stored()) {
    RunContext one;
    one.threads = 1;
    if (!scaling.frame.empty()) own->samples = in_frame(std::get<StoredRows>(own->samples), scaling, one);
    const Dataset* data = own.get();
    return {std::move(own), data};
  }
  if (!changes_nothing(*own, scaling)) {
    if (own->sparse())
      std::get<SparseRows>(own->samples).conservativeResize(own->rows(), scaling.mean.size());
    else
      apply_scaling(scaling, own->dense());
  }
  if (const Frame& frame = scaling.frame; !frame.empty()) {
    RunContext one;  // the frame is applied once: bits that depend on nothing are worth more than threads
    one.threads = 1;
    own->samples = view(*own, scaling).project(frame.basis, one);
  }
  const Dataset* data = own.get();
  return {std::move(own), data};
}

ScaledSamples::Parts ScaledSamples::scaled(const Dataset& data, const ColumnScaling& scaling,
                                           const RunContext& context) {
  if (changes_nothing(data, scaling)) return {nullptr, &data};
  auto copy = std::make_unique<Dataset>();
  if (!data.sparse() && !data.stored() && scaling.frame.empty()) {
    copy->samples = scaled_rows(scaling, data.dense(), context);
    const Dataset* own = copy.get();
    return {std::move(copy), own};
  }
  copy->samples = data.samples;
  return scaled(std::move(copy), scaling);
}

ScaledSamples::ScaledSamples(Parts parts, const ColumnScaling& scaling)
    : parts_(std::move(parts)), scaling_(scaling), samples_(view(*parts_.data, scaling)) {}

ScaledSamples::ScaledSamples(const Dataset& data, const ColumnScaling& scaling, const RunContext& context)
    : ScaledSamples(scaled(data, scaling, context), scaling) {}

ScaledSamples::ScaledSamples(const Dataset& data, const ColumnScaling& scaling)
    : ScaledSamples(data, scaling, one_thread()) {}

ScaledSamples::ScaledSamples(Dataset&& data, const ColumnScaling& scaling)
    : ScaledSamples(scaled(std::make_unique<Dataset>(std::move(data)), scaling), scaling) {}

double ScaledSamples::bytes() const { return data_bytes(*parts_.data); }

ScaledSamples ScaledSamples::rows(const std::vector<Index>& which) const {
  auto own = std::make_unique<Dataset>(select_rows(*parts_.data, which));
  if (parts_.data->stored() && !own->stored() && scaling_.frame.empty()) apply_scaling(scaling_, own->dense());
  const Dataset* data = own.get();
  return {Parts{std::move(own), data}, scaling_};
}

}  // namespace ritz::projection
