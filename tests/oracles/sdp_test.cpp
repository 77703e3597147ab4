// SPDX-License-Identifier: MIT
#include "oracles/csdp/sdp.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include "ritz/base/random.hpp"
#include "support/csdp.hpp"
#include "support/errors.hpp"
#include "support/temporary_folder.hpp"

using namespace ritz;
using ritz::test::complaint;

namespace {

// maximise <A, X> with tr X = 1: the largest eigenvalue of A.
SdpProblem largest_eigenvalue(const Matrix& A) {
  SdpProblem problem{{A.rows()}, {}, {{}}, {1}};
  for (Index j = 0; j < A.rows(); ++j) {
    problem.constraints[0].push_back({0, j, j, 1});
    for (Index i = 0; i <= j; ++i) problem.objective.push_back({0, i, j, A(i, j)});
  }
  return problem;
}

// A `csdp` that does as the script says, alone on PATH; the tests' own folder also takes the scratch folders.
class FakeCsdp {
 public:
  explicit FakeCsdp(const std::string& script)
      : former_temporary_(std::getenv("TMPDIR") ? std::getenv("TMPDIR") : ""), path_(folder_.path()) {
    const std::string file = folder_.file("csdp", fmt::format("#!/bin/sh\n{}", script));
    chmod(file.c_str(), 0755);
    std::filesystem::create_directory(scratch());
    setenv("TMPDIR", scratch().c_str(), 1);
  }
  FakeCsdp(const FakeCsdp&) = delete;
  FakeCsdp& operator=(const FakeCsdp&) = delete;
  ~FakeCsdp() {
    if (former_temporary_.empty())
      unsetenv("TMPDIR");
    else
      setenv("TMPDIR", former_temporary_.c_str(), 1);
  }
  std::string scratch() const { return folder_.path("scratch"); }
  std::string file(const char* name) const { return folder_.path(name); }
  bool left_nothing() const { return std::filesystem::is_empty(scratch()); }

 private:
  test::TemporaryFolder folder_;
  std::string former_temporary_;
  test::OtherPath path_;
};

SdpProblem tiny() { return largest_eigenvalue(Matrix::Identity(2, 2)); }

test::Complaint complaint_about(const SdpProblem& problem, const RunContext& context = {}) {
  return complaint([&] { solve_sdp(problem, {}, context); });
}

}  // namespace

TEST_CASE("the largest eigenvalue is the optimum of its semidefinite program") {
  if (!test::csdp_installed()) return;
  Matrix A = Rng(1, "sdp").normal_matrix(7, 7);
  A = (A + A.transpose()).eval();
  const double largest = Eigen::SelfAdjointEigenSolver<Matrix>(A).eigenvalues()[6];

  const SdpSolution solution = solve_sdp(largest_eigenvalue(A), {}, {});

  CHECK(solution.status == SdpStatus::solved);
  CHECK(solution.primal == doctest::Approx(largest).epsilon(1e-8));
  CHECK(solution.dual == doctest::Approx(largest).epsilon(1e-8));
  CHECK(solution.y[0] == doctest::Approx(largest).epsilon(1e-8));
  CHECK(solution.X[0].trace() == doctest::Approx(1).epsilon(1e-8));
  CHECK((A * solution.X[0] - largest * solution.X[0]).norm() < 1e-4);
}

TEST_CASE("a diagonal block is a linear program, and entries at the same place add up") {
  if (!test::csdp_installed()) return;
  // maximise x + 2y with x + y + s = 4, y + t = 3: x = 1, y = 3.
  const SdpProblem problem{{-4},
                           {{0, 0, 0, 1}, {0, 1, 1, 0.5}, {0, 1, 1, 1.5}},
                           {{{0, 0, 0, 1}, {0, 1, 1, 1}, {0, 2, 2, 1}}, {{0, 1, 1, 1}, {0, 3, 3, 1}}},
                           {4, 3}};

  const SdpSolution solution = solve_sdp(problem, {}, {});

  CHECK(solution.primal == doctest::Approx(7).epsilon(1e-7));
  CHECK(solution.X[0](0, 0) == doctest::Approx(1).epsilon(1e-6));
  CHECK(solution.X[0](1, 0) == doctest::Approx(3).epsilon(1e-6));
}

TEST_CASE("problems without a solution are told apart") {
  if (!test::csdp_installed()) return;
  SdpProblem negative_trace = tiny();
  negative_trace.right = {-1};
  CHECK(solve_sdp(negative_trace, {}, {}).status == SdpStatus::primal_infeasible);

  const SdpProblem unbounded{{2}, {{0, 0, 0, 1}}, {{{0, 1, 1, 1}}}, {1}};
  CHECK(solve_sdp(unbounded, {}, {}).status == SdpStatus::dual_infeasible);

  CHECK(solve_sdp(largest_eigenvalue(Matrix::Identity(6, 6)), {.max_iterations = 1}, {}).status ==
        SdpStatus::max_iterations);
}

TEST_CASE("a malformed program is refused before anything runs") {
  SdpProblem outside = tiny();
  outside.objective.push_back({0, 0, 2, 1});
  CHECK(complaint_about(outside).code == ErrorCode::bad_shape);
  SdpProblem off_diagonal{{-2}, {}, {{{0, 0, 1, 1}}}, {1}};
  CHECK(complaint_about(off_diagonal).code == ErrorCode::bad_shape);
  SdpProblem empty{{2}, {}, {{{0, 0, 1, 1}, {0, 1, 0, -1}}}, {1}};
  CHECK(complaint_about(empty).says("constraint 1 has no entries"));
  SdpProblem uneven = tiny();
  uneven.right = {1, 2};
  CHECK(complaint_about(uneven).says("1 constraints but 2 right-hand sides"));
  SdpProblem undefined = tiny();
  undefined.objective[0].value = kUnknown;
  CHECK(complaint_about(undefined).code == ErrorCode::not_finite);
  CHECK(complaint([&] { solve_sdp(tiny(), {.tolerance = 0}, {}); }).code == ErrorCode::bad_option);
  CHECK(complaint_about({{2}, {}, {}, {}}).code == ErrorCode::bad_shape);
}

TEST_CASE("without the program the message names its package") {
  const test::TemporaryFolder folder;
  folder.file("csdp", "not executable");
  const test::OtherPath path(folder.path());

  const auto told = complaint_about(tiny());

  CHECK(told.code == ErrorCode::unsupported);
  CHECK(told.message == "solver csdp needs the program csdp; install the package coinor-csdp");
}

TEST_CASE("a program beyond the memory budget is refused before it runs") {
  const FakeCsdp fake("exit 0\n");
  RunContext context;
  context.max_memory = 1000;
  const auto told = complaint_about(largest_eigenvalue(Matrix::Identity(20, 20)), context);
  CHECK(told.code == ErrorCode::memory);
  CHECK(csdp_bytes({{20, -3}, {}, {{}, {}}, {0, 0}}) == 8 * (2 * 2 + 11 * (400 + 3)));
}

TEST_CASE("a program that fails is an error with its status and last words, and leaves no files") {
  const struct {
    const char *script, *says;
  } failures[] = {
      {"echo first; echo out of luck; exit 8\n", "status 8 (a matrix became singular)"},
      {"echo out of luck >&2; exit 8\n", "'out of luck'"},
      {"echo 'no numbers here' > solution; exit 0\n", "solution file cannot be read"},
      {"echo '1.0' > solution; echo '2 1 9 9 1.0' >> solution; exit 0\n", "solution file cannot be read"},
      {"exit 200\n", "status 200, which it should not"},
      {"kill -9 $$\n", "ended by signal 9"},
  };
  for (const auto& [script, says] : failures) {
    CAPTURE(script);
    const FakeCsdp fake(script);
    const auto told = complaint_about(tiny());
    CHECK(told.code == ErrorCode::bad_file);
    CHECK_MESSAGE(told.says(says), told.message);
    CHECK(fake.left_nothing());
  }
}

TEST_CASE("the answer of a program that stopped early is read, with its status") {
  const FakeCsdp fake("printf '2.5 \\n1 1 1 1 9.0\\n2 1 1 2 0.25\\n2 1 2 2 1e0 \\n' > solution; exit 7\n");
  const SdpSolution solution = solve_sdp(tiny(), {}, {});
  CHECK(solution.status == SdpStatus::stuck);
  CHECK(!usable(solution.status));
  CHECK(solution.y[0] == 2.5);
  CHECK(solution.X[0] == (Matrix(2, 2) << 0, 0.25, 0.25, 1).finished());
  CHECK(solution.primal == 1);
  CHECK(solution.dual == 2.5);
}

TEST_CASE("the program is told the tolerance and the number of threads") {
  const FakeCsdp fake(
      "echo \"$OPENBLAS_NUM_THREADS $OMP_NUM_THREADS\" > ../threads\n"
      "while read line; do echo \"$line\"; done < param.csdp > ../parameters\n"
      "echo 1 > solution\n");
  solve_sdp(tiny(), {.tolerance = 1e-7, .threads = 3}, {});
  CHECK(test::content_of(fake.scratch() + "/threads") == "3 3\n");
  CHECK(test::content_of(fake.scratch() + "/parameters").find("axtol=1e-07\n") == 0);
}

TEST_CASE("an interruption ends the program at once, and nothing is left of it") {
  // With its output open, and closed.
  for (const std::string script : {"echo $$ > ../id; exec sleep 30\n", "echo $$ > ../id; exec sleep 30 >&- 2>&-\n"}) {
    const FakeCsdp fake(fmt::format("PATH=/usr/bin:/bin; {}", script));
    std::atomic<bool> cancel{false};
    RunContext context;
    context.cancel = &cancel;
    const auto start = std::chrono::steady_clock::now();
    std::thread user([&] {
      while (test::content_of(fake.scratch() + "/id").find('\n') == std::string::npos &&
             std::chrono::steady_clock::now() - start < std::chrono::seconds(20))
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      cancel = true;
    });

    CHECK_THROWS_AS(solve_sdp(tiny(), {}, context), Interrupted);
    user.join();

    const std::string id = test::content_of(fake.scratch() + "/id");
    REQUIRE(!id.empty());
    CHECK(kill(std::stoi(id), 0) == -1);  // no such process
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
    CHECK(std::filesystem::remove(fake.scratch() + "/id"));
    CHECK(fake.left_nothing());
  }
}

TEST_CASE("the time limit holds for the program too") {
  const FakeCsdp fake("PATH=/usr/bin:/bin; exec sleep 30\n");
  RunContext context;
  const auto start = std::chrono::steady_clock::now();
  context.deadline = start + std::chrono::milliseconds(100);
  CHECK_THROWS_AS(solve_sdp(tiny(), {}, context), Interrupted);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(10));
  CHECK(fake.left_nothing());
}
