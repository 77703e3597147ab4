// SPDX-License-Identifier: MIT
// A second look at a learned kernel. Nothing here is shared with the solver but the Laplacian and the losses.

#include "graph/laplacian.hpp"
#include "linalg/eigen.hpp"
#include "model/loss_list.hpp"
#include "pairs/neighbours.hpp"
#include "ritz/cluster/kmeans.hpp"
#include "tasks/bounds/bounds.hpp"
#include "tasks/kernel/task.hpp"
#include "tasks/model/samples.hpp"

namespace ritz::kernel {

using namespace model_access;

namespace {

constexpr double kFeasible = 1e-6;  // relative: budget and subspace

struct Stored {
  PairSet pairs;
  RowMatrix F;
  Vector alpha;  // empty: not stored
  npkl::Options how;
};

Stored stored_fit(const ModelFile& model, const Json& info) {
  Stored stored;
  const Matrix& basis = array(model, "basis");
  const Matrix& weights = column(model, "weights", basis.cols());
  stored.F = basis * weights.col(0).cwiseMax(0.0).cwiseSqrt().asDiagonal();
  const Matrix& pairs = array(model, "pairs");
  if (pairs.cols() != 3) reject("has arrays that do not fit together");
  stored.pairs.points = basis.rows();
  const std::vector<Index> first = numbers(pairs.col(0), basis.rows()), second = numbers(pairs.col(1), basis.rows());
  for (Index k = 0; k < pairs.rows(); ++k)
    stored.pairs.pairs.push_back({first[std::size_t(k)], second[std::size_t(k)], pairs(k, 2) > 0 ? 1 : -1});
  if (model.arrays.contains("alpha")) stored.alpha = column(model, "alpha", pairs.rows()).col(0);
  stored.how.loss = fact<std::string>(info, "options", "loss");
  stored.how.penalty = fact<double>(info, "options", "penalty");
  stored.how.ridge = fact<double>(info, "options", "ridge");
  stored.how.budget = fact<double>(info, "options", "budget");
  stored.how.power = fact<double>(info, "options", "power");
  stored.how.low_rank = fact<Index>(info, "options", "low_rank");
  stored.how.tolerance = fact<double>(info, "options", "tolerance");
  return stored;
}

struct Anew {
  Graph graph;
  Vector reach{};  // of each sample, squared; none where the graph was given
};

Anew graph_anew(const ModelFile& model, const Json& info, const Dataset& data, const RunContext& context) {
  if (model.arrays.contains("edges")) return {stored_graph(model, data.rows())};
  const auto kind = TextForm<GraphKind>::parse(fact<std::string>(info, "options", "graph"));
  if (!kind) reject("names a graph that is not known");
  const Index k = fact<Index>(info, "options", "neighbours");
  const NeighbourGraph made = data.visit([&](const auto& X) { return neighbour_graph(X, k, *kind, context); });
  return {made.graph, reach_of(made.neighbours, k, data.rows())};
}

// A(α) = Σ α·t·(e_i·e_jᵀ + e_j·e_iᵀ) − L
Sparse matrix_of(const Sparse& laplacian, const PairSet& pairs, const Vector& alpha) {
  std::vector<Eigen::Triplet<double>> entries;
  for (Index k = 0; k < alpha.size(); ++k) {
    const LinkedPair& pair = pairs.pairs[std::size_t(k)];
    entries.emplace_back(int(pair.i), int(pair.j), alpha(k) * pair.sign);
    entries.emplace_back(int(pair.j), int(pair.i), alpha(k) * pair.sign);
  }
  Sparse added(laplacian.rows(), laplacian.cols());
  added.setFromTriplets(entries.begin(), entries.end());
  return added - laplacian;
}

struct Positive {
  Vector values;  // positive eigenvalues
  std::string how;
};
Vector positive_part(const Vector& values) {
  std::vector<double> kept;
  for (const double value : values)
    if (value > 0) kept.push_back(value);
  return Eigen::Map<const Vector>(kept.data(), Index(kept.size()));
}
Positive positive_eigenvalues(const Sparse& A, const Matrix& within, const RunContext& context) {
  if (within.cols() > 0) {
    const Matrix small = within.transpose() * (A * within);
    return {positive_part(Eigen::SelfAdjointEigenSolver<Matrix>(small, Eigen::EigenvaluesOnly).eigenvalues()),
            "dense, in the subspace of low rank"};
  }
  if (A.rows() <= kDenseCheck)
    return {positive_part(Eigen::SelfAdjointEigenSolver<Matrix>(Matrix(A), Eigen::EigenvaluesOnly).eigenvalues()),
            "dense"};
  EigenSolver solver;
  EigenRequest request;
  request.pick = Above{0, A.rows()};
  request.tolerance = 1e-9;
  Vector values = require_complete(solver(SparseOperator{A}, request, context), "the positive eigenvalues of A").values;
  return {std::move(values), solver.last_plan().reason};
}

// capacity*(A): G^(1−q)/q·tr A₊^q, B^(1/p)·(tr A₊^q)^(1/q), B·λmax for p = 1.
double support(const Vector& positive, const npkl::Options& how) {
  if (positive.size() == 0) return 0;
  if (how.power == 1) return how.budget * positive.maxCoeff();
  const double q = how.power / (how.power - 1), sum = positive.array().pow(q).sum();
  return how.budget > 0 ? std::pow(how.budget, 1 / how.power) * std::pow(sum, 1 / q)
                        : std::pow(how.ridge, 1 - q) / q * sum;
}

double kernel_power(const RowMatrix& F, double p) {  // tr Kᵖ from the small FᵀF, whose eigenvalues are K's
  if (F.cols() == 0) return 0;
  const Matrix gram = F.transpose() * F;
  return Eigen::SelfAdjointEigenSolver<Matrix>(gram, Eigen::EigenvaluesOnly)
      .eigenvalues()
      .cwiseMax(0.0)
      .array()
      .pow(p)
      .sum();
}

double primal_value(const Sparse& laplacian, const Stored& stored, const AnyLoss& loss, double power_sum) {
  double sum = 0;
  for (const LinkedPair& pair : stored.pairs.pairs) {
    const double residual = 1 - pair.sign * stored.F.row(pair.i).dot(stored.F.row(pair.j));
    sum += std::visit([&](const auto& each) { return each.value(residual); }, loss);
  }
  const double smooth = stored.F.cols() > 0 ? Matrix(laplacian * stored.F).cwiseProduct(Matrix(stored.F)).sum() : 0.0;
  return smooth + 2 * sum + (stored.how.budget > 0 ? 0.0 : stored.how.ridge / stored.how.power * power_sum);
}

double dual_value(const Stored& stored, const AnyLoss& loss, const Vector& positive) {
  double sum = 0;
  for (const double a : stored.alpha) sum += a - std::visit([&](const auto& each) { return each.conjugate(a); }, loss);
  return 2 * sum - support(positive, stored.how);
}

bool in_domain(const Vector& alpha, const AnyLoss& loss) {
  const Interval box = std::visit([](const auto& each) { return each.dual_domain(); }, loss);
  const double slack = 1e-12 * std::max({1.0, std::abs(box.low), std::isfinite(box.high) ? box.high : 1.0});
  return std::ranges::all_of(alpha, [&](double a) { return a >= box.low - slack && a <= box.high + slack; });
}

// Of each basis vector u the eigenvalue is uᵀAu, as near as the solver came.
void look_at_eigenvalues(const ModelFile& model, const Sparse& A, const Stored& stored, KernelCheck& check) {
  constexpr double kNear = 1e-2;
  const Matrix &basis = array(model, "basis"), &eigenvalues = array(model, "eigenvalues");
  if (basis.cols() == 0) return;
  const Vector found = basis.cwiseProduct(A * basis).colwise().sum();
  if ((found - eigenvalues.col(0)).cwiseAbs().maxCoeff() <= kNear * found.cwiseAbs().maxCoeff()) return;
  if (stored.how.budget > 0 && stored.how.power == 1) return;  // multiples of the largest
  check.kept = false;
  check.notes.emplace_back("the eigenvalues in the model are not those of A(alpha)");
}

// What places and labels new samples is what the data give.
void look_at_kept(const ModelFile& model, const Json& info, const Dataset& scaled, const Anew& anew,
                  const Stored& stored, KernelCheck& check, const RunContext& context) {
  const auto require = [&](bool agrees, const char* note) {
    if (agrees) return;
    check.kept = false;
    check.notes.emplace_back(note);
  };
  require(holds_samples(model, scaled), "the samples in the model are not those of the data");
  require(close_to(array(model, "degrees"), degrees(anew.graph)),
          "the degrees in the model are not those of the graph");
  require(anew.reach.size() == 0 || close_to(array(model, "reach"), anew.reach),
          "the neighbours' distances in the model are not those of the data");
  const RowMatrix centers = array(model, "centers");
  if (centers.cols() == 0 && stored.F.cols() == 0) return;
  const RowMatrix rows = fact<bool>(info, "options", "normalise_rows") ? unit_rows(stored.F) : stored.F;
  const Blend blend = stored_blend(info);
  const RowMatrix points = clustered_points(blend, blend.samples > 0 ? countable(scaled) : RowMatrix(), rows);
  const bool linked = blend.samples > 0 && blend.kernel > 0;  // must-links may have kept one with a farther center
  const char* const by = linked ? "both" : blend.samples > 0 ? "samples" : "kernel";
  require(fact<std::string>(fact<Json>(info, "result", "clusters"), "by") == by,
          "the model does not say how its clusters were made");
  require(are_clusters(points, centers, numbers(array(model, "labels"), centers.rows()), context, !linked),
          "the clusters in the model are not those of the kernel");
}

}  // namespace

KernelCheck check(const ModelFile& model, const Dataset& data, const RunContext& context) {
  const Json info = info_of(model);
  const Stored stored = stored_fit(model, info);
  const Index n = stored.F.rows();
  if (data.rows() != n)
    fail(ErrorCode::bad_shape, "{} has {} rows, the model was fitted to {}", data.source, data.rows(), n);
  KernelCheck check;
  check.same_data = fact<std::string>(info, "data", "hash") == data_hash(data);
  if (!check.same_data) check.notes.push_back(data.source + " does not hold the data that the model was fitted to");
  check.stored_primal = number_or_unknown(info, "certificate", "primal");
  check.stored_dual = number_or_unknown(info, "certificate", "dual");
  check.tolerance = stored.how.tolerance;
  const Dataset scaled = scaled_like_model(model, data);
  const Anew anew = graph_anew(model, info, scaled, context);
  const Graph& graph = anew.graph;
  check.edges = Index(graph.edges.size());
  const Sparse laplacian = normalised_laplacian(graph);
  const AnyLoss loss = make_loss(stored.how.loss, stored.how.penalty);

  look_at_kept(model, info, scaled, anew, stored, check, context);
  check.scale = 2 * double(stored.pairs.pairs.size()) *
                std::visit([](const auto& each) { return each.value(1.0); }, loss);  // of a kernel of zeros
  const Matrix& weights = array(model, "weights");
  check.feasible = weights.size() == 0 || weights.minCoeff() >= 0;
  const double power_sum = kernel_power(stored.F, stored.how.power);
  if (stored.how.budget > 0 && power_sum > stored.how.budget * (1 + kFeasible)) {
    check.feasible = false;
    note(check.notes, "tr K^p is {:.8g}, above the budget {}", power_sum, stored.how.budget);
  }
  Matrix within;
  if (stored.how.low_rank > 0) {
    EigenRequest request;
    request.pick = Count{std::min(stored.how.low_rank, n)};
    request.end = End::smallest;
    request.tolerance = 1e-8;
    within = require_complete(EigenSolver()(SparseOperator{laplacian}, request, context), "the low end of L").vectors;
    const Matrix outside = Matrix(stored.F) - within * (within.transpose() * stored.F);
    if (outside.norm() > 1e-5 * stored.F.norm()) {
      check.feasible = false;
      check.notes.push_back("the kernel leaves the subspace of low rank");
    }
  }
  check.primal = primal_value(laplacian, stored, loss, power_sum);
  if (stored.alpha.size() == 0) {
    if (fact<std::string>(info, "options", "solver") != "csdp") reject("has no dual values");
    check.has_dual = false;
    check.notes.push_back("the solver left no dual values: only the primal value is looked at");
    return check;
  }
  if (!in_domain(stored.alpha, loss)) {
    check.feasible = false;
    check.notes.push_back("some alpha lies outside the range that the loss allows");
  }
  const Sparse A = matrix_of(laplacian, stored.pairs, stored.alpha);
  const Positive spectrum = positive_eigenvalues(A, within, context);
  check.positive = spectrum.values.size();
  check.spectrum = spectrum.how;
  check.dual = dual_value(stored, loss, spectrum.values);
  look_at_eigenvalues(model, A, stored, check);
  check.take_gap();
  return check;
}

CheckReport KernelTask::check(const ModelFile& model, const Inputs& inputs, const CheckOptions&,
                              const RunContext& context) {
  const auto data = inputs.dataset(context);
  return bounds_report(kernel::check(model, *data, context), *data);
}

}  // namespace ritz::kernel
