// SPDX-License-Identifier: MIT
#include "reproduce/ism_ikdr/alternative.hpp"

#include "reproduce/data_folder.hpp"
#include "tasks/view_pictures.hpp"

namespace ritz::reproduce {

namespace {

struct Source {
  std::string name, samples, given, truth, images, shape;
  Index clusters;
};
const std::array<Source, 2> kSources = {
    {{"flower", "flower_106x3", "flower_106x3.original", "", "", "", 2},
     {"face", "face_624x20", "face.identity", "face.pose", "face_624x960", "32x30", 4}}};
// The paper's kernel; its degree is not printed. Table 4 is measured with 3.
constexpr std::array<int, 2> kDegrees = {2, 3};

}  // namespace

std::vector<AlternativeRow> alternatives(RunContext& context, const Tell& tell) {
  std::vector<AlternativeRow> rows;
  for (const Source& source : kSources) {
    const Dataset data = read_dataset(data_file("ism/" + source.samples + ".csv"), {}, context);
    recluster::Given given{{read_labels(data_file("ism/" + source.given + ".labels"), context)}, {}};
    if (!source.truth.empty()) given.truth = read_labels(data_file("ism/" + source.truth + ".labels"), context);
    for (const int degree : kDegrees) {
      tell(fmt::format("figure 1a, {}, degree {}", source.name, degree));
      recluster::ReclusterOptions options;
      options.kernel = fmt::format("polynomial(degree={},offset=1)", degree);
      options.clusters = source.clusters;
      options.permutations = 0;
      const Stopwatch watch;
      const recluster::ReclusterResult found = recluster::fit(data, given, options, context);
      const double seconds = watch.seconds();
      context.poll();
      const recluster::View& view = found.views.front();
      RowMatrix means;
      recluster::ImageShape shape;
      if (!source.images.empty()) {
        means = recluster::cluster_means(read_dataset(data_file("ism/" + source.images + ".csv"), {}, context),
                                         view.clusters->labels);
        shape = recluster::image_shape(source.shape);
      }
      rows.push_back({source.name, options.kernel, source.clusters, view.nmi, view.solved.worst_novelty(), seconds,
                      recluster::view_svg(view, means, shape)});
    }
  }
  return rows;
}

}  // namespace ritz::reproduce
