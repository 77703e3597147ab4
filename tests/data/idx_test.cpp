// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "ritz/data/io.hpp"
#include "support/errors.hpp"
#include "support/npy_bytes.hpp"
#include "support/temporary_folder.hpp"

using namespace ritz;
using namespace ritz::test;

namespace {

std::string idx(int type, const std::vector<std::uint32_t>& shape, const std::string& elements) {
  std::string out = little(0, 2) + char(type) + char(shape.size());
  for (const std::uint32_t size : shape) out += big(size, 4);
  return out + elements;
}

template <class T>
void check_type(int type, const std::vector<T>& values) {
  const TemporaryFolder folder;
  const std::string content = idx(type, {2, std::uint32_t(values.size() / 2)}, bytes_of(values, true));
  RowMatrix expected(2, Index(values.size()) / 2);
  for (Index i = 0; i < expected.size(); ++i) expected.data()[i] = double(values[std::size_t(i)]);

  CHECK(read_matrix(folder.file("data", content), {}) == expected);
  CHECK(read_matrix(folder.file("data-idx2.gz", gzipped(content)), {}) == expected);
}

}  // namespace

TEST_CASE("every_idx_type_is_read") {
  check_type<std::uint8_t>(0x08, {0, 255, 3, 4});
  check_type<std::int8_t>(0x09, {-128, 127, 3, 4});
  check_type<std::int16_t>(0x0B, {-32768, 32767, 3, 4});
  check_type<std::int32_t>(0x0C, {-2147483647, 7, 3, 4});
  check_type<float>(0x0D, {1.5F, -2.25F, 3, 4});
  check_type<double>(0x0E, {1.5, -0.1, 3, 4});
}

TEST_CASE("images_become_rows_and_one_dimension_gives_labels") {
  const TemporaryFolder folder;
  const std::string images = folder.file("images-idx3-ubyte", idx(8, {3, 2, 2}, "abcdefghijkl"));
  const std::string labels = folder.file("labels-idx1-ubyte", idx(8, {3}, std::string("\x05\x00\x05", 3)));

  const RowMatrix X = read_matrix(images, {});
  const Labels y = read_labels(labels, {});

  CHECK(X.rows() == 3);
  CHECK(X(2, 3) == 'l');
  CHECK(y.names == std::vector<std::string>{"0", "5"});
  CHECK(y.of == std::vector<int>{1, 0, 1});
}

TEST_CASE("cut_and_false_idx_files_are_refused") {
  const TemporaryFolder folder;
  const auto about = [&](const std::string& bytes) {
    const std::string path = folder.file("a-ubyte", bytes);
    return complaint([&] { read_matrix(path, {}); });
  };

  CHECK(about(idx(8, {3, 2, 2}, "abc")).says("the header claims 3 x 2 x 2 elements (12 bytes), but only 3 bytes"));
  CHECK(about(gzipped(idx(8, {3, 2, 2}, "abc"))).says("but only 3 bytes"));
  CHECK(about(idx(8, {4294967295U, 4294967295U, 4294967295U}, "abc")).says("more than any file holds"));
  CHECK(about(idx(8, {4294967295U, 65536}, "abc")).code == ErrorCode::bad_file);
  CHECK(about(gzipped(idx(8, {4294967295U, 4096}, "abc"))).code == ErrorCode::bad_file);
  CHECK(about(idx(8, {3, 2}, "").substr(0, 9)).says("cut short"));
  CHECK(about("text").says("this is no IDX file"));
  CHECK(about(idx(8, {0, 2}, "")).code == ErrorCode::bad_data);
}
