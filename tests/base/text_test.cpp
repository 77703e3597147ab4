// SPDX-License-Identifier: MIT
#include "ritz/base/text.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <clocale>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "ritz/base/types.hpp"

using namespace ritz;

namespace {

enum class Colour { red, green };
constexpr auto names_of(Colour) { return std::array{"red", "green"}; }

std::uint64_t bits_of(double value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

}  // namespace

TEST_CASE("a number's text reads back to the same bits") {
  CHECK(rc::check("double -> text -> double", [](std::uint64_t bits) {
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    const auto back = read_double(number_text(value));

    RC_ASSERT(back.has_value());
    if (std::isnan(value))
      RC_ASSERT(std::isnan(*back));
    else
      RC_ASSERT(bits_of(*back) == bits);
  }));
  CHECK(number_text(0.1) == "0.1");
  CHECK(number_text(1e300) == "1e+300");
  CHECK(number_text(-std::numeric_limits<double>::infinity()) == "-inf");
  CHECK(number_text(kUnknown) == "nan");
}

TEST_CASE("a whole text is a number or it is not") {
  CHECK(read_double("+2.5") == 2.5);
  CHECK(read_double("-1e3") == -1000);
  CHECK(read_double("inf") == std::numeric_limits<double>::infinity());
  CHECK(read_double("1e-400") == 0);
  CHECK(read_double("1e400") == std::numeric_limits<double>::infinity());
  for (const std::string text : {"", "+", "-", "++1", "+-1", "1x", "1 ", " 1", "1,5", "0x10", "e5"}) {
    CAPTURE(text);
    CHECK_FALSE(read_double(text));
  }
}

TEST_CASE("whole numbers are read whole") {
  CHECK(read_integer("+7") == 7);
  CHECK(read_integer("-9223372036854775808") == std::numeric_limits<long long>::min());
  for (const std::string text : {"", "+", "++1", "+-1", "1.0", "1e3", "9223372036854775808", " 1"}) {
    CAPTURE(text);
    CHECK_FALSE(read_integer(text));
  }
}

TEST_CASE("integers that do not fit their type are refused") {
  CHECK(TextForm<int>::parse("2147483647") == 2147483647);
  CHECK_FALSE(TextForm<int>::parse("2147483648"));
  CHECK_FALSE(TextForm<unsigned>::parse("-1"));
}

TEST_CASE("sizes in bytes take units of 1024") {
  CHECK(read_bytes("1500") == 1500);
  CHECK(read_bytes("64k") == 65536);
  CHECK(read_bytes("400M") == 400ull << 20);
  CHECK(read_bytes("2G") == 2ull << 30);
  CHECK(read_bytes("1.5GiB") == 1536ull << 20);
  CHECK(read_bytes("3tb") == 3ull << 40);
  for (const std::string text : {"", "k", "-1", "1x", "1kk", "G2", "1e30", "99999999999T"}) {
    CAPTURE(text);
    CHECK_FALSE(read_bytes(text));
  }
}

TEST_CASE("bytes are told in the unit a person would use") {
  CHECK(bytes_text(12) == "12 B");
  CHECK(bytes_text(1536) == "1.5 KiB");
  CHECK(bytes_text(1.4 * 1024 * 1024 * 1024) == "1.4 GiB");
  CHECK(bytes_text(200.0 * 1024) == "200 KiB");
}

TEST_CASE("only the blanks around a text are trimmed") {
  CHECK(trimmed(" \t a b\r\n") == "a b");
  CHECK(trimmed(" \n ") == "");
}

TEST_CASE("the nearest name is a likely misspelling or none") {
  const std::vector<std::string> names = {"gaussian", "linear", "polynomial", "q"};

  CHECK(nearest_name("gausian", names) == "gaussian");
  CHECK(nearest_name("lienar", names) == "linear");
  CHECK(nearest_name("poly", names) == "polynomial");
  CHECK(nearest_name("zebra", names) == "");
  CHECK(nearest_name("x", names) == "");
  CHECK(suggestion("gausian", names) == "; did you mean 'gaussian'?");
  CHECK(suggestion("zebra", names) == "; known are: gaussian, linear, polynomial, q");
}

TEST_CASE("enums and flags have a text form both ways") {
  CHECK(TextForm<Colour>::parse("green") == Colour::green);
  CHECK_FALSE(TextForm<Colour>::parse("Green"));
  CHECK(TextForm<Colour>::print(Colour::red) == "red");
  CHECK(TextForm<bool>::parse("on") == true);
  CHECK(TextForm<bool>::parse("0") == false);
  CHECK_FALSE(TextForm<bool>::parse("maybe"));
}

TEST_CASE("numbers beyond the range of double are 0 or infinite in every locale") {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const std::string locale = std::setlocale(LC_ALL, nullptr);
  for (const char* name : {"C", "de_DE.UTF-8", "fr_FR.UTF-8"}) {
    if (!std::setlocale(LC_ALL, name)) continue;
    CHECK(read_double("1.5e400") == kInfinity);
    CHECK(read_double("-1.5e400") == -kInfinity);
    CHECK(read_double("1.5e-400") == 0.0);
    CHECK(read_double("-2.5e-330") == 0.0);
    CHECK(std::signbit(*read_double("-2.5e-330")));
    CHECK(read_double("1" + std::string(400, '0')) == kInfinity);
    CHECK(read_double("1" + std::string(400, '0') + "e-400") == 1.0);
    CHECK(read_double("0." + std::string(400, '0') + "1") == 0.0);
    CHECK(read_double("0." + std::string(400, '0') + "1e900") == kInfinity);
    CHECK(read_double("1e99999999999999999999") == kInfinity);
    CHECK(read_double("1e-99999999999999999999") == 0.0);
    CHECK(bytes_text(1.5 * 1024 * 1024) == "1.5 MiB");
  }
  std::setlocale(LC_ALL, locale.c_str());
}
