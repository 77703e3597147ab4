// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "ritz/data/io.hpp"
#include "support/errors.hpp"
#include "support/temporary_folder.hpp"

using namespace ritz;
using namespace ritz::test;

namespace {

Dataset read_text(std::string_view text, const ReadOptions& options = {}, std::string_view name = "data.csv") {
  const TemporaryFolder folder;
  return read_dataset(folder.file(name, text), options, {});
}

Complaint complaint_about(std::string_view text, const ReadOptions& options = {}) {
  const TemporaryFolder folder;
  const std::string path = folder.file("data.csv", text);
  Complaint found = complaint([&] { read_dataset(path, options, {}); });
  if (const auto at = found.message.find(folder.path() + "/"); at != std::string::npos)
    found.message.erase(at, folder.path().size() + 1);
  return found;
}

using Names = std::vector<std::string>;

RowMatrix two_by_three() { return (RowMatrix(2, 3) << 1, 2, 3, 4, 5, 6).finished(); }

}  // namespace

TEST_CASE("numbers_without_header_are_read_with_numbered_names") {
  const Dataset data = read_text("1,2,3\n4,5,6\n");

  CHECK(data.dense() == two_by_three());
  CHECK(data.feature_names == Names{"x1", "x2", "x3"});
  CHECK(data.labels.size() == 0);
}

TEST_CASE("header_gives_the_names") {
  const Dataset data = read_text("a,b,c\n1,2,3\n4,5,6\n");

  CHECK(data.dense() == two_by_three());
  CHECK(data.feature_names == Names{"a", "b", "c"});
}

TEST_CASE("each_delimiter_is_detected") {
  for (const char* text :
       {"1,2,3\n4,5,6\n", "1\t2\t3\n4\t5\t6\n", "1;2;3\n4;5;6\n", "1 2 3\n4 5 6\n", "  1   2\t3 \n4 5  6\n",
        "1, 2, 3\n4 ,5 , 6\n", "a;b;c\n1;2;3\n4;5;6", "a b c\n1 2 3\n4 5 6"}) {
    CAPTURE(text);
    CHECK(read_text(text).dense() == two_by_three());
  }
}

TEST_CASE("line_ends_marks_comments_and_blank_lines_do_not_matter") {
  for (const char* text : {"1,2,3\r\n4,5,6\r\n",
                           "\xEF\xBB\xBF"
                           "1,2,3\n4,5,6",
                           "# made by hand\n1,2,3\n# between\n4,5,6\n\n\n", "\n1,2,3\n\n4,5,6\n   \n",
                           "\xEF\xBB\xBF\"a\",b,c\r\n1,2,3\r\n4,5,6\r\n"}) {
    CAPTURE(text);
    CHECK(read_text(text).dense() == two_by_three());
  }
}

TEST_CASE("quoted_fields_hold_delimiters_quotes_and_newlines") {
  const Dataset data = read_text("\"a, b\",\"say \"\"hi\"\"\",\"two\nlines\"\n\"1\",2,3\n4,\"5\",6\n");

  CHECK(data.dense() == two_by_three());
  CHECK(data.feature_names == Names{"a, b", "say \"hi\"", "two\nlines"});
}

TEST_CASE("lines_are_counted_through_quoted_newlines") {
  const auto found = complaint_about("\"a\nb\",c\n1,2\n3,x\n");

  CHECK(found.says("data.csv, line 4, column 2 ('c'): 'x' is not a number; input.kind 'c=number'"));
}

TEST_CASE("all_notations_of_numbers_are_read") {
  const Dataset data = read_text("1e3,-2.5E-2,+7,.5,5.,1e-400\n0,0,0,0,0,0\n");

  CHECK(data.dense().row(0) == (Eigen::RowVectorXd(6) << 1000, -0.025, 7, 0.5, 5, 0).finished());
}

TEST_CASE("single_column_and_single_row_are_tables") {
  CHECK(read_text("5\n6\n").dense() == (RowMatrix(2, 1) << 5, 6).finished());
  CHECK(read_text("1,2,3\n").dense().rows() == 1);
  CHECK(read_text("value\n5\n6\n").feature_names == Names{"value"});
}

TEST_CASE("wide_rows_are_read_beyond_the_sample") {
  std::string text;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 50'000; ++j) text.append(j ? "," : "").append(std::to_string(i * 50'000 + j));
    text += '\n';
  }
  const Dataset data = read_text(text);

  CHECK(data.cols() == 50'000);
  CHECK(data.dense()(2, 49'999) == 149'999);
}

TEST_CASE("label_column_by_name_or_number_and_dropped_columns") {
  const std::string text = "id,kind,size\n1,red,2.5\n2,blue,3.5\n3,red,4.5\n";
  for (const char* column : {"kind", "2"}) {
    const Dataset data = read_text(text, {column, {"id"}, MissingValues::reject});

    CHECK(data.dense() == (RowMatrix(3, 1) << 2.5, 3.5, 4.5).finished());
    CHECK(data.feature_names == Names{"size"});
    CHECK(data.labels.names == Names{"blue", "red"});
    CHECK(data.labels.of == std::vector<int>{1, 0, 1});
  }
}

TEST_CASE("quoted_rows_take_labels_too") {
  const Dataset data = read_text("size,kind\n1,\"dark, red\"\n2,blue\n", {"kind", {}, MissingValues::reject});

  CHECK(data.labels.names == Names{"blue", "dark, red"});
}

TEST_CASE("wrong_columns_are_named_with_a_suggestion") {
  const auto misspelt = complaint_about("alcohol,quality\n1,2\n", {"qualty", {}, MissingValues::reject});
  CHECK(misspelt.code == ErrorCode::bad_option);
  CHECK(misspelt.message == "data.csv has no column 'qualty'; did you mean 'quality'?");

  const auto beyond = complaint_about("1,2\n3,4\n", {"3", {}, MissingValues::reject});
  CHECK(beyond.message == "data.csv has 2 columns; there is no column 3");

  const auto nothing = complaint_about("1,2\n3,4\n", {"1", {"2"}, MissingValues::reject});
  CHECK(nothing.code == ErrorCode::bad_option);
}

TEST_CASE("malformed_rows_name_line_and_column") {
  const auto expect = [](std::string_view text, std::string_view message) {
    CHECK(complaint_about(text).says(std::string(message)));
  };
  expect("1,2,3,4\n1,2,3\n", "data.csv, line 2: found 3 fields, expected 4");
  expect("1,2\n1,2,3\n", "data.csv, line 2: found 3 fields, expected 2");
  expect("1,2\n# no\n3\n", "data.csv, line 3: found 1 field, expected 2");
  expect("a,alcohol\n1,2\n3,abc\n", "data.csv, line 3, column 2 ('alcohol'): 'abc' is not a number");
  expect("1,2\n3,1.2.3\n", "data.csv, line 2, column 2: '1.2.3' is not a number");
  expect("1,2\n3,1 2\n", "data.csv, line 2, column 2: '1 2' is not a number");
  expect("1,2\n3,inf\n", "data.csv, line 2, column 2: 'inf' is infinite");
  expect("1,2\n3,1e999\n", "data.csv, line 2, column 2: '1e999' is infinite");
  expect("1,2\n3,NA\n", "data.csv, line 2, column 2: the value is missing (NA); use input.na drop or input.na mean");
  expect("1,2\n3,\n", "data.csv, line 2, column 2: the value is missing; use input.na drop or input.na mean");
  expect("1,2\n\"3,4\n5,6\n", "data.csv, line 2: a quoted field is never closed");
  expect("a,b\n", "data.csv holds a header but no samples");
  expect("# nothing\n", "data.csv holds no samples, only comments or blank lines");
}

TEST_CASE("rows_with_missing_values_are_dropped_on_request") {
  const Dataset data = read_text("a,b,c\n1,2,u\n?,4,v\n5,nan,u\n7,8,\n9,10,w\n", {"c", {}, MissingValues::drop});

  CHECK(data.dense() == (RowMatrix(2, 2) << 1, 2, 9, 10).finished());
  CHECK(data.labels.names == Names{"u", "w"});
  CHECK(data.notes == Names{"1 row without a label dropped: 4", "2 rows with missing values dropped: 2, 3"});
  CHECK(data.dropped.size() == 3);
}

TEST_CASE("missing_values_are_filled_with_the_mean_on_request") {
  const Dataset data = read_text("a,b,c\n1,2,u\n,4,v\n5,NA,u\n70,80,?\n", {"c", {}, MissingValues::mean});

  CHECK(data.dense() == (RowMatrix(3, 2) << 1, 2, 3, 4, 5, 3).finished());
  CHECK(data.notes == Names{"1 row without a label dropped: 4", "2 missing values replaced by the column's mean"});
}

TEST_CASE("missing_values_without_remedy_are_errors") {
  const auto label = complaint_about("a,b\n1,u\n2,\n", {"b", {}, MissingValues::reject});
  CHECK(label.message == "data.csv, line 3, column 2 ('b'): the label is missing; use input.na drop or input.na mean");

  const auto column = complaint_about("1,\n2,\n", {"", {}, MissingValues::mean});
  CHECK(column.message == "data.csv: column 'x2' has no values at all; drop it with input.drop_column");

  const auto rows = complaint_about("1,\n2,\n", {"", {}, MissingValues::drop});
  CHECK(rows.message == "data.csv: every row has a missing value; no row is left");
}

TEST_CASE("a_blank_line_in_a_single_column_is_a_missing_value") {
  CHECK(complaint_about("1\n\n3\n").message ==
        "data.csv, line 2, column 1: the value is missing; use input.na drop or input.na mean");
  CHECK(read_text("1\n\n3\n\n", {"", {}, MissingValues::mean}).dense() == (RowMatrix(3, 1) << 1, 2, 3).finished());
}

TEST_CASE("the_memory_budget_is_respected") {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "1,2,3,4,5,6,7,8\n";
  const std::string path = folder.file("data.csv", text);
  RunContext context;
  context.max_memory = 1'000'000;

  const auto found = complaint([&] { read_dataset(path, {}, context); });

  CHECK(found.code == ErrorCode::memory);
  CHECK(found.says("run.max_memory allows 977 KiB"));
}

TEST_CASE("endless_lines_and_fields_respect_the_memory_budget") {
  const TemporaryFolder folder;
  RunContext context;
  context.max_memory = 1'000'000;
  const std::string line = folder.file("line.csv", std::string(3'000'000, '7'));
  std::string open_field = "1,\"2\n";
  for (int i = 0; i < 300'000; ++i) open_field += "\"\",\"\"\n";  // quotes inside the field, which never ends
  const std::string field = folder.file("field.csv", open_field);

  CHECK(complaint([&] { read_dataset(line, {}, context); }).code == ErrorCode::memory);
  CHECK(complaint([&] { read_dataset(field, {}, context); }).code == ErrorCode::memory);
  CHECK(complaint([&] { read_dataset(field, {}, {}); }).says("field.csv, line 1: a quoted field is never closed"));
}

TEST_CASE("reading_can_be_interrupted") {
  const TemporaryFolder folder;
  const std::string path = folder.file("data.csv", "1,2\n3,4\n");
  const std::atomic<bool> cancel{true};
  RunContext context;
  context.cancel = &cancel;

  CHECK_THROWS_AS(read_dataset(path, {}, context), Interrupted);
}
