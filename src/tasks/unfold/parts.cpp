// SPDX-License-Identifier: MIT
#include "tasks/unfold/task.hpp"

namespace ritz::unfold {

namespace {

constexpr double kBetweenParts = 0.1;  // of the widest one

void add_rank_by_rank(Vector& sum, const Vector& values) {
  if (values.size() > sum.size()) {
    const Vector before = sum;
    sum = Vector::Zero(values.size());
    sum.head(before.size()) = before;
  }
  sum.head(values.size()) += values;
}

void put_rows(RowMatrix& whole, const RowMatrix& part, const std::vector<Index>& rows) {
  if (part.cols() > whole.cols()) {
    const Index before = whole.cols();
    whole.conservativeResize(Eigen::NoChange, part.cols());
    whole.rightCols(part.cols() - before).setZero();
  }
  for (std::size_t a = 0; a < rows.size(); ++a) whole.row(rows[a]).head(part.cols()) = part.row(Index(a));
}

// A run of parts has settled when all have.
void join_summary(Summary& whole, const Summary& part) {
  whole.iterations += part.iterations;
  if (whole.converged() && !part.converged()) {
    whole.termination = part.termination;
    whole.message = part.message;
  }
  whole.used["solver"] = part.used.contains("solver") ? part.used.at("solver") : "";
  for (const std::string& note : part.notes)
    if (std::ranges::find(whole.notes, note) == whole.notes.end()) whole.notes.push_back(note);
}

}  // namespace

RowMatrix kernel_factor(const Result& fit) {
  if (fit.vectors.cols() == 0) return RowMatrix(fit.embedding.rows(), 0);
  return SymFactor{fit.vectors, fit.spectrum.cwiseMax(0.0)}.root();
}

std::vector<ProblemPart> problem_parts(const Problem& whole, const Components& components) {
  std::vector<ProblemPart> parts(std::size_t(components.count));
  std::vector<Index> place(components.of.size());
  for (std::size_t i = 0; i < components.of.size(); ++i) {
    ProblemPart& part = parts[std::size_t(components.of[i])];
    place[i] = Index(part.rows.size());
    part.rows.push_back(Index(i));
    if (!whole.labels.empty()) part.problem.labels.push_back(whole.labels[i]);
  }
  for (std::size_t e = 0; e < whole.graph.edges.size(); ++e) {
    const auto [i, j] = whole.graph.edges[e];
    ProblemPart& part = parts[std::size_t(components.of[std::size_t(i)])];
    part.edges.push_back(Index(e));
    part.problem.graph.edges.push_back({place[std::size_t(i)], place[std::size_t(j)]});
  }
  for (ProblemPart& part : parts) {
    part.problem.graph.vertices = Index(part.rows.size());
    part.problem.squared = whole.squared(part.edges);
    if (whole.start.cols() > 0) part.problem.start = whole.start(part.rows, Eigen::all);
  }
  return parts;
}

void solve_parts(const Problem& whole, const Components& components, const Options& how, UnfoldResult& found,
                 RunContext& context) {
  const Index n = whole.graph.vertices;
  Result& joined = found.fit;
  joined.embedding = RowMatrix::Zero(n, how.dim);
  joined.smooth = RowMatrix(n, 0);
  joined.spectrum = Vector(0);
  joined.alpha = joined.kernel_alpha = joined.measured = Vector::Zero(whole.squared.size());
  joined.trace = joined.objective = joined.dual = joined.stretch = 0;
  joined.summary.termination = Termination::converged;
  joined.summary.message = "all parts are within the tolerance";
  RowMatrix drawn_to = RowMatrix::Zero(n, how.method == Method::mve ? how.dim : 0);
  found.factor = RowMatrix::Zero(n, how.dim);
  double held = 0;
  std::size_t largest = 0;
  const std::vector<ProblemPart> parts = problem_parts(whole, components);
  for (const ProblemPart& part : parts) {
    found.penalties.push_back(kUnknown);
    // Samples on one spot stay there.
    if (part.rows.size() < 2 || !(part.problem.squared.maxCoeff() > 0)) continue;
    Options each = how;
    each.dim = std::min<Index>(how.dim, Index(part.rows.size()) - 1);
    RunContext inner = context.nested(fmt::format("part {}", found.penalties.size()));
    const Result fit = solve(part.problem, each, inner);
    found.penalties.back() = fit.penalty;
    put_rows(joined.embedding, fit.embedding, part.rows);
    put_rows(found.factor, kernel_factor(fit), part.rows);
    if (fit.drawn_to.cols() > 0) put_rows(drawn_to, fit.drawn_to, part.rows);
    if (fit.smooth.cols() > 0) put_rows(joined.smooth, fit.smooth, part.rows);
    joined.alpha(part.edges) = fit.alpha;
    joined.kernel_alpha(part.edges) = fit.kernel_alpha;
    joined.measured(part.edges) = fit.measured;
    add_rank_by_rank(joined.spectrum, fit.spectrum);
    joined.trace += fit.trace;
    held += fit.held * fit.trace;
    joined.objective += fit.objective;
    joined.dual += fit.dual;
    joined.constraints += fit.constraints;
    joined.evaluations += fit.evaluations;
    joined.rounds = std::max(joined.rounds, fit.rounds);
    join_summary(joined.summary, fit.summary);
    if (part.rows.size() > largest) largest = part.rows.size(), joined.summary.trace = fit.summary.trace;
  }
  joined.drawn_to = drawn_to;
  joined.held = joined.trace > 0 ? held / joined.trace : 0.0;
  joined.gap = joined.objective - joined.dual;
  joined.relative_gap =
      std::max(0.0, joined.gap) / std::max({std::abs(joined.objective), std::abs(joined.dual), 1e-300});
  joined.summary.objective = joined.objective;
  joined.summary.measure = joined.relative_gap;
  place_side_by_side(joined.embedding, components);
}

void place_side_by_side(RowMatrix& embedding, const Components& parts) {
  const auto count = std::size_t(parts.count);
  std::vector<Eigen::RowVectorXd> low(count), high(count);
  for (Index i = 0; i < embedding.rows(); ++i) {
    const auto c = std::size_t(parts.of[std::size_t(i)]);
    low[c] = low[c].size() == 0 ? Eigen::RowVectorXd(embedding.row(i)) : low[c].cwiseMin(embedding.row(i)).eval();
    high[c] = high[c].size() == 0 ? Eigen::RowVectorXd(embedding.row(i)) : high[c].cwiseMax(embedding.row(i)).eval();
  }
  double widest = 0;
  for (std::size_t c = 0; c < count; ++c) widest = std::max(widest, high[c](0) - low[c](0));
  if (widest == 0) widest = 1;
  std::vector<Eigen::RowVectorXd> move(count);
  double next = 0;
  for (std::size_t c = 0; c < count; ++c) {
    move[c] = -0.5 * (low[c] + high[c]);
    move[c](0) = next - low[c](0);
    next += high[c](0) - low[c](0) + kBetweenParts * widest;
  }
  for (Index i = 0; i < embedding.rows(); ++i) embedding.row(i) += move[std::size_t(parts.of[std::size_t(i)])];
  embedding.col(0).array() -= 0.5 * (next - kBetweenParts * widest);
}

}  // namespace ritz::unfold
