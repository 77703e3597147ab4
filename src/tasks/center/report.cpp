// SPDX-License-Identifier: MIT
// What is said of a centre: text, JSON and picture, and what a fit will take.
#include "report/plot/bar_plot.hpp"
#include "report/plot/line_plot.hpp"
#include "report/table.hpp"
#include "ritz/base/random.hpp"
#include "ritz/tasks/projection.hpp"
#include "tasks/center/task.hpp"
#include "tasks/forecast_time.hpp"
#include "tasks/loadings.hpp"

namespace ritz::center {

namespace {

std::string orders_text(const CenterResult& found) {
  const Orders& orders = *found.orders;
  TextTable table;
  table.columns = {"k", "hybrid", "proposed", "santamaria", "radius", "gap"};
  for (std::size_t k = 0; k < orders.of.size(); ++k) {
    const Order& each = orders.of[k];
    const auto marked = [&](double value, Index best) {
      return fmt::format("{:.4f}{}", value, Index(k) == best ? " *" : "");
    };
    table.rows.push_back({std::to_string(k), marked(each.hybrid, orders.hybrid), marked(each.proposed, orders.proposed),
                          marked(each.santamaria, orders.santamaria), fmt::format("{:.6g}", each.objective),
                          k == 0 ? "" : fmt::format("{:.1e}", std::max(0.0, each.gap))});
  }
  table.notes = {fmt::format(
      "marked: the least cost; the elbow of the singular values is at {}{}, at {} as printed in the paper",
      orders.elbow_corner, orders.elbow_corner > orders.elbow ? ", beyond the largest k" : "", orders.elbow_printed)};
  return table_text(table);
}

std::string some(const std::vector<Index>& of, const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 6;
  std::string text;
  for (std::size_t a = 0; a < std::min(kShown, of.size()); ++a)
    text += fmt::format("{}{}", a == 0 ? "" : ", ", names[std::size_t(of[a])]);
  if (of.size() > kShown) text += ", ...";
  return text;
}

// How much of each feature's unit vector lies in the centre, ‖row of U‖²: the same for every basis of it.
std::vector<std::pair<double, Index>> strongest(const CenterResult& found) {
  std::vector<std::pair<double, Index>> of;
  for (Index j = 0; j < found.fit.U.rows(); ++j) of.emplace_back(found.fit.U.row(j).squaredNorm(), j);
  std::ranges::sort(
      of, [](const auto& a, const auto& b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
  return of;
}

std::string loadings_text(const CenterResult& found) {
  constexpr Index kShown = 6;
  const std::vector<FeatureGroup> groups = level_groups(found.features);
  Vector shares(Index(groups.size()));
  for (Index g = 0; g < shares.size(); ++g)
    shares[g] = found.fit.U(groups[std::size_t(g)].features, Eigen::all).squaredNorm();
  std::string text;
  const std::vector<Index> order = strongest_features(shares, kShown);
  for (const Index g : order)
    text += fmt::format("{}{} {:.2f}", text.empty() ? "" : ", ", shortened(groups[std::size_t(g)].name), shares[g]);
  return text + (Index(groups.size()) > Index(order.size()) ? ", …" : "") + " (share of each feature in the centre)";
}

Json loadings_json(const CenterResult& found) {
  constexpr std::size_t kShown = 50;
  if (found.features.empty() || found.order == 0) return nullptr;
  Json all = Json::array();
  const auto of = strongest(found);
  for (std::size_t a = 0; a < std::min(kShown, of.size()); ++a)
    all.push_back({{"feature", found.features[std::size_t(of[a].second)]},
                   {"share", of[a].first},
                   {"loadings", vector_json(found.fit.U.row(of[a].second).transpose())}});
  return all;
}

Json orders_json(const Orders& orders) {
  Json json = Json::object();
  const auto column = [&](const char* name, double Order::*value) {
    Json values = Json::array();
    for (const Order& each : orders.of) values.push_back(each.*value);
    json[name] = std::move(values);
  };
  json["selected"] = {{"proposed", orders.proposed},         {"hybrid", orders.hybrid},
                      {"santamaria", orders.santamaria},     {"elbow", orders.elbow},
                      {"elbow_corner", orders.elbow_corner}, {"elbow_printed", orders.elbow_printed}};
  json["k"] = Json::array();
  for (std::size_t k = 0; k < orders.of.size(); ++k) json["k"].push_back(k);
  column("proposed", &Order::proposed);
  column("objective_cost", &Order::objective_cost);
  column("penalty_cost", &Order::penalty_cost);
  column("hybrid", &Order::hybrid);
  column("santamaria", &Order::santamaria);
  column("objective", &Order::objective);
  column("dual", &Order::dual);
  column("gap", &Order::gap);
  json["singular_values"] = vector_json(orders.singular_values);
  json["complete"] = orders.complete;
  return json;
}

// A bar for each subspace, the farthest on top.
std::string distances_svg(const CenterResult& found) {
  BarPlot plot;
  plot.title = "Distances from the centre";
  plot.subtitle =
      fmt::format("{}, centre of {}", counted(found.subspaces, "subspace"), counted(found.order, "dimension"));
  plot.value_label = "squared chordal distance";
  const Vector& distances = found.fit.distances;
  for (Index i = 0; i < distances.size(); ++i)
    plot.bars.push_back({found.names[std::size_t(i)], distances(i),
                         std::ranges::find(found.outliers.of, i) != found.outliers.of.end()});
  std::ranges::stable_sort(plot.bars, std::greater<>(), &Bar::value);
  plot.marked_means = "outliers";
  plot.reference = found.fit.dual;
  plot.reference_means = "no centre comes nearer to all";
  return bar_svg(plot);
}

LinePlot orders_plot(const CenterResult& found, const CenterOptions& options) {
  LinePlot plot;
  const Orders& orders = *found.orders;
  plot.title = "How many dimensions in common";
  plot.subtitle =
      fmt::format("{}: {} ({}); proposed {}, hybrid {}, Santamaria {}, elbow {}", counted(found.subspaces, "subspace"),
                  counted(found.order, "dimension"), TextForm<OrderRule>::print(options.rule), orders.proposed,
                  orders.hybrid, orders.santamaria, orders.elbow);
  plot.x_label = "dimension k of the centre";
  plot.y_label = "cost, as a part of that of k = 0";
  const auto add = [&](const char* name, double Order::*value) {
    LineSeries series{name};
    for (std::size_t k = 0; k < orders.of.size(); ++k) {
      series.add(double(k), orders.of[k].*value / (orders.of[0].*value));
    }
    plot.series.push_back(std::move(series));
  };
  add("hybrid", &Order::hybrid);
  add("proposed", &Order::proposed);
  add("Santamaria", &Order::santamaria);
  return plot;
}

}  // namespace

namespace {

// Rounding alone is no distance.
double told(double distance, Index order) {
  constexpr double kRounding = 1e-12;
  return distance <= kRounding * double(std::max<Index>(1, order)) ? 0 : distance;
}

std::string found_text(const CenterResult& found, Method method) {
  const center::Result& fit = found.fit;
  if (method == Method::minimax)
    return fmt::format("a centre at most {:.4g} from every subspace (squared; {} would be at right angles)",
                       told(fit.objective, found.order), found.order);
  return fmt::format("a centre {:.4g} from the subspaces in the mean ({})", fit.objective,
                     method == Method::median    ? "chordal distances"
                     : method == Method::karcher ? "sums of squared principal angles"
                                                 : "squared chordal distances");
}

std::string sure_text(const CenterResult& found, const CenterOptions& options) {
  const center::Result& fit = found.fit;
  const std::string settled = settled_text(fit.summary, "round");
  if (options.method != Method::minimax)
    return settled + (std::isfinite(fit.gap) ? "; no subspace of this dimension is nearer" : ", at a local best");
  if (fit.gap <= options.how.tolerance) return settled + "; none is nearer to all";
  return settled + fmt::format("; the best lies between {:.4g} and {:.4g}", std::max(0.0, fit.dual), fit.objective);
}

// What only those who know the method can read.
void add_details(Lines& lines, const CenterResult& found, Method method) {
  const center::Result& fit = found.fit;
  if (method == Method::minimax) {
    const std::vector<Index> support = fit.support();
    lines.detail("support", "{} with weight: {}", counted(Index(support.size()), "subspace"),
                 some(support, found.names));
    lines.detail("certificate", "the least radius lies in [{:.12g}, {:.12g}]: gap {:.1e}", fit.dual, fit.objective,
                 std::max(0.0, fit.gap));
  } else {
    lines.detail("certificate", std::isfinite(fit.gap) ? fmt::format("gap {:.1e}", std::max(0.0, fit.gap))
                                                       : fmt::format("stationary: gradient {:.1e}", fit.slope));
  }
  lines.detail("work", counted(fit.evaluations, "eigendecomposition"));
}

}  // namespace

Lines CenterTask::text(const F& whole) {
  const CenterResult& found = whole.result;
  const CenterOptions& options = whole.options;
  const center::Result& fit = found.fit;
  const Summary& ran = fit.summary;
  Lines lines;
  lines.raw("{} of {} in {} -> {}\n", counted(found.subspaces, "subspace"),
            found.smallest == found.largest ? counted(found.largest, "dimension")
                                            : fmt::format("{} to {} dimensions", found.smallest, found.largest),
            counted(found.n, "coordinate"),
            found.order == 0 ? "nothing in common" : fmt::format("a centre of {}", counted(found.order, "dimension")));
  lines.ending(ran);
  if (found.order == 0) {
    lines.add("found", "NOTHING in common: the centre has no dimension, none is written");
  } else {
    const bool everything = found.smallest >= found.n;  // groups of more samples than coordinates
    const bool same = found.subspaces > 1 && found.smallest == found.order && found.largest == found.order &&
                      told(fit.distances.maxCoeff(), found.order) == 0;
    lines.add("found", "{}{}",
              everything || same
                  ? fmt::format("NOTHING that would tell: {}; center.rank 2 takes the two leading directions of each; ",
                                everything ? "every subspace fills the whole space" : "all subspaces are the same")
                  : std::string(),
              found_text(found, options.method));
    if (!found.features.empty()) lines.add("loadings", loadings_text(found));
    const auto far = std::size_t(std::ranges::max_element(fit.distances) - fit.distances.begin());
    if (far < found.names.size() && !same)
      lines.add("farthest", "'{}', {:.4g} away", found.names[far], told(fit.distances[far], found.order));
  }
  if (found.subspaces >= kFewestForOutliers && (found.order > 0 || !found.outliers.of.empty()))
    lines.add("outliers", found.outliers.of.empty()
                              ? "none"
                              : fmt::format("{}: {}{}", found.outliers.of.size(), some(found.outliers.of, found.names),
                                            found.dropped.empty() ? "" : " (left out)"));
  if (found.orders)
    lines.add("dimension", "{} by the rule {}; the others: proposed {}, hybrid {}, santamaria {}, elbow {}",
              found.order, TextForm<OrderRule>::print(options.rule), found.orders->proposed, found.orders->hybrid,
              found.orders->santamaria, found.orders->elbow);
  lines.add("how sure",
            found.order > 0 ? sure_text(found, options) : "exact: no dimension is shared by the rule asked for");
  lines.add("next", "{}center.save_distances FILE lists every subspace; center.plot FILE draws {}",
            found.order == 0 && !found.outliers.of.empty() && found.dropped.empty()
                ? "center.drop_outliers asks what the others have in common; "
                : "",
            found.orders ? "the rules" : "the distances");
  if (found.order > 0) add_details(lines, found, options.method);
  if (found.orders) lines.detail("orders", "\n" + orders_text(found));
  return lines.notes(ran.notes);
}

Json center_json(const CenterResult& found, const CenterOptions& options) {
  const Result& fit = found.fit;
  const std::string solver = TextForm<Solver>::print(options.how.solver);  // the facts are only a view of it
  Facts facts{CenterTask::verb, solver};
  facts.certificate = {{"primal", fit.objective},
                       {"dual", fit.dual},
                       {"gap", fit.gap},
                       {"dual_bound", fit.dual_bound},
                       {"closed", fit.gap <= options.how.tolerance},
                       {"slope", fit.slope}};
  facts.options = options_json(options);
  facts.options["dim"] = found.order;
  facts.given = {{"dim", TextForm<Dimension>::print(options.dim)}};
  facts.data = {{"n", found.n},
                {"subspaces", found.subspaces},
                {"smallest_dimension", found.smallest},
                {"largest_dimension", found.largest},
                {"hash", found.data_hash}};
  Json outliers = Json::array();
  for (const Index i : found.outliers.of)
    outliers.push_back(
        {{"index", i}, {"name", found.names[std::size_t(i)]}, {"distance", found.outliers.distances(i)}});
  facts.result = {{"order", found.order},
                  {"orders", found.orders ? orders_json(*found.orders) : Json(nullptr)},
                  {"radius", fit.objective},
                  {"weights", vector_json(fit.weights)},
                  {"support", found.order > 0 ? Json(fit.support()) : Json::array()},
                  {"on_ball", found.order > 0 ? Json(fit.on_ball()) : Json::array()},
                  {"distances", vector_json(fit.distances)},
                  {"names", found.names},
                  {"outliers", std::move(outliers)},
                  {"outlier_fence", found.outliers.fence},
                  {"dropped", found.dropped},
                  {"loadings", loadings_json(found)},
                  {"eigenvalues", vector_json(fit.eigenvalues)},
                  {"working_set", fit.working},
                  {"evaluations", fit.evaluations}};
  Json json = envelope(fit.summary, std::move(facts));
  json["objective"] = fit.objective;
  return json;
}

std::string plot_svg(const CenterResult& found, const CenterOptions& options) {
  return found.orders ? line_svg(orders_plot(found, options)) : distances_svg(found);
}

double forecast(Index subspaces, double mean_dimension, Index n) {
  // The bases as read, as kept and gathered; twice more where they do not fill the space, in which they are then
  // factors; and dense matrices of what they span. Measured over a grid by tools/measure_memory.py.
  constexpr double kBlocks = 6.8 * (1 << 20);
  const double all = 8.0 * double(subspaces) * mean_dimension * double(n);
  const double vectors = double(subspaces) * mean_dimension, span = std::min(vectors, double(n));
  return kBlocks + (vectors < double(n) ? 5 : 3) * all + 3.5 * 8 * span * span;
}

namespace {

// Some of the subspaces, or where there are none, drawn ones that have half of their dimensions nearly in common.
Subspaces probe_subspaces(Index count, const CenterSizes& sizes, const Subspaces* given, const CenterOptions& options,
                          const RunContext& context) {
  std::vector<NamedMatrix> matrices;
  if (given)
    for (Index i = 0; i < count; ++i) {
      const Index which = i * given->all.size() / count;
      matrices.push_back({given->names[std::size_t(which)], RowMatrix(given->all.basis(which))});
    }
  Rng rng(0, "forecast");
  const Index p = std::clamp<Index>(Index(std::lround(sizes.dimension)), 1, sizes.space), common = (p + 1) / 2;
  const Matrix shared = rng.normal_matrix(sizes.space, common);
  for (Index i = 0; i < count && !given; ++i) {
    RowMatrix basis = rng.normal_matrix(sizes.space, p);
    basis.leftCols(common) = shared + 0.1 * basis.leftCols(common);
    matrices.push_back({fmt::format("s{}", i + 1), std::move(basis)});
  }
  SubspaceOptions whole = options.reading;
  whole.rows = false;
  whole.rank = 0;
  whole.energy = 0;
  return subspaces_of(std::move(matrices), whole, context);
}

}  // namespace

ForecastReport CenterTask::forecast(const CenterSizes& asked, const CenterOptions& options, const Subspaces* subspaces,
                                    const RunContext& context) {
  CenterSizes sizes = asked;
  if (subspaces) {
    sizes.subspaces = subspaces->all.size();
    sizes.space = subspaces->all.ambient();
    sizes.dimension = double(subspaces->all.vectors.rows()) / double(sizes.subspaces);
  }
  if (sizes.subspaces < 1 || sizes.space < 1)
    fail(ErrorCode::bad_option, "nothing to estimate: give estimate.subspaces and estimate.space");
  ForecastReport report;
  report.bytes = center::forecast(sizes.subspaces, sizes.dimension, sizes.space);
  report.headline = fmt::format("centre of {} of about {:.3g} dimensions in R^{}", counted(sizes.subspaces, "subspace"),
                                sizes.dimension, sizes.space);
  report.data = {{"n", sizes.space}, {"subspaces", sizes.subspaces}};
  // Some dozens of rounds over all subspaces, and eigenvectors of their weighted sum, for each order that is looked at.
  constexpr double kRounds = 60;
  const double orders = options.dim.value > 0 ? 1 : sizes.dimension, n = double(sizes.space);
  const double round = 40 * double(sizes.subspaces) * n * sizes.dimension * std::max(1.0, sizes.dimension) +
                       10 * n * n * std::min(n, 500.0);
  const auto probe = [&](Index rows, RunContext& inner) {
    center::fit(probe_subspaces(rows, sizes, subspaces, options, inner), options, inner);
  };
  add_seconds(report, timed(sizes.subspaces, probe, kRounds * orders * round / thread_rate(context), context));
  return report;
}

}  // namespace ritz::center
