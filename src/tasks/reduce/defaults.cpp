// SPDX-License-Identifier: MIT
// What the program settles by itself: scale and dimension by held-out evidence, or as the papers have it.
#include <chrono>
#include <set>

#include "tasks/reduce/fit.hpp"

namespace ritz::reduce {

namespace {

// Whitening by a covariance of more columns would take longer than the fit.
constexpr Index kMostWhitened = 1000;
constexpr double kStrongShrinkage = 0.5;
constexpr Index kMostDimensions = 20;  // where fewer would do
constexpr double kMargin = 0.5;        // standard errors that fewer dimensions may cost
constexpr Index kMostKept = 100;       // features that may all be kept: more are nothing to look at
constexpr std::size_t kScalesKept = 2;
constexpr const char* kNarrowKernel = "gaussian(sigma=0.25*median)";
constexpr Index kFewestRows = 20;
constexpr Index kFewRows = 300;  // twice as many folds, which leave more to fit: cheap here, and the choice is better
constexpr double kLooseTolerance = 1e-3;
constexpr int kFewIterations = 12;
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
  const Split split = holdout_split(select_rows(data, rows), 1 - double(most) / double(rows.size()), seed);
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

std::string scale_text(const TriedSetting& tried) {
  std::string text = TextForm<Scaling>::print(tried.scale);
  if (tried.scale == Scaling::whiten)
    text +=
        fmt::format(" ({}shrinkage {:g})", tried.whiten_by == WhitenBy::classes ? "by classes, " : "", tried.shrinkage);
  if (!tried.kernel.empty()) text += ", " + tried.kernel;
  return text;
}

class Search {
 public:
  Search(const Evidence& evidence, SettingChoice& choice, RunContext& context)
      : evidence_(evidence),
        choice_(choice),
        context_(context),
        fold_of_(dealt_folds(evidence.data, std::min(evidence.options.choosing.choose_folds, evidence.data.rows()),
                             context.seed)) {}

  // With `all_features`, k-NN on the scaled features themselves is judged, too, which needs no fit: the second.
  void attempt(TriedSetting setting, Index all_features = 0) {
    const auto start = Clock::now();
    ReduceOptions one = evidence_.options;
    one.scale = setting.scale;
    one.shrinkage = setting.shrinkage;
    one.whiten_by = setting.whiten_by;
    one.splitting.all_features = all_features > 0;
    one.dim.value = setting.dim;
    if (!setting.kernel.empty()) one.kernel = setting.kernel;
    const auto scored = [](const FoldReport& report, const FoldMeasure& measure) {
      return Score{measure.mean(), measure.deviation() / std::sqrt(double(report.count - 1))};
    };
    Score all;
    RunContext inner = context_.nested(fmt::format("setting {}", choice_.tried.size() + 1));
    try {
      const FoldReport report = evaluate_folds(evidence_.data, evidence_.guidance, fold_of_, one, inner);
      inner.agree();
      setting.score = scored(report, report.knn);
      if (all_features > 0) all = scored(report, report.knn_all_features);
    } catch (const Error&) {
      ++failed_;  // it cannot be fitted: no score
    }
    setting.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    choice_.tried.push_back(setting);
    if (!std::isfinite(all.value)) return;
    setting.dim = all_features;
    setting.score = all;
    setting.seconds = 0;
    choice_.tried.push_back(setting);
  }
  Index failed() const { return failed_; }

 private:
  const Evidence& evidence_;
  SettingChoice& choice_;
  RunContext& context_;
  std::vector<int> fold_of_;
  Index failed_ = 0;
};

// Places of the scored settings, the best first; of equals the one tried first.
std::vector<std::size_t> ranked(const std::vector<TriedSetting>& tried) {
  std::vector<std::size_t> order;
  for (std::size_t t = 0; t < tried.size(); ++t)
    if (std::isfinite(tried[t].score.value)) order.push_back(t);
  std::ranges::stable_sort(order,
                           [&](std::size_t a, std::size_t b) { return tried[a].score.value > tried[b].score.value; });
  return order;
}

void search(Search& by, SettingChoice& choice, const std::vector<TriedSetting>& scales, const std::vector<Index>& dims,
            Index all_features) {
  for (std::size_t s = 0; s < scales.size(); ++s) {
    TriedSetting scale = scales[s];
    scale.dim = dims.front();
    by.attempt(scale, s == 0 ? all_features : 0);
  }
  std::vector<std::size_t> best = ranked(choice.tried);
  std::erase_if(best, [&](std::size_t t) { return choice.tried[t].dim != dims.front(); });
  std::erase_if(best, [&](std::size_t t) {
    const Score &first = choice.tried[best.front()].score, &each = choice.tried[t].score;
    return each.value < first.value - first.standard_error;
  });
  if (best.size() > kScalesKept) best.resize(kScalesKept);
  for (const std::size_t place : best) {
    double before = choice.tried[place].score.value;
    for (std::size_t q = 1; q < dims.size(); ++q) {
      TriedSetting more = choice.tried[place];
      more.dim = dims[q];
      by.attempt(more);
      const double now = choice.tried.back().score.value;
      if (!(now > before)) break;  // the curve has turned, or is flat
      before = now;
    }
  }
}

double margin_of(const Score& score) {
  return std::isfinite(score.standard_error) ? kMargin * score.standard_error : 0;
}

// The fewest dimensions within the margin of the best, there the best scale; all features only where that is worth more
// than a standard error, as they are no reduction. A narrower kernel where it is better by as
// much.
void conclude_setting(Search& by, SettingChoice& choice, Index all_features, bool width_open, const ScoreText& say) {
  std::vector<std::size_t> order = ranked(choice.tried);
  if (order.size() > 1 && choice.tried[order[0]].dim == all_features) {
    const Score &all = choice.tried[order[0]].score, &fewer = choice.tried[order[1]].score;
    if (!(all.value > fewer.value + (std::isfinite(fewer.standard_error) ? fewer.standard_error : 0)))
      order.erase(order.begin());
  }
  if (order.empty()) return;
  const TriedSetting best = choice.tried[order.front()];
  const double floor = best.score.value - margin_of(best.score);
  choice.chosen = order.front();
  std::map<Index, double> curve;
  for (const std::size_t place : order) {
    const TriedSetting& each = choice.tried[place];
    curve.emplace(each.dim, each.score.value);  // the first is the best of its dimension
    if (each.score.value >= floor && each.dim < choice.tried[choice.chosen].dim) choice.chosen = place;
  }
  if (width_open && choice.tried[choice.chosen].dim != all_features) {  // where all are kept, no kernel matters
    TriedSetting narrow = choice.tried[choice.chosen];
    narrow.kernel = kNarrowKernel;
    by.attempt(narrow);
    const Score &wide = choice.tried[choice.chosen].score, &tried = choice.tried.back().score;
    if (tried.value > wide.value + margin_of(wide)) choice.chosen = choice.tried.size() - 1;
  }
  const TriedSetting& chosen = choice.tried[choice.chosen];
  choice.reason = fmt::format("{}, {} dimension{}: {} {}", scale_text(chosen), chosen.dim, chosen.dim == 1 ? "" : "s",
                              say.name, said(chosen.score.value, say));
  for (const std::size_t place : order)
    if (const TriedSetting& other = choice.tried[place];
        other.dim == chosen.dim && scale_text(other) != scale_text(chosen)) {
      choice.reason += fmt::format("; {} {}", scale_text(other), said(other.score.value, say));
      break;
    }
  for (const auto& [dim, score] : curve)
    choice.curve += fmt::format("{}{}: {}", choice.curve.empty() ? "" : ", ", dim, said(score, say));
  if (curve.size() > 1 && chosen.dim != best.dim)
    choice.curve += "; the fewest within half a standard error of the best";
}

}  // namespace

Evidence evidence_of(const Dataset& data, const Guidance& guidance, const ReduceOptions& options, std::uint64_t seed) {
  const std::vector<Index> rows = judged_rows(data, seed);
  Evidence evidence{select_rows(data, rows), select_rows(guidance, rows), options};
  if (evidence.data.rows() <= kFewRows) evidence.options.choosing.choose_folds *= 2;
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
    for (const double shrinkage : {kStrongShrinkage, kUsualShrinkage}) scales.push_back({Scaling::whiten, shrinkage});
  if (scales.size() > 1 && data.labels.size() > 0)
    scales.push_back({Scaling::whiten, kUsualShrinkage, WhitenBy::classes});
  options.scale = scales.front().scale;
  options.dim.value = needed;
  const Evidence evidence = evidence_of(data, guidance, options, context.seed);
  std::vector<Index> dims = {needed};
  if (open_dim)
    dims = dimensions_to_try(needed, std::min(projection::fitted_columns(evidence.data), evidence.data.rows() / 2));
  if (dims.empty()) dims = {needed};
  const Index all_features =
      open_dim && data.cols() <= std::min(kMostKept, evidence.data.rows() / 2) && data.cols() > dims.back()
          ? data.cols()
          : 0;
  SettingChoice choice;
  choice.rows = evidence.data.rows();
  const bool judged = evidence.data.rows() >= kFewestRows && (guidance.targets.size() > 0 || [&] {
                        const std::vector<Index> counts = evidence.data.labels.counts();
                        return std::ranges::count_if(counts, [](Index c) { return c > 1; }) > 1;
                      }());
  if (!judged || scales.size() * dims.size() == 1) {
    choice.reason = fmt::format("{}, {} dimensions: {}", scale_text(scales.front()), needed,
                                judged ? "there is nothing else to try" : "too few samples to judge by");
    return choice;
  }
  const ScoreText say = score_text(evidence.options, guidance.targets.size() > 0);
  choice.score = say.name;
  RunContext limited = context;
  if (context.deadline != Clock::time_point::max())
    limited.deadline =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(kTimeShare * (context.deadline - Clock::now()));
  Search by(evidence, choice, limited);
  try {
    search(by, choice, scales, dims, all_features);
    conclude_setting(by, choice, all_features, options.kernel == kUsualKernel && options.sigma.empty(), say);
  } catch (const Interrupted& interrupted) {
    if (interrupted.why == Interrupted::Why::cancelled) throw;
    note(choice.notes, "a third of the time passed after {} settings were tried", choice.tried.size());
  }
  if (choice.reason.empty()) conclude_setting(by, choice, all_features, false, say);
  if (by.failed() > 0) note(choice.notes, "{} of {} settings could not be fitted", by.failed(), choice.tried.size());
  if (!ranked(choice.tried).empty()) {
    const TriedSetting& chosen = choice.tried[choice.chosen];
    options.scale = chosen.scale;
    options.shrinkage = chosen.shrinkage;
    options.whiten_by = chosen.whiten_by;
    options.dim.value = chosen.dim;
    if (!chosen.kernel.empty()) options.kernel = chosen.kernel;
  } else {
    choice.reason =
        fmt::format("{}, {} dimensions: no other setting could be judged", scale_text(scales.front()), needed);
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
