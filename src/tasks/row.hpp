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
//   text(fit) -> Lines                 the summary, and its details
//   json(fit) model(fit)               or json(result, options), model(result[, data], options)
//   form() -> ModelForm                the arrays and facts of its models: no other model comes to what follows
//   check(model, inputs, how, context) -> CheckReport
//   forecast(sizes, options, data or null, context) -> ForecastReport
// and where it has them
//   transform(model, data, context)  predict(model, data, how, context)
//   settle(call, options)              what options and files ask of each other, before anything is read
//   most_views(options) views(fit)     several results of one run: their files are numbered
//   tell(source, page, context)        what its page says beside what all pages do
//   groups(fit)                        labels that the page may colour samples by, beside those of the data
//   columns(fit)                       and numbers
//
// The header of all files below src/tasks: formatting, errors and the usual algorithms come with it.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/fail.hpp"
#include "report/envelope.hpp"
#include "report/table.hpp"
#include "ritz/tasks/task.hpp"
#include "tasks/model/gate.hpp"
#include "tasks/model/table.hpp"
#include "tasks/page/source.hpp"
#include "tasks/recording.hpp"

namespace ritz {

template <class T>
struct Fit {
  std::shared_ptr<const typename T::Data> data;
  typename T::Known known;
  typename T::Options options;
  typename T::Result result;
  RunContext context{};  // for what outputs still work out: that of the run, without observer and interruption
};

enum class RowKind { other, sample, feature };
struct NamedColumns {
  RowMatrix values;
  std::vector<std::string> names{};      // of the columns; empty: no header
  RowKind rows = RowKind::other;         // a row a sample: has the samples' ids before it, where there are any
  std::vector<std::string> row_names{};  // of all others
};
// What an output holds in one run; nothing: it is not written.
using Content = std::variant<std::monostate, NamedColumns, Labels, std::string, ModelFile>;

template <class T>
struct Output {
  OutputRow row;
  std::function<Content(const Fit<T>& fit, Index view)> content;  // views from 0
};

// `make` takes the fit, and the view where a run may have several; an optional that is empty is not written.
template <class T, class Make>
Output<T> output(std::string kind, std::string option, FileForm form, std::string help, Make make) {
  return {{std::move(kind), std::move(option), std::move(help), form},
          [make](const Fit<T>& fit, Index view) -> Content {
            const auto content = [](auto made) -> Content {
              if constexpr (requires { made.has_value(); })
                return made ? Content(*std::move(made)) : Content();
              else
                return made;
            };
            if constexpr (std::is_invocable_v<Make, const Fit<T>&, Index>)
              return content(make(fit, view));
            else
              return content(make(fit));
          }};
}

template <class T>
ModelFile model_of(const Fit<T>& fit) {
  if constexpr (requires { T::model(fit); })
    return T::model(fit);
  else if constexpr (requires { T::model(fit.result, fit.options); })
    return T::model(fit.result, fit.options);
  else
    return T::model(fit.result, *fit.data, fit.options);
}

// The same with what it takes to read further samples.
template <class T>
ModelFile with_recipe(ModelFile model, const Fit<T>& fit) {
  if constexpr (requires { fit.data->recipe; }) store_recipe(model, fit.data->recipe.get());
  return model;
}

// Adds a note, made as by fmt::format.
template <class... Args>
void note(std::vector<std::string>& notes, fmt::format_string<Args...> text, Args&&... args) {
  notes.push_back(fmt::format(text, std::forward<Args>(args)...));
}

// What a trace holds, as rows with names.
std::optional<NamedColumns> trace_content(const Trace& trace);

struct NothingKnown {};  // beside the samples

// What verbs have in common.
template <class T, class D, class K, class O, class R, class S>
struct Verb {
  using Data = D;
  using Known = K;
  using Options = O;
  using Result = R;
  using Sizes = S;
  using F = Fit<T>;
  static DataRow data() { return {}; }
  static Summary& summary_of(R& result) { return result.fit.summary; }

  // The output `kind`, asked for by save_kind; what `make` returns tells the form of the file.
  template <class Make>
  static Output<T> save(std::string kind, std::string help, Make make) {
    std::string option = "save_" + kind;
    std::ranges::replace(option, ' ', '_');
    return output<T>(std::move(kind), std::move(option), form_of<Make>(), std::move(help), make);
  }
  static Output<T> save_model() {
    constexpr bool predicts = requires { &T::predict; };
    return save("model",
                predicts ? "model file for 'ritz transform', 'predict' and 'check'"
                         : "model file for 'ritz transform' and 'check'",
                [](const F& fit) { return model_of(fit); });
  }
  static Output<T> save_trace(std::string help) {
    return save("trace", std::move(help), [](const F& fit) { return trace_content(fit.result.fit.summary.trace); });
  }
  template <class Make>
  static Output<T> plot(std::string help, Make make) {
    return output<T>("plot", "plot", FileForm::picture, std::move(help), make);
  }

 private:
  template <class Make>
  static constexpr FileForm form_of() {
    using Made = typename decltype([] {
      if constexpr (std::is_invocable_v<Make, const F&, Index>)
        return std::type_identity<std::invoke_result_t<Make, const F&, Index>>{};
      else
        return std::type_identity<std::invoke_result_t<Make, const F&>>{};
    }())::type;
    if constexpr (std::is_same_v<Made, Labels> || std::is_same_v<Made, std::optional<Labels>>) return FileForm::labels;
    if constexpr (std::is_same_v<Made, ModelFile>) return FileForm::model;
    if constexpr (std::is_same_v<Made, std::string>) return FileForm::text;
    return FileForm::matrix;
  }
};

// Samples of a forecast without data.
struct SampleSizes {
  static constexpr std::string_view name = "estimate";
  Index rows = 0, columns = 0;
  static constexpr auto fields() {
    return std::tuple{
        field("rows", &SampleSizes::rows, 0, Index(1) << 40, "number of samples, where no data is given"),
        field("columns", &SampleSizes::columns, 0, Index(1) << 32, "number of features, where no data is given")};
  }
  void take(const Dataset* data);             // where there are data, theirs
  void require_two(Index columns = 1) const;  // throws bad_option where there are not two samples
  double bytes(const Dataset* data) const;    // that the samples take
};

struct CheckReport {
  bool holds = false, promised = true, same_data = false;
  std::string status, headline;
  Lines plain;                  // for everybody
  Lines lines;                  // for those who know the method: where it fails, or as details
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
  std::string kind, path;  // empty path: not asked for
  FileForm form = FileForm::text;
};
// Throws where a path cannot be written, has the wrong ending, is named twice, or is one of the files that are read.
void require_outputs(const std::vector<AskedFile>& files, const std::vector<std::string>& read = {});
std::vector<std::string> files_of(const Inputs& inputs);  // that it names; words that are no files are among them
// The rest is still written when one output fails: throws the first failure once all were tried.
class Writing {
 public:
  void attempt(const std::function<void()>& write);
  void finish() const;

 private:
  std::exception_ptr first_;
};
// With header and names of rows in delimited text, unless `bare`.
void write_content(const std::string& path, const Content& content, bool bare = false);
// A row a sample has its id before it; labels for a .csv become a column with a header, beside the ids.
void name_samples(Content& content, const std::string& path, const std::vector<std::string>& ids);
// labels.txt, labels.2.txt, …; views from 0
std::string numbered(const std::string& path, Index view);
// Throws bad_option naming what the task has not.
void require_known(const TaskCall& call, const Task& task);
CheckOutcome outcome_of(const CheckReport& report, const ModelFile& model);
Forecast forecast_of(const ForecastReport& report, std::string_view method, const RunContext& context);
void expect_data(const Inputs& inputs, const RunContext& context);  // a backend may start while they are read
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
      if (view == 0 || found->second != "-")
        asked.push_back({each.row.kind, numbered(found->second, view), each.row.form});
  }
  for (const auto& [kind, form] : {std::pair("report", FileForm::text), std::pair("json", FileForm::json)})
    if (const auto file = call.files.find(kind); file != call.files.end()) asked.push_back({kind, file->second, form});
  asked.push_back({"checkpoint", call.checkpoint.path(), FileForm::text});
  return asked;
}

// Writes what was asked for, and lists it in the object and in the outcome.
template <class T>
void write_outputs(const Fit<T>& fit, const TaskCall& call, Json& json, TaskOutcome& outcome, Writing& writing) {
  Index views = 1;
  if constexpr (requires { T::views(fit); }) views = T::views(fit);
  for (Index view = 0; view < views; ++view)
    for (const Output<T>& each : T::outputs()) {
      const auto asked = call.files.find(each.row.kind);
      if (asked == call.files.end()) continue;
      Content content = each.content(fit, view);
      if (std::holds_alternative<std::monostate>(content)) continue;
      if (auto* model = std::get_if<ModelFile>(&content)) *model = with_recipe(std::move(*model), fit);
      const std::string path = numbered(asked->second, view);
      if constexpr (requires { fit.data->ids; })
        if (fit.data && !call.bare) name_samples(content, path, fit.data->ids);
      writing.attempt([&] {
        write_content(path, content, call.bare);
        (view == 0 ? json : json["views"][std::size_t(view - 1)])["files"][each.row.kind] = path;
        outcome.files.emplace_back(each.row.kind, path);
      });
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

// The whole page. Models that cannot be kept, such as that of a sweep, are left out.
template <class T>
std::string page_text(const page::Source& source, const RunContext& context) {
  page::Tell tell;
  if constexpr (requires { &T::tell; }) tell = T::tell;
  return page::written(T::verb, T::summary, source, tell, context);
}

template <class T>
std::string fitted_page(const Fit<T>& fit, const Json& facts, const std::string& command) {
  page::Source source{facts, {}, nullptr, {}, {}, command};
  if constexpr (std::is_same_v<typename T::Data, Dataset>) source.data = fit.data.get();
  if constexpr (requires { T::groups(fit); }) source.groups = T::groups(fit);
  if constexpr (requires { T::columns(fit); }) source.columns = T::columns(fit);
  Index views = 1;
  if constexpr (requires { T::views(fit); }) views = T::views(fit);
  for (Index view = 0; view < views; ++view)
    for (const Output<T>& each : T::outputs()) try {
        if (each.row.kind == "model") source.models.push_back(std::get<ModelFile>(each.content(fit, view)));
      } catch (const Error& error) {
        if (error.code() != ErrorCode::unsupported) throw;
      }
  return page_text<T>(source, fit.context);
}

template <class T>
TaskOutcome fit_task(TaskCall call, RunContext& context) {
  const auto start = std::chrono::steady_clock::now();
  auto fit = std::make_shared<Fit<T>>();
  fit->options = options_from<typename T::Options>(call.options);
  require_outputs(asked_files<T>(call, fit->options), files_of(call.inputs));  // now rather than after hours of work
  if constexpr (requires { T::settle(call, fit->options); }) {
    T::settle(call, fit->options);
    require_outputs(asked_files<T>(call, fit->options), files_of(call.inputs));  // it may have asked for more
  }
  expect_data(call.inputs, context);
  Recording recording(call, T::verb, options_json(fit->options), context);
  fit->data = T::read(call.inputs, fit->options, fit->known, context);
  fit->result = T::fit(*fit->data, fit->known, fit->options, context);
  recording.close();
  note_backend(T::summary_of(fit->result), context);
  fit->context = context.uninterrupted();
  fit->context.observer = nullptr;
  TaskOutcome outcome;
  Json json;
  if constexpr (requires { T::json(*fit); })
    json = T::json(*fit);
  else
    json = T::json(fit->result, fit->options);
  if constexpr (requires { fit->data->recipe; }) add_reading(json["data"], *fit->data);
  Writing writing;
  write_outputs<T>(*fit, call, json, outcome, writing);
  outcome.report = [fit, facts = json, command = call.command] { return fitted_page<T>(*fit, facts, command); };
  if (const auto target = call.files.find("report"); target != call.files.end())
    writing.attempt([&] {
      write_content(target->second, outcome.report());
      json["files"]["report"] = target->second;
      outcome.files.emplace_back("report", target->second);
    });
  outcome.summary = T::summary_of(fit->result);
  json["seconds"]["total"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  Lines lines = T::text(*fit);
  std::vector<std::string> done;  // what need not be suggested
  for (const Output<T>& each : T::outputs())
    if (call.files.contains(each.row.kind)) done.push_back(fmt::format("{}.{} FILE", T::verb, each.row.option));
  lines.leave_out_next(done);
  lines.add("time", seconds_text(json["seconds"]["total"].template get<double>()));
  recording.tell(outcome.summary, json, lines);
  for (const auto& [what, why] : outcome.summary.used) lines.detail(what, why);
  outcome.text = lines.text();
  outcome.details = lines.details();
  outcome.json = json_text(json, 2);
  if (const auto target = call.files.find("json"); target != call.files.end())
    writing.attempt([&] { write_content(target->second, outcome.json + '\n'); });
  writing.finish();
  outcome.model = [fit] { return with_recipe(model_of(*fit), *fit); };
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
  if constexpr (requires { T::inputs(); }) task.inputs = T::inputs();
  task.options = option_rows<typename T::Options>();
  task.sizes = option_rows<typename T::Sizes>();
  for (const Output<T>& each : T::outputs()) task.outputs.push_back(each.row);
  task.outputs.push_back({"report", "report",
                          "one HTML page to look at and to pass on: the answer, pictures, certificate",
                          FileForm::text});
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
  task.admit = [](const ModelFile& model) { require_form(model, T::form()); };
  if constexpr (requires { &T::transform; })
    task.transform = [](const ModelFile& model, const Dataset& data, const RunContext& context) {
      require_form(model, T::form());
      RowMatrix placed = T::transform(model, data, context);
      require_finite(placed, data.source);
      return placed;
    };
  if constexpr (requires { &T::predict; })
    task.predict = [](const ModelFile& model, const Dataset& data, const PredictOptions& how,
                      const RunContext& context) {
      require_form(model, T::form());
      return T::predict(model, data, how, context);
    };
  task.check = [](const ModelFile& model, const Inputs& inputs, const CheckOptions& how, const RunContext& context) {
    require_form(model, T::form());
    Inputs alike = inputs;
    alike.data = source_for(model, inputs.data, true);
    alike.data.read.may_stay = T::data().stays;
    return outcome_of(T::check(model, alike, how, context), model);
  };
  task.report = [](const ModelFile& model, const Dataset* data, const RunContext& context) {
    require_form(model, T::form());
    return page_text<T>({Json::parse(model.info), {model}, data, {}, {}}, context);
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
