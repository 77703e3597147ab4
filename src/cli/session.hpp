// SPDX-License-Identifier: MIT
// What all verbs share: options of a run, where output goes, Ctrl-C, and a progress line.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/json.hpp"
#include "ritz/base/context.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/iterate.hpp"
#include "ritz/base/options.hpp"
#include "ritz/tasks/task.hpp"

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
  std::string backend = "cpu";
  bool quiet = false;
  bool verbose = false;
  static constexpr auto fields() {
    return std::tuple{
        field("seed", &RunOptions::seed, 0, std::numeric_limits<Index>::max(), "seed of all random draws"),
        field("threads", &RunOptions::threads, 0, 4096,
              "threads (0: all cores); the result is the same for any number"),
        field("max_memory", &RunOptions::max_memory, "memory budget, e.g. 2G; more is refused before the work begins"),
        field("time_limit", &RunOptions::time_limit, 0.0, 1e9, "seconds; then the best result so far is kept"),
        field("backend", &RunOptions::backend, "where the heavy sums run; see 'ritz list backends'"),
        field("quiet", &RunOptions::quiet, "no summary and no progress on standard error"),
        field("verbose", &RunOptions::verbose, "one line an iteration on standard error")};
  }
};

// One verb: its flags are added to `app`, its work is done by the returned function once the flags are parsed.
using Verb = std::function<ExitStatus()>;
// Does the work of the one sub-verb that was named.
ExitStatus run_parsed(const std::vector<std::pair<CLI::App*, Verb>>& verbs);

void add_run_flags(CLI::App& app, RunOptions& options, std::string& json);
// An option that names a file to write; an empty name is refused.
CLI::Option* add_output(CLI::App& app, const std::string& flag, std::string& path, const std::string& help);
// Words of the command line, with "--config FILE" replaced by the flags of its lines "option = value". What is typed
// overrules the file.
std::vector<std::string> with_config(std::vector<std::string> words);
void add_data_flags(CLI::App& app, const DataRow& row, DataSource& source);

RunContext make_context(const RunOptions& options);
void print_json(const std::string& target, const Json& json);  // nothing for ""
void say(const RunOptions& options, const std::string& text);  // to standard error, unless quiet
// What a run will write; an empty path: not asked for. Throws when a path cannot be written or two are the same.
struct FileAsked {
  std::string kind, path;
  FileForm form = FileForm::text;
};
void require_outputs(const std::vector<FileAsked>& files);
ExitStatus status_of(const Summary& summary);
bool interrupted_by_user();  // Ctrl-C has been pressed

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

// The verbs.
Verb add_task(CLI::App& root, const Task& task);  // any of tasks()
Verb add_transform(CLI::App& root);
Verb add_predict(CLI::App& root);
Verb add_check(CLI::App& root);
Verb add_estimate(CLI::App& root);
Verb add_generate(CLI::App& root);
Verb add_list(CLI::App& root);
Verb add_bench(CLI::App& root);
Verb add_bench_reduce(CLI::App& bench);  // below it
Verb add_reproduce(CLI::App& root);

}  // namespace cli
}  // namespace ritz
