// SPDX-License-Identifier: MIT
#include "ritz/algorithms/center.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "algorithms/center/parts.hpp"
#include "data/subspace_models.hpp"
#include "linalg/grassmann.hpp"
#include "linalg/subspace.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/random.hpp"
#include "ritz/data/io.hpp"
#include "support/data_folder.hpp"

using namespace ritz;
using namespace ritz::center;

namespace {

Matrix random_basis(Index n, Index p, Rng& rng) { return orthonormalise(rng.normal_matrix(n, p)).basis; }

std::vector<Matrix> random_bases(Index n, Index count, Rng& rng) {
  std::vector<Matrix> bases;
  for (Index i = 0; i < count; ++i) bases.push_back(random_basis(n, 1 + rng.below(n), rng));
  return bases;
}

std::vector<Matrix> example() {  // (5.5)
  const double a = std::sqrt(2.0 / 3), b = std::sqrt(1.0 / 6), c = std::sqrt(7.0 / 8), d = std::sqrt(1.0 / 8);
  Matrix X1(5, 2), X2(5, 2), X3(5, 1);
  X1 << a, 0, b, 0, b, 0, 0, c, 0, d;
  X2 << b, 0, a, 0, b, 0, 0, d, 0, c;
  X3 << b, b, a, 0, 0;
  return {X1, X2, X3};
}

Vector random_weights(Index count, Rng& rng) {
  Vector weights(count);
  for (double& each : weights) each = 0.05 + rng.uniform();
  return weights / weights.sum();
}

// d(λ) from its definition, by Eigen.
double plain_dual(const std::vector<Matrix>& bases, const Vector& weights, Index k) {
  Matrix S = Matrix::Zero(bases[0].rows(), bases[0].rows());
  double capped = 0;
  for (std::size_t i = 0; i < bases.size(); ++i) {
    S += weights(Index(i)) * bases[i] * bases[i].transpose();
    capped += weights(Index(i)) * double(std::min(k, bases[i].cols()));
  }
  return capped - Eigen::SelfAdjointEigenSolver<Matrix>(S).eigenvalues().tail(k).sum();
}

Result solved(const std::vector<Matrix>& bases, Index k, Options options = {}) {
  RunContext context;
  return solve(make_collection(bases), k, options, {}, context);
}

std::optional<std::vector<Matrix>> stored_case(const std::string& name) {
  const auto bases = test::data_file("subspaces/" + name + "_bases_f64.npy"),
             dims = test::data_file("subspaces/" + name + "_dims_i32.npy");
  if (!bases || !dims) return std::nullopt;
  const RowMatrix B = read_matrix(*bases, {}), d = read_matrix(*dims, {});
  std::vector<Matrix> out;
  Index column = 0;
  for (Index i = 0; i < d.size(); ++i) {
    out.push_back(B.middleCols(column, Index(d.data()[i])));
    column += Index(d.data()[i]);
  }
  return out;
}

}  // namespace

TEST_CASE("the example of section 5.1 has the radii 1/9 and (14 - 3 sqrt 7)/24, and order 1") {
  RunContext context;

  const Orders orders = select_order(make_collection(example()), {}, {}, context);

  REQUIRE(orders.fits.size() == 2);
  CHECK(std::abs(orders.fits[0].objective - 1.0 / 9) < 1e-10);
  CHECK(std::abs(orders.fits[1].objective - (14 - 3 * std::sqrt(7.0)) / 24) < 1e-10);
  CHECK(orders.fits[0].gap < 1e-10);
  CHECK(orders.fits[1].gap < 1e-10);
  CHECK((orders.fits[0].weights - Vector::Constant(3, 1.0 / 3)).norm() < 1e-6);
  CHECK((orders.fits[1].weights - Vector{{0.5, 0.5, 0}}).norm() < 1e-6);
  CHECK(orders.proposed == 1);
  CHECK(orders.of[1].proposed == doctest::Approx(2.0 / 9));
  CHECK(orders.of[2].proposed == doctest::Approx((14 - 3 * std::sqrt(7.0)) / 24));
  // Erratum: the printed weights of k = 1, 1/√3 each, do not lie on the simplex.
  CHECK(std::abs(orders.fits[0].weights.sum() - 1) < 1e-14);
  const Matrix U = orders.fits[1].U;
  Matrix printed = Matrix::Zero(5, 2);
  printed.col(0) << 3, 3, 2, 0, 0;
  printed.col(1) << 0, 0, 0, 1, 1;
  CHECK(projector_distance(U, orthonormalise(printed).basis) < 1e-5);
}

TEST_CASE("no dual value is above a primal value") {
  CHECK(rc::check("weak duality", [] {
    Rng rng(std::uint64_t(*rc::gen::inRange(0, 100000)), "weak");
    const Index n = 2 + rng.below(6), k = 1 + rng.below(n);
    const std::vector<Matrix> bases = random_bases(n, 1 + rng.below(6), rng);
    const Collection all = make_collection(bases);
    const Vector weights = random_weights(all.size(), rng);
    const Matrix U = random_basis(n, k, rng);

    const double below = dual(all, weights, k, {}).value, above = distances(all, U, {}).maxCoeff();

    RC_ASSERT(below <= above + 1e-12);
    RC_ASSERT(std::abs(below - plain_dual(bases, weights, k)) < 1e-11);
    for (Index i = 0; i < all.size(); ++i) {
      const double defined =
          double(std::min(k, all.dimension(i))) - (U.transpose() * bases[std::size_t(i)]).squaredNorm();
      RC_ASSERT(std::abs(distances(all, U, {})(i) - std::max(0.0, defined)) < 1e-12);
    }
  }));
}

TEST_CASE("the distances from the leading eigenvectors are a supergradient of the dual") {
  Rng rng(5, "super");
  const std::vector<Matrix> bases = random_bases(6, 5, rng);
  const Collection all = make_collection(bases);
  for (const Index k : {1, 2, 4}) {
    const Vector weights = random_weights(5, rng);
    const Dual here = dual(all, weights, k, {});
    const Vector g = distances(all, here.U, {});
    for (int trial = 0; trial < 20; ++trial) {
      const Vector there = random_weights(5, rng);
      CHECK(plain_dual(bases, there, k) <= here.value + g.dot(there - weights) + 1e-12);
    }
    // Where the k-th eigenvalue stands alone it is the gradient.
    constexpr double h = 1e-6;
    const Vector move = random_weights(5, rng) - weights;
    const double slope =
        (plain_dual(bases, weights + h * move, k) - plain_dual(bases, weights - h * move, k)) / (2 * h);
    CHECK(std::abs(slope - g.dot(move)) < 1e-6);
  }
}

TEST_CASE("gradient and curvature of the smoothed dual are those of finite differences") {
  Rng rng(6, "smooth");
  const std::vector<Matrix> bases = random_bases(6, 5, rng);
  const Collection all = make_collection(bases);
  for (const double mu : {0.5, 0.05, 0.003})
    for (const Index k : {1, 3}) {
      CAPTURE(mu);
      CAPTURE(k);
      const Vector weights = random_weights(5, rng);
      const DualPoint here = dual_point(all, weights, k, mu, {}, {});
      const Matrix curvature = dual_curvature(all, here, mu, {});
      CHECK(here.smooth >= dual(all, weights, k, {}).value - 1e-12);
      CHECK(here.smooth <= dual(all, weights, k, {}).value + mu * double(k) / 2 + 1e-12);
      constexpr double h = 1e-6;
      for (Index j = 0; j < 5; ++j) {
        Vector up = weights, down = weights;
        up(j) += h;
        down(j) -= h;
        const DualPoint above = dual_point(all, up, k, mu, {}, {}), below = dual_point(all, down, k, mu, {}, {});
        CHECK(std::abs((above.smooth - below.smooth) / (2 * h) - here.gradient(j)) < 1e-7);
        CHECK(((above.gradient - below.gradient) / (2 * h) + curvature.col(j)).cwiseAbs().maxCoeff() <
              1e-5 * (1 + curvature.cwiseAbs().maxCoeff()));
      }
    }
}

TEST_CASE("identical subspaces have radius zero") {
  Rng rng(7, "same");
  const Matrix X = random_basis(7, 3, rng);
  const std::vector<Matrix> bases = {X, X * random_basis(3, 3, rng), -X, X};
  for (const Index k : {1, 2, 3, 5, 7}) {
    CAPTURE(k);
    const Result result = solved(bases, k);
    CHECK(result.objective < 1e-12);
    CHECK(result.summary.converged());
    CHECK(orthonormality_error(result.U) < 1e-12);
    CHECK(result.U.cols() == k);
  }
}

TEST_CASE("one subspace is its own centre") {
  Rng rng(8, "one");
  const Result result = solved({random_basis(6, 2, rng)}, 2);
  CHECK(result.objective < 1e-13);
  CHECK(result.weights(0) == 1);
}

TEST_CASE("M orthogonal lines are at 1 - 1/M from their centre") {
  for (const Index lines : {2, 3, 5, 9}) {
    CAPTURE(lines);
    std::vector<Matrix> bases;
    for (Index i = 0; i < lines; ++i) bases.push_back(Matrix::Identity(lines + 2, lines + 2).col(i));

    const Result result = solved(bases, 1);

    CHECK(std::abs(result.objective - (1 - 1.0 / double(lines))) < 1e-9);
    CHECK(result.gap < 1e-9);
  }
}

// At 1 radian from the axis, beyond 54.7°, the dual's mixture lies across the axis, where all distances are nearly 1:
// from there no step of the primal leads to the axis.
TEST_CASE("lines on a wide cone have its axis as their centre, though the best weights draw across it") {
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    CAPTURE(seed);
    Rng rng(seed, "cone");
    ArcModel cone;
    cone.n = 3, cone.k = cone.largest = 1, cone.inside = 0;
    cone.squared_radius = std::sin(1.0) * std::sin(1.0);
    const DrawnSubspaces drawn = draw_arc(cone, rng);
    RunContext context;

    const Result ball = solved(drawn.bases, 1);
    const Result karcher =
        solve_average(make_collection(drawn.bases), 1, Method::karcher, {.tolerance = 1e-16}, context);

    CHECK(std::abs(ball.objective - cone.squared_radius) < 1e-9);
    CHECK(projector_distance(ball.U, drawn.center) < 1e-6);
    CHECK(karcher.summary.converged());
    CHECK(karcher.objective <= 1 + 1e-12);  // at the axis all angles are 1
  }
}

TEST_CASE("the radius does not change with the space or the bases being turned") {
  CHECK(rc::check("invariance", [] {
    Rng rng(std::uint64_t(*rc::gen::inRange(0, 100000)), "turn");
    const Index n = 3 + rng.below(4), k = 1 + rng.below(3);
    // Subspaces around a common one: strong duality, so that the centre is unique enough to compare.
    const Matrix common = random_basis(n, k, rng);
    std::vector<Matrix> bases, turned;
    const Matrix turn = random_basis(n, n, rng);
    for (int i = 0; i < 5; ++i) {
      const Matrix X = orthonormalise(common + 0.2 * rng.normal_matrix(n, k)).basis;
      bases.push_back(X);
      turned.push_back(turn * X * random_basis(k, k, rng));
    }

    const Result plain = solved(bases, k), other = solved(turned, k);

    RC_ASSERT(std::abs(plain.dual - other.dual) < 1e-8);
    if (plain.gap < 1e-9) {
      RC_ASSERT(std::abs(plain.objective - other.objective) < 1e-8);
    }
  }));
}

TEST_CASE("the stored cases have the certified optimum, and a primal value no worse than the best known") {
  const auto path = test::data_file("subspaces/expected.json");
  if (!path) return;
  const nlohmann::json expected = nlohmann::json::parse(std::ifstream(*path));
  for (const auto& [name, facts] : expected.items()) {
    const auto bases = stored_case(name);
    if (!bases) return;
    for (const auto& [k, values] : facts.at("k").items()) {
      CAPTURE(name);
      CAPTURE(k);
      const Result result = solved(*bases, std::stoi(k));
      CHECK(result.summary.converged());
      CHECK(result.dual >= values.at("dual_lower").get<double>() - 1e-8);
      CHECK(result.dual <= values.at("dual_upper").get<double>() + 1e-8);
      CHECK(result.dual_bound - result.dual < 1e-8);
      CHECK(result.objective <= values.at("best_primal").get<double>() + 1e-6);
      CHECK(result.objective >= result.dual - 1e-10);
      CHECK(std::abs(distances(make_collection(*bases), result.U, {}).maxCoeff() - result.objective) < 1e-12);
      CHECK(std::abs(plain_dual(*bases, result.weights, std::stoi(k)) - result.dual) < 1e-10);
    }
  }
}

TEST_CASE("a working set gives the same optimum as all subspaces at once, certified on all") {
  Rng rng(9, "many");
  const DrawnSubspaces drawn = draw_arc({.n = 12, .anywhere = 150, .on_arc = 150, .inside = 100, .largest = 5}, rng);

  const Result result = solved(drawn.bases, 3);

  CHECK(result.gap < 1e-9);
  CHECK(result.working < 400);
  CHECK(std::abs(plain_dual(drawn.bases, result.weights, 3) - result.dual) < 1e-10);
  CHECK(std::abs(result.objective - 1) < 1e-6);
  CHECK(principal_angles(result.U, drawn.center).array().sin().matrix().norm() < 1e-4);
}

TEST_CASE("a space of many dimensions is worked on in the span of few subspaces") {
  Rng rng(10, "tall");
  const Index n = 3000;
  const Matrix common = random_basis(n, 2, rng);
  std::vector<Matrix> bases;
  for (int i = 0; i < 12; ++i) {
    Matrix X(n, 3);
    X << common + rng.normal_matrix(n, 2) * (0.3 / std::sqrt(double(n))), rng.normal_matrix(n, 1);
    bases.push_back(orthonormalise(X).basis);
  }

  const Result result = solved(bases, 2);

  CHECK(result.gap < 1e-9);
  CHECK(orthonormality_error(result.U) < 1e-12);
  CHECK(principal_angles(result.U, common).array().sin().matrix().norm() < 0.3);
}

TEST_CASE("the baselines bound the same optimum, and never beat it") {
  const auto bases = example();
  for (const Solver solver : {Solver::subgradient, Solver::subgradient_printed, Solver::renard}) {
    CAPTURE(int(solver));
    Options options;
    options.solver = solver;
    options.max_iterations = 300;

    const Result result = solved(bases, 1, options);

    CHECK(result.dual <= 1.0 / 9 + 1e-12);
    CHECK(result.objective >= 1.0 / 9 - 1e-12);
    CHECK(result.objective < 0.12);
    CHECK(result.gap == doctest::Approx(result.objective - result.dual));
  }
}

TEST_CASE("warm weights lead to the same optimum") {
  Rng rng(11, "warm");
  const DrawnSubspaces drawn = draw_nested_ball({}, rng);
  const Collection all = make_collection(drawn.bases);
  RunContext context;
  const Result two = solve(all, 2, {}, {}, context), cold = solve(all, 3, {}, {}, context);

  const Result warm = solve(all, 3, {}, two.weights, context);

  CHECK(std::abs(warm.objective - cold.objective) < 1e-9);
  CHECK(warm.gap < 1e-9);
}

TEST_CASE("the result has the same bits for any number of threads") {
  Rng rng(12, "threads");
  // Large enough that all threads are used.
  const Collection all =
      make_collection(draw_arc({.n = 60, .anywhere = 500, .on_arc = 400, .inside = 100, .largest = 5}, rng).bases);
  REQUIRE(all.vectors.size() > 200'000);
  RunContext one, three;
  one.threads = 1;
  three.threads = 3;

  Options some;
  some.max_iterations = 4;
  const Result a = solve(all, 2, some, {}, one), b = solve(all, 2, some, {}, three);

  CHECK(a.objective == b.objective);
  CHECK(a.dual == b.dual);
  CHECK((a.U.array() == b.U.array()).all());
  CHECK((a.weights.array() == b.weights.array()).all());
}

TEST_CASE("an interrupted run keeps its best centre") {
  Rng rng(13, "stop");
  const Collection all = make_collection(draw_arc({}, rng).bases);
  RunContext context;
  context.observer = [](const Progress& progress) { return progress.iteration < 2 ? Next::go_on : Next::stop; };

  const Result result = solve(all, 3, {}, {}, context);

  CHECK(result.summary.termination == Termination::stopped_by_observer);
  CHECK(orthonormality_error(result.U) < 1e-12);
  CHECK(result.objective >= result.dual);
  CHECK(std::abs(distances(all, result.U, {}).maxCoeff() - result.objective) < 1e-12);
}

TEST_CASE("orders of the nested ball and of unrelated subspaces are found by the hybrid rule") {
  Rng rng(14, "orders");
  RunContext context;
  Options quick;
  quick.tolerance = 1e-6;
  quick.starts = 0;
  NestedBall ball;
  ball.n = 40, ball.outer = ball.inner = 10, ball.k = 5, ball.inner_k = 8, ball.inner_squared_radius = 0.25;
  ball.inner_place = 0.25, ball.largest = 10, ball.noise = noise_of_snr(9, 5);

  const Orders common = select_order(make_collection(draw_nested_ball(ball, rng).bases), {}, quick, context);
  const Orders none = select_order(make_collection(draw_unrelated(30, 40, 3, 5, rng).bases), {}, quick, context);

  CHECK(common.hybrid == 5);
  CHECK(none.hybrid == 0);
  CHECK(none.santamaria == 0);
  CHECK(none.proposed == 0);
}

TEST_CASE("orders of subspaces of one dimension end where their cost has risen, with the same order") {
  RunContext context;
  Options quick;
  quick.tolerance = 1e-4;
  OrderOptions until;
  until.until_risen = true;
  for (const Index common : {0, 2, 5}) {
    Rng rng(std::uint64_t(common), "until_risen");
    const Index n = 40, p = 8;
    const Matrix shared = rng.normal_matrix(n, common);
    std::vector<Matrix> bases;
    for (int i = 0; i < 12; ++i) {
      Matrix all(n, p);
      all << shared + 0.05 * rng.normal_matrix(n, common), rng.normal_matrix(n, p - common);
      bases.push_back(orthonormalise(all).basis);
    }
    const Collection collection = make_collection(bases);

    const Orders all = select_order(collection, {}, quick, context);
    const Orders some = select_order(collection, until, quick, context);

    CHECK(all.hybrid == common);
    CHECK(some.hybrid == common);
    CHECK(some.santamaria == all.santamaria);
    CHECK(some.risen);
    CHECK(Index(some.fits.size()) <= common + 2);
    for (std::size_t k = 1; k + 1 < all.of.size(); ++k)  // convex, up to the gaps
      CHECK(all.of[k - 1].hybrid + all.of[k + 1].hybrid >= 2 * all.of[k].hybrid - 1e-3);
  }
}

TEST_CASE("the costs of the orders are what their definitions say") {
  Rng rng(15, "costs");
  const std::vector<Matrix> bases = random_bases(6, 5, rng);
  const Collection all = make_collection(bases);
  RunContext context;

  const Orders orders = select_order(all, {}, {}, context);

  Matrix average = Matrix::Zero(6, 6);
  for (const Matrix& X : bases) average += X * X.transpose() / 5;
  const Vector e = Eigen::SelfAdjointEigenSolver<Matrix>(average).eigenvalues().reverse();
  CHECK(orders.santamaria == (e.array() > 0.5).count());
  for (std::size_t k = 1; k < orders.of.size(); ++k) {
    const Order& order = orders.of[k];
    const Result& fit = orders.fits[k - 1];
    const Index room = 6 - Index(k);
    double least = 1;
    if (room > 0) {
      // A basis of the complement, and the distance from it by principal angles: the definition (5.3).
      const Matrix rest = orthonormalise_against(fit.U, Matrix::Identity(6, 6)).basis;
      for (const Matrix& X : bases) {
        const double p = double(std::min(room, X.cols()));
        least = std::min(least, 1 - principal_angles(rest, X).array().sin().square().sum() / p);
      }
    } else {
      least = 0;
    }
    CHECK(order.penalty_cost == doctest::Approx(least));
    CHECK(order.objective_cost == doctest::Approx(fit.objective / double(k)));
    CHECK(order.santamaria == doctest::Approx((1 - e.head(Index(k)).array()).sum() + e.tail(room).sum()));
  }
}

TEST_CASE("the elbow is where two lines meet") {
  Vector values(12);
  for (Index i = 0; i < 12; ++i) values(i) = i < 4 ? 10 - double(i) : 1 - 0.01 * double(i);
  CHECK(elbow(values) == 4);
  CHECK(elbow(Vector::Ones(3)) == 0);
  // As printed the corner is a point of both lines: after three equal values and a drop it is the first low one.
  values = Vector::Constant(40, 1.0);
  values.head(3).setConstant(10);
  CHECK(elbow(values) == 3);
  CHECK(elbow(values, Corner::of_both) == 4);
}

TEST_CASE("the Karcher mean of two subspaces is the middle of their geodesic") {
  Rng rng(21, "average");
  const Matrix A = random_basis(9, 3, rng), B = orthonormalise(A + 0.3 * rng.normal_matrix(9, 3)).basis;
  RunContext context;

  const Result mean = solve_average(make_collection({A, B}), 3, Method::karcher, {.tolerance = 1e-20}, context);

  CHECK(mean.summary.converged());
  CHECK(projector_distance(mean.U, geodesic(A, B).at(0.5)) < 1e-9);
}

TEST_CASE("at a mean, a median and a Karcher mean of mixed dimensions every direction leads upwards") {
  Rng rng(22, "average");
  const Matrix common = random_basis(10, 2, rng);
  std::vector<Matrix> bases;
  for (Index i = 0; i < 20; ++i)
    bases.push_back(
        orthonormalise(side_by_side(common + 0.2 * rng.normal_matrix(10, 2), rng.normal_matrix(10, i % 3))).basis);
  const Collection all = make_collection(bases);
  for (const Method method : {Method::mean, Method::median, Method::karcher}) {
    RunContext context;
    const Result found = solve_average(all, 2, method, {.tolerance = 1e-16}, context);
    CHECK(found.summary.converged());
    for (int t = 0; t < 20; ++t) {
      const Matrix near = orthonormalise(found.U + 1e-3 * rng.normal_matrix(10, 2)).basis;
      CHECK(average_at(all, near, method, context).objective > found.objective);
      // The direction is that of the steepest fall: the change along it has the slope that it says.
      const AverageAt at = average_at(all, near, method, context);
      const double step = 1e-6;
      const double moved = average_at(all, orthonormalise(near + step * at.direction).basis, method, context).objective;
      CHECK(moved < at.objective);
    }
  }
}

TEST_CASE("a subspace that does not belong is named") {
  Rng rng(16, "outlier");
  const Matrix common = random_basis(20, 3, rng);
  std::vector<Matrix> bases;
  for (int i = 0; i < 30; ++i) bases.push_back(orthonormalise(common + 0.05 * rng.normal_matrix(20, 3)).basis);
  const Collection clean = make_collection(bases);
  bases[7] = random_basis(20, 3, rng);

  const Outliers found = find_outliers(make_collection(bases), 3, {});

  REQUIRE(found.of.size() == 1);
  CHECK(found.of[0] == 7);
  CHECK(find_outliers(clean, 3, {}).of.empty());
}

TEST_CASE("what cannot be is refused in one sentence") {
  Rng rng(17, "bad");
  const auto message = [](const auto& work) -> std::string {
    try {
      work();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const Matrix line = random_basis(4, 1, rng);
  CHECK(message([&] {
          make_collection({line, random_basis(5, 1, rng)});
        }).find("all must lie in the same") != std::string::npos);
  CHECK(message([&] { make_collection({line, Matrix(4, 0)}); }).find("subspace 2 is empty") != std::string::npos);
  CHECK(message([&] { make_collection({}); }).find("no subspaces") != std::string::npos);
  CHECK(message([&] { solved({line}, 5); }).find("must lie in [1, 4]") != std::string::npos);
}
