// SPDX-License-Identifier: MIT
#include <malloc.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <new>
#include <set>
#include <system_error>

#include "base/world.hpp"
#include "cli/config.hpp"
#include "cli/help.hpp"
#include "ritz/base/text.hpp"
#include "ritz/base/version.hpp"

namespace {

using namespace ritz;
using namespace ritz::cli;

// --- options from a file --------------------------------------------------------------------------------------------

constexpr std::string_view kFlag = "--config";

bool is_flag(std::string_view word, std::string_view flag) {
  return word == flag || (word.starts_with(flag) && word.substr(flag.size()).starts_with('='));
}

// Words of the command line, with "--config FILE" replaced by the flags of its lines "option = value". What is typed
// overrules the file.
std::vector<std::string> with_config(std::vector<std::string> words) {
  std::vector<std::string> given, added;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!is_flag(words[i], kFlag) || (words[i] == kFlag && i + 1 == words.size())) {
      given.push_back(std::move(words[i]));
      continue;
    }
    const std::string path = words[i] == kFlag ? words[++i] : words[i].substr(kFlag.size() + 1);
    std::ranges::move(flags_of(path), std::back_inserter(added));
  }
  const std::size_t typed = given.size();
  for (std::string& flag : added) {
    const std::string_view name = std::string_view(flag).substr(0, flag.find('='));
    const bool overruled = std::any_of(given.begin(), given.begin() + std::ptrdiff_t(typed),
                                       [&](const std::string& word) { return is_flag(word, name); });
    if (!overruled) given.push_back(std::move(flag));
  }
  return given;
}

// --- the command line -----------------------------------------------------------------------------------------------

std::vector<std::string> known_words(const CLI::App& app, bool options) {
  std::vector<std::string> names;
  if (options) {
    for (const CLI::Option* option : app.get_options())
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  } else {
    for (const CLI::App* verb : app.get_subcommands(nullptr)) names.push_back(verb->get_name());
  }
  return names;
}

// "ritz bench pairs --help"
std::string help_command(const CLI::App& app) {
  std::string words;
  for (const CLI::App* part = &app; part->get_parent(); part = part->get_parent())
    words = " " + part->get_name() + words;
  return "ritz" + words + " --help";
}

// What CLI11 left over: an unknown option or verb, with the nearest known one.
void reject_extras(const CLI::App& app, std::string_view kind) {
  for (const CLI::App* part : app.get_subcommands()) reject_extras(*part, kind);
  for (const std::string& word : app.remaining()) {
    const bool option = word.starts_with('-') && word.size() > 1;
    const std::string name = word.substr(0, word.find('='));
    if (option)
      throw Error(
          ErrorCode::bad_option, "unknown option '" + name + "'" + [&] {
            const std::string near = nearest_name(name, known_words(app, true));
            return near.empty() ? "; see " + help_command(app) : "; did you mean '" + near + "'?";
          }());
    const std::vector<std::string> verbs = known_words(app, false);
    const std::string instead = verbs.empty() ? "" : instead_of(word);
    throw Error(ErrorCode::bad_option, "unexpected " + std::string(kind) + " '" + word + "'" +
                                           (verbs.empty()     ? ""
                                            : instead.empty() ? suggestion(word, verbs)
                                                              : instead));
  }
}

// What CLI11 says of an option, as the program says it.
std::string parse_sentence(const CLI::ParseError& error) {
  const std::string text = error.what();
  constexpr std::string_view kTwice = ": At Most 1 required but received ", kUnread = "Could not convert: ";
  if (const std::size_t end = text.find(kTwice); end != text.npos)
    return fmt::format("{} is given {} times; give it once", text.substr(0, end), text.substr(end + kTwice.size()));
  const std::size_t equals = text.find(" = ");
  if (text.starts_with(kUnread) && equals != text.npos)
    return fmt::format("{}: cannot read '{}'; expected nothing, true or false",
                       text.substr(kUnread.size(), equals - kUnread.size()), text.substr(equals + 3));
  return text;
}

// A bare --json is --json=-, and "--json result.json" what it looks like; "--json=" would take the next word.
Words arguments(int argc, char** argv) {
  std::vector<std::string> words = with_config(in_plain_words({argv + std::min(argc, 1), argv + argc}));
  for (std::size_t i = 0; i + 1 < words.size(); ++i)
    if (words[i] == "--json" && words[i + 1].ends_with(".json")) {
      words[i] += '=' + words[i + 1];
      words.erase(words.begin() + std::ptrdiff_t(i) + 1);
    }
  std::ranges::replace(words, "--json", "--json=-");
  for (const std::string& word : words)
    if (word.starts_with("--") && word.ends_with('='))
      throw Error(ErrorCode::bad_option, "'" + word + "' has no value");
  return words;
}

ExitStatus run(int argc, char** argv) {
  CLI::App app("Spectral learning: subspaces, kernels and embeddings by iterated eigendecompositions.", "ritz");
  app.formatter(help_formatter());
  app.set_version_flag("--version", std::string(version()));
  app.require_subcommand(0, 1);
  app.allow_extras();
  app.footer(
      "Exit status: 0 fine, 1 internal failure, 2 wrong usage, 3 bad data, 4 not converged (the best result is\n"
      "written), 5 memory budget, 6 infeasible, 7 an output could not be written, 130 interrupted (the best result is\n"
      "written).");
  SubVerbs verbs;
  const auto keep = [&](cli::Verb verb) {
    verbs.emplace_back(app.get_subcommands(nullptr).back(), std::move(verb));
    verbs.back().first->allow_extras();
  };
  const Words words = arguments(argc, argv);
  for (const Task& task : tasks()) keep(add_task(app, task, words));
  for (cli::Verb (*add)(CLI::App&) : {add_transform, add_predict, add_check}) keep(add(app));
  std::set<const CLI::App*> shared;  // by the ranks of a run under mpirun
  for (const auto& [sub, verb] : verbs) shared.insert(sub);
  for (cli::Verb (*add)(CLI::App&) :
       {add_report, add_replay, add_estimate, add_describe, add_generate, add_list, add_bench, add_reproduce}) {
    keep(add(app));
    if (add == add_bench) shared.insert(verbs.back().first);
  }
  try {
    app.parse(Words(words.rbegin(), words.rend()));  // CLI11 wants the last one first
  } catch (const CLI::Success& success) {
    app.exit(success);
    return ExitStatus::fine;
  } catch (const CLI::ParseError& error) {
    std::string text = parse_sentence(error);
    for (const auto& [sub, verb] : verbs)
      if (sub->parsed()) {
        reject_extras(*sub, "argument");
        const CLI::App* last = sub;
        while (!last->get_subcommands().empty()) last = last->get_subcommands().front();
        if (dynamic_cast<const CLI::RequiredError*>(&error)) text += "; see " + help_command(*last);
      }
    throw Error(ErrorCode::bad_option, text);
  }
  for (const auto& [sub, verb] : verbs)
    if (sub->parsed()) {
      reject_extras(*sub, "argument");
      return takes_part(shared.contains(sub)) ? verb() : ExitStatus::fine;
    }
  reject_extras(app, "verb");
  std::cout << app.help();
  return ExitStatus::wrong_usage;
}

// Buffers of sweeps come and go: handed back to the system each time, their pages are faulted in anew, which took
// longer than the sweeps of small fits themselves (1.0 s of 1.6).
void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 128 << 20);
#endif
}

// OpenMP's threads spin while they wait, which on a machine that others use too costs several times the work itself.
// The library reads its environment before main, so the only way to have them sleep is to begin again. Not where the
// loader was called by name (ld.so ritz …) and /proc/self/exe is the loader: the kernel has then loaded no other one.
void begin_with_sleeping_threads(char** argv) {
  if (std::getenv("OMP_WAIT_POLICY") || std::getenv("GOMP_SPINCOUNT") || getauxval(AT_BASE) == 0) return;
  setenv("OMP_WAIT_POLICY", "passive", 1);
  execv("/proc/self/exe", argv);  // where that fails, on with spinning ones
}

Ending ending_of(const std::function<ExitStatus()>& work) {
  try {
    const ExitStatus status = work();
    if (!std::cout.flush()) return {ExitStatus::write_failed, "cannot write standard output"};
    return {status, ""};
  } catch (const Error& error) {
    if (error.code() == ErrorCode::bad_file && interrupted_by_user())  // while waiting for input
      return {ExitStatus::interrupted, "interrupted before there was a result"};
    return {exit_status(error.code()), in_flags(error.what())};
  } catch (const Interrupted& interrupted) {
    if (interrupted.why == Interrupted::Why::cancelled)
      return {ExitStatus::interrupted, "interrupted before there was a result"};
    return {ExitStatus::not_converged, "the time limit was reached before there was a result"};
  } catch (const RankFailed& other) {
    return {ExitStatus(other.status), other.sentence};
  } catch (const std::bad_alloc&) {
    return {ExitStatus::memory_budget, "not enough memory; see 'ritz estimate'"};
  } catch (const std::system_error& error) {  // those of <filesystem> among them
    if (error.code() == std::errc::not_enough_memory)
      return {ExitStatus::memory_budget, "not enough memory; see 'ritz estimate'"};
    return {ExitStatus::internal_failure, std::string("internal failure: ") + error.what()};
  } catch (const std::exception& error) {
    return {ExitStatus::internal_failure, std::string("internal failure: ") + error.what()};
  }
}

// Where memory ends inside a destructor (nlohmann's JSON takes some to go away) no exception can travel.
[[noreturn]] void end_without_memory() {
  constexpr std::string_view kSentence = "ritz: not enough memory; see 'ritz estimate'\n";
  try {
    if (std::current_exception()) std::rethrow_exception(std::current_exception());
  } catch (const std::bad_alloc&) {
    [[maybe_unused]] const ssize_t said = write(STDERR_FILENO, kSentence.data(), kSentence.size());
    std::_Exit(int(ExitStatus::memory_budget));
  } catch (...) {
  }
  std::abort();
}

}  // namespace

int main(int argc, char** argv) {
  std::set_terminate(end_without_memory);
  begin_with_sleeping_threads(argv);
  keep_freed_memory();
  const int status = leave_ranks(ending_of([&] {
    join_ranks();
    return run(argc, argv);
  }));
  // Without address space OpenBLAS does not even come to its end, also where nothing was multiplied.
  if (status == int(ExitStatus::memory_budget) || address_space_is_limited()) {
    std::cout.flush();
    std::_Exit(status);
  }
  return status;
}
