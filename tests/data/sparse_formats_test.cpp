// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "ritz/data/io.hpp"
#include "support/errors.hpp"
#include "support/npy_bytes.hpp"
#include "support/temporary_folder.hpp"

using namespace ritz;
using namespace ritz::test;

namespace {

Dataset read_text(std::string_view name, std::string_view text, const ReadOptions& options = {}) {
  const TemporaryFolder folder;
  return read_dataset(folder.file(name, text), options, {});
}

Complaint complaint_about(std::string_view name, std::string_view text) {
  return complaint([&] { read_text(name, text); });
}

RowMatrix dense(const Dataset& data) { return RowMatrix(std::get<SparseRows>(data.samples)); }

}  // namespace

TEST_CASE("libsvm_rows_are_sparse_with_labels") {
  const std::string text = "+1 1:0.5 3:2 # a comment\n\n-1 2:1e3\n+1\n";
  const RowMatrix expected = (RowMatrix(3, 3) << 0.5, 0, 2, 0, 1000, 0, 0, 0, 0).finished();

  for (const char* name : {"a.libsvm", "a.svm", "a", "a.txt", "a.data"}) {
    const Dataset data = read_text(name, text);

    CHECK(data.sparse());
    CHECK(dense(data) == expected);
    CHECK(data.labels.names == std::vector<std::string>{"-1", "1"});
    CHECK(data.labels.of == std::vector<int>{1, 0, 1});
    CHECK(data.feature_names == std::vector<std::string>{"x1", "x2", "x3"});
  }
  CHECK(dense(read_text("a.libsvm.gz", gzipped(text))) == expected);
}

TEST_CASE("text_that_only_resembles_libsvm_stays_a_table") {
  CHECK_FALSE(read_text("a.txt", "1 2 3\n4 5 6\n").sparse());
  const Dataset times = read_text("a.txt", "12:30 5\n12:31 6\n");  // parts of a day
  CHECK(times.feature_names == std::vector<std::string>{"x1", "x2"});
  CHECK(times.dense()(1, 0) == doctest::Approx((12 + 31 / 60.0) / 24));
}

TEST_CASE("malformed_libsvm_names_the_line") {
  const auto says = [](std::string_view text, const char* message) {
    const auto found = complaint_about("a.libsvm", text);
    CAPTURE(found.message);
    CHECK(found.says(std::string("a.libsvm") + message));
  };
  says("1 1:2\n1 0:3\n", ", line 2: the index 0 is below 1; indices count from 1");
  says("1 2:2 1:3\n", ", line 1: the index 1 follows 2; indices must increase");
  says("1 2:2 2:3\n", ", line 1: the index 2 follows 2; indices must increase");
  says("1 a:2\n", ", line 1: the index of 'a:2' is not a whole number");
  says("1 1:b\n", ", line 1: the value of '1:b' is not a number");
  says("1 7\n", ", line 1: '7' is not of the form index:value");
  says("1:2 2:3\n", ", line 1: '1:2' stands where the label should be");
  says("1 99999999999:1\n", ", line 1: the index 99999999999 is too large");
  says("1 2000000000:1\n", ": 1 x 2000000000 with only 1 entry; the sizes look damaged");
  says("1\n2\n", ": no line has an index:value pair");
  says("1 1:inf\n", ", row 1, column 'x1': the value is infinite");
  says("1 1:nan\n", ", row 1, column 'x1': the value is missing (NaN); use input.na drop or input.na mean");
}

TEST_CASE("sparse_missing_values_are_dropped_or_filled") {
  const std::string text = "1 1:4 2:1\n2 1:nan 2:1\n3 2:1\n";

  const Dataset dropped = read_text("a.libsvm", text, {"", {}, MissingValues::drop});
  CHECK(dense(dropped) == (RowMatrix(2, 2) << 4, 1, 0, 1).finished());
  CHECK(dropped.labels.names == std::vector<std::string>{"1", "3"});
  CHECK(dropped.notes.size() == 1);

  const Dataset filled = read_text("a.libsvm", text, {"", {}, MissingValues::mean});
  CHECK(dense(filled) == (RowMatrix(3, 2) << 4, 1, 2, 1, 0, 1).finished());
}

TEST_CASE("columns_of_sparse_files_can_be_dropped_or_taken_as_labels") {
  const Dataset dropped = read_text("a.libsvm", "1 1:4 2:1 3:5\n2 3:7\n", {"", {"2"}, MissingValues::reject});
  CHECK(dense(dropped) == (RowMatrix(2, 2) << 4, 5, 0, 7).finished());
  CHECK(dropped.feature_names == std::vector<std::string>{"x1", "x3"});

  const std::string market = "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 5\n2 2 3\n1 2 1\n";
  const Dataset labelled = read_text("a.mtx", market, {"1", {}, MissingValues::reject});
  CHECK(dense(labelled) == (RowMatrix(2, 1) << 1, 3).finished());
  CHECK(labelled.labels.names == std::vector<std::string>{"0", "5"});

  const auto twice = complaint([] { read_text("a.libsvm", "1 1:4\n", {"1", {}, MissingValues::reject}); });
  CHECK(twice.says("carries its labels"));
}

TEST_CASE("matrix_market_coordinates_of_every_kind") {
  const std::string head = "%%MatrixMarket matrix coordinate ";
  const RowMatrix general = (RowMatrix(2, 2) << 0, 1.5, 2, 0).finished();
  const RowMatrix symmetric = (RowMatrix(2, 2) << 3, 2, 2, 0).finished();
  const RowMatrix skew = (RowMatrix(2, 2) << 0, -2, 2, 0).finished();

  CHECK(dense(read_text("a.mtx", head + "real general\n% note\n\n2 2 2\n1 2 1.5\n2 1 2\n")) == general);
  CHECK(dense(read_text("a", head + "integer symmetric\n2 2 2\n1 1 3\n2 1 2\n")) == symmetric);
  CHECK(dense(read_text("a.mtx", head + "real skew-symmetric\n2 2 1\n2 1 2\n")) == skew);
  CHECK(dense(read_text("a.mtx", head + "pattern general\n2 2 1\n2 1\n")) ==
        (RowMatrix(2, 2) << 0, 0, 1, 0).finished());
  CHECK(dense(read_text("a.mtx", head + "real general\n2 2 0\n")) == RowMatrix::Zero(2, 2));
}

TEST_CASE("matrix_market_arrays_run_by_columns") {
  const std::string head = "%%MatrixMarket matrix array real ";

  CHECK(read_text("a.mtx", head + "general\n2 3\n1\n4\n2\n5\n3\n6\n").dense() ==
        (RowMatrix(2, 3) << 1, 2, 3, 4, 5, 6).finished());
  CHECK(read_text("a.mtx", head + "symmetric\n2 2\n1\n2\n3\n").dense() == (RowMatrix(2, 2) << 1, 2, 2, 3).finished());
  CHECK(read_text("a.mtx", head + "skew-symmetric\n2 2\n5\n").dense() == (RowMatrix(2, 2) << 0, -5, 5, 0).finished());
}

TEST_CASE("malformed_matrix_market_is_refused") {
  const auto says = [](const std::string& text, const char* message) {
    const auto found = complaint_about("a.mtx", text);
    CAPTURE(found.message);
    CHECK(found.says(std::string("a.mtx") + message));
  };
  const std::string head = "%%MatrixMarket matrix coordinate real general\n";
  const std::string array = "%%MatrixMarket matrix array real general\n";
  says("%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 0\n",
       ", line 1: MatrixMarket 'complex' cannot be read here");
  says(head, ": the line with the sizes is missing");
  says(head + "2 2\n", ", line 2: expected 3 sizes, found ''");
  says(head + "2 2 1\n3 1 5\n", ", line 3: the row 3 is outside [1, 2]");
  says(head + "2 2 1\n1 x 5\n", ", line 3: the column 'x' is not a whole number");
  says(head + "2 2 1\n1 1\n", ", line 3: '' is not a number");
  says(head + "2 2 2\n1 1 5\n", ": the header claims 2 entries, only 1 follow");
  says(head + "2 2 1\n1 1 5\n1 2 5\n", ", line 4: the header claims 1 entry, more follow");
  says(head + "900000000 900000000 1\n1 1 5\n", ": 900000000 x 900000000 with only 1 entry; the sizes look damaged");
  says(array + "900000000 900000000\n1\n", ": the header claims 810000000000000000 entries, only 1 follow");
  says(array + "2 2\n1 2\n", ", line 3: '2' is more than the line should hold");
  says("1 2 3\n", ": this is no MatrixMarket file");
}
