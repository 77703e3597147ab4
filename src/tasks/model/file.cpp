// SPDX-License-Identifier: MIT
#include "ritz/tasks/model.hpp"

#include <zlib.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <ostream>

#include "base/fail.hpp"
#include "ritz/base/version.hpp"
#include "ritz/data/io.hpp"

namespace ritz {

namespace {

static_assert(std::endian::native == std::endian::little, "arrays are written as they lie in memory");

constexpr std::string_view kMagic = "RITZMODL";
constexpr std::uint32_t kVersion = 1;
constexpr std::uintmax_t kFixed = kMagic.size() + sizeof(std::uint32_t) + sizeof(std::uint64_t);
constexpr std::uint64_t kLargestHeader = 1u << 28;

std::uint32_t checksum(std::uint32_t so_far, const void* data, std::size_t size) {
  const auto* bytes = static_cast<const Bytef*>(data);
  while (size > 0) {  // zlib counts in 32 bits
    const auto part = uInt(std::min<std::size_t>(size, 1u << 30));
    so_far = std::uint32_t(crc32(so_far, bytes, part));
    bytes += part;
    size -= part;
  }
  return so_far;
}

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  fail(ErrorCode::bad_file, "{}: {}", path, why);
}

// How deep brackets nest. What reads and writes JSON calls itself for each level.
constexpr int kDeepest = 100;
int depth_of(std::string_view json) {
  int depth = 0, most = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (quoted && json[i] == '\\')
      ++i;
    else if (json[i] == '"')
      quoted = !quoted;
    else if (!quoted && (json[i] == '[' || json[i] == '{'))
      most = std::max(most, ++depth);
    else if (!quoted && (json[i] == ']' || json[i] == '}'))
      --depth;
  }
  return most;
}

class Reader {
 public:
  Reader(const std::string& path) : path_(path), file_(path, std::ios::binary) {
    if (!file_) refuse(path, "cannot be opened");
  }
  void read(void* to, std::size_t size) {
    if (!file_.read(static_cast<char*>(to), std::streamsize(size))) refuse(path_, "the model file ends too early");
    checksum_ = checksum(checksum_, to, size);
  }
  template <class T>
  T number() {
    T value;
    read(&value, sizeof value);
    return value;
  }
  std::uint32_t checksum_so_far() const { return checksum_; }

 private:
  const std::string& path_;
  std::ifstream file_;
  std::uint32_t checksum_ = 0;
};

}  // namespace

void save_model(const std::string& path, const ModelFile& model) {
  nlohmann::json header = {{"ritz", version()}, {"method", model.method}, {"info", nlohmann::json::parse(model.info)}};
  header["arrays"] = nlohmann::json::array();
  for (const auto& [name, array] : model.arrays)
    header["arrays"].push_back({{"name", name}, {"rows", array.rows()}, {"cols", array.cols()}});
  const std::string text = header.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  write_atomically(path, [&](std::ostream& out) {
    std::uint32_t sum = 0;
    const auto put = [&](const void* data, std::size_t size) {
      out.write(static_cast<const char*>(data), std::streamsize(size));
      sum = checksum(sum, data, size);
    };
    const std::uint64_t length = text.size();
    put(kMagic.data(), kMagic.size());
    put(&kVersion, sizeof kVersion);
    put(&length, sizeof length);
    put(text.data(), text.size());
    for (const auto& [name, array] : model.arrays) put(array.data(), std::size_t(array.size()) * sizeof(double));
    out.write(reinterpret_cast<const char*>(&sum), sizeof sum);
  });
}

ModelFile load_model(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) throw Error(ErrorCode::bad_file, "no such file: " + path);
  if (std::filesystem::is_directory(path, error)) refuse(path, "is a directory, not a model file");
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) refuse(path, "cannot be read: " + error.message());
  if (size < kFixed + sizeof(std::uint32_t)) refuse(path, "is not a ritz model file (too short)");

  Reader reader(path);
  std::string magic(kMagic.size(), '\0');
  reader.read(magic.data(), magic.size());
  if (magic != kMagic) refuse(path, "is not a ritz model file");
  const auto format = reader.number<std::uint32_t>();
  if (format == 0 || format > kVersion)
    refuse(path, fmt::format("has model format {}, this program reads up to {}", format, kVersion));
  const auto length = reader.number<std::uint64_t>();
  if (length > kLargestHeader || length > size - kFixed - sizeof(std::uint32_t))
    refuse(path, "the model file is truncated or altered (its header does not fit)");
  std::string text(std::size_t(length), '\0');
  reader.read(text.data(), text.size());

  if (depth_of(text) > kDeepest) refuse(path, "the model file is altered (its header is nested too deeply)");
  ModelFile model;
  try {
    const nlohmann::json header = nlohmann::json::parse(text);
    model.method = header.at("method").get<std::string>();
    model.info = header.at("info").dump();
    std::uintmax_t left = size - kFixed - sizeof(std::uint32_t) - length;
    for (const nlohmann::json& entry : header.at("arrays")) {
      const auto count = [&](const char* name) {
        if (!entry.at(name).is_number_unsigned()) refuse(path, "the model file is altered (an array has no size)");
        return entry.at(name).get<std::uint64_t>();
      };
      const std::uint64_t rows = count("rows"), cols = count("cols");
      if (rows > size || cols > size || (rows > 0 && cols > left / rows / sizeof(double)))
        refuse(path, "the model file is truncated or altered (an array is larger than the file)");
      left -= rows * cols * sizeof(double);
      Matrix array{Index(rows), Index(cols)};
      reader.read(array.data(), std::size_t(array.size()) * sizeof(double));
      model.arrays[entry.at("name").get<std::string>()] = std::move(array);
    }
    if (left != 0) refuse(path, fmt::format("the model file is altered ({} bytes too many)", left));
  } catch (const nlohmann::json::exception&) {
    refuse(path, "the model file is altered (its header is not readable)");
  }
  const std::uint32_t expected = reader.checksum_so_far();
  if (reader.number<std::uint32_t>() != expected)
    refuse(path, "the model file is altered (its checksum does not match)");
  return model;
}

}  // namespace ritz
