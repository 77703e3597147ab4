// SPDX-License-Identifier: MIT
// From a data set to an interpretable projection: what `ritz reduce` does between reading and writing files.
#pragma once

#include <string>
#include <vector>

#include "ritz/algorithms/ism.hpp"
#include "ritz/app/model_file.hpp"
#include "ritz/data/dataset.hpp"
#include "ritz/data/preprocess.hpp"

namespace ritz {

// A number of dimensions, or `auto`.
struct Dimension {
  Index value = 0;  // 0: auto
  bool operator==(const Dimension&) const = default;
};
template <>
struct TextForm<Dimension> {
  static std::string kind() { return "a whole number from 1, or auto"; }
  static std::optional<Dimension> parse(std::string_view text) {
    if (text == "auto") return Dimension{};
    const auto number = read_integer(text);
    if (!number || *number < 1) return std::nullopt;
    return Dimension{Index(*number)};
  }
  static std::string print(Dimension dimension) {
    return dimension.value == 0 ? "auto" : std::to_string(dimension.value);
  }
};

struct ReduceOptions {
  static constexpr std::string_view name = "reduce";
  Dimension dim;
  std::string kernel = "gaussian(sigma=median)";
  Scaling scale = Scaling::standard;
  double holdout = 0;
  Index neighbours = 5;
  static constexpr auto fields() {
    return std::tuple{field("dim", &ReduceOptions::dim, "dimensions to keep, or auto: the widest gap in the spectrum"),
                      field("kernel", &ReduceOptions::kernel,
                            "kernel, e.g. gaussian(sigma=median), polynomial(degree=3,offset=1), or a sum such as "
                            "0.7*gaussian(sigma=2)+0.3*linear; see 'ritz list kernels'"),
                      field("scale", &ReduceOptions::scale, "columns: standard (mean 0, deviation 1), center or none"),
                      field("holdout", &ReduceOptions::holdout, 0.0, 0.9,
                            "share of each class kept out of the fit and classified by k-NN before and after"),
                      field("neighbours", &ReduceOptions::neighbours, 1, 10000, "k of that k-NN classifier")};
  }
};

struct HoldoutReport {
  Index train = 0, test = 0, neighbours = 0;
  double accuracy_before = kUnknown;  // k-NN on all (scaled) features
  double accuracy_after = kUnknown;   // k-NN in the reduced space
};

struct Reduction {
  ism::Result fit;
  KernelSum kernel;  // resolved
  ColumnScaling scaling;
  std::vector<std::string> feature_names;  // d
  Labels classes;                          // of all rows
  RowMatrix embedding;                     // all rows, n × q
  HoldoutReport holdout;
  Index n = 0, d = 0;             // as read, before any hold-out
  std::vector<Index> fit_rows;    // the rows that were fitted; empty: all
  Gamma gamma;                    // of the fitted rows
  double gamma_trace = kUnknown;  // Tr Γ: what a kernel's diagonal of ones adds to the objective
  std::string data_hash;
};

// Indices of the entries of largest magnitude, the largest first, at most `most`; zeros are left out.
std::vector<Index> strongest_features(const Vector& loadings, Index most);
inline constexpr Index kLoadingsShown = 5;

// Scales the data in place (sparse data are scaled on the fly), resolves the kernel's widths, chooses the dimension
// where asked, fits, and embeds all rows. Throws Error for what the caller can put right; memory is checked against
// context.max_memory before the work begins. Interrupted leaves the best fit so far, or comes through when there is
// none.
Reduction reduce(Dataset& data, const ReduceOptions& options, const ism::Options& how, RunContext& context);

// Bytes that the samples take, and that reduce() takes with them.
double data_bytes(const Dataset& data);
double reduce_bytes(double data_bytes, const PairSizes& sizes, const KernelSum& kernel, const RunContext& context);

}  // namespace ritz
