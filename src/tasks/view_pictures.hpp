// SPDX-License-Identifier: MIT
// Pictures of another clustering, for the verb that finds it and for what the papers show of theirs.
#pragma once

#include "ritz/tasks/recluster.hpp"

namespace ritz::recluster {

struct ImageShape {
  Index height = 0, width = 0;
};
// "32x30": height and width. Throws bad_option where it cannot be read.
ImageShape image_shape(const std::string& text);
// Mean of the rows of each cluster.
RowMatrix cluster_means(const Dataset& data, const Labels& labels);
// The samples in the first two new dimensions twice, coloured by the (first) given clustering and by the found one;
// with means, below them a row of images: the mean of each found cluster. `means` is clusters × pixels.
std::string view_svg(const View& found, const RowMatrix& means = {}, ImageShape shape = {},
                     const std::vector<std::string>& ids = {});

}  // namespace ritz::recluster
