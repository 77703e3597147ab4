// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <limits>

#include "ritz/data/io.hpp"
#include "support/errors.hpp"
#include "support/npy_bytes.hpp"
#include "support/temporary_folder.hpp"

using namespace ritz;
using namespace ritz::test;

namespace {

RowMatrix read_bytes(const std::string& bytes, std::string_view name = "a.npy") {
  const TemporaryFolder folder;
  return read_matrix(folder.file(name, bytes), {});
}

Complaint complaint_about(const std::string& bytes, std::string_view name = "a.npy", const RunContext& context = {}) {
  const TemporaryFolder folder;
  const std::string path = folder.file(name, bytes);
  return complaint([&] { read_matrix(path, context); });
}

template <class T>
void check_type(const std::string& type, const std::vector<T>& values) {
  CAPTURE(type);
  RowMatrix expected(2, Index(values.size()) / 2);
  for (Index i = 0; i < expected.size(); ++i) expected.data()[i] = double(values[std::size_t(i)]);
  const std::string shape = "(2, " + std::to_string(values.size() / 2) + ")";

  CHECK(read_bytes(npy("<" + type, shape, bytes_of(values))) == expected);
  CHECK(read_bytes(npy(">" + type, shape, bytes_of(values, true))) == expected);
}

const std::vector<double> kSix = {1, 2, 3, 4, 5, 6};
RowMatrix two_by_three() { return (RowMatrix(2, 3) << 1, 2, 3, 4, 5, 6).finished(); }

}  // namespace

TEST_CASE("every_real_element_type_is_read_in_both_byte_orders") {
  check_type<std::int8_t>("i1", {-128, 127, 0, 1});
  check_type<std::int16_t>("i2", {-32768, 32767, 1, 2});
  check_type<std::int32_t>("i4", {std::numeric_limits<std::int32_t>::min(), 7, 1, 2});
  check_type<std::int64_t>("i8", {-(1LL << 52), 7, 1, 2});
  check_type<std::uint8_t>("u1", {255, 0, 1, 2});
  check_type<std::uint16_t>("u2", {65535, 0, 1, 2});
  check_type<std::uint32_t>("u4", {4294967295U, 0, 1, 2});
  check_type<std::uint64_t>("u8", {1ULL << 53, 0, 1, 2});
  check_type<float>("f4", {1.5F, -0.25F, 1e-40F, 3e38F});
  check_type<double>("f8", {1.5, -0.1, 5e-324, 1.7e308});
  CHECK(read_bytes(npy("|b1", "(1, 3)", std::string("\x01\x00\x01", 3))) == (RowMatrix(1, 3) << 1, 0, 1).finished());
}

TEST_CASE("half_precision_is_read") {
  // 1, -2, the largest, the smallest normal, the smallest of all
  const std::vector<std::uint16_t> bits = {0x3C00, 0xC000, 0x7BFF, 0x0400, 0x0001};
  const RowMatrix expected = (RowMatrix(5, 1) << 1, -2, 65504, 0x1p-14, 0x1p-24).finished();

  CHECK(read_bytes(npy("<f2", "(5,)", bytes_of(bits))) == expected);
  CHECK(read_bytes(npy(">f2", "(5,)", bytes_of(bits, true))) == expected);
}

TEST_CASE("both_storage_orders_and_all_versions_are_read") {
  const std::vector<double> by_columns = {1, 4, 2, 5, 3, 6};
  for (const int version : {1, 2, 3}) {
    CHECK(read_bytes(npy("<f8", "(2, 3)", bytes_of(kSix), false, version)) == two_by_three());
    CHECK(read_bytes(npy("<f8", "(2, 3)", bytes_of(by_columns), true, version)) == two_by_three());
  }
  CHECK(read_bytes(gzipped(npy("<f8", "(2, 3)", bytes_of(kSix))), "a.npy.gz") == two_by_three());
  CHECK(read_bytes(gzipped(npy("<f8", "(2, 3)", bytes_of(by_columns), true)), "a.npy.gz") == two_by_three());
}

TEST_CASE("more_dimensions_become_rows") {
  std::vector<double> c(24), f(24);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 4; ++k) {
        c[std::size_t(i * 12 + j * 4 + k)] = i * 100 + j * 10 + k;
        f[std::size_t(i + j * 2 + k * 6)] = i * 100 + j * 10 + k;
      }
  const RowMatrix expected = Eigen::Map<const RowMatrix>(c.data(), 2, 12);

  CHECK(read_bytes(npy("<f8", "(2, 3, 4)", bytes_of(c))) == expected);
  CHECK(read_bytes(npy("<f8", "(2, 3, 4)", bytes_of(f), true)) == expected);
  CHECK(read_bytes(gzipped(npy("<f8", "(2, 3, 4)", bytes_of(f), true))) == expected);
  CHECK(read_bytes(npy("<f8", "(6,)", bytes_of(kSix))).cols() == 1);
  CHECK(read_bytes(npy("<f8", "()", bytes_of(std::vector<double>{7}))) == RowMatrix::Constant(1, 1, 7));
}

TEST_CASE("headers_of_other_writers_are_read") {
  CHECK(read_bytes(npy_with_header("{\"shape\":(2,3),\"descr\":\"<f8\",\"fortran_order\":False}", bytes_of(kSix))) ==
        two_by_three());
  CHECK(read_bytes(npy_with_header("{'descr': '<f8', 'fortran_order': False, 'shape': (2L, 3L), }", bytes_of(kSix))) ==
        two_by_three());
}

TEST_CASE("claims_beyond_the_file_are_refused_before_memory_is_taken") {
  for (const char* shape : {"(1000000000000, 3)", "(3, 1000000000000)", "(4294967296, 4294967296, 4294967296)",
                            "(18446744073709551615, 2)", "(99999999999999999999, 2)"}) {
    CAPTURE(shape);
    CHECK(complaint_about(npy("<f8", shape, bytes_of(kSix))).code == ErrorCode::bad_file);
    CHECK(complaint_about(gzipped(npy("<f8", shape, bytes_of(kSix)))).code == ErrorCode::bad_file);
  }
  const auto cut = complaint_about(npy("<f8", "(2, 3)", bytes_of(kSix).substr(0, 41)));
  CHECK(cut.says("a.npy: the header claims 2 x 3 elements (48 bytes), but only 41 bytes follow it"));
  const auto cut_gz = complaint_about(gzipped(npy("<f8", "(2, 3)", bytes_of(kSix).substr(0, 41))));
  CHECK(cut_gz.says("(48 bytes), but only 41 bytes follow it"));
}

TEST_CASE("the_memory_budget_is_named_when_an_array_exceeds_it") {
  RunContext context;
  context.max_memory = 1000;
  const std::string array = npy("|u1", "(10, 100)", std::string(1000, 'a'));

  for (const std::string& bytes : {array, gzipped(array)}) {
    const auto found = complaint_about(bytes, "a.npy", context);
    CHECK(found.code == ErrorCode::memory);
    CHECK(found.says("needs about 7.8 KiB, but run.max_memory allows 1000 B"));
  }
}

TEST_CASE("what_is_no_real_array_is_refused") {
  CHECK(complaint_about(npy("<c16", "(1, 1)", std::string(16, '\0'))).code == ErrorCode::unsupported);
  CHECK(complaint_about(npy("<U5", "(1,)", std::string(20, '\0'))).says("'<U5'"));
  CHECK(complaint_about(npy("|O", "(1,)", std::string(20, '\0'))).code == ErrorCode::unsupported);
  CHECK(complaint_about(npy_with_header("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,)}", ""))
            .says("structured"));
  CHECK(complaint_about(npy("<f8", "(0, 3)", "")).code == ErrorCode::bad_data);
  CHECK(complaint_about("\x93NUMPY").says("cut short"));
  CHECK(complaint_about("1,2\n").says("does not begin with"));
  CHECK(complaint_about(npy("<f8", "(2, 3)", bytes_of(kSix), false, 9)).says("version 9"));
  for (const char* header : {"", "{", "{'descr': '<f8'}", "{'descr': '<f8', 'fortran_order': 1, 'shape': (1,)}",
                             "{'descr': '<f8', 'fortran_order': True, 'shape': (-1,)}", "{'descr: '<f8'"})
    CHECK(complaint_about(npy_with_header(header, bytes_of(kSix))).says("damaged"));
}

TEST_CASE("nan_in_an_array_is_a_missing_value_and_infinity_an_error") {
  const TemporaryFolder folder;
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const std::string with_nan =
      folder.file("n.npy", npy("<f8", "(3, 2)", bytes_of(std::vector<double>{1, 2, 3, nan, 5, 6})));
  const std::string with_inf = folder.file("i.npy", npy("<f8", "(1, 2)", bytes_of(std::vector<double>{1, inf})));

  CHECK(complaint([&] { read_matrix(with_nan, {}); }).says("row 2, column 'x2': the value is missing (NaN)"));
  CHECK(complaint([&] { read_dataset(with_nan, {}, {}); }).says("the value is missing (NaN); use input.na"));
  CHECK(read_dataset(with_nan, {"", {}, MissingValues::drop}, {}).dense() ==
        (RowMatrix(2, 2) << 1, 2, 5, 6).finished());
  CHECK(read_dataset(with_nan, {"", {}, MissingValues::mean}, {}).dense()(1, 1) == 4);
  for (const auto missing : {MissingValues::reject, MissingValues::drop, MissingValues::mean}) {
    const auto found = complaint([&] { read_dataset(with_inf, {"", {}, missing}, {}); });
    CHECK(found.code == ErrorCode::not_finite);
    CHECK(found.says("row 1, column 'x2': the value is infinite"));
  }
}

TEST_CASE("label_and_dropped_columns_of_an_array") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.npy", npy("<f8", "(2, 3)", bytes_of(kSix)));

  const Dataset data = read_dataset(path, {"3", {"x1"}, MissingValues::reject}, {});

  CHECK(data.dense() == (RowMatrix(2, 1) << 2, 5).finished());
  CHECK(data.feature_names == std::vector<std::string>{"x2"});
  CHECK(data.labels.names == std::vector<std::string>{"3", "6"});
}
