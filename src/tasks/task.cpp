// SPDX-License-Identifier: MIT

#include <array>
#include <cctype>
#include <filesystem>
#include <ostream>

#include "base/machine.hpp"
#include "data/footprint.hpp"
#include "data/named_rows.hpp"
#include "report/plot/png.hpp"
#include "ritz/pairs/backend.hpp"
#include "tasks/row.hpp"

namespace ritz {

// --- inputs ---------------------------------------------------------------------------------------------------------

std::vector<std::string> Inputs::words(const std::string& name) const {
  const auto found = others.find(name);
  if (found == others.end()) return {};
  const auto* words = std::get_if<std::vector<std::string>>(&found->second);
  return words ? *words : std::vector<std::string>{};
}

std::string Inputs::word(const std::string& name) const {
  const std::vector<std::string> all = words(name);
  return all.empty() ? "" : all.front();
}

namespace {

// The thing itself where it is in memory, else what `read` makes of the file's name.
template <class Kept, class Read>
Kept in_memory_or(const Inputs& inputs, const std::string& name, const Read& read) {
  const auto found = inputs.others.find(name);
  if (found == inputs.others.end()) return {};
  if (const auto* kept = std::get_if<Kept>(&found->second)) return *kept;
  const std::string path = inputs.word(name);
  if (path.empty()) fail(ErrorCode::bad_option, "the input '{}' is of the wrong kind", name);
  return read(path);
}

std::string source_of(const Inputs& inputs, const std::string& name) {
  const std::string path = inputs.word(name);
  return path.empty() ? name : path;
}

std::string data_name(const DataSource& source) {
  return !source.paths.empty() ? source.paths.front() : source.data ? source.data->source : "the data";
}

}  // namespace

RowMatrix Inputs::matrix(const std::string& name, Index rows, const RunContext& context) const {
  RowMatrix values =
      in_memory_or<RowMatrix>(*this, name, [&](const std::string& path) { return read_matrix(path, context); });
  if (!has(name)) return values;
  if (values.rows() != rows)
    fail(ErrorCode::bad_shape, "{} has {} rows, but {} has {}", source_of(*this, name), values.rows(), data_name(data),
         rows);
  if (values.cols() == 0) throw Error(ErrorCode::bad_file, source_of(*this, name) + ": there are no columns");
  return values;
}

Labels Inputs::labels(const std::string& name, Index rows, const RunContext& context) const {
  Labels found = in_memory_or<Labels>(*this, name, [&](const std::string& path) { return read_labels(path, context); });
  if (has(name) && found.size() != rows)
    fail(ErrorCode::bad_shape, "{} has {} labels, but {} has {} rows", source_of(*this, name), found.size(),
         data_name(data), rows);
  return found;
}

std::shared_ptr<const Dataset> Inputs::dataset(const RunContext& context) const {
  if (!data.labels.empty() && !data.read.label_column.empty())
    fail(ErrorCode::bad_option, "input.labels and input.label_column exclude each other");
  if (!data.data && data.paths.empty()) fail(ErrorCode::bad_option, "X is required: the data");
  if (!data.data && data.paths.front() == "-" && data.labels == "-")
    fail(ErrorCode::bad_option, "the data and the labels cannot both come from standard input");
  if (data.data && data.labels.empty()) return data.data;
  auto read = data.data ? std::make_shared<Dataset>(*data.data)
                        : std::make_shared<Dataset>(read_dataset(data.paths.front(), data.read, context));
  if (!data.labels.empty()) {
    read->labels = read_labels(data.labels, context, data.read.unlabelled);
    if (read->labels.size() != read->rows())
      fail(ErrorCode::bad_shape, "{} has {} labels, but {} has {} rows", data.labels, read->labels.size(),
           data_name(data), read->rows());
  }
  return read;
}

std::shared_ptr<const Dataset> Inputs::dataset(const ModelFile& model, const RunContext& context) const {
  Inputs alike = *this;
  alike.data = source_for(model, data);
  alike.data.read.may_stay = task_of(model).data.stays;
  return alike.dataset(context);
}

// --- outputs --------------------------------------------------------------------------------------------------------

namespace {

bool same_file(const std::string& a, const std::string& b) {
  if (a == "-" || b == "-") return a == b;
  std::error_code error;
  if (std::filesystem::equivalent(a, b, error)) return std::filesystem::is_regular_file(a, error);
  const auto whole = [&](const std::string& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path), error);
  };
  return whole(a) == whole(b);
}

}  // namespace

std::vector<std::string> files_of(const Inputs& inputs) {
  std::vector<std::string> files = inputs.data.paths;
  if (!inputs.data.labels.empty()) files.push_back(inputs.data.labels);
  for (const auto& [name, value] : inputs.others)
    for (const std::string& word : inputs.words(name)) files.push_back(word);
  return files;
}

void Writing::attempt(const std::function<void()>& write) {
  try {
    write();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::unwritable && error.code() != ErrorCode::write_failed) throw;
    if (!first_) first_ = std::current_exception();
  }
}

void Writing::finish() const {
  if (first_) std::rethrow_exception(first_);
}

void require_outputs(const std::vector<AskedFile>& files, const std::vector<std::string>& read) {
  for (auto each = files.begin(); each != files.end(); ++each) {
    const std::string& path = each->path;
    if (path.empty()) continue;
    for (auto other = files.begin(); other != each; ++other)
      if (!other->path.empty() && same_file(other->path, path))
        fail(ErrorCode::bad_option, "{} and {} cannot both be written to {}", other->kind, each->kind,
             path == "-" ? "standard output" : path);
    for (const std::string& input : read)
      if (path != "-" && same_file(input, path))
        fail(ErrorCode::bad_option, "{} would be written over {}, which is read; give it another name", each->kind,
             path);
    if (each->form == FileForm::picture && path.ends_with(".png")) {
      if (const std::string objection = png_objection(); !objection.empty())
        fail(ErrorCode::bad_option, "{}: {}", path, objection);
    } else if (each->form == FileForm::picture && path != "-" && !path.ends_with(".svg")) {
      fail(ErrorCode::bad_option, "{}: plots are SVG or PNG; the name must end in .svg or .png", path);
    }
    if (each->form == FileForm::matrix) require_matrix_format(path);
    if (each->form == FileForm::labels) require_labels_format(path);
    require_writable(path);
  }
}

namespace {

bool is_delimited(const std::string& path) {
  const std::string name = path.ends_with(".gz") ? path.substr(0, path.size() - 3) : path;
  return name == "-" || name.ends_with(".csv") || name.ends_with(".tsv");
}

}  // namespace

void name_samples(Content& content, const std::string& path, const std::vector<std::string>& ids) {
  if (const auto* labels = std::get_if<Labels>(&content)) {
    if (!path.ends_with(".csv")) return;
    const bool named = ids.size() == labels->of.size();
    std::string text = named ? "id,label\n" : "label\n";
    for (std::size_t i = 0; i < labels->of.size(); ++i)
      text += (named ? csv_field(ids[i]) + "," : "") + csv_field(labels->names[std::size_t(labels->of[i])]) + "\n";
    content = std::move(text);
    return;
  }
  if (ids.empty() || !is_delimited(path)) return;
  if (auto* columns = std::get_if<NamedColumns>(&content);
      columns && columns->rows == RowKind::sample && columns->values.rows() == Index(ids.size()))
    columns->row_names = ids;
}

void write_content(const std::string& path, const Content& content, bool bare) {
  if (const auto* columns = std::get_if<NamedColumns>(&content)) {
    if (bare || columns->row_names.empty() || !is_delimited(path))
      write_matrix(path, columns->values, bare ? std::vector<std::string>{} : columns->names);
    else
      write_named_rows(path, columns->values, columns->names, columns->row_names,
                       columns->rows == RowKind::sample    ? "id"
                       : columns->rows == RowKind::feature ? "feature"
                                                           : "axis");
  }
  if (const auto* labels = std::get_if<Labels>(&content)) write_labels(path, *labels);
  if (const auto* model = std::get_if<ModelFile>(&content)) save_model(path, *model);
  if (const auto* text = std::get_if<std::string>(&content))
    write_atomically(path, [&](std::ostream& out) {
      out << (path.ends_with(".png") && text->starts_with("<svg") ? png_of(*text) : *text);
    });
}

std::string numbered(const std::string& path, Index view) {
  if (view == 0 || path.empty() || path == "-") return path;
  const std::size_t slash = path.find_last_of('/'), dot = path.find('.', slash == std::string::npos ? 1 : slash + 2);
  const std::string number = "." + std::to_string(view + 1);
  return dot == std::string::npos ? path + number : path.substr(0, dot) + number + path.substr(dot);
}

std::optional<NamedColumns> trace_content(const Trace& trace) {
  if (trace.columns.empty()) return std::nullopt;
  const Eigen::Map<const RowMatrix> rows(trace.values.data(), Index(trace.rows()), Index(trace.columns.size()));
  return NamedColumns{RowMatrix(rows), trace.columns};
}

// --- what models and forecasts say ----------------------------------------------------------------------------------

CheckReport certificate_report(bool holds, bool same_data) {
  CheckReport report;
  report.holds = holds;
  report.same_data = same_data;
  report.status = holds ? "holds" : "fails";
  report.headline = holds ? "the certificate holds" : "THE CERTIFICATE FAILS";
  return report;
}

CheckOutcome outcome_of(const CheckReport& report, const ModelFile& model) {
  Json json = head_json("check", model.method, report.status);
  json.update(report.facts);
  json["data"]["same_as_fit"] = report.same_data;
  json["peak_memory_bytes"] = peak_memory_bytes();
  const std::string text = report.headline + '\n' + report.plain.text(), lines = report.lines.text();
  return {report.holds,       report.promised,          report.status, report.holds ? text : text + lines,
          json_text(json, 2), report.holds ? lines : ""};
}

Forecast forecast_of(const ForecastReport& report, std::string_view method, const RunContext& context) {
  const bool fits = report.bytes <= double(context.max_memory);
  Lines memory;
  memory.add("memory", "about {}, {} allowed{}", bytes_text(report.bytes), bytes_text(double(context.max_memory)),
             fits ? "" : ": TOO MUCH");
  Json json = head_json("estimate", method, fits ? "fine" : "too_large");
  json["data"] = report.data;
  json["result"] = report.result;
  json["result"]["memory_bytes"] = std::floor(report.bytes);
  json["result"]["memory_allowed_bytes"] = context.max_memory;
  json["used"] = report.used;
  return {report.bytes, fits, report.headline + " (nothing is run)\n" + memory.text() + report.lines.text(),
          json_text(json, 2)};
}

void SampleSizes::take(const Dataset* data) {
  if (!data) return;
  rows = data->rows();
  columns = data->cols();
}

void SampleSizes::require_two(Index least) const {
  if (rows < 2 || columns < least)
    fail(ErrorCode::bad_option, "nothing to estimate: give data X, or estimate.rows (at least 2) and estimate.columns");
}

double SampleSizes::bytes(const Dataset* data) const {
  return data ? data_bytes(*data) : 8.0 * double(rows) * double(columns);
}

void expect_data(const Inputs& inputs, const RunContext& context) {
  double bytes = 0;
  for (const std::string& file : files_of(inputs)) {
    std::error_code absent;
    if (const auto size = std::filesystem::file_size(file, absent); !absent) bytes += double(size);
  }
  backend_or_cpu(context).expect(bytes);
}

void note_backend(Summary& summary, const RunContext& context) {
  summary.used["backend"] = backend_or_cpu(context).used();
}

// --- names ----------------------------------------------------------------------------------------------------------

void require_known(const TaskCall& call, const Task& task) {
  const auto require = [&](const auto& given, const auto& rows, auto name_of, std::string_view what) {
    std::vector<std::string> known;
    for (const auto& row : rows) known.push_back(name_of(row));
    for (const auto& [name, value] : given)
      if (std::ranges::find(known, name) == known.end())
        fail(ErrorCode::bad_option, "{} has no {} '{}'{}", task.verb, what, name, suggestion(name, known));
  };
  require(
      call.inputs.others, task.inputs, [](const InputRow& row) { return row.name; }, "input");
  std::vector<OutputRow> outputs = task.outputs;
  outputs.push_back({"json", "json", "", FileForm::json});
  require(
      call.files, outputs, [](const OutputRow& row) { return row.kind; }, "output");
  for (const InputRow& row : task.inputs)
    if (row.required && !call.inputs.has(row.name))
      fail(ErrorCode::bad_option, "{}.{} is required: {}", task.verb, row.name, row.help);
  const bool in_memory = std::ranges::any_of(task.inputs, [&](const InputRow& row) {
    return row.value_name.empty() && call.inputs.has(row.name);  // what stands for the data
  });
  if (task.data.required && !in_memory && !call.inputs.data.data && call.inputs.data.paths.empty())
    fail(ErrorCode::bad_option, "{} is required: the data", task.data.name);
}

namespace {

// What may stand on both sides of the dot of an option's name in a message; "kernel.csv" is a file.
bool is_option(std::string_view owner, std::string_view name) {
  static constexpr std::array<std::string_view, 6> kPrograms = {"run",   "predict",   "check",
                                                                "bench", "reproduce", "generate"};
  static constexpr std::array<std::string_view, 9> kShared = {"input", "estimate", "clustering", "kernel_dual", "kdac",
                                                              "graph", "ism",      "npkl",       "isometry"};
  static constexpr std::array<std::string_view, 8> kInputs = {"labels",    "label_column", "drop_column", "na",
                                                              "id_column", "columns",      "kind",        "unseen"};
  const auto among = [](const auto& names, std::string_view word) {
    return std::ranges::find(names, word) != std::ranges::end(names);
  };
  static constexpr std::array<std::string_view, 11> kRun = {
      "seed",    "threads",  "max_memory", "time_limit",         "backend", "quiet",
      "verbose", "manifest", "checkpoint", "checkpoint_minutes", "resume"};
  if (owner == "run") return among(kRun, name);  // "run.ckpt" is a file
  if (among(kPrograms, owner)) return true;
  bool known_owner = among(kShared, owner), known_name = among(kInputs, name);
  for (const Task& task : tasks()) {
    known_owner |= task.verb == owner || task.method == owner;
    const auto named = [&](const auto& rows, auto member) {
      return std::ranges::any_of(rows, [&](const auto& row) { return row.*member == name; });
    };
    known_name |= named(task.options, &OptionRow::name) || named(task.sizes, &OptionRow::name) ||
                  named(task.inputs, &InputRow::name) || named(task.outputs, &OutputRow::option);
  }
  return known_owner && known_name;
}

bool in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '/' || c == '-';
}

}  // namespace

std::string in_words_of(const std::string& message, const std::function<std::string(const std::string& name)>& say) {
  std::string out;
  for (std::size_t i = 0; i < message.size();) {
    std::size_t end = i;
    while (end < message.size() && in_word(message[end])) ++end;
    if (end == i) {
      out += message[i++];
      continue;
    }
    while (end > i + 1 && message[end - 1] == '.') --end;  // that ends a sentence
    const std::string word = message.substr(i, end - i);
    const std::size_t dot = word.find('.');
    const std::string name = dot == std::string::npos ? "" : word.substr(dot + 1);
    const bool named = !name.empty() && is_option(std::string_view(word).substr(0, dot), name);
    out += named ? say(name) : word;
    i = end;
  }
  return out;
}

}  // namespace ritz
