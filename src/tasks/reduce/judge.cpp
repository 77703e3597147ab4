// SPDX-License-Identifier: MIT
#include "tasks/reduce/judge.hpp"

#include "base/stopwatch.hpp"

namespace ritz::reduce {

namespace {

constexpr double kClearly = 2;           // standard errors behind the best
constexpr Index kFewestJudged = 100;     // samples, and
constexpr int kFewestFolds = 2;          // folds where these are small: before that nothing is clear
constexpr Index kMostKeptColumns = 256;  // of samples that are kept for each fold and scale

Score mean_of(double sum, double squares, Index count) {
  const double n = double(count), mean = sum / n;
  return {mean, std::sqrt(std::max(0.0, squares / n - mean * mean) / (n - 1))};
}

// A kernel of its own is linear, or the usual one of another width.
KernelSum kernel_of(const TriedSetting& setting, const Problem& problem) {
  if (setting.kernel.empty()) return problem.kernel;
  KernelSum kernel = parse_kernel(setting.kernel);
  const auto asked = gaussian_width(kernel), usual = gaussian_width(parse_kernel(kUsualKernel)),
             now = gaussian_width(problem.kernel);
  if (asked && now) set_widths(kernel, {now->value * asked->of_median / usual->of_median});
  return kernel;
}

// The same in fewer dimensions.
bool is_smaller(const TriedSetting& one, const TriedSetting& other) {
  return one.dim < other.dim && one.scale == other.scale && one.shrinkage == other.shrinkage &&
         one.whiten_by == other.whiten_by && one.kernel == other.kernel;
}

}  // namespace

Score Judged::score() const {
  double sum = 0, squares = 0;
  Index count = 0;
  for (const double loss : losses)
    if (std::isfinite(loss)) {
      sum += loss;
      squares += loss * loss;
      ++count;
    }
  if (failed || count < 2) return {};
  const Score lost = mean_of(sum, squares, count);
  return {1 - lost.value, lost.standard_error};
}

Score advantage(const Judged& other, const Judged& one) {
  double sum = 0, squares = 0;
  Index count = 0;
  for (std::size_t i = 0; i < one.losses.size(); ++i) {
    const double less = one.losses[i] - other.losses[i];
    if (!std::isfinite(less)) continue;
    sum += less;
    squares += less * less;
    ++count;
  }
  return count > 1 ? mean_of(sum, squares, count) : Score{};
}

Judge::Judge(const Evidence& evidence, const RunContext& context)
    : evidence_(evidence),
      fold_of_(dealt_folds(evidence.data, std::min(evidence.options.choosing.choose_folds, evidence.data.rows()),
                           context.seed)),
      folds_(1 + std::ranges::max(fold_of_)) {
  // The data, the parts of a fold, those that are kept, and what a fit takes.
  constexpr double kScales = 6;
  const Dataset& data = evidence.data;
  const ReduceOptions& options = evidence.options;
  const double kept = data.cols() > kMostKeptColumns ? 1 : kScales * double(folds_);
  const double held = 1 + kept * projection::samples_held(data.sparse(), options.scale);
  require_memory(projection::fit_bytes(held * data_bytes(data), likely_sizes(data, evidence.guidance, options),
                                       widest_kernel(options), context),
                 context, fmt::format("choosing a setting by {} x {}", data.rows(), data.cols()));
  const RowMatrix& targets = evidence.guidance.targets;
  if (targets.size() > 0)
    variances_ = (targets.rowwise() - targets.colwise().mean()).colwise().squaredNorm() / double(targets.rows());
}

Judged Judge::entry(const TriedSetting& setting) const {
  return {setting, std::vector<double>(fold_of_.size(), kUnknown)};
}

Judge::Part Judge::prepared(const TriedSetting& setting, int fold, const RunContext& context) {
  ReduceOptions one = evidence_.options;
  one.mode = Mode::supervised;
  one.scale = setting.scale;
  one.shrinkage = setting.shrinkage;
  one.whiten_by = setting.whiten_by;
  std::string& kernel = kernels_[{0, setting.scale, setting.shrinkage, setting.whiten_by}];
  const bool usual = one.kernel == kUsualKernel && one.sigma.empty();
  if (usual && !kernel.empty()) one.kernel = kernel;
  const Split parts = parts_of(fold_of_, fold);
  Dataset train = select_rows(evidence_.data, parts.train);
  train.notes.clear();
  Problem problem =
      prepare(std::move(train), select_rows(evidence_.guidance, parts.train), one, context, &spectra_[fold]);
  if (usual && kernel.empty()) kernel = kernel_text(problem.kernel);
  projection::ScaledSamples test(select_rows(evidence_.data, parts.test), problem.scaling);
  return {std::move(problem), std::move(test), Told(evidence_.data, evidence_.guidance, parts, one.neighbours)};
}

bool Judge::wide() const { return evidence_.data.cols() > kMostKeptColumns; }

Judge::Part& Judge::part(const TriedSetting& setting, int fold, const RunContext& context) {
  if (wide()) {  // one at a time
    kept_.clear();
    std::erase_if(spectra_, [fold](const auto& each) { return each.first != fold; });
  }
  const Key key{fold, setting.scale, setting.shrinkage, setting.whiten_by};
  const auto found = kept_.find(key);
  return found != kept_.end() ? found->second : kept_.emplace(key, prepared(setting, fold, context)).first->second;
}

void Judge::judge(Judged& entry, RunContext& context) {
  const Stopwatch watch;
  const int fold = entry.folds;
  const TriedSetting& setting = entry.setting;
  try {
    const Part& now = part(setting, fold, context);
    const Samples& train = now.train.X.samples();
    Matrix W = Matrix::Identity(train.cols(), train.cols());
    if (setting.dim < train.cols()) {
      ism::Options how = evidence_.options.how;
      how.dimension = setting.dim;
      const ism::Problem pairs{train, now.train.gamma, kernel_of(setting, now.train)};
      ism::Result found = ism::solve(pairs, how, context);
      context.agree();
      throw_if_interrupted(found.summary.termination);
      W = std::move(found.W);
    }
    const RowMatrix reduced = train.project(W, context), held = now.test.samples().project(W, context);
    std::vector<double> lost(std::size_t(held.rows()));
    if (now.told.numbers()) {
      const RowMatrix means = knn_means(reduced, now.told.train_targets, held, now.told.neighbours, context);
      for (Index i = 0; i < held.rows(); ++i)
        lost[std::size_t(i)] =
            ((now.told.test_targets.row(i) - means.row(i)).array().square() / variances_.array().max(1e-300)).mean();
    } else {
      const KnnVotes votes =
          knn_votes(reduced, now.told.train_labels, held, now.told.test_labels, now.told.neighbours, context);
      for (std::size_t i = 0; i < lost.size(); ++i) {
        lost[i] = 1 - votes.right[i];
        entry.right += votes.labels[i] == now.told.test_labels[i];
      }
    }
    std::size_t next = 0;
    for (std::size_t i = 0; i < fold_of_.size(); ++i)
      if (fold_of_[i] == fold) entry.losses[i] = lost[next++];
  } catch (const Error&) {
    entry.failed = true;  // no score
  }
  ++entry.folds;
  entry.setting.judged = std::ranges::count_if(entry.losses, [](double loss) { return std::isfinite(loss); });
  if (evidence_.guidance.targets.size() == 0 && entry.setting.judged > 0)
    entry.setting.right = double(entry.right) / double(entry.setting.judged);
  entry.setting.seconds += watch.seconds();
  entry.setting.score = entry.score();
}

void Judge::race(const std::vector<Judged*>& entries, const Judged* leader, RunContext& context) {
  for (int fold = 0; fold < folds_; ++fold) {
    for (Judged* entry : entries)
      if (!entry->left && !entry->failed) judge(*entry, context);
    const bool enough = fold + 1 >= kFewestFolds || Index(fold_of_.size()) >= kFewestJudged * folds_;
    if (!enough || fold + 1 == folds_) continue;
    const Judged* best = leader;
    for (const Judged* entry : entries)
      if (!entry->left && !entry->failed && (!best || !(advantage(*best, *entry).value >= 0))) best = entry;
    for (Judged* entry : entries) {
      if (entry == best || entry->left || entry->failed) continue;
      const Score behind = advantage(*best, *entry);
      entry->left =
          behind.value > kClearly * behind.standard_error || std::ranges::any_of(entries, [&](const Judged* other) {
            return !other->left && !other->failed && is_smaller(other->setting, entry->setting) &&
                   advantage(*entry, *other).value <= 0;
          });
    }
  }
}

}  // namespace ritz::reduce
