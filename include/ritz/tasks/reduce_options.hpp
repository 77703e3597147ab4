// SPDX-License-Identifier: MIT
// What a user can ask of `ritz reduce`.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ritz/algorithms/clustering.hpp"
#include "ritz/base/dimension.hpp"
#include "ritz/base/options.hpp"
#include "ritz/data/dataset.hpp"
#include "ritz/data/preprocess.hpp"
#include "ritz/model/target_gamma.hpp"

namespace ritz {

// What the projection is learned from besides the samples.
//   supervised    class labels, or numeric targets
//   unsupervised  nothing: clusters are sought, and the directions that show them
//   semi          clusters are sought that go along with expert scores
// `auto` takes semi with scores, supervised with labels or targets, and asks otherwise.
enum class Mode { automatic, supervised, unsupervised, semi };
template <>
struct EnumNames<Mode> {
  static constexpr std::array<std::string_view, 4> names = {"auto", "supervised", "unsupervised", "semi"};
};

// Tables that go with the samples, a row each; empty where there are none. Class labels are in Dataset::labels; in the
// clustering modes these are only compared with.
struct Guidance {
  RowMatrix targets;  // n × t, numbers to be explained
  RowMatrix scores;   // n × r, an expert's
};

struct ReduceOptions {
  static constexpr std::string_view name = "reduce";
  Mode mode = Mode::automatic;
  Index clusters = 0;
  Dimension dim;
  std::string kernel = "gaussian(sigma=median)";
  std::string sigma;
  Scaling scale = Scaling::standard;
  TargetKernel target_kernel = TargetKernel::linear;
  Bandwidth target_sigma;
  double target_error = 1e-6;
  double mu = 0;  // 0: balanced
  LabelBy label_by = LabelBy::automatic;
  double round_tolerance = 1e-3;
  int max_rounds = 100;
  double holdout = 0;
  Index neighbours = 5;
  static constexpr auto fields() {
    return std::tuple{
        field("mode", &ReduceOptions::mode,
              "supervised (labels or targets), unsupervised, semi (scores), or auto: by what is given"),
        field("clusters", &ReduceOptions::clusters, 0, 1'000'000,
              "clusters to look for, in the modes unsupervised and semi"),
        field("dim", &ReduceOptions::dim, "dimensions to keep, or auto: the widest gap in the spectrum"),
        field("kernel", &ReduceOptions::kernel,
              "kernel, e.g. gaussian(sigma=median), polynomial(degree=3,offset=1), or a sum such as "
              "0.7*gaussian(sigma=2)+0.3*linear (a weight may be auto), or auto; see 'ritz list kernels'"),
        field("sigma", &ReduceOptions::sigma,
              "width of all Gaussian kernels: a number, median, a multiple such as 0.5*median, or auto"),
        field("scale", &ReduceOptions::scale, "columns: standard (mean 0, deviation 1), center or none"),
        field("target_kernel", &ReduceOptions::target_kernel,
              "of numeric targets: linear, or gaussian for dependence of every kind"),
        field("target_sigma", &ReduceOptions::target_sigma,
              "width of the targets' gaussian, in deviations of the targets"),
        field("target_error", &ReduceOptions::target_error, 0.0, 1.0,
              "part of the targets' gaussian kernel that its low-rank factor may miss"),
        field("mu", &ReduceOptions::mu, 0.0, 1e12,
              "weight of the scores against the clusters, in the mode semi (0: balanced)"),
        field("label_by", &ReduceOptions::label_by,
              "clusters from the fitted embedding, or from a Gaussian on the subspace (auto: that for "
              "polynomials)"),
        field("round_tolerance", &ReduceOptions::round_tolerance, 0.0, 1.0,
              "clustering modes: stop when a round moves both subspaces by at most this part"),
        field("max_rounds", &ReduceOptions::max_rounds, 1, 1'000'000'000, "clustering modes: at most this many rounds"),
        field("holdout", &ReduceOptions::holdout, 0.0, 0.9,
              "share of each class kept out of the fit and classified by k-NN before and after"),
        field("neighbours", &ReduceOptions::neighbours, 1, 10000, "k of that k-NN classifier")};
  }
};

}  // namespace ritz
