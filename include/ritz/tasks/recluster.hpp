// SPDX-License-Identifier: MIT
// Another clustering of the same samples: good, and different from the given ones. The task `recluster`.
//
//   const auto found = recluster::fit(data, {.clusterings = {known}}, {.how = {.clusters = 3}}, context);
//   found.views.front().clusters->labels
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ritz/algorithms/dependence.hpp"
#include "ritz/algorithms/kdac.hpp"
#include "ritz/base/options.hpp"
#include "ritz/cluster/kmeans.hpp"
#include "ritz/tasks/projection.hpp"

namespace ritz::recluster {

// λ, or `auto`: kLambdaShare·k/Σ‖HY‖², with which neither term can drown the other, however many samples there are
// (HSIC(XW, U) <= k, HSIC(XW, Y) <= ‖HY‖²).
struct Lambda {
  double value = kUnknown;  // NaN: auto
  bool automatic() const { return std::isnan(value); }
};
inline constexpr double kLambdaShare = 30;

struct TuneOptions {
  static constexpr std::string_view name = "tune";
  bool tune = false;
  Index tune_rows = 300;
  int tune_resamples = 4;
  static constexpr auto fields() {
    return std::tuple{field("tune", &TuneOptions::tune,
                            "choose width, lambda and dimension, and where no gap tells clusters apart also kernel and "
                            "scale: those that are not given"),
                      field("tune_rows", &TuneOptions::tune_rows, 20, 1'000'000,
                            "samples that settings are tried on, a random choice of all"),
                      field("tune_resamples", &TuneOptions::tune_resamples, 0, 1000,
                            "resamples that the stability of the labels is judged by")};
  }
};

struct ReclusterOptions {
  static constexpr std::string_view name = "recluster";
  kdac::Options how = {.clusters = 0};
  ClusterCount clusters = 0;  // 0: those of `how`, and where they are 0, too, they must be asked for
  Dimension dim{};
  std::string kernel = "gaussian(sigma=median)";
  std::string sigma{};
  Lambda lambda{};
  Scaling scale = Scaling::automatic;
  TuneOptions tuning{};
  Index views = 1;
  int permutations = 19;
  std::string image_shape{};
  static constexpr auto fields() {
    return std::tuple{
        rows(&ReclusterOptions::how, "dimension", "clusters"),
        field("clusters", &ReclusterOptions::clusters, "clusters to look for, or auto: by the gap statistic"),
        field("dim", &ReclusterOptions::dim, "dimensions to keep, or auto: as many as clusters, at most all columns"),
        field("kernel", &ReclusterOptions::kernel,
              "kernel, e.g. gaussian(sigma=0.2*median), or a sum; see 'ritz list kernels'"),
        field("sigma", &ReclusterOptions::sigma,
              "width of all Gaussian kernels: a number, median, or a multiple such as 0.5*median"),
        field("lambda", &ReclusterOptions::lambda,
              "how far to stay away from the given clusterings: a number, or auto (balanced)"),
        field("scale", &ReclusterOptions::scale,
              "columns: standard (mean 0, deviation 1), center, none, or auto: center where most entries are 0 or the "
              "columns "
              "are principal components, else standard"),
        rows(&ReclusterOptions::tuning),
        field("views", &ReclusterOptions::views, 1, 1000,
              "clusterings to find, each new against all before; files of the second get the ending .2"),
        field("permutations", &ReclusterOptions::permutations, 0, 10'000,
              "how often the first clustering is looked for again in shuffled columns, for a p value of its quality"),
        field("image_shape", &ReclusterOptions::image_shape,
              "samples are images of HEIGHTxWIDTH pixels: the plot shows the mean of each cluster")};
  }
};

// What is known of the samples.
struct Given {
  std::vector<Labels> clusterings{};  // to differ from; at least one, each of at least two clusters
  Labels truth{};                     // what found clusters are compared with; empty: none
};

// --- how width, λ and dimension were chosen -------------------------------------------------------------------------

struct TuneStep {
  double multiple, sigma;  // of the median distance, and the width
  double lambda;           // for all samples; the search scales it to its own number of samples
  Index dimension;
  double quality, separation, novelty;
  double stability = kUnknown;  // mean agreement of labels from resamples; of the finalists only
  double score;
  std::string kind;  // wide: from the wider kernel, narrow: from more dimensions, refine, settled: solved; beyond: of a
                     // further clustering, its novelty against the chosen one, too
};

// A further clustering that the search came across: as good as half of the chosen one, and new against it, too.
struct Candidate {
  TuneStep step;       // λ is for the given clusterings and the chosen one together
  double share = 0;    // λ in units of the balanced one
  Matrix W;            // d × q
  ClusterModel model;  // labels any sample
};

struct Tuning {
  double sigma = kUnknown, lambda = kUnknown;
  Matrix W;  // d × q: where the fit to all samples starts
  std::vector<TuneStep> path;
  std::size_t chosen = 0;         // in the path
  std::vector<Candidate> others;  // best first
  std::string reason;
  std::string interrupted;  // why the search ended early; empty: it did not
  bool taken = true;        // false: no gap told clusters apart, and other settings explain more of the samples
};

// --- the task -------------------------------------------------------------------------------------------------------

// A further clustering that the search came across, with labels for all samples.
struct Alternative {
  Candidate candidate;
  Labels labels;
  double novelty = kUnknown;  // largest NMI with a given clustering or with the found one
  double nmi = kUnknown;      // with the truth
};

struct View : Projection {    // W, embedding, labels and model of the found clusters
  kdac::Result solved;        // its W, Γ and model are moved into the projection
  std::vector<Labels> given;  // and the views before
  double lambda = kUnknown;
  double nmi = kUnknown;         // with the truth
  double separation = kUnknown;  // log of the leak inside the clusters over that between them: docs/algorithms/kdac.md
  std::vector<double> spectrum;  // k leading eigenvalues of the (normalised) kernel matrix, and the next one
  std::string degenerate;   // clusters that are too small or a spectrum without a gap, in words; empty: none. Such a
                            // clustering says nothing
  dependence::Null null{};  // quality of a quick fit to few samples, and to the same with shuffled columns; first view
  std::optional<Tuning> tuning;           // of the first view, or where a further one was searched for anew
  std::vector<Alternative> alternatives;  // good and new, too; best first. Further views take them in turn
};

struct ReclusterResult {
  std::vector<View> views;  // at least one; each differs from the given ones and from those before
  std::string ended;        // why there are fewer than asked for; empty: there are not
};
// A further view is refused when it is degenerate, its NMI with one before is above kLeastNew, or the eigenvalues that
// k clusters need (the first k − 1), or their separation, have fallen below kLeastQuality of the first view's. With
// tuning a view is one of the alternatives of those before; where none is left, the search begins anew.
inline constexpr double kLeastNew = 0.5, kLeastQuality = 0.5;

// Labels of the data themselves are not looked at. Throws Error for what the caller can put right; memory is checked
// first. Interrupted leaves the best so far, or comes through when there is nothing.
ReclusterResult fit(const Dataset& data, const Given& given, const ReclusterOptions& options, RunContext& context);

// The balanced λ.
double balanced_lambda(const std::vector<Labels>& given, Index clusters);

// For transform, predict and check.
ModelFile to_model(const View& found, const ReclusterOptions& options);
using projection::check;
using projection::predict;
using projection::transform;

// Bytes: about what a fit holds at a time.
double forecast(const Dataset& data, const Given& given, const ReclusterOptions& options, const RunContext& context);

}  // namespace ritz::recluster

namespace ritz {
template <>
struct TextForm<recluster::Lambda> {
  static std::string kind() { return "a number that is not negative, or auto"; }
  static std::optional<recluster::Lambda> parse(std::string_view text) {
    if (text == "auto") return recluster::Lambda{};
    const auto number = read_double(text);
    if (!number || !(*number >= 0) || !std::isfinite(*number)) return std::nullopt;
    return recluster::Lambda{*number};
  }
  static std::string print(recluster::Lambda lambda) { return lambda.automatic() ? "auto" : number_text(lambda.value); }
};
}  // namespace ritz
