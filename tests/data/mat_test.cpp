// SPDX-License-Identifier: MIT
// MAT files.
#include <doctest/doctest.h>

#include "ritz/base/error.hpp"
#include "ritz/data/io.hpp"
#include "support/mat_bytes.hpp"
#include "support/temporary_folder.hpp"

using namespace ritz;
using namespace ritz::test;

TEST_CASE("matrices of a MAT file are read column by column, in small types and in cells") {
  const TemporaryFolder folder;
  const std::string small = little(2 << 16 | 2, 4) + std::string("\x05\x07\0\0", 4);  // two bytes, packed
  const std::string cells = mat_matrix(6, 1, 1, "", mat_doubles({8})) + mat_matrix(6, 0, 0, "", mat_element(9, ""));
  const auto path =
      folder.file("a.mat", mat_header() + mat_matrix(6, 2, 3, "A", mat_doubles({1, 2, 3, 4, 5, 6})) +
                               mat_matrix(6, 1, 2, "b", small) + mat_matrix(4, 1, 1, "text", mat_element(16, "x")) +
                               mat_matrix(1, 1, 2, "c", cells));

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
  const TemporaryFolder folder;
  const auto path = folder.file("x.mat", mat_header() + mat_matrix(6, 2, 1, "samples", mat_doubles({3, 4})));
  CHECK((read_matrix(path, {}) - RowMatrix{{3}, {4}}).norm() == 0);
}

TEST_CASE("a MAT file that is cut short is refused wherever the cut is") {
  const TemporaryFolder folder;
  const std::string whole = mat_header() + mat_matrix(6, 2, 3, "A", mat_doubles({1, 2, 3, 4, 5, 6}));
  for (std::size_t length = 129; length < whole.size(); length += 3)
    CHECK_THROWS_AS(read_matrices(folder.file("cut.mat", whole.substr(0, length)), {}), Error);
}
