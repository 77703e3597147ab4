// SPDX-License-Identifier: MIT
#include "backends/cpu/tile_parts.hpp"

#include <algorithm>

#include "model/kernel_list.hpp"

namespace ritz::tile {

Forms forms_of(const KernelSum& kernel) {
  Forms forms;
  for (const KernelTerm& term : kernel) (form_of(term.kernel) == PairForm::dot ? forms.dot : forms.difference) = true;
  return forms;
}

PanelShares all_panels(Index n, const TileSample* sample) {
  constexpr Index kShares = 64, kPairsPerShare = 16;  // the latter where there are more than enough for many ranks
  const Index panels = tile_count(n, kTile), pairs = (panels + 1) / 2;
  return {0, panels, std::min(pairs, std::max(kShares, pairs / kPairsPerShare)), sample};
}

Projected::Projected(const RowMatrix& Z, const KernelSum& kernel)
    : raw(Z), dot(forms_of(kernel).dot), difference(forms_of(kernel).difference) {
  if (!difference) return;
  centred = Z.rowwise() - Z.colwise().mean();
  norms = centred.rowwise().squaredNorm();
}

TileSide Projected::side(Range range) const {
  TileSide side{range, raw.cols()};
  if (dot) side.raw = raw.data() + range.begin * raw.cols();
  if (difference) {
    side.centred = centred.data() + range.begin * raw.cols();
    side.norms = norms.data() + range.begin;
  }
  return side;
}

TileSide SampleRows::load(Range range) {
  TileSide side{range, X_.cols()};
  side.raw = X_.rows_block(range, buffer_);
  if (!forms_.difference) return side;
  centred_ = Eigen::Map<const RowMatrix>(side.raw, range.size(), X_.cols()).rowwise() - centre_;
  norms_ = centred_.rowwise().squaredNorm();
  side.centred = centred_.data();
  side.norms = norms_.data();
  if (!forms_.dot) return side;
  along_ = (centred_ * centre_.transpose()).array() + 0.5 * centre_.squaredNorm();
  side.along = along_.data();
  return side;
}

namespace {

template <class Number, class Block, class BlockOut>
BlockProduct<Number> block_product(Index m, Index n, Index k, Number alpha, Block A, Transpose a, Block B, Transpose b,
                                   bool add, BlockOut C) {
  const bool turned_a = a == Transpose::yes, turned_b = b == Transpose::yes;
  return {m,
          n,
          k,
          alpha,
          A.data,
          turned_a ? 1 : A.stride,
          turned_a ? A.stride : 1,
          B.data,
          turned_b ? 1 : B.stride,
          turned_b ? B.stride : 1,
          C.data,
          C.stride,
          add};
}

}  // namespace

void tile_gemm(Index m, Index n, Index k, double alpha, RowBlock A, Transpose a, RowBlock B, Transpose b, bool add,
               RowBlockOut C) {
  functions().product(block_product(m, n, k, alpha, A, a, B, b, add, C));
}

void tile_gemm(Index m, Index n, Index k, float alpha, SingleBlock A, Transpose a, SingleBlock B, Transpose b, bool add,
               SingleBlockOut C) {
  functions().single_product(block_product(m, n, k, alpha, A, a, B, b, add, C));
}

void outer_tile(const RowMatrix& A, Range I, const RowMatrix& B, Range J, double* tile) {
  tile_gemm(I.size(), J.size(), A.cols(), 1.0, {A.data() + I.begin * A.cols(), A.cols()}, Transpose::no,
            {B.data() + J.begin * B.cols(), B.cols()}, Transpose::yes, false, {tile, J.size()});
}

void add_symmetric_product(double alpha, const double* M, Range I, Range J, DataView in, Eigen::Ref<RowMatrix> out) {
  const auto from = [&](Range rows) { return RowBlock{in.data() + rows.begin * in.outerStride(), in.outerStride()}; };
  const auto into = [&](Range rows) {
    return RowBlockOut{out.data() + rows.begin * out.outerStride(), out.outerStride()};
  };
  tile_gemm(I.size(), in.cols(), J.size(), alpha, {M, J.size()}, Transpose::no, from(J), Transpose::no, true, into(I));
  if (I.begin == J.begin) return;
  tile_gemm(J.size(), in.cols(), I.size(), alpha, {M, J.size()}, Transpose::yes, from(I), Transpose::no, true, into(J));
}

Tile::Tile(const KernelSum& of_rows, const KernelSum& of_columns, std::size_t entries)
    : of_rows_(of_rows),
      of_columns_(of_columns),
      forms_(forms_of(of_columns)),
      functions_(functions()),
      dot_products_(forms_.dot ? entries : 0),
      difference_products_(forms_.difference ? entries : 0),
      beta_(kTile),
      scale_(kTile),
      value_(kTile),
      dot_(kTile),
      difference_(kTile) {}

void Tile::load(const TileSide& rows, const TileSide& columns) {
  I_ = rows;
  J_ = columns;
  const Index n = rows.range.size(), m = columns.range.size(), d = rows.columns;
  const auto products = [&](const double* A, const double* B, std::vector<double>& out) {
    tile_gemm(n, m, d, 1.0, {A, d}, Transpose::no, {B, d}, Transpose::yes, false, {out.data(), m});
  };
  if (forms_.difference) products(rows.centred, columns.centred, difference_products_);
  if (!forms_.dot) return;
  if (!rows.along || !columns.along) return products(rows.raw, columns.raw, dot_products_);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < m; ++j)
      dot_products_[std::size_t(i * m + j)] =
          difference_products_[std::size_t(i * m + j)] + rows.along[i] + columns.along[j];
}

void Tile::begin_row(Index i) {
  row_ = i;
  const Index m = J_.range.size();
  if (forms_.difference)
    functions_.squared_distances(difference_products_.data() + i * m, I_.norms[i], J_.norms, m, beta_.data());
}

void Tile::add(std::size_t t, double weight, KernelRow::Function* KernelRow::*function, double* first, double* second) {
  const Index m = J_.range.size();
  const KernelTerm& term = of_columns_[t];
  const double* beta = form_of(term.kernel) == PairForm::dot ? dot_products_.data() + row_ * m : beta_.data();
  const double* scale = nullptr;
  if (term.sample_scale) {
    const double own = (*of_rows_[t].sample_scale)[std::size_t(I_.range.begin + row_)];
    functions_.outer_scale(own, term.sample_scale->data() + J_.range.begin, m, scale_.data());
    scale = scale_.data();
  }
  const KernelVariant& kernel = *term.kernel;
  const void* object = std::visit([](const auto& k) -> const void* { return &k; }, kernel);
  (functions_.kernels[kernel.index()].*function)(object, weight, beta, scale, m, first, second);
}

void Tile::term_values(std::size_t term, double* out) {
  std::fill_n(out, J_.range.size(), 0.0);
  add(term, 1, &KernelRow::value, out, nullptr);
}

void Tile::evaluate(Index i, Want want) {
  const Index m = J_.range.size();
  if (want != Want::curvature) std::fill_n(value_.data(), m, 0.0);
  if (forms_.dot && want != Want::value) std::fill_n(dot_.data(), m, 0.0);
  if (forms_.difference && want != Want::value) std::fill_n(difference_.data(), m, 0.0);
  begin_row(i);
  for (std::size_t t = 0; t < of_columns_.size(); ++t) {
    const KernelTerm& term = of_columns_[t];
    double* derivative = (form_of(term.kernel) == PairForm::dot ? dot_ : difference_).data();
    if (want == Want::value)
      add(t, term.weight, &KernelRow::value, value_.data(), nullptr);
    else if (want == Want::value_slope)
      add(t, term.weight, &KernelRow::value_slope, value_.data(), derivative);
    else
      add(t, term.weight, &KernelRow::curvature, derivative, nullptr);
  }
}

RowSums Tile::weigh(Index i, const double* gamma, double* weights, double* column_degree) {
  const Index m = J_.range.size();
  if (of_columns_.size() == 1 && forms_.difference && !of_columns_[0].sample_scale) {  // in one pass
    const KernelVariant& kernel = *of_columns_[0].kernel;
    const void* object = std::visit([](const auto& k) -> const void* { return &k; }, kernel);
    return functions_.kernels[kernel.index()].weigh(object, of_columns_[0].weight, difference_products_.data() + i * m,
                                                    I_.norms[i], J_.norms, m, gamma, weights, column_degree);
  }
  evaluate(i, Want::value_slope);
  return functions_.combine(gamma, value(), dot_derivative(), difference_derivative(), m, weights, column_degree);
}

}  // namespace ritz::tile
