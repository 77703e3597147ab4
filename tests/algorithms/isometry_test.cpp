// SPDX-License-Identifier: MIT
#include "ritz/algorithms/isometry.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "algorithms/isometry/parts.hpp"
#include "ritz/base/random.hpp"
#include "ritz/data/io.hpp"
#include "ritz/data/synthetic.hpp"
#include "support/data_folder.hpp"
#include "support/drawn_cloud.hpp"
#include "support/errors.hpp"

using namespace ritz;
using namespace ritz::test;
using isometry::WorkingSet;

namespace {

std::vector<isometry::WeightedPair> some_weights(std::vector<isometry::WeightedPair> pairs) {
  for (std::size_t k = 0; k < pairs.size(); ++k) pairs[k].weight = 0.5 + double(k % 4);
  return pairs;
}

isometry::Result solved(const RowMatrix& X, double distortion, isometry::Method method = isometry::Method::automatic,
                        Index rank = 0, int threads = 1) {
  isometry::Options options;
  options.distortion = distortion;
  options.method = method;
  options.rank = rank;
  RunContext context;
  context.threads = threads;
  return isometry::solve({X}, options, context);
}

}  // namespace

TEST_CASE("the_same_bits_for_any_number_of_threads") {
  const RowMatrix X = cloud(600, 10, 3);
  const isometry::Result one = solved(X, 0.3, isometry::Method::automatic, 0, 1);
  const isometry::Result three = solved(X, 0.3, isometry::Method::automatic, 0, 3);

  CHECK(one.psi == three.psi);
  CHECK(one.distortion == three.distortion);
  CHECK(one.sweep.histogram == three.sweep.histogram);
}

TEST_CASE("sums_over_a_working_set_are_adjoint_to_its_measurements") {
  RunContext context;
  const RowMatrix X = cloud(15, 6, 2);
  WorkingSet set(X);
  set.add(some_weights(all_pairs(15)));
  Rng draw(1, "adjoint");
  const Matrix psi = draw.normal_matrix(4, 6), P = psi.transpose() * psi;
  const Vector y = draw.normal_matrix(set.size(), 1);

  const Vector image = set.measured(psi, context);
  const Matrix sum = set.adjoint(y, context);

  CHECK(image.dot(y) == doctest::Approx(P.cwiseProduct(sum).sum()).epsilon(1e-11));
  CHECK((set.measured_by(P, context) - image).norm() <= 1e-11 * image.norm());
  CHECK((set.adjoint_times(y, psi.transpose(), context) - sum * psi.transpose()).norm() <= 1e-11 * sum.norm());
  for (Index i = 0; i < set.size(); ++i) {
    const auto pair = set.pair(i);
    CHECK(image(i) == doctest::Approx(pair.weight * ratio(X, psi, pair.a, pair.b)).epsilon(1e-11));
  }
}

TEST_CASE("a_pair_that_is_known_is_not_added_again") {
  const RowMatrix X = cloud(6, 3, 2);
  WorkingSet set(X);
  CHECK(set.add({{0, 1, 1.0}, {1, 2, 1.0}}) == 2);
  CHECK(set.add({{1, 0, 1.0}, {2, 3, 1.0}, {3, 2, 1.0}}) == 1);
  CHECK(set.size() == 3);
  set.keep({0, 1, 1});
  CHECK(set.size() == 2);
  CHECK(set.add({{0, 1, 1.0}}) == 1);
}

TEST_CASE("the_gradient_of_the_hinge_is_that_of_finite_differences") {
  RunContext context;
  const RowMatrix X = cloud(20, 5, 9);
  WorkingSet set(X);
  set.add(some_weights(all_pairs(20)));
  const Matrix psi = Rng(4, "hinge").normal_matrix(3, 5) * 0.6;
  const isometry::HingeValue at = isometry::hinge(set, psi, 0.2, context);
  REQUIRE(at.value > 0);

  for (Index k = 0; k < psi.size(); ++k) {
    const double step = 1e-6;
    Matrix there = psi, here = psi;
    there(k) += step;
    here(k) -= step;
    const double slope =
        (isometry::hinge(set, there, 0.2, context).value - isometry::hinge(set, here, 0.2, context).value) / (2 * step);
    CHECK(at.gradient(k) == doctest::Approx(slope).epsilon(1e-5));
  }
}

TEST_CASE("one_more_row_in_the_growth_direction_lowers_the_hinge") {
  RunContext context;
  const RowMatrix X = cloud(30, 8, 9);
  WorkingSet set(X);
  set.add(all_pairs(30));
  const Matrix psi = isometry::principal_measurements(X, 2, context);
  const Vector row = isometry::growth_direction(set, psi, 0.2, context);
  REQUIRE(row.size() == 8);

  Matrix grown(3, 8);
  grown << psi, row.transpose();

  CHECK(isometry::hinge(set, grown, 0.2, context).value < isometry::hinge(set, psi, 0.2, context).value);
}

TEST_CASE("the_linear_step_is_solved_in_every_form") {
  RunContext context;
  Rng draw(3, "system");
  // Few pairs; many pairs of few columns; many of many columns, without a factorisation.
  for (const auto& [n, d] : {std::pair<Index, Index>{6, 10}, {40, 5}, {80, 75}}) {
    const RowMatrix X = cloud(n, d, 11);
    WorkingSet set(X);
    set.add(some_weights(all_pairs(n)));
    const Matrix root = draw.normal_matrix(d, d), R = root + root.transpose();

    const Matrix L = isometry::SecantSystem(set, 0.3, context).solve(R, Matrix(), context);

    const Matrix back = L + 0.3 * set.adjoint(set.measured_by(L, context), context);
    CHECK((back - R).norm() <= 1e-7 * R.norm());
  }
}

TEST_CASE("every_method_keeps_every_pair") {
  const RowMatrix X = cloud(40, 9, 6);
  for (const isometry::Method method :
       {isometry::Method::automatic, isometry::Method::numax, isometry::Method::fromax, isometry::Method::nile}) {
    const isometry::Result result = solved(X, 0.3, method);

    const Extremes truth = measured(X, result.psi);
    CAPTURE(int(method));
    CHECK(truth.distortion <= 0.3 * (1 + 1e-9));
    CHECK(result.distortion == doctest::Approx(truth.distortion).epsilon(1e-12));
    CHECK(result.psi.rows() < 9);
    CHECK(result.summary.converged());
  }
}

TEST_CASE("the_trace_bound_lies_below_the_trace_of_every_feasible_matrix") {
  const RowMatrix X = cloud(40, 9, 6);
  const isometry::Result convex = solved(X, 0.3, isometry::Method::numax), found = solved(X, 0.3);

  CHECK(convex.trace_bound <= convex.trace);
  CHECK(convex.trace_bound >= 0.995 * convex.trace);
  CHECK(found.trace_bound <= convex.trace * (1 + 1e-9));
  CHECK(found.trace >= convex.trace_bound);
  CHECK(found.psi.rows() <= convex.psi.rows());
  CHECK(found.rank_bound <= found.psi.rows());
}

TEST_CASE("any_dual_values_bound_the_trace") {
  RunContext context;
  const RowMatrix X = cloud(25, 6, 8);
  WorkingSet set(X);
  set.add(some_weights(all_pairs(25)));
  const double trace = 6;  // of the identity, which keeps every distance
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Vector y = Rng(seed, "dual").normal_matrix(set.size(), 1).cwiseAbs();
    CHECK(isometry::trace_bound(set, y, 0.2, context) <= trace);
  }
  CHECK(isometry::trace_bound(set, Vector::Ones(set.size()), 0.2, context) > 0);
}

TEST_CASE("trace_optima_and_ranks_of_the_squares_are_those_of_the_reference") {
  const auto path = test::data_file("isometry/squares_7x7_60_f64.npy");
  if (!path) return;
  const RowMatrix X = read_matrix(*path, {});
  isometry::Options options;
  options.distortion = 0.4;
  options.method = isometry::Method::numax;
  options.tolerance = 3e-4;
  RunContext context;
  const isometry::Result convex = isometry::solve({X}, options, context);
  // Independent code, and the original MATLAB program: 6.1056 ± 2e-4, rank 5.
  CHECK(convex.trace_bound <= 6.1058);
  CHECK(convex.trace >= 6.1054);
  CHECK(convex.trace == doctest::Approx(6.1056).epsilon(1e-3));
  CHECK(convex.psi.rows() == 5);

  const isometry::Result found = solved(X, 0.4);
  CHECK(found.psi.rows() <= 4);
  CHECK(measured(X, found.psi).distortion <= 0.4 * (1 + 1e-9));
}

TEST_CASE("what_a_rank_leaves_free_is_spent_on_a_small_trace") {
  // The optima of the relaxation by independent code, ± 2e-4; rank 15 is far above the smallest.
  const auto path = test::data_file("isometry/squares_7x7_60_f64.npy");
  if (!path) return;
  const RowMatrix X = read_matrix(*path, {});
  for (const auto& [delta, optimum] : {std::pair{0.4, 6.1056}, std::pair{0.25, 7.7573}, std::pair{0.1, 10.4204}}) {
    const isometry::Result found = solved(X, delta, isometry::Method::automatic, 15);
    CHECK(measured(X, found.psi).distortion <= delta * (1 + 1e-9));
    CHECK(found.trace >= optimum - 3e-4);
    CHECK(found.trace <= 1.1 * optimum);
  }
}

TEST_CASE("a_rank_that_is_too_small_gives_the_least_distortion_found") {
  const RowMatrix X = cloud(30, 8, 4);
  const isometry::Result small = solved(X, 0.1, isometry::Method::automatic, 2);

  CHECK(small.psi.rows() == 2);
  CHECK(!small.reached(0.1));
  CHECK(small.distortion == doctest::Approx(measured(X, small.psi).distortion).epsilon(1e-11));
  // No worse than principal components at their best scale.
  RunContext context;
  const Matrix pca = isometry::principal_measurements(X, 2, context);
  const Extremes of_pca = measured(X, pca);
  CHECK(small.distortion <= (of_pca.highest - of_pca.lowest) / (of_pca.highest + of_pca.lowest) * (1 + 1e-6));
}

TEST_CASE("only_the_given_pairs_matter_and_heavy_ones_more") {
  const RowMatrix X = cloud(30, 10, 4);
  std::vector<isometry::WeightedPair> pairs;
  for (Index i = 0; i + 1 < 30; ++i) pairs.push_back({i, i + 1, i % 2 == 0 ? 4.0 : 1.0});
  isometry::Options options;
  options.distortion = 0.4;
  RunContext context;

  const isometry::Result result = isometry::solve({X, pairs}, options, context);

  for (const auto& pair : pairs)
    CHECK(pair.weight * std::abs(ratio(X, result.psi, pair.a, pair.b) - 1) <= 0.4 * (1 + 1e-9));
  CHECK(result.sweep.pairs == 29);
  CHECK(result.psi.rows() < solved(X, 0.4).psi.rows());
}

TEST_CASE("wide_data_are_searched_in_their_span") {
  // 12 points of 300 columns: eleven directions hold everything.
  const RowMatrix X = Rng(2, "wide").normal_matrix(12, 300);
  const isometry::Result result = solved(X, 0.2);

  CHECK(result.psi.cols() == 300);
  CHECK(result.psi.rows() <= 11);
  CHECK(measured(X, result.psi).distortion <= 0.2 * (1 + 1e-9));
}

TEST_CASE("data_on_a_line_need_one_measurement") {
  RowMatrix X(6, 4);
  for (Index i = 0; i < 6; ++i) X.row(i) = double(i * i) * Eigen::RowVector4d(1, -2, 0.5, 3);
  const isometry::Result result = solved(X, 0.1);

  CHECK(result.psi.rows() == 1);
  CHECK(measured(X, result.psi).distortion <= 0.1 * (1 + 1e-9));
}

TEST_CASE("where_every_coordinate_is_needed_they_are_the_measurements") {
  const RowMatrix X = cloud(40, 3, 5);
  const isometry::Result all = solved(X, 1e-9);

  CHECK(all.psi == Matrix::Identity(3, 3));
  CHECK(all.distortion == 0);
  CHECK(all.sweep.pairs == 40 * 39 / 2);
}

TEST_CASE("a_cancelled_search_keeps_what_it_has") {
  const RowMatrix X = cloud(300, 20, 6);
  isometry::Options options;
  options.distortion = 0.2;
  RunContext context;
  int calls = 0;
  context.observer = [&](const Progress&) { return ++calls > 8 ? Next::stop : Next::go_on; };

  const isometry::Result result = isometry::solve({X}, options, context);

  CHECK((result.summary.termination == Termination::interrupted ||
         result.summary.termination == Termination::stopped_by_observer));
  CHECK(measured(X, result.psi).distortion <= 0.2 * (1 + 1e-9));
}

TEST_CASE("the_trace_has_a_row_a_trial_and_ends_with_the_result") {
  const isometry::Result result = solved(cloud(60, 12, 3), 0.2);

  const Trace& trace = result.summary.trace;
  REQUIRE(trace.rows() == result.trials.size() + 1);
  for (std::size_t k = 0; k < result.trials.size(); ++k) {
    CHECK(trace.at(k, 1) == double(result.trials[k].rank));
    CHECK(trace.at(k, 2) == result.trials[k].distortion);
    CHECK(trace.at(k, 4) == double(result.trials[k].reached));
  }
  CHECK(trace.at(trace.rows() - 1, 1) == double(result.psi.rows()));
  CHECK(result.summary.converged());
}

TEST_CASE("what_has_no_answer_is_said") {
  const RowMatrix X = cloud(5, 3, 1);
  for (const double distortion : {0.0, 1.0, -0.5, 2.0, double(kUnknown)})
    CHECK(test::complaint([&] { solved(X, distortion); }).code == ErrorCode::bad_option);
  CHECK(test::complaint([&] { solved(RowMatrix::Ones(4, 3), 0.2); }).code == ErrorCode::bad_data);
  CHECK(test::complaint([&] { solved(X.topRows(1), 0.2); }).code == ErrorCode::bad_data);
  CHECK(test::complaint([&] { solved(X, 0.2, isometry::Method::numax, 2); }).code == ErrorCode::bad_option);
}
