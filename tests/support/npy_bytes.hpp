// SPDX-License-Identifier: MIT
// NPY, ZIP and gzip content made by hand, so that readers are tested against the formats and not against our writers.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ritz::test {

inline std::string little(std::uint64_t value, int bytes) {
  std::string out;
  for (int k = 0; k < bytes; ++k) out += char(value >> (8 * k) & 0xFF);
  return out;
}

inline std::string big(std::uint64_t value, int bytes) {
  const std::string reversed = little(value, bytes);
  return {reversed.rbegin(), reversed.rend()};
}

template <class T>
std::string bytes_of(const std::vector<T>& values, bool big_endian = false) {
  std::string out;
  for (const T& value : values) {
    std::string bytes(sizeof(T), '\0');
    std::memcpy(bytes.data(), &value, sizeof(T));
    if (big_endian) bytes = {bytes.rbegin(), bytes.rend()};
    out += bytes;
  }
  return out;
}

inline std::string npy_with_header(const std::string& header, const std::string& elements, int version = 1) {
  const std::string text = header + "\n";
  return "\x93NUMPY" + std::string(1, char(version)) + std::string(1, '\0') +
         little(text.size(), version == 1 ? 2 : 4) + text + elements;
}

inline std::string npy(const std::string& type, const std::string& shape, const std::string& elements,
                       bool fortran_order = false, int version = 1) {
  return npy_with_header("{'descr': '" + type + "', 'fortran_order': " + (fortran_order ? "True" : "False") +
                             ", 'shape': " + shape + ", }",
                         elements, version);
}

inline std::string gzipped(const std::string& content, int window = 15 + 16) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, content.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = uInt(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = uInt(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

enum class Packing { stored, deflated };

// With the ZIP64 field in the local headers, as NumPy writes them.
inline std::string zip(const std::vector<std::pair<std::string, std::string>>& members, Packing packing) {
  std::string out, directory;
  for (const auto& [name, content] : members) {
    const std::string packed = packing == Packing::deflated ? gzipped(content, -15) : content;
    const auto sum = crc32(0, reinterpret_cast<const Bytef*>(content.data()), uInt(content.size()));
    const std::string common =
        little(20, 2) + little(0, 2) + little(packing == Packing::deflated ? 8 : 0, 2) + little(0, 4) + little(sum, 4);
    const std::string offset = little(out.size(), 4);
    out += little(0x04034b50, 4) + common + little(0xFFFFFFFF, 4) + little(0xFFFFFFFF, 4) + little(name.size(), 2) +
           little(20, 2) + name + little(1, 2) + little(16, 2) + little(content.size(), 8) + little(packed.size(), 8) +
           packed;
    directory += little(0x02014b50, 4) + little(20, 2) + common + little(packed.size(), 4) + little(content.size(), 4) +
                 little(name.size(), 2) + little(0, 2) + little(0, 2) + little(0, 2) + little(0, 2) + little(0, 4) +
                 offset + name;
  }
  const std::string start = little(out.size(), 4);
  return out + directory + little(0x06054b50, 4) + little(0, 4) + little(members.size(), 2) +
         little(members.size(), 2) + little(directory.size(), 4) + start + little(0, 2);
}

}  // namespace ritz::test
