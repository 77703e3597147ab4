// SPDX-License-Identifier: MIT
// Texts that are written read back as themselves.
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "data/source_names.hpp"
#include "ritz/data/io.hpp"
#include "support/temporary_folder.hpp"

using namespace ritz;
using namespace ritz::test;

namespace {

// Begins with a letter, so that it is no number; the reader cuts blanks at the end, so that there are none.
std::string arbitrary_word() {
  std::string word = "n";
  word += *rc::gen::container<std::string>(rc::gen::elementOf(std::string("abz ,;\"'#\tX\n.é")));
  return as_utf8(word + ".");  // as what is not would be read
}

}  // namespace

TEST_CASE("data_sets_with_names_of_any_text") {
  const TemporaryFolder folder;
  for (const char* name : {"a.csv", "a.tsv"})
    CHECK(rc::check([&] {
      Dataset data;
      data.samples = RowMatrix(RowMatrix::Random(*rc::gen::inRange<Index>(1, 9), *rc::gen::inRange<Index>(1, 12)));
      for (Index j = 0; j < data.cols(); ++j) data.feature_names.push_back(arbitrary_word());

      write_dataset(folder.path(name), data);
      const Dataset read = read_dataset(folder.path(name), {}, {});

      RC_ASSERT(read.dense() == data.dense());
      RC_ASSERT(read.feature_names == data.feature_names);
      RC_ASSERT(data_hash(read) == data_hash(data));
    }));
}

TEST_CASE("labels_of_any_text") {
  const TemporaryFolder folder;
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
