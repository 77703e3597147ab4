// SPDX-License-Identifier: MIT
#include "tasks/depend/task.hpp"

#include "tasks/forecast_time.hpp"
#include "tasks/model/samples.hpp"

namespace ritz::depend {

namespace {

// A second table: numbers where all its entries are, else classes.
Other read_other(const std::string& path, const RunContext& context) {
  try {
    return {read_matrix(path, context), {}, {}};
  } catch (const Error& not_numbers) {
    try {
      return {{}, read_labels(path, context), {}};
    } catch (const Error&) {
      throw not_numbers;
    }
  }
}

void require_one_other(const Inputs& inputs) {
  const int ways = int(inputs.data.paths.size() > 1) + int(inputs.has("other")) + int(inputs.has("target_column")) +
                   int(!inputs.data.labels.empty() || !inputs.data.read.label_column.empty());
  if (ways > 1)
    fail(ErrorCode::bad_option,
         "a second table, input.labels, input.label_column and depend.target_column exclude each other");
  if (inputs.data.paths.size() > 2)
    fail(ErrorCode::bad_option, "{} files are given; dependence is between two", inputs.data.paths.size());
}

}  // namespace

DataRow DependTask::data() {
  return {.name = "X",
          .help =
              "the samples, and after them a second table with as many rows, unless labels or a column of X are "
              "what they are compared with",
          .several = true,
          .labels = true};
}

std::vector<InputRow> DependTask::inputs() {
  return {{.name = "target_column",
           .help = "column of X that the others are compared with: name or number from 1",
           .value_name = "NAME",
           .repeated = true,
           .check = true},
          {.name = "other", .help = "the second table itself, in place of its file", .value_name = ""}};
}

KernelSum asked_kernel(const std::string& text, const char* option) {
  try {
    return parse_kernel(text);
  } catch (const Error& error) {
    fail(ErrorCode::bad_option, "depend.{}: {}", option, error.what());
  }
}

void DependTask::settle(const TaskCall&, const DependOptions& options) {  // a slip is told before a large file is read
  asked_kernel(options.kernel, "kernel");
  asked_kernel(options.target_kernel, "target_kernel");
}

std::shared_ptr<const Dataset> DependTask::read(const Inputs& inputs, const DependOptions&, Other& other,
                                                const RunContext& context) {
  require_one_other(inputs);
  Inputs all = inputs;
  all.data.read.target_columns = inputs.words("target_column");
  if (inputs.has("target_column")) all.data.read.recipe = nullptr;  // it would leave the targets out
  std::shared_ptr<const Dataset> data = all.dataset(context);
  if (const std::vector<std::string> columns = inputs.words("target_column"); !columns.empty()) {
    auto rest = std::make_shared<Dataset>(*data);
    other.numbers = take_columns(*rest, data->recipe ? data->recipe->targets : columns);
    for (const std::string& column : columns)
      other.names.push_back(column.find_first_not_of("0123456789") == std::string::npos ? "column " + column : column);
    return rest;
  }
  if (inputs.has("other")) {
    const Inputs::Value& value = inputs.others.at("other");
    if (const auto* numbers = std::get_if<RowMatrix>(&value)) other.numbers = *numbers;
    if (const auto* labels = std::get_if<Labels>(&value)) other.labels = *labels;
  } else if (inputs.data.paths.size() > 1) {
    other = read_other(inputs.data.paths[1], context);
  }
  return data;
}

std::vector<Output<DependTask>> DependTask::outputs() {
  return {save("features", "name, HSIC, CKA, p and false discovery rate of each feature, as CSV",
               [](const F& fit) { return features_csv(fit.result); }),
          save("null", "HSIC of each permutation",
               [](const F& fit) {
                 return NamedColumns{RowMatrix(model_access::as_column(fit.result.null)), {"hsic"}};
               }),
          save_model(),
          save("trace", "p after each batch of permutations",
               [](const F& fit) { return trace_content(fit.result.summary.trace); }),
          plot("picture (SVG or PNG): what shuffled pairs give beside what was found",
               [](const F& fit) { return plot_svg(fit.result); })};
}

// --- model ----------------------------------------------------------------------------------------------------------

ModelFile to_model(const DependResult& found, const DependOptions& options) {
  return {std::string(DependTask::method),
          {{"null", model_access::as_column(found.null)}},
          info_text(depend_json(found, options))};
}

ModelForm DependTask::form() {
  return {{{"null", "permutations", "1", Entries::not_negative}},
          {{"certificate.hsic"},
           {"certificate.p", FactKind::number, 0, 1},
           {"certificate.seed", FactKind::whole, 0},
           {"data.hash", FactKind::text}}};
}

namespace {

DependOptions stored_options(const Json& info) {
  std::map<std::string, std::string> texts;
  const Json stored = model_access::fact<Json>(info, "options");
  for (const auto& [name, value] : stored.items())
    texts[name] = value.is_string() ? value.get<std::string>() : value.dump();
  try {
    return options_from<DependOptions>(texts);
  } catch (const Error& error) {
    model_access::reject(fmt::format("has options that cannot be: {}", error.what()));
  }
}

}  // namespace

CheckReport DependTask::check(const ModelFile& model, const Inputs& inputs, const CheckOptions&,
                              const RunContext& context) {
  using namespace model_access;
  const Json info = info_of(model);
  DependOptions options = stored_options(info);
  options.features = false;  // their figures are no promise of the model
  Other other;
  const auto data = read(inputs, options, other, context);
  RunContext again = context;
  again.observer = nullptr;
  again.seed = fact<std::uint64_t>(info, "certificate", "seed");
  const DependResult found = depend::fit(*data, other, options, again);
  throw_if_interrupted(found.summary.termination);
  const double hsic = fact<double>(info, "certificate", "hsic"), p = fact<double>(info, "certificate", "p");
  const bool same = fact<std::string>(info, "data", "hash") == found.data_hash,
             agree = std::abs(found.hsic - hsic) <= 1e-9 * std::abs(hsic) && std::abs(found.p - p) <= 1e-12 &&
                     close_to(array(model, "null"), as_column(found.null));
  CheckReport report = certificate_report(same && agree, same);
  if (report.holds) report.plain.add("found", "the same strength from the same data, p {:.4g} again", found.p);
  report.lines.add("HSIC", "{:.6g}, the model says {:.6g}", found.hsic, hsic)
      .add("p", "{:.4g} by {} permutations, the model says {:.4g}", found.p, found.null.size(), p);
  report.facts["certificate"] = {{"hsic", found.hsic}, {"p", found.p}};
  report.facts["data"] = {{"n", found.n}, {"d", found.d}};
  return report;
}

// --- forecast -------------------------------------------------------------------------------------------------------

ForecastReport DependTask::forecast(SampleSizes sizes, const DependOptions& options, const Dataset* data,
                                    const RunContext& context) {
  sizes.take(data);
  sizes.require_two();
  ForecastReport report;
  report.bytes = depend::forecast(double(sizes.rows), double(sizes.columns), options);
  report.headline = fmt::format("depend {} x {}, {} permutations", sizes.rows, sizes.columns, options.permutations);
  report.data = {{"n", sizes.rows}, {"d", sizes.columns}};
  const double n = double(sizes.rows), most = std::min(n, 1000.0);  // of a factor's columns
  const double guess =
      (50 * double(options.permutations) * n * most + 500 * double(sizes.columns) * n * most) / thread_rate(context);
  const auto probe = [&](Index rows, RunContext& inner) {
    const Dataset some = probe_samples(rows, sizes.columns, 2, data);
    depend::fit(some, {{}, some.labels}, options, inner);
  };
  add_seconds(report, timed(sizes.rows, probe, guess, context));
  return report;
}

}  // namespace ritz::depend
