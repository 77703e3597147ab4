// SPDX-License-Identifier: MIT
#include "ritz/algorithms/ism.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithms/ism/parts.hpp"
#include "linalg/subspace.hpp"
#include "ritz/base/random.hpp"

namespace ritz::ism {

namespace {

// A restart wins where its F is larger by more than what two runs to the same maximum differ by.
constexpr double kClearlyBetter = 1e-7;
// Mixed precision cannot tell residuals below a few times its error in Φ, about 1e-6, from 0.
constexpr double kMixedResidual = 1e-5;

// The basis of W's span that diagonalises WᵀΦW, largest first.
Matrix canonical_basis(const PhiMatrix& phi, const Matrix& W) {
  const Matrix inside = W.transpose() * phi.times(W);
  EigenSolver eigen(EigenMethod::dense);
  const DenseOperator small{0.5 * (inside + inside.transpose())};
  const RunContext context;
  Matrix rotated = W * require_complete(eigen(small, {.pick = Count{W.cols()}}, context), "WᵀΦW").vectors;
  fix_signs(rotated);
  return rotated;
}

void check_all(const Problem& problem, const Options& options, const Matrix& start) {
  check(options);
  const Index d = problem.X.cols(), q = options.dimension;
  if (q > d)
    throw Error(ErrorCode::bad_option,
                fmt::format("the dimension is {}; it must lie in [1, {}] because the data has {} columns", q, d, d));
  if (start.size() > 0 && (start.rows() != d || start.cols() != q))
    throw Error(ErrorCode::bad_shape,
                fmt::format("the start is {} x {}; it must be {} x {}", start.rows(), start.cols(), d, q));
  const bool spectral = options.solver == Solver::ism || options.solver == Solver::plain;
  if (options.stop == StopOn::eigenvalues && !spectral)
    throw Error(ErrorCode::bad_option,
                fmt::format("the solver {} computes no eigenvalues to stop on; stop on the residual, or take the "
                            "solver ism or plain",
                            TextForm<Solver>::print(options.solver)));
}

// As many dimensions as columns: every W spans the whole space and has the same F.
Climb whole_space(const Setting& setting, const RunContext& context) {
  const Index d = setting.problem.X.cols();
  Climb climb;
  climb.W = Matrix::Identity(d, d);
  climb.sums = setting.sums(climb.W, context);
  climb.start_objective = climb.summary.objective = climb.sums->objective;
  climb.summary.measure = 0;
  climb.summary.termination = Termination::converged;
  climb.summary.message = "all columns are kept: there is nothing to choose";
  return climb;
}

Climb climb_from(const Setting& setting, const Matrix& start, RunContext& context) {
  if (start.rows() == start.cols()) return whole_space(setting, context);
  switch (setting.options.solver) {
    case Solver::ism:
      return climb_ism(setting, start, WhenSlow::go_on, context);
    case Solver::plain:
      return climb_plain(setting, start, context);
    case Solver::dg:
      return climb_dg(setting, start, context);
    case Solver::sm:
      return climb_sm(setting, start, context);
    case Solver::gm:
      return climb_gm(setting, start, setting.options.max_iterations, context);
    case Solver::best:
      return climb_best(setting, start, context);
  }
  throw Error(ErrorCode::bad_option, "there is no such solver");
}

bool was_stopped(Termination why) {
  return why == Termination::interrupted || why == Termination::time_limit || why == Termination::stopped_by_observer;
}

// Mixed precision leads near the answer; the end, and the certificate, are in double. By the papers' rule there is no
// end to go on with.
Climb climb_in_precision(const Setting& setting, const Matrix& start, RunContext& context) {
  const Options& options = setting.options;
  if (options.accuracy.precision == Precision::full) return climb_from(setting, start, context);
  Options coarse = options;
  coarse.tolerance = std::max(options.tolerance, kMixedResidual);
  setting.pass.set_accuracy(options.accuracy);
  // A stage of its own: a run that goes on in the second climb must take the first as it ended, not do its last step
  // again.
  const auto first = [&] {
    Climb climb = climb_from({setting.problem, coarse, setting.pass, setting.seconds}, start, context);
    climb.sums.reset();
    return climb;
  };
  Climb near = stage(context, "near", first, [&](Archive& archive, Climb&) { archive(setting.pass); });
  setting.pass.set_accuracy({Precision::full, options.accuracy.approximate});
  const bool enough = near.summary.converged() && options.tolerance >= kMixedResidual;
  if (enough || was_stopped(near.summary.termination) || options.stop == StopOn::eigenvalues) return near;
  Climb end = climb_from(setting, near.W, context);
  end.start_objective = near.start_objective;
  append(near.summary, std::move(end.summary));
  end.summary = std::move(near.summary);
  return end;
}

// One that was finished in an earlier run is not done again. With `sums`, those at W stay.
Climb recorded_climb(const Setting& setting, const Matrix& start, bool sums, RunContext& context) {
  const auto work = [&] {
    Climb climb = climb_in_precision(setting, start, context);
    if (!sums) climb.sums.reset();
    return climb;
  };
  Climb climb = stage(context, "climb", work, [&](Archive& archive, Climb&) { archive(setting.pass); });
  setting.pass.set_accuracy(
      {Precision::full, setting.options.accuracy.approximate});  // also where it was not done again
  return climb;
}

// Random subspaces after the first climb. Each has its own place in the stream, so that more of them change none.
void restart(const Setting& setting, Climb& best, std::string_view first_name, RunContext& context) {
  const Index d = best.W.rows(), q = best.W.cols();
  const int count = setting.options.restarts;
  const double first = best.summary.objective;
  int winner = 0, tried = 0;
  Termination end = best.summary.termination;
  std::string message = best.summary.message;
  while (tried < count && !was_stopped(end)) {
    Rng rng(context.seed, "restarts", std::uint64_t(tried));
    const Matrix start = orthonormalise(rng.normal_matrix(d, q)).basis;
    RunContext inner = context.nested(fmt::format("restart {}", tried + 1));
    try {
      // Two Φ at most are alive: the winner's is formed again at the end.
      Climb next = recorded_climb(setting, start, false, inner);
      end = next.summary.termination;
      message = next.summary.message;
      const double F = best.summary.objective;
      if (next.summary.objective > F + kClearlyBetter * std::abs(F)) {
        best = std::move(next);
        winner = tried + 1;
      }
    } catch (const Interrupted& interrupted) {
      end = termination_of(interrupted);
      message = interrupted.text();
    }
    ++tried;
  }
  if (was_stopped(end)) {
    best.summary.termination = end;
    best.summary.message = fmt::format("{} ({} of {} random starts tried)", message, tried, count);
  }
  best.summary.used["start"] = winner ? fmt::format("random start {} of {}", winner, count) : std::string(first_name);
  best.summary.notes.push_back(
      winner ? fmt::format("random start {} of {} beats the {} start by {:.2g} %", winner, count, first_name,
                           100 * (best.summary.objective - first) / std::max(std::abs(first), 1e-300))
             : fmt::format("none of {} random starts beats the {} start", tried, first_name));
}

}  // namespace

PairSums Setting::sums(const Matrix& W, const RunContext& context) const {
  const PhaseTimer timer(seconds, "pairs");
  PairSums all = pass.sums(W, problem.kernel, context);
  require_finite(all.phi, problem.kernel);  // overflow is the kernel's doing: the data were checked when they were read
  return all;
}

PairGradient Setting::gradient(const Matrix& W, const RunContext& context) const {
  const PhaseTimer timer(seconds, "pairs");
  return pass.gradient(W, problem.kernel, context);
}

double Setting::objective(const Matrix& W, const RunContext& context) const {
  const PhaseTimer timer(seconds, "pairs");
  return pass.objective(W, problem.kernel, context);
}

namespace {

Result solve_all(const Problem& problem, const Options& options, RunContext& context, const Matrix& start) {
  const auto pass = make_pass(problem, options.accuracy, context);
  std::map<std::string, double> seconds;
  const Setting setting{problem, options, *pass, seconds};

  Matrix W = start;
  if (W.size() == 0) {
    const PhaseTimer timer(seconds, "start");
    W = spectral_start(problem, *pass, options.dimension, context);
  }
  const std::string first_name = start.size() > 0 ? "given" : "spectral";
  Climb climb = recorded_climb(setting, W, options.restarts == 0, context);
  climb.summary.used["start"] = first_name;
  if (options.restarts > 0) restart(setting, climb, first_name, context);

  Result result;
  result.start_objective = climb.start_objective;
  result.summary = std::move(climb.summary);
  const RunContext calm = context.uninterrupted();
  if (!climb.sums) climb.sums = setting.sums(climb.W, calm);
  const PairSums& sums = *climb.sums;
  result.W = canonical_basis(sums.phi, climb.W);
  if (options.certified) {
    try {
      const PhaseTimer timer(seconds, "certificate");
      const Index q = result.W.cols();
      const double products =
          climb.products.value_or(curvature_products(problem, q, options.curvature, result.summary.iterations));
      result.certificate =
          certify(problem, *pass, sums, result.W, options.curvature, context, climb.curvature, products);
    } catch (const Interrupted& interrupted) {  // W is kept; only its second-order certificate is missing
      result.certificate = certify(problem, *pass, sums, result.W, Effort::never, calm);
      result.certificate.curvature_note = interrupted.text();
    }
  }
  // Converged is what a check of the model would find, too.
  constexpr double kSlack = 1.5, kRounding = 1e-12;
  const double reached = result.certificate.first_order;
  if (result.summary.converged() && reached > kSlack * std::max(options.tolerance, kRounding) &&
      options.stop == StopOn::residual) {
    result.summary.termination = Termination::stalled;
    result.summary.message =
        fmt::format("{}W as a whole is not stationary (residual {:.1e})",
                    options.solver == Solver::dg ? "dimension growth keeps its earlier columns: " : "", reached);
  }
  result.summary.seconds = seconds;
  result.summary.used["solver"] = TextForm<Solver>::print(options.solver);
  result.certificate.precision_error = pass->precision_error();
  result.summary.used["pairs"] = pass->route_text(options.dimension, problem.kernel);
  result.summary.used["threads"] = std::to_string(resolved_threads(context));
  result.summary.used["backend"] = backend_or_cpu(context).used();
  return result;
}

}  // namespace

Result solve(const Problem& problem, const Options& options, RunContext& context, const Matrix& start) {
  check_all(problem, options, start);
  const auto solver = options.accuracy.sample_pairs > 0 ? solve_sampled : solve_all;
  return stage(context, "ism", [&] { return solver(problem, options, context, start); });
}

void append(Summary& first, Summary&& second) {
  Trace joined{first.trace.columns, {}};
  const auto place = [](const Trace& trace, const std::string& name) {
    return std::size_t(std::ranges::find(trace.columns, name) - trace.columns.begin());
  };
  for (const std::string& name : second.trace.columns)
    if (place(joined, name) == joined.columns.size()) joined.columns.push_back(name);
  const auto add_rows = [&](const Trace& trace, double iterations, double seconds) {
    for (std::size_t row = 0; row < trace.rows(); ++row)
      for (const std::string& name : joined.columns) {
        const std::size_t column = place(trace, name);
        const double shift = name == "iteration" ? iterations : name == "seconds" ? seconds : 0;
        joined.values.push_back(column < trace.columns.size() ? trace.at(row, column) + shift : kUnknown);
      }
  };
  const std::size_t rows = first.trace.rows();
  const double elapsed = rows > 0 ? first.trace.at(rows - 1, place(first.trace, "seconds")) : 0;
  add_rows(first.trace, 0, 0);
  add_rows(second.trace, first.iterations, elapsed);
  first.trace = std::move(joined);
  first.iterations += second.iterations;
  first.termination = second.termination;
  first.message = std::move(second.message);
  first.objective = second.objective;
  first.measure = second.measure;
  first.used.merge(second.used);
  std::ranges::move(second.notes, std::back_inserter(first.notes));
}

double working_bytes(const PairSizes& sizes, const KernelSum& kernel, const RunContext& context,
                     const PairAccuracy& accuracy) {
  PairSizes seen = sizes;
  seen.n = sampled_rows(sizes, accuracy.sample_pairs);
  // Two sums are alive while a step is judged, and the eigen-solver copies one.
  double exact = 2 * backend_or_cpu(context).pair_pass_bytes(seen, kernel, accuracy, resolved_threads(context));
  // An order of all samples, Γ and the projected samples as drawn.
  if (seen.n < sizes.n || accuracy.sample_pairs > 0)
    exact += 8 * double(sizes.n) * double(2 + 3 * sizes.gamma_columns + 4 * sizes.q);
  return accuracy.approximate > 0 ? exact / (1 - kLowRankShare) : exact;
}

}  // namespace ritz::ism
