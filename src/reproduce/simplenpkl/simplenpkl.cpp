// SPDX-License-Identifier: MIT
#include "reproduce/simplenpkl/simplenpkl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "reproduce/data_folder.hpp"
#include "reproduce/simplenpkl/parts.hpp"
#include "ritz/data/io.hpp"

namespace ritz::reproduce {

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

TextTable& SimplenpklRun::table(std::string title, std::vector<std::string> columns, std::vector<std::string> notes) {
  return found.tables.emplace_back(TextTable{std::move(title), std::move(columns), {}, std::move(notes)});
}

std::string SimplenpklRun::over_budget() const { return fmt::format("> {}", seconds_text(options.budget)); }

std::optional<PairFit> fit_pairs(SimplenpklRun& run, const Dataset& data, const KernelKnowledge& known,
                                 const KernelOptions& options, int r) {
  RunContext inner = limited(run.context, run.options.budget);
  inner.seed = run.context.seed + std::uint64_t(r);
  try {
    PairFit result{kernel::fit(data, known, options, inner)};
    run.context.poll();
    const Summary& summary = result.fit.fit.summary;
    result.seconds = summary.seconds.at("graph") + summary.seconds.at("solve");
    result.cut = summary.termination == Termination::time_limit;
    return result;
  } catch (const Interrupted&) {
    run.context.poll();  // of the whole run
    return std::nullopt;
  }
}

double rand_of(const KernelResult& fit, std::string_view baseline) {
  const auto found = std::ranges::find(fit.baselines, baseline, &kernel::Agreement::name);
  return found == fit.baselines.end() ? kUnknown : found->rand;
}

Reproduction simplenpkl(const SimplenpklOptions& options, RunContext& context, const Tell& tell) {
  SimplenpklRun run{options, context, tell};
  try {
    measure_small_sets(run);
    measure_adult(run);
    measure_embeddings(run);
    measure_coloured(run);
  } catch (const Interrupted& interrupted) {
    run.found.ended = interrupted.text();
  }
  std::erase_if(run.found.tables, [](const TextTable& table) { return table.rows.empty(); });
  return std::move(run.found);
}

}  // namespace ritz::reproduce
