// SPDX-License-Identifier: MIT
#include "tasks/reduce/fit.hpp"

#include "pairs/bandwidth.hpp"
#include "ritz/model/alignment.hpp"

namespace ritz::reduce {

namespace {

void require_rows(Index rows, const Dataset& data, std::string_view what) {
  if (rows > 0 && rows != data.rows())
    fail(ErrorCode::bad_shape, "there are {} {} for {} samples", rows, what, data.rows());
}

void check_request(const Dataset& data, const Guidance& guidance, const ReduceOptions& options) {
  projection::check_samples(data, options.dim, ReduceOptions::name);
  require_rows(data.labels.size(), data, "labels");
  require_rows(guidance.targets.rows(), data, "rows of targets");
  require_rows(guidance.scores.rows(), data, "rows of scores");
  require_rows(guidance.truth.size(), data, "labels of the truth");
  // An option that would be passed over in silence was meant for another mode.
  if (options.mode != Mode::semi && options.mu > 0)
    fail(ErrorCode::bad_option, "reduce.mu weighs the scores of reduce.mode semi; there are none");
  if (guidance.targets.size() == 0 && options.target_kernel != TargetKernel::linear)
    fail(ErrorCode::bad_option, "reduce.target_kernel is for numeric targets; there are none");
  if (options.whiten_by == WhitenBy::classes && (options.mode != Mode::supervised || data.labels.size() == 0))
    fail(ErrorCode::bad_option, "reduce.whiten_by classes goes with class labels to learn from; there are none");
  if (finds_clusters(options.mode))
    projection::check_clusters(options.clusters, data, ReduceOptions::name);
  else if (options.clusters > 0)
    fail(ErrorCode::bad_option, "reduce.clusters goes with reduce.mode unsupervised or semi");
}

// Weights of a sum that are left open, by alignment with Γ.
void align(Problem& problem, const ReduceOptions& options, const RunContext& context) {
  if (!has_open_weights(problem.kernel)) return;
  if (finds_clusters(options.mode))
    fail(ErrorCode::bad_option,
         "kernel \"{}\": weights are chosen by alignment with labels or "
         "targets, which the mode {} has not; give them as numbers",
         options.kernel, TextForm<Mode>::print(options.mode));
  const AlignmentSums sums =
      backend_or_cpu(context).alignment_sums(problem.kernel, problem.X.samples(), problem.gamma, context);
  AlignedKernel aligned = align_weights(std::move(problem.kernel), sums);
  problem.kernel = std::move(aligned.kernel);
  problem.used["weights"] = aligned.text;
  std::ranges::move(aligned.notes, std::back_inserter(problem.notes));
}

// Γ of numbers to be explained.
TargetGamma explained(const RowMatrix& targets, const ReduceOptions& options, const RunContext& context) {
  const RowMatrix Y = standardised_targets(targets);
  TargetOptions how{.kernel = options.target_kernel, .sigma = options.target_sigma, .tolerance = options.target_error};
  if (how.kernel == TargetKernel::gaussian) how.sigma = resolved_width(how.sigma, Y, context);
  return target_gamma(Y, how, context);
}

// Where a kernel grows with the samples, columns that hardly ever leave their mean lead it: standardised, their few
// values are far out, and their powers farther.
void warn_of_rare_columns(Problem& problem, const ReduceOptions& options) {
  constexpr double kFar = 10;  // deviations
  const bool grows = std::ranges::any_of(problem.kernel, [](const KernelTerm& term) {
    const auto parts = polynomial_parts(term.kernel);
    return parts && parts->degree > 1;
  });
  const Samples& X = problem.X.samples();
  if (!grows || X.sparse() || !problem.scaling.frame.empty() || options.scale == Scaling::none) return;
  constexpr Index kRows = 2048;
  RowMatrix buffer;
  Eigen::RowVectorXd largest = Eigen::RowVectorXd::Zero(X.cols());
  for (Index t = 0; t < tile_count(X.rows(), kRows); ++t) {
    const Range range = tile_range(X.rows(), kRows, t);
    const Eigen::Map<const RowMatrix> rows(X.rows_block(range, buffer), range.size(), X.cols());
    largest = largest.cwiseMax(rows.cwiseAbs().colwise().maxCoeff());
  }
  const Index rare = Index((largest.array() > kFar).count());
  if (rare > 0)
    note(problem.notes,
         "{} of {} columns reach beyond {} deviations: a polynomial is led by such rare values; a gaussian, or "
         "reduce.scale center, is not",
         rare, X.cols(), kFar);
}

template <class Data>
Problem prepared(Data&& data, const Guidance& guidance, const ReduceOptions& options, const RunContext& context,
                 projection::Whitening::Spectra* spectra = nullptr) {
  check_request(data, guidance, options);
  TargetGamma targets;
  if (guidance.targets.size() > 0)
    targets = explained(guidance.targets, options, context);
  else if (!finds_clusters(options.mode))
    targets.gamma = supervised_gamma(data.labels);
  const projection::Whitening whitening{options.shrinkage,
                                        options.whiten_by == WhitenBy::classes ? &data.labels : nullptr, spectra};
  Problem problem{
      projection::prepare(std::forward<Data>(data), options.scale, asked_kernel(options), context, whitening),
      std::move(targets.gamma)};
  if (!targets.text.empty()) problem.used["targets"] = targets.text;
  problem.notes.insert(problem.notes.begin(), targets.notes.begin(), targets.notes.end());
  align(problem, options, context);
  warn_of_rare_columns(problem, options);
  return problem;
}

}  // namespace

Mode mode_of(const Dataset& data, const Guidance& guidance, const ReduceOptions& options) {
  const bool labels = data.labels.size() > 0, targets = guidance.targets.size() > 0,
             scores = guidance.scores.size() > 0;
  const bool clusters = options.clusters != 0 && !labels && !targets;
  const Mode mode = options.mode != Mode::automatic ? options.mode
                    : scores                        ? Mode::semi
                    : clusters                      ? Mode::unsupervised
                                                    : Mode::supervised;
  if (guidance.truth.size() > 0 && labels)
    fail(ErrorCode::bad_option, "reduce.truth and labels exclude each other: labels guide, a truth is compared with");
  if (guidance.truth.size() > 0 && mode == Mode::supervised)
    fail(ErrorCode::bad_option,
         "reduce.truth is compared with the clusters of reduce.mode unsupervised or semi; labels to learn from "
         "are input.labels");
  if (labels && targets) fail(ErrorCode::bad_option, "give class labels or numeric targets, not both");
  if (mode == Mode::supervised && !labels && !targets)
    fail(ErrorCode::bad_option,
         "no labels: give input.labels FILE or input.label_column NAME, numbers to explain by reduce.targets "
         "FILE, or look for clusters by reduce.clusters K");
  if (mode == Mode::semi && !scores)
    fail(ErrorCode::bad_option, "reduce.mode semi needs an expert's scores: reduce.scores FILE");
  if (mode != Mode::semi && scores) fail(ErrorCode::bad_option, "reduce.scores goes with reduce.mode semi");
  if (mode != Mode::supervised && targets)
    fail(ErrorCode::bad_option, "reduce.targets goes with reduce.mode supervised");
  return mode;
}

void require_classes(const Labels& labels, const std::string& source) {
  if (labels.classes() == 1 && labels.size() > 1)
    fail(ErrorCode::bad_data, "{}: all {} labels are '{}'; at least two classes are needed", source, labels.size(),
         labels.names[0]);
}

KernelSum asked_kernel(const ReduceOptions& options) {
  return projection::asked_kernel(options.kernel, options.sigma, ReduceOptions::name);
}

Problem prepare(const Dataset& data, const Guidance& guidance, const ReduceOptions& options,
                const RunContext& context) {
  return prepared(data, guidance, options, context);
}

Problem prepare(Dataset&& data, const Guidance& guidance, const ReduceOptions& options, const RunContext& context,
                projection::Whitening::Spectra* spectra) {
  return prepared(std::move(data), guidance, options, context, spectra);
}

Index needed_dimensions(const Dataset& data, const Guidance& guidance) {
  const Index told = guidance.targets.size() > 0 ? guidance.targets.cols() : data.labels.classes() - 1;
  return std::clamp<Index>(told, 1, projection::fitted_columns(data));
}

PairSizes likely_sizes(const Dataset& data, const Guidance& guidance, const ReduceOptions& options) {
  const bool classes = options.mode == Mode::supervised && data.labels.size() > 0;
  const Index columns = finds_clusters(options.mode)  ? options.clusters + guidance.scores.cols()
                        : guidance.targets.size() > 0 ? guidance.targets.cols()
                                                      : data.labels.classes();
  const Index most = options.dim.value > 0 ? options.dim.value : std::clamp<Index>(columns - 1, 1, data.cols());
  return {data.rows(), projection::fitted_columns(data), most, columns, classes, data.sparse() || data.stored()};
}

double fit_bytes(double data_bytes, const PairSizes& sizes, const KernelSum& kernel, const ReduceOptions& options,
                 const RunContext& context) {
  const double held = projection::samples_held(sizes.sparse, options.scale) + (options.holdout > 0 ? 1 : 0);
  return projection::fit_bytes(held * data_bytes, sizes, kernel, context, options.how.accuracy) +
         (finds_clusters(options.mode) ? projection::embedding_bytes(sizes.n, options.clusters) : 0);
}

}  // namespace ritz::reduce
