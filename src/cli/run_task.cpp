// SPDX-License-Identifier: MIT
// A verb of the program for every row of the table of tasks, and what can be done with the models they leave.

#include "base/world.hpp"
#include "cli/session.hpp"
#include "metrics/clustering.hpp"

namespace ritz::cli {

namespace {

struct TaskFlags {
  RunOptions run;
  TaskCall call;
  std::map<std::string, std::string> sizes;
};

void add_input(CLI::App& app, const InputRow& row, Inputs& inputs) {
  if (row.value_name.empty()) return;
  const auto assign = [&inputs, name = row.name](const std::vector<std::string>& words) {
    inputs.others[name] = words;
  };
  CLI::Option* option =
      app.add_option_function<std::vector<std::string>>("--" + flag_name(row.name), assign, in_flags(row.help))
          ->type_name(row.value_name);
  if (row.repeated)
    option->expected(1)->take_all();
  else
    option->expected(1);
  if (row.required) option->required();
}

// Only the first of several ranks has it.
void require_files(const Inputs& inputs, const RunContext& context) {
  const std::vector<std::string> files = files_of(inputs);
  if (context.world && std::ranges::find(files, "-") != files.end())
    fail(ErrorCode::bad_option, "standard input reaches one of {} ranks only; give a file", context.world->size());
}

ExitStatus work_task(const Task& task, TaskFlags& flags) {
  RunContext context = make_context(flags.run);
  require_files(flags.call.inputs, context);
  TaskOutcome outcome;
  {
    const ProgressLine progress(flags.run, context, task.goal(flags.call));
    outcome = task.fit(flags.call, context);
  }
  say(flags.run, in_flags(outcome.text));
  if (context.world) say(flags.run, "  {:<12} {}\n", "ranks", context.world->size());
  for (const auto& [kind, path] : outcome.files)
    if (path != "-") say(flags.run, "  wrote {:<12} {}\n", kind, path);
  // Ctrl-C after the last iteration may have cost a part of the certificate or of the evaluation.
  return interrupted_by_user() ? ExitStatus::interrupted : status_of(outcome.summary);
}

}  // namespace

Verb add_task(CLI::App& root, const Task& task) {
  auto flags = std::make_shared<TaskFlags>();
  CLI::App& app = *root.add_subcommand(task.verb, task.summary);
  add_data_flags(app, task.data, flags->call.inputs.data);
  for (const InputRow& row : task.inputs) add_input(app, row, flags->call.inputs);
  add_rows(app, task.options, flags->call.options, task.check_options);
  for (const OutputRow& row : task.outputs)
    add_output(app, "--" + flag_name(row.option), flags->call.files[row.kind], in_flags(row.help));
  add_run_flags(app, flags->run, flags->call.files["json"]);
  return [flags, &task] {
    std::erase_if(flags->call.files, [](const auto& file) { return file.second.empty(); });
    return work_task(task, *flags);
  };
}

// --- models ---------------------------------------------------------------------------------------------------------

namespace {

struct ModelFlags {
  RunOptions run;
  Inputs inputs;
  PredictOptions predict;
  CheckOptions check;
  std::string model, output = "-", json;
};

std::vector<std::string> files_read(const ModelFlags& flags) {
  std::vector<std::string> files = files_of(flags.inputs);
  files.push_back(flags.model);
  return files;
}

// How far the predicted labels agree with those that came with the data.
Json agreement(const Labels& predicted, const Labels& truth) {
  double right = 0;
  for (std::size_t i = 0; i < predicted.of.size(); ++i)
    if (predicted.names[std::size_t(predicted.of[i])] == truth.names[std::size_t(truth.of[i])]) ++right;
  return {{"accuracy", right / double(predicted.size())},
          {"nmi", normalised_mutual_information(predicted.of, truth.of)}};
}

// Reads model and data, has `work` make the output of this kind (write it unless `both`: then the facts are what was
// asked for) and fill in the object.
template <class Work>
ExitStatus work_model(ModelFlags& flags, const char* verb, const char* kind, FileForm form, const Work& work) {
  const bool both = flags.output == "-" && flags.json == "-";
  require_outputs({{kind, both ? "" : flags.output, form}, {"json", flags.json, FileForm::json}}, files_read(flags));
  const RunContext context = make_context(flags.run);
  require_files(flags.inputs, context);
  const ModelFile model = load_model(flags.model);
  const Task& task = task_of(model);
  const auto data = flags.inputs.dataset(context);
  Json json = head_json(verb, model.method);
  json["data"] = {{"n", data->rows()}, {"d", data->cols()}};
  work(task, model, *data, both ? "" : flags.output, json, context);
  json["files"] = {{"model", flags.model}, {kind, flags.output}};
  json["peak_memory_bytes"] = peak_memory_bytes();
  print_json(flags.json, json);
  return ExitStatus::fine;
}

ExitStatus work_transform(ModelFlags& flags) {
  return work_model(flags, "transform", "embedding", FileForm::matrix,
                    [&](const Task& task, const ModelFile& model, const Dataset& data, const std::string& output,
                        Json& json, const RunContext& context) {
                      if (!task.transform)
                        fail(ErrorCode::unsupported, "{}: models of '{}' do not place new samples", flags.model,
                             task.verb);
                      const RowMatrix Z = task.transform(model, data, context);
                      if (!output.empty()) write_matrix(output, Z);
                      say(flags.run, "{} samples -> {} dimensions by {}\n", Z.rows(), Z.cols(), flags.model);
                      json["result"] = {{"dimension", Z.cols()}};
                    });
}

ExitStatus work_predict(ModelFlags& flags) {
  return work_model(flags, "predict", "labels", FileForm::labels,
                    [&](const Task& task, const ModelFile& model, const Dataset& data, const std::string& output,
                        Json& json, const RunContext& context) {
                      if (!task.predict)
                        fail(ErrorCode::unsupported, "{}: models of '{}' have no labels to give", flags.model,
                             task.verb);
                      const Prediction prediction = task.predict(model, data, flags.predict, context);
                      const Labels& labels = prediction.labels;
                      if (!output.empty()) write_labels(output, labels);
                      say(flags.run, "{} samples labelled by {}: {}\n", data.rows(), flags.model, prediction.rule);
                      json["used"] = {{"rule", prediction.rule}};
                      if (prediction.values.size() > 0) {
                        json["result"] = {{"values", labels.names}};
                        return;
                      }
                      json["result"] = {{"labels", labels.names}, {"counts", labels.counts()}};
                      if (data.labels.size() == 0) return;
                      const Json found = json["result"]["agreement"] = agreement(labels, data.labels);
                      say(flags.run, "  against the given labels: {:.1f} % the same, NMI {:.3f}\n",
                          100 * found["accuracy"].get<double>(), found["nmi"].get<double>());
                    });
}

ExitStatus work_check(ModelFlags& flags) {
  require_outputs({{"json", flags.json, FileForm::json}}, files_read(flags));
  const RunContext context = make_context(flags.run);
  require_files(flags.inputs, context);
  const ModelFile model = load_model(flags.model);
  const Task& task = task_of(model);
  if (flags.inputs.data.paths.empty() && task.data.required)
    fail(ErrorCode::bad_option, "X is required: the data that the model was fitted to");
  if (flags.inputs.data.paths.size() > 1 && !task.data.several)
    fail(ErrorCode::bad_option, "several files are for models of another verb than '{}'", task.verb);
  for (const auto& [name, value] : flags.inputs.others)
    if (std::ranges::find(task.inputs, name, &InputRow::name) == task.inputs.end())
      fail(ErrorCode::bad_option, "input.{} is for models of another verb than '{}'", name, task.verb);
  const CheckOutcome outcome = task.check(model, flags.inputs, flags.check, context);
  say(flags.run, in_flags(fmt::format("{}: {}", flags.model, outcome.text)));
  Json json = Json::parse(outcome.json);
  json["options"] = options_json(flags.check);
  json["files"] = {{"model", flags.model}};
  print_json(flags.json, json);
  return outcome.holds || !outcome.promised ? ExitStatus::fine : ExitStatus::not_converged;
}

CLI::App& add_model_verb(CLI::App& root, const char* verb, const char* summary, const DataRow& data,
                         ModelFlags& flags) {
  CLI::App& app = *root.add_subcommand(verb, summary);
  app.add_option("MODEL", flags.model, "file written by --save-model")->required();
  add_data_flags(app, data, flags.inputs.data);
  return app;
}

}  // namespace

Verb add_transform(CLI::App& root) {
  auto flags = std::make_shared<ModelFlags>();
  CLI::App& app = add_model_verb(root, "transform", "Apply a saved model to new data", {}, *flags);
  add_output(app, "--save-embedding", flags->output, "where the new coordinates go (-: standard output)")
      ->default_str("-");
  add_run_flags(app, flags->run, flags->json);
  return [flags] { return work_transform(*flags); };
}

Verb add_predict(CLI::App& root) {
  auto flags = std::make_shared<ModelFlags>();
  CLI::App& app = add_model_verb(root, "predict", "Label new data by a model: its cluster, or its nearest classes",
                                 {.labels = true}, *flags);
  add_fields(app, flags->predict);
  add_output(app, "--save-labels", flags->output, "where the labels go, one a line (-: standard output)")
      ->default_str("-");
  add_run_flags(app, flags->run, flags->json);
  return [flags] { return work_predict(*flags); };
}

Verb add_check(CLI::App& root) {
  auto flags = std::make_shared<ModelFlags>();
  // A model of a graph alone has no X; one of subspaces may have many.
  CLI::App& app =
      add_model_verb(root, "check", "Recompute a model's certificate from the data, trusting nothing of its solver",
                     {.required = false, .several = true, .labels = true}, *flags);
  for (const Task& task : tasks())
    for (const InputRow& row : task.inputs)
      if (row.check && !app.get_option_no_throw("--" + flag_name(row.name))) add_input(app, row, flags->inputs);
  add_fields(app, flags->check);
  add_run_flags(app, flags->run, flags->json);
  return [flags] { return work_check(*flags); };
}

// --- forecasts ------------------------------------------------------------------------------------------------------

Verb add_estimate(CLI::App& root) {
  CLI::App& verb = *root.add_subcommand("estimate", "Forecast memory and time of a verb, without running it");
  verb.require_subcommand(1);
  auto all = std::make_shared<SubVerbs>();
  for (const Task& task : tasks()) {
    auto flags = std::make_shared<TaskFlags>();
    auto json = std::make_shared<std::string>();
    CLI::App& app = *verb.add_subcommand(task.verb, fmt::format("forecast for 'ritz {}'", task.verb));
    DataRow data = task.data;
    data.required = false;
    add_data_flags(app, data, flags->call.inputs.data);
    for (InputRow row : task.inputs) {
      row.required = false;
      add_input(app, row, flags->call.inputs);
    }
    add_rows(app, task.sizes, flags->sizes, [&task](const auto& sizes) { task.check_sizes(sizes); });
    add_rows(app, task.options, flags->call.options, task.check_options);
    add_run_flags(app, flags->run, *json);
    all->emplace_back(&app, [flags, json, &task] {
      require_outputs({{"json", *json, FileForm::json}});
      const RunContext context = make_context(flags->run);
      const Forecast forecast = task.forecast(flags->call, flags->sizes, context);
      say(flags->run, in_flags(forecast.text));
      if (!json->empty()) print_json(*json, Json::parse(forecast.json));
      return forecast.fits ? ExitStatus::fine : ExitStatus::memory_budget;
    });
  }
  return [all] { return run_parsed(*all); };
}

}  // namespace ritz::cli
