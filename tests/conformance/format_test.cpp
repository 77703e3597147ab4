// SPDX-License-Identifier: MIT
// What holds for every format of the list, and for a toy that is added to it. A row that is new is tried at once; one
// that cannot be written has to give a file of its kind in by_hand().
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>

#include "conformance/toy_format.hpp"
#include "ritz/base/random.hpp"
#include "ritz/data/io.hpp"
#include "support/errors.hpp"
#include "support/mat_bytes.hpp"
#include "support/npy_bytes.hpp"
#include "support/temporary_folder.hpp"

using namespace ritz;
using namespace ritz::test;

namespace {

std::vector<FormatFacts> all_formats() {
  add_toy_format();
  return formats();
}

// A file of each format that is read only, made of the matrix.
std::string by_hand(const std::string& format, const RowMatrix& X) {
  const std::vector<double> by_rows(X.data(), X.data() + X.size());
  const Matrix columns = X;
  const std::vector<double> by_columns(columns.data(), columns.data() + columns.size());
  const auto rows = std::uint32_t(X.rows()), cols = std::uint32_t(X.cols());
  if (format == "NPZ")
    return zip(
        {{"X.npy", npy("<f8", "(" + std::to_string(rows) + ", " + std::to_string(cols) + ")", bytes_of(by_rows))}},
        Packing::deflated);
  if (format == "MAT") return mat_header() + mat_matrix(6, rows, cols, "X", mat_doubles(by_columns));
  if (format == "IDX") return std::string("\0\0\x0E\x02", 4) + big(rows, 4) + big(cols, 4) + bytes_of(by_rows, true);
  FAIL("by_hand() has no file of the format " << format);
  return "";
}

// The matrix as a file of that format under that name.
std::string file_of(const TemporaryFolder& folder, const FormatFacts& format, const std::string& name,
                    const RowMatrix& X) {
  if (format.writes_samples) {
    write_matrix(folder.path(name), X);
    return folder.path(name);
  }
  const std::string content = by_hand(format.name, X);
  return folder.file(name, name.ends_with(".gz") ? gzipped(content) : content);
}

std::vector<std::string> names_of(const FormatFacts& format) {
  std::vector<std::string> names;
  for (const std::string& ending : format.endings)
    for (const char* packed : {"", ".gz"}) names.push_back("a" + ending + packed);
  return names;
}

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
  X(0, X.cols() - 1) = 1;  // LIBSVM does not tell of empty columns at the end
  return X;
}

// One sentence that names the file.
void check_sentence(const Complaint& found, const std::string& path, ErrorCode code) {
  CAPTURE(found.message);
  REQUIRE(found.code.has_value());
  CHECK(*found.code == code);
  CHECK(found.says(path));
  CHECK(found.message.find('\n') == std::string::npos);
}

RowMatrix three_by_two() { return (RowMatrix(3, 2) << 1, 0, -2.5e-10, 1e300, 4, 1).finished(); }

}  // namespace

TEST_CASE("what is written reads back to the same bits") {
  for (const FormatFacts& format : all_formats())
    for (const std::string& name : names_of(format)) {
      CAPTURE(name);
      const TemporaryFolder folder;
      CHECK(rc::check([&] {
        const RowMatrix X = arbitrary_matrix();

        const std::string path = file_of(folder, format, name, X);

        RC_ASSERT(read_matrix(path, {}) == X);
        RC_ASSERT(read_matrices(path, {}).at(0).values == X);
        RC_ASSERT(folder.file_count() == 1U);
      }));
    }
}

TEST_CASE("sparse samples and their labels are written by every format that writes") {
  for (const FormatFacts& format : all_formats()) {
    if (!format.writes_samples) continue;
    CAPTURE(format.name);
    const TemporaryFolder folder;
    const std::string path = folder.path("a" + format.endings.front());
    CHECK(rc::check([&] {
      const RowMatrix X = arbitrary_matrix();
      Dataset data;
      data.samples = SparseRows(X.sparseView(1, 0));
      data.labels = make_labels(std::vector<std::string>(std::size_t(X.rows()), "3"));

      write_dataset(path, data);
      const Dataset read = read_dataset(path, {}, {});

      RC_ASSERT((read.sparse() ? RowMatrix(std::get<SparseRows>(read.samples)) : read.dense()) == X);
      RC_ASSERT(read.labels.size() == 0 || read.labels.names == data.labels.names);
    }));
  }
}

TEST_CASE("labels of numbers are read back wherever they can be written") {
  const TemporaryFolder folder;
  for (const FormatFacts& format : all_formats())
    for (const std::string& name : names_of(format)) {
      CAPTURE(name);
      const Labels labels = make_labels({"3", "-1", "3", "20"});
      if (!format.writes_labels) {
        check_sentence(complaint([&] { require_labels_format(name); }), name, ErrorCode::bad_option);
        check_sentence(complaint([&] { write_labels(folder.path(name), labels); }), name, ErrorCode::bad_option);
        continue;
      }
      write_labels(folder.path(name), labels);
      const Labels read = read_labels(folder.path(name), {});
      CHECK(read.of == labels.of);
      CHECK(read.names == labels.names);
    }
}

TEST_CASE("a format that cannot be written says so and leaves nothing") {
  const TemporaryFolder folder;
  for (const FormatFacts& format : all_formats()) {
    if (format.writes_samples) continue;
    const std::string path = folder.path("a" + format.endings.front());
    const auto found = complaint([&] { write_matrix(path, three_by_two()); });
    check_sentence(found, path, ErrorCode::bad_option);
    CHECK(found.says("a " + format.name + " file cannot be written"));
    CHECK(found.says(".csv"));
    CHECK(complaint([&] { require_matrix_format(path); }).message == found.message);
  }
  CHECK(folder.file_count() == 0);
}

TEST_CASE("a mark counts more than the name, and a name without its mark is an error") {
  const TemporaryFolder folder;
  const std::vector<FormatFacts> all = all_formats();
  for (const FormatFacts& format : all) {
    CAPTURE(format.name);
    const std::string content = content_of(file_of(folder, format, "a" + format.endings.front(), three_by_two()));
    const bool text = format.endings.front() == ".csv" || format.endings.front() == ".libsvm";
    if (!text) {
      CHECK(read_matrix(folder.file("nameless", content), {}) == three_by_two());
      CHECK(read_matrix(folder.file("other.npy", content), {}) == three_by_two());
      const std::string wrong = folder.file("wrong" + format.endings.front(), "1,2\n3,4\n");
      const auto found = complaint([&] { read_matrix(wrong, {}); });
      check_sentence(found, wrong, ErrorCode::bad_file);
      CHECK(found.says("this is no " + format.name + " file; "));
    }
  }
}

TEST_CASE("an empty file is called empty") {
  const TemporaryFolder folder;
  for (const FormatFacts& format : all_formats())
    for (const std::string& name : names_of(format)) {
      const std::string path = folder.file(name, name.ends_with(".gz") ? gzipped("") : "");
      for (const auto& found :
           {complaint([&] { read_dataset(path, {}, {}); }), complaint([&] { read_matrix(path, {}); }),
            complaint([&] { read_labels(path, {}); }), complaint([&] { read_matrices(path, {}); })}) {
        check_sentence(found, path, ErrorCode::bad_file);
        CHECK(found.says("empty"));
      }
    }
}

TEST_CASE("one sample, one number") {
  const TemporaryFolder folder;
  for (const FormatFacts& format : all_formats())
    for (const RowMatrix& X :
         {RowMatrix(RowMatrix::Constant(1, 1, 7.5)), RowMatrix((RowMatrix(1, 3) << 1, 2, 3).finished())}) {
      CAPTURE(format.name);
      const Dataset read = read_dataset(file_of(folder, format, "a" + format.endings.front(), X), {}, {});
      CHECK((read.sparse() ? RowMatrix(std::get<SparseRows>(read.samples)) : read.dense()) == X);
      CHECK(Index(read.feature_names.size()) == X.cols());
    }
}

TEST_CASE("missing and infinite values are refused, or settled as asked") {
  const TemporaryFolder folder;
  RowMatrix X = three_by_two(), with_infinity = X;
  X(1, 0) = kUnknown;
  with_infinity(2, 1) = INFINITY;
  for (const FormatFacts& format : all_formats()) {
    CAPTURE(format.name);
    const std::string path = file_of(folder, format, "a" + format.endings.front(), X);

    const auto rejected = complaint([&] { read_dataset(path, {}, {}); });
    const Dataset dropped = read_dataset(path, {"", {}, MissingValues::drop}, {});
    const Dataset filled = read_dataset(path, {"", {}, MissingValues::mean}, {});

    check_sentence(rejected, path, ErrorCode::not_finite);
    CHECK(rejected.says("use input.na drop or input.na mean"));
    CHECK(dropped.rows() == 2);
    CHECK(dropped.notes.size() == 1);
    CHECK((filled.sparse() ? std::get<SparseRows>(filled.samples).coeff(1, 0) : filled.dense()(1, 0)) == 2.5);
    check_sentence(complaint([&] { read_matrix(path, {}); }), path, ErrorCode::not_finite);
    const std::string infinite = file_of(folder, format, "b" + format.endings.front(), with_infinity);
    check_sentence(complaint([&] {
                     read_dataset(infinite, {"", {}, MissingValues::mean}, {});
                   }),
                   infinite, ErrorCode::not_finite);
  }
}

TEST_CASE("a table is no list of labels, and names must be as many as columns") {
  const TemporaryFolder folder;
  for (const FormatFacts& format : all_formats()) {
    CAPTURE(format.name);
    const std::string path = file_of(folder, format, "a" + format.endings.front(), three_by_two());
    const auto found = complaint([&] { read_labels(path, {}); });
    if (format.name == "LIBSVM")  // it carries labels
      CHECK_FALSE(found.code.has_value());
    else
      check_sentence(found, path, format.name == "CSV" ? ErrorCode::bad_file : ErrorCode::bad_shape);
    const auto column = complaint([&] { read_dataset(path, {"", {"9"}}, {}); });
    check_sentence(column, path, ErrorCode::bad_option);
    if (format.writes_samples)
      check_sentence(complaint([&] { write_matrix(path, three_by_two(), {"one"}); }), path, ErrorCode::bad_shape);
  }
}

TEST_CASE("a budget of memory holds for every format") {
  const TemporaryFolder folder;
  RunContext small;
  small.max_memory = 1000;
  for (const FormatFacts& format : all_formats()) {
    const std::string path = file_of(folder, format, "a" + format.endings.front(), RowMatrix::Random(60, 50));
    const auto found = complaint([&] { read_dataset(path, {}, small); });
    check_sentence(found, path, ErrorCode::memory);
    CHECK(found.says("run.max_memory allows 1000 B"));
  }
}

TEST_CASE("a format that one file adds is known everywhere") {
  all_formats();
  const TemporaryFolder folder;

  CHECK(format_names().ends_with(" or GRID"));
  CHECK(formats().back().name == "GRID");
  write_matrix(folder.path("a.grid.gz"), three_by_two());
  CHECK(read_dataset(folder.path("a.grid.gz"), {}, {}).dense() == three_by_two());
  CHECK(complaint([&] { write_matrix(folder.path("a.xyz"), three_by_two()); }).says("or .grid, each also with .gz"));
  CHECK(complaint([&] { read_matrix(folder.file("a.mat", "MATLAB 7.3 MAT-file"), {}); }).says("MAT and GRID"));
  CHECK(
      complaint([&] { write_labels(folder.path("y.grid"), make_labels({"1"})); }).says("GRID file cannot be written"));
}
