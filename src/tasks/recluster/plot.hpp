// SPDX-License-Identifier: MIT
// Pictures of an alternative clustering, as self-contained SVG text.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/plot/line_plot.hpp"
#include "ritz/tasks/recluster.hpp"

namespace ritz {

struct ImageShape {
  Index height = 0, width = 0;
};
// "32x30": height and width. Throws bad_option where it cannot be read or has not `columns` pixels.
ImageShape image_shape(const std::string& text, Index columns);

// The samples in the first two new dimensions twice, coloured by the (first) given clustering and by the found one;
// with means, below them a row of images: the mean of each found cluster. `means` is clusters × pixels.
std::string reclustering_svg(const Reclustering& found, const RowMatrix& means = {}, ImageShape shape = {});
// Mean of the rows of each cluster.
RowMatrix cluster_means(const Dataset& data, const Labels& labels);

// Score of the settings that were tried against the width, a line for each dimension (its best).
LinePlot tuning_plot(const Tuning& tuning);

}  // namespace ritz
