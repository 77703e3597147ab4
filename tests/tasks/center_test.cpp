// SPDX-License-Identifier: MIT
#include "ritz/tasks/center.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "data/subspace_models.hpp"
#include "linalg/subspace.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/random.hpp"

using namespace ritz;
using namespace ritz::center;

namespace {

Subspaces drawn() {
  Rng rng(1, "app/center");
  std::vector<NamedMatrix> matrices;
  for (const Matrix& basis : draw_nested_ball({.n = 8, .outer = 12, .inner = 5}, rng).bases)
    matrices.push_back({"s" + std::to_string(matrices.size()), 3.0 * basis * (Matrix::Identity(3, 3) * 2)});
  return subspaces_of(std::move(matrices), {}, {});
}

}  // namespace

TEST_CASE("bases of any scale become orthonormal, and dependent vectors are dropped with a note") {
  Rng rng(2, "app/center");
  const Matrix X = 5 * rng.normal_matrix(6, 2);
  Matrix more(6, 3);
  more << X, X.col(0) - X.col(1);

  const Subspaces found = subspaces_of({{"a", X}, {"b", more}}, {}, {});

  CHECK(found.all.dimension(1) == 2);
  CHECK(orthonormality_error(found.all.basis(0)) < 1e-13);
  CHECK(projector_distance(found.all.basis(0), found.all.basis(1)) < 1e-12);
  REQUIRE(found.notes.size() == 1);
  CHECK(found.notes[0].find("b: 1 of the 3 vectors") != std::string::npos);
}

TEST_CASE("the energy decides how many dimensions a data matrix gives") {
  const Matrix A = Vector{{3, 2, 1, 0.1}}.asDiagonal();  // energies 9, 4, 1, 0.01
  const auto dimension = [&](double energy) {
    return subspaces_of({{"a", A}}, {.energy = energy}, {}).all.dimension(0);
  };
  CHECK(dimension(0.5) == 1);
  CHECK(dimension(0.9) == 2);
  CHECK(dimension(0.99) == 3);
  CHECK(dimension(1) == 4);
}

TEST_CASE("a model holds, and a changed one does not") {
  const Subspaces subspaces = drawn();
  RunContext context;
  const CenterResult found = center::fit(subspaces, {.dim = {3}}, context);
  ModelFile model = to_model(found, subspaces, {.dim = {3}});

  const CenterCheck check = center::check(model, subspaces, context);

  CHECK(check.holds());
  CHECK(check.same_data);
  CHECK(found.fit.summary.converged());
  CHECK(std::abs(check.gap - found.fit.gap) < 1e-12);
  model.arrays["weights"](0, 0) += 0.01;
  CHECK(!center::check(model, subspaces, context).holds());
}

TEST_CASE("coordinates of samples are inner products with the centre") {
  const Subspaces subspaces = drawn();
  RunContext context;
  const CenterResult found = center::fit(subspaces, {.dim = {2}}, context);
  const ModelFile model = to_model(found, subspaces, {.dim = {2}});
  Dataset data;
  data.samples = RowMatrix(Rng(3, "x").normal_matrix(4, 8));

  CHECK((center::transform(model, data, {}) - data.dense() * found.fit.U).norm() < 1e-13);
  data.samples = RowMatrix(4, 7);
  CHECK_THROWS_AS(center::transform(model, data, {}), Error);
}

TEST_CASE("without a dimension the rule decides, and all orders are reported") {
  const Subspaces subspaces = drawn();
  RunContext context;

  const CenterResult found = center::fit(subspaces, {}, context);

  REQUIRE(found.orders);
  CHECK(found.orders->of.size() == 4);
  CHECK(found.order == found.orders->hybrid);
  CHECK(found.fit.k == found.order);
}
