// SPDX-License-Identifier: MIT
// A verb of the program for every row of the table of tasks, and what can be done with the models they leave.

#include "base/world.hpp"
#include "cli/session.hpp"
#include "metrics/clustering.hpp"
#include "metrics/regression.hpp"
#include "tasks/model/table.hpp"

namespace ritz::cli {

namespace {

void add_bare_flag(CLI::App& app, bool& bare) {
  app.add_flag("--bare", bare, "write tables as numbers alone, without a header and without names");
}

void add_checkpoint_flags(CLI::App& app, CheckpointFile& checkpoint) {
  add_output(app, "--checkpoint", checkpoint.file,
             "keep what is done in this file, so that --resume can go on after a kill, Ctrl-C or the time limit");
  app.add_option_function<std::string>(
         "--checkpoint-minutes",
         [&checkpoint](const std::string& text) {
           const auto minutes = read_double(text);
           if (!minutes || !(*minutes >= 0) || *minutes > 1e6)
             fail(ErrorCode::bad_option, "run.checkpoint_minutes is {}; it must lie in [0, 1000000]", text);
           checkpoint.minutes = *minutes;
         },
         "between two writings of it; 0: whenever something is done")
      ->type_name("VALUE")
      ->default_str("10");
  add_output(
      app, "--resume", checkpoint.resume,
      "go on with the run that wrote this checkpoint; the same data, options and program end with the same bits");
}

struct TaskFlags {
  RunOptions run;
  TaskCall call;
  std::string manifest;
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

// A line each, or one for many.
void say_written(const RunOptions& options, const std::vector<std::pair<std::string, std::string>>& files) {
  constexpr std::size_t kLines = 4;
  std::vector<std::string> written;
  for (const auto& [kind, path] : files)
    if (path != "-") written.push_back(files.size() > kLines ? path : fmt::format("{:<12} {}", kind, path));
  if (files.size() > kLines) written = {fmt::format("{}", fmt::join(written, ", "))};
  for (const std::string& line : written) say(options, "  wrote {}\n", line);
}

// Only the first of several ranks has it.
void require_files(const Inputs& inputs, const RunContext& context) {
  const std::vector<std::string> files = files_of(inputs);
  if (context.world && std::ranges::find(files, "-") != files.end())
    fail(ErrorCode::bad_option, "standard input reaches one of {} ranks only; give a file", context.world->size());
}

ExitStatus work_task(const Task& task, TaskFlags& flags, const Words& words) {
  if (!flags.manifest.empty()) require_repeatable(flags.call, flags.manifest);
  flags.call.command = repeating_command(task, words);
  RunContext context = make_context(flags.run);
  require_files(flags.call.inputs, context);
  TaskOutcome outcome;
  try {
    const ProgressLine progress(flags.run, context, task.goal(flags.call));
    outcome = task.fit(flags.call, context);
  } catch (const Interrupted&) {
    if (const std::string& path = flags.call.checkpoint.path(); !path.empty())
      say(flags.run, "  {:<12} {}: --resume {} goes on from here\n", "checkpoint", path, path);
    throw;
  }
  say(flags.run, in_flags(outcome.text));
  if (context.world) say(flags.run, "  {:<12} {}\n", "ranks", context.world->size());
  if (flags.run.verbose) say(flags.run, "details\n" + in_flags(outcome.details));
  say_written(flags.run, outcome.files);
  if (!flags.manifest.empty()) {
    write_manifest(flags.manifest, task, flags.call, flags.run, words, outcome);
    say_written(flags.run, {{"manifest", flags.manifest}});
  }
  // Ctrl-C after the last iteration may have cost a part of the certificate or of the evaluation.
  return interrupted_by_user() ? ExitStatus::interrupted : status_of(outcome.summary);
}

}  // namespace

Verb add_task(CLI::App& root, const Task& task, const Words& words) {
  auto flags = std::make_shared<TaskFlags>();
  CLI::App& app = *root.add_subcommand(task.verb, task.summary);
  add_data_flags(app, task.data, flags->call.inputs.data);
  for (const InputRow& row : task.inputs) add_input(app, row, flags->call.inputs);
  add_rows(app, task.options, flags->call.options, task.check_options);
  for (const OutputRow& row : task.outputs)
    add_output(app, "--" + flag_name(row.option), flags->call.files[row.kind], in_flags(row.help));
  add_bare_flag(app, flags->call.bare);
  add_checkpoint_flags(app, flags->call.checkpoint);
  add_output(app, "--manifest", flags->manifest, "what 'ritz replay' needs to repeat the run and to compare its bits");
  add_run_flags(app, flags->run, flags->call.files["json"]);
  return [flags, &task, words] {
    std::erase_if(flags->call.files, [](const auto& file) { return file.second.empty(); });
    return work_task(task, *flags, words);
  };
}

// --- models ---------------------------------------------------------------------------------------------------------

namespace {

struct ModelFlags {
  RunOptions run;
  Inputs inputs;
  PredictOptions predict;
  CheckOptions check;
  std::string model, output = "-", json, votes;
  bool bare = false;
};

std::vector<std::string> files_read(const ModelFlags& flags) {
  std::vector<std::string> files = files_of(flags.inputs);
  files.push_back(flags.model);
  return files;
}

// Classes of the truth against those predicted, in numbers of samples.
struct Confusion {
  std::vector<std::string> given, predicted;
  std::vector<std::vector<Index>> counts;  // a row a given class
  Index right = 0;
};

// Clusters have the names of the classes that they match best.
Confusion confusion_of(const Prediction& prediction, const Labels& truth) {
  const Labels& labels = prediction.labels;
  std::vector<std::string> names = labels.names;
  if (prediction.clusters) {
    const std::vector<int> matched = matched_classes(labels.of, labels.classes(), truth.of, truth.classes());
    for (std::size_t c = 0; c < names.size(); ++c)
      names[c] = matched[c] >= 0 ? truth.names[std::size_t(matched[c])] : "cluster " + names[c];
  }
  Confusion found{truth.names, truth.names, {}, 0};
  std::vector<std::size_t> column;
  for (const std::string& name : names) {
    const auto at = std::ranges::find(found.predicted, name);
    column.push_back(std::size_t(at - found.predicted.begin()));
    if (at == found.predicted.end()) found.predicted.push_back(name);
  }
  found.counts.assign(found.given.size(), std::vector<Index>(found.predicted.size(), 0));
  for (std::size_t i = 0; i < labels.of.size(); ++i) {
    const std::size_t row = std::size_t(truth.of[i]), at = column[std::size_t(labels.of[i])];
    ++found.counts[row][at];
    found.right += row == at;
  }
  return found;
}

void write_votes(const std::string& path, const Prediction& prediction, const std::vector<std::string>& ids,
                 bool bare) {
  if (path.empty()) return;
  if (prediction.votes.size() == 0)
    fail(ErrorCode::unsupported, "predict.save_votes: this model has no classes to vote for");
  Content table = NamedColumns{prediction.votes, prediction.labels.names, RowKind::sample};
  if (!bare) name_samples(table, path, ids);
  write_content(path, table, bare);
}

// As a table where it fits the screen, else the commonest mistakes.
std::string confusion_text(const Confusion& found) {
  constexpr std::size_t kMostColumns = 10, kMistakes = 5;
  TextTable table;
  if (found.predicted.size() <= kMostColumns) {
    table.columns = {"given \\ predicted"};
    table.columns.insert(table.columns.end(), found.predicted.begin(), found.predicted.end());
    for (std::size_t r = 0; r < found.given.size(); ++r) {
      table.rows.push_back({found.given[r]});
      for (const Index count : found.counts[r]) table.rows.back().push_back(std::to_string(count));
    }
    return table_text(table);
  }
  std::vector<std::tuple<Index, std::size_t, std::size_t>> mistakes;
  for (std::size_t r = 0; r < found.given.size(); ++r)
    for (std::size_t c = 0; c < found.predicted.size(); ++c)
      if (r != c && found.counts[r][c] > 0) mistakes.emplace_back(-found.counts[r][c], r, c);
  std::ranges::sort(mistakes);
  if (mistakes.size() > kMistakes) mistakes.resize(kMistakes);
  table.columns = {"given", "predicted", "samples"};
  for (const auto& [count, r, c] : mistakes)
    table.rows.push_back({found.given[r], found.predicted[c], std::to_string(-count)});
  return mistakes.empty() ? "" : "  the commonest mistakes\n" + table_text(table);
}

// What the prediction says beside its labels, and against the labels that came with the data.
void judge_prediction(const RunOptions& options, const Prediction& prediction, const Dataset& data, Json& result) {
  if (prediction.votes.size() > 0) {
    double sure = 0;
    for (Index i = 0; i < prediction.votes.rows(); ++i) sure += prediction.votes.row(i).maxCoeff() >= 1;
    say(options, "  {:.1f} % of them by all votes\n", 100 * sure / double(prediction.votes.rows()));
    result["votes"] = Json::array();
    for (Index i = 0; i < prediction.votes.rows(); ++i)
      result["votes"].push_back(vector_json(prediction.votes.row(i).transpose()));
  }
  if (data.labels.size() == 0) return;
  const Confusion confusion = confusion_of(prediction, data.labels);
  const double share = double(confusion.right) / double(data.rows());
  result["agreement"] = {{"accuracy", share},
                         {"nmi", normalised_mutual_information(prediction.labels.of, data.labels.of)}};
  result["confusion"] = {{"given", confusion.given}, {"predicted", confusion.predicted}, {"counts", confusion.counts}};
  say(options, "  against the given labels: {:.1f} % the same{}, NMI {:.3f}\n{}", 100 * share,
      prediction.clusters ? ", clusters matched to classes" : "", result["agreement"]["nmi"].get<double>(),
      confusion_text(confusion));
}

// What the model says of numbers, against those that came with the data.
void judge_numbers(const RunOptions& options, const Prediction& prediction, const RowMatrix& targets,
                   const std::vector<std::string>& names, Json& result) {
  const Index n = targets.rows();
  const Vector error = ((targets - prediction.values).colwise().norm() / std::sqrt(double(n))).transpose();
  const Vector spread =
      ((targets.rowwise() - targets.colwise().mean()).colwise().norm() / std::sqrt(double(n))).transpose();
  const double r2 = explained_variance(targets, prediction.values);
  result["agreement"] = {{"r2", r2}, {"rmse", vector_json(error)}, {"rmse_of_mean", vector_json(spread)}};
  const std::string share =
      std::isfinite(r2) ? fmt::format("R2 {:.3f}", r2) : "they do not vary, so that there is no R2";
  if (targets.cols() == 1) {
    say(options,
        "  against the given targets: {}; off by {:.4g} (root of the mean square), always their mean by {:.4g}\n",
        share, error(0), spread(0));
    return;
  }
  say(options, "  against the given targets: {}, the mean of all {}\n", share, targets.cols());
  TextTable table{.columns = {"target", "R2", "off by", "their mean"}};
  for (Index t = 0; t < targets.cols(); ++t) {
    const double one = explained_variance(targets.col(t), prediction.values.col(t));
    table.rows.push_back({std::size_t(t) < names.size() ? names[std::size_t(t)] : std::to_string(t + 1),
                          std::isfinite(one) ? fmt::format("{:.3f}", one) : "-", fmt::format("{:.4g}", error(t)),
                          fmt::format("{:.4g}", spread(t))});
  }
  say(options, "{}", table_text(table));
}

// Reads model and data, has `work` make the output of this kind (write it unless `both`: then the facts are what was
// asked for) and fill in the object.
template <class Work>
ExitStatus work_model(ModelFlags& flags, const char* verb, const char* kind, FileForm form, const Work& work) {
  const bool both = flags.output == "-" && flags.json == "-";
  require_outputs({{kind, both ? "" : flags.output, form},
                   {"votes", flags.votes, FileForm::matrix},
                   {"json", flags.json, FileForm::json}},
                  files_read(flags));
  const RunContext context = make_context(flags.run);
  require_files(flags.inputs, context);
  const ModelFile model = load_model(flags.model);
  const Task& task = task_of(model);
  Inputs inputs = flags.inputs;
  inputs.data = source_for(model, inputs.data);
  inputs.data.read.may_stay = task.data.stays;
  const auto [data, targets] = samples_and_targets(inputs, context);
  for (const std::string& note : data->notes) say(flags.run, in_flags(fmt::format("  note {}\n", note)));
  Json json = head_json(verb, model.method);
  json["data"] = {{"n", data->rows()}, {"d", data->cols()}};
  json["notes"] = data->notes;
  add_reading(json["data"], *data);
  work(task, model, *data, targets, both ? "" : flags.output, json, context);
  json["files"] = {{"model", flags.model}, {kind, flags.output}};
  json["peak_memory_bytes"] = peak_memory_bytes();
  print_json(flags.json, json);
  return ExitStatus::fine;
}

ExitStatus work_transform(ModelFlags& flags) {
  return work_model(
      flags, "transform", "embedding", FileForm::matrix,
      [&](const Task& task, const ModelFile& model, const Dataset& data, const RowMatrix&, const std::string& output,
          Json& json, const RunContext& context) {
        if (!task.transform)
          fail(ErrorCode::unsupported, "{}: models of '{}' do not place new samples", flags.model, task.verb);
        const RowMatrix Z = task.transform(model, data, context);
        Content table = NamedColumns{Z, numbered_names("axis", Z.cols()), RowKind::sample};
        if (!flags.bare) name_samples(table, output, data.ids);
        if (!output.empty()) write_content(output, table, flags.bare);
        say(flags.run, "{} -> {} by {}\n", counted(Z.rows(), "sample"), counted(Z.cols(), "dimension"), flags.model);
        json["result"] = {{"dimension", Z.cols()}};
      });
}

// The samples are those that the model remembers.
bool was_fitted_to(const ModelFile& model, const Dataset& data) {
  const Json info = Json::parse(model.info), none = Json::object();
  const Json facts = info.value("data", none);
  return facts.is_object() && facts.value("hash", "") == data_hash(data);
}

ExitStatus work_predict(ModelFlags& flags) {
  return work_model(
      flags, "predict", "labels", FileForm::labels,
      [&](const Task& task, const ModelFile& model, const Dataset& data, const RowMatrix& targets,
          const std::string& output, Json& json, const RunContext& context) {
        if (!task.predict)
          fail(ErrorCode::unsupported,
               "{}: models of '{}' have no labels to give; those of reduce, recluster and kernel do, and those of "
               "center with groups",
               flags.model, task.verb);
        const Prediction prediction = task.predict(model, data, flags.predict, context);
        const bool numbers = prediction.values.size() > 0;
        if (targets.size() > 0 && !numbers)
          fail(ErrorCode::bad_option,
               "reduce.targets and reduce.target_column are for models of numbers; this one gives labels: compare them "
               "with input.labels or input.label_column");
        if (targets.size() > 0 && targets.cols() != prediction.values.cols())
          fail(ErrorCode::bad_shape, "there are {} given, the model explains {}", counted(targets.cols(), "target"),
               prediction.values.cols());
        const Labels& labels = prediction.labels;
        Content content = labels;
        if (!flags.bare) name_samples(content, output, data.ids);
        if (!output.empty()) write_content(output, content);
        write_votes(flags.votes, prediction, data.ids, flags.bare);
        say(flags.run, "{} labelled by {}: {}\n", counted(data.rows(), "sample"), flags.model, prediction.rule);
        json["used"] = {{"rule", prediction.rule}};
        const auto tell = [&](const std::string& note) {
          json["notes"].push_back(note);
          say(flags.run, "  note         {}\n", in_flags(note));
        };
        if (numbers) {
          json["result"] = {{"values", labels.names}};
          if (targets.size() > 0)
            judge_numbers(flags.run, prediction, targets, flags.inputs.words("target_column"), json["result"]);
          if (data.labels.size() > 0)
            tell(
                "the labels were not looked at: this model gives numbers, which reduce.target_column compares with a "
                "column of X");
        } else {
          json["result"] = {{"labels", labels.names}, {"counts", labels.counts()}};
          judge_prediction(flags.run, prediction, data, json["result"]);
        }
        if ((numbers ? targets.size() : Index(data.labels.size())) == 0 || !was_fitted_to(model, data)) return;
        const std::string how = task.verb == "reduce" ? ": --holdout 0.3 of the fit says how much" : "";
        tell("these are the samples of the fit, each among its own neighbours; new ones do worse" + how);
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
  if (flags.run.verbose && !outcome.details.empty()) say(flags.run, "details\n" + in_flags(outcome.details));
  Json json = Json::parse(outcome.json);
  json["options"] = options_json(flags.check);
  json["files"] = {{"model", flags.model}};
  print_json(flags.json, json);
  return outcome.holds || !outcome.promised ? ExitStatus::fine : ExitStatus::not_converged;
}

ExitStatus work_report(ModelFlags& flags) {
  require_outputs({{"report", flags.output, FileForm::text}}, files_read(flags));
  const RunContext context = make_context(flags.run);
  const ModelFile model = load_model(flags.model);
  const Task& task = task_of(model);
  const bool given = !flags.inputs.data.paths.empty();
  if (given && !task.data.table)
    fail(ErrorCode::bad_option, "a report of '{}' is made from the model alone; leave X out", task.verb);
  const auto data = given ? flags.inputs.dataset(model, context) : nullptr;
  write_content(flags.output, task.report(model, data.get(), context));
  if (flags.output != "-") say(flags.run, "  wrote {:<12} {}\n", "report", flags.output);
  return ExitStatus::fine;
}

CLI::App& add_model_verb(CLI::App& root, const char* verb, const char* summary, const DataRow& data,
                         ModelFlags& flags) {
  CLI::App& app = *root.add_subcommand(verb, summary);
  app.add_option("MODEL", flags.model, "file written by --save-model")->required();
  add_data_flags(app, data, flags.inputs.data, ColumnFlags::fitted);
  return app;
}

}  // namespace

Verb add_transform(CLI::App& root) {
  auto flags = std::make_shared<ModelFlags>();
  CLI::App& app = add_model_verb(root, "transform", "Apply a saved model to new data", {}, *flags);
  add_output(app, "--save-embedding", flags->output, "where the new coordinates go (-: standard output)")
      ->default_str("-");
  add_bare_flag(app, flags->bare);
  add_run_flags(app, flags->run, flags->json);
  return [flags] { return work_transform(*flags); };
}

Verb add_predict(CLI::App& root) {
  auto flags = std::make_shared<ModelFlags>();
  CLI::App& app = add_model_verb(
      root, "predict", "Label new data by a model: its cluster, its nearest classes, or the numbers it explains",
      {.labels = true}, *flags);
  for (const Task& task : tasks())
    for (const InputRow& row : task.inputs)
      if (row.predict) add_input(app, row, flags->inputs);
  add_fields(app, flags->predict);
  add_output(app, "--save-labels", flags->output, "where the labels go, one a line (-: standard output)")
      ->default_str("-");
  add_output(app, "--save-votes", flags->votes, "share of the neighbours that have each class, a row a sample");
  add_bare_flag(app, flags->bare);
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

Verb add_report(CLI::App& root) {
  auto flags = std::make_shared<ModelFlags>();
  CLI::App& app = add_model_verb(root, "report", "One HTML page about a saved model, to look at and to pass on",
                                 {.required = false, .labels = true, .ids = true}, *flags);
  add_output(app, "-o,--output", flags->output, "where the page goes (-: standard output)")->default_str("-");
  add_fields(app, flags->run);
  return [flags] { return work_report(*flags); };
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
    add_data_flags(app, data, flags->call.inputs.data, ColumnFlags::forecast);
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
