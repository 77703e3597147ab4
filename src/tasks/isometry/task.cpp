// SPDX-License-Identifier: MIT
#include "tasks/isometry/task.hpp"

#include "base/memory.hpp"
#include "data/footprint.hpp"
#include "graph/pair_files.hpp"
#include "linalg/power_scale.hpp"

namespace ritz::isometry {

namespace {

void require_distortion(std::string_view what, double distortion) {
  if (distortion > 0 && distortion < 1) return;
  fail(ErrorCode::bad_option,
       "{} {}; it must lie between 0 and 1, both left out: squared distances are kept within a "
       "factor 1 - distortion to 1 + distortion",
       what, number_text(distortion));
}

void require_prefixes(const IsometryOptions& options) {
  if (options.how.distortion > 0 || options.how.rank > 0 || !options.sweep.empty() || options.holdout > 0 ||
      options.objective == Objective::recall)
    fail(ErrorCode::bad_option,
         "isometry.prefixes looks for the least distortion of each number of rows: isometry.distortion, isometry.rank, "
         "isometry.sweep, isometry.holdout and isometry.objective recall do not go with it");
  if (options.how.method != Method::automatic)
    fail(ErrorCode::bad_option, "isometry.prefixes is for isometry.method auto");
  if (options.prefixes.front() < 1 ||
      std::ranges::adjacent_find(options.prefixes, std::ranges::greater_equal{}) != options.prefixes.end())
    fail(ErrorCode::bad_option, "isometry.prefixes must be increasing numbers from 1 on, such as 16,32,64");
}

// What options and pairs ask of each other, whatever the data.
void require_consistent(const IsometryOptions& options, bool pairs_given) {
  if (pairs_given && options.secants.kind != SecantChoice::Kind::all)
    fail(ErrorCode::bad_option, "isometry.pairs and isometry.secants both say which pairs matter; give one of them");
  if (!options.prefixes.empty()) return require_prefixes(options);
  if (options.objective == Objective::recall) {
    if (options.how.rank == 0)
      fail(ErrorCode::bad_option,
           "isometry.objective recall needs isometry.rank: more rows always keep more neighbours");
    if (!options.sweep.empty() || pairs_given || options.holdout > 0 || options.how.distortion > 0)
      fail(ErrorCode::bad_option,
           "isometry.objective recall keeps neighbours: isometry.distortion, isometry.sweep, isometry.pairs and "
           "isometry.holdout are about distances");
    return;
  }
  if (options.holdout > 0 && (pairs_given || !options.sweep.empty()))
    fail(ErrorCode::bad_option, "isometry.holdout is for one distortion and without isometry.pairs");
  if (options.sweep.empty()) require_distortion("isometry.distortion is", options.how.distortion);
  for (const double distortion : options.sweep) require_distortion("isometry.sweep names", distortion);
  if (!options.sweep.empty() && (pairs_given || options.how.rank > 0))
    fail(ErrorCode::bad_option,
         "isometry.sweep asks for the rank at several distortions: isometry.rank and isometry.pairs are for one");
}

void require_fitting(const Dataset& data, const IsometryOptions& options) {
  if (data.rows() < 2) fail(ErrorCode::bad_data, "{}: one sample only; at least two are needed", data.source);
  if (options.how.rank > data.cols())
    fail(ErrorCode::bad_option, "isometry.rank is {}; it must lie in [1, {}] because the data has {} columns",
         options.how.rank, data.cols(), data.cols());
  if (!options.prefixes.empty() && options.prefixes.back() > data.cols())
    fail(ErrorCode::bad_option, "isometry.prefixes names {} rows; the data has {} columns", options.prefixes.back(),
         data.cols());
  if (options.recall >= data.rows())
    fail(ErrorCode::bad_option, "isometry.recall is {}; it must be below the number of samples, {}", options.recall,
         data.rows());
}

void fit_one(const RowMatrix& X, const IsometryOptions& options, IsometryResult& found, RunContext& context) {
  const bool search = options.objective == Objective::recall;
  if (!options.prefixes.empty())
    found.fit = solve_nested({X, found.pairs}, options.prefixes, options.how, context);
  else if (search)
    fit_recall(X, options, found, context);
  else
    found.fit = solve({X, found.pairs}, options.how, context);
  const Summary& summary = found.fit.summary;
  if (!search && options.how.rank > 0 && !found.fit.reached(options.how.distortion)) {
    throw_if_interrupted(summary.termination);
    fail(ErrorCode::infeasible,
         "isometry.rank {} does not reach the distortion {}: the least that was found at this rank "
         "is {:.4f}; ask for more measurements, or leave isometry.rank out",
         options.how.rank, number_text(options.how.distortion), found.fit.distortion);
  }
  try {
    const PhaseTimer timer(found.fit.summary.seconds, "judge");
    compare(X, options, found, context);
  } catch (const Interrupted&) {  // the measurements are there; the comparison is not
    found.comparison.resize(1);
  }
  if (options.holdout > 0) try {
      judge_new(X, options, found, context);
    } catch (const Interrupted&) {
      found.fit.summary.notes.push_back("interrupted before samples were held out");
    }
}

}  // namespace

const RowMatrix& dense_rows(const Dataset& data, RowMatrix& filled, const RunContext& context) {
  if (!data.sparse()) {
    const double scale = data.dense().size() > 0 ? plain_scale(data.dense().cwiseAbs().maxCoeff()) : 1;
    const auto* own = std::get_if<RowMatrix>(&data.samples);
    if (scale == 1 && own) return *own;
    filled = scale * data.dense();
    return filled;
  }
  std::string left_out;
  filled = filled_in(data, context, left_out);
  if (!left_out.empty())
    fail(ErrorCode::memory, "{}: sparse samples are filled in here, and {}", data.source, left_out);
  if (filled.size() > 0) filled *= plain_scale(filled.cwiseAbs().maxCoeff());
  return filled;
}

IsometryResult fit(const Dataset& data, const std::vector<WeightedPair>& pairs, const IsometryOptions& options,
                   RunContext& context) {
  require_consistent(options, !pairs.empty());
  require_fitting(data, options);
  require_memory(forecast(double(data.rows()), double(data.cols())), context, "keeping distances");
  RowMatrix filled;
  const RowMatrix& X = dense_rows(data, filled, context);
  IsometryResult found;
  found.n = data.rows();
  found.d = data.cols();
  found.data_hash = data_hash(data);
  found.feature_names = data.feature_names;
  if (options.sweep.empty()) {
    found.pairs = pairs.empty() ? chosen_pairs(X, options.secants, context) : pairs;
    fit_one(X, options, found, context);
  } else {
    fit_sweep(X, options, found, context);
  }
  std::vector<std::string>& notes = found.fit.summary.notes;
  notes.insert(notes.begin(), data.notes.begin(), data.notes.end());
  return found;
}

std::vector<InputRow> IsometryTask::inputs() {
  return {{"pairs",
           "file with rows i,j or i,j,weight, from 0: the pairs that matter; one of weight w is kept within "
           "distortion / w"}};
}

std::vector<Output<IsometryTask>> IsometryTask::outputs() {
  using Rows = std::optional<NamedColumns>;  // none of a sweep
  return {save("projection", "the measurements, one a row: y = P x",
               [](const F& fit) {
                 if (!fit.options.sweep.empty()) return Rows();
                 const Matrix& psi = fit.result.fit.psi;
                 return Rows(NamedColumns{RowMatrix(psi), fit.data->feature_names, RowKind::other,
                                          numbered_names("axis", psi.rows())});
               }),
          save("embedding", "the measured samples, a row each",
               [](const F& fit) {
                 if (!fit.options.sweep.empty()) return Rows();
                 const Matrix& psi = fit.result.fit.psi;
                 return Rows(NamedColumns{measurements(*fit.data, psi, fit.context), numbered_names("axis", psi.rows()),
                                          RowKind::sample});
               }),
          save_model(), save_trace("rank and distortion of every step of the search"),
          plot("picture (SVG or PNG): histogram of the ratios, or rank against distortion of a sweep",
               [](const F& fit) { return plot_svg(fit.result, asked_distortion(fit.result, fit.options)); })};
}

void IsometryTask::settle(const TaskCall& call, const IsometryOptions& options) {
  if (options.sweep.empty() && options.prefixes.empty() && options.objective == Objective::distortion &&
      !call.options.contains("distortion"))
    fail(ErrorCode::bad_option,
         "isometry.distortion is required: how much a squared distance may change, between 0 and 1, such as "
         "0.25");
  require_consistent(options, call.inputs.has("pairs"));
  if (options.sweep.empty()) return;
  for (const auto& [kind, path] : call.files)
    if (kind != "plot" && kind != "json" && kind != "report")
      fail(ErrorCode::bad_option,
           "isometry.sweep asks for the rank at several distortions: isometry.save_{} is for one", kind);
}

std::shared_ptr<const Dataset> IsometryTask::read(const Inputs& inputs, const IsometryOptions&, Known& known,
                                                  const RunContext& context) {
  auto data = inputs.dataset(context);
  if (!inputs.has("pairs")) return data;
  const auto* rows = std::get_if<RowMatrix>(&inputs.others.at("pairs"));
  for (const WeightedEdge& edge :
       rows ? weighted_pairs(*rows, data->rows()) : read_weighted_pairs(inputs.word("pairs"), data->rows(), context))
    known.push_back({edge.i, edge.j, edge.weight});
  return data;
}

}  // namespace ritz::isometry
