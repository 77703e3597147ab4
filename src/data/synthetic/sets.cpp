// SPDX-License-Identifier: MIT
#include <algorithm>

#include "data/synthetic/common.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/text.hpp"

namespace ritz {

const std::vector<SyntheticSet>& synthetic_sets() {
  using namespace synthetic;
  static const std::vector<SyntheticSet> sets = {
      {"sectors", "three classes on opposite sectors of a ring, hidden among ten features of larger noise", sectors},
      {"small-gauss", "four Gaussians on the corners of a square: two equally good clusterings", small_gauss},
      {"large-gauss", "four Gaussians in three features, and uniform noise of larger range", large_gauss},
      {"moons", "two parabolas in features 1-2, two Gaussians in features 3-4", moons},
      {"noisy-moons", "moons with three features of uniform noise", noisy_moons},
      {"diamond", "four Gaussians in two features, all other features uniform noise", diamond},
      {"squares", "pictures of a white square sliding over a black ground", squares},
      {"spiral", "two interleaved spirals of one and a half turns, and a feature of noise", spiral},
      {"chessboard", "uniform points on a 4 x 4 board, the class is the field's colour", chessboard},
      {"nested-ball", "subspaces on a sphere around a centre and on a small sphere inside it", nested_ball},
      {"arc", "subspaces of mixed dimension around a centre, denser on an arc of the sphere", arc},
      {"swiss-roll", "a flat strip rolled up without stretching", swiss_roll},
  };
  return sets;
}

Generated generate(std::string_view set, const GenerateOptions& options, std::uint64_t seed) {
  check(options);
  const auto& sets = synthetic_sets();
  const auto found = std::ranges::find(sets, set, &SyntheticSet::name);
  if (found == sets.end()) {
    std::vector<std::string> names;
    for (const SyntheticSet& each : sets) names.emplace_back(each.name);
    throw Error(ErrorCode::bad_option, "there is no synthetic set '" + std::string(set) + "'" + suggestion(set, names));
  }
  if (options.snr < kNoSnr && set != "nested-ball" && set != "arc")
    throw Error(ErrorCode::bad_option, "generate.snr is for collections of subspaces: nested-ball and arc");
  return found->make(options, seed);
}

}  // namespace ritz
