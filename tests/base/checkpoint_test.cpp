// SPDX-License-Identifier: MIT
#include "ritz/base/checkpoint.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ritz/base/error.hpp"
#include "ritz/base/iterate.hpp"
#include "ritz/base/parallel.hpp"

using namespace ritz;

namespace {

// Sums of sums, with a stage before and a stage in every outer step. `done` counts the work of both kinds.
struct Work {
  int stages = 0, steps = 0;

  double operator()(RunContext& context) {
    double total = stage(context, "first", [&] { return ++stages, 0.25; });
    std::vector<double> path;
    const auto outer = [&](int k) -> StepReport {
      total += stage(context, "part", [&] { return ++stages, 1.0 / (k + total); });
      double inner = total;
      RunContext nested = context.nested("inner");
      const auto step = [&](int j) -> StepReport {
        ++steps;
        inner = std::sin(inner + j);
        return {inner, 1.0 / j, {}};
      };
      const Summary found =
          iterate(step, {.tolerance = 0.2, .max_iterations = 9}, {}, nested, [&](Archive& archive) { archive(inner); });
      total += inner + found.iterations;
      path.push_back(total);
      return {total, 1.0 / k, {double(path.size())}};
    };
    const Summary all = iterate(outer, {.tolerance = 0.25, .max_iterations = 20}, {"size"}, context,
                                [&](Archive& archive) { archive(total, path); });
    return total + all.trace.values[1] + double(all.iterations) + all.trace.at(all.trace.rows() - 1, 4);
  }
};

}  // namespace

TEST_CASE("whatever was written last, a run that goes on from it ends with the same bits and does the rest only") {
  std::vector<std::string> written;
  Checkpoint checkpoint([&](const std::string& bytes) { written.push_back(bytes); }, 0);
  RunContext plain, recorded;
  recorded.checkpoint = &checkpoint;
  Work all, once;
  const double expected = all(plain);
  CHECK(once(recorded) == expected);
  CHECK(written.size() == std::size_t(all.stages + all.steps + 4));  // and 4 outer steps

  int before = all.steps + all.stages + 1;
  for (const std::string& bytes : written) {
    Checkpoint later([](const std::string&) {}, 0);
    later.restore(bytes);
    RunContext context;
    context.checkpoint = &later;
    Work rest;
    CHECK(rest(context) == expected);
    CHECK(rest.steps + rest.stages <= before);
    before = rest.steps + rest.stages;
  }
  CHECK(before == 0);
}

TEST_CASE("what comes after an interruption is not recorded") {
  std::string last;
  Checkpoint checkpoint([&](const std::string& bytes) { last = bytes; }, 0);
  std::atomic<bool> cancel = false;
  RunContext context;
  context.checkpoint = &checkpoint;
  context.cancel = &cancel;
  CHECK(stage(context, "one", [] { return 1; }) == 1);
  CHECK(stage(context, "two", [&] { return cancel = true, -2; }) == -2);  // cut short
  CHECK(stage(context, "three", [] { return -3; }) == -3);
  checkpoint.flush();

  Checkpoint later([](const std::string&) {}, 0);
  later.restore(last);
  RunContext calm;
  calm.checkpoint = &later;
  CHECK(stage(calm, "one", [] { return 0; }) == 1);
  CHECK(stage(calm, "two", [] { return 2; }) == 2);
  CHECK(stage(calm, "three", [] { return 3; }) == 3);
  CHECK(later.stages() == 1);
}

TEST_CASE("a loop without a state, and tiles of a sweep, are begun anew") {
  std::string last;
  Checkpoint checkpoint([&](const std::string& bytes) { last = bytes; }, 0);
  RunContext context;
  context.checkpoint = &checkpoint;
  const auto inside = [&](RunContext& run) {
    int calls = 0;
    iterate(
        [&](int k) -> StepReport {
          return {double(stage(run, "hidden", [&] { return ++calls; })), 1.0 / k, {}};
        },
        {.tolerance = 0.5, .max_iterations = 5}, {}, run);
    for_each_tile(3, run, [&](Index) { stage(run, "tile", [] { return 1; }); });
    return calls;
  };
  CHECK(inside(context) == 2);
  CHECK(stage(context, "after", [] { return 5; }) == 5);
  Checkpoint later([](const std::string&) {}, 0);
  later.restore(last);
  RunContext again;
  again.checkpoint = &later;
  CHECK(inside(again) == 2);
  CHECK(stage(again, "after", [] { return 0; }) == 5);
}

TEST_CASE("a file that cannot be written does not end the run") {
  Checkpoint checkpoint([](const std::string&) { throw Error(ErrorCode::write_failed, "the disk is full"); }, 0);
  RunContext context;
  context.checkpoint = &checkpoint;
  Work work;
  RunContext plain;
  CHECK(work(context) == Work()(plain));
  CHECK(checkpoint.trouble() == "the disk is full");
}

TEST_CASE("an archive gives back what it took, to the last bit, and refuses what is too short") {
  std::vector<std::string> words{"a", "", "ü"};
  std::map<std::string, double> numbers{{"x", -0.0}, {"y", kUnknown}};
  Matrix M = Matrix::Random(3, 2);
  std::variant<int, std::string> either = std::string("text");
  std::optional<Vector> some = Vector::Random(4), none;
  SparseRows sparse(3, 4);
  sparse.insert(0, 3) = 2.5;
  sparse.insert(2, 1) = -1;
  Archive out;
  out(words, numbers, M, either, some, none, sparse);
  const std::string bytes = out.take();
  const auto read = [](std::string_view from) {
    Archive in(from);
    std::vector<std::string> words2;
    std::map<std::string, double> numbers2;
    Matrix M2;
    std::variant<int, std::string> either2;
    std::optional<Vector> some2, none2 = Vector::Zero(1);
    SparseRows sparse2;
    in(words2, numbers2, M2, either2, some2, none2, sparse2);
    Archive again;
    again(words2, numbers2, M2, either2, some2, none2, sparse2);
    return again.take();
  };
  CHECK(read(bytes) == bytes);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    CHECK_THROWS_AS(read(std::string_view(bytes).substr(0, size)), Error);
  Checkpoint none_such([](const std::string&) {}, 0);
  CHECK_THROWS_AS(none_such.restore("no stages"), Error);
}
