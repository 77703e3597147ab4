// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "ritz/data/io.hpp"
#include "support/data_folder.hpp"

using namespace ritz;
using test::data_file;

TEST_CASE("wine_and_cancer_have_their_known_shapes") {
  if (const auto path = data_file("ism/wine.csv")) {
    const Dataset wine = read_dataset(*path, {}, {});
    CHECK(wine.rows() == 178);
    CHECK(wine.cols() == 13);
    CHECK(wine.dense()(0, 0) == 14.23);
  }
  if (const auto path = data_file("ism/wine.labels"))
    CHECK(read_labels(*path, {}).counts() == std::vector<Index>{59, 71, 48});
  if (const auto path = data_file("ism/cancer.csv")) {
    const Dataset cancer = read_dataset(*path, {}, {});
    CHECK(cancer.rows() == 683);
    CHECK(cancer.cols() == 9);
  }
}

TEST_CASE("mnist_is_read_from_gzipped_idx") {
  if (const auto path = data_file("mnist/t10k-images-idx3-ubyte.gz")) {
    const Dataset images = read_dataset(*path, {}, {});
    CHECK(images.rows() == 10'000);
    CHECK(images.cols() == 784);
    CHECK(images.dense().maxCoeff() == 255);
  }
  if (const auto path = data_file("mnist/t10k-labels-idx1-ubyte.gz")) {
    const Labels digits = read_labels(*path, {});
    CHECK(digits.size() == 10'000);
    CHECK(digits.classes() == 10);
    CHECK(digits.of[0] == 7);
  }
}

TEST_CASE("adult_is_read_as_sparse_rows") {
  const auto path = data_file("npkl/a1a.libsvm.gz");
  if (!path) return;
  const Dataset adult = read_dataset(*path, {}, {});

  CHECK(adult.sparse());
  CHECK(adult.rows() == 1605);
  CHECK(adult.cols() == 119);  // of 123: the last index that occurs
  CHECK(adult.labels.names == std::vector<std::string>{"-1", "1"});
  CHECK(adult.labels.counts()[1] == 395);
}

TEST_CASE("usps_is_read_from_npy") {
  const auto path = data_file("npkl/usps.u8.npy");
  if (!path) return;
  const Dataset usps = read_dataset(*path, {}, {});

  CHECK(usps.rows() == 9298);
  CHECK(usps.cols() == 256);
  CHECK(usps.dense().maxCoeff() == 255);
}
