// SPDX-License-Identifier: MIT
#include "tasks/center/task.hpp"

#include "base/memory.hpp"

namespace ritz::center {

namespace {

// Beyond this many numbers in the bases the orders are looked at roughly, and the chosen one is solved to the end.
constexpr double kScreened = 2e4;
constexpr Index kScreeningSet = 150;
constexpr double kScreeningTolerance = 1e-3;

Index chosen(const Orders& orders, OrderRule rule) {
  return std::array{orders.hybrid, orders.proposed, orders.santamaria, orders.elbow}[std::size_t(rule)];
}

Result nothing_in_common(const Collection& all) {
  Result none;
  none.U.resize(all.ambient(), 0);
  none.weights = Vector::Constant(all.size(), 1.0 / double(all.size()));
  none.distances = Vector::Zero(all.size());
  none.objective = none.dual = none.dual_bound = none.gap = 0;
  none.summary.termination = Termination::converged;
  none.summary.message = "no order has a smaller cost than 0: the subspaces have nothing in common";
  none.summary.objective = none.summary.measure = 0;
  return none;
}

std::string distances_csv(const CenterResult& found) {
  std::string text = "name,distance,weight\n";
  for (Index i = 0; i < found.subspaces; ++i)
    text += fmt::format("{},{},{}\n", csv_field(found.names[std::size_t(i)]), number_text(found.fit.distances(i)),
                        number_text(found.fit.weights(i)));
  return text;
}

// All orders, roughly where there is much; then the one that the rule takes to the end, until the rule takes one that
// was solved. The hybrid cost grows with the dual value where all subspaces have one dimension: no order that was only
// looked at roughly would win if it were solved.
void fit_orders(CenterResult& found, const Collection& all, const CenterOptions& options, RunContext& context) {
  const Options& how = options.how;
  Options rough = how;
  const bool deferred = double(all.vectors.size()) > kScreened && how.solver == Solver::newton;
  if (deferred) {
    rough.rough = kScreeningSet;
    rough.tolerance = std::max(how.tolerance, kScreeningTolerance);
  }
  std::map<std::string, double> seconds;
  const OrderOptions order{options.complement, options.max_dim, true, deferred && options.rule == OrderRule::hybrid};
  {
    PhaseTimer timer(seconds, "orders");
    found.orders = select_order(all, order, rough, context);
  }
  Orders& orders = *found.orders;
  {
    PhaseTimer timer(seconds, "solve");
    std::vector<bool> solved(orders.of.size(), !deferred || !orders.complete);
    solved[0] = true;
    const auto taken = [&] { return std::min(chosen(orders, options.rule), Index(orders.fits.size())); };
    while (!solved[std::size_t(found.order = taken())]) {
      refine_order(orders, all, found.order, order, how, context);
      solved[std::size_t(found.order)] = true;
    }
    found.screened = std::ranges::find(solved, false) != solved.end();
  }
  found.fit = found.order == 0 ? nothing_in_common(all) : orders.fits[std::size_t(found.order) - 1];
  Summary& summary = found.fit.summary;
  if (!orders.complete) {
    note(summary.notes, "interrupted: only orders up to {} were looked at", orders.fits.size());
    if (summary.converged()) {
      summary.termination = orders.fits.empty() ? Termination::interrupted : orders.fits.back().summary.termination;
      summary.message = "interrupted before all orders were looked at";
    }
  }
  if (orders.risen)
    note(summary.notes,
         "orders above {} were not looked at: their hybrid cost can only be larger (any other center.rule looks "
         "at them)",
         orders.fits.size());
  if (found.screened) summary.notes.push_back("the other orders were solved roughly: their gaps say how far");
  for (const auto& [phase, part] : seconds) summary.seconds[phase] += part;
}

// The order of a mean or median: that of Santamaría's rule, which belongs to the mean, or the elbow. A flag has them
// all.
void fit_average(CenterResult& found, const Collection& all, const CenterOptions& options, RunContext& context) {
  std::map<std::string, double> seconds;
  std::string why;
  found.order = options.dim.value;
  if (found.order == 0 && options.method == Method::flag) {
    found.order = std::min(options.max_dim > 0 ? options.max_dim : all.max_dimension(), all.ambient());
  } else if (found.order == 0) {
    PhaseTimer timer(seconds, "orders");
    const Vector average = average_spectrum(all, context);
    const bool by_elbow = options.rule == OrderRule::elbow;
    found.order = by_elbow ? elbow((average * double(all.size())).cwiseSqrt()) : (average.array() > 0.5).count();
    found.order = std::min(found.order, options.max_dim > 0 ? options.max_dim : all.max_dimension());
    why = by_elbow ? "the order is where the singular values have their elbow"
                   : fmt::format("the order is that of the rule santamaria: {} of the average projector exceed 1/2",
                                 counted(found.order, "eigenvalue"));
  }
  {
    PhaseTimer timer(seconds, "solve");
    found.fit = found.order == 0 ? nothing_in_common(all)
                                 : solve_average(all, found.order, options.method, options.how, context);
  }
  if (!why.empty()) found.fit.summary.notes.push_back(why);
  for (const auto& [phase, part] : seconds) found.fit.summary.seconds[phase] += part;
}

CenterResult fit_all(const Subspaces& subspaces, const CenterOptions& options, RunContext& context);

// The order in which those that do not belong are told. A few strangers are enough for a rule of the smallest ball to
// see nothing in common at all; then it is that of the average projector, which most of the subspaces decide.
Index judged_order(const CenterResult& found) {
  return found.order > 0 || !found.orders ? found.order : found.orders->santamaria;
}

// The same of those that belong; distances are measured to all.
void fit_without_outliers(CenterResult& found, const Subspaces& subspaces, CenterOptions options, RunContext& context) {
  Subspaces rest;
  std::vector<Index> kept;
  for (Index i = 0; i < found.subspaces; ++i)
    if (std::ranges::find(found.outliers.of, i) == found.outliers.of.end()) kept.push_back(i);
  rest.all = gather(subspaces.all, kept);
  rest.names = subspaces.names;
  CenterResult fitted = fit_all(rest, options, context);
  fitted.dropped = found.outliers.of;
  std::ranges::sort(fitted.dropped);
  fitted.outliers = std::move(found.outliers);
  fitted.subspaces = found.subspaces;
  Vector weights = Vector::Zero(found.subspaces);
  weights(kept) = fitted.fit.weights;
  fitted.fit.weights = std::move(weights);
  fitted.fit.distances =
      fitted.order == 0 ? Vector::Zero(found.subspaces) : distances(subspaces.all, fitted.fit.U, context);
  found = std::move(fitted);
}

}  // namespace

CenterResult fit(const Subspaces& subspaces, const CenterOptions& options, RunContext& context) {
  CenterResult found = fit_all(subspaces, options, context);
  if (options.drop_outliers && found.outliers.of.empty())
    found.fit.summary.notes.push_back(
        found.subspaces < kFewestForOutliers ? "too few subspaces to tell which of them do not belong: none is left out"
        : judged_order(found) == 0 ? "no subspace is left out: most of them have nothing in common to belong to"
                                   : "no subspace is left out: all belong");
  if (options.drop_outliers && !found.outliers.of.empty()) fit_without_outliers(found, subspaces, options, context);
  found.data_hash = subspaces.hash;
  found.names = subspaces.names;
  found.features = subspaces.features;
  std::vector<std::string>& notes = found.fit.summary.notes;
  notes.insert(notes.begin(), subspaces.notes.begin(), subspaces.notes.end());
  return found;
}

namespace {

CenterResult fit_all(const Subspaces& subspaces, const CenterOptions& options, RunContext& context) {
  const Collection& all = subspaces.all;
  CenterResult found;
  found.subspaces = all.size();
  found.n = all.ambient();
  found.largest = all.max_dimension();
  found.smallest = found.largest;
  for (Index i = 0; i < all.size(); ++i) found.smallest = std::min(found.smallest, all.dimension(i));
  require_memory(forecast(all.size(), double(all.vectors.rows()) / double(all.size()), found.n), context,
                 "the centre of these subspaces");
  if (options.max_dim > found.n)
    fail(ErrorCode::bad_option,
         "center.max_dim is {}; it must lie in [0, {}] because the subspaces lie in a space of {} dimensions",
         options.max_dim, found.n, found.n);
  std::map<std::string, double> seconds;
  if (options.method != Method::minimax) {
    fit_average(found, all, options, context);
  } else if (options.dim.value > 0) {
    PhaseTimer timer(seconds, "solve");
    found.order = options.dim.value;
    found.fit = solve(all, found.order, options.how, {}, context);
  } else {
    fit_orders(found, all, options, context);
  }
  Summary& summary = found.fit.summary;
  const Index judged = judged_order(found);
  if (judged > 0 && all.size() >= kFewestForOutliers) {
    PhaseTimer timer(seconds, "outliers");
    try {
      found.outliers = find_outliers(all, judged, context);
    } catch (const Interrupted&) {
      summary.notes.push_back("interrupted before outliers were looked for");
    }
  }
  for (const auto& [phase, part] : seconds) summary.seconds[phase] += part;
  return found;
}

}  // namespace

DataRow CenterTask::data() {
  return {.name = "S",
          .help =
              "a file for each subspace, its basis as columns; or one NPZ or MAT file with many; or one table with "
              "center.dims or center.group_column",
          .several = true,
          .table = false};
}

std::vector<InputRow> CenterTask::inputs() {
  return {{.name = "dims",
           .help = "file with the dimensions of subspaces whose bases stand side by side in S",
           .check = true},
          {.name = "bases", .help = "the matrices themselves, in place of S", .value_name = ""}};
}

std::vector<Output<CenterTask>> CenterTask::outputs() {
  return {save("center", "orthonormal basis of the centre, a column each",
               [](const F& fit) -> std::optional<NamedColumns> {
                 if (fit.result.order == 0) return std::nullopt;
                 const Matrix& U = fit.result.fit.U;
                 return NamedColumns{RowMatrix(U), numbered_names("axis", U.cols()), RowKind::feature,
                                     fit.result.features.empty() ? numbered_names("x", U.rows()) : fit.result.features};
               }),
          save("distances", "name, squared distance and weight of each subspace, as CSV",
               [](const F& fit) { return distances_csv(fit.result); }),
          save_model(), save_trace("radius, gap and dual value of every round"),
          plot("picture (SVG or PNG): the rules over the order, or the distances with center.dim",
               [](const F& fit) { return plot_svg(fit.result, fit.options); })};
}

std::shared_ptr<const Subspaces> CenterTask::read(const Inputs& inputs, const CenterOptions& options, Known&,
                                                  const RunContext& context) {
  return std::make_shared<Subspaces>(given_subspaces(inputs, {}, options.reading, context));
}

}  // namespace ritz::center
