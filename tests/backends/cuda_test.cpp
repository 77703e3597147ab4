// SPDX-License-Identifier: MIT
// The host's side of a card, against the module of tests/support/fake_module.cpp; without $RITZ_PLUGINS only what is
// said where there is no module. On a machine with a card the same tests run on libritz_cuda.so.
#include <doctest/doctest.h>

#include <cstdlib>

#include "backends/cuda/backend.hpp"
#include "backends/dense_eigen.hpp"
#include "backends/memory_plan.hpp"
#include "backends/secant_products.hpp"
#include "support/errors.hpp"
#include "support/pair_problem.hpp"

using namespace ritz;
using namespace ritz::testing;

namespace {

bool fake() { return device::device().table && std::string(device::device().facts.name) == "Fake"; }

// While it lives the fake module fails in this way.
struct Failing {
  explicit Failing(const char* how) { setenv("RITZ_FAKE", how, 1); }
  ~Failing() { unsetenv("RITZ_FAKE"); }
};

}  // namespace

TEST_CASE("cuda: where there is no card, the backend says why in one sentence") {
  cuda::CudaBackend backend(cuda::Policy::always);
  if (backend.available()) return;
  const RowMatrix X = RowMatrix::Random(3, 2);
  const Samples samples(X);
  const auto complaint = test::complaint([&] {
    backend.pair_pass(samples, factored_gamma({Matrix::Zero(3, 1), Vector::Ones(1)}));
  });

  CHECK(complaint.code == ErrorCode::unsupported);
  CHECK(complaint.message.starts_with("backend \"cuda\" is not there: "));
  CHECK(complaint.message.ends_with(std::string(backend.description())));
}

TEST_CASE("cuda: auto leaves small sums to the CPU, bit by bit, and says that they do not pay") {
  const PairProblem problem = random_problem(60, 4, 2, "gaussian(sigma=1)", true, 1);
  const Samples samples(problem.X);
  cuda::CudaBackend backend(cuda::Policy::when_it_pays);
  const PairSums sums = backend.pair_pass(samples, problem.gamma)->sums(problem.W, problem.kernel, {});
  const PairSums own = cpu_backend().pair_pass(samples, problem.gamma)->sums(problem.W, problem.kernel, {});

  CHECK(sums.objective == own.objective);
  CHECK(sums.phi.dense() == own.phi.dense());
  CHECK(backend.used().starts_with("cpu: "));
  CHECK(backend.used().ends_with("operations over pairs do not pay for a card"));
}

TEST_CASE("cuda: a kernel of a program's own functions is refused by its name, and goes to the CPU with auto") {
  cuda::CudaBackend backend(cuda::Policy::always);
  if (!backend.available()) return;
  PairProblem problem = random_problem(20, 3, 2, "linear", true, 1);
  problem.kernel = {user_kernel(
      "mine", PairForm::dot, [](double b) { return b * b; }, [](double b) { return 2 * b; })};
  const Samples samples(problem.X);
  const auto pass = backend.pair_pass(samples, problem.gamma);
  const auto complaint = test::complaint([&] { pass->sums(problem.W, problem.kernel, {}); });

  CHECK(complaint.code == ErrorCode::unsupported);
  CHECK(complaint.message ==
        "kernel mine is made of a program's own functions, which cannot run on a card; the backend \"cpu\" has it");
}

TEST_CASE("cuda: what the module has no sweep for goes to the CPU, and is named") {
  cuda::CudaBackend backend(cuda::Policy::always);
  if (!backend.available()) return;
  const PairProblem problem = random_problem(30, 3, 2, "gaussian(sigma=1)", true, 1);
  const Samples samples(problem.X);
  backend.pair_pass(samples, problem.gamma)->objective(problem.W, problem.kernel, {});
  backend.order_sweep({{1}, {0}, {}});

  CHECK(backend.used() == std::string("cuda: ") + device::device().facts.name + "; on the CPU: the order of distances");
}

TEST_CASE("cuda: a card that fails ends the run in one sentence, and auto goes on with the CPU") {
  if (!fake()) return;
  const PairProblem problem = random_problem(2300, 500, 2, "gaussian(sigma=1)", true, 1);
  const Samples samples(problem.X);
  RunContext context;
  context.threads = 1;
  const double exact =
      cpu_backend().pair_pass(samples, problem.gamma)->sums(problem.W, problem.kernel, context).objective;
  struct Way {
    const char* how;
    ErrorCode code;
    std::string says;
  };
  for (const Way& way :
       {Way{"vanish", ErrorCode::unsupported, "Fake: the card failed to multiply: it has fallen off the bus"},
        Way{"memory", ErrorCode::memory, "Fake: the card has 0.00 GiB of free memory, and 1.00 GiB more are needed"}}) {
    CAPTURE(way.how);
    const Failing failing(way.how);
    cuda::CudaBackend always(cuda::Policy::always), when_it_pays(cuda::Policy::when_it_pays);
    const auto complaint =
        test::complaint([&] { always.pair_pass(samples, problem.gamma)->sums(problem.W, problem.kernel, context); });
    CHECK(complaint.code == way.code);
    CHECK(complaint.message == way.says);

    const auto pass = when_it_pays.pair_pass(samples, problem.gamma);
    CHECK(pass->sums(problem.W, problem.kernel, context).objective == exact);
    CHECK(when_it_pays.used() == "cpu: " + way.says);
  }
}

TEST_CASE("cuda: the eigen step is left to a card that is in use, and finds what LAPACK finds") {
  cuda::CudaBackend backend(cuda::Policy::always);
  if (!backend.available()) return;
  const PairProblem problem = random_problem(30, 3, 2, "gaussian(sigma=1)", true, 1);
  const Samples samples(problem.X);
  const Matrix half = Rng(7, "matrix").normal_matrix(450, 450), A = half + half.transpose();
  const EigenRequest request{.pick = Count{5}};
  RunContext context;
  context.backend = &backend;
  CHECK(!backend_eigen(A, request, context));
  backend.pair_pass(samples, problem.gamma)->objective(problem.W, problem.kernel, {});
  const auto found = backend_eigen(A, request, context);
  EigenSolver eigen(EigenMethod::dense);
  const EigenPairs own = eigen(DenseOperator{A}, request, {});

  REQUIRE(found);
  CHECK(found->complete);
  CHECK((found->values - own.values).norm() <= 1e-11 * own.norm);
  CHECK((found->vectors - own.vectors).norm() <= 1e-9);
  CHECK(std::abs(found->next - own.next) <= 1e-11 * own.norm);
  CHECK(!backend_eigen(A.topLeftCorner(100, 100), request, context));
}

TEST_CASE("cuda: products of a working set are left to a card that is in use, and are those of its secants") {
  cuda::CudaBackend backend(cuda::Policy::always);
  if (!backend.available()) return;
  const PairProblem problem = random_problem(30, 3, 2, "gaussian(sigma=1)", true, 1);
  const Samples samples(problem.X);
  RunContext context;
  context.backend = &backend;
  Rng rng(5, "secants");
  const RowMatrix points = rng.normal_matrix(700, 300);
  constexpr Index kPairs = 900;
  std::vector<Index> a, b;
  std::vector<double> scale;
  RowMatrix V(kPairs, points.cols());
  for (Index p = 0; p < kPairs; ++p) {
    a.push_back(p % 40);  // some points are in many pairs, some in none
    b.push_back(40 + p * 7 % 600);
    scale.push_back(1.0 / double(1 + p % 5));
    V.row(p) = std::sqrt(scale.back()) * (points.row(a.back()) - points.row(b.back()));
  }
  CHECK(!backend_secants(points, a, b, scale, context));
  backend.pair_pass(samples, problem.gamma)->objective(problem.W, problem.kernel, {});
  const auto products = backend_secants(points, a, b, scale, context);
  REQUIRE(products);
  CHECK(!backend_secants(points.topRows(650).leftCols(2), a, b, scale, context));
  for (const Index k : {1, 40, 130}) {
    const Matrix B = rng.normal_matrix(points.cols(), k);
    Vector y = rng.normal_matrix(kPairs, 1);
    for (Index p = 0; p < kPairs; p += 3) y(p) = 0;
    const RowMatrix image = V * B;
    const Vector measured = image.rowwise().squaredNorm();
    const Matrix adjoint = V.transpose() * (y.asDiagonal() * image);
    const auto found = products->measured(B, context), again = products->measured(B, context);
    const auto found_adjoint = products->adjoint_times(y, B, context),
               again_adjoint = products->adjoint_times(y, B, context);
    REQUIRE(found);
    REQUIRE(found_adjoint);
    CHECK((*found - measured).norm() <= 1e-12 * measured.norm());
    CHECK((*found_adjoint - adjoint).norm() <= 1e-12 * V.norm() * image.norm());
    CHECK(*again == *found);
    CHECK(*again_adjoint == *found_adjoint);
  }
  const Matrix half = rng.normal_matrix(points.cols(), points.cols()), P = half + half.transpose();
  const Vector by = (V * P).cwiseProduct(V).rowwise().sum();
  const auto found = products->measured_by(P, context);
  REQUIRE(found);
  CHECK((*found - by).norm() <= 1e-12 * V.squaredNorm() * P.norm());
}

TEST_CASE("cuda: strips shrink to what is free, by whole tiles, and say so where none fits") {
  using device::fitting_rows, device::kLeastRows, device::kStripRows, device::kStripShare;
  constexpr double kRow = 1000;
  CHECK(fitting_rows(0, 60000, kRow, 1e12, 0) == kStripRows);
  CHECK(fitting_rows(0, 100, kRow, 1e12, 0) == 100);
  CHECK(fitting_rows(256, 60000, kRow, 1e12, 0) == 256);
  long before = kStripRows;
  for (double free = 2 * kStripRows * kRow; free > 100; free *= 0.7) {
    const long rows = fitting_rows(0, 60000, kRow, free, 0);
    CHECK(rows <= before);
    if (rows == 0) {
      CHECK(kLeastRows * kRow > kStripShare * free);
      continue;
    }
    CHECK(double(rows) * kRow <= kStripShare * free);
    CHECK(rows % kLeastRows == 0);
    if (rows < kStripRows) CHECK(double(rows + kLeastRows) * kRow > kStripShare * free);
    before = rows;
  }
  CHECK(before == kLeastRows);
  CHECK(fitting_rows(0, 60000, kRow, 0, kLeastRows * kRow) == kLeastRows);  // what is there already counts
  CHECK(fitting_rows(0, 10, kRow, 11 * kRow / kStripShare, 0) == 10);
}

TEST_CASE("cuda: the forecast of a card's memory leaves room for the strips that the module then asks for") {
  for (const long n : {100L, 5000L, 60000L})
    for (const bool by_class : {true, false}) {
      const device::CardBytes all = device::bytes_of_sums(n, 784, 9, 10, by_class);
      const double row = device::row_bytes_of_sums(n, device::strips_of_sums(9, by_class));
      CHECK(device::fitting_rows(0, n, row, all.full - all.fixed, 0) == std::min(n, device::kStripRows));
      CHECK(device::fitting_rows(0, n, row, all.least - all.fixed, 0) == std::min(n, device::kLeastRows));
      CHECK(all.fixed >= 8.0 * 784 * double(n));
    }
}

TEST_CASE("cuda: a cancelled context stops a sweep") {
  cuda::CudaBackend backend(cuda::Policy::always);
  if (!backend.available()) return;
  const PairProblem problem = random_problem(50, 3, 2, "gaussian(sigma=1)", true, 1);
  const Samples samples(problem.X);
  const auto pass = backend.pair_pass(samples, problem.gamma);
  pass->sums(problem.W, problem.kernel, {});
  const std::atomic<bool> cancel = true;
  RunContext context;
  context.cancel = &cancel;

  CHECK_THROWS_AS(pass->sums(problem.W, problem.kernel, context), Interrupted);
  CHECK_THROWS_AS(pass->objective(problem.W, problem.kernel, context), Interrupted);
}

TEST_CASE("cuda: over several strips of rows every sweep gives what the CPU gives, and repeats to the bit") {
  cuda::CudaBackend backend(cuda::Policy::always);
  if (!backend.available() || fake()) return;
  struct Size {
    Index n, d, q;
  };
  for (const Size size : {Size{9001, 20, 3}, Size{4500, 90, 70}})
    for (const bool labelled : {true, false})
      for (const std::string text : {"gaussian(sigma=1.3)", "0.5*gaussian(sigma=2)+0.1*polynomial(degree=2)",
                                     "rbf-relative+0.3*multiquadric", "polynomial(degree=3)+0.2*linear"}) {
        CAPTURE(size.n);
        CAPTURE(labelled);
        CAPTURE(text);
        const PairProblem problem = random_problem(size.n, size.d, size.q, text, labelled, 3);
        const Samples samples(problem.X);
        const RowMatrix in = Rng(4, "in").normal_matrix(size.n, 3);
        const Matrix E = Rng(5, "directions").normal_matrix(size.d, 2 * size.q);
        const std::vector<Index> rows = Rng(6, "rows").sample(size.n, 1500);
        const auto answers = [&](Backend& place, Precision precision) {
          const auto pass = place.pair_pass(samples, problem.gamma);
          pass->force_route(RouteChoice::tiled);
          pass->set_accuracy({precision, 0});
          const PairSums sums = pass->sums(problem.W, problem.kernel, {});
          const PairGradient gradient = pass->gradient(problem.W, problem.kernel, {});
          const DistanceQuantile median = place.distance_quantile(samples, rows, 0.5, {});
          return std::vector<Matrix>{
              sums.phi.dense(),
              Matrix::Constant(1, 1, sums.objective),
              gradient.phi_W,
              Matrix::Constant(1, 1, pass->objective(problem.W, problem.kernel, {})),
              pass->curvature_product(problem.W, problem.kernel, E, {}),
              Matrix::Constant(1, 1, pass->curvature_bound(problem.W, problem.kernel, {})),
              pass->kernel_product(problem.W, problem.kernel, in, {}),
              place.cross_kernel_product({samples, problem.kernel}, {samples, problem.kernel}, in, {}),
              Matrix::Constant(1, 1, median.value),
              Matrix::Constant(1, 1, median.positive)};
        };
        const std::vector<Matrix> here = answers(cpu_backend(), Precision::full),
                                  there = answers(backend, Precision::full), again = answers(backend, Precision::full),
                                  mixed = answers(backend, Precision::mixed);
        for (std::size_t k = 0; k < here.size(); ++k) {
          CAPTURE(k);
          CHECK((here[k] - there[k]).norm() <= 1e-11 * here[k].norm());
          CHECK(there[k] == again[k]);
        }
        CHECK((here[0] - mixed[0]).norm() <= 1e-3 * here[0].norm());
      }
}
