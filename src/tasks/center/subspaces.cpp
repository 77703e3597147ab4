// SPDX-License-Identifier: MIT
#include "tasks/center/task.hpp"

#include "linalg/dense/dense.hpp"
#include "linalg/grassmann.hpp"
#include "linalg/power_scale.hpp"
#include "linalg/subspace.hpp"
#include "ritz/base/parallel.hpp"

namespace ritz::center {

namespace {

bool leading(const SubspaceOptions& options) { return options.rank > 0 || options.energy > 0; }

// What the vectors (columns) stand for: an orthonormal basis.
Matrix basis_of(const Matrix& vectors, const std::string& name, const SubspaceOptions& options) {
  if (vectors.rows() == 0 || vectors.cols() == 0)
    fail(ErrorCode::bad_data, "{} is empty: a subspace needs a vector at least", name);
  if (!vectors.allFinite()) fail(ErrorCode::not_finite, "{} holds a value that is not finite", name);
  if (!leading(options)) {
    for (Index j = 0; j < vectors.cols(); ++j)
      if (vectors.col(j).cwiseAbs().maxCoeff() == 0)
        fail(ErrorCode::bad_data, "{}: {} {} is zero; the vectors of a basis are not", name,
             options.rows ? "row" : "column", j + 1);
    Matrix scaled = vectors;  // a vector's length says nothing about the space
    for (Index j = 0; j < vectors.cols(); ++j) scaled.col(j) *= power_scale(vectors.col(j).cwiseAbs().maxCoeff());
    return orthonormalise(scaled, 1e-10).basis;
  }
  if (vectors.cwiseAbs().maxCoeff() == 0) fail(ErrorCode::bad_data, "{} is zero everywhere", name);
  const std::vector<Matrix> one = {plain_scale(vectors.cwiseAbs().maxCoeff()) * vectors};
  const FlagMean flag = flag_mean(one);
  if (options.rank > flag.basis.cols())
    fail(ErrorCode::bad_option, "center.rank is {}, but {} has rank {}", options.rank, name, flag.basis.cols());
  Index dimension = options.rank > 0 ? options.rank : 1;
  if (options.rank == 0) {
    const double wanted = options.energy * flag.values.sum() * (1 - 1e-12);
    for (double held = flag.values(0); held < wanted && dimension < flag.values.size(); ++dimension)
      held += flag.values(dimension);
  }
  return flag.basis.leftCols(dimension);
}

// Orthonormal columns with the span of the vectors, up to rounding.
Matrix leading_part(const Matrix& vectors) {
  constexpr double kRounding = 1e-10;  // of the largest singular value
  const SingularValues svd = thin_svd(vectors);
  const Index rank = (svd.values.array() > kRounding * svd.values(0)).count();
  return svd.U.leftCols(rank);
}

void check_options(const SubspaceOptions& options) {
  ritz::check(options);
  if (options.rank > 0 && options.energy > 0)
    fail(ErrorCode::bad_option, "center.rank and center.energy are two ways to say the same; give one of them");
  if (options.center_groups && options.group_column.empty())
    fail(ErrorCode::bad_option, "center.center_groups is for groups of samples: give center.group_column");
}

// Bases, of any of the shapes above, put together. `vectors(i)` gives the columns of number i.
template <class Vectors>
Subspaces assembled(Index count, Index n, std::vector<std::string> names, const SubspaceOptions& options,
                    const RunContext& context, Vectors&& vectors) {
  Subspaces found;
  found.names = std::move(names);
  std::vector<RowMatrix> bases(static_cast<std::size_t>(count));
  std::vector<Index> lost(std::size_t(count), 0);
  for_each_tile(count, context, [&](Index i) {
    const Matrix given = vectors(i);
    const Matrix basis = basis_of(given, found.names[std::size_t(i)], options);
    if (!leading(options)) lost[std::size_t(i)] = given.cols() - basis.cols();
    bases[std::size_t(i)] = basis.transpose();
  });
  Index rows = 0, deficient = 0;
  for (Index i = 0; i < count; ++i) {
    found.all.begin.push_back(rows += bases[std::size_t(i)].rows());
    if (lost[std::size_t(i)] > 0 && ++deficient <= 5)
      note(found.notes, "{}: {} of the {} vectors depend on the others; its dimension is {}",
           found.names[std::size_t(i)], lost[std::size_t(i)], lost[std::size_t(i)] + bases[std::size_t(i)].rows(),
           bases[std::size_t(i)].rows());
  }
  if (deficient > 5) note(found.notes, "so do vectors of {} further subspaces", deficient - 5);
  found.all.vectors.resize(rows, n);
  for (Index i = 0; i < count; ++i) {
    RowMatrix& basis = bases[std::size_t(i)];
    found.all.vectors.middleRows(found.all.begin[std::size_t(i)], basis.rows()) = basis;
    basis.resize(0, 0);
  }
  Dataset whole;
  whole.samples = std::move(found.all.vectors);
  found.hash = data_hash(whole);
  found.all.vectors = std::move(whole.dense());
  return found;
}

std::vector<Index> dims_of(const RowMatrix& values, const std::string& source) {
  std::vector<Index> dims;
  for (Index i = 0; i < values.size(); ++i) {
    const double value = values.data()[i];
    if (!(value >= 0) || value != std::floor(value) || value > 1e9)
      fail(ErrorCode::bad_data, "{}: {} is no number of columns", source, number_text(value));
    if (value == 0) fail(ErrorCode::bad_data, "{}: subspace {} is empty: it has no basis vector", source, i + 1);
    dims.push_back(Index(value));
  }
  return dims;
}

}  // namespace

Subspaces subspaces_of(std::vector<NamedMatrix> matrices, const SubspaceOptions& options, const RunContext& context) {
  check_options(options);
  if (matrices.empty()) fail(ErrorCode::bad_data, "no subspaces: there is nothing to find the centre of");
  const auto rows = [&](const NamedMatrix& each) { return options.rows ? each.values.cols() : each.values.rows(); };
  std::vector<std::string> names;
  for (const NamedMatrix& each : matrices) {
    if (each.values.size() > 0 && matrices[0].values.size() > 0 && rows(each) != rows(matrices[0]))
      fail(ErrorCode::bad_shape, "{} lies in a space of {} dimensions, {} in one of {}; all must lie in the same",
           matrices[0].name, rows(matrices[0]), each.name, rows(each));
    names.push_back(each.name);
  }
  const Index n = rows(matrices[0]);
  return assembled(Index(matrices.size()), n, std::move(names), options, context, [&](Index i) -> Matrix {
    const RowMatrix& values = matrices[std::size_t(i)].values;
    return options.rows ? Matrix(values.transpose()) : Matrix(values);
  });
}

Subspaces split_subspaces(RowMatrix bases, const std::vector<Index>& dims, const std::string& source,
                          const SubspaceOptions& options, const RunContext& context) {
  check_options(options);
  if (options.rows) bases = bases.transpose().eval();
  std::vector<Index> first = {0};
  std::vector<std::string> names;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    first.push_back(first.back() + dims[i]);
    names.push_back(fmt::format("s{}", i + 1));
  }
  if (dims.empty() || first.back() != bases.cols())
    fail(ErrorCode::bad_shape, "{} has {} vectors, but the dimensions of the {} subspaces sum to {}", source,
         bases.cols(), dims.size(), first.back());
  return assembled(Index(dims.size()), bases.rows(), std::move(names), options, context,
                   [&](Index i) -> Matrix { return bases.middleCols(first[std::size_t(i)], dims[std::size_t(i)]); });
}

Subspaces group_subspaces(const Dataset& data, const SubspaceOptions& options, const RunContext& context) {
  check_options(options);
  if (data.labels.size() != data.rows())
    fail(ErrorCode::bad_data, "{}: the groups are missing: a label for each sample", data.source);
  if (data.sparse())
    throw Error(ErrorCode::unsupported, data.source + ": groups of sparse samples are not read; give them dense");
  std::vector<std::vector<Index>> rows(std::size_t(data.labels.classes()));
  Index zeros = 0;  // samples that add nothing to what their group spans, but count in its mean
  for (std::size_t i = 0; i < data.labels.of.size(); ++i) {
    if (!options.center_groups && (data.dense().row(Index(i)).array() == 0).all())
      ++zeros;
    else
      rows[std::size_t(data.labels.of[i])].push_back(Index(i));
  }
  RowMatrix means = RowMatrix::Zero(data.labels.classes(), data.cols());
  if (options.center_groups)
    for (std::size_t g = 0; g < rows.size(); ++g) {
      if (rows[g].size() < 2)
        fail(ErrorCode::bad_data, "{}: group '{}' has one sample; without its mean nothing is left", data.source,
             data.labels.names[g]);
      means.row(Index(g)) = data.dense()(rows[g], Eigen::all).colwise().mean();
    }
  // A group around its mean has a dimension less than it has samples: rounding must not count as one more.
  Subspaces found =
      assembled(data.labels.classes(), data.cols(), data.labels.names, options, context, [&](Index i) -> Matrix {
        const std::vector<Index>& of = rows[std::size_t(i)];
        if (of.empty())
          fail(ErrorCode::bad_data, "{}: all samples of group '{}' are zero: they span nothing", data.source,
               data.labels.names[std::size_t(i)]);
        Matrix vectors = (data.dense()(of, Eigen::all).rowwise() - means.row(i)).transpose();
        if (options.center_groups && !leading(options)) vectors = leading_part(vectors);
        return vectors;
      });
  found.notes = data.notes;  // that there are more samples than dimensions is no news
  if (zeros > 0)
    note(found.notes, "{}: {} {} zero everywhere and {} nothing to the space of {} group", data.source, zeros,
         zeros == 1 ? "sample is" : "samples are", zeros == 1 ? "adds" : "add", zeros == 1 ? "its" : "their");
  found.features = data.feature_names;
  found.columns = data.recipe;
  found.means = std::move(means);
  return found;
}

Subspaces given_subspaces(const Inputs& inputs, const std::vector<Index>& known, const SubspaceOptions& options,
                          const RunContext& context) {
  if (const auto bases = inputs.others.find("bases"); bases != inputs.others.end())
    return subspaces_of(std::get<std::vector<NamedMatrix>>(bases->second), options, context);
  if (inputs.data.data) return group_subspaces(*inputs.data.data, options, context);  // its labels are the groups
  const std::vector<std::string>& files = inputs.data.paths;
  const std::string dims = inputs.word("dims");
  if (files.empty()) fail(ErrorCode::bad_option, "no subspaces: give a file for each, or one with many");
  if (!options.group_column.empty()) {
    if (files.size() > 1 || !dims.empty())
      fail(ErrorCode::bad_option, "center.group_column is for one table of samples, without center.dims");
    ReadOptions read = inputs.data.read;
    read.label_column = options.group_column;
    return group_subspaces(read_dataset(files[0], read, context), options, context);
  }
  if (!dims.empty()) {
    if (files.size() > 1) fail(ErrorCode::bad_option, "center.dims is for one file with bases side by side");
    return split_subspaces(read_matrix(files[0], context), dims_of(read_matrix(dims, context), dims), files[0], options,
                           context);
  }
  std::vector<NamedMatrix> matrices;
  for (const std::string& file : files) {
    std::vector<NamedMatrix> found = read_matrices(file, context);
    if (files.size() == 1) {
      const auto bases = std::ranges::find(found, "bases", &NamedMatrix::name),
                 sizes = std::ranges::find(found, "dims", &NamedMatrix::name);
      if (bases != found.end() && sizes != found.end())
        return split_subspaces(std::move(bases->values), dims_of(sizes->values, file), file, options, context);
      if (!known.empty() && known.size() > 1 && found.size() == 1)
        return split_subspaces(std::move(found[0].values), known, file, options, context);
    }
    for (NamedMatrix& each : found) {
      each.name = each.name.empty() ? file : files.size() > 1 ? fmt::format("{}:{}", file, each.name) : each.name;
      matrices.push_back(std::move(each));
    }
    if (found.empty()) fail(ErrorCode::bad_data, "{} holds no matrix", file);
  }
  return subspaces_of(std::move(matrices), options, context);
}

}  // namespace ritz::center
