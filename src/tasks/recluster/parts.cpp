// SPDX-License-Identifier: MIT
#include "tasks/recluster/parts.hpp"

#include <fmt/format.h>

#include <map>

#include "ritz/base/random.hpp"

namespace ritz::recluster {

std::vector<Index> chosen_rows(const std::vector<Labels>& given, Index n, Index count, std::uint64_t seed,
                               std::uint64_t place) {
  const std::vector<Index> order = Rng(seed, "tune", place).permutation(n);
  constexpr int kOfEach = 2;
  std::vector<bool> taken(std::size_t(n), false);
  Index have = 0;
  for (const Labels& labels : given) {
    std::map<int, int> seen;
    for (const Index i : order)
      if (++seen[labels.of[std::size_t(i)]] <= kOfEach && !taken[std::size_t(i)]) {
        taken[std::size_t(i)] = true;
        ++have;
      }
  }
  for (const Index i : order)
    if (have < count && !taken[std::size_t(i)]) {
      taken[std::size_t(i)] = true;
      ++have;
    }
  std::vector<Index> rows;
  for (Index i = 0; i < n; ++i)
    if (taken[std::size_t(i)]) rows.push_back(i);
  return rows;
}

Part part_of(const Samples& X, const std::vector<Labels>& given, const std::vector<Index>& rows) {
  Part part{RowMatrix(Index(rows.size()), X.cols()), {}};
  RowMatrix buffer;
  for (std::size_t i = 0; i < rows.size(); ++i)
    part.rows.row(Index(i)) =
        Eigen::Map<const Eigen::RowVectorXd>(X.rows_block({rows[i], rows[i] + 1}, buffer), X.cols());
  for (const Labels& labels : given) {
    Labels some{{}, labels.names};
    for (const Index i : rows) some.of.push_back(labels.of[std::size_t(i)]);
    part.given.push_back(std::move(some));
  }
  return part;
}

Matrix settled_on_parts(const kdac::Problem& problem, const kdac::Options& how, Matrix W, RunContext& context) {
  constexpr Index kFirstPart = 2000, kGrowth = 4;
  const Index n = problem.X.rows();
  kdac::Options quick = how;
  quick.dimension = W.cols();
  quick.restarts = 0;
  quick.init = Init::spectral;
  quick.curvature = Effort::never;
  for (Index count = kFirstPart; count < n / 2; count *= kGrowth) {
    const Part part =
        part_of(problem.X, problem.given, chosen_rows(problem.given, n, count, context.seed, std::uint64_t(count)));
    const Samples some(part.rows);
    RunContext inner = context.nested(fmt::format("{} samples", count));
    W = kdac::solve({some, problem.kernel, part.given, problem.lambda * double(n) / double(some.rows())}, quick, inner,
                    W)
            .found.W;
  }
  return W;
}

}  // namespace ritz::recluster
