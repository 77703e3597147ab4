// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <memory>

#include "base/machine.hpp"
#include "cli/flags.hpp"
#include "cli/session.hpp"
#include "reproduce/gmeb/gmeb.hpp"
#include "reproduce/ism_ikdr/ism_ikdr.hpp"
#include "reproduce/ism_kdac/ism_kdac.hpp"
#include "reproduce/near_isometric/near_isometric.hpp"
#include "reproduce/simplenpkl/simplenpkl.hpp"

namespace ritz::cli {

namespace {

using Names = std::vector<std::string>;

Names all_of(const auto& names) { return {names.begin(), names.end()}; }

struct ReproduceOptions {
  static constexpr std::string_view name = "reproduce";
  Names only = {"all"}, sets = all_of(reproduce::kSets), solvers = all_of(reproduce::kSolvers);
  double budget = 20;
  Index folds = 10;
  bool quick = false;
  static constexpr auto fields() {
    return std::tuple{
        field("only", &ReproduceOptions::only,
              "parts: table4, table5 (or table4-supervised, table4-unsupervised, …), figure1b"),
        field("sets", &ReproduceOptions::sets, "data sets: wine, cancer, face, mnist"),
        field("solvers", &ReproduceOptions::solvers, "solvers of Table 4 and Figure 1b: ism, dg, sm, gm"),
        field("budget", &ReproduceOptions::budget, 0.01, 1e9, "seconds for one fit of a rival"),
        field("folds", &ReproduceOptions::folds, 2, 1000, "parts of the cross-validation (10: the stored split)"),
        field("quick", &ReproduceOptions::quick, "wine and cancer only, 2 seconds a fit: a first look in a minute")};
  }
};

struct KdacOptions {
  static constexpr std::string_view name = "reproduce";
  Names only = {"all"}, sets = all_of(reproduce::kKdacSets), solvers = {"ism"};
  double budget = 20;
  int random_starts = 0;
  static constexpr auto fields() {
    return std::tuple{
        field("only", &KdacOptions::only, "parts: table1, figure3"),
        field("sets", &KdacOptions::sets, "data sets: sg, lg, moon, moon-noise, flower, face, webkb"),
        field("solvers", &KdacOptions::solvers, "solvers of Table 1: ism, and the slow rivals sm and dg, or all"),
        field("budget", &KdacOptions::budget, 0.01, 1e9, "seconds for one fit"),
        field("random_starts", &KdacOptions::random_starts, 0, 1000, "fits of the rows with random starts; 0: none")};
  }
};

struct SimplenpklOptions {
  static constexpr std::string_view name = "reproduce";
  Names only = {"all"}, sets = {"all"};
  double budget = 60;
  int repetitions = 0;
  bool quick = false;
  static constexpr auto fields() {
    return std::tuple{
        field("only", &SimplenpklOptions::only,
              "parts: table2, table3, table4, table5, table7, figure1, figure2; unfold: table8, table9, figure3, "
              "figure5"),
        field("sets", &SimplenpklOptions::sets, "data sets by the names of the tables; a part takes those it knows"),
        field("budget", &SimplenpklOptions::budget, 0.01, 1e9, "seconds for one fit"),
        field("repetitions", &SimplenpklOptions::repetitions, 0, 100'000,
              "random draws; 0: 20 of pairs, 10 of samples (Tables 8, 9), 3 for Adult"),
        field("quick", &SimplenpklOptions::quick, "few draws, of Adult only a1a, without usps: a first look")};
  }
};

struct NearIsometricOptions {
  static constexpr std::string_view name = "reproduce";
  Names only = {"all"}, methods = {"all"};
  double budget = 60;
  bool quick = false;
  static constexpr auto fields() {
    return std::tuple{
        field("only", &NearIsometricOptions::only, "parts: table7.1, table7.2, table7.3, figure7.2"),
        field("methods", &NearIsometricOptions::methods, "auto, nile, fromax, numax"),
        field("budget", &NearIsometricOptions::budget, 0.01, 1e9, "seconds for one fit of a method of the paper"),
        field("quick", &NearIsometricOptions::quick,
              "60 squares, 95 digits, 2000 images of MNIST and three distortions of the figure: a first look")};
  }
};

struct GmebOptions {
  static constexpr std::string_view name = "reproduce";
  Names only = {"all"};
  int trials = 10;
  bool quick = false;
  static constexpr auto fields() {
    return std::tuple{
        field("only", &GmebOptions::only, "parts: example, figure5, figure6, figure7, figure8, figure9, figure10"),
        field("trials", &GmebOptions::trials, 1, 100'000, "draws of each collection; the paper has 100"),
        field("quick", &GmebOptions::quick, "few sizes, and at most three draws: a first look")};
  }
};

struct Flags {
  RunOptions run;
  ReproduceOptions reproduce;
  KdacOptions kdac;
  SimplenpklOptions simplenpkl;
  NearIsometricOptions near_isometric;
  GmebOptions gmeb;
  std::string json, markdown, plot;
};

// The known names that the user's list stands for; the part of a name before or after a '-' stands for all that have
// it.
Names expanded(const Names& asked, const auto& known, std::string_view flag) {
  Names result;
  for (const std::string& name : asked) {
    bool found = false;
    for (const std::string_view each : known)
      if (name == "all" || each == name || each.starts_with(name + "-") || each.ends_with("-" + name)) {
        if (std::ranges::find(result, each) == result.end()) result.emplace_back(each);
        found = true;
      }
    if (!found)
      throw Error(ErrorCode::bad_option,
                  fmt::format("{}: there is no '{}'{}", flag, name,
                              suggestion(name, std::vector<std::string>{known.begin(), known.end()})));
  }
  return result;
}

auto teller(const Flags& flags) {
  return [&flags](const std::string& line) { say(flags.run, fmt::format("  … {}\n", line)); };
}

// "out.svg" -> "out-figure1.svg"
std::string with_name(const std::string& path, const std::string& name) {
  const std::filesystem::path whole(path);
  return (whole.parent_path() / fmt::format("{}-{}{}", whole.stem().string(), name, whole.extension().string()))
      .string();
}

ExitStatus show(const Flags& flags, const reproduce::Reproduction& found, std::string_view paper, Json options) {
  std::string markdown;
  for (const TextTable& table : found.tables) {
    say(flags.run, '\n' + table_text(table));
    markdown += table_markdown(table) + '\n';
  }
  if (!found.ended.empty()) say(flags.run, fmt::format("incomplete: {}\n", found.ended));
  if (!flags.markdown.empty()) write_atomically(flags.markdown, [&](std::ostream& out) { out << markdown; });
  if (!flags.plot.empty()) {
    if (found.figures.empty()) say(flags.run, "  no picture: the figure was not among the parts\n");
    for (const reproduce::Figure& figure : found.figures) {
      const std::string path = found.figures.size() == 1 ? flags.plot : with_name(flags.plot, figure.name);
      write_atomically(path, [&](std::ostream& out) { out << figure.svg; });
      say(flags.run, fmt::format("  wrote {:<16} {}\n", figure.name, path));
    }
  }
  Json json = head_json("reproduce", paper, found.ended.empty() ? "fine" : "incomplete");
  json["options"] = std::move(options);
  json["result"] = found.rows;
  json["peak_memory_bytes"] = peak_memory_bytes();
  print_json(flags.json, json);
  if (interrupted_by_user()) return ExitStatus::interrupted;
  return found.ended.empty() ? ExitStatus::fine : ExitStatus::not_converged;
}

ExitStatus work(Flags& flags) {
  require_outputs({{"markdown", flags.markdown}, {"plot", flags.plot}, {"json", flags.json}});
  ReproduceOptions& asked = flags.reproduce;
  reproduce::IkdrOptions options;
  options.parts = expanded(asked.only, reproduce::kParts, "--only");
  options.sets = expanded(asked.sets, reproduce::kSets, "--sets");
  options.solvers = expanded(asked.solvers, reproduce::kSolvers, "--solvers");
  options.budget = asked.budget;
  options.folds = asked.folds;
  options.quick = asked.quick;
  if (asked.quick) {
    options.budget = std::min(options.budget, 2.0);
    std::erase_if(options.sets, [](const std::string& name) { return name == "face" || name == "mnist"; });
    if (options.sets.empty() && asked.only != Names{"figure1b"})
      throw Error(ErrorCode::bad_option, "--quick leaves out face and mnist: name wine or cancer in --sets");
  }
  RunContext context = make_context(flags.run);
  return show(flags, reproduce::ism_ikdr(options, context, teller(flags)), "ism-ikdr", options_json(asked));
}

ExitStatus work_kdac(Flags& flags) {
  require_outputs({{"markdown", flags.markdown}, {"plot", flags.plot}, {"json", flags.json}});
  const KdacOptions& asked = flags.kdac;
  reproduce::KdacOptions options;
  options.parts = expanded(asked.only, reproduce::kKdacParts, "--only");
  options.sets = expanded(asked.sets, reproduce::kKdacSets, "--sets");
  options.solvers = expanded(asked.solvers, reproduce::kKdacSolvers, "--solvers");
  options.budget = asked.budget;
  options.random_starts = asked.random_starts;
  RunContext context = make_context(flags.run);
  return show(flags, reproduce::ism_kdac(options, context, teller(flags)), "ism-kdac", options_json(asked));
}

ExitStatus work_simplenpkl(Flags& flags) {
  require_outputs({{"markdown", flags.markdown}, {"plot", flags.plot}, {"json", flags.json}});
  const SimplenpklOptions& asked = flags.simplenpkl;
  reproduce::SimplenpklOptions options;
  options.parts = expanded(asked.only, reproduce::kSimplenpklParts, "--only");
  options.sets = expanded(asked.sets, reproduce::kSimplenpklSets, "--sets");
  options.budget = asked.budget;
  options.repetitions = asked.repetitions;
  options.quick = asked.quick;
  if (asked.quick)
    std::erase_if(options.sets, [](const std::string& name) {
      return name == "a2a" || name == "a3a" || name == "a4a" || name == "a5a_like" || name == "usps";
    });
  Names known;
  for (const std::string& part : options.parts)
    for (std::string& name : reproduce::simplenpkl_sets_of(part))
      if (!reproduce::contains(known, name)) known.push_back(std::move(name));
  if (std::ranges::none_of(known, [&](const std::string& name) { return reproduce::contains(options.sets, name); }))
    throw Error(ErrorCode::bad_option, fmt::format("--sets leaves nothing to measure{}: {} is about {}",
                                                   asked.quick ? " (--quick leaves out a2a to a5a_like and usps)" : "",
                                                   fmt::join(options.parts, ", "), fmt::join(known, ", ")));
  RunContext context = make_context(flags.run);
  return show(flags, reproduce::simplenpkl(options, context, teller(flags)), "simplenpkl", options_json(asked));
}

ExitStatus work_near_isometric(Flags& flags) {
  require_outputs({{"markdown", flags.markdown}, {"plot", flags.plot}, {"json", flags.json}});
  const NearIsometricOptions& asked = flags.near_isometric;
  reproduce::NearIsometricOptions options;
  options.parts = expanded(asked.only, reproduce::kIsometryParts, "--only");
  options.methods = expanded(asked.methods, reproduce::kIsometryMethods, "--methods");
  options.budget = asked.budget;
  options.quick = asked.quick;
  RunContext context = make_context(flags.run);
  return show(flags, reproduce::near_isometric(options, context, teller(flags)), "near-isometric", options_json(asked));
}

ExitStatus work_gmeb(Flags& flags) {
  require_outputs({{"markdown", flags.markdown}, {"plot", flags.plot}, {"json", flags.json}});
  const GmebOptions& asked = flags.gmeb;
  reproduce::GmebOptions options;
  options.parts = expanded(asked.only, reproduce::kGmebParts, "--only");
  options.trials = asked.quick ? std::min(asked.trials, 3) : asked.trials;
  options.quick = asked.quick;
  RunContext context = make_context(flags.run);
  return show(flags, reproduce::gmeb(options, context, teller(flags)), "gmeb", options_json(asked));
}

}  // namespace

Verb add_reproduce(CLI::App& root) {
  auto flags = std::make_shared<Flags>();
  CLI::App& verb = *root.add_subcommand("reproduce", "The papers' tables and figures, measured here, next to theirs");
  verb.require_subcommand(1);
  CLI::App& app = *verb.add_subcommand(
      "ism-ikdr", "Tables 4 and 5 and Figure 1b of 'Solving Interpretable Kernel Dimension Reduction'");
  add_fields(app, flags->reproduce);
  add_output(app, "--markdown", flags->markdown, "the tables as Markdown");
  add_output(app, "--plot", flags->plot, "SVG picture of Figure 1b");
  add_run_flags(app, flags->run, flags->json);
  CLI::App& kdac = *verb.add_subcommand(
      "ism-kdac", "Table 1 and Figure 3 of 'Iterative Spectral Method for Alternative Clustering'");
  add_fields(kdac, flags->kdac);
  add_output(kdac, "--markdown", flags->markdown, "the tables as Markdown");
  add_output(kdac, "--plot", flags->plot, "SVG picture of Figure 3");
  add_run_flags(kdac, flags->run, flags->json);
  CLI::App& simplenpkl = *verb.add_subcommand("simplenpkl",
                                              "Tables 2 to 5 and 7 to 9, Figures 1, 2, 3 and 5 of 'A Family of Simple "
                                              "Non-Parametric Kernel Learning Algorithms'");
  add_fields(simplenpkl, flags->simplenpkl);
  add_output(simplenpkl, "--markdown", flags->markdown, "the tables as Markdown");
  add_output(simplenpkl, "--plot", flags->plot,
             "SVG picture of the figure; of several, each in a file of its own: FILE-figure1.svg, …");
  add_run_flags(simplenpkl, flags->run, flags->json);
  CLI::App& isometry = *verb.add_subcommand(
      "near-isometric",
      "Tables 7.1, 7.2 and 7.3 and Figure 7.2 of 'Practical Algorithms for Learning Near-Isometric Linear Embeddings'");
  add_fields(isometry, flags->near_isometric);
  add_output(isometry, "--markdown", flags->markdown, "the tables as Markdown");
  add_output(isometry, "--plot", flags->plot, "SVG picture of Figure 7.2");
  add_run_flags(isometry, flags->run, flags->json);
  CLI::App& gmeb = *verb.add_subcommand(
      "gmeb", "Section 5.1 and Figures 5 to 10 of 'On a Minimum Enclosing Ball of a Collection of Linear Subspaces'");
  add_fields(gmeb, flags->gmeb);
  add_output(gmeb, "--markdown", flags->markdown, "the tables as Markdown");
  add_output(gmeb, "--plot", flags->plot, "SVG pictures, each in a file of its own: FILE-figure5a.svg, …");
  add_run_flags(gmeb, flags->run, flags->json);
  return [flags, &kdac, &simplenpkl, &isometry, &gmeb] {
    return gmeb.parsed()         ? work_gmeb(*flags)
           : kdac.parsed()       ? work_kdac(*flags)
           : simplenpkl.parsed() ? work_simplenpkl(*flags)
           : isometry.parsed()   ? work_near_isometric(*flags)
                                 : work(*flags);
  };
}

}  // namespace ritz::cli
