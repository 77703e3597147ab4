// SPDX-License-Identifier: MIT
// What can be asked of `reduce`.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "ritz/algorithms/clustering.hpp"
#include "ritz/base/dimension.hpp"
#include "ritz/base/options.hpp"
#include "ritz/data/dataset.hpp"
#include "ritz/data/preprocess.hpp"
#include "ritz/model/target_gamma.hpp"

namespace ritz::reduce {

// What the projection is learned from besides the samples.
//   supervised    class labels, or numeric targets
//   unsupervised  nothing: clusters are sought, and the directions that show them
//   semi          clusters are sought that go along with expert scores
// `auto` takes semi with scores, supervised with labels or targets, and asks otherwise.
enum class Mode { automatic, supervised, unsupervised, semi };

// What goes with the samples, a row each; empty where there is none. Class labels are in Dataset::labels; in the
// clustering modes they are only compared with, as a truth is.
struct Guidance {
  RowMatrix targets{};  // n × t, numbers to be explained
  RowMatrix scores{};   // n × r, an expert's
  Labels truth{};       // what found clusters are compared with
};

// alignment: the cosine between the centred kernel of the reduced samples and Γ, F/(‖HKH‖_F‖Γ‖_F). F itself grows with
// the scale of the kernel (without bound for a polynomial, and with the width for a Gaussian) and cannot be compared;
// the cosine can, and costs one fit a candidate. It looks at the fitted samples only.
// accuracy: share of the samples that k-NN in the reduced space finds in a cross-validation; one fit a fold.
enum class Criterion { alignment, accuracy };

struct ChooseOptions {
  static constexpr std::string_view name = "choose";
  Criterion choose_by = Criterion::accuracy;
  Index choose_folds = 5;
  static constexpr auto fields() {
    return std::tuple{field("choose_by", &ChooseOptions::choose_by,
                            "what a kernel or width that the program chooses is judged by: accuracy (k-NN, "
                            "cross-validated) or alignment (of kernel and labels, one fit each)"),
                      field("choose_folds", &ChooseOptions::choose_folds, 2, 1000, "folds of that accuracy")};
  }
};

struct FoldOptions {
  static constexpr std::string_view name = "folds";
  Index folds = 0;
  std::string fold_file;
  bool scale_once = false;
  bool svm = true;
  bool all_features = true;  // compare with no reduction
  static constexpr auto fields() {
    return std::tuple{
        field("folds", &FoldOptions::folds, 0, 1'000'000,
              "parts of a stratified cross-validation: each is classified by a fit to the others (0: none)"),
        field("fold_file", &FoldOptions::fold_file, "file with the fold of each sample, a number a line"),
        field("scale_once", &FoldOptions::scale_once,
              "scale columns on all samples before splitting (the papers' protocol) instead of on each training part"),
        field("svm", &FoldOptions::svm, "classify by a Gaussian support vector machine beside k-NN")};
  }
};

struct BootstrapOptions {
  static constexpr std::string_view name = "bootstrap";
  Index bootstrap = 0;
  static constexpr auto fields() {
    return std::tuple{field("bootstrap", &BootstrapOptions::bootstrap, 0, 1'000'000,
                            "refit on this many resamples to see how sure the loadings are (0: none)")};
  }
};

struct SparseOptions {
  static constexpr std::string_view name = "sparse";
  double max_loss = 0.01;
  static constexpr auto fields() {
    return std::tuple{
        field("max_loss", &SparseOptions::max_loss, 0.0, 1.0, "share of the objective that a sparse basis may cost")};
  }
};

struct ReduceOptions {
  static constexpr std::string_view name = "reduce";
  Mode mode = Mode::automatic;
  Index clusters = 0;
  Dimension dim{};
  std::string kernel = "gaussian(sigma=median)";
  std::string sigma{};
  Scaling scale = Scaling::standard;
  TargetKernel target_kernel = TargetKernel::linear;
  Bandwidth target_sigma{};
  double target_error = 1e-6;
  double mu = 0;  // 0: balanced
  LabelBy label_by = LabelBy::automatic;
  double round_tolerance = 1e-3;
  int max_rounds = 100;
  double holdout = 0;
  Index neighbours = 5;
  ism::Options how{};
  ChooseOptions choosing{};
  FoldOptions splitting{};
  BootstrapOptions resampling{};
  bool sparse = false;
  SparseOptions thinning{};
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
        field("neighbours", &ReduceOptions::neighbours, 1, 10000, "k of that k-NN classifier"),
        rows(&ReduceOptions::how, "dimension"),
        rows(&ReduceOptions::choosing),
        rows(&ReduceOptions::splitting, "svm"),
        rows(&ReduceOptions::resampling),
        field("sparse", &ReduceOptions::sparse, "rotate the axes towards few loadings (varimax) and drop small ones"),
        rows(&ReduceOptions::thinning)};
  }
};

}  // namespace ritz::reduce

namespace ritz {
template <>
struct EnumNames<reduce::Mode> {
  static constexpr std::array<std::string_view, 4> names = {"auto", "supervised", "unsupervised", "semi"};
};
template <>
struct EnumNames<reduce::Criterion> {
  static constexpr std::array<std::string_view, 2> names = {"alignment", "accuracy"};
};
}  // namespace ritz
