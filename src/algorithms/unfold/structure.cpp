// SPDX-License-Identifier: MIT
// SPE: maximise ⟨HWH, K⟩ − C·ξ over K ⪰ 0, tr K² <= B, where every stranger j of i is at least as far as every
// neighbour k, up to one shared slack: D_ij >= D_ik − ξ. Of the n²·k triples only those that some kernel violated enter
// the dual, whose α then is feasible for all of them; the sweep that looks for them also gives ξ, and with it a primal
// value.
#include <algorithm>
#include <cmath>
#include <memory>

#include "algorithms/kernel_dual/solvers.hpp"
#include "algorithms/unfold/parts.hpp"
#include "ritz/pairs/backend.hpp"

namespace ritz::unfold {

namespace {

constexpr OrderRequest kJoining{.strangers = 4, .neighbours = 2};  // of a vertex, a round: nearest and farthest
constexpr Index kSmall = 200;  // fits are solved to their end: a Newton step solves many times what a gradient costs
constexpr double kOrderKept = 1e-6;  // squared distances: violations that a kept order may have
constexpr double kHigherPrice = 10;
// A price of our own choice is a means to keep the order. Strangers are asked to stand a little farther than
// neighbours, so that first-order steps end within the order, not 1e-6 beside it; that costs Σα times the margin, this
// share of what the tolerance allows.
constexpr double kMarginShare = 0.3;
constexpr double kFewPrices = 0.01;   // of C: what Σα counts as, at least
constexpr double kInnerShare = 0.02;  // of the tolerance: gap of a fit to the triples so far

std::vector<EntryTerm> terms(const OrderTriple& triple) {  // D_ij − D_ik
  const auto [i, j, k] = triple;
  return {{j, j, 1}, {i, j, -2}, {k, k, -1}, {i, k, 2}};
}

// New triples enter with α = 0; the list stays sorted.
void join(std::vector<OrderTriple>& active, Vector& alpha, const std::vector<OrderTriple>& violated) {
  std::vector<std::pair<OrderTriple, double>> all;
  for (std::size_t a = 0; a < active.size(); ++a) all.emplace_back(active[a], alpha(Index(a)));
  for (const OrderTriple& triple : violated)
    if (!std::binary_search(active.begin(), active.end(), triple)) all.emplace_back(triple, 0.0);
  std::sort(all.begin(), all.end());
  active.clear();
  alpha.resize(Index(all.size()));
  for (std::size_t a = 0; a < all.size(); ++a) {
    active.push_back(all[a].first);
    alpha(Index(a)) = all[a].second;
  }
}

class StructureSearch {
 public:
  StructureSearch(const Problem& problem, const Options& options, RunContext& context)
      : options_(options),
        context_(context),
        order_(backend_or_cpu(context).order_sweep(adjacency(problem.graph))),
        penalty_(options.penalty > 0 ? options.penalty : structure_penalty(problem.graph, options)),
        small_(problem.graph.vertices <= kSmall) {
    const double budget = options.budget > 0 ? options.budget : double(problem.graph.vertices);
    dual_.base = structure_base(problem.graph);
    dual_.loss = Hinge{penalty_};
    dual_.capacity = {kernel_dual::Capacity::Form::budget, budget, 2};
    if (options.ridge > 0) dual_.capacity = {kernel_dual::Capacity::Form::ridge, options.ridge, 2};
    result_.penalty = penalty_;
  }

  StepReport round(int number) {
    fit();
    const double total = alpha_.sum();
    const RowMatrix F = fit_.kernel.root();
    const OrderFacts found = order_->sweep(F, kJoining, context_);
    offer(F, found.slack, bound(total));
    result_.rounds = number;
    result_.constraints = Index(active_.size());
    price(total, found.slack);
    join(active_, alpha_, found.violated);
    StepReport report;
    report.objective = result_.objective;
    report.measure = result_.relative_gap;
    // A penalty of our own choice is a means to keep the order, not a price for leaving it.
    if (options_.penalty == 0 && result_.slack > kOrderKept) report.measure = std::max(report.measure, 1.0);
    report.extra = {double(result_.constraints), result_.slack};
    const double n = double(dual_.base.size());
    if (fit_.best.spectrum.exact) work_ += double(fit_.evaluations) * n * n * n;
    if (work_ > options_.max_work && report.measure > resolved_tolerance(options_)) {
      report.stalled = true;
      report.note = "the work allowed is done: more of it (unfold.max_work), or fewer samples, would certify it";
    }
    return report;
  }

  void keep(Archive& archive) {
    std::vector<std::array<Index, 3>> triples;
    for (const auto& [i, stranger, neighbour] : active_) triples.push_back({i, stranger, neighbour});
    archive(penalty_, fit_, triples, alpha_, lowest_slack_, allowed_low_, allowed_high_, result_, work_);
    if (!archive.restores()) return;
    dual_.loss = Hinge{penalty_};
    active_.clear();
    for (const auto& [i, stranger, neighbour] : triples) active_.push_back({i, stranger, neighbour});
  }

  Result finished(Summary summary) {
    result_.summary = std::move(summary);
    require_embedding(result_);
    result_.summary.used["solver"] = fit_.summary.used["solver"];
    return std::move(result_);
  }

 private:
  // The dual on the triples so far, from the last α.
  void fit() {
    std::vector<std::vector<EntryTerm>> rows;
    rows.reserve(active_.size());
    for (const OrderTriple& triple : active_) rows.push_back(terms(triple));
    dual_.measurements = Measurements(dual_.base.size(), rows);
    dual_.targets = Vector::Constant(Index(active_.size()), -lowest_slack_);
    kernel_dual::Options how;
    how.solver = options_.solver == Solver::automatic && !small_ ? Solver::lbfgsb : options_.solver;
    how.tolerance = kInnerShare * resolved_tolerance(options_);
    how.max_iterations = active_.empty() ? 1 : small_ ? std::min(options_.max_iterations, 200) : 6;
    RunContext inner = context_.nested("fit");
    fit_ = kernel_dual::solve(dual_, how, inner, alpha_);
    if (fit_.summary.termination == Termination::interrupted) throw Interrupted{Interrupted::Why::cancelled};
    fit_.from = fit_.best;  // the kernel of the α that bounds it, so that both are checked from that α
    show_positive(fit_.from);
    fit_.kernel = kernel_dual::kernel_of(fit_.from, 1);
    alpha_ = fit_.best.alpha;
    result_.evaluations += fit_.evaluations;
  }
  // The search may know its best A(α) by the negative side of the spectrum, of which no factor of the kernel can be
  // read.
  void show_positive(kernel_dual::Evaluation& at) const {
    if (at.spectrum.side == Side::positive) return;
    kernel_dual::Dual dual(dual_, context_);
    dual.set_matrix(at.alpha, context_);
    const double rounding = 1e-11 * std::sqrt(dual.matrix().squared_norm());
    at.spectrum = SideSolver(Side::positive)(dual.matrix(), rounding, context_);
  }
  // The dual bound of the shared slack: α >= 0 with Σα <= C, and no price for the slack.
  double bound(double total) const {
    if (!(total <= penalty_ * (1 + 1e-12))) return -std::numeric_limits<double>::infinity();
    return fit_.best.dual + lowest_slack_ * total;  // −capacity*(A(α))
  }
  // α with its bound and its K = FFᵀ as the answer, where they are nearer to each other than the last ones.
  void offer(const RowMatrix& F, double slack, double dual) {
    RowMatrix image;
    dual_.base.apply_rows(F, image, context_);
    double primal = -image.cwiseProduct(F).sum();
    if (options_.ridge > 0) primal += 0.5 * options_.ridge * fit_.kernel.weights.squaredNorm();
    primal += penalty_ * slack;
    const double size = std::max({std::abs(primal), std::abs(dual), 1e-300});
    const double relative = std::isfinite(dual) ? std::max(0.0, primal - dual) / size : 1.0;
    const bool lost = options_.penalty == 0 && slack > kOrderKept;
    const bool was_lost = options_.penalty == 0 && result_.slack > kOrderKept;
    const bool better =
        std::isnan(result_.objective) || (lost == was_lost ? relative <= result_.relative_gap : was_lost);
    if (!better) return;
    result_.slack = slack;
    result_.objective = primal;
    result_.dual = dual;
    result_.gap = primal - dual;
    result_.relative_gap = relative;
    result_.alpha = alpha_;
    result_.triples.clear();
    for (const OrderTriple& triple : active_) result_.triples.push_back({triple.i, triple.stranger, triple.neighbour});
    take_kernel(result_, fit_, options_, context_);
  }
  // Is the slack worth its price? Σα falls as ν grows; at the optimum Σα = C, or ν = 0. An automatic price rises, and
  // its ν is a margin.
  void price(double total, double slack) {
    const bool dear = total > penalty_ * (1 + 1e-9);
    if (options_.penalty == 0) {
      if (dear) {
        penalty_ = result_.penalty = kHigherPrice * total;
        dual_.loss = Hinge{penalty_};
        result_.objective = kUnknown;
      }
      lowest_slack_ = -kMarginShare * resolved_tolerance(options_) * std::abs(fit_.best.dual) /
                      std::max(total, kFewPrices * penalty_);
    } else if (dear) {
      allowed_low_ = lowest_slack_;
      lowest_slack_ = allowed_high_ > 0 ? 0.5 * (allowed_low_ + allowed_high_)
                                        : std::max(2 * lowest_slack_, std::max(0.5 * slack, 1e-3));
    } else if (lowest_slack_ > 0 && total < 0.999 * penalty_) {
      allowed_high_ = lowest_slack_;
      lowest_slack_ = 0.5 * (allowed_low_ + allowed_high_);
    }
  }

  const Options& options_;
  RunContext& context_;
  std::unique_ptr<OrderSweep> order_;
  double penalty_;
  const bool small_;
  kernel_dual::Problem dual_;
  kernel_dual::Result fit_;
  std::vector<OrderTriple> active_;
  Vector alpha_ = Vector(0);
  // ν: where the shared slack is priced in, the strangers may come this much nearer; negative: a margin.
  double lowest_slack_ = 0;
  double allowed_low_ = 0, allowed_high_ = -1;  // bracket of ν
  double work_ = 0;                             // of whole spectra so far, n³ each
  Result result_;
};

}  // namespace

double structure_penalty(const Graph& graph, const Options& options) {
  const double squares = structure_base(graph).squared_norm();
  if (options.ridge > 0) return squares / (2 * options.ridge);
  return std::sqrt((options.budget > 0 ? options.budget : double(graph.vertices)) * squares);
}

Result solve_structure(const Problem& problem, const Options& options, RunContext& context) {
  if (options.solver == Solver::csdp) return solve_structure_by_csdp(problem, options, context);
  StructureSearch search(problem, options, context);
  const StopRule stop{.tolerance = resolved_tolerance(options), .max_iterations = options.rounds};
  return search.finished(iterate([&](int number) { return search.round(number); }, stop, {"triples", "slack"}, context,
                                 [&](Archive& archive) { archive(search); }));
}

}  // namespace ritz::unfold
