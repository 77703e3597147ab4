// SPDX-License-Identifier: MIT
#include "reproduce/simplenpkl/parts.hpp"

#include <numeric>

namespace ritz::reproduce {

namespace {

constexpr std::array<std::string_view, 11> kSimplenpklParts = {
    "table2",  "table3",        "table4",        "table5",         "table7",        "figure1",
    "figure2", "unfold-table8", "unfold-table9", "unfold-figure3", "unfold-figure5"};
constexpr std::array<std::string_view, 18> kSimplenpklSets = {
    "chessboard", "glass", "heart", "iris",     "sonar",      "soybean-small", "spiral",        "wine",   "a1a",
    "a2a",        "a3a",   "a4a",   "a5a_like", "ionosphere", "australian",    "breast-cancer", "senate", "usps"};

// The sets that a part is measured on, in the order of its table.
std::vector<std::string> simplenpkl_sets_of(std::string_view part) {
  if (part == "table2" || part == "table3")
    return {"chessboard", "glass", "heart", "iris", "sonar", "soybean-small", "spiral", "wine"};
  if (part == "table4" || part == "table5") return {"iris"};
  if (part == "table7") return {"a1a", "a2a", "a3a", "a4a", "a5a_like"};
  if (part == "figure1") return {"a1a", "a2a"};
  if (part == "figure2") return {"a1a"};
  if (part == "unfold-table8" || part == "unfold-table9")
    return {"wine", "ionosphere", "heart", "sonar", "glass", "spiral", "australian", "breast-cancer"};
  if (part == "unfold-figure3") return {"senate"};
  return {"usps"};
}

SimplenpklOptions settled(SimplenpklOptions asked) {
  asked.parts = expanded(asked.parts, kSimplenpklParts, "only");
  asked.sets = expanded(asked.sets, kSimplenpklSets, "sets");
  if (asked.quick)
    std::erase_if(asked.sets, [](const std::string& name) {
      return name == "a2a" || name == "a3a" || name == "a4a" || name == "a5a_like" || name == "usps";
    });
  std::vector<std::string> known;
  for (const std::string& part : asked.parts)
    for (std::string& name : simplenpkl_sets_of(part))
      if (!contains(known, name)) known.push_back(std::move(name));
  if (std::ranges::none_of(known, [&](const std::string& name) { return contains(asked.sets, name); }))
    fail(ErrorCode::bad_option, "reproduce.sets leaves nothing to measure{}: {} is about {}",
         asked.quick ? " (reproduce.quick leaves out a2a to a5a_like and usps)" : "", fmt::join(asked.parts, ", "),
         fmt::join(known, ", "));
  return asked;
}

void measure(SimplenpklRun& run) {
  measure_small_sets(run);
  measure_adult(run);
  measure_embeddings(run);
  measure_coloured(run);
}

}  // namespace

std::vector<std::string> SimplenpklRun::sets(std::string_view part) const {
  std::vector<std::string> names = simplenpkl_sets_of(part);
  std::erase_if(names, [&](const std::string& name) { return !contains(options.sets, name); });
  return names;
}

int SimplenpklRun::repetitions(int usual, int quick) const {
  if (options.repetitions > 0) return options.repetitions;
  return options.quick ? quick : usual;
}

const Dataset& SimplenpklRun::set(const std::string& name) {
  if (const auto known = read.find(name); known != read.end()) return known->second;
  const bool adult = contains(simplenpkl_sets_of("table7"), name);
  const std::string samples = "npkl/" + name + (adult ? ".libsvm.gz" : name == "usps" ? ".u8.npy" : ".csv");
  Dataset data = read_dataset(data_file(samples), {}, context);
  if (!adult) data.labels = read_labels(data_file("npkl/" + name + ".labels"), context);
  if (name == "usps") {  // its published test part, as in the paper
    std::vector<Index> rows(2007);
    std::iota(rows.begin(), rows.end(), Index(7291));
    data = select_rows(data, rows);
  }
  return read.emplace(name, std::move(data)).first->second;
}

std::optional<PairFit> fit_pairs(SimplenpklRun& run, const Dataset& data, const KernelKnowledge& known,
                                 const KernelOptions& options, int r) {
  return run.within_budget([&](RunContext& inner) {
    inner.seed = run.context.seed + std::uint64_t(r);
    PairFit result{kernel::fit(data, known, options, inner)};
    const Summary& summary = result.fit.fit.summary;
    result.seconds = summary.seconds.at("graph") + summary.seconds.at("solve");
    result.cut = summary.termination == Termination::time_limit;
    return result;
  });
}

double rand_of(const KernelResult& fit, std::string_view baseline) {
  const auto found = std::ranges::find(fit.baselines, baseline, &kernel::Agreement::name);
  return found == fit.baselines.end() ? kUnknown : found->rand;
}

Paper simplenpkl() {
  return paper("simplenpkl",
               "Tables 2 to 5 and 7 to 9, Figures 1, 2, 3 and 5 of 'A Family of Simple Non-Parametric Kernel Learning "
               "Algorithms'",
               "SVG picture of the figure; of several, each in a file of its own: FILE-figure1.svg, …", settled,
               measure);
}

}  // namespace ritz::reproduce
