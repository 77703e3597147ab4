// SPDX-License-Identifier: MIT

#include <chrono>

#include "ritz/model/alignment.hpp"
#include "ritz/pairs/backend.hpp"
#include "tasks/reduce/fit.hpp"

namespace ritz::reduce {

namespace {

constexpr std::string_view kAuto = "auto";
constexpr std::string_view kWidest = "auto*gaussian(sigma=median)+auto*polynomial(degree=3)";

// Scores the candidates from `first` on. After Ctrl-C or the time limit, those that are done count, if any are.
bool try_all(Choice& choice, std::size_t first, const Scorer& score, RunContext& context) {
  for (std::size_t t = first; t < choice.tried.size(); ++t) {
    Tried& each = choice.tried[t];
    const auto start = std::chrono::steady_clock::now();
    RunContext inner = context.nested(fmt::format("kernel {} of {}", t + 1, choice.tried.size()));
    try {
      each.score = score(each.kernel, inner);
    } catch (const Interrupted& interrupted) {
      if (t == 0) throw;
      note(choice.notes, "{} after {} of {} kernels were tried", interrupted.text(), t, choice.tried.size());
      choice.tried.resize(t);
      return false;
    }
    each.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  return true;
}

bool better(const Tried& a, const Tried& b) {  // NaN is worse than anything
  if (!std::isfinite(a.score.value)) return false;
  return !std::isfinite(b.score.value) || a.score.value > b.score.value;
}

const Tried& best_of(const std::vector<Tried>& tried) {
  const Tried* best = &tried.front();
  for (const Tried& each : tried)
    if (better(each, *best)) best = &each;
  return *best;
}

void conclude(Choice& choice, const ScoreText& say, std::string_view virtue) {
  choice.score = say.name;
  const Tried& best = best_of(choice.tried);
  if (!std::isfinite(best.score.value))
    fail(ErrorCode::bad_data, "none of {} kernels could be fitted; give one by reduce.kernel", choice.tried.size());
  const double margin = std::isfinite(best.score.standard_error) ? best.score.standard_error : 0;
  const Tried* chosen = &best;
  for (const Tried& each : choice.tried) {
    if (!(each.score.value >= best.score.value - margin)) continue;
    if (each.complexity < chosen->complexity || (each.complexity == chosen->complexity && better(each, *chosen)))
      chosen = &each;
  }
  choice.kernel = chosen->kernel;
  choice.reason = fmt::format("{}: {} {}", chosen->kernel, say.name, said(chosen->score.value, say));
  if (chosen->score.value == best.score.value && chosen != &best) {
    choice.reason += fmt::format(", as for {}, and {}", best.kernel, virtue);
  } else if (chosen != &best) {
    choice.reason += fmt::format(", within one standard error ({}) of {} for {}, and {}", said(margin, say),
                                 said(best.score.value, say), best.kernel, virtue);
  } else {
    const Tried* second = nullptr;
    for (const Tried& each : choice.tried)
      if (&each != chosen && std::isfinite(each.score.value) && (!second || better(each, *second))) second = &each;
    if (second) choice.reason += fmt::format(" against {} for {}", said(second->score.value, say), second->kernel);
  }
  const auto failed =
      std::ranges::count_if(choice.tried, [](const Tried& each) { return !std::isfinite(each.score.value); });
  if (failed > 0) note(choice.notes, "{} of {} kernels could not be fitted", failed, choice.tried.size());
}

// To three digits: a width that one can read and type.
double rounded(double value) { return *read_double(fmt::format("{:.3g}", value)); }

// vᵀa / (√(vᵀMv) ‖HΓH‖), v the weights of the kernel's terms; NaN where the kernel is constant on the samples.
double centred_alignment(const ReduceResult& found, const RunContext& context) {
  const AlignmentSums sums =
      backend_or_cpu(context).alignment_sums(found.kernel, Samples(found.embedding), found.gamma, context);
  Vector weights(sums.target.size());
  for (Index t = 0; t < weights.size(); ++t) weights[t] = found.kernel[std::size_t(t)].weight;
  const double norms = std::sqrt(std::max(0.0, weights.dot(sums.gram * weights))) * sums.target_norm;
  return norms > 0 ? weights.dot(sums.target) / norms : kUnknown;
}

}  // namespace

std::string said(double value, const ScoreText& say) {
  return say.percent ? fmt::format("{:.1f} %", 100 * value) : fmt::format("{:.4f}", value);
}

Scorer alignment_scorer(const Dataset& data, const Guidance& guidance, const ReduceOptions& options) {
  return [&data, guidance, options](const std::string& kernel, RunContext& context) -> Score {
    ReduceOptions one = options;
    one.mode = Mode::supervised;
    one.kernel = kernel;
    one.holdout = 0;
    one.how.curvature = Effort::never;
    const ReduceResult found = fit_once(data, guidance, one, context).result;
    context.agree();  // a fit that was cut short is no score
    if (!found.fit.summary.usable()) return {};
    return {centred_alignment(found, context), kUnknown};
  };
}

Scorer accuracy_scorer(const Dataset& data, const Guidance& guidance, const ReduceOptions& options, Index folds,
                       std::uint64_t seed) {
  return [&data, guidance, options, fold_of = dealt_folds(data, folds, seed)](const std::string& kernel,
                                                                              RunContext& context) -> Score {
    ReduceOptions one = options;
    one.kernel = kernel;
    one.splitting = {.svm = false, .all_features = false};
    const FoldReport report = evaluate_folds(data, guidance, fold_of, one, context);
    context.agree();
    // √(Σ(x − mean)²/(m − 1)) / √m
    return {report.knn.mean(), report.knn.deviation() / std::sqrt(double(report.count - 1))};
  };
}

Scorer make_scorer(const Dataset& data, const Guidance& guidance, const ReduceOptions& options, std::uint64_t seed) {
  const ChooseOptions& choosing = options.choosing;
  return choosing.choose_by == Criterion::alignment
             ? alignment_scorer(data, guidance, options)
             : accuracy_scorer(data, guidance, options, std::min(choosing.choose_folds, data.rows()), seed);
}

ScoreText score_text(const ReduceOptions& options, bool targets) {
  if (options.choosing.choose_by == Criterion::alignment) return {"alignment with what is known", false};
  if (targets) return {fmt::format("{}-NN R2 over {} folds", options.neighbours, options.choosing.choose_folds), false};
  return {fmt::format("{}-NN right over {} folds", options.neighbours, options.choosing.choose_folds), true};
}

bool leaves_kernel_open(const ReduceOptions& options) { return options.kernel == kAuto || options.sigma == kAuto; }

KernelSum widest_kernel(const ReduceOptions& options) {
  if (options.kernel == kAuto) return parse_kernel(kWidest);
  return options.sigma == kAuto ? parse_kernel(options.kernel) : asked_kernel(options);
}

std::optional<Choice> choose(const Dataset& data, const Guidance& guidance, ReduceOptions& options,
                             RunContext& context) {
  if (!leaves_kernel_open(options)) return std::nullopt;
  if (finds_clusters(options.mode))
    fail(ErrorCode::bad_option,
         "reduce.kernel auto and reduce.sigma auto judge by class labels or targets: give input.labels FILE");
  if (options.kernel == kAuto && !options.sigma.empty())
    fail(ErrorCode::bad_option, "reduce.kernel auto tries widths of its own; leave reduce.sigma out");
  const bool width = options.sigma == kAuto;
  options.sigma.clear();
  Evidence evidence = evidence_of(data, guidance, options, context.seed);
  // Before scale and dimension are chosen for it, a kernel is judged with the plain ones.
  ReduceOptions& plain = evidence.options;
  if (plain.scale == Scaling::automatic) plain.scale = Scaling::standard;
  if (plain.dim.value == 0) plain.dim.value = needed_dimensions(data, guidance);
  const Scorer score = make_scorer(evidence.data, evidence.guidance, plain, context.seed);
  const ScoreText say = score_text(plain, guidance.targets.size() > 0);
  Choice choice = width ? choose_sigma(options.kernel, score, say, context) : choose_kernel(score, say, context);
  options.kernel = choice.kernel;
  return choice;
}

std::string with_sigma(const std::string& kernel, const Bandwidth& sigma) {
  KernelSum sum = parse_kernel(kernel);
  if (!set_widths(sum, sigma))
    fail(ErrorCode::bad_option, "the kernel {} has no sigma; a width belongs to gaussian", kernel_text(sum));
  return kernel_text(sum);
}

Choice choose_sigma(const std::string& kernel, const Scorer& score, const ScoreText& say, RunContext& context) {
  constexpr double kNarrowest = 0.125, kLargest = 4;
  constexpr int kSteps = 5, kRefinements = 1;
  std::vector<double> multiples;
  Choice choice;
  const auto add = [&](double multiple) {
    multiple = rounded(multiple);
    if (std::ranges::find(multiples, multiple) != multiples.end()) return;
    multiples.push_back(multiple);
    choice.tried.push_back({with_sigma(kernel, {0, multiple}), 0, {}, 0});
  };
  const double ratio = std::pow(kLargest / kNarrowest, 1.0 / kSteps);
  for (int s = 0; s <= kSteps; ++s) add(kLargest / std::pow(ratio, s));
  bool more = try_all(choice, 0, score, context);
  for (int round = 1; more && round <= kRefinements; ++round) {
    const auto best = std::size_t(&best_of(choice.tried) - choice.tried.data());
    const double between = std::pow(ratio, std::pow(0.5, round)), middle = multiples[best];
    const std::size_t first = choice.tried.size();
    for (const double multiple : {middle * between, middle / between})
      if (multiple > kNarrowest && multiple < kLargest) add(multiple);
    more = try_all(choice, first, score, context);
  }
  // The wider, the simpler: number them by width.
  for (std::size_t t = 0; t < choice.tried.size(); ++t)
    choice.tried[t].complexity = int(std::ranges::count_if(multiples, [&](double m) { return m > multiples[t]; }));
  conclude(choice, say, "wider");
  return choice;
}

Choice choose_among(std::vector<Tried> candidates, const Scorer& score, const ScoreText& say, RunContext& context) {
  if (candidates.empty()) fail(ErrorCode::bad_option, "there is no kernel to choose from");
  Choice choice;
  choice.tried = std::move(candidates);
  try_all(choice, 0, score, context);
  conclude(choice, say, "simpler");
  return choice;
}

Choice choose_kernel(const Scorer& score, const ScoreText& say, RunContext& context) {
  std::vector<Tried> candidates = {
      {"linear", 0, {}, 0}, {"polynomial(degree=2)", 1, {}, 0}, {"polynomial(degree=3)", 2, {}, 0}};
  for (const double multiple : {2.0, 1.0, 0.5, 0.25, 0.125})
    candidates.push_back({with_sigma("gaussian", {0, multiple}), 3, {}, 0});
  candidates.push_back({"multiquadric", 3, {}, 0});
  candidates.push_back({std::string(kWidest), 4, {}, 0});
  return choose_among(std::move(candidates), score, say, context);
}

}  // namespace ritz::reduce
