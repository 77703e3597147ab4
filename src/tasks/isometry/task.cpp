// SPDX-License-Identifier: MIT
#include "ritz/tasks/isometry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "ritz/base/error.hpp"
#include "ritz/base/random.hpp"
#include "ritz/linalg/tall_products.hpp"
#include "ritz/pairs/backend.hpp"
#include "ritz/pairs/neighbours.hpp"
#include "tasks/reduce/prepare.hpp"

namespace ritz {

std::optional<SecantChoice> TextForm<SecantChoice>::parse(std::string_view text) {
  if (text == "all") return SecantChoice{};
  for (const auto& [word, kind] : {std::pair{std::string_view("sample:"), SecantChoice::Kind::sample},
                                   std::pair{std::string_view("nearest:"), SecantChoice::Kind::nearest}})
    if (text.starts_with(word)) {
      const auto count = read_integer(text.substr(word.size()));
      if (count && *count > 0) return SecantChoice{kind, Index(*count)};
    }
  return std::nullopt;
}

std::string TextForm<SecantChoice>::print(const SecantChoice& choice) {
  return choice.kind == SecantChoice::Kind::all
             ? "all"
             : fmt::format("{}:{}", choice.kind == SecantChoice::Kind::sample ? "sample" : "nearest", choice.count);
}

namespace {

constexpr Index kMostQueries = 2000;  // samples whose neighbours are looked up for the recall

using isometry::WeightedPair;

std::vector<WeightedPair> chosen_pairs(const RowMatrix& X, const SecantChoice& choice, const RunContext& context) {
  const Index n = X.rows(), all = n * (n - 1) / 2;
  std::vector<WeightedPair> pairs;
  if (choice.kind == SecantChoice::Kind::sample) {
    if (choice.count >= all) return {};
    Rng draw(context.seed, "secants");
    std::unordered_set<std::uint64_t> known;
    while (Index(pairs.size()) < choice.count) {
      const Index a = draw.below(n);
      Index b = draw.below(n - 1);
      b += b >= a;
      const Index low = std::min(a, b), high = std::max(a, b);
      if (known.insert(std::uint64_t(low) * std::uint64_t(n) + std::uint64_t(high)).second)
        pairs.push_back({low, high, 1});
    }
  } else if (choice.kind == SecantChoice::Kind::nearest) {
    if (choice.count >= n - 1) return {};
    const NeighbourTable table = nearest_neighbours(X, choice.count, context);
    for (Index i = 0; i < n; ++i)
      for (const Index j : table.rows_of(i)) {
        const bool mutual = j < i && std::ranges::find(table.rows_of(j), i) != table.rows_of(j).end();
        if (!mutual) pairs.push_back({std::min(i, j), std::max(i, j), 1});
      }
  }
  return pairs;
}

// The k nearest of each query, itself left out.
std::vector<std::vector<Index>> neighbours_of(const std::vector<Index>& queries, const RowMatrix& X, Index k,
                                              const RunContext& context) {
  RowMatrix some(Index(queries.size()), X.cols());
  for (std::size_t q = 0; q < queries.size(); ++q) some.row(Index(q)) = X.row(queries[q]);
  const NeighbourTable table = cross_neighbours(some, X, k + 1, context);
  std::vector<std::vector<Index>> found(queries.size());
  for (std::size_t q = 0; q < queries.size(); ++q) {
    for (const Index j : table.rows_of(Index(q)))
      if (j != queries[q] && Index(found[q].size()) < k) found[q].push_back(j);
    std::ranges::sort(found[q]);
  }
  return found;
}

double recall_of(const std::vector<std::vector<Index>>& truth, const std::vector<std::vector<Index>>& found) {
  double hits = 0, all = 0;
  for (std::size_t q = 0; q < truth.size(); ++q) {
    for (const Index j : found[q]) hits += std::ranges::binary_search(truth[q], j);
    all += double(truth[q].size());
  }
  return all > 0 ? hits / all : kUnknown;
}

isometry::Sweep measured(const RowMatrix& X, const std::vector<WeightedPair>& pairs, const Matrix& psi,
                         const RunContext& context) {
  return backend_or_cpu(context).distance_sweep(X, pairs, context)->sweep(psi, {}, context);
}

void judge(const RowMatrix& X, const IsometryOptions& options, Isometry& found, const RunContext& context) {
  const isometry::Sweep& own = found.fit.sweep;
  found.rows.push_back({"ritz", own.distortion, own.lowest, own.highest, kUnknown});
  std::vector<Matrix> others;
  const Index rank = found.fit.psi.rows();
  others.push_back(isometry::principal_measurements(X, rank, context));
  others.push_back(isometry::random_measurements(X.cols(), rank, context));
  for (std::size_t k = 0; k < others.size(); ++k) {
    const isometry::Sweep sweep = measured(X, found.pairs, others[k], context);
    isometry::centre_ratios(others[k], sweep);
    const double sum = sweep.lowest + sweep.highest, factor = sum > 0 ? 2 / sum : 1;
    // Weights, where there are some, would make another factor the best; then the rows are measured as they are.
    const double distortion = found.pairs.empty() ? (sweep.highest - sweep.lowest) / std::max(sum, 1e-300)
                                                  : measured(X, found.pairs, others[k], context).distortion;
    found.rows.push_back(
        {k == 0 ? "pca" : "random", distortion, factor * sweep.lowest, factor * sweep.highest, kUnknown});
  }
  if (options.recall == 0) return;
  const Index n = X.rows(), k = options.recall;
  const std::vector<Index> queries = Rng(context.seed, "isometry queries").sample(n, std::min(n, kMostQueries));
  found.recall = k;
  found.recall_queries = Index(queries.size());
  const auto truth = neighbours_of(queries, X, k, context);
  found.rows[0].recall =
      recall_of(truth, neighbours_of(queries, tall_product(X, Matrix(found.fit.psi.transpose()), context), k, context));
  for (std::size_t o = 0; o < others.size(); ++o)
    found.rows[o + 1].recall =
        recall_of(truth, neighbours_of(queries, tall_product(X, Matrix(others[o].transpose()), context), k, context));
}

// Dense rows: the data's own, or filled in.
const RowMatrix& dense_rows(const Dataset& data, RowMatrix& filled, const RunContext& context) {
  if (!data.sparse()) return data.dense();
  std::string left_out;
  filled = filled_in(data, context, left_out);
  if (!left_out.empty())
    throw Error(ErrorCode::memory, fmt::format("{}: sparse samples are filled in here, and {}", data.source, left_out));
  return filled;
}

void check_asked(const Dataset& data, const std::vector<WeightedPair>& given, const IsometryOptions& options,
                 const isometry::Options& how) {
  if (!(how.distortion > 0 && how.distortion < 1))
    throw Error(
        ErrorCode::bad_option,
        fmt::format("--distortion is {}; it must lie between 0 and 1, both left out: squared distances are kept "
                    "within a factor 1 - distortion to 1 + distortion",
                    number_text(how.distortion)));
  if (data.rows() < 2)
    throw Error(ErrorCode::bad_data, fmt::format("{}: one sample only; at least two are needed", data.source));
  if (how.rank > data.cols())
    throw Error(ErrorCode::bad_option,
                fmt::format("--rank is {}; it must lie in [1, {}] because the data has {} columns", how.rank,
                            data.cols(), data.cols()));
  if (options.recall >= data.rows())
    throw Error(ErrorCode::bad_option,
                fmt::format("--recall is {}; it must be below the number of samples, {}", options.recall, data.rows()));
  if (!given.empty() && options.secants.kind != SecantChoice::Kind::all)
    throw Error(ErrorCode::bad_option, "--pairs and --secants both say which pairs matter; give one of them");
}

}  // namespace

double isometry_bytes(double rows, double columns) {
  // The samples, the search's copy, the working set's, single precision twice, embedded points, tiles.
  return rows * columns * (8 * 3 + 4 * 2) + rows * std::min(columns, 200.0) * 24 + 2e8;
}

Isometry keep_distances(const Dataset& data, const std::vector<WeightedPair>& given, const IsometryOptions& options,
                        const isometry::Options& how, RunContext& context) {
  check_asked(data, given, options, how);
  require_memory(isometry_bytes(double(data.rows()), double(data.cols())), context, "keeping distances");
  RowMatrix filled;
  const RowMatrix& X = dense_rows(data, filled, context);
  Isometry found;
  found.n = data.rows();
  found.d = data.cols();
  found.data_hash = data_hash(data);
  found.feature_names = data.feature_names;
  found.pairs = given.empty() ? chosen_pairs(X, options.secants, context) : given;
  found.fit = isometry::solve({X, found.pairs}, how, context);
  if (how.rank > 0 && !found.fit.reached(how.distortion)) {
    if (found.fit.summary.termination == Termination::interrupted) throw Interrupted{Interrupted::Why::cancelled};
    if (found.fit.summary.termination == Termination::time_limit) throw Interrupted{Interrupted::Why::time_limit};
    throw Error(
        ErrorCode::infeasible,
        fmt::format("--rank {} does not reach the distortion {}: the least that was found at this rank is {:.4f}; "
                    "ask for more measurements, or leave --rank out",
                    how.rank, number_text(how.distortion), found.fit.distortion));
  }
  try {
    const PhaseTimer timer(found.fit.summary.seconds, "judge");
    judge(X, options, found, context);
  } catch (const Interrupted&) {  // the measurements are there; the comparison is not
    found.rows.resize(1);
  }
  return found;
}

Index principal_rank(const RowMatrix& X, double distortion, const RunContext& context) {
  const auto meter = backend_or_cpu(context).distance_sweep(X, {}, context);
  const Matrix all = isometry::principal_measurements(X, X.cols(), context);
  Index low = 0, high = X.cols();
  while (high - low > 1) {
    const Index rank = (low + high) / 2;
    const isometry::Sweep sweep = meter->sweep(all.topRows(rank), {}, context);
    ((sweep.highest - sweep.lowest) <= distortion * (sweep.highest + sweep.lowest) ? high : low) = rank;
  }
  return high;
}

RankAgainstDistortion sweep_distortions(const Dataset& data, const std::vector<double>& distortions,
                                        const IsometryOptions& options, const isometry::Options& how,
                                        RunContext& context) {
  RowMatrix filled;
  const RowMatrix& X = dense_rows(data, filled, context);
  RankAgainstDistortion found;
  for (const double distortion : distortions) {
    isometry::Options each = how;
    each.distortion = distortion;
    check_asked(data, {}, options, each);
    const auto start = std::chrono::steady_clock::now();
    const isometry::Result fit = isometry::solve({X, chosen_pairs(X, options.secants, context)}, each, context);
    if (fit.summary.termination == Termination::interrupted) break;
    found.distortions.push_back(distortion);
    found.ranks.push_back(fit.psi.rows());
    found.seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    found.psi = fit.psi;
    found.pca.push_back(principal_rank(X, distortion, context));
  }
  return found;
}

}  // namespace ritz
