// SPDX-License-Identifier: MIT
#include "tasks/loadings.hpp"

#include <unordered_map>

#include "tasks/row.hpp"

namespace ritz {

std::vector<FeatureGroup> level_groups(const std::vector<std::string>& names) {
  std::vector<FeatureGroup> groups;
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t j = 0; j < names.size(); ++j) {
    const std::size_t equals = names[j].find('=');
    const bool level = equals != std::string::npos && equals > 0;
    const auto [place, fresh] =
        level ? places.try_emplace(names[j].substr(0, equals), groups.size()) : std::pair(places.end(), true);
    if (fresh)
      groups.push_back({level ? place->first : names[j], {Index(j)}});
    else
      groups[place->second].features.push_back(Index(j));
  }
  for (FeatureGroup& group : groups)
    if (group.features.size() == 1) group.name = names[std::size_t(group.features.front())];
  return groups;
}

std::string shortened(const std::string& name, std::size_t most) {
  if (text_width(name) <= most) return name;
  const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  std::vector<std::size_t> letters;
  for (std::size_t i = 0; i < name.size(); ++i)
    if (begins(name[i])) letters.push_back(i);
  const std::size_t front = most / 2, back = most - front - 1;
  return name.substr(0, letters[front]) + "…" + name.substr(letters[letters.size() - back]);
}

std::string quoted_number(const std::string& name) { return read_double(name) ? fmt::format("'{}'", name) : name; }

std::string loadings_line(const Vector& loadings, const std::vector<std::string>& names, std::size_t most) {
  constexpr std::size_t kWidth = 78, kLeast = 2, kLevels = 2;
  constexpr double kNone = 1e-12;
  struct Entry {
    double strength;
    const FeatureGroup* group;
  };
  const std::vector<FeatureGroup> groups = level_groups(names);
  std::vector<Entry> entries;
  for (const FeatureGroup& group : groups) {
    double squares = 0;
    for (const Index j : group.features) squares += loadings[j] * loadings[j];
    if (std::sqrt(squares) >= kNone) entries.push_back({std::sqrt(squares), &group});
  }
  std::ranges::stable_sort(entries, [](const Entry& a, const Entry& b) { return a.strength > b.strength; });
  std::string line;
  for (std::size_t e = 0; e < std::min(most, entries.size()); ++e) {
    const FeatureGroup& group = *entries[e].group;
    std::string text;
    if (group.features.size() == 1) {
      text = fmt::format("{:+.2f} {}", loadings[group.features.front()], quoted_number(shortened(group.name)));
    } else {
      std::vector<Index> levels = group.features;
      std::ranges::stable_sort(levels, [&](Index a, Index b) { return std::abs(loadings[a]) > std::abs(loadings[b]); });
      std::string inside;
      for (std::size_t k = 0; k < std::min(kLevels, levels.size()); ++k)
        inside += fmt::format("{}{:+.2f} {}", k == 0 ? "" : ", ", loadings[levels[k]],
                              shortened(names[std::size_t(levels[k])].substr(group.name.size() + 1), 16));
      text = fmt::format("{:.2f} {} ({}{})", entries[e].strength, shortened(group.name, 20), inside,
                         levels.size() > kLevels ? ", …" : "");
    }
    if (e >= kLeast && text_width(line) + 2 + text_width(text) > kWidth) break;
    line += (line.empty() ? "" : ", ") + text;
  }
  return line;
}

}  // namespace ritz
