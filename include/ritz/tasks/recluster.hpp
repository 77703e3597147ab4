// SPDX-License-Identifier: MIT
// From a data set and a clustering of it to another one: what `ritz recluster` does between reading and writing files.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "ritz/algorithms/kdac.hpp"
#include "ritz/tasks/reduce.hpp"
#include "tasks/recluster/tune.hpp"
#include "tasks/reduce/prepare.hpp"

namespace ritz {

// λ, or `auto`: kLambdaShare·k/Σ‖HY‖², with which neither term can drown the other, however many samples there are
// (HSIC(XW, U) <= k, HSIC(XW, Y) <= ‖HY‖²).
struct Lambda {
  double value = kUnknown;  // NaN: auto
  bool automatic() const { return std::isnan(value); }
};
inline constexpr double kLambdaShare = 30;
template <>
struct TextForm<Lambda> {
  static std::string kind() { return "a number that is not negative, or auto"; }
  static std::optional<Lambda> parse(std::string_view text) {
    if (text == "auto") return Lambda{};
    const auto number = read_double(text);
    if (!number || !(*number >= 0) || !std::isfinite(*number)) return std::nullopt;
    return Lambda{*number};
  }
  static std::string print(Lambda lambda) { return lambda.automatic() ? "auto" : number_text(lambda.value); }
};

struct ReclusterOptions {
  static constexpr std::string_view name = "recluster";
  Dimension dim;
  std::string kernel = "gaussian(sigma=median)";
  std::string sigma;
  Lambda lambda;
  Scaling scale = Scaling::standard;
  static constexpr auto fields() {
    return std::tuple{
        field("dim", &ReclusterOptions::dim, "dimensions to keep, or auto: as many as clusters, at most all columns"),
        field("kernel", &ReclusterOptions::kernel,
              "kernel, e.g. gaussian(sigma=0.2*median), or a sum; see 'ritz list kernels'"),
        field("sigma", &ReclusterOptions::sigma,
              "width of all Gaussian kernels: a number, median, or a multiple such as 0.5*median"),
        field("lambda", &ReclusterOptions::lambda,
              "how far to stay away from the given clusterings: a number, or auto (balanced)"),
        field("scale", &ReclusterOptions::scale, "columns: standard (mean 0, deviation 1), center or none")};
  }
};

// The balanced λ.
double balanced_lambda(const std::vector<Labels>& given, Index clusters);
// Clusters that are too small or a spectrum without a gap, in words; empty: none. Such a clustering says nothing.
std::string degenerate(const kdac::Result& result, Index clusters);

// A further clustering that --tune came across, with labels for all samples.
struct Alternative {
  Candidate candidate;
  Labels labels;
  double novelty = kUnknown;  // largest NMI with a given clustering or with the found one
  double nmi = kUnknown;      // with the truth
};

struct Reclustering {
  Reduction reduction;  // W, embedding, labels and model of the found clusters: what reduce leaves behind, too
  kdac::Result fit;     // W and model are moved into the reduction
  std::vector<Labels> given;
  Labels truth;  // empty: none
  double lambda = kUnknown;
  double nmi = kUnknown;         // with the truth
  double separation = kUnknown;  // see recluster_tune.hpp
  std::vector<double> spectrum;  // k leading eigenvalues of the (normalised) kernel matrix, and the next one
  std::string degenerate;
  std::optional<Tuning> tuning;           // of the first view, or where a further one was searched for anew
  std::vector<Alternative> alternatives;  // good and new, too; best first. --views takes them in turn
};

struct Views {
  std::vector<Reclustering> all;  // at least one; each differs from the given ones and from those before
  std::string ended;              // why there are fewer than asked for; empty: there are not
};
// A further view is refused when it is degenerate, its NMI with one before is above kLeastNew, or the eigenvalues that
// k clusters need (the first k − 1), or their separation, have fallen below kLeastQuality of the first view's. With
// --tune a view is one of the alternatives of those before; where none is left, the search begins anew.
inline constexpr double kLeastNew = 0.5, kLeastQuality = 0.5;

// Scales the data in place. Throws Error for what the caller can put right; memory is checked first. Interrupted leaves
// the best so far, or comes through when there is nothing.
Views recluster(Dataset& data, const std::vector<Labels>& given, const Labels& truth, Index views,
                const ReclusterOptions& options, const kdac::Options& how, const TuneOptions& tune,
                RunContext& context);

// For `ritz transform`, `predict` and `check`.
ModelFile to_model(const Reclustering& found, const ReclusterOptions& options, const kdac::Options& how);

}  // namespace ritz
