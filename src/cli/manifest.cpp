// SPDX-License-Identifier: MIT
// Runs that can be repeated: what a run writes down of itself, and `ritz replay`.

#include <unistd.h>

#include <Eigen/Core>
#include <filesystem>
#include <fstream>

#include "base/child_process.hpp"
#include "base/sha256.hpp"
#include "cli/session.hpp"
#include "ritz/base/version.hpp"

namespace ritz::cli {

namespace {

namespace fs = std::filesystem;

// A word of a command line that names a flag and perhaps its value, "--dim=2".
std::string flag_of(const std::string& word) { return word.starts_with("--") ? word.substr(0, word.find('=')) : ""; }

// The words with each flag of `flags` and its value handled by `take`, which returns what stands in their place.
Words rewritten(const Words& words, const std::vector<std::string>& flags,
                const std::function<Words(const std::string& flag, const std::string& value)>& take) {
  Words all;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string flag = flag_of(words[i]);
    if (std::ranges::find(flags, flag) == flags.end()) {
      all.push_back(words[i]);
      continue;
    }
    const bool joined = words[i].size() > flag.size();
    const std::string value = joined ? words[i].substr(flag.size() + 1) : i + 1 < words.size() ? words[++i] : "";
    for (std::string& word : take(flag, value)) all.push_back(std::move(word));
  }
  return all;
}

// A run that is repeated begins at its beginning.
const std::vector<std::string> kCheckpointFlags{"--checkpoint", "--checkpoint-minutes", "--resume"};

std::vector<std::string> output_flags(const Task& task) {
  std::vector<std::string> flags{"--json", "--manifest"};
  for (const OutputRow& row : task.outputs) flags.push_back("--" + flag_name(row.option));
  return flags;
}

constexpr std::string_view kTimed = "trace";  // holds seconds, which no second run has

Json files_json(const std::vector<std::string>& paths) {
  Json all = Json::object();
  for (const std::string& path : paths)
    if (fs::is_regular_file(path)) all[path] = file_sha256(path);
  return all;
}

}  // namespace

std::string repeating_command(const Task& task, const Words& words) {
  std::vector<std::string> left_out = output_flags(task);
  left_out.insert(left_out.end(), kCheckpointFlags.begin(), kCheckpointFlags.end());
  left_out.insert(left_out.end(), {"--threads", "--max-memory"});
  std::string text = "ritz";
  for (const std::string& word : rewritten(words, left_out, [](const auto&, const auto&) { return Words{}; }))
    if (word != "--quiet" && word != "--verbose") text += " " + shell_word(word);
  return text;
}

void require_repeatable(const TaskCall& call, const std::string& manifest) {
  std::vector<AskedFile> files{{"manifest", manifest, FileForm::json}};
  for (const auto& [kind, path] : call.files) files.push_back({kind, path, FileForm::json});
  require_outputs(files, files_of(call.inputs));
  for (const std::string& path : files_of(call.inputs))
    if (path == "-")
      fail(ErrorCode::bad_option, "run.manifest: standard input cannot be read a second time; give the data as a file");
}

void write_manifest(const std::string& path, const Task& task, const TaskCall& call, const RunOptions& run,
                    const Words& words, const TaskOutcome& outcome) {
  const Json facts = Json::parse(outcome.json);
  Json json = {{"manifest", 1}, {"ritz", version()}, {"verb", task.verb}, {"arguments", words}, {"seed", run.seed}};
  json["options"] = facts["options"];
  json["versions"] = {{"ritz", version()},
                      {"compiler", fmt::format("g++ {}", __VERSION__)},
                      {"eigen", fmt::format("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
                      {"backend", run.backend}};
  json["data"] = facts["data"];
  json["inputs"] = files_json(files_of(call.inputs));
  json["stop_reason"] = facts["stop_reason"];
  json["objective"] = facts["objective"];
  json["outputs"] = Json::array();
  for (const auto& [kind, file] : outcome.files) {
    if (file == "-") continue;
    Json one = {{"kind", kind}, {"path", file}};
    if (kind != kTimed) one["sha256"] = file_sha256(file);
    json["outputs"].push_back(std::move(one));
  }
  print_json(path, json);
}

// --- replay ---------------------------------------------------------------------------------------------------------

namespace {

// Gone at the end, with all that is in it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "ritz-replay-XXXXXX").string();
    if (!mkdtemp(name.data()))
      fail(ErrorCode::unwritable, "no folder can be made in {}", fs::temp_directory_path().string());
    path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// All that is read of it later is of the kind that write_manifest gives it.
bool is_manifest(const Json& json) {
  const auto is = [](const Json& in, const char* key, auto check) { return in.contains(key) && (in[key].*check)(); };
  const auto text = [](const Json& value) { return value.is_string(); };
  return json.is_object() && json.value("manifest", Json()) == Json(1) && is(json, "ritz", &Json::is_string) &&
         is(json, "verb", &Json::is_string) && is(json, "arguments", &Json::is_array) &&
         std::ranges::all_of(json["arguments"], text) && is(json, "inputs", &Json::is_object) &&
         std::ranges::all_of(json["inputs"], text) && json.contains("objective") &&
         is(json, "outputs", &Json::is_array) && std::ranges::all_of(json["outputs"], [&](const Json& output) {
           return output.is_object() && is(output, "kind", &Json::is_string) && is(output, "path", &Json::is_string) &&
                  text(output.value("sha256", Json("")));
         });
}

Json read_manifest(const std::string& path) {
  std::ifstream file(path);
  std::error_code error;
  if (!file && !std::filesystem::exists(path, error)) fail(ErrorCode::bad_file, "no such file: {}", path);
  if (!file || (file.peek(), file.bad())) fail(ErrorCode::bad_file, "{} cannot be read", path);
  Json json = Json::parse(file, nullptr, false);
  if (!is_manifest(json))
    fail(ErrorCode::bad_file, "{} is no manifest: it is written by run.manifest of a fitting verb", path);
  return json;
}

void require_same_inputs(const Json& manifest) {
  for (const auto& [path, hash] : manifest["inputs"].items())
    if (!std::filesystem::exists(path))
      fail(ErrorCode::bad_file,
           "{}, which the run read, is not there; replay it in the folder of the run, with its files", path);
    else if (file_sha256(path) != hash)
      fail(ErrorCode::bad_data, "{} is not the file of the run: its SHA-256 is {}, the manifest says {}", path,
           file_sha256(path), hash.get<std::string>());
}

// The same words, but all that is written goes to a folder of its own, by kind, under its own name.
Words redirected(const Task& task, const Words& words, const fs::path& folder) {
  std::vector<std::string> flags = output_flags(task);
  flags.insert(flags.end(), kCheckpointFlags.begin(), kCheckpointFlags.end());
  Words all = rewritten(words, flags, [&](const std::string& flag, const std::string& value) -> Words {
    if (flag == "--manifest" || flag == "--json" || std::ranges::find(kCheckpointFlags, flag) != kCheckpointFlags.end())
      return {};
    const fs::path place = folder / flag.substr(2);
    fs::create_directories(place);
    return {flag, value == "-" ? value : (place / fs::path(value).filename()).string()};
  });
  if (std::ranges::find(all, "--quiet") == all.end()) all.push_back("--quiet");
  all.push_back("--manifest=" + (folder / "manifest.json").string());
  return all;
}

struct Compared {
  Json table = Json::array();
  bool same = true;
  void add(const std::string& what, const Json& then, const Json& now) {
    const bool equal = then == now;
    same &= equal;
    table.push_back({{"what", what}, {"same", equal}, {"then", then}, {"now", now}});
  }
};

Compared compared(const Json& then, const Json& now) {
  Compared all;
  all.add("objective", then["objective"], now["objective"]);
  const auto hash = [](const Json& output) { return output.value("sha256", Json()); };
  for (std::size_t k = 0; k < then["outputs"].size(); ++k) {
    const Json& old = then["outputs"][k];
    if (hash(old).is_null()) continue;  // holds times
    const Json fresh =
        k < now["outputs"].size() && now["outputs"][k]["kind"] == old["kind"] ? now["outputs"][k] : Json::object();
    all.add(fmt::format("{} {}", old.value("kind", ""), old.value("path", "")), hash(old), hash(fresh));
  }
  return all;
}

ExitStatus work_replay(const RunOptions& run, const std::string& path, const std::string& target) {
  require_outputs({{"json", target, FileForm::json}}, {path});
  const RunContext context = make_context(run);
  const Json then = read_manifest(path);
  const Task& task = task_named(then["verb"].get<std::string>());
  Words words;
  for (const Json& word : then["arguments"]) words.push_back(word.get<std::string>());
  if (words.empty() || words[0] != task.verb)
    fail(ErrorCode::bad_file, "{}: its arguments are not those of a run", path);
  require_same_inputs(then);
  if (then.value("ritz", "") != version())
    say(run, "the run was made by Ritz {}, this is {}: the bits need not agree\n", then.value("ritz", "?"), version());
  const TemporaryFolder folder;
  const ChildEnd end = run_child({fs::read_symlink("/proc/self/exe").string(),
                                  redirected(task, words, folder.path()),
                                  fs::current_path().string(),
                                  {}},
                                 context);
  if (!fs::exists(folder.path() / "manifest.json"))
    fail(ErrorCode::bad_data, "the run could not be repeated (exit status {}): {}", end.code, trimmed(end.output));
  const Compared result = compared(then, read_manifest((folder.path() / "manifest.json").string()));
  say(run, "{}: {}\n", path, result.same ? "the bits agree" : "THE BITS DIFFER");
  for (const Json& row : result.table)
    say(run, "  {:<9} {}\n", row["same"] == Json(true) ? "same" : "DIFFERENT", row["what"].get<std::string>());
  Json json = head_json("replay", task.method, result.same ? "same" : "different");
  json["result"] = {{"compared", result.table}};
  json["files"] = {{"manifest", path}};
  print_json(target, json);
  return result.same ? ExitStatus::fine : ExitStatus::not_converged;
}

}  // namespace

Verb add_replay(CLI::App& root) {
  auto run = std::make_shared<RunOptions>();
  auto path = std::make_shared<std::string>(), json = std::make_shared<std::string>();
  CLI::App& app = *root.add_subcommand("replay", "Repeat a run from its manifest, and say whether the bits agree");
  app.add_option("MANIFEST", *path, "file written by --manifest; inputs are looked for where its paths say")
      ->required();
  add_run_flags(app, *run, *json);
  return [run, path, json] { return work_replay(*run, *path, *json); };
}

}  // namespace ritz::cli
