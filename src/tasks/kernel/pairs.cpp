// SPDX-License-Identifier: MIT
// The pairs on their way in and out.
#include <fmt/format.h>

#include "graph/pair_files.hpp"
#include "tasks/bounds/bounds.hpp"
#include "tasks/kernel/task.hpp"

namespace ritz::kernel {

PairSet given_pairs(const Inputs& inputs, const Dataset& data, const RunContext& context) {
  if (!inputs.has("pairs")) return {};
  const std::string path = inputs.word("pairs");
  return path.empty() ? linked_pairs(rows_of(inputs, "pairs"), data.rows(), data.ids)
                      : read_pairs(path, data.rows(), context, data.ids);
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
