// SPDX-License-Identifier: MIT
// SHA-256, as `sha256sum` has it: what a manifest names files by, and a page its script.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace ritz {

class Sha256 {
 public:
  void add(std::string_view bytes);
  std::string finish();  // the 32 bytes; once

 private:
  void block(const unsigned char* bytes);
  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> kept_{};
  std::uint64_t size_ = 0;
};

std::string sha256(std::string_view bytes);       // 32 bytes
std::string hexadecimal(std::string_view bytes);  // "0a1b…"
std::string base64(std::string_view bytes);       // RFC 4648, padded
// Of a file, in hexadecimal. Throws bad_file where it cannot be read.
std::string file_sha256(const std::string& path);

}  // namespace ritz
