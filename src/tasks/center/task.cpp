// SPDX-License-Identifier: MIT
#include "tasks/center/task.hpp"

#include "base/memory.hpp"

namespace ritz::center {

namespace {

// Beyond this many numbers in the bases the orders are looked at roughly, and the chosen one is solved to the end.
constexpr double kScreened = 2e7;
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

}  // namespace

CenterResult fit(const Subspaces& subspaces, const CenterOptions& options, RunContext& context) {
  const Options& how = options.how;
  const Collection& all = subspaces.all;
  CenterResult found;
  found.subspaces = all.size();
  found.n = all.ambient();
  found.largest = all.max_dimension();
  found.smallest = found.largest;
  for (Index i = 0; i < all.size(); ++i) found.smallest = std::min(found.smallest, all.dimension(i));
  found.data_hash = subspaces.hash;
  found.names = subspaces.names;
  require_memory(forecast(all.size(), double(all.vectors.rows()) / double(all.size()), found.n), context,
                 "the centre of these subspaces");
  if (options.max_dim > found.n)
    fail(ErrorCode::bad_option,
         "center.max_dim is {}; it must lie in [0, {}] because the subspaces lie in a space of {} dimensions",
         options.max_dim, found.n, found.n);
  std::map<std::string, double> seconds;
  if (options.dim.value > 0) {
    PhaseTimer timer(seconds, "solve");
    found.order = options.dim.value;
    found.fit = solve(all, found.order, how, {}, context);
  } else {
    Options rough = how;
    found.screened = double(all.vectors.size()) > kScreened && how.solver == Solver::newton;
    if (found.screened) {
      rough.rough = kScreeningSet;
      rough.tolerance = std::max(how.tolerance, kScreeningTolerance);
    }
    {
      PhaseTimer timer(seconds, "orders");
      found.orders = select_order(all, {options.complement, options.max_dim, true}, rough, context);
    }
    Orders& orders = *found.orders;
    found.order = std::min(chosen(orders, options.rule), Index(orders.fits.size()));
    PhaseTimer timer(seconds, "solve");
    if (found.order == 0) {
      found.fit = nothing_in_common(all);
    } else if (found.screened && orders.complete) {
      const Vector start = orders.fits[std::size_t(found.order) - 1].weights;
      found.fit = solve(all, found.order, how, start, context);
    } else {
      found.fit = orders.fits[std::size_t(found.order) - 1];
    }
    if (!orders.complete) {
      note(found.fit.summary.notes, "interrupted: only orders up to {} were looked at", orders.fits.size());
      if (found.fit.summary.converged()) {
        found.fit.summary.termination =
            orders.fits.empty() ? Termination::interrupted : orders.fits.back().summary.termination;
        found.fit.summary.message = "interrupted before all orders were looked at";
      }
    }
    if (found.screened)
      found.fit.summary.notes.push_back("the other orders were solved roughly: their gaps say how far");
  }
  Summary& summary = found.fit.summary;
  if (found.order > 0 && all.size() >= kFewestForOutliers) {
    PhaseTimer timer(seconds, "outliers");
    try {
      found.outliers = find_outliers(all, found.order, context);
    } catch (const Interrupted&) {
      summary.notes.push_back("interrupted before outliers were looked for");
    }
  }
  for (const auto& [phase, part] : seconds) summary.seconds[phase] += part;
  summary.notes.insert(summary.notes.begin(), subspaces.notes.begin(), subspaces.notes.end());
  return found;
}

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
                 return NamedColumns{RowMatrix(fit.result.fit.U)};
               }),
          save("distances", "name, squared distance and weight of each subspace, as CSV",
               [](const F& fit) { return distances_csv(fit.result); }),
          save_model(), save_trace("radius, gap and dual value of every round"),
          plot("SVG picture: the rules over the order, or the distances with center.dim",
               [](const F& fit) { return plot_svg(fit.result, fit.options); })};
}

std::shared_ptr<const Subspaces> CenterTask::read(const Inputs& inputs, const CenterOptions& options, Known&,
                                                  const RunContext& context) {
  return std::make_shared<Subspaces>(given_subspaces(inputs, {}, options.reading, context));
}

}  // namespace ritz::center
