// SPDX-License-Identifier: MIT
// Figures 3 and 4: lines of R^3 drawn from the two models, by multidimensional scaling of their chordal distances, with
// the true centre, the Karcher mean and the centre of the smallest ball.
#include "linalg/dense/dense.hpp"
#include "report/plot/scatter_plot.hpp"
#include "reproduce/gmeb/parts.hpp"

namespace ritz::reproduce {

namespace {

// The paper says of its balls that they have radius 1 and 0.2. As squared chordal distance 1 would be a right angle, at
// which the smallest ball has more than one centre; here they are angles.
constexpr double kRadius = 1, kInnerRadius = 0.2, kInnerPlace = 0.7;

double squared_sine(double angle) { return std::sin(angle) * std::sin(angle); }

DrawnSubspaces lines(bool arc, Rng& rng) {
  NestedBall ball;
  ball.n = 3, ball.k = ball.inner_k = 1;
  ball.squared_radius = squared_sine(kRadius);
  ball.inner_squared_radius = squared_sine(kInnerRadius);
  ball.inner_place = squared_sine(kInnerPlace);
  ArcModel wide;
  wide.n = 3, wide.k = wide.largest = 1;
  wide.inside = 0;
  wide.squared_radius = squared_sine(kRadius);
  return arc ? draw_arc(wide, rng) : draw_nested_ball(ball, rng);
}

// Squared chordal distances are those of the projectors: their inner products, centred.
Matrix scaled_down(const std::vector<Matrix>& bases) {
  const Index m = Index(bases.size());
  Matrix G(m, m);
  for (Index a = 0; a < m; ++a)
    for (Index b = 0; b <= a; ++b)
      G(a, b) = G(b, a) = (bases[std::size_t(a)].transpose() * bases[std::size_t(b)]).squaredNorm();
  const Vector mean = G.colwise().mean();
  G.colwise() -= mean;
  G.rowwise() -= Eigen::RowVectorXd(G.colwise().mean());
  const auto spectrum = symmetric_eigen(std::move(G));
  return spectrum.vectors.leftCols(2) * spectrum.values.head(2).cwiseMax(0.0).cwiseSqrt().asDiagonal();
}

double squared_distance(const Matrix& a, const Matrix& b) { return 1 - (a.transpose() * b).squaredNorm(); }

}  // namespace

void gmeb_pictures(GmebRun& run, bool arc) {
  const int figure = arc ? 4 : 3;
  TextTable& table = run.table(
      fmt::format("Figure {}: lines of R^3, {}", figure, arc ? "more of them on an arc" : "two nested balls"),
      {"example", "lines", "Karcher mean to the true centre", "centre of the ball", "radius", "gap"},
      {"Squared chordal distances. The paper prints pictures only: the Karcher mean is drawn to where the lines are "
       "dense, the centre of the ball is the true one.",
       "Lines at 1 radian from the centre are beyond 54.7°, from where strong duality fails: the gap is the "
       "problem's."});
  for (int example = 0; example < 2; ++example) {
    const std::string name = fmt::format("figure{}{}", figure, example == 0 ? 'a' : 'b');
    run.tell("{}", name);
    Rng rng(run.context.seed, "reproduce/gmeb/lines", std::uint64_t(2 * figure + example));
    DrawnSubspaces drawn = lines(arc, rng);
    const center::Collection all = center::make_collection(drawn.bases);
    const center::Result ball = center::solve(all, 1, {}, {}, run.context);
    const center::Result mean = center::solve_average(all, 1, center::Method::karcher, {}, run.context);
    run.context.poll();
    const double off_ball = squared_distance(ball.U, drawn.center), off_mean = squared_distance(mean.U, drawn.center);
    table.rows.push_back({example == 0 ? "a" : "b", std::to_string(all.size()), fmt::format("{:.4f}", off_mean),
                          fmt::format("{:.1e}", off_ball), fmt::format("{:.6f}", ball.objective),
                          fmt::format("{:.0e}", std::max(0.0, ball.gap))});
    run.keep({{"part", fmt::format("figure{}", figure)},
              {"example", example == 0 ? "a" : "b"},
              {"karcher", off_mean},
              {"ball", off_ball},
              {"radius", ball.objective}});
    ScatterPlot plot;
    plot.title = fmt::format("Figure {}{}: lines of R^3, {}", figure, example == 0 ? 'a' : 'b',
                             arc ? "more of them on an arc" : "two nested balls");
    plot.subtitle = "multidimensional scaling of the chordal distances";
    plot.class_names = {arc ? "anywhere on the ball" : "large ball", arc ? "on the arc" : "small ball", "true centre",
                        "Karcher mean", "centre of the ball"};
    plot.equal_scale = true;
    const Index first = arc ? ArcModel().anywhere : NestedBall().outer;
    for (Index i = 0; i < all.size(); ++i) plot.classes.push_back(i < first ? 0 : 1);
    for (const Matrix& centre : {drawn.center, mean.U, ball.U}) {
      plot.classes.push_back(plot.classes.back() < 2 ? 2 : plot.classes.back() + 1);
      drawn.bases.push_back(centre);
    }
    plot.points = scaled_down(drawn.bases);
    run.found.figures.push_back({name, scatter_svg(plot)});
  }
}

}  // namespace ritz::reproduce
