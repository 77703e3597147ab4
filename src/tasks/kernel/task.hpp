// SPDX-License-Identifier: MIT
// The row of `kernel`; see tasks/row.hpp.
#pragma once

#include "ritz/cluster/kmeans.hpp"
#include "ritz/tasks/kernel.hpp"
#include "tasks/row.hpp"

namespace ritz::kernel {

struct KernelSizes {
  static constexpr std::string_view name = "estimate";
  SampleSizes samples;
  Index pair_count = 0, rank = 64;
  static constexpr auto fields() {
    return std::tuple{rows(&KernelSizes::samples),
                      field("pair_count", &KernelSizes::pair_count, 0, Index(1) << 40,
                            "number of pairs, those that follow from others included; 0: as many as samples"),
                      field("rank", &KernelSizes::rank, 1, 1 << 24,
                            "positive eigenvalues that are to be expected: tens with a small ridge or penalty")};
  }
};

Json kernel_json(const KernelResult& found, const KernelOptions& options);

struct KernelTask : Verb<KernelTask, Dataset, KernelKnowledge, KernelOptions, KernelResult, KernelSizes> {
  static constexpr std::string_view verb = "kernel", method = "npkl",
                                    summary =
                                        "A kernel, and clusters, from pairs of samples that belong together or apart "
                                        "(SimpleNPKL)";
  static DataRow data() { return {.labels = true}; }
  static std::vector<InputRow> inputs();
  static std::vector<Output<KernelTask>> outputs();
  static double goal(const KernelOptions& options) { return options.how.tolerance; }
  static void settle(TaskCall& call, const KernelOptions& options);
  static std::shared_ptr<const Dataset> read(const Inputs& inputs, const KernelOptions& options, KernelKnowledge& known,
                                             const RunContext& context);
  static constexpr auto fit = kernel::fit;
  static Lines text(const F& fit);
  static constexpr auto json = kernel_json;
  static ModelForm form();
  static constexpr auto model = to_model;
  static constexpr auto transform = kernel::transform;
  static Prediction predict(const ModelFile& model, const Dataset& data, const PredictOptions&,
                            const RunContext& context) {
    return kernel::predict(model, data, context);
  }
  static CheckReport check(const ModelFile& model, const Inputs& inputs, const CheckOptions& how,
                           const RunContext& context);
  static std::vector<page::Grouping> groups(const F& fit);
  static void tell(const page::Source& from, page::Page& page, const RunContext& context);
  static ForecastReport forecast(const KernelSizes& sizes, const KernelOptions& options, const Dataset* data,
                                 const RunContext& context);
};

// Scale and neighbours that the pairs speak for, where they were left open, and how much the samples' own kernel is to
// count beside the learned one.
struct Choice {
  KernelOptions options;  // with scale and neighbours; those asked for where pairs is 0
  Index pairs = 0;        // kept back, each once; 0: there was nothing to choose
  Index agreed = 0;       // of them, with the clusters of the choice, learned from the others
  double share = 0;       // of the samples' own kernel in what is clustered: 0, the learned one alone
  int solves = 0;
};
Choice chosen_setting(const Dataset& data, const PairSet& given, Index k, bool graph_given,
                      const KernelOptions& options, const RunContext& context);
// Samples that a choice is judged by: those of the pairs, and others at random.
inline constexpr Index kMostJudged = 2000;
// Kernels that are learned before that choice is made.
int solves_to_choose(const KernelOptions& options, Index samples, Index pairs, bool sparse);

// Neighbours where none are asked for: 10, at most all others.
Index resolved_neighbours(const KernelOptions& options, Index samples);
Scaling resolved_scaling(const KernelOptions& options, bool sparse);
// Of each sample the squared distance to the k-th of its neighbours.
inline Vector reach_of(const NeighbourTable& table, Index k, Index n) {
  return Vector::NullaryExpr(n, [&](Index i) { return table.squared_of(i)[std::size_t(k - 1)]; });
}
void require_extension(const KernelOptions& options);  // throws unsupported; see to_model

// Both kernels at the same mean square of their samples' distances, times their shares. `samples`: empty where they do
// not count.
Blend blend_of(double share, const RowMatrix& samples, const RowMatrix& rows);
// The points that are clustered: see Blend.
RowMatrix clustered_points(const Blend& blend, const RowMatrix& samples, const RowMatrix& rows);
// The scaled samples where they may count: dense, without gaps; else empty.
RowMatrix countable(const Dataset& scaled);
Blend stored_blend(const Json& info);  // of a model
// Fills in labels, centers and suggestions of a result that has its factor.
// `share` of the samples' own kernel in what is clustered.
void make_clusters(Index k, const KernelOptions& options, const RowMatrix& samples, double share, KernelResult& result,
                   const RunContext& context);
// k-means of the blended points. Where both kernels count, must-linked samples stay together, if there are as many
// groups; alone, the learned kernel has pulled them together, and clusters of the samples are to need no pair.
KMeansResult blended_kmeans(const RowMatrix& points, const Blend& blend, const PairSet& pairs, const KMeansOptions& how,
                            const RunContext& context);
// Fills in what the truth says of the clusters, and of others of the samples, which are scaled.
void compare_with(const Labels& truth, Index k, const Dataset& scaled, const KernelOptions& options,
                  KernelResult& result, const RunContext& context);
// F's rows as they are clustered: of length 1, or zero where they are (numerically) zero.
RowMatrix unit_rows(const RowMatrix& F);
// Pairs most worth asking about: the samples whose two nearest centers are most nearly equally near, the closest call
// first, at most one of each must-link group, each with the most central sample of its nearest cluster (of the next one
// where that pair follows from the known ones).
std::vector<Edge> suggested_pairs(const RowMatrix& points, const std::vector<int>& labels, const RowMatrix& centers,
                                  const PairSet& known, Index count);

std::string plot_svg(const KernelResult& found);

}  // namespace ritz::kernel
