// SPDX-License-Identifier: MIT

#include "base/stopwatch.hpp"
#include "metrics/clustering.hpp"
#include "ritz/linalg/products.hpp"
#include "tasks/projection/null.hpp"
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
  Scaling scale;  // as used
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

constexpr double kRare = 0.75;       // share of entries that are 0
constexpr double kClearScore = 2.0;  // of a search: a leak inside the clusters e² times that between them, and stable
constexpr double kStable = 0.9;      // agreement of resamples from which on they are

template <class Visit>
void each_entry(const Dataset& data, Visit&& visit) {
  if (!data.sparse()) {
    for (Index i = 0; i < data.rows(); ++i)
      for (Index j = 0; j < data.cols(); ++j) visit(i, j, data.dense()(i, j));
    return;
  }
  const SparseRows& rows = std::get<SparseRows>(data.samples);
  for (Index i = 0; i < rows.outerSize(); ++i)
    for (SparseRows::InnerIterator entry(rows, i); entry; ++entry) visit(i, entry.col(), entry.value());
}

// Columns without any correlation, as no sample of independent ones has, are coordinates of one space: principal
// components, whose lengths say which of them are noise.
bool principal_coordinates(const Dataset& data) {
  constexpr double kNone = 1e-3;
  constexpr Index kMostColumns = 1000;
  const Index n = data.rows(), d = data.cols();
  if (data.sparse() || d < 2 || d >= n || d > kMostColumns) return false;
  Matrix X = data.dense().rowwise() - data.dense().colwise().mean();
  const Vector norms = X.colwise().norm();
  if (!(norms.minCoeff() > 0) || !norms.allFinite()) return false;
  X *= norms.cwiseInverse().asDiagonal();
  Matrix correlation = transposed_product(X, X);
  correlation.diagonal().setZero();
  return correlation.cwiseAbs().maxCoeff() < kNone;
}

// Columns that are nearly always 0, such as counts of words, would be blown up by dividing by their deviation.
Scaling settled_scale(const Dataset& data, Scaling asked) {
  if (asked != Scaling::automatic) return asked;
  if (principal_coordinates(data)) return Scaling::center;
  double filled = 0;
  each_entry(data, [&](Index, Index, double value) { filled += value != 0; });
  return filled < (1 - kRare) * double(data.rows()) * double(data.cols()) ? Scaling::center : Scaling::standard;
}

// The mean over the columns of the part of a column's variance that lies between the clusters: a measure that no kernel
// and no scale of columns changes.
double explained_share(const Dataset& data, const Labels& labels) {
  const Index d = data.cols(), n = data.rows();
  Matrix sums = Matrix::Zero(d, labels.classes());
  Vector squares = Vector::Zero(d), origin = Vector::Zero(d);
  if (!data.sparse()) origin = data.dense().row(0);  // far from 0 nothing cancels
  each_entry(data, [&](Index i, Index j, double value) {
    const double x = value - origin(j);
    sums(j, labels.of[std::size_t(i)]) += x;
    squares(j) += x * x;
  });
  const std::vector<Index> counts = labels.counts();
  double share = 0, used = 0;
  for (Index j = 0; j < d; ++j) {
    const double total = sums.row(j).sum(), all = squares(j) - total * total / double(n);
    if (!(all > kConstantTolerance * squares(j))) continue;
    double between = -total * total / double(n);
    for (Index c = 0; c < sums.cols(); ++c)
      if (counts[std::size_t(c)] > 0) between += sums(j, c) * sums(j, c) / double(counts[std::size_t(c)]);
    share += between / all;
    used += 1;
  }
  return used > 0 ? share / used : 0;
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
  summary.used["columns"] = TextForm<Scaling>::print(space.scale);  // which `check` makes again
  if (space.options.scale == Scaling::automatic && space.scale == Scaling::center)
    summary.used["scale"] =
        "center: most entries are 0, or the columns are principal components; dividing by the deviation would blow up "
        "noise";
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
  return view;
}

// What a clustering explains of the samples beyond what is known; nothing where it says nothing.
double evidence(const View& view, const Dataset& data) {
  return view.degenerate.empty() ? explained_share(data, view.clusters->labels) * (1 - view.solved.worst_novelty()) : 0;
}

dependence::Null null_of(const View& view, const Dataset& data, const std::vector<Labels>& given, kdac::Options how,
                         int permutations, const RunContext& context) {
  how.dimension = view.fit.W.cols();
  const projection::ScaledSamples X(data, view.scaling);
  return shuffled_columns({X.samples(), view.kernel, given, view.lambda}, how, view.fitted_W(), permutations, context);
}

// By a search. Where that finds no gap between clusters, its score says little: then the clusterings that need no
// search, of the default and of what else the user left open, are compared with it by what they explain.
View tuned_view(const Workspace& space, const std::vector<Labels>& given, RunContext& context) {
  const Stopwatch watch;
  View best = one_view(space, given, nullptr, context);
  Tuning tuning = *best.tuning;
  const double searched = evidence(best, space.data);
  const TuneStep& chosen = tuning.path[tuning.chosen];
  const bool clear = best.degenerate.empty() && chosen.score >= kClearScore && chosen.stability >= kStable;
  if (tuning.interrupted.empty() && !clear) {
    ReclusterOptions plain = space.options;
    plain.tuning.tune = false;
    std::vector<ReclusterOptions> rivals{plain};
    if (plain.kernel == ReclusterOptions{}.kernel && plain.sigma.empty()) {
      rivals.push_back(plain);
      rivals.back().kernel = "polynomial(degree=2,offset=1)";
    }
    if (plain.scale == Scaling::automatic) {
      rivals.push_back(plain);
      rivals.back().scale = space.scale == Scaling::center ? Scaling::standard : Scaling::center;
    }
    double most = searched, by_default = 0;
    std::string what;
    for (const ReclusterOptions& rival : rivals) {
      const Scaling scale = rival.scale == Scaling::automatic ? space.scale : rival.scale;
      const projection::Prepared ready = projection::prepare(space.data, scale, asked_kernel(rival), context);
      View view = one_view({ready, space.data, space.hash, space.truth, rival, scale}, given, nullptr, context);
      const double found = evidence(view, space.data);
      if (&rival == &rivals.front()) by_default = found;
      if (!(found > most)) continue;
      most = found;
      best = std::move(view);
      what = fmt::format("{} with columns as by {}", kernel_text(best.kernel), TextForm<Scaling>::print(scale));
    }
    if (!what.empty()) {
      tuning.taken = false;
      tuning.reason = fmt::format(
          "no setting of the search has clusters with a gap that resamples find again (score {:.3g}); {} explains most "
          "of "
          "the samples: {:.3g} of their variance beyond what is known, the search's {:.3g}, the default {:.3g}",
          chosen.score, what, most, searched, by_default);
      best.fit.summary.used["tune"] = tuning.reason;
    }
  }
  best.tuning = std::move(tuning);
  std::vector<Labels> known = given;
  known.push_back(best.clusters->labels);
  best.alternatives = alternatives_of(best.tuning->others, space, known, context.uninterrupted());
  double others = 0;
  for (const auto& [phase, part] : best.fit.summary.seconds) others += part;
  best.fit.summary.seconds["tune"] = std::max(0.0, watch.seconds() - others);
  return best;
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

ReclusterResult fit(const Dataset& data, const Given& given, const ReclusterOptions& asked, RunContext& context) {
  ritz::check(asked);
  check_given(data, given);
  ReclusterOptions options = asked;
  projection::check_samples(data, options.dim, ReclusterOptions::name);
  std::string counted;
  if (asked.clusters.automatic()) {
    const projection::Prepared ready =
        projection::prepare(data, settled_scale(data, options.scale), parse_kernel("linear"), context);
    const CountedClusters found = projection::cluster_count(ready.X.samples(), context);
    options.how.clusters = found.count;
    counted = found.reason;
  } else if (asked.clusters > 0) {
    options.how.clusters = asked.clusters;
  }
  projection::check_clusters(options.how.clusters, data, ReclusterOptions::name);
  require_memory(forecast(data, given, options, context), context, fmt::format("clustering {} samples", data.rows()));
  const Scaling scale = settled_scale(data, options.scale);
  const projection::Prepared ready = projection::prepare(data, scale, asked_kernel(options), context);
  const Workspace space{ready, data, data_hash(data), given.truth, options, scale};

  ReclusterResult result;
  std::vector<Labels> known = given.clusterings;
  std::vector<Alternative> waiting;
  while (Index(result.views.size()) < options.views) {
    try {
      const std::optional<Alternative> from = next_waiting(waiting, known);
      View next = options.tuning.tune && !from ? tuned_view(space, known, context)
                                               : one_view(space, known, from ? &from->candidate : nullptr, context);
      std::ranges::copy(next.alternatives, std::back_inserter(waiting));
      if (!counted.empty()) next.fit.summary.used["clusters"] = counted;
      const Summary& summary = next.fit.summary;
      const bool stopped = !summary.converged() && summary.termination != Termination::max_iterations;
      const std::string why = result.views.empty() ? "" : refused(next, result.views.front());
      if (!why.empty()) {
        result.ended = fmt::format("view {} is left out: {}", result.views.size() + 1, why);
        break;
      }
      if (result.views.empty() && options.permutations > 0 && !stopped) try {
          const PhaseTimer timer(next.fit.summary.seconds, "null");
          next.null = null_of(next, data, known, options.how, options.permutations, context);
          projection::look_at_columns(next.null, data, next.clusters->labels, context);
        } catch (const Interrupted&) {  // the clusters are there
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
