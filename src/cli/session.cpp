// SPDX-License-Identifier: MIT
#include "cli/session.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <iostream>

#include "base/machine.hpp"
#include "cli/flags.hpp"
#include "ritz/pairs/backend.hpp"

namespace ritz::cli {

namespace {

std::atomic<bool> cancelled = false;
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");

// The first Ctrl-C asks the run to stop and keep its best result; a second one ends the program at once.
void on_interrupt(int) { cancelled = true; }

// A read that waits for input ends with EINTR: SA_RESTART would let it wait on, deaf to Ctrl-C.
void listen_to(int signal) {
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  action.sa_flags = SA_RESETHAND;
  sigaction(signal, &action, nullptr);
}

}  // namespace

void add_run_flags(CLI::App& app, RunOptions& options, std::string& json) {
  add_fields(app, options);
  // main() turns a bare --json into --json=-: an optional value would swallow the next argument.
  add_output(app, "--json", json, "print all facts as one JSON object; --json=FILE writes it to a file")
      ->type_name("[=FILE]");
  // main() has put the file's lines in its place; here it is for the help.
  app.add_option("--config", "read options from a file of lines such as kernel = linear; the command line overrules it")
      ->type_name("FILE");
}

CLI::Option* add_output(CLI::App& app, const std::string& flag, std::string& path, const std::string& help) {
  const auto assign = [flag, &path](const std::string& text) {
    if (text.empty()) throw Error(ErrorCode::bad_option, flag + ": the file's name is empty");
    path = text;
  };
  return app.add_option_function<std::string>(flag, assign, help)->type_name("FILE");
}

namespace {

bool same_file(const std::string& a, const std::string& b) {
  if (a.empty() || a == "-" || b == "-") return a == b;
  std::error_code error;
  const auto whole = [&](const std::string& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path), error);
  };
  return whole(a) == whole(b);
}

}  // namespace

void require_outputs(const Outputs& outputs) {
  for (auto each = outputs.begin(); each != outputs.end(); ++each) {
    const auto& [kind, path] = *each;
    if (path.empty()) continue;
    for (auto other = outputs.begin(); other != each; ++other)
      if (same_file(other->second, path))
        throw Error(ErrorCode::bad_option, fmt::format("{} and {} cannot both be written to {}", other->first, kind,
                                                       path == "-" ? "standard output" : path));
    if (kind == "plot" && path != "-" && !path.ends_with(".svg"))
      throw Error(ErrorCode::bad_option, fmt::format("{}: plots are SVG; the name must end in .svg", path));
    if (kind == "projection" || kind == "sparse projection" || kind == "embedding" || kind == "trace" ||
        kind == "data" || kind == "kernel" || kind == "center")
      require_matrix_format(path);
    require_writable(path);
  }
}

void add_data_flags(CLI::App& app, DataFlags& flags, bool with_labels) {
  app.add_option("X", flags.path, fmt::format("data: {}, also gzipped; - is standard input", format_names()))
      ->required();
  if (with_labels) app.add_option("--labels", flags.labels, "file with one class label a sample")->type_name("FILE");
  app.add_option("--label-column", flags.read.label_column, "column of X that holds the labels: name or number from 1")
      ->type_name("NAME");
  app.add_option("--drop-column", flags.read.drop_columns, "columns of X to leave out: names or numbers")
      ->type_name("NAME")
      ->expected(1)
      ->take_all();
  app.add_option_function<std::string>(
         "--na",
         [&flags](const std::string& text) {
           const auto kind = TextForm<MissingValues>::parse(text);
           if (!kind)
             throw Error(ErrorCode::bad_option,
                         fmt::format("--na: cannot read '{}'; expected {}", text, TextForm<MissingValues>::kind()));
           flags.read.missing = *kind;
         },
         "missing values: reject them, drop their rows, or fill in the column's mean")
      ->type_name("reject|drop|mean")
      ->default_str("reject");
}

RunContext make_context(const RunOptions& options) {
  RunContext context;
  context.seed = std::uint64_t(options.seed);
  context.threads = options.threads;
  const std::size_t free = available_memory_bytes();
  if (options.max_memory.bytes > 0)
    context.max_memory = options.max_memory.bytes;
  else if (free > 0)
    context.max_memory = free;
  if (options.time_limit < 1e9)
    context.deadline =
        std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                               std::chrono::duration<double>(options.time_limit));
  context.backend = &backend_named(options.backend);
  context.cancel = &cancelled;
  listen_to(SIGINT);
  listen_to(SIGTERM);
  return context;
}

bool interrupted_by_user() { return cancelled; }

Dataset read_data(const DataFlags& flags, const RunContext& context) {
  if (!flags.labels.empty() && !flags.read.label_column.empty())
    throw Error(ErrorCode::bad_option, "--labels and --label-column exclude each other");
  if (flags.path == "-" && flags.labels == "-")
    throw Error(ErrorCode::bad_option, "the data and the labels cannot both come from standard input");
  Dataset data = read_dataset(flags.path, flags.read, context);
  if (!flags.labels.empty()) {
    data.labels = read_labels(flags.labels, context);
    if (data.labels.size() != data.rows())
      throw Error(ErrorCode::bad_shape, fmt::format("{} has {} labels, but {} has {} rows", flags.labels,
                                                    data.labels.size(), flags.path, data.rows()));
  }
  return data;
}

void print_json(const std::string& target, const Json& json) {
  if (target.empty()) return;
  write_atomically(target, [&](std::ostream& out) { out << json_text(json, 2) << '\n'; });
}

void write_trace(const std::string& path, const Trace& trace) {
  const Eigen::Map<const RowMatrix> rows(trace.values.data(), Index(trace.rows()), Index(trace.columns.size()));
  write_matrix(path, RowMatrix(rows), trace.columns);
}

std::string counted(Index count, std::string_view one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

void say(const RunOptions& options, const std::string& text) {
  if (!options.quiet) std::cerr << text << std::flush;
}

void list_outputs(const RunOptions& options, const Outputs& outputs, Json& json) {
  for (const auto& [kind, path] : outputs) {
    if (path.empty()) continue;
    json["files"][kind] = path;
    if (path != "-") say(options, fmt::format("  wrote {:<12} {}\n", kind, path));
  }
}

ExitStatus status_of(const Summary& summary) {
  switch (summary.termination) {
    case Termination::converged:
      return ExitStatus::fine;
    case Termination::interrupted:
      return ExitStatus::interrupted;
    default:
      return ExitStatus::not_converged;
  }
}

ProgressLine::ProgressLine(const RunOptions& options, RunContext& context, double tolerance) {
  if (options.quiet) return;
  const bool terminal = isatty(STDERR_FILENO) != 0;
  if (!terminal && !options.verbose) return;
  shown_ = terminal && !options.verbose;
  const std::string begin = shown_ ? "\r\033[K" : "", end = shown_ ? "" : "\n";
  context.observer = [begin, end, tolerance](const Progress& progress) {
    std::cerr << fmt::format("{}{} {:>4}  objective {:.8g}  measure {:.2e} (goal {:.0e})  {:.1f} s{}", begin,
                             progress.path, progress.iteration, progress.objective, progress.measure, tolerance,
                             progress.seconds, end)
              << std::flush;
    return Next::go_on;
  };
}

ProgressLine::~ProgressLine() {
  if (shown_) std::cerr << "\r\033[K" << std::flush;
}

}  // namespace ritz::cli
