// SPDX-License-Identifier: MIT
// What all verbs share: options of a run, where output goes, Ctrl-C, and a progress line.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "base/machine.hpp"
#include "tasks/row.hpp"

namespace ritz {

struct ByteBudget {
  std::size_t bytes = 0;  // 0: what the machine has
};
template <>
struct TextForm<ByteBudget> {
  static std::string kind() { return "a size such as 400M or 2G"; }
  static std::optional<ByteBudget> parse(std::string_view text) {
    const auto bytes = read_bytes(text);
    if (!bytes || *bytes == 0) return std::nullopt;
    return ByteBudget{*bytes};
  }
  static std::string print(const ByteBudget& budget) {
    return budget.bytes == 0 ? "what is free" : std::to_string(budget.bytes);
  }
};

namespace cli {

struct RunOptions {
  static constexpr std::string_view name = "run";
  Index seed = 0;
  int threads = 0;
  ByteBudget max_memory;
  double time_limit = 1e9;
  std::string backend = "auto";
  bool quiet = false;
  bool verbose = false;
  static constexpr auto fields() {
    return std::tuple{
        field("seed", &RunOptions::seed, 0, std::numeric_limits<Index>::max(), "seed of all random draws"),
        field("threads", &RunOptions::threads, 0, 4096,
              "threads (0: all cores); the result is the same for any number"),
        field("max_memory", &RunOptions::max_memory, "memory budget, e.g. 2G; more is refused before the work begins"),
        field("time_limit", &RunOptions::time_limit, 0.0, 1e9, "seconds; then the best result so far is kept"),
        field("backend", &RunOptions::backend,
              "where the heavy sums run: cpu, cuda, or auto (a GPU where there is one and it pays)"),
        field("quiet", &RunOptions::quiet, "no summary and no progress on standard error"),
        field("verbose", &RunOptions::verbose,
              "a line an iteration, and the details of the result, on standard error")};
  }
};

// --- flags from field tables and rows: nothing about an option is written twice --------------------------------------

// "reduce.dim is 0; …" -> "--dim is 0; …": a user knows the flag, not the table.
std::string in_flags(const std::string& message);

// One flag; `assign` takes its text.
void add_row(CLI::App& app, const OptionRow& row, const std::function<void(const std::string&)>& assign);

// A flag for each row; its text goes to `values` once `check` has taken it.
void add_rows(CLI::App& app, const std::vector<OptionRow>& rows, std::map<std::string, std::string>& values,
              const std::function<void(const std::map<std::string, std::string>&)>& check);

// The same straight into a struct. `skip` names fields that another flag decides.
template <OptionTable O>
void add_fields(CLI::App& app, O& options, const std::vector<std::string>& skip = {}) {
  for (const OptionRow& row : option_rows(options)) {
    if (std::ranges::find(skip, row.name) != skip.end()) continue;
    add_row(app, row, [&options, name = row.name](const std::string& text) {
      set(options, name, text);
      check(options);
    });
  }
}

// --- verbs ----------------------------------------------------------------------------------------------------------

// One verb: its flags are added to `app`, its work is done by the returned function once the flags are parsed.
using Verb = std::function<ExitStatus()>;
// Does the work of the one sub-verb that was named.
using SubVerbs = std::vector<std::pair<CLI::App*, Verb>>;
ExitStatus run_parsed(const SubVerbs& verbs);

void add_run_flags(CLI::App& app, RunOptions& options, std::string& json);
// An option that names a file to write; an empty name is refused.
CLI::Option* add_output(CLI::App& app, const std::string& flag, std::string& path, const std::string& help);
// Which columns of a table count, and as what. fitted: a model knows it; forecast: --columns is their number; kinds:
// gaps are not settled.
enum class ColumnFlags { all, fitted, forecast, kinds };
void add_column_flags(CLI::App& app, ReadOptions& read, ColumnFlags which);
void add_data_flags(CLI::App& app, const DataRow& row, DataSource& source, ColumnFlags which = ColumnFlags::all);

RunContext make_context(const RunOptions& options);
void print_json(const std::string& target, const Json& json);  // nothing for ""
// Of the terminal that standard error is; no limit where it is none.
std::size_t terminal_width();
void say(const RunOptions& options, const std::string& text);  // printable, to standard error, unless quiet
template <class... Args>
void say(const RunOptions& options, fmt::format_string<Args...> text, Args&&... args) {
  say(options, fmt::format(text, std::forward<Args>(args)...));
}
ExitStatus status_of(const Summary& summary);
bool interrupted_by_user();       // Ctrl-C has been pressed
bool address_space_is_limited();  // by ulimit -v

// --- ranks ----------------------------------------------------------------------------------------------------------

// How the program ends: the sentence is empty where there is nothing to complain about.
struct Ending {
  ExitStatus status;
  std::string sentence;
};
// Where mpirun started the program as one of several ranks, takes its place among them; all but the first are silent
// from then on and write no files. Throws `unsupported` where the module for it is missing.
void join_ranks();
// Whether this rank does the work of a verb: the first one alone does what is not `shared`.
bool takes_part(bool shared);
// The ending that all ranks have, said by the first one; the last call.
int leave_ranks(Ending own);

// Clears a progress line when it goes out of scope.
class ProgressLine {
 public:
  ProgressLine(const RunOptions& options, RunContext& context, double tolerance);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

 private:
  bool shown_ = false;
};

// --- runs that can be repeated --------------------------------------------------------------------------------------

using Words = std::vector<std::string>;           // of a command line, without the program's name
std::string shell_word(const std::string& word);  // as a shell takes it for one word
// The command without what it writes and how it is watched, quoted for a shell.
std::string repeating_command(const Task& task, const Words& words);
void require_repeatable(const TaskCall& call, const std::string& manifest);  // throws bad_option
void write_manifest(const std::string& path, const Task& task, const TaskCall& call, const RunOptions& run,
                    const Words& words, const TaskOutcome& outcome);

// The verbs.
Verb add_task(CLI::App& root, const Task& task, const Words& words);  // any of tasks()
Verb add_transform(CLI::App& root);
Verb add_predict(CLI::App& root);
Verb add_check(CLI::App& root);
Verb add_report(CLI::App& root);
Verb add_replay(CLI::App& root);
Verb add_estimate(CLI::App& root);
Verb add_describe(CLI::App& root);
Verb add_generate(CLI::App& root);
Verb add_list(CLI::App& root);
Verb add_bench(CLI::App& root);
Verb add_reproduce(CLI::App& root);

}  // namespace cli
}  // namespace ritz
