// SPDX-License-Identifier: MIT
#include "cli/session.hpp"
#include "reproduce/reproduction.hpp"

#include <filesystem>

namespace ritz::cli {

namespace {

struct PaperFlags {
  RunOptions run;
  std::map<std::string, std::string> options;
  std::string json, markdown, plot;
};

// "out.svg" -> "out-figure1.svg"
std::string with_name(const std::string& path, const std::string& name) {
  const std::filesystem::path whole(path);
  return (whole.parent_path() / fmt::format("{}-{}{}", whole.stem().string(), name, whole.extension().string()))
      .string();
}

ExitStatus show_paper(const PaperFlags& flags, const reproduce::Reproduction& found, const reproduce::Paper& paper) {
  std::string markdown;
  for (const TextTable& table : found.tables) {
    say(flags.run, '\n' + table_text(table));
    markdown += table_markdown(table) + '\n';
  }
  if (!found.ended.empty()) say(flags.run, "incomplete: {}\n", found.ended);
  if (!flags.markdown.empty()) write_atomically(flags.markdown, [&](std::ostream& out) { out << markdown; });
  if (!flags.plot.empty()) {
    if (found.figures.empty()) say(flags.run, "  no picture: the figure was not among the parts\n");
    for (const reproduce::Figure& figure : found.figures) {
      const std::string path = found.figures.size() == 1 ? flags.plot : with_name(flags.plot, figure.name);
      write_atomically(path, [&](std::ostream& out) { out << figure.svg; });
      say(flags.run, "  wrote {:<16} {}\n", figure.name, path);
    }
  }
  Json json = head_json("reproduce", paper.name, found.ended.empty() ? "fine" : "incomplete");
  json["options"] = paper.options_json(flags.options);
  json["result"] = found.rows;
  json["peak_memory_bytes"] = peak_memory_bytes();
  print_json(flags.json, json);
  if (interrupted_by_user()) return ExitStatus::interrupted;
  return found.ended.empty() ? ExitStatus::fine : ExitStatus::not_converged;
}

ExitStatus work_paper(const reproduce::Paper& paper, const PaperFlags& flags) {
  require_outputs(
      {{"markdown", flags.markdown}, {"plot", flags.plot, FileForm::picture}, {"json", flags.json, FileForm::json}});
  RunContext context = make_context(flags.run);
  const auto tell = [&](const std::string& line) { say(flags.run, "  … {}\n", line); };
  return show_paper(flags, paper.run(flags.options, context, tell), paper);
}

}  // namespace

Verb add_reproduce(CLI::App& root) {
  CLI::App& verb = *root.add_subcommand("reproduce", "The papers' tables and figures, measured here, next to theirs");
  verb.require_subcommand(1);
  auto all = std::make_shared<SubVerbs>();
  for (const reproduce::Paper& paper : reproduce::papers()) {
    auto flags = std::make_shared<PaperFlags>();
    CLI::App& app = *verb.add_subcommand(paper.name, paper.title);
    add_rows(app, paper.options, flags->options, paper.check_options);
    add_output(app, "--markdown", flags->markdown, "the tables as Markdown");
    add_output(app, "--plot", flags->plot, paper.pictures);
    add_run_flags(app, flags->run, flags->json);
    all->emplace_back(&app, [flags, &paper] { return work_paper(paper, *flags); });
  }
  return [all] { return run_parsed(*all); };
}

}  // namespace ritz::cli
