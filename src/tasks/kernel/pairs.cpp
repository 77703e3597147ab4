// SPDX-License-Identifier: MIT
// The pairs on their way in and out.
#include <fmt/format.h>

#include "ritz/base/error.hpp"
#include "ritz/graph/pair_files.hpp"
#include "tasks/bounds/bounds.hpp"
#include "tasks/kernel/task.hpp"

namespace ritz::kernel {

PairSet given_pairs(const Inputs& inputs, const Dataset& data, const RunContext& context) {
  if (!inputs.has("pairs")) return {};
  if (const std::string path = inputs.word("pairs"); !path.empty())
    return read_pairs(path, data.rows(), context, data.ids);
  const RowMatrix& rows = rows_in(inputs, "pairs", 3);
  PairSet set{data.rows(), {}, "pairs", data.ids};
  for (Index k = 0; k < rows.rows(); ++k) {
    const auto [i, j] = ends_in(rows, k, data.rows(), "pairs");
    if (rows(k, 2) != 1 && rows(k, 2) != -1)
      throw Error(ErrorCode::bad_data, fmt::format("pairs, row {}: {} is not one of 1, -1", k + 1, rows(k, 2)));
    set.pairs.push_back({i, j, int(rows(k, 2)), k + 1});
  }
  return set;
}

std::string pairs_csv(const KernelResult& found) {
  std::string text = "i,j,link,alpha,kernel\n";
  const PairSet& set = found.pairs;
  for (std::size_t k = 0; k < set.pairs.size(); ++k) {
    const LinkedPair& pair = set.pairs[k];
    const double value = found.factor.row(pair.i).dot(found.factor.row(pair.j));
    const double alpha = Index(k) < found.fit.alpha.size() ? found.fit.alpha(Index(k)) : kUnknown;
    text += fmt::format("{},{},{},{},{}\n", set.name_of(pair.i), set.name_of(pair.j), pair.sign > 0 ? "must" : "cannot",
                        number_text(alpha), number_text(value));
  }
  return text;
}

std::string suggestions_csv(const KernelResult& found) {
  std::string text;
  for (const Edge& pair : found.suggestions)
    text += fmt::format("{},{}\n", found.pairs.name_of(pair.i), found.pairs.name_of(pair.j));
  return text;
}

}  // namespace ritz::kernel
