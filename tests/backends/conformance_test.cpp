// SPDX-License-Identifier: MIT
// What every backend must answer: each sweep against the double loop that defines it, to the backend's own tolerance,
// the same bits for 1, 2 and 7 threads, and on inputs where something has run out.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "model/kernel_list.hpp"
#include "support/pair_problem.hpp"

using namespace ritz;
using namespace ritz::testing;

namespace {

constexpr std::array<int, 3> kThreads = {1, 2, 7};

RunContext on(Backend& backend, int threads) {
  RunContext context;
  context.backend = &backend;
  context.threads = threads;
  return context;
}

void for_each_backend(const std::function<void(Backend&)>& use) {
  for (Backend* backend : backends()) {
    if (!backend->available()) continue;
    CAPTURE(backend->name());
    use(*backend);
  }
}

struct Input {
  std::string name;
  RowMatrix X;
};

// Ordinary points over several tiles, and the corners.
std::vector<Input> inputs() {
  Rng rng(11, "conformance");
  std::vector<Input> all;
  RowMatrix ordinary = rng.normal_matrix(600, 5);
  ordinary.rowwise() += Eigen::RowVectorXd::LinSpaced(5, -2, 3);
  RowMatrix repeated = ordinary.topRows(90);
  for (Index i = 0; i < 60; ++i) repeated.row(i) = repeated.row(60 + i % 7);
  RowMatrix constant = ordinary.topRows(40);
  constant.col(2).setConstant(4);
  all.push_back({"ordinary", ordinary});
  all.push_back({"repeated points", repeated});
  all.push_back({"a constant column", constant});
  all.push_back({"two samples", ordinary.topRows(2)});
  all.push_back({"one sample", ordinary.topRows(1)});
  all.push_back({"equal points", RowMatrix::Constant(5, 3, 0.7)});
  return all;
}

void for_each_input(const std::function<void(Backend&, const RowMatrix&)>& use) {
  for_each_backend([&](Backend& backend) {
    for (const Input& input : inputs()) {
      CAPTURE(input.name);
      use(backend, input.X);
    }
  });
}

KernelSum kernel_for(std::string_view text, Index n) {
  KernelSum kernel = parse_kernel(text);
  Rng rng(n, "scales");
  fill_scales(kernel, n, rng);
  return kernel;
}

PairProblem problem_on(const RowMatrix& X, std::string_view kernel) {
  Rng rng(5, "problem");
  SymFactor factor{rng.normal_matrix(X.rows(), 3), Vector(3)};
  factor.weights << 1.0, -0.7, 0.4;
  return {X, factored_gamma(factor), orthonormalise(rng.normal_matrix(X.cols(), 2)).basis,
          kernel_for(kernel, X.rows())};
}

double kernel_at(const KernelTerm& a, Index i, const KernelTerm& b, Index j, const Eigen::RowVectorXd& x,
                 const Eigen::RowVectorXd& y, KernelPart part) {
  const double scale = a.sample_scale ? (*a.sample_scale)[std::size_t(i)] * (*b.sample_scale)[std::size_t(j)] : 1;
  const double beta = scale * (form_of(a.kernel) == PairForm::dot ? x.dot(y) : (x - y).squaredNorm());
  return std::visit(
      [&](const auto& k) {
        return part == KernelPart::value   ? k.value(beta)
               : part == KernelPart::slope ? scale * k.slope(beta)
                                           : scale * scale * k.curvature(beta);
      },
      *a.kernel);
}

const std::vector<std::string> kKernels = {"gaussian(sigma=1.3)", "0.5*multiquadric+rbf-relative",
                                           "polynomial(degree=3)+0.2*linear",
                                           "0.5*gaussian(sigma=2)+0.1*polynomial(degree=2)"};

double squared_distance(const RowMatrix& X, Index i, Index j) { return (X.row(i) - X.row(j)).squaredNorm(); }

}  // namespace

TEST_CASE("conformance: the pass gives objective, Φ and degrees of the double loop") {
  for_each_input([](Backend& backend, const RowMatrix& X) {
    if (X.rows() > 100) return;  // the naive sums are slow; pair_pass_test has larger ones
    for (const std::string& text : kKernels) {
      CAPTURE(text);
      const PairProblem problem = problem_on(X, text);
      const NaiveSums naive = naive_sums(problem);
      const Samples samples(problem.X);
      const RunContext context = on(backend, 2);
      const auto pass = backend.pair_pass(samples, problem.gamma);
      const PairSums sums = pass->sums(problem.W, problem.kernel, context);
      const Vector degrees = pass->degrees(problem.W, problem.kernel, context);

      CHECK(std::abs(sums.objective - naive.objective) <= backend.tolerance() * (1 + naive.size));
      CHECK((sums.phi.dense() - naive.phi).norm() <= backend.tolerance() * (1 + naive.phi_size));
      const RowMatrix Z = problem.X * problem.W;
      for (Index i = 0; i < X.rows(); ++i) {
        double degree = 0, size = 0;
        for (Index j = 0; j < X.rows(); ++j)
          for (const KernelTerm& term : problem.kernel) {
            const double value = term.weight * kernel_at(term, i, term, j, Z.row(i), Z.row(j), KernelPart::value);
            degree += value;
            size += std::abs(value);
          }
        CHECK(std::abs(degrees[i] - degree) <= 10 * backend.tolerance() * (1 + size));
      }
    }
  });
}

TEST_CASE("conformance: a pass with another Γ is a new pass") {
  for_each_backend([](Backend& backend) {
    const PairProblem problem = problem_on(inputs()[0].X, "gaussian(sigma=1.3)");
    const PairProblem other = problem_on(inputs()[0].X.rowwise().reverse(), "gaussian(sigma=1.3)");
    const Gamma gamma = factored_gamma({Rng(9, "gamma").normal_matrix(problem.X.rows(), 5), Vector::Ones(5)});
    const Samples samples(problem.X);
    const RunContext context = on(backend, 2);
    for (const Precision precision : {Precision::full, Precision::mixed}) {
      const auto kept = backend.pair_pass(samples, problem.gamma), made = backend.pair_pass(samples, gamma);
      kept->set_accuracy({precision, 0});
      made->set_accuracy({precision, 0});
      kept->sums(problem.W, problem.kernel, context);
      kept->set_gamma(gamma);

      const PairSums a = kept->sums(other.W, problem.kernel, context), b = made->sums(other.W, problem.kernel, context);

      CHECK(a.objective == b.objective);
      CHECK((a.phi.dense().array() == b.phi.dense().array()).all());
    }
    CHECK_THROWS_AS(backend.pair_pass(samples, problem.gamma)->set_gamma(factored_gamma({Matrix(3, 1), Vector(1)})),
                    Error);
  });
}

TEST_CASE("conformance: the curvature bound is the double loop's, sparse or dense, for any number of threads") {
  for_each_input([](Backend& backend, const RowMatrix& X) {
    for (const std::string& text : kKernels) {
      CAPTURE(text);
      const PairProblem problem = problem_on(X, text);
      const RowMatrix Z = problem.X * problem.W;
      const Matrix gamma = problem.gamma.factor.dense();
      double bound = 0, size = 0;
      for (Index i = 0; i < X.rows(); ++i)
        for (Index j = 0; j < X.rows(); ++j) {
          double dot = 0, difference = 0;
          for (const KernelTerm& term : problem.kernel)
            (form_of(term.kernel) == PairForm::dot ? dot : difference) +=
                term.weight * kernel_at(term, i, term, j, Z.row(i), Z.row(j), KernelPart::curvature);
          const double norms = X.row(i).squaredNorm() * X.row(j).squaredNorm();
          bound += 2 * std::abs(gamma(i, j)) *
                   (std::abs(dot) * norms + std::abs(difference) * std::pow(squared_distance(X, i, j), 2));
          // Distances come from norms and products.
          size += 2 * std::abs(gamma(i, j)) *
                  (std::abs(dot) * norms +
                   std::abs(difference) * std::pow(X.row(i).squaredNorm() + X.row(j).squaredNorm(), 2));
        }
      const Samples dense(problem.X);
      const SparseRows rows = problem.X.sparseView();
      const Samples sparse(rows, Vector::Zero(X.cols()), Vector::Ones(X.cols()));
      const double one =
          backend.pair_pass(dense, problem.gamma)->curvature_bound(problem.W, problem.kernel, on(backend, 1));

      CHECK(std::abs(one - bound) <= 10 * backend.tolerance() * (1 + size));
      CHECK(backend.pair_pass(sparse, problem.gamma)->curvature_bound(problem.W, problem.kernel, on(backend, 1)) ==
            doctest::Approx(one).epsilon(1e-10));
      for (const int threads : kThreads)
        CHECK(
            backend.pair_pass(dense, problem.gamma)->curvature_bound(problem.W, problem.kernel, on(backend, threads)) ==
            one);
    }
  });
}

TEST_CASE("conformance: kernels between two sets, their slopes and curvatures are the double loop's") {
  for_each_input([](Backend& backend, const RowMatrix& A) {
    const RowMatrix B = Rng(3, "others").normal_matrix(270, A.cols());
    for (const std::string& text : kKernels)
      for (const KernelPart part : {KernelPart::value, KernelPart::slope, KernelPart::curvature}) {
        CAPTURE(text);
        const KernelSum a = kernel_for(text, A.rows()), b = kernel_for(text, B.rows());
        const Samples left(A), right(B);
        const bool both = text == kKernels.back();
        if (both && part != KernelPart::value) {
          CHECK_THROWS_AS(cross_kernel({left, a}, {right, b}, on(backend, 1), part), Error);
          continue;
        }
        const RowMatrix K = cross_kernel({left, a}, {right, b}, on(backend, 1), part);
        double worst = 0;
        for (Index i = 0; i < A.rows(); ++i)
          for (Index j = 0; j < B.rows(); ++j) {
            double value = 0;
            for (std::size_t t = 0; t < a.size(); ++t)
              value += a[t].weight * kernel_at(a[t], i, b[t], j, A.row(i), B.row(j), part);
            worst = std::max(worst, std::abs(K(i, j) - value) / (1 + std::abs(value)));
          }
        CHECK(worst <= 100 * backend.tolerance());
        for (const int threads : kThreads)
          CHECK((cross_kernel({left, a}, {right, b}, on(backend, threads), part).array() == K.array()).all());
      }
  });
}

TEST_CASE("conformance: alignment sums are those of centred kernel matrices, sparse or dense") {
  for_each_input([](Backend& backend, const RowMatrix& X) {
    const Index n = X.rows();
    const KernelSum kernel = kernel_for("gaussian(sigma=1.5)+polynomial(degree=2)+linear+rbf-relative", n);
    const Gamma gamma = problem_on(X, "linear").gamma;
    const Samples dense(X);
    const SparseRows rows = X.sparseView();
    const Samples sparse(rows, Vector::Zero(X.cols()), Vector::Ones(X.cols()));
    const Matrix H = Matrix::Identity(n, n) - Matrix::Constant(n, n, 1 / double(n));
    const Matrix target = H * gamma.factor.dense() * H;
    std::vector<Matrix> K;
    for (const KernelTerm& term : kernel) {
      Matrix values(n, n);
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) values(i, j) = kernel_at(term, i, term, j, X.row(i), X.row(j), KernelPart::value);
      K.push_back(H * values * H);
    }

    const AlignmentSums sums = backend.alignment_sums(kernel, dense, gamma, on(backend, 1)),
                        of_sparse = backend.alignment_sums(kernel, sparse, gamma, on(backend, 1));

    const double allowed = 1e4 * backend.tolerance();  // H cancels
    CHECK(std::abs(sums.target_norm - target.norm()) <= allowed * (1 + target.norm()));
    for (Index k = 0; k < Index(K.size()); ++k) {
      const Matrix& own = K[std::size_t(k)];
      const double size = 1 + own.norm();
      CHECK(std::abs(sums.target[k] - own.cwiseProduct(target).sum()) <= allowed * size * (1 + target.norm()));
      CHECK(std::abs(sums.target[k] - of_sparse.target[k]) <= allowed * size * (1 + target.norm()));
      for (Index l = 0; l < Index(K.size()); ++l)
        CHECK(std::abs(sums.gram(k, l) - own.cwiseProduct(K[std::size_t(l)]).sum()) <=
              allowed * size * (1 + K[std::size_t(l)].norm()));
    }
    for (const int threads : kThreads) {
      const AlignmentSums again = backend.alignment_sums(kernel, dense, gamma, on(backend, threads));
      CHECK((again.gram.array() == sums.gram.array()).all());
      CHECK((again.target.array() == sums.target.array()).all());
    }
  });
}

TEST_CASE("conformance: quantiles of distances are those of all ordered pairs") {
  for_each_input([](Backend& backend, const RowMatrix& X) {
    std::vector<Index> all;
    std::vector<double> distances, positive;
    double size = 0;
    for (Index i = 0; i < X.rows(); ++i) {
      all.push_back(i);
      for (Index j = 0; j < X.rows(); ++j) {
        distances.push_back(std::sqrt(squared_distance(X, i, j)));
        if (j < i && distances.back() > 0) positive.push_back(distances.back());
      }
      size = std::max(size, (X.row(i) - X.colwise().mean()).norm());
    }
    std::ranges::sort(distances);
    std::ranges::sort(positive);
    const SparseRows rows = X.sparseView();
    const Samples dense(X), sparse(rows, Vector::Zero(X.cols()), Vector::Ones(X.cols()));
    for (const double share : {0.0, 0.1, 0.5, 0.9, 1.0}) {
      CAPTURE(share);
      const double place = share * double(distances.size() - 1);
      const double expected =
          0.5 * (distances[std::size_t(std::floor(place))] + distances[std::size_t(std::ceil(place))]);

      const DistanceQuantile found = backend.distance_quantile(dense, all, share, on(backend, 1));

      CHECK(std::abs(found.value - expected) <= 1e-7 * size);
      if (positive.empty())
        CHECK(found.positive == 0);
      else
        CHECK(std::abs(found.positive -
                       positive[std::min(positive.size() - 1, std::size_t(share * double(positive.size())))]) <=
              1e-7 * size);
      CHECK(backend.distance_quantile(sparse, all, share, on(backend, 1)).value ==
            doctest::Approx(found.value).epsilon(1e-9));
      for (const int threads : kThreads)
        CHECK(backend.distance_quantile(dense, all, share, on(backend, threads)).value == found.value);
    }
  });
}

TEST_CASE("conformance: neighbours are those of the sorted distances, to the bit") {
  for_each_input([](Backend& backend, const RowMatrix& X) {
    if (X.rows() < 2) return;
    const Index k = std::min<Index>(X.rows() - 1, 6);
    NeighbourTable expected(X.rows(), k);
    for (Index i = 0; i < X.rows(); ++i) {
      NearestRows nearest(k);
      for (Index j = 0; j < X.rows(); ++j) {
        double squared = 0;
        for (Index c = 0; c < X.cols(); ++c) squared += (X(i, c) - X(j, c)) * (X(i, c) - X(j, c));
        if (i != j) nearest.offer({squared, j});
      }
      nearest.write(i, expected);
    }
    const SparseRows rows = X.sparseView();
    for (const int threads : kThreads) {
      const NeighbourTable dense = backend.neighbours(DataView(X), DataView(X), k, OwnRow::is_left_out,
                                                      on(backend, threads)),
                           sparse = backend.neighbours(rows, rows, k, OwnRow::is_left_out, on(backend, threads));
      CHECK(dense.rows == expected.rows);
      CHECK(dense.squared == expected.squared);
      CHECK(sparse.rows == expected.rows);
      CHECK(sparse.squared == expected.squared);
    }
  });
}

TEST_CASE("conformance: the order sweep finds the strangers nearer than the farthest neighbour") {
  for_each_input([](Backend& backend, const RowMatrix& X) {
    const Index n = X.rows();
    std::vector<std::vector<Index>> neighbours(static_cast<std::size_t>(n));
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j)
        if (i != j && (i + j) % 9 == 1 && i % 11 != 3) neighbours[std::size_t(i)].push_back(j);
    const OrderRequest request{.strangers = 3, .neighbours = 2};
    const double size = 1 + X.rowwise().squaredNorm().maxCoeff();
    double slack = 0;
    Index clearly = 0;  // points with a stranger that is nearer by more than rounding
    for (Index i = 0; i < n; ++i) {
      const auto& mine = neighbours[std::size_t(i)];
      double far = -1, near = std::numeric_limits<double>::infinity();
      for (Index j = 0; j < n; ++j) {
        if (std::ranges::binary_search(mine, j))
          far = std::max(far, squared_distance(X, i, j));
        else if (j != i)
          near = std::min(near, squared_distance(X, i, j));
      }
      if (!mine.empty()) slack = std::max(slack, far - near);
      clearly += !mine.empty() && far - near > 100 * backend.tolerance() * size;
    }

    const auto sweep = backend.order_sweep(neighbours);
    const OrderFacts found = sweep->sweep(X, request, on(backend, 1));

    CHECK(std::abs(found.slack - slack) <= 100 * backend.tolerance() * size);
    std::vector<Index> seen(std::size_t(n), 0);
    for (const auto& [i, stranger, neighbour] : found.violated) {
      const auto& mine = neighbours[std::size_t(i)];
      CHECK(std::ranges::binary_search(mine, neighbour));
      CHECK_FALSE(std::ranges::binary_search(mine, stranger));
      CHECK(stranger != i);
      CHECK(squared_distance(X, i, stranger) - squared_distance(X, i, neighbour) <= 100 * backend.tolerance() * size);
      ++seen[std::size_t(i)];
    }
    CHECK(Index(std::ranges::count_if(seen, [](Index count) { return count > 0; })) >= clearly);
    CHECK(std::ranges::max(seen) <= request.strangers * request.neighbours);
    for (const int threads : kThreads) {
      const OrderFacts again = sweep->sweep(X, request, on(backend, threads));
      CHECK(again.slack == found.slack);
      CHECK(again.violated == found.violated);
    }
  });
}

TEST_CASE("conformance: the distance sweep has the same bits for any number of threads") {
  for_each_input([](Backend& backend, const RowMatrix& X) {
    const Matrix psi = Rng(4, "psi").normal_matrix(2, X.cols());
    const DistanceRequest request{.band = 0.5, .listed = 30, .per_point = 3, .bins = 20};
    const DistanceFacts one = backend.distance_sweep(X, {}, on(backend, 1))->sweep(psi, request, on(backend, 1));
    for (const int threads : kThreads) {
      const RunContext context = on(backend, threads);
      const DistanceFacts again = backend.distance_sweep(X, {}, context)->sweep(psi, request, context);
      CHECK(again.distortion == one.distortion);
      CHECK(again.lowest == one.lowest);
      CHECK(again.highest == one.highest);
      CHECK(again.beyond == one.beyond);
      CHECK(again.histogram == one.histogram);
      REQUIRE(again.worst.size() == one.worst.size());
      for (std::size_t k = 0; k < one.worst.size(); ++k)
        CHECK(again.worst[k].a * X.rows() + again.worst[k].b == one.worst[k].a * X.rows() + one.worst[k].b);
    }
  });
}
