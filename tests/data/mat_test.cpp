// SPDX-License-Identifier: MIT
// MAT files, made here byte by byte from the format's description.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>

#include "ritz/base/error.hpp"
#include "ritz/data/io.hpp"
#include "support/temporary_folder.hpp"

using namespace ritz;

namespace {

template <class T>
std::string raw(T value) {
  std::string bytes(sizeof(T), '\0');
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

std::string element(std::uint32_t type, std::string data) {
  const std::string head = raw(type) + raw(std::uint32_t(data.size()));
  data.resize((data.size() + 7) / 8 * 8, '\0');
  return head + data;
}

std::string header() {
  std::string text = "MATLAB 5.0 MAT-file, by hand";
  text.resize(124, ' ');
  return text + raw(std::uint16_t(0x0100)) + "IM";
}

std::string matrix(std::uint32_t kind, std::int32_t rows, std::int32_t cols, const std::string& name,
                   const std::string& content) {
  return element(14, element(6, raw(kind) + raw(std::uint32_t(0))) + element(5, raw(rows) + raw(cols)) +
                         element(1, name) + content);
}

std::string doubles(std::initializer_list<double> values) {
  std::string data;
  for (const double value : values) data += raw(value);
  return element(9, data);
}

}  // namespace

TEST_CASE("matrices of a MAT file are read column by column, in small types and in cells") {
  const test::TemporaryFolder folder;
  const std::string small = raw(std::uint32_t(2 << 16 | 2)) + std::string("\x05\x07\0\0", 4);  // two bytes, packed
  const std::string cells = matrix(6, 1, 1, "", doubles({8})) + matrix(6, 0, 0, "", element(9, ""));
  const auto path =
      folder.file("a.mat", header() + matrix(6, 2, 3, "A", doubles({1, 2, 3, 4, 5, 6})) + matrix(6, 1, 2, "b", small) +
                               matrix(4, 1, 1, "text", element(16, "x")) + matrix(1, 1, 2, "c", cells));

  const std::vector<NamedMatrix> found = read_matrices(path, {});

  REQUIRE(found.size() == 4);
  CHECK(found[0].name == "A");
  CHECK((found[0].values - RowMatrix{{1, 3, 5}, {2, 4, 6}}).norm() == 0);
  CHECK((found[1].values - RowMatrix{{5, 7}}).norm() == 0);
  CHECK(found[2].name == "c{1}");
  CHECK(found[2].values(0, 0) == 8);
  CHECK(found[3].values.size() == 0);
}

TEST_CASE("the only matrix of a MAT file is its data") {
  const test::TemporaryFolder folder;
  const auto path = folder.file("x.mat", header() + matrix(6, 2, 1, "samples", doubles({3, 4})));
  CHECK((read_matrix(path, {}) - RowMatrix{{3}, {4}}).norm() == 0);
}

TEST_CASE("a MAT file that is cut short is refused wherever the cut is") {
  const test::TemporaryFolder folder;
  const std::string whole = header() + matrix(6, 2, 3, "A", doubles({1, 2, 3, 4, 5, 6}));
  for (std::size_t length = 129; length < whole.size(); length += 3)
    CHECK_THROWS_AS(read_matrices(folder.file("cut.mat", whole.substr(0, length)), {}), Error);
}
