// SPDX-License-Identifier: MIT
#include "ritz/base/options.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "ritz/base/types.hpp"

using namespace ritz;

namespace {

enum class Speed { slow, fast };
constexpr auto names_of(Speed) { return std::array{"slow", "fast"}; }

struct Options {
  static constexpr std::string_view name = "demo";
  double tolerance = 1e-6;
  int max_iterations = 100;
  Speed speed = Speed::slow;
  bool centre = true;
  std::string label = "none";
  static constexpr auto fields() {
    return std::tuple{field("tolerance", &Options::tolerance, 0.0, 1.0, "stop below this"),
                      field("max_iterations", &Options::max_iterations, 1, 1000, "stop after this many"),
                      field("speed", &Options::speed, "slow or fast"),
                      field("centre", &Options::centre, "subtract the mean"),
                      field("label", &Options::label, "any text")};
  }
};

template <class Action>
std::string refusal(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::bad_option);
    return error.what();
  }
  return "not refused";
}

}  // namespace

TEST_CASE("a value outside its range is refused with its name, itself and the range") {
  Options options;
  CHECK_NOTHROW(check(options));

  options.tolerance = 2;
  CHECK(refusal([&] { check(options); }) == "demo.tolerance is 2; it must lie in [0, 1]");
  options.tolerance = kUnknown;
  CHECK(refusal([&] { check(options); }) == "demo.tolerance is nan; it must lie in [0, 1]");
  options.tolerance = 1;
  options.max_iterations = 0;
  CHECK(refusal([&] { check(options); }) == "demo.max_iterations is 0; it must lie in [1, 1000]");
}

TEST_CASE("both ends belong to a range") {
  Options options;
  options.tolerance = 0;
  options.max_iterations = 1000;

  CHECK_NOTHROW(check(options));
}

TEST_CASE("fields are set from text, with hyphens or underscores") {
  Options options;

  set(options, "max-iterations", " 12 ");
  set(options, "tolerance", "1e-3");
  set(options, "speed", "fast");
  set(options, "centre", "no");
  set(options, "label", "two words");

  CHECK(options.max_iterations == 12);
  CHECK(options.tolerance == 1e-3);
  CHECK(options.speed == Speed::fast);
  CHECK_FALSE(options.centre);
  CHECK(options.label == "two words");
}

TEST_CASE("text that is not a value says what was expected and changes nothing") {
  Options options;

  CHECK(refusal([&] { set(options, "max_iterations", "1.5"); }) ==
        "demo.max_iterations: cannot read '1.5'; expected a whole number");
  CHECK(refusal([&] { set(options, "speed", "warp"); }) == "demo.speed: cannot read 'warp'; expected one of slow|fast");
  CHECK(options.max_iterations == 100);
  CHECK(options.speed == Speed::slow);
}

TEST_CASE("an unknown option suggests the nearest, or lists all") {
  Options options;

  CHECK(refusal([&] { set(options, "tolerence", "1"); }) ==
        "demo has no option 'tolerence'; did you mean 'tolerance'?");
  CHECK(refusal([&] { set(options, "zzzzzz", "1"); }) ==
        "demo has no option 'zzzzzz'; known are: tolerance, max_iterations, speed, centre, label");
}

TEST_CASE("options survive the way through text") {
  CHECK(rc::check("text_values, then set", [](double tolerance, int max_iterations, bool fast, bool centre) {
    Options before;
    before.tolerance = tolerance;
    before.max_iterations = max_iterations;
    before.speed = fast ? Speed::fast : Speed::slow;
    before.centre = centre;
    before.label = "x";

    Options after;
    for (const auto& [name, value] : text_values(before)) set(after, name, value);

    RC_ASSERT(after.tolerance == before.tolerance);
    RC_ASSERT(after.max_iterations == before.max_iterations);
    RC_ASSERT(after.speed == before.speed);
    RC_ASSERT(after.centre == before.centre);
    RC_ASSERT(after.label == before.label);
  }));
}

TEST_CASE("flags have hyphens where fields have underscores") {
  CHECK(flag_name("max_iterations") == "max-iterations");
  CHECK(field_names<Options>() == std::vector<std::string>{"tolerance", "max_iterations", "speed", "centre", "label"});
}

namespace {

struct Outer {
  static constexpr std::string_view name = "outer";
  Options inner;
  int extra = 3;
  static constexpr auto fields() {
    return std::tuple{rows(&Outer::inner, "label"), field("extra", &Outer::extra, 0, 9, "one more")};
  }
};

}  // namespace

TEST_CASE("a table within a table: its rows are set, checked and printed by the outer one, but for those left out") {
  Outer options;

  set(options, "max-iterations", "7");
  set(options, "extra", "4");

  CHECK(options.inner.max_iterations == 7);
  CHECK(options.extra == 4);
  CHECK(field_names<Outer>() == std::vector<std::string>{"tolerance", "max_iterations", "speed", "centre", "extra"});
  CHECK(refusal([&] { set(options, "label", "x"); }).starts_with("outer has no option 'label'"));
  options.inner.tolerance = 2;
  CHECK(refusal([&] { check(options); }) == "outer.tolerance is 2; it must lie in [0, 1]");
}

TEST_CASE("rows are shown with kind, default, range and choices") {
  const std::vector<OptionRow> shown = option_rows<Options>();

  CHECK(shown[0].low == "0");
  CHECK(shown[1].standard == "100");
  CHECK(shown[2].choices == std::vector<std::string>{"slow", "fast"});
  CHECK(shown[3].flag);
  CHECK(shown[4].low.empty());
}

TEST_CASE("what two tables share by name and type is taken over, the rest is left alone") {
  Options from;
  from.tolerance = 0.25;
  from.max_iterations = 9;
  Outer to;
  to.extra = 3;
  to.inner.label = "kept";

  take_fields(from, to);

  CHECK(to.inner.tolerance == 0.25);
  CHECK(to.inner.max_iterations == 9);
  CHECK(to.inner.label == "kept");
  CHECK(to.extra == 3);
}
