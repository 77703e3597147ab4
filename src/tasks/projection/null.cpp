// SPDX-License-Identifier: MIT
#include "tasks/projection/null.hpp"

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

std::string chance_text(const dependence::Null& null, std::string_view of, std::string_view like) {
  const auto reached = std::llround(null.p() * double(null.drawn.size() + 1)) - 1;
  return fmt::format("{}p {:.3g}: {} of {} shuffles of {} {} {}",
                     null.p() > kNothingFound ? "NOTHING says that there is more than noise: " : "", null.p(),
                     reached == 0 ? "none" : std::to_string(reached), null.drawn.size(), of,
                     reached < 2 ? "has" : "have", like);
}

Json null_json(const dependence::Null& null, const char* statistic) {
  return {{"p", null.p()}, {statistic, null.observed}, {"mean", null.mean()}, {"shuffles", null.drawn.size()}};
}

}  // namespace ritz::projection
