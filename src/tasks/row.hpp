// SPDX-License-Identifier: MIT
// From a verb's own types to its row of the table. A verb is a struct of static members:
//
//   Options Known Data Result Sizes    its types; Known: what it is told beside the samples; Data: Dataset, as a rule
//   verb method summary                texts
//   data() inputs() outputs()          rows
//   goal(options[, inputs])            the tolerance that progress is compared with
//   read(inputs, options, known, context) -> shared_ptr<const Data>
//   fit(data, known, options, context) -> Result
//   summary_of(result) -> Summary&
//   text(fit) json(fit) model(fit)
//   check(model, inputs, how, context) -> CheckReport
//   forecast(sizes, options, data or null, context) -> ForecastReport
// and where it has them
//   transform(model, data, context)  predict(model, data, how, context)
//   settle(call, options)              what options and files ask of each other, before anything is read
//   most_views(options) views(fit)     several results of one run: their files are numbered
#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "report/envelope.hpp"
#include "report/json.hpp"
#include "report/lines.hpp"
#include "ritz/tasks/task.hpp"

namespace ritz {

template <class T>
struct Fit {
  std::shared_ptr<const typename T::Data> data;
  typename T::Known known;
  typename T::Options options;
  typename T::Result result;
  RunContext context{};  // for what outputs still work out: that of the run, without observer and interruption
};

struct NamedColumns {
  RowMatrix values;
  std::vector<std::string> names{};  // empty: no header
};
// What an output holds in one run; nothing: it is not written.
using Content = std::variant<std::monostate, NamedColumns, Labels, std::string, ModelFile>;

template <class T>
struct Output {
  OutputRow row;
  std::function<Content(const Fit<T>& fit, Index view)> content;  // views from 0
};

// An output of a verb that has one result a run.
template <class T, class Make>
Output<T> output(std::string kind, std::string option, FileForm form, std::string help, Make make) {
  return {{std::move(kind), std::move(option), std::move(help), form},
          [make](const Fit<T>& fit, Index view) -> Content {
            if constexpr (std::is_invocable_v<Make, const Fit<T>&, Index>)
              return make(fit, view);
            else
              return make(fit);
          }};
}

struct CheckReport {
  bool holds = false, promised = true, same_data = false;
  std::string status, headline;
  Lines lines;
  Json facts = Json::object();  // keys of the object: certificate, result, notes, used, data
};

// Where the certificate is a promise of the data that were fitted.
CheckReport certificate_report(bool holds, bool same_data);

struct ForecastReport {
  double bytes = 0;
  std::string headline;
  Lines lines;  // beside memory
  Json data = Json::object(), result = Json::object(), used = Json::object();
};

// --- bodies, in task.cpp --------------------------------------------------------------------------------------------

struct AskedFile {
  OutputRow row;
  std::string path;
};
// Throws where a path cannot be written, has the wrong ending, or is named twice.
void require_outputs(const std::vector<AskedFile>& files);
void write_content(const std::string& path, const Content& content);
// labels.txt, labels.2.txt, …; views from 0
std::string numbered(const std::string& path, Index view);
// Throws bad_option naming what the task has not.
void require_known(const TaskCall& call, const Task& task);
// What a summary's trace holds, as rows with names.
Content trace_content(const Trace& trace);
CheckOutcome outcome_of(const CheckReport& report, const ModelFile& model);
Forecast forecast_of(const ForecastReport& report, std::string_view method, const RunContext& context);
void note_backend(Summary& summary, const RunContext& context);

template <OptionTable O>
O options_from(const std::map<std::string, std::string>& texts) {
  O options{};
  for (const auto& [name, text] : texts) set(options, name, text);
  check(options);
  return options;
}

template <class T>
std::vector<AskedFile> asked_files(const TaskCall& call, const typename T::Options& options) {
  Index views = 1;
  if constexpr (requires { T::most_views(options); }) views = T::most_views(options);
  std::vector<AskedFile> asked;
  for (const Output<T>& each : T::outputs()) {
    const auto found = call.files.find(each.row.kind);
    if (found == call.files.end()) continue;
    for (Index view = 0; view < views; ++view)
      if (view == 0 || found->second != "-") asked.push_back({each.row, numbered(found->second, view)});
  }
  if (const auto json = call.files.find("json"); json != call.files.end())
    asked.push_back({{"json", "json", "", FileForm::json}, json->second});
  return asked;
}

// Writes what was asked for, and lists it in the object and in the outcome.
template <class T>
void write_outputs(const Fit<T>& fit, const TaskCall& call, Json& json, TaskOutcome& outcome) {
  Index views = 1;
  if constexpr (requires { T::views(fit); }) views = T::views(fit);
  for (Index view = 0; view < views; ++view)
    for (const Output<T>& each : T::outputs()) {
      const auto asked = call.files.find(each.row.kind);
      if (asked == call.files.end()) continue;
      const Content content = each.content(fit, view);
      if (std::holds_alternative<std::monostate>(content)) continue;
      const std::string path = numbered(asked->second, view);
      write_content(path, content);
      (view == 0 ? json : json["views"][std::size_t(view - 1)])["files"][each.row.kind] = path;
      outcome.files.emplace_back(each.row.kind, path);
    }
}

template <class T, class Kept>
auto kept_of(const std::shared_ptr<const Fit<T>>& fit) {
  return [fit](const std::string& kind) -> Kept {
    for (const Output<T>& each : T::outputs())
      if (each.row.kind == kind) {
        Content content = each.content(*fit, 0);
        if constexpr (std::same_as<Kept, RowMatrix>) {
          if (auto* found = std::get_if<NamedColumns>(&content)) return std::move(found->values);
        } else if (auto* found = std::get_if<Kept>(&content)) {
          return std::move(*found);
        }
      }
    return {};
  };
}

template <class T>
TaskOutcome fit_task(TaskCall call, RunContext& context) {
  auto fit = std::make_shared<Fit<T>>();
  fit->options = options_from<typename T::Options>(call.options);
  require_outputs(asked_files<T>(call, fit->options));  // now rather than after hours of work
  if constexpr (requires { T::settle(call, fit->options); }) {
    T::settle(call, fit->options);
    require_outputs(asked_files<T>(call, fit->options));  // it may have asked for more
  }
  fit->data = T::read(call.inputs, fit->options, fit->known, context);
  fit->result = T::fit(*fit->data, fit->known, fit->options, context);
  note_backend(T::summary_of(fit->result), context);
  fit->context = context.uninterrupted();
  fit->context.observer = nullptr;
  TaskOutcome outcome;
  Json json = T::json(*fit);
  write_outputs<T>(*fit, call, json, outcome);
  outcome.summary = T::summary_of(fit->result);
  outcome.text = T::text(*fit);
  outcome.json = json_text(json, 2);
  if (const auto target = call.files.find("json"); target != call.files.end())
    write_content(target->second, outcome.json + '\n');
  outcome.model = [fit] { return T::model(*fit); };
  const std::shared_ptr<const Fit<T>> kept = fit;
  outcome.matrix = kept_of<T, RowMatrix>(kept);
  outcome.labels = kept_of<T, Labels>(kept);
  return outcome;
}

template <class T>
Task make_task() {
  Task task;
  task.verb = T::verb;
  task.method = T::method;
  task.summary = T::summary;
  task.data = T::data();
  task.inputs = T::inputs();
  task.options = option_rows<typename T::Options>();
  task.sizes = option_rows<typename T::Sizes>();
  for (const Output<T>& each : T::outputs()) task.outputs.push_back(each.row);
  task.check_options = [](const std::map<std::string, std::string>& texts) {
    options_from<typename T::Options>(texts);
  };
  task.check_sizes = [](const std::map<std::string, std::string>& texts) { options_from<typename T::Sizes>(texts); };
  task.goal = [](const TaskCall& call) {
    const auto options = options_from<typename T::Options>(call.options);
    if constexpr (requires { T::goal(options, call.inputs); })
      return T::goal(options, call.inputs);
    else
      return T::goal(options);
  };
  task.fit = [](const TaskCall& call, RunContext& context) {
    require_known(call, task_named(T::verb));
    return fit_task<T>(call, context);
  };
  if constexpr (requires { &T::transform; }) task.transform = T::transform;
  if constexpr (requires { &T::predict; }) task.predict = T::predict;
  task.check = [](const ModelFile& model, const Inputs& inputs, const CheckOptions& how, const RunContext& context) {
    return outcome_of(T::check(model, inputs, how, context), model);
  };
  task.forecast = [](const TaskCall& call, const std::map<std::string, std::string>& texts, const RunContext& context) {
    const auto sizes = options_from<typename T::Sizes>(texts);
    const auto options = options_from<typename T::Options>(call.options);
    typename T::Known known{};
    const bool given = call.inputs.data.data || !call.inputs.data.paths.empty();
    const auto data = given ? T::read(call.inputs, options, known, context) : nullptr;
    return forecast_of(T::forecast(sizes, options, data.get(), context), T::method, context);
  };
  return task;
}

}  // namespace ritz
