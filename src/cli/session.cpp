// SPDX-License-Identifier: MIT
#include "cli/session.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <optional>
#include <thread>

#include "base/controls.hpp"
#include "base/module.hpp"
#include "base/world.hpp"
#include "data/silence.hpp"
#include "pairs/instructions.hpp"
#include "ritz/base/parallel.hpp"
#include "ritz/base/version.hpp"
#include "ritz/pairs/backend.hpp"

namespace ritz::cli {

namespace {

World* ranks = nullptr;  // that mpirun started, this one among them
bool alone = false;      // a verb that they do not share
std::atomic<bool> cancelled = false;
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");

// The first Ctrl-C (or SIGTERM) asks the run to stop and keep its best result; a second one of either ends the program
// at once.
void on_interrupt(int) {
  cancelled = true;
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
}

// A read that waits for input ends with EINTR: SA_RESTART would let it wait on, deaf to Ctrl-C.
void listen_to(int signal) {
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  sigaction(signal, &action, nullptr);
}

// OpenBLAS takes address space for each thread that multiplies, and where it is refused asks again for ever: too narrow
// a limit (ulimit -v) is said before the first product.
constexpr double kSpaceAThread = double(1 << 20) * 160;  // its buffer of 128 MiB, a stack and an arena
struct AddressSpace {
  double limit, left;
};
std::optional<AddressSpace> limited_address_space() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  return AddressSpace{double(limit.rlim_cur), std::max(0.0, double(limit.rlim_cur) - address_space_bytes())};
}

void require_address_space(RunContext& context) {
  const auto space = limited_address_space();
  if (!space) return;
  const double needed = kSpaceAThread * double(resolved_threads(context) + 1);
  if (space->left < needed)
    fail(ErrorCode::memory,
         "the address space is limited to {} (ulimit -v), of which {} are left; {} threads need {} more: raise the "
         "limit, or take fewer run.threads",
         bytes_text(space->limit), bytes_text(space->left), resolved_threads(context), bytes_text(needed));
  context.max_memory = std::min(context.max_memory, std::size_t(space->left));
}

}  // namespace

// --- ranks ----------------------------------------------------------------------------------------------------------

namespace {

// What the starters of parallel programs say: Open MPI's mpirun, those that speak PMI, and srun with PMIx.
std::string started_with(std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (const char* value = std::getenv(name)) return value;
  return {};
}

void be_silent() {
  write_no_files();
  const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
  for (const int output : {STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, output);
  close(nothing);
}

World* loaded_world(const std::string& size) {
  constexpr const char* kModule = "libritz_mpi.so";
  const std::string path = module_path(kModule);
  if (path.empty())
    fail(ErrorCode::unsupported,
         "started as {} ranks, but {} is neither in $RITZ_PLUGINS nor in ../lib/ritz beside the program: build it with "
         "RITZ_MPI=ON, or run ritz without mpirun",
         size.empty() ? "several" : size, kModule);
  // Open MPI loads parts of itself later, which look for its symbols everywhere.
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (!library) fail(ErrorCode::unsupported, "{} cannot be loaded: {}", path, dlerror());
  const auto entry = reinterpret_cast<World* (*)(const char*)>(dlsym(library, "ritz_world"));
  World* world = entry ? entry(std::string(version()).c_str()) : nullptr;
  if (!world) fail(ErrorCode::unsupported, "{} is not of this version, {}", path, version());
  return world;
}

// MPI hangs or aborts where a rank has no room for the memory that ranks of a machine share. Without it the ranks
// cannot agree on who speaks: the others leave the first one time to say it for all, which makes mpirun end them.
void require_address_space_for_mpi(const std::string& rank) {
  constexpr double kMpi = double(1 << 20) * 192;  // 165 MiB with Open MPI 4.1
  const double needed = kMpi + 2 * kSpaceAThread;
  const auto space = limited_address_space();
  if (!space || space->left >= needed) return;
  if (rank != "0") std::this_thread::sleep_for(std::chrono::seconds(3));
  fail(ErrorCode::memory,
       "{}the address space is limited to {} (ulimit -v), of which {} are left; a rank needs {} more: raise the limit",
       rank == "0" ? "" : fmt::format("rank {}: ", rank), bytes_text(space->limit), bytes_text(space->left),
       bytes_text(needed));
}

// All ranks must compute the same bits: the same program with the same instructions.
void require_same_build() {
  const std::string mine = fmt::format("ritz {} ({})", version(), instructions_text());
  RunContext context;
  context.world = ranks;
  const std::vector<std::string> all = gathered(mine, context);
  for (std::size_t rank = 1; rank < all.size(); ++rank)
    if (all[rank] != all[0])
      fail(ErrorCode::unsupported, "rank {} is {}, but rank 0 is {}: their sums would have other bits", rank, all[rank],
           all[0]);
}

}  // namespace

void join_ranks() {
  const std::string size = started_with({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}),
                    rank = started_with({"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"});
  if (rank.empty() || size == "1") return;
  require_address_space_for_mpi(rank);
  if (rank != "0") be_silent();
  World* world = loaded_world(size);
  if (world->size() == 1) return;
  ranks = world;
  ranks->watch(cancelled);
  require_same_build();
}

bool takes_part(bool shared) {
  if (!ranks || shared) return true;
  const bool first = ranks->rank() == 0;
  alone = true;
  return first;
}

int leave_ranks(Ending own) {
  if (ranks) try {
      if (own.sentence.empty())
        own.status = ExitStatus(largest_of_all(*ranks, int(own.status)));
      else
        ranks->fail(ranks->rank() == 0 ? own.sentence : fmt::format("rank {}: {}", ranks->rank(), own.sentence),
                    int(own.status));
    } catch (const RankFailed& other) {
      own = {ExitStatus(other.status), other.sentence};
    }
  if (!own.sentence.empty()) std::cerr << "ritz: " << printable(own.sentence, LineEnds::escaped) << std::endl;
  if (ranks) ranks->finish(int(own.status));
  return int(own.status);
}

std::string in_flags(const std::string& message) {
  return in_words_of(message, [](const std::string& name) { return "--" + flag_name(name); });
}

void add_row(CLI::App& app, const OptionRow& row, const std::function<void(const std::string&)>& assign) {
  const std::string flag = "--" + flag_name(row.name);
  if (row.flag) {
    app.add_flag_callback(
        flag, [assign] { assign("true"); }, in_flags(row.help));
    return;
  }
  app.add_option_function<std::string>(flag, assign, in_flags(row.help))
      ->type_name(row.choices.empty() ? "VALUE" : fmt::format("{}", fmt::join(row.choices, "|")))
      ->default_str(row.standard);
}

void add_rows(CLI::App& app, const std::vector<OptionRow>& rows, std::map<std::string, std::string>& values,
              const std::function<void(const std::map<std::string, std::string>&)>& check) {
  for (const OptionRow& row : rows)
    add_row(app, row, [&values, check, name = row.name](const std::string& text) {
      check({{name, text}});
      values[name] = text;
    });
}

ExitStatus run_parsed(const SubVerbs& verbs) {
  for (const auto& [app, work] : verbs)
    if (app->parsed()) return work();
  return ExitStatus::wrong_usage;
}

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

template <Named E>
void add_choice(CLI::App& app, const std::string& name, E& value, const std::string& help) {
  const auto assign = [&value, name](const std::string& text) {
    const auto read = TextForm<E>::parse(text);
    if (!read) fail(ErrorCode::bad_option, "input.{}: cannot read '{}'; expected {}", name, text, TextForm<E>::kind());
    value = *read;
  };
  app.add_option_function<std::string>("--" + name, assign, help)
      ->type_name(fmt::format("{}", fmt::join(names_of(E{}), "|")))
      ->default_str(std::string(to_string(E{})));
}

}  // namespace

void add_column_flags(CLI::App& app, ReadOptions& read, ColumnFlags which) {
  const bool fitted = which == ColumnFlags::fitted;
  const auto list = [&](const std::string& flag, std::vector<std::string>& words, const std::string& help,
                        const std::string& type) {
    app.add_option(flag, words, help)->type_name(type)->expected(1)->take_all();
  };
  if (!fitted && which != ColumnFlags::forecast)
    list("--columns", read.columns, "columns of X to take, all others are left out: names or numbers, a,b,c", "NAMES");
  list("--drop-column", read.drop_columns, "columns of X to leave out: names or numbers, a,b,c", "NAMES");
  if (!fitted)
    app.add_option_function<std::vector<std::string>>(
           "--kind",
           [&read](const std::vector<std::string>& words) {
             for (const std::string& word : words) read_kind(word);
             read.kinds = words;
           },
           "what a column is, where it is not recognised: COLUMN=number|flag|category|date|id, "
           "COLUMN=ordered(low,medium,high), or *=number(-999) for numbers that stand for a missing value; may be "
           "repeated")
        ->type_name("COLUMN=KIND")
        ->expected(1)
        ->take_all();
  if (which == ColumnFlags::kinds) return;
  add_choice(app, "na", read.missing,
             fitted
                 ? "missing values: as in the fit (reject), drop their rows, or fill in what the fit has learnt"
                 : "missing values: reject them, drop their rows, or fill in the column's mean or median, or what the "
                   "nearest samples have");
  if (fitted)
    add_choice(app, "unseen", read.unseen,
               "a category that the fit has not seen: reject it, or take it as none of them");
}

void add_data_flags(CLI::App& app, const DataRow& row, DataSource& source, ColumnFlags which) {
  const std::string help = row.help.empty() ? fmt::format("data: {}, also gzipped; - is standard input", format_names())
                                            : in_flags(row.help);
  CLI::Option* data = row.several ? app.add_option(row.name, source.paths, help)
                                  : app.add_option_function<std::string>(
                                        row.name, [&source](const std::string& path) { source.paths = {path}; }, help);
  data->required(row.required)->type_name(row.several ? "FILE" : "TEXT");
  if (row.labels) app.add_option("--labels", source.labels, "file with one class label a sample")->type_name("FILE");
  if (row.table)
    app.add_option("--label-column", source.read.label_column,
                   "column of X that holds the labels: name or number from 1")
        ->type_name("NAME");
  if (row.table && row.ids)
    app.add_option("--id-column", source.read.id_column,
                   "column of X that names the samples: in pairs, in what is written, and in pictures")
        ->type_name("NAME");
  if (row.table || row.several) add_column_flags(app, source.read, which);
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
  static std::shared_ptr<Backend> backend;  // the program makes one run
  backend = backend_for_run(options.backend);
  context.backend = backend.get();
  context.cancel = &cancelled;
  require_address_space(context);
  context.world = alone ? nullptr : ranks;
  if (context.world) {  // the smallest budget is everybody's: what depends on it must be decided alike
    if (options.max_memory.bytes == 0) context.max_memory /= std::size_t(ranks->ranks_here());
    for (const std::string& bytes : gathered(std::to_string(context.max_memory), context))
      context.max_memory = std::min(context.max_memory, std::size_t(std::stoull(bytes)));
  }
  listen_to(SIGINT);
  listen_to(SIGTERM);
  return context;
}

bool interrupted_by_user() { return cancelled; }

bool address_space_is_limited() { return limited_address_space().has_value(); }

void print_json(const std::string& target, const Json& json) {
  if (target.empty()) return;
  write_atomically(target, [&](std::ostream& out) { out << json_text(json, 2) << '\n'; });
}

std::size_t terminal_width() {
  winsize size{};
  const bool known = isatty(STDERR_FILENO) != 0 && ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : std::numeric_limits<std::size_t>::max();
}

namespace {

// Lines that are wider are broken at blanks and go on below what they begin with: behind the name of a line of a
// summary. Commands, which are copied, and tables are left as they are.
std::string wrapped(const std::string& text, std::size_t width) {
  constexpr std::size_t kValue = 15, kLeast = 40;  // where the value of a line of a summary begins
  std::string out;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    const bool summary = line.size() > kValue && line.starts_with("  ") && line[kValue - 1] == ' ';
    const bool fixed = line.starts_with("    ") || line.compare(std::min(kValue, line.size()), 5, "ritz ") == 0;
    while (!fixed && width >= kLeast && text_width(line) > width) {
      std::size_t place = 0, last = std::string::npos, letters = 0;
      for (; place < line.size() && letters <= width; ++place) {
        letters += (static_cast<unsigned char>(line[place]) & 0xC0) != 0x80 ? 1 : 0;
        if (line[place] == ' ' && place > kValue && line.compare(place, 2, " %") != 0) last = place;
      }
      if (last == std::string::npos) break;
      out += line.substr(0, last) + '\n';
      line = std::string(summary ? kValue : 2, ' ') + line.substr(last + 1);
    }
    out += line + (end < text.size() ? "\n" : "");
  }
  return out;
}

}  // namespace

void say(const RunOptions& options, const std::string& text) {
  if (!options.quiet) std::cerr << wrapped(printable(text, LineEnds::kept), terminal_width()) << std::flush;
}

ExitStatus status_of(const Summary& summary) {
  if (summary.termination == Termination::interrupted) return ExitStatus::interrupted;
  return summary.termination == Termination::converged ? ExitStatus::fine : ExitStatus::not_converged;
}

namespace {

// How much of the work is done, from what loops tell: "fold 2 of 5" in their path counts, and a measure that falls from
// its first value to the tolerance does so by factors.
class ShareDone {
 public:
  explicit ShareDone(double tolerance) : tolerance_(tolerance) {}

  double of(const Progress& progress) {
    const std::string path(progress.path);
    double& first = first_.try_emplace(path, progress.measure).first->second;
    if (progress.iteration <= 1 || !(first >= progress.measure)) first = progress.measure;
    double share = kUnknown;
    if (tolerance_ > 0 && first > tolerance_ && progress.measure > 0)
      share = std::clamp(std::log(first / progress.measure) / std::log(first / tolerance_), 0.0, 0.99);
    for (std::size_t end = path.size(); end != std::string::npos && end > 0;) {  // inner parts first
      const std::size_t slash = path.rfind('/', end - 1), begin = slash == std::string::npos ? 0 : slash + 1;
      const std::string part = path.substr(begin, end - begin);
      if (const std::size_t of = part.find(" of "); of != std::string::npos) {
        const auto number = read_double(part.substr(part.rfind(' ', of - 1) + 1, of - part.rfind(' ', of - 1) - 1)),
                   count = read_double(part.substr(of + 4));
        if (number && count && *count > 0) share = (*number - 1 + (std::isfinite(share) ? share : 0)) / *count;
      }
      end = slash;
    }
    return share;
  }

 private:
  double tolerance_;
  std::map<std::string, double> first_;
};

std::string left_text(double share, double seconds) {
  constexpr double kSoon = 1, kKnown = 0.03;  // before, a guess would be worth nothing
  if (!std::isfinite(share)) return "";
  std::string text = fmt::format("{:.0f} % done", 100 * share);
  if (seconds > kSoon && share > kKnown)
    text += fmt::format(", about {} left", seconds_text(std::ceil(seconds * (1 - share) / share)));
  return text;
}

}  // namespace

ProgressLine::ProgressLine(const RunOptions& options, RunContext& context, double tolerance) {
  if (options.quiet) return;
  const bool terminal = isatty(STDERR_FILENO) != 0;
  if (!terminal && !options.verbose) return;
  shown_ = terminal && !options.verbose;
  using Clock = std::chrono::steady_clock;
  struct Phase {  // of the outermost part: what is done of it tells what is left of it
    std::string name;
    Clock::time_point start, told;
    ShareDone share;
  };
  auto phase = std::make_shared<Phase>(Phase{"", Clock::now(), {}, ShareDone(tolerance)});
  context.observer = [line = shown_, tolerance, phase](const Progress& progress) {
    constexpr auto kBetween = std::chrono::milliseconds(100);
    const auto now = Clock::now();
    const std::string outermost(progress.path.substr(0, progress.path.find_first_of("/0123456789")));
    if (outermost != phase->name) phase->name = outermost, phase->start = now;
    const std::string left =
        left_text(phase->share.of(progress), std::chrono::duration<double>(now - phase->start).count());
    if (!line) {
      std::cerr << fmt::format("{} {:>4}  objective {:.8g}  measure {:.2e} (goal {:.0e})  {:.1f} s  {}\n",
                               progress.path, progress.iteration, progress.objective, progress.measure, tolerance,
                               progress.seconds, left)
                << std::flush;
    } else if (now - phase->told >= kBetween) {
      phase->told = now;
      std::cerr << fmt::format("\r\033[K  {}, step {}{}{}", progress.path, progress.iteration, left.empty() ? "" : ": ",
                               left)
                << std::flush;
    }
    return Next::go_on;
  };
}

ProgressLine::~ProgressLine() {
  if (shown_) std::cerr << "\r\033[K" << std::flush;
}

std::string shell_word(const std::string& word) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,%@";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace ritz::cli
