// SPDX-License-Identifier: MIT
#include "ritz/algorithms/kdac.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "linalg/subspace.hpp"
#include "metrics/clustering.hpp"
#include "ritz/base/random.hpp"

namespace ritz::kdac {

namespace {

// A random start must beat the best so far by this much, relative: ties go to the earlier one.
constexpr double kClearlyBetter = 1e-7;

// −λ·Σ HYYᵀH, as a factor.
SymFactor guidance_of(const Problem& problem) {
  const Index n = problem.X.rows();
  if (problem.given.empty()) throw Error(ErrorCode::bad_option, "there is no given clustering to stay away from");
  SymFactor all{Matrix(n, 0), Vector()};
  for (std::size_t i = 0; i < problem.given.size(); ++i) {
    const Labels& labels = problem.given[i];
    if (labels.size() != n)
      throw Error(ErrorCode::bad_shape,
                  fmt::format("the given clustering has {} labels for {} samples", labels.size(), n));
    const std::vector<Index> counts = labels.counts();
    if (std::ranges::count_if(counts, [](Index count) { return count > 0; }) < 2)
      throw Error(ErrorCode::bad_data,
                  fmt::format("the given clustering puts all {} samples into one cluster; there is nothing to differ "
                              "from: give one of at least two clusters",
                              n));
    const SymFactor one = supervised_gamma(labels).factor;
    const Index before = all.basis.cols();
    all.basis.conservativeResize(n, before + one.basis.cols());
    all.basis.rightCols(one.basis.cols()) = one.basis;
  }
  all.weights = Vector::Constant(all.basis.cols(), -problem.lambda);
  return all;
}

// Σ Tr(YᵀH L HY) at the found W.
double given_dependence(const clustering::Problem& loop, const clustering::Result& found, const RunContext& context) {
  const auto pass = backend_or_cpu(context).pair_pass(loop.X, factored_gamma({Matrix(loop.X.rows(), 0), Vector(0)}));
  const KernelMatrix K(loop.X, loop.kernel, *pass, found.W);
  Matrix basis = loop.guidance.basis;
  if (loop.guidance_by_degree) basis = found.embedding.degrees.cwiseSqrt().cwiseInverse().asDiagonal() * basis;
  return basis.cwiseProduct(Matrix(K.times(RowMatrix(basis), context))).sum();
}

}  // namespace

double Result::worst_novelty() const { return novelty.empty() ? 0 : std::ranges::max(novelty); }

Result solve(const Problem& problem, const Options& options, RunContext& context, const Matrix& start) {
  check(options);
  if (!(problem.lambda >= 0) || !std::isfinite(problem.lambda))
    throw Error(ErrorCode::bad_option, fmt::format("lambda is {}; it must not be negative", problem.lambda));
  if (options.clusters < 2 || options.clusters >= problem.X.rows())
    throw Error(ErrorCode::bad_option,
                fmt::format("{} clusters are asked for; the number must lie in [2, {}] because there are {} samples",
                            options.clusters, problem.X.rows() - 1, problem.X.rows()));
  const bool degrees = options.by_degree == ByDegree::always ||
                       (options.by_degree == ByDegree::automatic && has_positive_values(problem.kernel));
  const clustering::Problem loop{problem.X, problem.kernel,
                                 degrees ? Normalisation::degree_centred : Normalisation::centred, guidance_of(problem),
                                 degrees};
  clustering::Options how;
  take_fields(options, how);
  how.extrapolate = how.solver != Solver::plain;
  const Index q = how.dimension > 0 ? how.dimension : how.clusters, d = problem.X.cols();

  std::optional<clustering::Result> best;
  std::string winner;
  const bool spectral = options.init == Init::spectral;
  const int randoms = spectral ? options.restarts : std::max(options.restarts, 1);
  for (int number = spectral ? -1 : 0; number < randoms; ++number) {
    // Each random start has its own place in the stream: more of them change none.
    const Matrix W =
        number < 0 || q > d
            ? start
            : orthonormalise(Rng(context.seed, "kdac start", std::uint64_t(number)).normal_matrix(d, q)).basis;
    RunContext inner = randoms > 0 && number >= 0 ? context.nested(fmt::format("start {}", number + 1)) : context;
    // A U that belongs to a random W would lead back to it, or to what is given: the paper's U₀ knows no W.
    how.embed_samples = number >= 0;
    try {
      clustering::Result next = clustering::solve(loop, how, inner, W);
      const bool stopped =
          next.summary.termination == Termination::interrupted || next.summary.termination == Termination::time_limit;
      if (!best || next.objective > best->objective + kClearlyBetter * std::abs(best->objective)) {
        best = std::move(next);
        winner = number < 0 ? (start.size() > 0 ? "given" : "spectral")
                            : fmt::format("random start {} of {}", number + 1, randoms);
      } else if (stopped) {
        best->summary.termination = next.summary.termination;
        best->summary.message = next.summary.message;
      }
      if (stopped) break;
    } catch (const Interrupted& interrupted) {
      if (!best) throw;
      best->summary.termination = termination_of(interrupted);
      best->summary.message = fmt::format("{} in random start {} of {}", interrupted.text(), number + 1, randoms);
      break;
    }
  }

  Result result;
  result.found = std::move(*best);
  result.found.summary.used["start"] = winner;
  result.found.summary.used["degrees"] = degrees ? "the kernel matrix is divided by the roots of its row sums"
                                                 : "not used: the kernel has values that are not positive, or none "
                                                   "were asked for";
  result.quality = result.found.quality;
  result.by_degree = degrees;
  result.hsic_given = given_dependence(loop, result.found, context.uninterrupted());
  result.cost = problem.lambda * result.hsic_given - result.quality;
  for (const Labels& labels : problem.given)
    result.novelty.push_back(normalised_mutual_information(result.found.labels, labels.of));
  result.gap = result.found.embedding.values.tail(1)[0] - result.found.embedding.next;
  return result;
}

}  // namespace ritz::kdac
