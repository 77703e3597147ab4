// SPDX-License-Identifier: MIT
// What is written reads back to the same bits.
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>

#include "ritz/base/random.hpp"
#include "ritz/data/io.hpp"
#include "support/temporary_folder.hpp"

using namespace ritz;
using namespace ritz::test;

namespace {

// All sizes of numbers, exact ones among them.
RowMatrix arbitrary_matrix() {
  const Index rows =
      *rc::gen::weightedOneOf<Index>({{1, rc::gen::just<Index>(1)}, {3, rc::gen::inRange<Index>(1, 30)}});
  const Index cols =
      *rc::gen::weightedOneOf<Index>({{1, rc::gen::just<Index>(1)}, {3, rc::gen::inRange<Index>(1, 12)}});
  Rng random(*rc::gen::arbitrary<std::uint64_t>(), "round trip");
  RowMatrix X(rows, cols);
  for (Index i = 0; i < X.size(); ++i) {
    const double kind = random.uniform();
    X.data()[i] = kind < 0.3   ? 0.0
                  : kind < 0.5 ? std::floor(random.uniform(-100, 100))
                  : kind < 0.6 ? 5e-324 * std::floor(random.uniform(1, 1000))
                               : random.normal() * std::pow(10.0, random.uniform(-300, 300));
  }
  return X;
}

// Begins with a letter, so that it is no number; the reader cuts blanks at the end, so that there are none.
std::string arbitrary_word() {
  std::string word = "n";
  word += *rc::gen::container<std::string>(rc::gen::elementOf(std::string("abz ,;\"'#\tX\n.é")));
  return word + ".";
}

}  // namespace

TEST_CASE("matrices_of_every_format") {
  for (const char* name : {"a.csv", "a.tsv", "a.txt", "a.npy", "a.mtx", "a.csv.gz", "a.npy.gz", "a.mtx.gz"}) {
    CAPTURE(name);
    const TemporaryFolder folder;
    CHECK(rc::check([&] {
      const RowMatrix X = arbitrary_matrix();

      write_matrix(folder.path(name), X);

      RC_ASSERT(read_matrix(folder.path(name), {}) == X);
      RC_ASSERT(folder.file_count() == 1U);
    }));
  }
}

TEST_CASE("data_sets_with_names_of_any_text") {
  const TemporaryFolder folder;
  for (const char* name : {"a.csv", "a.tsv"})
    CHECK(rc::check([&] {
      Dataset data;
      data.samples = arbitrary_matrix();
      for (Index j = 0; j < data.cols(); ++j) data.feature_names.push_back(arbitrary_word());

      write_dataset(folder.path(name), data);
      const Dataset read = read_dataset(folder.path(name), {}, {});

      RC_ASSERT(read.dense() == data.dense());
      RC_ASSERT(read.feature_names == data.feature_names);
      RC_ASSERT(data_hash(read) == data_hash(data));
    }));
}

TEST_CASE("sparse_data_sets") {
  const TemporaryFolder folder;
  for (const char* name : {"a.libsvm", "a.svm.gz", "a.mtx", "a.mtx.gz"})
    CHECK(rc::check([&] {
      Dataset data;
      RowMatrix X = arbitrary_matrix();
      X(0, X.cols() - 1) = 1;  // LIBSVM does not tell of empty columns at the end
      data.samples = SparseRows(X.sparseView(1, 0));
      data.labels = make_labels(std::vector<std::string>(std::size_t(X.rows()), "3"));

      write_dataset(folder.path(name), data);
      const Dataset read = read_dataset(folder.path(name), {}, {});

      RC_ASSERT(read.sparse());
      RC_ASSERT(RowMatrix(std::get<SparseRows>(read.samples)) == X);
      RC_ASSERT(std::string(name).find("svm") == std::string::npos || read.labels.of == data.labels.of);
    }));
}

TEST_CASE("labels_of_numbers_and_texts") {
  const TemporaryFolder folder;
  CHECK(rc::check([&] {
    std::vector<std::string> texts;
    for (int value : *rc::gen::nonEmpty<std::vector<int>>()) texts.push_back(std::to_string(value));
    const Labels labels = make_labels(texts);
    for (const char* name : {"y.csv", "y.labels", "y.txt", "y.npy", "y.mtx", "y.csv.gz"}) {
      write_labels(folder.path(name), labels);
      const Labels read = read_labels(folder.path(name), {});
      RC_ASSERT(read.of == labels.of);
      RC_ASSERT(read.names == labels.names);
    }
  }));
  CHECK(rc::check([&] {
    std::vector<std::string> texts;
    const int count = *rc::gen::inRange(1, 8);
    for (int i = 0; i < count; ++i) texts.push_back(arbitrary_word());
    const Labels labels = make_labels(texts);

    write_labels(folder.path("y.labels"), labels);

    RC_ASSERT(read_labels(folder.path("y.labels"), {}).names == labels.names);
  }));
}

TEST_CASE("labels_that_look_like_rows_of_numbers") {
  const TemporaryFolder folder;
  const Labels labels = make_labels({"1 2", "3 4", "a b"});

  write_labels(folder.path("y.labels"), labels);

  CHECK(read_labels(folder.path("y.labels"), {}).names == labels.names);
}
