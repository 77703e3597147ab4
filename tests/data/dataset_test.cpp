// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "ritz/data/dataset.hpp"
#include "ritz/data/io.hpp"
#include "support/errors.hpp"
#include "support/temporary_folder.hpp"

using namespace ritz;
using namespace ritz::test;

namespace {

using Names = std::vector<std::string>;
using Numbers = std::vector<int>;

Labels labels_in(std::string_view text) {
  const TemporaryFolder folder;
  return read_labels(folder.file("y.labels", text), {});
}

Dataset example() {
  Dataset data;
  data.samples = RowMatrix((RowMatrix(3, 2) << 1, 0, 0, 4, 5, 6).finished());
  data.feature_names = {"a", "b"};
  data.labels = make_labels({"u", "v", "u"});
  return data;
}

Dataset sparse_example() {
  Dataset data = example();
  data.samples = SparseRows(data.dense().sparseView());
  return data;
}

}  // namespace

TEST_CASE("numeric_labels_are_ordered_by_value_and_merged") {
  const Labels labels = make_labels({"10", "2", "2.0", "-1", "1e1"});

  CHECK(labels.names == Names{"-1", "2", "10"});
  CHECK(labels.of == Numbers{2, 1, 1, 0, 2});
  CHECK(labels.counts() == std::vector<Index>{1, 2, 2});
  CHECK(make_labels({}).classes() == 0);
}

TEST_CASE("classes_that_are_whole_numbers_keep_their_digits") {
  const Labels labels = make_labels({"100000", "2e6", "0.5", "-300000"});
  CHECK(labels.names == Names{"-300000", "0.5", "100000", "2000000"});

  // A double holds neither: as numbers the two would be one class.
  const Labels identifiers = make_labels({"4611686018427387905", "7", "4611686018427387904"});
  CHECK(identifiers.names == Names{"4611686018427387904", "4611686018427387905", "7"});
  CHECK(identifiers.of == Numbers{1, 2, 0});
  CHECK(make_labels({"1e300", "3"}).names == Names{"3", "1e+300"});
}

TEST_CASE("text_labels_are_ordered_alphabetically_and_kept_apart") {
  const Labels labels = make_labels({"b", "1", "1.0", "a"});

  CHECK(labels.names == Names{"1", "1.0", "a", "b"});
  CHECK(labels.of == Numbers{3, 0, 1, 2});
}

TEST_CASE("label_files_hold_numbers_or_texts") {
  CHECK(labels_in("3\n1\n3\n").names == Names{"1", "3"});
  CHECK(labels_in("Iris setosa\nIris virginica\nIris setosa\n").of == Numbers{0, 1, 0});
  CHECK(labels_in("\"a, b\"\r\n\"say \"\"hi\"\"\"\r\n").names == Names{"a, b", "say \"hi\""});
  CHECK(labels_in("# by hand\nx\n\n").names == Names{"x"});
}

TEST_CASE("a_label_file_has_a_header_when_only_its_first_line_is_no_number") {
  CHECK(labels_in("class\n1\n2\n").of == Numbers{0, 1});
  CHECK(labels_in("class\none\n2\n").size() == 3);
}

TEST_CASE("malformed_label_files_are_refused") {
  const auto says = [](std::string_view text, const char* message) {
    CHECK(complaint([&] { labels_in(text); }).says(message));
  };
  says("1\n1,2,3\n", "y.labels, line 2: found 3 fields, expected 1");
  says("1 2\n", "y.labels, line 1: found 2 fields, expected 1");
  says("1\n\n2\n", "y.labels, line 2: the label is missing");
  says("1\nNA\n", "y.labels, line 2: the label is missing");
  says("# none\n", "y.labels holds no labels");
}

TEST_CASE("selected_rows_keep_order_labels_and_classes") {
  for (const Dataset& data : {example(), sparse_example()}) {
    const Dataset picked = select_rows(data, {2, 0, 2});

    const RowMatrix X = data.sparse() ? RowMatrix(std::get<SparseRows>(picked.samples)) : picked.dense();
    CHECK(X == (RowMatrix(3, 2) << 5, 6, 1, 0, 5, 6).finished());
    CHECK(picked.labels.of == Numbers{0, 0, 0});
    CHECK(picked.labels.classes() == 2);
    CHECK(picked.feature_names == Names{"a", "b"});
  }
  CHECK(select_rows(example(), {}).rows() == 0);
  CHECK(complaint([] { select_rows(example(), {3}); }).says("row 3 is asked for; the data has rows 0 … 2"));
}

TEST_CASE("the_hash_depends_on_shape_and_values_only") {
  Dataset data = example();
  const std::string hash = data_hash(data);

  CHECK(hash.size() == 16);
  CHECK(hash == data_hash(sparse_example()));
  data.feature_names = {"c", "d"};
  data.labels = {};
  CHECK(hash == data_hash(data));
  data.dense()(0, 1) = -0.0;
  CHECK(hash == data_hash(data));

  data.dense() *= -1;
  CHECK(hash != data_hash(data));
  data.samples = RowMatrix(example().dense().reshaped<Eigen::RowMajor>(2, 3));
  CHECK(hash != data_hash(data));
}
