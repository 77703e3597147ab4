// SPDX-License-Identifier: MIT
// The minimax centre of linear subspaces of different dimensions: the subspace of dimension k whose largest squared
// chordal distance to them is least, the centre of their minimum enclosing ball; docs/algorithms/center.md.
//
//   d_i(U) = min(k, p_i) − ‖UᵀX_i‖²              squared chordal distance of subspace i, 0 … min(k, p_i)
//   primal   p(U) = max_i d_i(U),                 UᵀU = I_k
//   dual     d(λ) = Σλ_i·min(k, p_i) − (sum of the k largest eigenvalues of Σλ_i·X_iX_iᵀ),   λ ≥ 0, Σλ = 1
//
// Always d(λ) ≤ p(U). The largest d is also the optimum over {0 ⪯ P ⪯ I, tr P = k}; where its P is no projector, a
// true gap is left between the best d and the best p.
#pragma once

#include <array>
#include <vector>

#include "ritz/base/iterate.hpp"
#include "ritz/base/options.hpp"
#include "ritz/base/types.hpp"

namespace ritz::center {

// Orthonormal bases of M subspaces of R^n.
struct Collection {
  RowMatrix vectors;            // Σp × n: the basis vectors of subspace 0, then those of subspace 1, …
  std::vector<Index> begin{0};  // M + 1: first row of each, and the end
  Index size() const { return Index(begin.size()) - 1; }
  Index ambient() const { return vectors.cols(); }
  Index dimension(Index i) const { return begin[std::size_t(i) + 1] - begin[std::size_t(i)]; }
  Index max_dimension() const;
  Matrix basis(Index i) const;  // n × p
};
// Throws bad_shape for rows that differ, bad_data for none; the bases are taken as they are.
Collection make_collection(const std::vector<Matrix>& bases);
Collection gather(const Collection& all, const std::vector<Index>& members);  // some of them, in that order

// newton: the smoothed dual by Newton steps on few subspaces at a time, then the primal from it. subgradient: the
// paper's Algorithm A.1, projecting on the simplex as its (4.1); subgradient_printed: the same dividing by the sum, as
// printed. renard: the primal steps of Renard, Gallivan & Absil (2018).
enum class Solver { newton, subgradient, subgradient_printed, renard };
constexpr auto names_of(Solver) { return std::array{"newton", "subgradient", "subgradient_printed", "renard"}; }

// How far the subgradient method goes in iteration t (g: the subgradient, a: step_size). adaptive: Algorithm A.1, a/√t
// with a shortened until the dual value grows. The others are those of the paper's Section 4, without a look at the
// value: a, a/‖g‖, a/√t and a/(1 + t).
enum class StepRule { adaptive, constant, length, root, harmonic };
constexpr auto names_of(StepRule) { return std::array{"adaptive", "constant", "length", "root", "harmonic"}; }

struct Options {
  static constexpr std::string_view name = "center";
  Solver solver = Solver::newton;
  StepRule step = StepRule::adaptive;
  double step_size = 1;
  double tolerance = 1e-10;
  int max_iterations = 1000;
  int starts = 100;
  // A rough look (newton): the dual on at most so many subspaces, and no descent of the primal. 0: to the end.
  Index rough = 0;
  static constexpr auto fields() {
    return std::tuple{
        field("solver", &Options::solver,
              "newton; or the baselines: subgradient (Algorithm A.1), subgradient_printed (as printed, never at the "
              "border of the simplex), renard"),
        field(
            "step", &Options::step,
            "step rule of the subgradient solvers: adaptive (Algorithm A.1), constant a, length a/|g|, root a/sqrt(t), "
            "harmonic a/(1+t)"),
        field("step_size", &Options::step_size, 1e-12, 1e12, "a of the step rule"),
        field("tolerance", &Options::tolerance, 0.0, 1.0,
              "stop when the duality gap, or where strong duality fails the bracket of the best dual value, is at "
              "most this; for mean, median, karcher and flag: the squared norm of the gradient"),
        field("max_iterations", &Options::max_iterations, 1, 100'000'000,
              "at most this many rounds, or steps of a "
              "baseline"),
        field("starts", &Options::starts, 0, 100'000,
              "random starts of the primal where a gap is left; fewer in many dimensions")};
  }
};

struct Result {
  Index k = 0;
  Matrix U;                     // n × k, orthonormal
  Vector weights;               // λ, one a subspace
  Vector distances;             // d_i(U)
  double objective = kUnknown;  // p(U), the squared radius
  double dual = kUnknown;       // d(λ)
  double dual_bound = kUnknown;  // the best d is at most this: max_i of min(k, p_i) − ⟨X_iX_iᵀ, P⟩ of a feasible P
  double gap = kUnknown;         // objective − dual
  double slope = kUnknown;       // newton: what a step of the primal could still gain by its model
  Vector eigenvalues;            // the k + 1 largest of Σλ_i·X_iX_iᵀ, fewer where n is smaller
  double dimension = kUnknown;              // Σλ_i·p_i: the sum of all of them
  Index working = 0;                        // subspaces that the dual was solved on
  int evaluations = 0;                      // eigendecompositions, and sweeps of a baseline
  std::vector<double> distance_to_truth{};  // of each iteration, where a true centre was given
  Summary summary;
  std::vector<Index> support(double weight = 1e-8) const;  // subspaces with more than this weight
  std::vector<Index> on_ball(double within = 1e-6) const;  // subspaces at most so much nearer than the farthest
};

void keep(Archive& archive, Result& result);

// `start`: weights to begin with (empty: equal), such as those of k − 1. `truth`: a basis whose squared chordal
// distance is recorded after each iteration; it does not change what is done. Throws bad_option for k outside 1 … n.
// Interrupted keeps the best centre so far; before there is one it comes through.
//
// converged: gap ≤ tolerance; or, for newton, dual_bound − dual ≤ tolerance and no step of the primal gains more:
// then the gap is that of the problem, or of a better primal that the starts did not find, and a note says so.
Result solve(const Collection& all, Index k, const Options& options, const Vector& start, RunContext& context,
             const Matrix* truth = nullptr);

// --- centres other than the minimax one ---

// mean, flag: the least Σd_i, by the leading eigenvectors of the average projector (Draper et al. 2014); those of all k
// are nested, a flag. median: the least Σ√d_i, by reweighted means (FlagIRLS, Mankovich et al. 2022). karcher: the
// least Σ of the squared principal angles, by geodesic steps along the mean of the logarithms.
enum class Method { minimax, mean, median, karcher, flag };
constexpr auto names_of(Method) { return std::array{"minimax", "mean", "median", "karcher", "flag"}; }

// A centre's value, a mean over the subspaces, and the direction, n × k and orthogonal to U, in which it falls fastest.
struct AverageAt {
  double objective = kUnknown;  // of d_i (minimax: not their mean but the largest), √d_i, or Σθ²
  Matrix direction;             // its norm is 0 at a stationary point
  Vector weights;               // of the subspaces in it, sum 1
};
AverageAt average_at(const Collection& all, BlockIn U, Method method, const RunContext& context);
// converged: ‖direction‖² ≤ tolerance. `weights` are those of the last step; dual and gap are known for mean and flag.
Result solve_average(const Collection& all, Index k, Method method, const Options& options, RunContext& context);
// Eigenvalues of the average projector, decreasing; leading ones where they are too many.
Vector average_spectrum(const Collection& all, const RunContext& context);

// d_i(U), and the same for a mixture P = V·diag(γ)·Vᵀ.
Vector distances(const Collection& all, BlockIn U, const RunContext& context);
Vector mixed_distances(const Collection& all, BlockIn V, const Vector& gamma, Index k, const RunContext& context);

// d(λ) and what it is made of, on all cores; nothing is kept between calls.
struct Dual {
  double value = kUnknown;
  Vector eigenvalues;  // decreasing: k + 1, fewer where n is smaller
  Matrix U;            // n × k: leading eigenvectors
  double dimension = 0;
};
Dual dual(const Collection& all, const Vector& weights, Index k, const RunContext& context);

// --- the order ---

enum class Complement { space, span };  // of the centre: in R^n (the paper) or in the span of the data (its code)
constexpr auto names_of(Complement) { return std::array{"space", "span"}; }

struct Order {                                                // of one k
  double objective_cost = kUnknown, penalty_cost = kUnknown;  // c_obj, c_pen of (5.2), (5.3)
  double proposed = kUnknown;                                 // their sum
  double hybrid = kUnknown;      // (5.23); for k = 0 with the weights of k = 1, where that is less
  double santamaria = kUnknown;  // (5.16)
  double objective = kUnknown, dual = kUnknown, gap = kUnknown;
};
struct Orders {
  std::vector<Order> of;  // k = 0, 1, …
  Index proposed = 0, hybrid = 0, santamaria = 0;
  Index elbow = 0;           // what the rule takes: the corner, or the largest k; 0: too few singular values
  Index elbow_corner = 0;    // of the singular values, which may lie beyond the largest k
  Index elbow_printed = 0;   // with the corner on both lines
  Vector singular_values;    // of all bases side by side; leading ones where they are too many
  std::vector<Result> fits;  // of k = 1, …
  bool complete = true;      // false: interrupted
  bool risen = false;        // ended by OrderOptions::until_risen
  Index largest = 0;         // that was to be looked at
  Vector average;            // eigenvalues of the average projector
};
struct OrderOptions {
  Complement complement = Complement::space;
  Index largest = 0;  // 0: the largest dimension of a subspace
  bool warm = true;   // begin with the weights of k − 1
  // Ends where the hybrid cost of subspaces of one dimension p has risen. It is p − k + 2·max over λ of the dual value,
  // which is convex in k: no higher order has a smaller one. The other costs are then those of the orders looked at,
  // but for Santamaría's, which belongs to the average alone.
  bool until_risen = false;
};
Orders select_order(const Collection& all, const OrderOptions& order, const Options& options, RunContext& context);
// Solves k again, from its weights and with other options, and lets the rules decide once more.
void refine_order(Orders& orders, const Collection& all, Index k, const OrderOptions& order, const Options& options,
                  RunContext& context);

// The corner of a scree plot (L-method, Salvador & Chan 2004): how many values the first of the two lines that fit best
// has. 0 where there are fewer than four values. As the paper prints it, the lines intersect: the corner is a point of
// both.
enum class Corner { of_first, of_both };
Index elbow(const Vector& values, Corner corner = Corner::of_first);

// --- who does not belong ---

struct Outliers {
  std::vector<Index> of;    // farthest first
  Vector distances;         // of all, from the robust centre
  double fence = kUnknown;  // third quartile and three times the distance between the quartiles
};
// Around the median flag (the subspace with the least sum of chordal distances, not squared), on which few outliers
// have little influence, unlike on the minimax centre, which they determine.
Outliers find_outliers(const Collection& all, Index k, const RunContext& context);

}  // namespace ritz::center
