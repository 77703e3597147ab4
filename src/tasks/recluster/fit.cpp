// SPDX-License-Identifier: MIT

#include "metrics/clustering.hpp"
#include "tasks/projection/prepare.hpp"
#include "tasks/recluster/task.hpp"
#include "tasks/recluster/tune.hpp"

namespace ritz::recluster {

namespace {

// What all views share.
struct Workspace {
  const projection::Prepared& ready;
  const Dataset& data;
  std::string hash;
  const Labels& truth;
  const ReclusterOptions& options;
};

// How a view is fitted: width, λ, dimension, and where it starts.
struct Setting {
  KernelSum kernel;
  double lambda;
  kdac::Options how;
  Matrix start{};  // empty: from the samples themselves
};

void check_given(const Dataset& data, const Given& given) {
  if (given.clusterings.empty())
    fail(ErrorCode::bad_option, "no clustering is given to differ from: give recluster.given FILE, a label a line");
  const auto require = [&](const Labels& labels, std::string_view what) {
    if (labels.size() != data.rows())
      fail(ErrorCode::bad_shape, "{} has {} labels, but {} has {} rows", what, labels.size(), data.source, data.rows());
  };
  for (const Labels& labels : given.clusterings) require(labels, "the given clustering");
  if (given.truth.size() > 0) require(given.truth, "the truth");
}

// Numbers that the user has set are not tuned.
TuneFixed fixed_by(const ReclusterOptions& options, const KernelSum& kernel) {
  const std::optional<Bandwidth> width = gaussian_width(kernel);
  if (!width)
    fail(ErrorCode::bad_option, "recluster.tune chooses the width of one Gaussian kernel; the kernel is '{}'",
         options.kernel);
  const bool set = !options.sigma.empty() || options.kernel != ReclusterOptions{}.kernel;
  return {.sigma = set ? width->value : 0, .lambda = options.lambda.value, .dimension = options.dim.value};
}

double needed_eigenvalues(const View& found) {
  double sum = 0;
  const std::size_t k = found.spectrum.size() - 1;
  for (std::size_t i = 0; i + 1 < k; ++i) sum += found.spectrum[i];
  return sum / double(k - 1);
}

Labels cluster_labels(std::vector<int> of, Index clusters) { return {std::move(of), numbered_names("", clusters)}; }

double worst_agreement(const Labels& labels, const std::vector<Labels>& known) {
  double worst = 0;
  for (const Labels& each : known) worst = std::max(worst, normalised_mutual_information(labels.of, each.of));
  return worst;
}

// The search's further clusterings, on all samples; `known` are those they must differ from.
std::vector<Alternative> alternatives_of(const std::vector<Candidate>& others, const Workspace& space,
                                         const std::vector<Labels>& known, const RunContext& context) {
  std::vector<Alternative> all;
  for (const Candidate& other : others) {
    const RowMatrix Z = space.ready.X.samples().project(other.W, context);
    Alternative one{other, cluster_labels(predict_clusters(other.model, Z, context), space.options.how.clusters)};
    one.novelty = worst_agreement(one.labels, known);
    if (one.novelty > kLeastNew) continue;
    if (space.truth.size() > 0) one.nmi = normalised_mutual_information(one.labels.of, space.truth.of);
    all.push_back(std::move(one));
  }
  return all;
}

// From the options alone, from what an earlier search came across, or by a search of its own, which `view` keeps.
Setting setting_of(View& view, const Workspace& space, const Candidate* from, RunContext& context) {
  const ReclusterOptions& options = space.options;
  const Index k = options.how.clusters;
  const double balanced = balanced_lambda(view.given, k);
  Setting setting{space.ready.kernel, options.lambda.automatic() ? balanced : options.lambda.value, options.how};
  setting.how.dimension = options.dim.value > 0 ? options.dim.value : std::min(k, space.data.cols());
  if (from) {
    if (options.lambda.automatic()) setting.lambda = from->share * balanced / kLambdaShare;
    setting.start = from->W;
    set_widths(setting.kernel, {.value = from->step.sigma});
  } else if (options.tuning.tune) {
    view.tuning = tune_kdac(space.ready.X.samples(), view.given, fixed_by(options, space.ready.kernel), options.how,
                            options.tuning, context);
    setting.lambda = view.tuning->lambda;
    setting.start = view.tuning->W;
    set_widths(setting.kernel, {.value = view.tuning->sigma});
  }
  if (setting.start.size() > 0) setting.how.dimension = setting.start.cols();
  return setting;
}

// Moves what was solved into the projection.
void conclude(View& view, const Workspace& space) {
  clustering::Result& found = view.solved.found;
  view.degenerate = degenerate(view.solved, space.options.how.clusters);
  view.separation = cluster_separation(found.embedding, found.labels).value;
  view.spectrum.assign(found.embedding.values.begin(), found.embedding.values.end());
  view.spectrum.push_back(found.embedding.next);
  view.gamma = std::move(found.gamma);
  view.gamma_trace = view.gamma.factor.trace();
  if (space.truth.size() > 0) view.nmi = normalised_mutual_information(found.labels, space.truth.of);
  ClusterReport report;
  report.labels = cluster_labels(found.labels, space.options.how.clusters);
  report.model = std::move(found.model);
  report.quality = view.solved.quality;
  report.gap = view.solved.gap;
  report.labelled_by = found.labelled_by;
  report.nmi = view.nmi;
  view.clusters = std::move(report);
  view.fit = {std::move(found.W), found.start_objective, found.certificate, found.summary};
}

// What was chosen on the way, and what the user should know.
void explain(View& view, const Workspace& space, const Candidate* from) {
  Summary& summary = view.fit.summary;
  for (const auto& [name, text] : space.ready.used) summary.used.emplace(name, text);
  if (view.tuning) {
    summary.used["tune"] = view.tuning->reason;
    if (!view.tuning->interrupted.empty()) {
      summary.termination = Termination::interrupted;
      summary.message = fmt::format("{} after {} settings were tried; the best of them is kept",
                                    view.tuning->interrupted, view.tuning->path.size());
    }
  } else if (from) {
    summary.used["tune"] = fmt::format(
        "sigma {:.4g}, lambda {:.4g}, {} dimensions: the search of the first view came "
        "across it (score {:.3g})",
        from->step.sigma, view.lambda, from->W.cols(), from->step.score);
  } else if (space.options.lambda.automatic()) {
    summary.used["lambda"] = fmt::format("{}: {} times the number of clusters over the size of the given clusterings",
                                         number_text(view.lambda), kLambdaShare);
  }
  std::ranges::copy(space.data.notes, std::back_inserter(summary.notes));
  std::ranges::copy(space.ready.notes, std::back_inserter(summary.notes));
  if (!view.degenerate.empty()) note(summary.notes, "DEGENERATE: {}", view.degenerate);
}

// `from`: what an earlier search came across, in place of a search.
View one_view(const Workspace& space, const std::vector<Labels>& given, const Candidate* from, RunContext& context) {
  const Samples& X = space.ready.X.samples();
  View view;
  view.n = space.data.rows();
  view.d = space.data.cols();
  view.feature_names = space.data.feature_names;
  view.data_hash = space.hash;
  view.scaling = space.ready.scaling;
  view.given = given;
  Setting setting = setting_of(view, space, from, context);
  view.kernel = setting.kernel;
  view.lambda = setting.lambda;
  RunContext inner = context.nested("clusters");
  if (view.tuning &&
      !view.tuning->interrupted.empty()) {  // one round more makes labels for all samples of what was found
    inner = inner.uninterrupted();
    setting.how.max_rounds = 1;
    setting.how.curvature = Effort::never;
  }
  const kdac::Problem problem{X, view.kernel, given, view.lambda};
  if (setting.start.size() > 0 && setting.how.max_rounds > 1)
    setting.start = settled_on_parts(problem, setting.how, setting.start, inner);
  view.solved = kdac::solve(problem, setting.how, inner, setting.start);
  conclude(view, space);
  explain(view, space, from);
  const RunContext calm = context.uninterrupted();
  view.embedding = X.project(view.fit.W, calm);
  projection::bring_back(view);
  if (view.tuning) {
    std::vector<Labels> known = given;
    known.push_back(view.clusters->labels);
    view.alternatives = alternatives_of(view.tuning->others, space, known, calm);
  }
  return view;
}

// Why a further view is none; empty: it is one.
std::string refused(const View& next, const View& first) {
  if (!next.degenerate.empty()) return next.degenerate;
  if (next.solved.worst_novelty() > kLeastNew)
    return fmt::format("it agrees with one before (NMI {:.2f})", next.solved.worst_novelty());
  const double now = needed_eigenvalues(next), then = needed_eigenvalues(first);
  if (now < kLeastQuality * then)
    return fmt::format("its clusters hold together less (eigenvalues of {:.2f} against {:.2f})", now, then);
  if (next.separation < kLeastQuality * first.separation)
    return fmt::format("its clusters are less apart (separation {:.2f} against {:.2f})", next.separation,
                       first.separation);
  return "";
}

// The first of the waiting ones that is still new.
std::optional<Alternative> next_waiting(std::vector<Alternative>& waiting, const std::vector<Labels>& known) {
  std::erase_if(waiting, [&](const Alternative& each) { return worst_agreement(each.labels, known) > kLeastNew; });
  if (waiting.empty()) return std::nullopt;
  Alternative first = std::move(waiting.front());
  waiting.erase(waiting.begin());
  return first;
}

}  // namespace

ReclusterResult fit(const Dataset& data, const Given& given, const ReclusterOptions& options, RunContext& context) {
  ritz::check(options);
  check_given(data, given);
  projection::check_samples(data, options.dim, ReclusterOptions::name);
  projection::check_clusters(options.how.clusters, data, ReclusterOptions::name);
  require_memory(forecast(data, given, options, context), context, fmt::format("clustering {} samples", data.rows()));
  const projection::Prepared ready = projection::prepare(data, options.scale, asked_kernel(options), context);
  const Workspace space{ready, data, data_hash(data), given.truth, options};

  ReclusterResult result;
  std::vector<Labels> known = given.clusterings;
  std::vector<Alternative> waiting;
  while (Index(result.views.size()) < options.views) {
    try {
      const std::optional<Alternative> from = next_waiting(waiting, known);
      View next = one_view(space, known, from ? &from->candidate : nullptr, context);
      std::ranges::copy(next.alternatives, std::back_inserter(waiting));
      const Summary& summary = next.fit.summary;
      const bool stopped = !summary.converged() && summary.termination != Termination::max_iterations;
      const std::string why = result.views.empty() ? "" : refused(next, result.views.front());
      if (!why.empty()) {
        result.ended = fmt::format("view {} is left out: {}", result.views.size() + 1, why);
        break;
      }
      known.push_back(next.clusters->labels);
      result.views.push_back(std::move(next));
      if (stopped) break;
    } catch (const Interrupted& interrupted) {
      if (result.views.empty()) throw;
      result.ended = fmt::format("{} in view {}", interrupted.text(), result.views.size() + 1);
      break;
    }
  }
  return result;
}

}  // namespace ritz::recluster
