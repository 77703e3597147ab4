// SPDX-License-Identifier: MIT
// MAT files, made byte by byte from the format's description.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>

#include "support/npy_bytes.hpp"

namespace ritz::test {

inline std::string mat_element(std::uint32_t type, std::string data) {
  const std::string head = little(type, 4) + little(data.size(), 4);
  data.resize((data.size() + 7) / 8 * 8, '\0');
  return head + data;
}

inline std::string mat_header() {
  std::string text = "MATLAB 5.0 MAT-file, by hand";
  text.resize(124, ' ');
  return text + little(0x0100, 2) + "IM";
}

inline std::string mat_matrix(std::uint32_t kind, std::uint32_t rows, std::uint32_t cols, const std::string& name,
                              const std::string& content) {
  return mat_element(14, mat_element(6, little(kind, 4) + little(0, 4)) +
                             mat_element(5, little(rows, 4) + little(cols, 4)) + mat_element(1, name) + content);
}

inline std::string mat_doubles(const std::vector<double>& values) { return mat_element(9, bytes_of(values)); }

}  // namespace ritz::test
