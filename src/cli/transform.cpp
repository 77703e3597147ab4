// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <memory>

#include "base/machine.hpp"
#include "cli/flags.hpp"
#include "cli/session.hpp"
#include "ritz/tasks/center.hpp"
#include "ritz/tasks/isometry.hpp"
#include "tasks/kernel/model.hpp"
#include "tasks/reduce/model.hpp"
#include "tasks/unfold/model.hpp"

namespace ritz::cli {

namespace {

struct Flags {
  RunOptions run;
  DataFlags data;
  std::string json;  // empty: none, "-": standard output
  std::string model, embedding = "-";
};

ExitStatus work(Flags& flags) {
  const bool both = flags.embedding == "-" && flags.json == "-";  // then the facts are what was asked for
  require_outputs({{"embedding", both ? "" : flags.embedding}, {"json", flags.json}});
  const RunContext context = make_context(flags.run);
  const ModelFile model = load_model(flags.model);
  Dataset data = read_data(flags.data, context);
  const RowMatrix Z = model.method == kKernelMethod     ? extend_kernel(model, data, context).factor
                      : model.method == kUnfoldMethod   ? place_samples(model, data, context)
                      : model.method == kIsometryMethod ? measure_samples(model, data, context)
                      : model.method == kCenterMethod   ? center_coordinates(model, data)
                                                        : transform(model, data, context);
  if (!both) write_matrix(flags.embedding, Z);
  say(flags.run, fmt::format("{} samples -> {} dimensions by {}\n", Z.rows(), Z.cols(), flags.model));
  Json json = head_json("transform", model.method);
  json["data"] = {{"n", data.rows()}, {"d", data.cols()}};
  json["result"] = {{"dimension", Z.cols()}};
  json["files"] = {{"model", flags.model}, {"embedding", flags.embedding}};
  json["peak_memory_bytes"] = peak_memory_bytes();
  print_json(flags.json, json);
  return ExitStatus::fine;
}

}  // namespace

Verb add_transform(CLI::App& root) {
  auto flags = std::make_shared<Flags>();
  CLI::App& app = *root.add_subcommand("transform", "Apply a saved model to new data");
  app.add_option("MODEL", flags->model, "file written by --save-model")->required();
  add_data_flags(app, flags->data, false);
  add_output(app, "--save-embedding", flags->embedding, "where the new coordinates go (-: standard output)")
      ->default_str("-");
  add_run_flags(app, flags->run, flags->json);
  return [flags] { return work(*flags); };
}

}  // namespace ritz::cli
