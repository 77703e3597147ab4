// SPDX-License-Identifier: MIT
#include "tasks/reduce/prepare.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ritz/algorithms/ism.hpp"
#include "ritz/model/alignment.hpp"
#include "ritz/pairs/backend.hpp"
#include "ritz/pairs/bandwidth.hpp"
#include "tasks/model/scaled_samples.hpp"

namespace ritz {

namespace {

std::string list_some(const std::vector<Index>& columns, const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(columns.size(), 5); ++i)
    text += (i ? ", " : "") + names[std::size_t(columns[i])];
  if (columns.size() > 5) text += fmt::format(" and {} more", columns.size() - 5);
  return text;
}

void note_constant_columns(const ColumnScaling& scaling, const Dataset& data, Scaling kind,
                           std::vector<std::string>& notes) {
  const std::vector<Index>& columns = scaling.constant_columns;
  if (Index(columns.size()) == data.cols())
    throw Error(ErrorCode::bad_data,
                fmt::format("{}: all {} points are equal; there is nothing to reduce", data.source, data.rows()));
  if (!columns.empty() && kind == Scaling::standard)
    notes.push_back(fmt::format("{} constant column{} set to 0: {}", columns.size(), columns.size() == 1 ? "" : "s",
                                list_some(columns, data.feature_names)));
}

void require_rows(const RowMatrix& table, const Dataset& data, std::string_view what) {
  if (table.size() > 0 && table.rows() != data.rows())
    throw Error(ErrorCode::bad_shape,
                fmt::format("there are {} rows of {} for {} samples", table.rows(), what, data.rows()));
}

void check_request(const Dataset& data, const ReduceOptions& options, const Guidance& guidance, Mode mode) {
  if (data.rows() < 2)
    throw Error(ErrorCode::bad_data, fmt::format("{}: one sample only; at least two are needed", data.source));
  if (data.labels.size() > 0 && data.labels.size() != data.rows())
    throw Error(ErrorCode::bad_shape,
                fmt::format("there are {} labels for {} samples", data.labels.size(), data.rows()));
  require_rows(guidance.targets, data, "targets");
  require_rows(guidance.scores, data, "scores");
  if (options.dim.value > data.cols())
    throw Error(ErrorCode::bad_option,
                fmt::format("--dim is {}; it must lie in [1, {}] because the data has {} columns", options.dim.value,
                            data.cols(), data.cols()));
  // An option that would be passed over in silence was meant for another mode.
  if (mode != Mode::semi && options.mu > 0)
    throw Error(ErrorCode::bad_option, "--mu weighs the scores of --mode semi; there are none");
  if (guidance.targets.size() == 0 && options.target_kernel != TargetKernel::linear)
    throw Error(ErrorCode::bad_option, "--target-kernel is for numeric targets; there are none");
  if (mode == Mode::supervised) {
    if (options.clusters > 0) throw Error(ErrorCode::bad_option, "--clusters goes with --mode unsupervised or semi");
    return;
  }
  if (options.clusters == 0) throw Error(ErrorCode::bad_option, "say how many clusters to look for: --clusters K");
  if (options.clusters < 2 || options.clusters >= data.rows())
    throw Error(ErrorCode::bad_option,
                fmt::format("--clusters is {}; it must lie in [2, {}] because there are {} samples", options.clusters,
                            data.rows() - 1, data.rows()));
}

}  // namespace

Mode mode_of(const Dataset& data, const ReduceOptions& options, const Guidance& guidance) {
  const bool labels = data.labels.size() > 0, targets = guidance.targets.size() > 0,
             scores = guidance.scores.size() > 0;
  const Mode mode = options.mode != Mode::automatic ? options.mode : scores ? Mode::semi : Mode::supervised;
  if (labels && targets) throw Error(ErrorCode::bad_option, "give class labels or numeric targets, not both");
  if (mode == Mode::supervised && !labels && !targets)
    throw Error(ErrorCode::bad_option,
                "no labels: give --labels FILE or --label-column NAME, numbers to explain by --targets FILE, or look "
                "for clusters by --mode unsupervised --clusters K");
  if (mode == Mode::semi && !scores)
    throw Error(ErrorCode::bad_option, "--mode semi needs an expert's scores: --scores FILE");
  if (mode != Mode::semi && scores) throw Error(ErrorCode::bad_option, "--scores goes with --mode semi");
  if (mode != Mode::supervised && targets) throw Error(ErrorCode::bad_option, "--targets goes with --mode supervised");
  return mode;
}

KernelSum asked_kernel(const ReduceOptions& options) {
  KernelSum kernel = parse_kernel(options.kernel);
  if (options.sigma.empty()) return kernel;
  const auto sigma = TextForm<Bandwidth>::parse(options.sigma);
  if (!sigma)
    throw Error(ErrorCode::bad_option, fmt::format("--sigma: cannot read '{}'; expected {}, or 'auto'", options.sigma,
                                                   TextForm<Bandwidth>::kind()));
  if (!set_widths(kernel, *sigma))
    throw Error(ErrorCode::bad_option,
                fmt::format("--sigma is the width of Gaussian kernels; there is none in '{}'", options.kernel));
  return kernel;
}

Prepared prepare(Dataset& data, const ReduceOptions& options, const Guidance& guidance, const RunContext& context) {
  const Mode mode = mode_of(data, options, guidance);
  check_request(data, options, guidance, mode);
  Gamma gamma;
  std::map<std::string, std::string> used;
  std::vector<std::string> notes;
  if (mode == Mode::supervised && guidance.targets.size() > 0) {
    const RowMatrix Y = standardised_targets(guidance.targets);
    TargetOptions how{
        .kernel = options.target_kernel, .sigma = options.target_sigma, .tolerance = options.target_error};
    if (how.kernel == TargetKernel::gaussian) how.sigma = resolved_width(how.sigma, Y, context);
    TargetGamma targets = target_gamma(Y, how, context);
    gamma = std::move(targets.gamma);
    used["targets"] = targets.text;
    std::ranges::move(targets.notes, std::back_inserter(notes));
  } else if (mode == Mode::supervised) {
    gamma = supervised_gamma(data.labels);
  }
  ColumnScaling scaling = learn_scaling(data, options.scale);
  note_constant_columns(scaling, data, options.scale, notes);
  const Samples X = scaled_samples(data, scaling);
  ResolvedKernel resolved = resolve_bandwidths(asked_kernel(options), X, context);
  if (!resolved.text.empty()) used["bandwidth"] = resolved.text;
  std::ranges::move(resolved.notes, std::back_inserter(notes));
  if (has_open_weights(resolved.kernel)) {
    if (mode != Mode::supervised)
      throw Error(ErrorCode::bad_option, fmt::format("kernel \"{}\": weights are chosen by alignment with labels or "
                                                     "targets, which the mode {} has not; give them as numbers",
                                                     options.kernel, TextForm<Mode>::print(mode)));
    const AlignmentSums sums = backend_or_cpu(context).alignment_sums(resolved.kernel, X, gamma, context);
    AlignedKernel aligned = align_weights(std::move(resolved.kernel), sums);
    resolved.kernel = std::move(aligned.kernel);
    used["weights"] = aligned.text;
    std::ranges::move(aligned.notes, std::back_inserter(notes));
  }
  return {mode, std::move(scaling), X, std::move(resolved.kernel), std::move(gamma), std::move(used), std::move(notes)};
}

Index most_dimensions(const Gamma& gamma, Index columns) {
  const Index told =
      gamma.classes.empty() ? std::min(gamma.factor.rank_bound(), kMostDimensions) : gamma.class_count - 1;
  return std::clamp<Index>(told, 1, columns);
}

double reduce_bytes(double data_bytes, const PairSizes& sizes, const KernelSum& kernel, const RunContext& context,
                    const PairAccuracy& accuracy) {
  const double n = double(sizes.n);
  const double weights = has_open_weights(kernel) ? backend_or_cpu(context).alignment_bytes(kernel, sizes.n, sizes.d,
                                                                                            resolved_threads(context))
                                                  : 0;
  return data_bytes + 8 * n * double(sizes.q) +
         std::max(ism::working_bytes(sizes, kernel, context, accuracy),
                  8 * n * double(sizes.gamma_columns) +
                      std::max(weights, bandwidth_bytes(kernel, sizes.n, sizes.d, context)));
}

}  // namespace ritz
