// SPDX-License-Identifier: MIT
// A task is a row of one table: what it is called, what it takes, what it leaves, and what can be done with it. The
// program, its help, the reference pages, other languages and the conformance tests read the table and nothing else.
//
//   TaskCall call;
//   call.options = {{"dim", "2"}, {"kernel", "auto"}};
//   call.inputs.data.paths = {"iris.csv"};
//   call.inputs.data.read.label_column = "species";
//   call.files = {{"model", "iris.ritz"}};
//   const TaskOutcome found = task_named("reduce").fit(call, context);
//
// Messages name an option, an input or an output as the table does, "reduce.dim"; each binding says it in its own
// words.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "ritz/algorithms/ism.hpp"
#include "ritz/base/context.hpp"
#include "ritz/base/iterate.hpp"
#include "ritz/base/options.hpp"
#include "ritz/data/dataset.hpp"
#include "ritz/data/io.hpp"
#include "ritz/tasks/model.hpp"

namespace ritz {

// --- what a task takes ---------------------------------------------------------------------------------------------

// Which of the common ways to give samples a task has.
struct DataRow {
  std::string name = "X";
  std::string help;      // empty: a table of any format
  bool required = true;  // not: a graph without samples
  bool several = false;  // a file each: a collection of subspaces
  bool table = true;     // one table of samples, with columns to label, drop and fill in
  bool labels = false;   // class labels guide it
  bool ids = true;       // samples may be named by a column of the table
  bool stays = false;    // samples that memory cannot hold stay in their file
};

struct InputRow {
  std::string name;  // "pairs"
  std::string help;
  std::string value_name = "FILE";  // FILE, NAME: what stands for the value in a help line; "": memory only
  bool required = false, repeated = false;
  bool check = false;    // a check of the model needs it again
  bool predict = false;  // predictions are compared with it
};

// Where samples come from: a file, or memory.
struct DataSource {
  std::vector<std::string> paths;  // empty: none; more than one only where DataRow::several
  std::string labels;              // file with one class label a sample
  ReadOptions read;
  std::shared_ptr<const Dataset> data{};  // in place of `paths`; never changed
};

// What a task was given beside its options: names of files or columns, or the things themselves.
struct Inputs {
  using Value = std::variant<std::vector<std::string>, RowMatrix, Labels, std::vector<NamedMatrix>>;
  DataSource data;
  std::map<std::string, Value> others;  // by InputRow::name

  bool has(const std::string& name) const { return others.contains(name); }
  std::vector<std::string> words(const std::string& name) const;  // as given; none where it was not, or is in memory
  std::string word(const std::string& name) const;                // the first of them, or ""
  // In memory or from its file; throws bad_shape when there is not one row (one label) for each of `rows` samples.
  RowMatrix matrix(const std::string& name, Index rows, const RunContext& context) const;
  Labels labels(const std::string& name, Index rows, const RunContext& context) const;
  // The samples with their labels; throws bad_shape when the numbers of rows differ. The second: as those that the
  // model was fitted to were read, their columns found by name (TableRecipe).
  std::shared_ptr<const Dataset> dataset(const RunContext& context) const;
  std::shared_ptr<const Dataset> dataset(const ModelFile& model, const RunContext& context) const;
};

// --- what a task leaves --------------------------------------------------------------------------------------------

enum class FileForm { matrix, labels, text, picture, model, json };

struct OutputRow {
  std::string kind;    // "embedding": its name in JSON
  std::string option;  // "save_embedding"
  std::string help;
  FileForm form = FileForm::matrix;
};

// A long run leaves what it has done in a file, so that another one can go on after a kill, a power cut, Ctrl-C or the
// time limit. On the same data, with the same options and the same program, it ends with the same bits as a run that
// nothing disturbed.
struct CheckpointFile {
  std::string file;      // written anew, atomically, every so many minutes and at the end; empty: that of `resume`
  double minutes = 10;   // 0: whenever something is done
  std::string resume{};  // the file of the run to go on with; empty: begin at the beginning
  const std::string& path() const { return file.empty() ? resume : file; }
};

struct TaskCall {
  std::map<std::string, std::string> options;  // by name; what is not named keeps its default
  Inputs inputs;
  std::map<std::string, std::string> files;  // what to write, by OutputRow::kind, or "json"; "-": standard output
  bool bare = false;      // tables as numbers alone: without a header, and without the names of features and samples
  std::string command{};  // that repeats the call, for the report; empty: it says none
  CheckpointFile checkpoint{};
};

struct TaskOutcome {
  Summary summary;
  std::string text;     // for people, on one screen: what was asked, what was found, how sure it is, what to do next
  std::string details;  // for those who know the method
  std::string json;     // for programs: the same keys for every task
  std::vector<std::pair<std::string, std::string>> files;    // what was written: kind and path
  std::function<ModelFile()> model;                          // for transform, predict and check
  std::function<std::string()> report;                       // the HTML page of the report
  std::function<RowMatrix(const std::string& kind)> matrix;  // an output of FileForm::matrix; 0 × 0 where there is none
  std::function<Labels(const std::string& kind)> labels;     // an output of FileForm::labels
};

// --- what can be done with a model ----------------------------------------------------------------------------------

struct PredictOptions {
  static constexpr std::string_view name = "predict";
  Index neighbours = 5;
  static constexpr auto fields() {
    return std::tuple{field("neighbours", &PredictOptions::neighbours, 1, 10000,
                            "k of the k-NN classifier, for models fitted to class labels")};
  }
};

struct Prediction {
  Labels labels;          // of numbers: their texts
  RowMatrix values{};     // numbers, where the model explains some
  std::string rule;       // how it was decided
  RowMatrix votes{};      // n × classes, shares that sum to 1: of the neighbours that have the class; empty: no votes
  bool clusters = false;  // found, not given: their names mean nothing
};

struct CheckOptions {
  static constexpr std::string_view name = "check";
  Effort curvature = Effort::automatic;
  static constexpr auto fields() {
    return std::tuple{field("curvature", &CheckOptions::curvature,
                            "the largest eigenvalue of the tangent Hessian (auto: when it is cheap)")};
  }
};

struct CheckOutcome {
  bool holds = false;
  bool promised = true;  // not: other data than the fitted ones, on which it is a measurement
  std::string status;    // "holds", "fails", "exceeds"
  std::string text, json;
  std::string details{};  // the numbers behind the text, for those who know the method
};

struct Forecast {
  double bytes = 0;
  bool fits = false;  // within context.max_memory
  std::string text, json;
};

// --- the table ------------------------------------------------------------------------------------------------------

struct Task {
  std::string verb, method, summary;  // "reduce", "ism" (of its models), one sentence
  DataRow data;
  std::vector<InputRow> inputs;
  std::vector<OptionRow> options, sizes;  // sizes: what a forecast without data is told
  std::vector<OutputRow> outputs;

  // Throws bad_option as soon as one option's text is wrong.
  std::function<void(const std::map<std::string, std::string>&texts)> check_options, check_sizes;
  // The tolerance that progress is compared with.
  std::function<double(const TaskCall& call)> goal;
  // Checks options and paths, reads, refuses too much memory, works, writes. Interrupted leaves the best result so far,
  // or comes through when there is none. Nothing of the caller's is changed.
  std::function<TaskOutcome(const TaskCall& call, RunContext& context)> fit;
  // Throws bad_file where an array or fact of the model is missing, unknown, of a wrong shape or out of range. All that
  // follows begins with it.
  std::function<void(const ModelFile& model)> admit;
  // Empty where a task has no such thing. What transform gives is finite.
  std::function<RowMatrix(const ModelFile& model, const Dataset& data, const RunContext& context)> transform;
  std::function<Prediction(const ModelFile& model, const Dataset& data, const PredictOptions& options,
                           const RunContext& context)>
      predict;
  std::function<CheckOutcome(const ModelFile& model, const Inputs& inputs, const CheckOptions& options,
                             const RunContext& context)>
      check;
  // The same page from a model alone, or with the samples (null: none); what a model does not keep is not on it.
  std::function<std::string(const ModelFile& model, const Dataset* data, const RunContext& context)> report;
  std::function<Forecast(const TaskCall& call, const std::map<std::string, std::string>& sizes,
                         const RunContext& context)>
      forecast;
};

const std::vector<Task>& tasks();
const Task& task_named(std::string_view verb);  // throws bad_option
const Task& task_of(const ModelFile& model);    // by its method; throws bad_file

// For programs with tasks of their own, and for tests: the row stands in tasks() from then on. Not while others read
// it.
void register_task(Task task);

// "reduce.dim is 0; …" -> "--dim is 0; …" by say("dim"): for each "owner.name" in a message whose owner is a task, a
// method, `input` (what the tasks share: labels, label_column, …) or `run`.
std::string in_words_of(const std::string& message, const std::function<std::string(const std::string& name)>& say);

}  // namespace ritz
