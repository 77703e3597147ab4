// SPDX-License-Identifier: MIT
#include "tasks/projection/scaled_samples.hpp"

#include <utility>

#include "data/footprint.hpp"

namespace ritz::projection {

namespace {

bool changes_nothing(const Dataset& data, const ColumnScaling& scaling) {
  if (data.sparse()) return data.cols() >= scaling.mean.size();  // scaled on the fly
  return (scaling.mean.array() == 0).all() && (scaling.factor.array() == 1).all();
}

Samples view(const Dataset& data, const ColumnScaling& scaling) {
  if (data.sparse()) return {std::get<SparseRows>(data.samples), scaling.mean, scaling.factor};
  return {data.dense()};
}

}  // namespace

ScaledSamples::Parts ScaledSamples::scaled(std::unique_ptr<Dataset> own, const ColumnScaling& scaling) {
  if (!changes_nothing(*own, scaling)) {
    if (own->sparse())
      std::get<SparseRows>(own->samples).conservativeResize(own->rows(), scaling.mean.size());
    else
      apply_scaling(scaling, own->dense());
  }
  const Dataset* data = own.get();
  return {std::move(own), data};
}

ScaledSamples::Parts ScaledSamples::scaled(const Dataset& data, const ColumnScaling& scaling) {
  if (changes_nothing(data, scaling)) return {nullptr, &data};
  auto copy = std::make_unique<Dataset>();
  copy->samples = data.samples;
  return scaled(std::move(copy), scaling);
}

ScaledSamples::ScaledSamples(Parts parts, const ColumnScaling& scaling)
    : parts_(std::move(parts)), scaling_(scaling), samples_(view(*parts_.data, scaling)) {}

ScaledSamples::ScaledSamples(const Dataset& data, const ColumnScaling& scaling)
    : ScaledSamples(scaled(data, scaling), scaling) {}

ScaledSamples::ScaledSamples(Dataset&& data, const ColumnScaling& scaling)
    : ScaledSamples(scaled(std::make_unique<Dataset>(std::move(data)), scaling), scaling) {}

double ScaledSamples::bytes() const { return data_bytes(*parts_.data); }

ScaledSamples ScaledSamples::rows(const std::vector<Index>& which) const {
  auto own = std::make_unique<Dataset>(select_rows(*parts_.data, which));
  const Dataset* data = own.get();
  return {Parts{std::move(own), data}, scaling_};
}

}  // namespace ritz::projection
