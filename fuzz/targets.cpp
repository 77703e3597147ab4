// SPDX-License-Identifier: MIT
#include "targets.hpp"

#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <optional>

#include "cli/config.hpp"
#include "data/formats/format.hpp"
#include "graph/pair_files.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/text.hpp"
#include "ritz/data/columns.hpp"
#include "ritz/model/kernel_sum.hpp"
#include "ritz/tasks/reduce.hpp"
#include "ritz/tasks/task.hpp"
#include "tasks/model/table.hpp"

namespace ritz::fuzz {

namespace {

RunContext narrow() {
  RunContext context;
  context.max_memory = 64u << 20;
  context.threads = 1;
  return context;
}

// A file that is only in memory, by its path.
class MemoryFile {
 public:
  explicit MemoryFile(Bytes bytes) : descriptor_(memfd_create("fuzz", MFD_CLOEXEC)) {
    for (std::size_t at = 0; at < bytes.size();) {
      const ssize_t written = write(descriptor_, bytes.data() + at, bytes.size() - at);
      if (written <= 0) break;
      at += std::size_t(written);
    }
  }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

template <class Work>
void promised(Work&& work) {
  try {
    work();
  } catch (const Error&) {
  }
}

std::vector<std::uint8_t> gzipped(Bytes bytes) {
  z_stream stream{};
  deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::vector<std::uint8_t> out(deflateBound(&stream, uLong(bytes.size())));
  stream.next_in = const_cast<Bytef*>(bytes.data());
  stream.avail_in = uInt(bytes.size());
  stream.next_out = out.data();
  stream.avail_out = uInt(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

template <class T>
void put(std::vector<std::uint8_t>& out, T value) {
  const auto* at = reinterpret_cast<const std::uint8_t*>(&value);
  out.insert(out.end(), at, at + sizeof value);
}

// An archive with the bytes as its one member, stored, with a right checksum: mutations get past it.
std::vector<std::uint8_t> zipped(Bytes bytes, std::string_view name) {
  const auto sum = std::uint32_t(crc32(0, bytes.data(), uInt(bytes.size())));
  std::vector<std::uint8_t> out;
  const auto member = [&](bool central) {
    put<std::uint32_t>(out, central ? 0x02014b50 : 0x04034b50);
    if (central) put<std::uint16_t>(out, 20);
    for (const std::uint16_t word : {20, 0, 0, 0, 0}) put(out, word);
    put(out, sum);
    put(out, std::uint32_t(bytes.size()));
    put(out, std::uint32_t(bytes.size()));
    put(out, std::uint16_t(name.size()));
    put<std::uint16_t>(out, 0);
    if (central) {
      for (int word = 0; word < 3; ++word) put<std::uint16_t>(out, 0);
      put<std::uint32_t>(out, 0);
      put<std::uint32_t>(out, 0);
    }
    out.insert(out.end(), name.begin(), name.end());
  };
  member(false);
  out.insert(out.end(), bytes.begin(), bytes.end());
  const std::size_t directory = out.size();
  member(true);
  const std::size_t size = out.size() - directory;
  put<std::uint32_t>(out, 0x06054b50);
  for (const std::uint16_t word : {0, 0, 1, 1}) put(out, word);
  put(out, std::uint32_t(size));
  put(out, std::uint32_t(directory));
  put<std::uint16_t>(out, 0);
  return out;
}

// Latin-1 as UTF-16, without a mark.
std::vector<std::uint8_t> widened(Bytes bytes, bool big_endian) {
  std::vector<std::uint8_t> out(2 * bytes.size());
  for (std::size_t i = 0; i < bytes.size(); ++i) out[2 * i + (big_endian ? 1 : 0)] = bytes[i];
  return out;
}

// How the bytes lie in the file: as they are, or as two bits of `how` say; then packed or not.
std::vector<std::uint8_t> wrapped_as(std::uint8_t how, bool archive, Bytes bytes) {
  std::vector<std::uint8_t> out(bytes.begin(), bytes.end());
  switch (how >> 6) {
    case 1:
      out = widened(bytes, false);
      break;
    case 2:
      out = widened(bytes, true);
      break;
    case 3:
      out = zipped(bytes, "x.csv");
      break;
  }
  if (how & 1) out = archive ? zipped(out, "X.npy") : gzipped(out);
  return out;
}

// The first byte says how the rest is wrapped, who reads it, and what is asked of it.
void read_as(const detail::FormatRow& row, Bytes bytes) {
  if (bytes.empty()) return;
  const std::uint8_t how = bytes[0];
  const MemoryFile file(wrapped_as(how, row.name == "NPZ", bytes.subspan(1)));
  ReadOptions options;
  if (how & 2) options.label_column = "1";
  if (how & 4) options.missing = how & 8 ? MissingValues::drop : MissingValues::mean;
  const RunContext context = narrow();
  promised([&] {
    if ((how >> 4 & 3) == 2) {  // by its content
      read_dataset(file.path(), options, context);
      return;
    }
    detail::ByteSource source = detail::open_source(file.path());
    switch (how >> 4 & 3) {
      case 0:
        row.read.dataset(source, options, context);
        break;
      case 1:
        row.read.labels(source, {}, context);
        break;
      default:
        row.read.matrices(source, context);
    }
  });
}

std::string text_of(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

// use(name, value) for each "name=value" between the separators.
template <class Use>
void for_each_word(const std::string& text, char separator, const Use& use) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size()), equals = text.find('=', at);
    if (equals < end) use(text.substr(at, equals - at), text.substr(equals + 1, end - equals - 1));
    at = end + 1;
  }
}

ReadOptions asked_of_a_table(const std::string& words) {
  ReadOptions asked;
  for_each_word(words, '\t', [&](const std::string& name, const std::string& value) {
    if (name == "label") asked.label_column = value;
    if (name == "id") asked.id_column = value;
    if (name == "unlabelled") asked.unlabelled = value;
    if (name == "drop") asked.drop_columns.push_back(value);
    if (name == "target") asked.target_columns.push_back(value);
    if (name == "columns") asked.columns.push_back(value);
    if (name == "kind") asked.kinds.push_back(value);
    if (name == "stay") asked.may_stay = true;
    if (name == "na") asked.missing = TextForm<MissingValues>::parse(value).value_or(MissingValues::knn);
  });
  return asked;
}

// The first line says what is asked of the table behind it, "label=a<tab>kind=b=date". What the table became is kept as
// a model keeps it, and the same file read by that must become the same.
void table(Bytes bytes) {
  const std::string text = text_of(bytes);
  const std::size_t line = std::min(text.find('\n'), text.size());
  const ReadOptions asked = asked_of_a_table(text.substr(0, line));
  const MemoryFile file(bytes.subspan(std::min(line + 1, text.size())));
  const RunContext context = narrow();
  promised([&] { describe_table(file.path(), asked, context); });
  std::optional<Dataset> first;
  promised([&] { first = read_dataset(file.path(), asked, context); });
  if (!first || !first->recipe || first->recipe->columns.empty() || first->stored()) return;
  promised([&] {
    ModelFile model;
    store_recipe(model, first->recipe.get());
    ReadOptions again;
    again.id_column = asked.id_column;
    again.unlabelled = asked.unlabelled;
    again.recipe = stored_recipe(model);
    again.as_fitted = true;
    const Dataset second = read_dataset(file.path(), again, context);
    if (second.feature_names != first->feature_names || second.rows() != first->rows()) __builtin_trap();
  });
}

// A kernel that reads must print to what reads to the same print.
void kernel(Bytes bytes) {
  promised([&] {
    const std::string text = kernel_text(parse_kernel(text_of(bytes)));
    if (kernel_text(parse_kernel(text)) != text) __builtin_trap();
  });
}

// Lines name=value, as options of the task.
void options(const Task& task, Bytes bytes) {
  std::map<std::string, std::string> values;
  for_each_word(text_of(bytes), '\n', [&](const std::string& name, const std::string& value) { values[name] = value; });
  promised([&] { task.check_options(values); });
  promised([&] { task.check_sizes(values); });
  // A forecast's own sizes are among them: options that it does not know are the other's.
  TaskCall call;
  std::map<std::string, std::string> sizes;
  for (const auto& [name, value] : values)
    (std::ranges::find(task.sizes, name, &OptionRow::name) != task.sizes.end() ? sizes : call.options)[name] = value;
  promised([&] { task.forecast(call, sizes, narrow()); });
}

// Six samples of two columns, those of fuzz/corpus/data.csv, from which the models of the corpus were made.
std::shared_ptr<const Dataset> samples(bool labelled = false) {
  static const auto make = [](bool with_labels) {
    RowMatrix X(6, 2);
    X << 0, 0, 1, 0.25, 0.5, 1, 4, 4, 5, 4.5, 4.25, 5;
    auto made = std::make_shared<Dataset>();
    made->samples = X;
    made->feature_names = {"x1", "x2"};
    made->source = "data.csv";
    if (with_labels) made->labels = {{0, 0, 0, 1, 1, 1}, {"0", "1"}};
    return std::shared_ptr<const Dataset>(made);
  };
  static const auto plain = make(false), classes = make(true);
  return labelled ? classes : plain;
}

void use_model(const Task& task, Bytes bytes) {
  std::vector<std::uint8_t> mended(bytes.begin(), bytes.end());
  mend_checksum(mended);
  const MemoryFile file(mended);
  const RunContext context = narrow();
  promised([&] {
    const ModelFile model = load_model(file.path());
    if (model.method != task.method) return;
    Inputs inputs;
    inputs.data.data = samples();
    if (task.data.several) {
      RowMatrix one(3, 1), two(3, 1);
      one << 1, 0, 0;
      two << 1, 1, 0;
      inputs.others["bases"] = std::vector<NamedMatrix>{{"a", one}, {"b", two}};
    }
    promised([&] { task.check(model, inputs, {}, context); });
    inputs.data.data = samples(true);
    promised([&] { task.check(model, inputs, {}, context); });
    if (task.transform)
      promised([&] {
        const RowMatrix placed = task.transform(model, *samples(), context);
        if (!placed.allFinite()) __builtin_trap();
      });
    if (task.predict) promised([&] { task.predict(model, *samples(), {}, context); });
    if (task.report) promised([&] { task.report(model, samples().get(), context); });
  });
}

constexpr std::size_t kHead = 20;  // magic, version, length of the JSON

std::uint64_t text_length(const std::vector<std::uint8_t>& model) {
  std::uint64_t length = 0;
  std::memcpy(&length, model.data() + 12, sizeof length);
  return length;
}

}  // namespace

void mend_checksum(std::vector<std::uint8_t>& model) {
  if (model.size() < kHead + 4) return;
  const auto sum = std::uint32_t(crc32(0, model.data(), uInt(model.size() - 4)));
  std::memcpy(model.data() + model.size() - 4, &sum, sizeof sum);
}

void mutate_model(std::vector<std::uint8_t>& model, const std::function<std::uint32_t()>& draw) {
  if (model.size() < kHead + 4 || text_length(model) > model.size() - kHead - 4) return;
  const std::size_t length = text_length(model), arrays = kHead + length, end = model.size() - 4;
  static constexpr double kNumbers[] = {0,
                                        -1,
                                        1,
                                        0.5,
                                        2,
                                        1e9,
                                        1e300,
                                        -1e300,
                                        1e-300,
                                        5,
                                        std::numeric_limits<double>::quiet_NaN(),
                                        std::numeric_limits<double>::infinity()};
  static constexpr std::string_view kWords[] = {"0",    "1",  "2",  "-1",   "1e300", "null",
                                                "true", "[]", "{}", "\"\"", "3.5"};
  if (end > arrays + 8 && draw() % 2 == 0) {  // an entry
    const std::size_t at = arrays + draw() % ((end - arrays) / 8) * 8;
    std::memcpy(model.data() + at, &kNumbers[draw() % std::size(kNumbers)], 8);
  } else {  // a number or word of the JSON, the shapes among them
    std::string text(model.begin() + kHead, model.begin() + std::ptrdiff_t(arrays));
    const std::size_t colon = text.find(':', draw() % std::max<std::size_t>(text.size(), 1));
    if (colon == std::string::npos) return;
    const std::size_t stop = std::min(text.find_first_of(",}]", colon), text.size());
    text.replace(colon + 1, stop - colon - 1, kWords[draw() % std::size(kWords)]);
    model.erase(model.begin() + kHead, model.begin() + std::ptrdiff_t(arrays));
    model.insert(model.begin() + kHead, text.begin(), text.end());
    const std::uint64_t now = text.size();
    std::memcpy(model.data() + 12, &now, sizeof now);
  }
  mend_checksum(model);
}

const std::vector<Target>& targets() {
  static const std::vector<Target> all = [] {
    std::vector<Target> made;
    for (const detail::FormatRow* row : detail::format_rows())
      made.push_back({detail::lower(row->name), [row](Bytes bytes) { read_as(*row, bytes); }});
    const auto file = [&](const char* name, auto read) {
      made.push_back({name, [read](Bytes bytes) {
                        const bool packed = bytes.size() % 2 == 1;  // half of them are read from gzip
                        const MemoryFile memory(packed ? Bytes(gzipped(bytes)) : bytes);
                        promised([&] { read(memory.path(), narrow()); });
                      }});
    };
    file("labels", [](const std::string& path, const RunContext& context) { read_labels(path, context); });
    file("pairs", [](const std::string& path, const RunContext& context) { read_pairs(path, 50, context, {}); });
    file("weighted-pairs",
         [](const std::string& path, const RunContext& context) { read_weighted_pairs(path, 50, context); });
    file("edges", [](const std::string& path, const RunContext& context) { read_edges(path, 50, context); });
    file("folds", [](const std::string& path, const RunContext& context) { reduce::read_folds(path, 8, context); });
    made.push_back({"table", table});
    made.push_back({"config", [](Bytes bytes) {
                      const MemoryFile memory(bytes);
                      promised([&] { cli::flags_of(memory.path()); });
                    }});
    made.push_back({"kernel", kernel});
    made.push_back({"column-kind", [](Bytes bytes) { promised([&] { read_kind(text_of(bytes)); }); }});
    for (const Task& task : tasks()) {
      made.push_back({"options-" + task.verb, [&task](Bytes bytes) { options(task, bytes); }});
      made.push_back({"model-" + task.verb, [&task](Bytes bytes) { use_model(task, bytes); }, true});
    }
    return made;
  }();
  return all;
}

}  // namespace ritz::fuzz
