// SPDX-License-Identifier: MIT
#include "data/formats/format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "ritz/base/text.hpp"

namespace ritz::detail {

namespace {

constexpr std::size_t kSampleBytes = 64 * 1024;

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return out;
}

bool idx_mark(std::string_view head) {
  constexpr std::string_view kTypes = "\x08\x09\x0B\x0C\x0D\x0E";
  return head.size() >= 4 && head[0] == 0 && head[1] == 0 && kTypes.find(head[2]) != std::string_view::npos &&
         head[3] >= 1 && head[3] <= 16;
}

std::string_view next_token(std::string_view& text) {
  constexpr std::string_view kBlanks = " \t\r";
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  const std::string_view token = text.substr(0, text.find_first_of(kBlanks));
  text.remove_prefix(token.size());
  return token;
}

bool is_pair(std::string_view token) {
  const std::size_t colon = token.find(':');
  return colon != std::string_view::npos && read_integer(token.substr(0, colon)) &&
         read_double(token.substr(colon + 1));
}

// "label index:value …" on every whole line of the sample, with a pair on one of them at least.
bool looks_like_libsvm(std::string_view sample) {
  constexpr int kLines = 20;
  bool has_pair = false;
  for (int k = 0; k < kLines && !sample.empty(); ++k) {
    const std::size_t end = sample.find('\n');
    std::string_view line = sample.substr(0, end);
    const bool cut = end == std::string_view::npos && sample.size() >= kSampleBytes;
    sample.remove_prefix(std::min(line.size() + 1, sample.size()));
    line = line.substr(0, line.find('#'));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    if (!read_double(next_token(line))) return false;
    for (std::string_view token = next_token(line); !token.empty(); token = next_token(line)) {
      if (is_pair(token)) {
        has_pair = true;
      } else {
        return cut && line.empty() && has_pair;  // the last token of a cut line may be half a pair
      }
    }
  }
  return has_pair;
}

[[noreturn]] void refuse(const ByteSource& source, std::string_view what) {
  throw Error(ErrorCode::bad_file, fmt::format("{}: {} cannot be read; known are delimited text, NPY, NPZ, LIBSVM, "
                                               "MatrixMarket, IDX and MAT",
                                               source.name(), what));
}

}  // namespace

std::string extension(std::string_view path) {
  std::string name = lower(path.substr(path.find_last_of('/') + 1));
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  const std::size_t dot = name.find_last_of('.');
  return dot == std::string::npos ? "" : name.substr(dot);
}

Format detect_format(const std::string& path, ByteSource& source) {
  const std::string_view sample = source.peek(kSampleBytes);
  if (sample.starts_with("\x93NUMPY")) return Format::npy;
  if (sample.starts_with("PK\x03\x04") || sample.starts_with("PK\x05\x06")) return Format::npz;
  if (lower(sample.substr(0, 14)) == "%%matrixmarket") return Format::matrix_market;
  if (idx_mark(sample)) return Format::idx;
  if (sample.starts_with("MATLAB 5.0")) return Format::mat;
  if (sample.starts_with("\x89HDF\r\n")) refuse(source, "an HDF5 file");
  if (sample.starts_with("MATLAB 7.3")) refuse(source, "a MATLAB file of version 7.3 (save it with -v7)");

  const std::string ending = extension(path);
  const std::string name = lower(path);
  if (ending == ".npy") source.fail("this is no NumPy file; it does not begin with \\x93NUMPY");
  if (ending == ".npz") source.fail("this is no NPZ archive; it does not begin with PK");
  if (ending == ".mat") source.fail("this is no MAT file of version 5; save it with -v7");
  if (ending == ".mtx") source.fail("this is no MatrixMarket file; it does not begin with %%MatrixMarket");
  if (ending == ".idx" || name.ends_with("-ubyte") || name.ends_with("-ubyte.gz"))
    source.fail("this is no IDX file; it does not begin with 0, 0, a type and a number of dimensions");
  if (sample.find('\0') != std::string_view::npos) refuse(source, "a binary file of an unknown format");
  if (ending == ".libsvm" || ending == ".svm" || ending == ".svmlight") return Format::libsvm;
  if (ending == ".csv" || ending == ".tsv") return Format::delimited;
  return looks_like_libsvm(sample) ? Format::libsvm : Format::delimited;
}

}  // namespace ritz::detail
