// SPDX-License-Identifier: MIT
#include "tasks/projection/null.hpp"

#include "metrics/modes.hpp"
#include "ritz/base/random.hpp"

namespace ritz::projection {

RowMatrix some_rows(const Samples& X, const std::vector<Index>& rows) {
  RowMatrix some(Index(rows.size()), X.cols()), buffer;
  for (std::size_t i = 0; i < rows.size(); ++i)
    some.row(Index(i)) = Eigen::Map<const Eigen::RowVectorXd>(X.rows_block({rows[i], rows[i] + 1}, buffer), X.cols());
  return some;
}

dependence::Null shuffled_columns(const RowMatrix& rows, int permutations,
                                  const std::function<double(const RowMatrix&)>& statistic, const RunContext& context) {
  dependence::Null null;
  null.observed = statistic(rows);
  RowMatrix shuffled(rows.rows(), rows.cols());
  for (int number = 0; number < permutations; ++number) {
    context.poll();
    Rng rng(context.seed, "null/columns", std::uint64_t(number));
    for (Index j = 0; j < rows.cols(); ++j) {
      const std::vector<Index> order = rng.permutation(rows.rows());
      for (Index i = 0; i < rows.rows(); ++i) shuffled(i, j) = rows(order[std::size_t(i)], j);
    }
    null.drawn.push_back(statistic(shuffled));
  }
  return null;
}

void look_at_columns(dependence::Null& null, const Dataset& data, const Labels& labels, const RunContext& context) {
  constexpr Index kRows = 1000;
  if (data.sparse() || !(null.p() > kNothingFound)) return;
  const std::vector<Index> rows = Rng(context.seed, "null/rows").sample(data.rows(), std::min(data.rows(), kRows));
  const Dataset some = select_rows(data, rows);
  if (some.stored()) return;
  const Index k = labels.classes();
  Vector between = Vector::Zero(data.cols());
  Vector sizes = Vector::Zero(k);
  RowMatrix means = RowMatrix::Zero(k, data.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const int c = labels.of[std::size_t(rows[i])];
    ++sizes[c];
    means.row(c) += some.dense().row(Index(i));
  }
  for (Index c = 0; c < k; ++c) means.row(c) /= std::max(1.0, sizes[c]);
  const Eigen::RowVectorXd mean = some.dense().colwise().mean();
  const Eigen::RowVectorXd whole = (some.dense().rowwise() - mean).colwise().squaredNorm();
  for (Index j = 0; j < data.cols(); ++j)
    if (whole[j] > 0) between[j] = sizes.dot((means.col(j).array() - mean[j]).square().matrix()) / whole[j];
  Index best = 0;
  between.maxCoeff(&best);
  const Vector column = some.dense().col(best);
  const double p = second_peak_p({column.begin(), column.end()}, Rng(context.seed, "null/peaks"));
  null.column_p = std::min(1.0, p * double(data.cols()));
  if (null.column_p <= kNothingFound) null.column = data.feature_names[std::size_t(best)];
}

bool nothing_found(double p, double column_p) { return p > kNothingFound && !(column_p <= kNothingFound); }

std::string chance_text(const dependence::Null& null, std::string_view of, std::string_view like, bool otherwise_told) {
  const auto reached = std::llround(null.p() * double(null.drawn.size() + 1)) - 1;
  const std::string text = fmt::format("{} of {} shuffles of {} {} {}", reached == 0 ? "none" : std::to_string(reached),
                                       null.drawn.size(), of, reached < 2 ? "has" : "have", like);
  if (otherwise_told && null.p() > kNothingFound)
    return fmt::format("p {:.3g}: {}; held-out samples show what this measure does not see", null.p(), text);
  if (nothing_found(null.p(), null.column_p))
    return fmt::format("NOTHING says that there is more than noise: p {:.3g}: {}", null.p(), text);
  if (null.column.empty()) return fmt::format("p {:.3g}: {}", null.p(), text);
  return fmt::format("{} falls into groups by itself (p {}), so {}", null.column,
                     null.column_p < 1e-4 ? "< 0.0001" : fmt::format("{:.2g}", null.column_p), text);
}

Json null_json(const dependence::Null& null, const char* statistic) {
  Json json = {{"p", null.p()}, {statistic, null.observed}, {"mean", null.mean()}, {"shuffles", null.drawn.size()}};
  if (!null.column.empty()) json.update({{"column", null.column}, {"column_p", null.column_p}});
  return json;
}

}  // namespace ritz::projection
