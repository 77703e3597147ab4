// SPDX-License-Identifier: MIT
#include "ritz/tasks/recluster.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/machine.hpp"
#include "ritz/metrics/clustering.hpp"
#include "tasks/recluster/json.hpp"
#include "tasks/reduce/json.hpp"
#include "tasks/reduce/model.hpp"

namespace ritz {

namespace {

// Below this share of an even one, a cluster is a few outliers.
constexpr double kTinyShare = 0.05;
// Eigenvalue k + 1 within this part of eigenvalue k: the next direction is as good as the last one taken.
constexpr double kNoGap = 1e-6;

ReduceOptions reduce_options(const ReclusterOptions& options, const kdac::Options& how) {
  ReduceOptions same;
  same.mode = Mode::unsupervised;
  same.clusters = how.clusters;
  same.dim = options.dim;
  same.kernel = options.kernel;
  same.sigma = options.sigma;
  same.scale = options.scale;
  same.label_by = how.label_by;
  same.round_tolerance = how.round_tolerance;
  same.max_rounds = how.max_rounds;
  return same;
}

ism::Options ism_options(const Reclustering& found, const kdac::Options& how) {
  return {.dimension = found.reduction.fit.W.cols(),
          .tolerance = how.inner_tolerance,
          .max_iterations = how.inner_iterations,
          .solver = how.solver,
          .restarts = how.restarts,
          .curvature = how.curvature,
          .accuracy = how.accuracy};
}

void check_given(const Dataset& data, const std::vector<Labels>& given, const Labels& truth) {
  if (given.empty())
    throw Error(ErrorCode::bad_option, "no clustering is given to differ from: give --given FILE, a label a line");
  const auto require = [&](const Labels& labels, std::string_view what) {
    if (labels.size() != data.rows())
      throw Error(ErrorCode::bad_shape,
                  fmt::format("{} has {} labels, but {} has {} rows", what, labels.size(), data.source, data.rows()));
  };
  for (const Labels& labels : given) require(labels, "the given clustering");
  if (truth.size() > 0) require(truth, "the truth");
}

}  // namespace

double balanced_lambda(const std::vector<Labels>& given, Index clusters) {
  double size = 0;
  for (const Labels& labels : given) {
    const double n = double(labels.size());
    size += n;
    for (const Index count : labels.counts()) size -= double(count) * double(count) / n;
  }
  return size > 0 ? kLambdaShare * double(clusters) / size : 0;
}

std::string degenerate(const kdac::Result& result, Index clusters) {
  if (result.found.embedding.identity)
    return "the kernel is numerically the identity, every sample is its own cluster; raise --sigma, for example to "
           "0.2*median";
  const std::vector<int>& labels = result.found.labels;
  std::vector<Index> counts(std::size_t(clusters), 0);
  for (const int label : labels) ++counts[std::size_t(label)];
  const Index smallest = std::ranges::min(counts);
  if (double(smallest) < kTinyShare * double(labels.size()) / double(clusters))
    return fmt::format("the smallest of {} clusters has {} of {} samples", clusters, smallest, labels.size());
  const Vector& values = result.found.embedding.values;
  if (!(result.gap > kNoGap * std::abs(values[0])))
    return fmt::format(
        "eigenvalue {} of the kernel matrix, {:.6g}, is no larger than the next one: the kernel tells "
        "no clusters apart (a wider one may)",
        values.size(), values.tail(1)[0]);
  return "";
}

namespace {

// What all views share.
struct Workspace {
  const Prepared& ready;
  const Dataset& data;
  std::string hash;
  const Labels& truth;
  const ReclusterOptions& options;
  const kdac::Options& how;
  const TuneOptions& tune;
};

// Numbers that the user has set are not tuned.
TuneFixed fixed_by(const ReclusterOptions& options, const KernelSum& kernel) {
  if (kernel.size() != 1 || !std::holds_alternative<Gaussian>(kernel.front().kernel))
    throw Error(ErrorCode::bad_option,
                fmt::format("--tune chooses the width of one Gaussian kernel; the kernel is '{}'", options.kernel));
  const Gaussian& gaussian = std::get<Gaussian>(kernel.front().kernel);
  const bool set = !options.sigma.empty() || options.kernel != ReclusterOptions{}.kernel;
  return {.sigma = set ? gaussian.sigma.value : 0, .lambda = options.lambda.value, .dimension = options.dim.value};
}

double needed_eigenvalues(const Reclustering& found) {
  double sum = 0;
  const std::size_t k = found.spectrum.size() - 1;
  for (std::size_t i = 0; i + 1 < k; ++i) sum += found.spectrum[i];
  return sum / double(k - 1);
}

Labels numbered_labels(std::vector<int> of, Index clusters) {
  Labels labels{std::move(of), {}};
  for (Index c = 1; c <= clusters; ++c) labels.names.push_back(std::to_string(c));
  return labels;
}

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
    Alternative one{other,
                    numbered_labels(predict_clusters(other.model, space.ready.X.project(other.W, context), context),
                                    space.how.clusters)};
    one.novelty = worst_agreement(one.labels, known);
    if (one.novelty > kLeastNew) continue;
    if (space.truth.size() > 0) one.nmi = normalised_mutual_information(one.labels.of, space.truth.of);
    all.push_back(std::move(one));
  }
  return all;
}

// `from`: what an earlier search came across, in place of a search.
Reclustering one_view(const Workspace& space, const std::vector<Labels>& given, const Candidate* from,
                      RunContext& context) {
  const Prepared& ready = space.ready;
  Reclustering result;
  Reduction& reduction = result.reduction;
  reduction.mode = Mode::unsupervised;
  reduction.n = space.data.rows();
  reduction.d = space.data.cols();
  reduction.feature_names = space.data.feature_names;
  reduction.data_hash = space.hash;
  reduction.scaling = ready.scaling;
  reduction.kernel = ready.kernel;
  result.given = given;
  result.truth = space.truth;
  const bool balanced = space.options.lambda.automatic();
  result.lambda = balanced ? balanced_lambda(given, space.how.clusters) : space.options.lambda.value;
  kdac::Options chosen = space.how;
  chosen.dimension =
      space.options.dim.value > 0 ? space.options.dim.value : std::min(space.how.clusters, space.data.cols());
  Matrix start;
  RunContext inner = context.nested("clusters");
  const auto set_width = [&](double sigma) { std::get<Gaussian>(reduction.kernel.front().kernel).sigma.value = sigma; };
  if (from) {
    if (balanced) result.lambda = from->share * balanced_lambda(given, space.how.clusters) / kLambdaShare;
    chosen.dimension = from->W.cols();
    start = from->W;
    set_width(from->step.sigma);
  } else if (space.tune.tune) {
    result.tuning = tune_kdac(ready.X, given, fixed_by(space.options, ready.kernel), space.how, space.tune, context);
    result.lambda = result.tuning->lambda;
    chosen.dimension = result.tuning->W.cols();
    start = result.tuning->W;
    set_width(result.tuning->sigma);
    if (!result.tuning->interrupted.empty()) {  // one round more makes labels for all samples of what was found
      inner = inner.uninterrupted();
      chosen.max_rounds = 1;
      chosen.curvature = Effort::never;
    }
  }
  const kdac::Problem problem{ready.X, reduction.kernel, given, result.lambda};
  if (start.size() > 0 && chosen.max_rounds > 1) start = settled_on_parts(problem, chosen, start, inner);
  result.fit = kdac::solve(problem, chosen, inner, start);

  clustering::Result& found = result.fit.found;
  result.degenerate = degenerate(result.fit, space.how.clusters);
  result.separation = cluster_separation(found.embedding, found.labels).value;
  result.spectrum.assign(found.embedding.values.begin(), found.embedding.values.end());
  result.spectrum.push_back(found.embedding.next);
  reduction.gamma = std::move(found.gamma);
  reduction.gamma_trace = reduction.gamma.factor.trace();
  ClusterReport report;
  report.labels = numbered_labels(found.labels, space.how.clusters);
  report.model = std::move(found.model);
  report.quality = result.fit.quality;
  report.gap = result.fit.gap;
  report.labelled_by = found.labelled_by;
  if (space.truth.size() > 0) report.nmi = result.nmi = normalised_mutual_information(found.labels, space.truth.of);
  reduction.clusters = std::move(report);
  reduction.fit = {std::move(found.W), found.start_objective, found.certificate, found.summary};
  Summary& summary = reduction.fit.summary;
  for (const auto& [name, text] : ready.used) summary.used.emplace(name, text);
  if (result.tuning) {
    summary.used["tune"] = result.tuning->reason;
    if (!result.tuning->interrupted.empty()) {
      summary.termination = Termination::interrupted;
      summary.message = fmt::format("{} after {} settings were tried; the best of them is kept",
                                    result.tuning->interrupted, result.tuning->path.size());
    }
  } else if (from) {
    summary.used["tune"] = fmt::format(
        "sigma {:.4g}, lambda {:.4g}, {} dimensions: the search of the first view came "
        "across it (score {:.3g})",
        from->step.sigma, result.lambda, from->W.cols(), from->step.score);
  } else if (balanced) {
    summary.used["lambda"] = fmt::format("{}: {} times the number of clusters over the size of the given clusterings",
                                         number_text(result.lambda), kLambdaShare);
  }
  std::vector<std::string> notes = space.data.notes;
  std::ranges::copy(ready.notes, std::back_inserter(notes));
  if (!result.degenerate.empty()) notes.push_back(fmt::format("DEGENERATE: {}", result.degenerate));
  std::ranges::move(notes, std::back_inserter(summary.notes));
  const RunContext calm = context.uninterrupted();
  reduction.embedding = ready.X.project(reduction.fit.W, calm);
  if (result.tuning) {
    std::vector<Labels> known = given;
    known.push_back(reduction.clusters->labels);
    result.alternatives = alternatives_of(result.tuning->others, space, known, calm);
  }
  return result;
}

// Why a further view is none; empty: it is one.
std::string refused(const Reclustering& next, const Reclustering& first) {
  if (!next.degenerate.empty()) return next.degenerate;
  if (next.fit.worst_novelty() > kLeastNew)
    return fmt::format("it agrees with one before (NMI {:.2f})", next.fit.worst_novelty());
  const double now = needed_eigenvalues(next), then = needed_eigenvalues(first);
  if (now < kLeastQuality * then)
    return fmt::format("its clusters hold together less (eigenvalues of {:.2f} against {:.2f})", now, then);
  if (next.separation < kLeastQuality * first.separation)
    return fmt::format("its clusters are less apart (separation {:.2f} against {:.2f})", next.separation,
                       first.separation);
  return "";
}

}  // namespace

Views recluster(Dataset& data, const std::vector<Labels>& given, const Labels& truth, Index views,
                const ReclusterOptions& options, const kdac::Options& how, const TuneOptions& tune,
                RunContext& context) {
  check(options);
  check_given(data, given, truth);
  if (how.clusters == 0) throw Error(ErrorCode::bad_option, "say how many clusters to look for: --clusters K");
  data.labels = {};
  const ReduceOptions prepared_as = reduce_options(options, how);
  const Index q = options.dim.value > 0 ? options.dim.value : std::min(how.clusters, data.cols());
  Index columns = how.clusters * views;
  for (const Labels& labels : given) columns += labels.classes();
  const PairSizes sizes{data.rows(), data.cols(), q, columns, false};
  // The U step holds a basis of eight blocks of vectors, their images, and copies of them.
  const double vectors = 8.0 * double(data.rows()) * 24 * double(how.clusters + 6);
  require_memory(reduce_bytes(data_bytes(data), sizes, asked_kernel(prepared_as), context) + vectors, context,
                 fmt::format("clustering {} samples", data.rows()));
  const std::string hash = data_hash(data);
  const Prepared ready = prepare(data, prepared_as, {}, context);
  const Workspace space{ready, data, hash, truth, options, how, tune};

  Views result;
  std::vector<Labels> known = given;
  std::vector<Alternative> waiting;
  while (Index(result.all.size()) < views) {
    try {
      std::erase_if(waiting, [&](const Alternative& each) { return worst_agreement(each.labels, known) > kLeastNew; });
      std::optional<Alternative> from;
      if (!waiting.empty()) {
        from = std::move(waiting.front());
        waiting.erase(waiting.begin());
      }
      Reclustering next = one_view(space, known, from ? &from->candidate : nullptr, context);
      std::ranges::copy(next.alternatives, std::back_inserter(waiting));
      const bool stopped = !next.reduction.fit.summary.converged() &&
                           next.reduction.fit.summary.termination != Termination::max_iterations;
      const std::string why = result.all.empty() ? "" : refused(next, result.all.front());
      if (!why.empty()) {
        result.ended = fmt::format("view {} is left out: {}", result.all.size() + 1, why);
        break;
      }
      known.push_back(next.reduction.clusters->labels);
      result.all.push_back(std::move(next));
      if (stopped) break;
    } catch (const Interrupted& interrupted) {
      if (result.all.empty()) throw;
      result.ended = fmt::format("{} in view {}", interrupted.text(), result.all.size() + 1);
      break;
    }
  }
  return result;
}

ModelFile to_model(const Reclustering& found, const ReclusterOptions& options, const kdac::Options& how) {
  ModelFile model = to_model(found.reduction, reduce_options(options, how), ism_options(found, how));
  model.method = "kdac";
  Json info = Json::parse(model.info);
  info["verb"] = "recluster";
  info["method"] = "kdac";
  info["result"]["cost"] = number_json(found.fit.cost);
  info["options"]["lambda"] = number_json(found.lambda);
  model.info = json_text(info);
  return model;
}

namespace {

Json step_json(const TuneStep& step) {
  return {{"sigma", step.sigma},
          {"multiple", step.multiple},
          {"lambda", step.lambda},
          {"dimension", step.dimension},
          {"quality", number_json(step.quality)},
          {"separation", number_json(step.separation)},
          {"novelty", number_json(step.novelty)},
          {"stability", number_json(step.stability)},
          {"score", number_json(step.score)},
          {"kind", step.kind}};
}

}  // namespace

Json reclustering_json(const Reclustering& found, const ReclusterOptions& options, const kdac::Options& how) {
  Json json = reduction_json(found.reduction, reduce_options(options, how), ism_options(found, how));
  json["verb"] = "recluster";
  json["method"] = "kdac";
  Json asked = options_json(options);
  asked.update(options_json(how));
  asked.erase("dimension");
  asked["dim"] = found.reduction.fit.W.cols();
  asked["kernel"] = kernel_text(found.reduction.kernel);
  asked["lambda"] = number_json(found.lambda);
  json["options"] = std::move(asked);
  json["given"] = {{"dim", TextForm<Dimension>::print(options.dim)},
                   {"kernel", options.kernel},
                   {"sigma", options.sigma},
                   {"lambda", TextForm<Lambda>::print(options.lambda)}};
  Json given = Json::array();
  for (std::size_t i = 0; i < found.given.size(); ++i)
    given.push_back({{"clusters", found.given[i].names},
                     {"sizes", found.given[i].counts()},
                     {"novelty", number_json(found.fit.novelty[i])}});
  Json spectrum = Json::array();
  for (const double value : found.spectrum) spectrum.push_back(number_json(value));
  json["result"] = {{"dimension", found.reduction.fit.W.cols()},
                    {"cost", number_json(found.fit.cost)},
                    {"quality", number_json(found.fit.quality)},
                    {"hsic_given", number_json(found.fit.hsic_given)},
                    {"novelty", number_json(found.fit.worst_novelty())},
                    {"nmi", number_json(found.nmi)},
                    {"sizes", found.reduction.clusters->labels.counts()},
                    {"gap", number_json(found.fit.gap)},
                    {"separation", number_json(found.separation)},
                    {"spectrum", std::move(spectrum)},
                    {"degenerate", found.degenerate},
                    {"labelled_by", found.reduction.clusters->labelled_by},
                    {"eigenvalues", vector_json(found.reduction.fit.certificate.eigenvalues)},
                    {"start_objective", number_json(found.reduction.fit.start_objective)},
                    {"given", std::move(given)},
                    {"top_loadings", json["result"]["top_loadings"]}};
  if (found.tuning) {
    Json path = Json::array(), alternatives = Json::array();
    for (const TuneStep& step : found.tuning->path) path.push_back(step_json(step));
    for (const Alternative& other : found.alternatives) {
      Json one = step_json(other.candidate.step);
      one["novelty"] = number_json(other.novelty);
      one["nmi"] = number_json(other.nmi);
      one["sizes"] = other.labels.counts();
      alternatives.push_back(std::move(one));
    }
    json["result"]["alternatives"] = std::move(alternatives);
    json["result"]["tuning"] = {{"chosen", found.tuning->chosen}, {"reason", found.tuning->reason}, {"path", path}};
  }
  return json;
}

}  // namespace ritz
