// SPDX-License-Identifier: MIT
#include "ritz/data/synthetic.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "ritz/base/error.hpp"

using namespace ritz;

namespace {

bool is_subspace_collection(std::string_view set) { return set == "nested-ball" || set == "arc"; }

const RowMatrix& extra(const Generated& made, std::string_view name) {
  const auto found = std::ranges::find(made.extra, name, &NamedMatrix::name);
  REQUIRE(found != made.extra.end());
  return found->values;
}

const Labels& truth(const Generated& made, std::string_view name) {
  const auto found = std::ranges::find(made.labels, name, &NamedLabels::name);
  REQUIRE(found != made.labels.end());
  return found->labels;
}

Index count_of(const Labels& labels, int value) { return Index(std::ranges::count(labels.of, value)); }

// Mean and standard deviation of one column over the samples of one class.
std::pair<double, double> spread(const RowMatrix& X, Index column, const std::vector<int>& of, int value) {
  double sum = 0, squares = 0, n = 0;
  for (Index i = 0; i < X.rows(); ++i) {
    if (of[std::size_t(i)] != value) continue;
    sum += X(i, column);
    squares += X(i, column) * X(i, column);
    ++n;
  }
  return {sum / n, std::sqrt(squares / n - sum / n * sum / n)};
}

// Leave-one-out with the single nearest neighbour, by the plain double loop.
double nearest_neighbour_accuracy(const RowMatrix& X, const std::vector<int>& of) {
  Index right = 0;
  for (Index i = 0; i < X.rows(); ++i) {
    Index best = i == 0 ? 1 : 0;
    for (Index j = 0; j < X.rows(); ++j)
      if (j != i && (X.row(i) - X.row(j)).squaredNorm() < (X.row(i) - X.row(best)).squaredNorm()) best = j;
    right += of[std::size_t(i)] == of[std::size_t(best)];
  }
  return double(right) / double(X.rows());
}

RowMatrix standardised(const RowMatrix& X) {
  RowMatrix S = X.rowwise() - X.colwise().mean();
  for (Index j = 0; j < S.cols(); ++j) S.col(j) /= std::sqrt(S.col(j).squaredNorm() / double(S.rows()));
  return S;
}

std::string message_of(std::string_view set, const GenerateOptions& options) {
  try {
    ritz::generate(set, options, 0);
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::bad_option);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("every set repeats with its seed and changes with another") {
  for (const SyntheticSet& set : synthetic_sets()) {
    CAPTURE(set.name);
    const Generated first = ritz::generate(set.name, {}, 7);
    const Generated again = ritz::generate(set.name, {}, 7);
    const Generated other = ritz::generate(set.name, {}, 8);

    CHECK(first.data.dense() == again.data.dense());
    // Different dimensions are drawn for another seed of "arc", so the shapes may differ as well.
    CHECK((first.data.dense().size() != other.data.dense().size() || first.data.dense() != other.data.dense()));
    CHECK(first.data.dense().allFinite());
    CHECK(Index(first.data.feature_names.size()) == first.data.dense().cols());
    CHECK(first.data.source == set.name);
  }
}

TEST_CASE("every truth is balanced and has one label a sample") {
  for (const SyntheticSet& set : synthetic_sets()) {
    CAPTURE(set.name);
    GenerateOptions odd_number;
    odd_number.samples = 101;
    const Generated made = ritz::generate(set.name, odd_number, 1);

    for (const NamedLabels& each : made.labels) {
      REQUIRE(each.labels.size() == made.data.dense().rows());
      CHECK(made.labels.front().labels.of == made.data.labels.of);
      Index least = each.labels.size(), most = 0;
      for (int c = 0; c < each.labels.classes(); ++c) {
        least = std::min(least, count_of(each.labels, c));
        most = std::max(most, count_of(each.labels, c));
      }
      // Where classes join two of four clusters, the odd sample of one cluster can be the odd one of the other too.
      CHECK(most - least <= 2);
    }
  }
}

TEST_CASE("a larger set begins with the smaller one") {
  for (const SyntheticSet& set : synthetic_sets()) {
    if (is_subspace_collection(set.name)) continue;  // their parts are shares of the whole
    CAPTURE(set.name);
    GenerateOptions few, many;
    few.samples = 20;
    many.samples = 50;

    CHECK(ritz::generate(set.name, few, 3).data.dense() == ritz::generate(set.name, many, 3).data.dense().topRows(20));
  }
}

TEST_CASE("gaussian clusters have the places and spreads of the published files") {
  GenerateOptions many;
  many.samples = 4000;

  const Generated small = generate("small-gauss", many, 0);
  const auto [left, width] = spread(small.data.dense(), 0, truth(small, "feature1").of, 0);
  CHECK(left == doctest::Approx(-2.5).epsilon(0.01));
  CHECK(width == doctest::Approx(0.1).epsilon(0.1));
  CHECK(std::abs(spread(small.data.dense(), 0, truth(small, "feature2").of, 0).first) < 0.2);

  const Generated large = generate("large-gauss", many, 0);
  CHECK(large.data.dense().cols() == 4);
  CHECK(spread(large.data.dense(), 2, truth(large, "original").of, 1).first == doctest::Approx(10).epsilon(0.01));
  CHECK(spread(large.data.dense(), 0, truth(large, "alternative").of, 0).first == doctest::Approx(-10).epsilon(0.01));
  CHECK(spread(large.data.dense(), 1, truth(large, "alternative").of, 0).second == doctest::Approx(1).epsilon(0.1));
  CHECK(large.data.dense().col(3).maxCoeff() <= 20);
  CHECK(large.data.dense().col(3).minCoeff() < -19.5);

  const Generated diamond = generate("diamond", {}, 0);
  CHECK(diamond.data.dense().rows() == 128);
  CHECK(diamond.data.dense().cols() == 64);
  CHECK(spread(diamond.data.dense(), 1, truth(diamond, "cluster").of, 0).first == doctest::Approx(10).epsilon(0.1));
  CHECK(spread(diamond.data.dense(), 0, truth(diamond, "cluster").of, 3).first == doctest::Approx(-10).epsilon(0.1));
  CHECK(diamond.data.dense().rightCols(62).cwiseAbs().maxCoeff() <= 30);
}

TEST_CASE("moons lie on their parabolas and both clusterings are independent") {
  GenerateOptions exact;
  exact.noise = 0;
  const Generated made = generate("moons", exact, 5);
  const RowMatrix& X = made.data.dense();
  const Labels& parabola = truth(made, "alternative");
  const Labels& gauss = truth(made, "original");

  Index both = 0;
  for (Index i = 0; i < X.rows(); ++i) {
    const double t = parabola.of[std::size_t(i)] == 0 ? X(i, 0) : X(i, 0) - 2;
    const double height = parabola.of[std::size_t(i)] == 0 ? t * t : 8 - 1.4 * t * t;
    CHECK(X(i, 1) == doctest::Approx(height));
    both += parabola.of[std::size_t(i)] == 1 && gauss.of[std::size_t(i)] == 1;
  }
  CHECK(both == 100);
  CHECK(spread(X, 2, gauss.of, 0).first == doctest::Approx(-5).epsilon(0.1));

  const Generated noisy = generate("noisy-moons", {}, 5);
  CHECK(noisy.data.dense().cols() == 7);
  CHECK(noisy.data.feature_names.back() == "noise_3");
  CHECK(noisy.data.dense().rightCols(3).cwiseAbs().maxCoeff() <= 10);
}

TEST_CASE("squares keep their brightness and their corner is where the picture says") {
  for (const Index side : {7, 14}) {
    GenerateOptions options;
    options.features = side * side;
    const Generated made = generate("squares", options, 2);
    const RowMatrix& X = made.data.dense();
    const double length = 3.0 * double(side) / 7;

    for (Index i = 0; i < X.rows(); ++i) {
      CHECK(X.row(i).sum() == doctest::Approx(length * length));
      double across = 0;
      for (Index j = 0; j < X.cols(); ++j) across += X(i, j) * double(j % side);
      // Centre of mass of pixel values counted at their left edges: half a pixel from that of the square.
      CHECK(std::abs(across / X.row(i).sum() + 0.5 - extra(made, "corner")(i, 0) - length / 2) < 0.25);
    }
    CHECK(X.minCoeff() == 0);
    CHECK(X.maxCoeff() == doctest::Approx(1));
  }
}

TEST_CASE("spiral arms are half a turn apart and the chessboard's class is the parity of its field") {
  GenerateOptions exact;
  exact.noise = 0;
  const Generated spiral = generate("spiral", exact, 1);
  const RowMatrix& S = spiral.data.dense();
  for (Index i = 0; i < S.rows(); ++i) {
    const double radius = S.row(i).norm();
    const double angle = 3 * 3.14159265358979 * radius + (spiral.data.labels.of[std::size_t(i)] ? 3.14159265358979 : 0);
    CHECK(std::abs(S(i, 0) - radius * std::cos(angle)) < 1e-9);
    CHECK(S(i, 2) == 0);
  }

  const Generated board = generate("chessboard", {}, 1);
  const RowMatrix& B = board.data.dense();
  for (Index i = 0; i < B.rows(); ++i)
    CHECK((Index(B(i, 0)) + Index(B(i, 1))) % 2 == board.data.labels.of[std::size_t(i)]);
  CHECK(B.minCoeff() >= 0);
  CHECK(B.maxCoeff() < 4);
}

TEST_CASE("subspaces are orthonormal and at the distances of their model") {
  for (const std::string_view set : {"nested-ball", "arc"}) {
    CAPTURE(set);
    const Generated made = ritz::generate(set, {}, 4);
    const RowMatrix& bases = made.data.dense();
    const RowMatrix& dims = extra(made, "dims");
    const Matrix center = extra(made, "center");
    REQUIRE(center.cols() == 3);
    CHECK((center.transpose() * center - Matrix::Identity(3, 3)).norm() < 1e-12);

    Index column = 0, on_sphere = 0;
    for (Index i = 0; i < dims.rows(); ++i) {
      const auto p = Index(dims(i, 0));
      const Matrix X = bases.middleCols(column, p);
      column += p;
      CHECK((X.transpose() * X - Matrix::Identity(p, p)).norm() < 1e-12);
      const double squared = 3 - (center.transpose() * X).squaredNorm();
      CHECK(squared < 1 + 1e-9);
      on_sphere += squared > 1 - 1e-9;
    }
    CHECK(column == bases.cols());
    CHECK(on_sphere == (set == "arc" ? 200 : 70));
    CHECK(dims.maxCoeff() == (set == "arc" ? 6 : 3));
  }
}

TEST_CASE("the smallest room for subspaces still works and noise keeps them orthonormal") {
  GenerateOptions tight;
  tight.samples = 9;
  tight.features = 6;
  tight.noise = 0.5;
  const Generated made = generate("arc", tight, 0);
  const Matrix first = made.data.dense().leftCols(3);

  CHECK(made.data.dense().cols() == 27);
  CHECK((first.transpose() * first - Matrix::Identity(3, 3)).norm() < 1e-12);
}

TEST_CASE("the swiss roll is not stretched") {
  GenerateOptions dense;
  dense.samples = 6000;
  const Generated made = generate("swiss-roll", dense, 9);
  const RowMatrix& X = made.data.dense();
  const RowMatrix& flat = extra(made, "parameters");

  // Between near points of the strip the way through space is the way on the strip, up to the bend.
  Index compared = 0;
  for (Index i = 1; i < 1000; ++i) {
    const double on_strip = (flat.row(i) - flat.row(0)).norm();
    if (on_strip > 3) continue;
    ++compared;
    CHECK((X.row(i) - X.row(0)).norm() == doctest::Approx(on_strip).epsilon(0.02));
  }
  CHECK(compared > 3);
}

TEST_CASE("sectors hide a plane that tells the classes apart") {
  const Generated made = generate("sectors", {}, 0);
  const std::vector<int>& of = made.data.labels.of;

  CHECK(made.data.dense().rows() == 600);
  CHECK(made.data.feature_names[0] == "signal_a");
  CHECK(made.data.feature_names[9] == "noise_6");
  CHECK(nearest_neighbour_accuracy(extra(made, "plane"), of) > 0.98);
  const double all = nearest_neighbour_accuracy(standardised(made.data.dense()), of);
  CHECK(all > 0.55);
  CHECK(all < 0.8);
  // The plane is a projection of the signal features: orthonormal columns ½(1, 1, 1, 1) and ½(1, −1, 1, −1).
  Matrix W(4, 2);
  W << 0.5, 0.5, 0.5, -0.5, 0.5, 0.5, 0.5, -0.5;
  CHECK((made.data.dense().leftCols(4) * W - extra(made, "plane")).norm() < 1e-12);
}

TEST_CASE("impossible sizes are refused by name") {
  GenerateOptions odd, few, one, wide;
  odd.features = 50;
  few.samples = 3;
  one.features = 1;
  wide.features = 5;

  CHECK(message_of("squares", odd).find("square number") != std::string::npos);
  CHECK(message_of("moons", few) == "moons: samples is 3; it must be at least 4 because every group needs a member");
  CHECK(message_of("large-gauss", one).find("at least 3 because") != std::string::npos);
  CHECK(message_of("chessboard", wide) == "chessboard: features is 5; it must be 2 because a board is flat");
  CHECK(message_of("nested-ball", wide).find("at least 6") != std::string::npos);
  CHECK(message_of("spirals", {}).find("did you mean 'spiral'") != std::string::npos);
}

TEST_CASE("noise by its ratio to the signal is the same as by its deviation") {
  GenerateOptions by_ratio, by_deviation;
  by_ratio.snr = 9;
  by_deviation.noise = std::sqrt(3 / std::pow(10.0, 0.9));
  for (const std::string_view set : {"nested-ball", "arc"})
    CHECK((generate(set, by_ratio, 1).data.dense() - generate(set, by_deviation, 1).data.dense()).norm() < 1e-12);
  by_ratio.noise = 1;
  CHECK(message_of("arc", by_ratio).find("give one of them") != std::string::npos);
  by_ratio.noise = -1;
  CHECK(message_of("moons", by_ratio).find("nested-ball and arc") != std::string::npos);
}
