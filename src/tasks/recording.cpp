// SPDX-License-Identifier: MIT
#include "tasks/recording.hpp"

#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <ostream>

#include "base/machine.hpp"
#include "base/sha256.hpp"
#include "base/world.hpp"
#include "pairs/instructions.hpp"
#include "ritz/base/parallel.hpp"
#include "ritz/base/version.hpp"
#include "ritz/data/io.hpp"
#include "ritz/pairs/backend.hpp"
#include "tasks/row.hpp"

namespace ritz {

namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

constexpr std::string_view kMagic = "RITZCKPT";
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kSum = 32;  // bytes of SHA-256

// --- what must be the same ------------------------------------------------------------------------------------------

std::string bytes_of(const void* data, std::size_t size) { return {static_cast<const char*>(data), size}; }

std::string hash_of(const RowMatrix& values) {
  Sha256 hash;
  hash.add(fmt::format("{} x {} ", values.rows(), values.cols()));
  hash.add(bytes_of(values.data(), std::size_t(values.size()) * sizeof(double)));
  return hexadecimal(hash.finish());
}

std::string hash_of(const Labels& labels) {
  return hexadecimal(sha256(fmt::format("{}|{}", fmt::join(labels.of, ","), fmt::join(labels.names, "\n"))));
}

std::string hash_of(const std::vector<NamedMatrix>& matrices) {
  std::string all;
  for (const NamedMatrix& each : matrices) all += each.name + ":" + hash_of(each.values) + "\n";
  return hexadecimal(sha256(all));
}

// A file's content, or the word where it is none: the name of a column.
std::string hash_of(const std::string& word) {
  if (word == "-")
    fail(ErrorCode::bad_option, "run.checkpoint: standard input cannot be read a second time; give the data as a file");
  return std::filesystem::is_regular_file(word) ? file_sha256(word) : word;
}

std::string hash_of(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += hash_of(word) + "\n";
  return words.size() == 1 ? hash_of(words[0]) : hexadecimal(sha256(all));
}

Json inputs_json(const Inputs& inputs) {
  const DataSource& source = inputs.data;
  Json json = Json::object();
  if (source.data) {
    json["data"] = data_hash(*source.data);
    json["classes"] = hash_of(source.data->labels);
  } else {
    json["data"] = hash_of(source.paths);
  }
  if (!source.labels.empty()) json["labels"] = hash_of(source.labels);
  for (const auto& [name, value] : inputs.others)
    json[name] = std::visit([](const auto& v) { return hash_of(v); }, value);
  return json;
}

Json reading_json(const ReadOptions& read) {
  return {{"label_column", read.label_column},
          {"id_column", read.id_column},
          {"columns", read.columns},
          {"drop_column", read.drop_columns},
          {"kind", read.kinds},
          {"na", TextForm<MissingValues>::print(read.missing)}};
}

Json facts_of(const TaskCall& call, std::string_view verb, const Json& options, const RunContext& context) {
  Json facts = {{"verb", verb},
                {"program", fmt::format("Ritz {} ({}; {})", version(), instructions_text(), build_id())},
                {"backend", backend_or_cpu(context).name()},
                {"seed", context.seed},
                {"options", options},
                {"reading", reading_json(call.inputs.data.read)},
                {"inputs", inputs_json(call.inputs)},
                {"max_memory", context.max_memory}};
  for (const auto& [name, value] : options.items())  // an option may name a file, too
    if (value.is_string() && std::filesystem::is_regular_file(value.get<std::string>()))
      facts["inputs"][name] = file_sha256(value.get<std::string>());
  return facts;
}

void require_same_values(const std::string& path, std::string_view owner, const Json& then, const Json& now) {
  for (const auto& [name, value] : now.items())
    if (then.value(name, Json()) != value)
      fail(ErrorCode::bad_option,
           "{}: that run was begun with {}.{} {}, which is {} now; resume it with the same options", path, owner, name,
           json_text(then.value(name, Json())), json_text(value));
}

void require_same(const std::string& path, const Json& then, const Json& now) {
  const auto text = [](const Json& facts, const char* key) { return facts.value(key, std::string("?")); };
  if (then.value("verb", Json()) != now["verb"])
    fail(ErrorCode::bad_option, "{} is the checkpoint of a run of '{}', not of '{}'", path, text(then, "verb"),
         text(now, "verb"));
  if (then.value("program", Json()) != now["program"] || then.value("backend", Json()) != now["backend"])
    fail(ErrorCode::unsupported,
         "{}: that run was begun by {} on {}, this is {} on {}: only the same program ends with the same bits", path,
         text(then, "program"), text(then, "backend"), text(now, "program"), text(now, "backend"));
  for (const auto& [name, hash] : now["inputs"].items())
    if (then.value("inputs", Json::object()).value(name, Json()) != hash)
      fail(ErrorCode::bad_data, "{}: that run was begun on other data: '{}' differs", path, name);
  if (then.value("inputs", Json::object()).size() != now["inputs"].size())
    fail(ErrorCode::bad_data, "{}: that run was begun on other data: it had more inputs", path);
  require_same_values(path, "run", {{"seed", then.value("seed", Json())}}, {{"seed", now["seed"]}});
  require_same_values(path, "input", then.value("reading", Json::object()), now["reading"]);
  require_same_values(path, text(now, "verb"), then.value("options", Json::object()), now["options"]);
}

// --- the file -------------------------------------------------------------------------------------------------------

struct Parts {
  std::string facts, stages, backend;
};

void add_part(std::string& bytes, const std::string& part) {
  const std::uint64_t size = part.size();
  bytes += bytes_of(&size, sizeof size) + part;
}

void write_file(const std::string& path, const Parts& parts) {
  std::string bytes(kMagic);
  bytes += bytes_of(&kVersion, sizeof kVersion);
  add_part(bytes, parts.facts);
  add_part(bytes, parts.stages);
  add_part(bytes, parts.backend);
  bytes += sha256(bytes);
  write_atomically(path, [&](std::ostream& out) { out.write(bytes.data(), std::streamsize(bytes.size())); });
}

std::string read_file(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    fail(ErrorCode::bad_file, "no such file: {}; run.resume names the file that run.checkpoint of an earlier run wrote",
         path);
  std::ifstream file(path, std::ios::binary);
  if (!file || !std::filesystem::is_regular_file(path, error))
    fail(ErrorCode::bad_file, "{} cannot be read as a checkpoint", path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

Parts parts_of(const std::string& path, std::string_view bytes) {
  const auto refuse = [&](std::string_view why) { fail(ErrorCode::bad_file, "{}: {}", path, why); };
  if (!bytes.starts_with(kMagic)) refuse("is no checkpoint: it is written by run.checkpoint of a fitting verb");
  std::size_t at = kMagic.size();
  std::uint32_t format = 0;
  if (bytes.size() < at + sizeof format + kSum) refuse("the checkpoint is damaged (too short)");
  if (sha256(bytes.substr(0, bytes.size() - kSum)) != bytes.substr(bytes.size() - kSum))
    refuse("the checkpoint is damaged (its checksum does not match)");
  bytes.remove_suffix(kSum);
  std::memcpy(&format, bytes.data() + at, sizeof format);
  at += sizeof format;
  if (format != kVersion)
    refuse(fmt::format("is a checkpoint of version {}, this program has version {}", format, kVersion));
  const auto part = [&] {
    std::uint64_t size = 0;
    if (bytes.size() - at < sizeof size) refuse("the checkpoint is damaged (it ends too early)");
    std::memcpy(&size, bytes.data() + at, sizeof size);
    at += sizeof size;
    if (bytes.size() - at < size) refuse("the checkpoint is damaged (it ends too early)");
    at += std::size_t(size);
    return std::string(bytes.substr(at - std::size_t(size), std::size_t(size)));
  };
  Parts parts;
  parts.facts = part();
  parts.stages = part();
  parts.backend = part();
  return parts;
}

}  // namespace

Recording::Recording(const TaskCall& call, std::string_view verb, const Json& options, RunContext& context)
    : context_(context), path_(call.checkpoint.path()) {
  if (path_.empty()) return;
  Json facts = facts_of(call, verb, options, context);
  Parts earlier;
  if (const std::string& from = call.checkpoint.resume; !from.empty()) {
    // All ranks go on from what the first one reads.
    const bool reads = !context.world || context.world->rank() == 0;
    const std::string bytes = reads ? read_file(from) : "";
    earlier = parts_of(from, context.world ? gathered(bytes, context).front() : bytes);
    const Json then = Json::parse(earlier.facts, nullptr, false);
    if (!then.is_object()) fail(ErrorCode::bad_file, "{}: the checkpoint is damaged (its facts cannot be read)", from);
    require_same(from, then, facts);
    context.max_memory = then.value("max_memory", context.max_memory);
    facts["max_memory"] = context.max_memory;
    resumed_ = from;
  }
  const bool writes = !context.world || context.world->rank() == 0;
  checkpoint_ = std::make_unique<Checkpoint>(
      [path = path_, text = json_text(facts), writes, &context](const std::string& stages) {
        if (!writes) return;
        Archive archive;
        archive(backend_or_cpu(context));
        write_file(path, {text, stages, archive.take()});
      },
      call.checkpoint.minutes);
  if (!resumed_.empty()) {
    checkpoint_->restore(earlier.stages);
    Archive archive(earlier.backend);
    archive(backend_or_cpu(context));
  }
  context.checkpoint = checkpoint_.get();
}

void Recording::close() {
  if (!checkpoint_ || context_.checkpoint != checkpoint_.get()) return;
  context_.checkpoint = nullptr;
  try {
    checkpoint_->flush();
  } catch (...) {  // no memory for it, perhaps: what was written before is there
  }
}

void Recording::tell(const Summary& summary, Json& json, Lines& lines) const {
  if (!checkpoint_) return;
  const bool stopped = summary.termination == Termination::interrupted ||
                       summary.termination == Termination::time_limit ||
                       summary.termination == Termination::stopped_by_observer;
  if (!resumed_.empty()) {
    const std::string text =
        fmt::format("{}: {} and {} of an earlier run were not done again", resumed_,
                    counted(checkpoint_->stages(), "stage"), counted(checkpoint_->iterations(), "iteration"));
    lines.add("resumed", text);
    json["used"]["resume"] = text;
  }
  std::string text = stopped ? fmt::format("{}: run.resume {} goes on from here", path_, path_)
                             : fmt::format("{}: the run is finished, it is not needed any more", path_);
  if (!checkpoint_->trouble().empty()) {
    text = fmt::format("NOT WRITTEN: {}", checkpoint_->trouble());
    json["notes"].push_back("the checkpoint was not written: " + checkpoint_->trouble());
  }
  lines.add("checkpoint", text);
  json["files"]["checkpoint"] = path_;
}

}  // namespace ritz
