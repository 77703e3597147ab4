// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "ritz/data/io.hpp"
#include "support/errors.hpp"
#include "support/npy_bytes.hpp"
#include "support/temporary_folder.hpp"

using namespace ritz;
using namespace ritz::test;

namespace {

const std::string kX = npy("<f8", "(2, 3)", bytes_of(std::vector<double>{1, 2, 3, 4, 5, 6}));
const std::string kY = npy("<i8", "(2,)", bytes_of(std::vector<std::int64_t>{9, 8}));
RowMatrix two_by_three() { return (RowMatrix(2, 3) << 1, 2, 3, 4, 5, 6).finished(); }

}  // namespace

TEST_CASE("the_array_called_x_or_the_only_one_is_taken") {
  const TemporaryFolder folder;
  for (const Packing packing : {Packing::stored, Packing::deflated}) {
    const std::string both = folder.file("both.npz", zip({{"y.npy", kY}, {"X.npy", kX}}, packing));
    const std::string only = folder.file("only.npz", zip({{"arr_0.npy", kX}}, packing));
    const std::string packed = folder.file("both.npz.gz", gzipped(zip({{"y.npy", kY}, {"X.npy", kX}}, packing)));

    CHECK(read_matrix(both, {}) == two_by_three());
    CHECK(read_matrix(only, {}) == two_by_three());
    CHECK(read_matrix(packed, {}) == two_by_three());
    CHECK(read_labels(both, {}).of == std::vector<int>{1, 0});
  }
}

TEST_CASE("several_arrays_without_x_are_listed") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.npz", zip({{"b.npy", kY}, {"c.npy", kX}}, Packing::stored));

  CHECK(complaint([&] { read_matrix(path, {}); }).says("none is called X; it has: b, c"));
}

TEST_CASE("damaged_archives_are_told") {
  const TemporaryFolder folder;
  std::string archive = zip({{"X.npy", kX}}, Packing::stored);
  const auto about = [&](const std::string& bytes) {
    const std::string path = folder.file("a.npz", bytes);
    return complaint([&] { read_matrix(path, {}); });
  };

  CHECK(about(archive.substr(0, archive.size() - 30)).says("its directory is missing; the file may be cut short"));
  archive[archive.find("(2, 3)") + 20] ^= 1;
  CHECK(about(archive).says("checksum"));
  CHECK(about("not a zip").says("does not begin with PK"));
  CHECK(about(zip({}, Packing::stored)).says("holds no arrays"));
}
