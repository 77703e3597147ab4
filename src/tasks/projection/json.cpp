// SPDX-License-Identifier: MIT
#include "tasks/projection/report.hpp"

namespace ritz::projection {

Json data_json(const Projection& found) { return {{"n", found.n}, {"d", found.d}, {"hash", found.data_hash}}; }

Json loadings_json(const Projection& found) {
  Json axes = Json::array();
  for (Index a = 0; a < found.fit.W.cols(); ++a) {
    Json axis = Json::array();
    for (const Index i : strongest_features(found.fit.W.col(a), kLoadingsShown))
      axis.push_back({{"feature", found.feature_names[std::size_t(i)]}, {"loading", found.fit.W(i, a)}});
    axes.push_back(std::move(axis));
  }
  return axes;
}

}  // namespace ritz::projection
