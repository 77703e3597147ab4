// SPDX-License-Identifier: MIT
#include "reproduce/ism_ikdr/ism_ikdr.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <map>
#include <numeric>

#include "report/plot/line_plot.hpp"
#include "reproduce/data_folder.hpp"
#include "reproduce/ism_ikdr/paper.hpp"
#include "ritz/base/random.hpp"
#include "ritz/data/io.hpp"
#include "ritz/tasks/reduce.hpp"

namespace ritz::reproduce {

namespace {

using namespace reduce;
using Clock = std::chrono::steady_clock;

struct NamedKernel {
  std::string_view name;  // as the paper's tables say it
  std::string_view text;
};
constexpr NamedKernel kGaussian{"gaussian", "gaussian(sigma=median)"};
constexpr NamedKernel kPolynomial{"polynomial", "polynomial(degree=3,offset=1)"};
constexpr NamedKernel kOthers[] = {
    {"linear", "linear"},
    {"squared", "squared"},
    {"multiquadric", "multiquadric(offset=1)"},
    {"gaussian+polynomial", "auto*gaussian(sigma=median)+auto*polynomial(degree=3,offset=1)"}};

struct Set {
  std::string name;
  Dataset data;
  std::vector<int> folds;
  Index classes = 0;
  // Accuracy of the same classifier on all features: the same for every kernel and solver, so measured once.
  std::optional<FoldMeasure> all_features;
};

class Measurements {
 public:
  Measurements(const IkdrOptions& options, RunContext& context, const Tell& tell)
      : options_(options), context_(context), tell_(tell) {}

  Reproduction run();

 private:
  const IkdrOptions& options_;
  RunContext& context_;
  const Tell& tell_;
  std::map<std::string, Set> sets_;
  Reproduction found_;

  Set& set(const std::string& name);
  void supervised_row(Set& set, const NamedKernel& kernel, const std::string& solver, std::span<const PaperCell> paper,
                      TextTable& table);
  void unsupervised_row(Set& set, const NamedKernel& kernel, const std::string& solver,
                        std::span<const PaperCell> paper, TextTable& table);
  void table4(Paradigm paradigm);
  void table5(Paradigm paradigm);
  void figure1b();
  // A context that ends after `seconds`, reported under the name of what is measured.
  RunContext limited(const std::string& what, double seconds) const;
  bool asked(std::string_view part) const { return contains(options_.parts, part); }
  // The cells of a row whose fit did not end within the budget.
  std::vector<std::string> unfinished(const PaperCell* cell) const;
  void keep(Json json, std::vector<std::string> row, const PaperCell* cell, TextTable& table);
  std::string budget_text() const { return fmt::format("> {}", seconds_text(options_.budget)); }
};

RunContext Measurements::limited(const std::string& what, double seconds) const {
  return reproduce::limited(context_.nested(what), seconds);
}

Set& Measurements::set(const std::string& name) {
  if (const auto known = sets_.find(name); known != sets_.end()) return known->second;
  struct Files {
    std::string samples, labels, folds;
  };
  static const std::map<std::string, Files> files = {
      {"wine", {"ism/wine.csv", "ism/wine.labels", "ism/wine.folds"}},
      {"cancer", {"ism/cancer.csv", "ism/cancer.labels", "ism/cancer.folds"}},
      {"face", {"ism/face_624x960.csv", "ism/face.identity.labels", "ism/face.folds"}},
      {"mnist", {"mnist/t10k-images-idx3-ubyte.gz", "mnist/t10k-labels-idx1-ubyte.gz", ""}}};
  const Files& from = files.at(name);
  Set set{name, read_dataset(data_file(from.samples), {}, context_), {}, 0, {}};
  set.data.labels = read_labels(data_file(from.labels), context_);
  set.classes = set.data.labels.classes();
  set.folds = from.folds.empty() || options_.folds != 10
                  ? stratified_folds(set.data.labels, options_.folds, context_.seed)
                  : read_folds(data_file(from.folds), set.data.rows(), context_);
  return sets_.emplace(name, std::move(set)).first->second;
}

// `digits` of them, without an exponent up to a million.
std::string short_number(double value, int digits) {
  const double size = std::abs(value);
  if (!(size < 1e6) || size < 1e-3) return fmt::format("{:.{}g}", value, digits);
  return fmt::format("{:.{}f}", value, std::max(0, digits - 1 - int(std::floor(std::log10(size)))));
}

std::string plus_minus(const FoldMeasure& measure, double factor, int digits) {
  return short_number(factor * measure.mean(), digits) + " ± " +
         short_number(std::abs(factor) * measure.deviation(), 2);
}
std::string percent(const FoldMeasure& measure) {
  if (!std::isfinite(measure.mean())) return "";
  return fmt::format("{:.1f} ± {:.1f}", 100 * measure.mean(), 100 * measure.deviation());
}
std::string text_of(const PaperCell* cell, std::string_view PaperCell::*member) {
  return cell ? std::string(cell->*member) : "";
}

Json paper_json(const PaperCell* cell) {
  if (!cell) return nullptr;
  return {{"time", cell->time}, {"cost", cell->cost}, {"score", cell->score}};
}

std::vector<std::string> Measurements::unfinished(const PaperCell* cell) const {
  return {budget_text(), text_of(cell, &PaperCell::time), "N/A", text_of(cell, &PaperCell::cost),
          "N/A",         text_of(cell, &PaperCell::score)};
}

void Measurements::keep(Json json, std::vector<std::string> row, const PaperCell* cell, TextTable& table) {
  json["paper"] = paper_json(cell);
  found_.rows.push_back(std::move(json));
  table.rows.push_back(std::move(row));
}

void Measurements::supervised_row(Set& set, const NamedKernel& kernel, const std::string& solver,
                                  std::span<const PaperCell> paper, TextTable& table) {
  const PaperCell* cell = find(paper, Paradigm::supervised, set.name, kernel.name, solver);
  tell_(fmt::format("{} supervised, {}, {}", set.name, kernel.name, solver));
  const ReduceOptions options{.dim = {set.classes},
                              .kernel = std::string(kernel.text),
                              .how = {.solver = *TextForm<Solver>::parse(solver), .curvature = Effort::never},
                              .splitting = {.scale_once = true, .all_features = !set.all_features}};
  Json json = {{"part", "supervised"}, {"set", set.name}, {"kernel", kernel.name}, {"solver", solver}};
  std::vector<std::string> row = {set.name, std::string(kernel.name), solver};
  RunContext inner = limited(set.name + "/" + solver, options_.budget * double(options_.folds));
  try {
    const FoldReport report = evaluate_folds(set.data, set.folds, options, inner);
    if (!set.all_features) set.all_features = report.svm_all_features;
    // The papers' Gaussian has a zero diagonal: their cost lacks Tr Γ.
    const bool zero_diagonal = kernel.name == kGaussian.name;
    const FoldMeasure& objective = zero_diagonal ? report.zero_diagonal : report.objective;
    const bool all = report.finished == report.count;
    row.push_back(all ? plus_minus(report.seconds, 1, 2) + " s" : budget_text());
    row.push_back(text_of(cell, &PaperCell::time));
    row.push_back(plus_minus(objective, -1, 6) + (all ? "" : fmt::format(" ({} folds)", report.finished)));
    row.push_back(text_of(cell, &PaperCell::cost));
    row.push_back(percent(report.svm));
    row.push_back(text_of(cell, &PaperCell::score));
    row.push_back(percent(*set.all_features));
    json["folds"] = report.finished;
    json["seconds"] = number_json(report.seconds.mean());
    json["objective"] = number_json(objective.mean());
    json["accuracy"] = number_json(report.svm.mean());
    json["knn_accuracy"] = number_json(report.knn.mean());
    json["accuracy_all_features"] = number_json(set.all_features->mean());
    json["iterations"] = number_json(report.iterations.mean());
  } catch (const Interrupted& interrupted) {
    if (interrupted.why == Interrupted::Why::cancelled) throw;
    std::ranges::move(unfinished(cell), std::back_inserter(row));
  }
  keep(std::move(json), std::move(row), cell, table);
}

void Measurements::unsupervised_row(Set& set, const NamedKernel& kernel, const std::string& solver,
                                    std::span<const PaperCell> paper, TextTable& table) {
  const PaperCell* cell = find(paper, Paradigm::unsupervised, set.name, kernel.name, solver);
  tell_(fmt::format("{} unsupervised, {}, {}", set.name, kernel.name, solver));
  const ReduceOptions options{.mode = Mode::unsupervised,
                              .clusters = set.classes,
                              .dim = {set.classes},
                              .kernel = std::string(kernel.text),
                              .how = {.solver = *TextForm<Solver>::parse(solver), .curvature = Effort::never}};
  Json json = {{"part", "unsupervised"}, {"set", set.name}, {"kernel", kernel.name}, {"solver", solver}};
  std::vector<std::string> row = {set.name, std::string(kernel.name), solver};
  RunContext inner = limited(set.name + "/" + solver, solver == "ism" ? 1e9 : options_.budget);
  try {
    const ReduceResult found = fit(set.data, {}, options, inner);
    const Summary& summary = found.fit.summary;
    double seconds = 0;
    for (const auto& [phase, part] : summary.seconds)
      if (phase != "comparison") seconds += part;
    const bool zero_diagonal = kernel.name == kGaussian.name;
    const double objective = summary.objective - (zero_diagonal ? found.gamma_trace : 0);
    row.push_back(summary.termination == Termination::time_limit ? budget_text() : seconds_text(seconds));
    row.push_back(text_of(cell, &PaperCell::time));
    row.push_back(short_number(-objective, 6));
    row.push_back(text_of(cell, &PaperCell::cost));
    row.push_back(fmt::format("{:.3f}", found.clusters->nmi));
    row.push_back(text_of(cell, &PaperCell::score));
    row.push_back(fmt::format("{:.3f}", found.clusters->nmi_spectral));
    row.push_back(fmt::format("{:.3f}", found.clusters->nmi_kmeans));
    json["seconds"] = seconds;
    json["objective"] = number_json(objective);
    json["nmi"] = number_json(found.clusters->nmi);
    json["nmi_spectral"] = number_json(found.clusters->nmi_spectral);
    json["nmi_kmeans"] = number_json(found.clusters->nmi_kmeans);
    json["termination"] = to_string(summary.termination);
  } catch (const Interrupted& interrupted) {
    if (interrupted.why == Interrupted::Why::cancelled) throw;
    std::ranges::move(unfinished(cell), std::back_inserter(row));
  }
  keep(std::move(json), std::move(row), cell, table);
}

const std::vector<std::string> kSupervisedColumns = {"set",  "kernel", "solver",     "time",  "paper",
                                                     "cost", "paper",  "accuracy %", "paper", "all features %"};
const std::vector<std::string> kUnsupervisedColumns = {
    "set", "kernel", "solver", "time", "paper", "cost", "paper", "NMI", "paper", "spectral NMI", "k-means NMI"};

void Measurements::table4(Paradigm paradigm) {
  const bool supervised = paradigm == Paradigm::supervised;
  TextTable& table = found_.tables.emplace_back();
  table.title = fmt::format("Table 4, {}", supervised ? "supervised" : "unsupervised");
  table.columns = supervised ? kSupervisedColumns : kUnsupervisedColumns;
  table.notes = {
      "cost is -F. The published Gaussian kernel matrix has a zero diagonal, so Tr(Gamma) is left out of its F here",
      supervised ? "The paper's polynomial costs cannot be reproduced by any reading of its formulas; ours is F of "
                   "(x'WW'y + 1)^3"
                 : "The paper's unsupervised costs belong to a program that was not published",
      supervised ? "accuracy: Gaussian SVM on XW, 10 folds, data standardised once (the paper's protocol); the last "
                   "column is the same classifier on all features"
                 : "NMI of spectral clustering and of k-means on all features stand beside: without them a number says "
                   "little"};
  for (const std::string& name : options_.sets)
    for (const NamedKernel& kernel : {kGaussian, kPolynomial})
      for (const std::string& solver : options_.solvers)
        supervised ? supervised_row(set(name), kernel, solver, reproduce::table4(), table)
                   : unsupervised_row(set(name), kernel, solver, reproduce::table4(), table);
}

void Measurements::table5(Paradigm paradigm) {
  const bool supervised = paradigm == Paradigm::supervised;
  TextTable& table = found_.tables.emplace_back();
  table.title = fmt::format("Table 5, {}", supervised ? "supervised" : "unsupervised");
  table.columns = supervised ? kSupervisedColumns : kUnsupervisedColumns;
  table.notes = {"squared and multiquadric are negated: with the paper's sign the least informative subspace wins"};
  if (supervised)
    table.notes.push_back("gaussian+polynomial: weights by centred alignment; a weight of 0 leaves the Gaussian alone");
  for (const std::string& name : options_.sets)
    for (const NamedKernel& kernel : kOthers) {
      if (!supervised && kernel.name == "gaussian+polynomial") continue;  // alignment needs labels
      supervised ? supervised_row(set(name), kernel, "ism", reproduce::table5(), table)
                 : unsupervised_row(set(name), kernel, "ism", reproduce::table5(), table);
    }
}

// Run-time against the number of samples: MNIST images, polynomial kernel, q = 20, as in the figure, all to the
// same residual.
void Measurements::figure1b() {
  const std::vector<Index> sizes =
      options_.quick ? std::vector<Index>{100, 200, 400} : std::vector<Index>{200, 400, 800, 1200, 1600, 2000};
  Set& images = set("mnist");
  LinePlot plot;
  plot.title = "Run-time against the number of samples";
  plot.subtitle =
      "MNIST images, polynomial(3), 20 dimensions, residual 1e-3; a point is missing where the budget ran out";
  plot.x_label = "samples";
  plot.y_label = "seconds";
  plot.y_scale = AxisScale::log2;
  TextTable& table = found_.tables.emplace_back();
  table.title = "Figure 1b: seconds, by number of samples";
  table.columns = {"samples"};
  for (const Index n : sizes) table.rows.push_back({std::to_string(n)});
  const std::vector<Index> order = Rng(context_.seed, "figure1b").permutation(images.data.rows());
  for (const std::string& solver : options_.solvers) {
    table.columns.push_back(solver);
    LineSeries series{solver, {}, {}, {}};
    bool gave_up = false;
    for (std::size_t s = 0; s < sizes.size(); ++s) {
      if (gave_up) {
        table.rows[s].push_back(budget_text());
        continue;
      }
      tell_(fmt::format("figure 1b, {}, {} samples", solver, sizes[s]));
      const Dataset part = select_rows(images.data, {order.begin(), order.begin() + sizes[s]});
      const ReduceOptions options{
          .dim = {20},
          .kernel = std::string(kPolynomial.text),
          .how = {.tolerance = 1e-3, .solver = *TextForm<Solver>::parse(solver), .curvature = Effort::never}};
      RunContext inner = limited("figure1b/" + solver, options_.budget);
      const auto start = Clock::now();
      try {
        gave_up = fit(part, {}, options, inner).fit.summary.termination == Termination::time_limit;
      } catch (const Interrupted& interrupted) {
        if (interrupted.why == Interrupted::Why::cancelled) throw;
        gave_up = true;
      }
      const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
      table.rows[s].push_back(gave_up ? budget_text() : fmt::format("{:.3g}", seconds));
      found_.rows.push_back({{"part", "figure1b"},
                             {"solver", solver},
                             {"n", sizes[s]},
                             {"seconds", gave_up ? Json(nullptr) : Json(seconds)}});
      if (!gave_up) {
        series.x.push_back(double(sizes[s]));
        series.y.push_back(seconds);
      }
    }
    plot.series.push_back(std::move(series));
  }
  found_.figures.push_back({"figure1b", line_svg(plot)});
}

Reproduction Measurements::run() {
  try {
    if (asked("table4-supervised")) table4(Paradigm::supervised);
    if (asked("table4-unsupervised")) table4(Paradigm::unsupervised);
    if (asked("table5-supervised")) table5(Paradigm::supervised);
    if (asked("table5-unsupervised")) table5(Paradigm::unsupervised);
    if (asked("figure1b")) figure1b();
  } catch (const Interrupted& interrupted) {
    found_.ended = interrupted.text();
  }
  return std::move(found_);
}

}  // namespace

Reproduction ism_ikdr(const IkdrOptions& options, RunContext& context, const Tell& tell) {
  return Measurements(options, context, tell).run();
}

}  // namespace ritz::reproduce
