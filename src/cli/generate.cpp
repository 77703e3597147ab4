// SPDX-License-Identifier: MIT

#include <filesystem>

#include "cli/session.hpp"
#include "ritz/base/version.hpp"
#include "ritz/data/synthetic.hpp"

namespace ritz::cli {

namespace {

struct GenerateFlags {
  RunOptions run;
  GenerateOptions generate;
  std::string json;  // empty: none, "-": standard output
  std::string set, output = "-";
};

// "folder/moons.csv.gz", "original.labels" -> "folder/moons.original.labels"
std::string beside(const std::string& output, const std::string& ending) {
  std::filesystem::path path(output);
  if (path.extension() == ".gz") path.replace_extension();
  path.replace_extension();
  return path.string() + "." + ending;
}

ExitStatus work_generate(GenerateFlags& flags) {
  require_outputs({{"data", flags.output, FileForm::matrix}, {"json", flags.json}});
  const RunContext context = make_context(flags.run);
  const Generated set = generate(flags.set, flags.generate, std::uint64_t(flags.run.seed));
  Json files = Json::object();
  const auto wrote = [&](const std::string& kind, const std::string& path) {
    files[kind] = path;
    if (path != "-") say(flags.run, "wrote {:<22} {}\n", kind, path);
  };
  write_dataset(flags.output, set.data, context);
  wrote("data", flags.output);
  if (flags.output != "-") {
    for (const NamedLabels& each : set.labels) {
      const std::string path = beside(flags.output, each.name + ".labels");
      write_labels(path, each.labels, context);
      wrote(each.name + " labels", path);
    }
    for (const NamedMatrix& each : set.extra) {
      const std::string path = beside(flags.output, each.name + ".csv");
      write_matrix(path, each.values, {}, context);
      wrote(each.name, path);
    }
  }
  print_json(flags.json, {{"ritz", version()},
                          {"verb", "generate"},
                          {"method", flags.set},
                          {"status", "fine"},
                          {"data", {{"n", set.data.rows()}, {"d", set.data.cols()}}},
                          {"files", files}});
  return ExitStatus::fine;
}

}  // namespace

Verb add_generate(CLI::App& root) {
  auto flags = std::make_shared<GenerateFlags>();
  CLI::App& app = *root.add_subcommand("generate", "Draw one of the synthetic data sets; see 'ritz list sets'");
  app.add_option("SET", flags->set, "name of the set")->required();
  app.add_option("--output", flags->output,
                 "where the data go; labels are written beside it (-: standard output, no labels)")
      ->type_name("FILE")
      ->default_str("-");
  add_fields(app, flags->generate);
  add_run_flags(app, flags->run, flags->json);
  return [flags] { return work_generate(*flags); };
}

}  // namespace ritz::cli
