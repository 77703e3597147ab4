// SPDX-License-Identifier: MIT
#include "data/synthetic/common.hpp"

#include <new>
#include <utility>

#include "ritz/base/error.hpp"

namespace ritz::synthetic {
namespace {

[[noreturn]] void reject(const Usual& usual, std::string_view field, Index value, const std::string& wanted,
                         std::string_view reason) {
  std::string message =
      std::string(usual.set) + ": " + std::string(field) + " is " + std::to_string(value) + "; it must be " + wanted;
  if (!reason.empty()) message += " because " + std::string(reason);
  throw Error(ErrorCode::bad_option, message);
}

}  // namespace

Sizes sizes(const Usual& usual, const GenerateOptions& options) {
  const Sizes chosen{options.samples > 0 ? options.samples : usual.samples,
                     options.features > 0 ? options.features : usual.features,
                     options.noise >= 0 ? options.noise : usual.noise};
  if (chosen.samples < usual.min_samples)
    reject(usual, "samples", chosen.samples, "at least " + std::to_string(usual.min_samples),
           "every group needs a member");
  if (usual.min_features == usual.max_features && chosen.features != usual.features)
    reject(usual, "features", chosen.features, std::to_string(usual.features), usual.features_reason);
  if (chosen.features < usual.min_features)
    reject(usual, "features", chosen.features, "at least " + std::to_string(usual.min_features), usual.features_reason);
  if (chosen.features > usual.max_features)
    reject(usual, "features", chosen.features, "at most " + std::to_string(usual.max_features), usual.features_reason);
  return chosen;
}

Rng stream(std::string_view set, std::uint64_t seed) { return Rng(seed, "generate/" + std::string(set)); }

RowMatrix table(Index rows, Index cols) {
  try {
    return RowMatrix(rows, cols);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::memory, "a table of " + std::to_string(rows) + " × " + std::to_string(cols) +
                                       " numbers does not fit into memory; ask for fewer samples or features");
  }
}

Labels labels_of(std::vector<int> of, std::vector<std::string> names) { return {std::move(of), std::move(names)}; }

Labels two_classes(std::vector<int> of) { return labels_of(std::move(of), {"0", "1"}); }

std::string numbered(std::string_view stem, Index number) {
  std::string name(stem);
  name += std::to_string(number);
  return name;
}

std::vector<std::string> feature_names(Index plain, Index total) {
  std::vector<std::string> names;
  for (Index j = 1; j <= total; ++j) names.push_back(j <= plain ? numbered("x", j) : numbered("noise_", j - plain));
  return names;
}

Generated assemble(const Usual& usual, RowMatrix samples, std::vector<std::string> names,
                   std::vector<NamedLabels> truths) {
  Generated made;
  made.data.samples = std::move(samples);
  made.data.feature_names = std::move(names);
  made.data.source = std::string(usual.set);
  if (!truths.empty()) made.data.labels = truths.front().labels;
  made.labels = std::move(truths);
  return made;
}

}  // namespace ritz::synthetic
