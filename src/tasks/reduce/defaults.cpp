// SPDX-License-Identifier: MIT
// What the program settles by itself: scale and dimension by held-out evidence, or as the papers have it.
#include <chrono>
#include <deque>
#include <set>

#include "tasks/reduce/judge.hpp"

namespace ritz::reduce {

namespace {

// Whitening by a covariance of more columns would take longer than the fit.
constexpr Index kMostWhitened = 1000;
constexpr double kStrongShrinkage = 0.5, kSlightShrinkage = 0.01;
constexpr Index kMostDimensions = 20;  // where fewer would do
constexpr double kMargin = 0.25;       // standard errors that fewer dimensions may cost
constexpr Index kMostKept = 100;       // features that may all be kept: more are nothing to look at
constexpr const char *kNarrowKernel = "gaussian(sigma=0.25*median)", *kLinearKernel = "linear";
constexpr Index kFewestRows = 20;
constexpr Index kFewRows = 200;  // twice as many folds, which leave more to fit: cheap here, and the choice is better
constexpr Index kManyRows =
    400;  // three fifths of the folds: two thirds of them are enough to fit, in a third of the time
constexpr double kLooseTolerance = 1e-2;
constexpr int kFewIterations = 4;
constexpr double kTimeShare = 1.0 / 3;  // of what is left, where there is a limit

using Clock = std::chrono::steady_clock;

// Rows that can be judged: those of classes with two samples at least.
std::vector<Index> judged_rows(const Dataset& data, std::uint64_t seed) {
  std::vector<Index> rows;
  const std::vector<Index> counts = data.labels.counts();
  for (Index i = 0; i < data.rows(); ++i)
    if (data.labels.size() == 0 || counts[std::size_t(data.labels.of[std::size_t(i)])] > 1) rows.push_back(i);
  const Index most = data.cols() > Evidence::kWide ? Evidence::kMostRowsWide : Evidence::kMostRows;
  if (Index(rows.size()) <= most) return rows;
  const double share = 1 - double(most) / double(rows.size());
  // Of classes that are all small none loses a row: there are not many more rows than asked for.
  if (data.labels.size() > 0 && share * double(std::ranges::max(counts)) < 1) return rows;
  const Split split = holdout_split(select_rows(data, rows), share, seed);
  std::vector<Index> kept;
  for (const Index i : split.train) kept.push_back(rows[std::size_t(i)]);
  return kept;
}

// From what is needed to five times as many; a few of them, upwards.
std::vector<Index> dimensions_to_try(Index needed, Index columns) {
  const std::set<Index> list = {needed, (3 * needed + 1) / 2, 2 * needed, 3 * needed, 5 * needed};
  const Index most = std::min(columns, std::max(needed, kMostDimensions));
  std::vector<Index> kept;
  for (const Index q : list)
    if (q <= most) kept.push_back(q);
  return kept;
}

TriedSetting fresh(TriedSetting setting) {
  setting.score = {};
  setting.seconds = 0;
  setting.judged = 0;
  return setting;
}

// The settings judged so far, and more of them.
class Search {
 public:
  Search(const Evidence& evidence, RunContext& context) : judge_(evidence, context), context_(context) {}

  // All at once; those that fall clearly behind the best of them, or behind `leader`, are left early.
  std::vector<const Judged*> attempt(const std::vector<TriedSetting>& settings, const Judged* leader = nullptr) {
    std::vector<Judged*> entries;
    for (const TriedSetting& setting : settings) entries.push_back(&judged_.emplace_back(judge_.entry(setting)));
    RunContext inner = context_.nested(fmt::format("setting {}", judged_.size()));
    judge_.race(entries, leader, inner);
    return {entries.begin(), entries.end()};
  }
  // Those whose folds were all looked at, the best first; of equals the one tried first.
  std::vector<const Judged*> ranked() const {
    std::vector<const Judged*> order;
    for (const Judged& each : judged_)
      if (each.folds == judge_.folds() && !each.left && std::isfinite(each.setting.score.value)) order.push_back(&each);
    std::ranges::stable_sort(
        order, [](const Judged* a, const Judged* b) { return a->setting.score.value > b->setting.score.value; });
    return order;
  }
  bool knows(const TriedSetting& setting) const {
    return std::ranges::any_of(judged_, [&](const Judged& each) {
      return scale_text(each.setting) == scale_text(setting) && each.setting.dim == setting.dim;
    });
  }
  const std::deque<Judged>& judged() const { return judged_; }

 private:
  Judge judge_;
  RunContext& context_;
  std::deque<Judged> judged_;
};

bool within_margin(const Judged& each, const Judged& best, double standard_errors = kMargin) {
  const Score less = advantage(best, each);
  return less.value <= standard_errors * less.standard_error;
}

// Two that span what differs from one data set to the next: hardly more than standardised, and with classes by what is
// inside them, the metric of discriminant analysis. What lies between was no better on any collection of sets, and of
// two settings that are as good the one that chance favours is taken: fewer are judged better.
std::vector<TriedSetting> whitened_scales(bool classes) {
  return {{Scaling::whiten, kStrongShrinkage},
          {Scaling::whiten, kUsualShrinkage, classes ? WhitenBy::classes : WhitenBy::all}};
}

// Where all features are needed, nothing is fitted and all metrics cost the same: more of them.
std::vector<TriedSetting> metrics(bool classes) {
  std::vector<TriedSetting> scales;
  for (const double shrinkage : {kStrongShrinkage, kUsualShrinkage, kSlightShrinkage})
    scales.push_back({Scaling::whiten, shrinkage});
  if (classes)
    for (const double shrinkage : {kUsualShrinkage, kSlightShrinkage})
      scales.push_back({Scaling::whiten, shrinkage, WhitenBy::classes});
  return scales;
}

// What is open, and what is judged by.
struct Openness {
  bool kernel = false;   // a rotation of all columns is the same for every kernel
  bool targets = false;  // not classes
  Index columns = 0;
  Index all_features = 0;  // tried, too; 0: not
};

// What a linear kernel finds, the directions of discriminant analysis, or of least squares and of largest covariance
// with the targets, is hardly any work. So it also says whether the last scale is to shrink less, as it must where
// columns are nearly collinear and the small directions between them tell. The best of all of them, if any.
const Judged* settle_by_linear(Search& by, std::vector<TriedSetting>& scales, Index dim, bool targets) {
  std::vector<TriedSetting> linear;
  TriedSetting slight = scales.back();
  slight.shrinkage = kSlightShrinkage;
  for (const TriedSetting& scale : {scales[0], scales[1], scales.back(), slight}) {
    if (!targets && scale.scale == Scaling::whiten && scale.whiten_by == WhitenBy::all) continue;
    linear.push_back(scale);
    linear.back().dim = dim;
    linear.back().kernel = kLinearKernel;
  }
  const std::vector<const Judged*> judged = by.attempt(linear);
  const Judged &less = *judged.back(), &usual = *judged[judged.size() - 2];
  if (!less.left && !less.failed && (usual.left || usual.failed || !within_margin(usual, less))) scales.back() = slight;
  const std::vector<const Judged*> order = by.ranked();
  return order.empty() ? nullptr : order.front();
}

// Each whitened scale in all dimensions: the best scale of few dimensions is often not that of more. Beside them linear
// kernels and a narrower one in the fewest, and all features, also in the metric of discriminant analysis.
void search(Search& by, std::vector<TriedSetting> scales, const std::vector<Index>& dims, const Openness& open) {
  const Judged* leader =
      open.kernel && scales.size() > 1 ? settle_by_linear(by, scales, dims.front(), open.targets) : nullptr;
  std::vector<TriedSetting> all;
  const auto add = [&](TriedSetting setting, Index dim, const char* kernel) {
    setting.dim = dim;
    setting.kernel = kernel;
    all.push_back(setting);
  };
  const std::vector<TriedSetting> fitted(scales.begin() + (scales.size() > 1 && dims.front() < open.columns ? 1 : 0),
                                         scales.end());
  for (const TriedSetting& scale : fitted)
    for (const Index dim : dims) add(scale, dim, "");
  if (open.kernel) add(scales.front(), dims.front(), kNarrowKernel);
  if (open.all_features > 0) {
    add(scales.front(), open.all_features, "");
    if (scales.back().whiten_by == WhitenBy::classes) add(scales.back(), open.all_features, "");
  }
  by.attempt(all, leader);
}

// The fewest dimensions within the margin of the best; there the linear kernel, if it is within the margin, too, or the
// best setting. A narrower kernel where it is better by as much.
void conclude_setting(Search& by, SettingChoice& choice, Index columns, bool kernel_open, const ScoreText& say) {
  const std::vector<const Judged*> order = by.ranked();
  if (order.empty()) return;
  const Judged *best = order.front(), *chosen = best;
  std::map<Index, double> curve;
  for (const Judged* each : order)
    if (within_margin(*each, *best) && each->setting.dim < chosen->setting.dim) chosen = each;
  const Index fewest = chosen->setting.dim;
  for (const Judged* each : order)
    if (each->setting.dim == fewest && each->setting.kernel == kLinearKernel && within_margin(*each, *best)) {
      chosen = each;
      break;
    }
  TriedSetting narrow = fresh(chosen->setting);
  narrow.kernel = kNarrowKernel;
  if (kernel_open && fewest != columns && chosen->setting.kernel.empty() && !by.knows(narrow)) {
    const Judged* tried = by.attempt({narrow}, chosen).front();
    if (!tried->left && !within_margin(*chosen, *tried)) chosen = tried;
  }
  const TriedSetting& setting = chosen->setting;
  const std::string what = setting.dim == columns
                               ? fmt::format("all {} features, no directions of them", setting.dim)
                               : fmt::format("{} dimension{}", setting.dim, setting.dim == 1 ? "" : "s");
  choice.reason = fmt::format("{}, {}: {} {}", scale_text(setting), what, say.name, said(setting.score.value, say));
  for (const Judged* other : order)
    if (other->setting.dim == setting.dim && scale_text(other->setting) != scale_text(setting)) {
      choice.reason += fmt::format("; {} {}", scale_text(other->setting), said(other->setting.score.value, say));
      break;
    }
  for (const Judged& each : by.judged()) {
    const double score = each.setting.score.value;
    if (!std::isfinite(score)) continue;
    const auto [place, first] = curve.emplace(each.setting.dim, score);
    if (!first && !each.left) place->second = std::max(place->second, score);
  }
  for (const auto& [dim, score] : curve)
    choice.curve += fmt::format("{}{}: {}", choice.curve.empty() ? "" : ", ", dim, said(score, say));
  if (curve.size() > 1 && setting.dim != best->setting.dim)
    choice.curve += "; the fewest within a quarter of a standard error of the best";
  if (setting.dim == columns && curve.size() > 1)
    note(choice.notes,
         "all {} features predict better than any directions of them that were tried: this is a change "
         "of their scales, no reduction; reduce.dim Q asks for directions",
         setting.dim);
  choice.chosen = std::size_t(std::ranges::find_if(by.judged(), [&](const Judged& each) { return &each == chosen; }) -
                              by.judged().begin());
}

}  // namespace

std::string scale_text(const TriedSetting& tried) {
  std::string text = TextForm<Scaling>::print(tried.scale);
  if (tried.scale == Scaling::whiten)
    text +=
        fmt::format(" ({}shrinkage {:g})", tried.whiten_by == WhitenBy::classes ? "by classes, " : "", tried.shrinkage);
  if (!tried.kernel.empty()) text += ", " + tried.kernel;
  return text;
}

Evidence evidence_of(const Dataset& data, const Guidance& guidance, const ReduceOptions& options, std::uint64_t seed) {
  const std::vector<Index> rows = judged_rows(data, seed);
  Evidence evidence{select_rows(data, rows), select_rows(guidance, rows), options};
  Index& folds = evidence.options.choosing.choose_folds;
  if (evidence.data.rows() <= kFewRows) folds *= 2;
  if (evidence.data.rows() >= kManyRows) folds = std::max<Index>(2, folds * 3 / 5);
  ism::Options& how = evidence.options.how;
  how.tolerance = std::max(how.tolerance, kLooseTolerance);
  how.max_iterations = std::min(how.max_iterations, kFewIterations);
  how.stop = StopOn::residual;
  how.solver = Solver::ism;  // ends after so many iterations, where `best` would polish
  how.restarts = 0;
  how.curvature = Effort::never;
  how.certified = false;
  how.accuracy.sample_pairs = 0;  // few samples are judged by
  evidence.options.holdout = 0;
  evidence.options.splitting = {.svm = false, .all_features = false};
  return evidence;
}

void settle_preset(const Dataset& data, const Guidance& guidance, ReduceOptions& options) {
  if (options.how.solver == Solver::best && options.how.stop == StopOn::eigenvalues) options.how.solver = Solver::ism;
  if (options.preset != Preset::paper) {
    if (finds_clusters(options.mode) && options.scale == Scaling::automatic) options.scale = Scaling::standard;
    return;
  }
  if (options.scale == Scaling::automatic) options.scale = Scaling::standard;
  if (options.kernel == kUsualKernel) options.kernel = "gaussian(sigma=median)";
  if (options.dim.value == 0 && !finds_clusters(options.mode))
    options.dim.value = data.labels.size() > 0
                            ? std::min<Index>(data.labels.classes(), projection::fitted_columns(data))
                            : needed_dimensions(data, guidance);
}

std::optional<SettingChoice> choose_setting(const Dataset& data, const Guidance& guidance, ReduceOptions& options,
                                            RunContext& context) {
  if (finds_clusters(options.mode)) return std::nullopt;
  const bool open_scale = options.scale == Scaling::automatic, open_dim = options.dim.value == 0;
  if (!open_scale && !open_dim) return std::nullopt;
  const Index needed = open_dim ? needed_dimensions(data, guidance) : options.dim.value;
  std::vector<TriedSetting> scales = {
      {open_scale ? Scaling::standard : options.scale, options.shrinkage, options.whiten_by}};
  if (open_scale && !data.sparse() && data.cols() > 1 && data.cols() <= kMostWhitened)
    std::ranges::copy(needed < data.cols() ? whitened_scales(data.labels.size() > 0) : metrics(data.labels.size() > 0),
                      std::back_inserter(scales));
  options.scale = scales.front().scale;
  options.dim.value = needed;
  const Evidence evidence = evidence_of(data, guidance, options, context.seed);
  std::vector<Index> dims = {needed};
  if (open_dim)
    dims = dimensions_to_try(needed, std::min(projection::fitted_columns(evidence.data), evidence.data.rows() / 2));
  if (dims.empty()) dims = {needed};
  const Index all_features =
      open_dim && data.cols() <= std::min(kMostKept, evidence.data.rows() / 2) && data.cols() > dims.front()
          ? data.cols()
          : 0;
  if (dims.back() == all_features) dims.pop_back();  // without a fit
  SettingChoice choice;
  choice.rows = evidence.data.rows();
  const bool judged = evidence.data.rows() >= kFewestRows && (guidance.targets.size() > 0 || [&] {
                        const std::vector<Index> counts = evidence.data.labels.counts();
                        return std::ranges::count_if(counts, [](Index c) { return c > 1; }) > 1;
                      }());
  if (!judged || scales.size() * dims.size() == 1) {
    choice.reason = fmt::format("{}, {}: {}", scale_text(scales.front()), counted(needed, "dimension"),
                                judged ? "there is nothing else to try" : "too few samples to judge by");
    return choice;
  }
  const bool targets = guidance.targets.size() > 0;
  const ScoreText say = {
      fmt::format("{}-NN {} over {} folds", options.neighbours, targets ? "R2" : "votes for the right class",
                  evidence.options.choosing.choose_folds),
      !targets};
  choice.score = say.name;
  RunContext limited = context;
  if (context.deadline != Clock::time_point::max())
    limited.deadline =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(kTimeShare * (context.deadline - Clock::now()));
  const bool kernel_open = options.kernel == kUsualKernel && options.sigma.empty() && dims.front() < data.cols();
  Search by(evidence, limited);
  try {
    search(by, scales, dims, {kernel_open, targets, data.cols(), all_features});
    conclude_setting(by, choice, data.cols(), kernel_open, say);
  } catch (const Interrupted& interrupted) {
    if (interrupted.why == Interrupted::Why::cancelled) throw;
    note(choice.notes, "a third of the time passed after {} settings were tried", by.judged().size());
  }
  if (choice.reason.empty()) conclude_setting(by, choice, data.cols(), false, say);
  for (const Judged& each : by.judged()) choice.tried.push_back(each.setting);
  const auto failed = std::ranges::count_if(by.judged(), &Judged::failed);
  if (failed > 0) note(choice.notes, "{} of {} settings could not be fitted", failed, choice.tried.size());
  if (!choice.reason.empty()) {
    const TriedSetting& chosen = choice.tried[choice.chosen];
    options.scale = chosen.scale;
    options.shrinkage = chosen.shrinkage;
    options.whiten_by = chosen.whiten_by;
    options.dim.value = chosen.dim;
    if (!chosen.kernel.empty()) options.kernel = chosen.kernel;
  } else {
    choice.reason = fmt::format("{}, {}: no other setting could be judged", scale_text(scales.front()),
                                counted(needed, "dimension"));
  }
  return choice;
}

void choose_all(const Dataset& data, const Guidance& guidance, ReduceOptions& options, ReduceResult* found,
                RunContext& context) {
  settle_preset(data, guidance, options);
  std::optional<Choice> kernel = choose(data, guidance, options, context);
  std::optional<SettingChoice> setting = choose_setting(data, guidance, options, context);
  if (!found) return;
  found->choice = std::move(kernel);
  found->setting = std::move(setting);
}

}  // namespace ritz::reduce
