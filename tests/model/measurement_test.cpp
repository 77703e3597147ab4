// SPDX-License-Identifier: MIT
#include "model/measurement.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "ritz/base/random.hpp"

using namespace ritz;

namespace {

using Terms = std::vector<std::vector<EntryTerm>>;

// Measurements of one to four entries in any order; entries repeat within a measurement and between them.
Terms random_terms(Index n, Index m, Rng& random) {
  Terms rows;
  for (Index k = 0; k < m; ++k) {
    rows.emplace_back();
    for (Index t = 0; t <= random.below(4); ++t)
      rows.back().push_back({random.below(n), random.below(n), random.normal()});
  }
  rows.push_back({{0, 0, 2.0}, {0, 0, -0.5}});         // a diagonal entry, twice
  rows.push_back({{0, n - 1, 1.0}, {n - 1, 0, 3.0}});  // one entry in both orders
  rows.push_back({});                                  // looks at nothing
  return rows;
}

Matrix random_kernel(Index n, Index r, Rng& random) {
  const Matrix F = random.normal_matrix(n, r);
  return F * F.transpose();
}

// The definition: Σ value·K_ij.
Vector by_definition(const Terms& rows, const Matrix& K) {
  Vector measured = Vector::Zero(Index(rows.size()));
  for (std::size_t k = 0; k < rows.size(); ++k)
    for (const EntryTerm& term : rows[k]) measured(Index(k)) += term.value * K(term.i, term.j);
  return measured;
}

Vector on_slots(const Measurements& measurements, const Matrix& K) {
  Vector values(measurements.slots());
  for (Index s = 0; s < values.size(); ++s) {
    const auto [i, j] = measurements.slot_list()[std::size_t(s)];
    values(s) = K(i, j);
  }
  return values;
}

// Σ y_k·M_k from what the adjoint adds to each slot.
Matrix adjoint_matrix(const Measurements& measurements, const Vector& y) {
  const Vector added = measurements.adjoint(y, {});
  Matrix M = Matrix::Zero(measurements.size(), measurements.size());
  for (Index s = 0; s < added.size(); ++s) {
    const auto [i, j] = measurements.slot_list()[std::size_t(s)];
    M(i, j) = M(j, i) = added(s);
  }
  return M;
}

}  // namespace

TEST_CASE("a measurement is the sum of its terms") {
  Rng random(1, "test.measurement");
  for (const Index n : {Index(1), Index(2), Index(9)}) {
    const Terms rows = random_terms(n, 20, random);
    const Measurements measurements(n, rows);
    const Matrix K = random_kernel(n, 3, random);

    const Vector measured = measurements.measure(on_slots(measurements, K), {});

    CHECK(measurements.size() == n);
    REQUIRE(measurements.count() == Index(rows.size()));
    CHECK((measured - by_definition(rows, K)).cwiseAbs().maxCoeff() <= 1e-12 * (1 + K.norm()));
  }
}

TEST_CASE("the adjoint is the adjoint") {
  Rng random(2, "test.measurement");
  for (int trial = 0; trial < 20; ++trial) {
    const Index n = 2 + random.below(8);
    const Measurements measurements(n, random_terms(n, 1 + random.below(20), random));
    const Matrix K = random_kernel(n, 2, random);
    const Vector y = random.normal_matrix(measurements.count(), 1);

    const double left = measurements.measure(on_slots(measurements, K), {}).dot(y);
    const double right = adjoint_matrix(measurements, y).cwiseProduct(K).sum();

    CHECK(std::abs(left - right) <= 1e-11 * (1 + K.norm() * y.norm()));
  }
}

TEST_CASE("a factor's entries on the slots are those of its kernel") {
  Rng random(3, "test.measurement");
  const Index n = 12;
  const Measurements measurements(n, random_terms(n, 40, random));
  for (const Index r : {Index(0), Index(1), Index(5)}) {
    CAPTURE(r);
    const RowMatrix F = random.normal_matrix(n, r), U = random.normal_matrix(n, r);
    const Matrix K = F * F.transpose(), both = U * F.transpose() + F * U.transpose();

    CHECK((measurements.slot_values(F, {}) - on_slots(measurements, K)).cwiseAbs().maxCoeff() <= 1e-12);
    CHECK((measurements.slot_values(U, F, {}) - on_slots(measurements, both)).cwiseAbs().maxCoeff() <= 1e-12);
  }
}

TEST_CASE("an entry that many measurements look at is one slot") {
  const Measurements measurements(5, {{{1, 2, 1.0}}, {{2, 1, 4.0}}, {{1, 2, -1.0}, {3, 3, 2.0}}, {{2, 1, 1.0}}});
  REQUIRE(measurements.slots() == 2);
  CHECK(measurements.slot_list()[0].i == 1);
  CHECK(measurements.slot_list()[0].j == 2);
  CHECK(measurements.slot_list()[1].i == 3);
  CHECK(measurements.slot_list()[1].j == 3);

  const Vector measured = measurements.measure(Vector{{10.0, 100.0}}, {});
  CHECK(measured == Vector{{10.0, 40.0, 190.0, 10.0}});
  // An entry off the diagonal is there twice in the symmetric matrix, one on it once.
  CHECK(measurements.adjoint(Vector{{1.0, 1.0, 1.0, 1.0}}, {}) == Vector{{2.5, 2.0}});
}

TEST_CASE("pairs measure their signed entry or their distance") {
  Rng random(4, "test.measurement");
  const Index n = 7;
  const std::vector<SignedPair> pairs = {{0, 3, 1}, {5, 2, -1}, {1, 6, 1}, {0, 1, -1}};
  const RowMatrix F = random.normal_matrix(n, 3);
  const Measurements entries = pair_entries(n, pairs), distances = pair_distances(n, pairs);

  const Vector entry = entries.measure(entries.slot_values(F, {}), {});
  const Vector distance = distances.measure(distances.slot_values(F, {}), {});

  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const auto& [i, j, sign] = pairs[k];
    CHECK(entry(Index(k)) == doctest::Approx(sign * F.row(i).dot(F.row(j))).epsilon(1e-12));
    CHECK(distance(Index(k)) == doctest::Approx((F.row(i) - F.row(j)).squaredNorm()).epsilon(1e-12));
  }
  CHECK(distances.slots() == 4 + 6);  // six points have a diagonal entry, each once
}

TEST_CASE("no measurement at all is an ordinary case") {
  const Measurements none(4, {});
  CHECK(none.count() == 0);
  CHECK(none.slots() == 0);
  CHECK(none.measure(Vector(0), {}).size() == 0);
  CHECK(none.adjoint(Vector(0), {}).size() == 0);
}

TEST_CASE("measurements have the same bits for any number of threads") {
  Rng random(5, "test.measurement");
  const Index n = 200;
  const Measurements measurements(n, random_terms(n, 9000, random));  // several tiles
  const RowMatrix F = random.normal_matrix(n, 4);
  const Vector y = random.normal_matrix(measurements.count(), 1);
  RunContext context;
  context.threads = 1;
  const Vector slots = measurements.slot_values(F, context), measured = measurements.measure(slots, context),
               added = measurements.adjoint(y, context);
  for (const int threads : {2, 7}) {
    context.threads = threads;
    CHECK(measurements.slot_values(F, context) == slots);
    CHECK(measurements.measure(slots, context) == measured);
    CHECK(measurements.adjoint(y, context) == added);
  }
}
