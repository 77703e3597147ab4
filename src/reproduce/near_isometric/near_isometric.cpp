// SPDX-License-Identifier: MIT
// Tables 7.1, 7.2 and 7.3 and Figure 7.2 of "Practical Algorithms for Learning Near-Isometric Linear Embeddings",
// measured here and now, next to what the paper prints.
#include "linalg/tall_products.hpp"
#include "pairs/neighbours.hpp"
#include "reproduce/reproduction.hpp"
#include "ritz/data/synthetic.hpp"
#include "ritz/tasks/isometry.hpp"

namespace ritz::reproduce {

namespace {

using isometry::Method;

constexpr std::array<std::string_view, 4> kIsometryParts = {"table7.1", "table7.2", "table7.3", "figure7.2"};
constexpr std::array<std::string_view, 4> kIsometryMethods = {"auto", "nile", "fromax", "numax"};

struct NearIsometricOptions {
  static constexpr std::string_view name = "reproduce";
  std::vector<std::string> parts = {"all"}, methods = {"all"};  // of the lists above
  double budget = 60;
  bool quick = false;
  static constexpr auto fields() {
    return std::tuple{
        field("only", &NearIsometricOptions::parts, "parts: table7.1, table7.2, table7.3, figure7.2"),
        field("methods", &NearIsometricOptions::methods, "auto, nile, fromax, numax"),
        field("budget", &NearIsometricOptions::budget, 0.01, 1e9, "seconds for one fit of a method of the paper"),
        field("quick", &NearIsometricOptions::quick,
              "60 squares, 95 digits, 2000 images of MNIST and three distortions of the figure: a first look")};
  }
};
struct IsometryRun : Run<NearIsometricOptions> {};

struct Fit {
  Index rank = 0;
  double distortion = kUnknown, seconds = kUnknown;
  bool reached = false;
  Matrix psi{};
};

std::string name_of(Method method) { return TextForm<Method>::print(method); }

// Nothing: the budget was spent before there was a result.
std::optional<Fit> fitted(IsometryRun& run, const RowMatrix& X, double distortion, Method method, Index rank = 0) {
  const auto solved = [&](RunContext& inner) {
    isometry::Options how;
    how.distortion = distortion;
    how.method = method;
    how.rank = rank;
    const Stopwatch watch;
    const isometry::Result result = isometry::solve({X}, how, inner);
    run.context.poll();
    return Fit{result.psi.rows(), result.distortion, watch.seconds(),
               result.reached(distortion) && result.summary.converged(), result.psi};
  };
  return method == Method::automatic ? solved(run.context) : run.within_budget(solved);
}

std::string rank_text(const std::optional<Fit>& fit) {
  return !fit ? "-" : fit->reached ? std::to_string(fit->rank) : fmt::format("<= {}", fit->rank);
}
std::string time_text(const IsometryRun& run, const std::optional<Fit>& fit) {
  return !fit || !fit->reached ? fmt::format("> {:g}", run.options.budget) : fmt::format("{:.2f}", fit->seconds);
}

Json row_json(std::string_view part, Index points, double distortion, Method method, const std::optional<Fit>& fit) {
  return {{"part", part},
          {"points", points},
          {"distortion", distortion},
          {"method", name_of(method)},
          {"rank", fit && fit->reached ? Json(fit->rank) : Json(nullptr)},
          {"measured_distortion", fit ? fit->distortion : kUnknown},
          {"seconds", fit ? fit->seconds : kUnknown}};
}

// --- Table 7.1 ------------------------------------------------------------------------------------------------------

struct SquaresRow {
  const char* file;
  Index points;
  double distortion;
  Index rank;
  double fromax, nile;  // seconds
};
constexpr std::array<SquaresRow, 6> kSquares = {{{"squares_7x7_60_f64.npy", 60, 0.4, 9, 1.3, 0.7},
                                                 {"squares_7x7_60_f64.npy", 60, 0.25, 9, 1.2, 1.1},
                                                 {"squares_7x7_60_f64.npy", 60, 0.1, 13, 1.4, 1.5},
                                                 {"squares_14x14_200_f64.npy", 200, 0.4, 16, 511.2, 109.1},
                                                 {"squares_14x14_200_f64.npy", 200, 0.25, 18, 269.4, 144.4},
                                                 {"squares_14x14_200_f64.npy", 200, 0.1, 27, 74.5, 448.5}}};

void table71(IsometryRun& run) {
  TextTable& table = run.table(
      "Table 7.1: squares, at the paper's rank, and the smallest rank found",
      {"points", "distortion", "paper's rank", "FroMax s", "paper", "NILE-Pro s", "paper", "smallest rank", "seconds"},
      {"our own draws of sub-pixel squares; FroMax and NILE-Pro at the paper's rank, with its corrected steps and all "
       "pairs; smallest rank: --method auto"});
  for (const SquaresRow& row : kSquares) {
    if (run.options.quick && row.points > 60) continue;
    const RowMatrix X = read_matrix(data_file(fmt::format("isometry/{}", row.file)), run.context);
    std::map<Method, std::string> text;
    std::optional<Fit> own;
    for (const Method method : {Method::fromax, Method::nile, Method::automatic}) {
      if (!contains(run.options.methods, name_of(method))) continue;
      run.tell("Table 7.1, {} points, distortion {}, {}", row.points, row.distortion, name_of(method));
      const auto fit = fitted(run, X, row.distortion, method, method == Method::automatic ? 0 : row.rank);
      text[method] = time_text(run, fit);
      if (method == Method::automatic) own = fit;
      Json json = row_json("table7.1", row.points, row.distortion, method, fit);
      json["paper"] = {{"rank", row.rank}, {"seconds", method == Method::fromax ? row.fromax : row.nile}};
      if (method == Method::automatic) json["paper"] = {{"rank", row.rank}};
      run.keep(std::move(json));
    }
    table.rows.push_back({std::to_string(row.points), number_text(row.distortion), std::to_string(row.rank),
                          text[Method::fromax], number_text(row.fromax), text[Method::nile], number_text(row.nile),
                          own ? rank_text(own) : "", own ? fmt::format("{:.2f}", own->seconds) : ""});
  }
}

// --- Table 7.2 ------------------------------------------------------------------------------------------------------

struct DigitsRow {
  double distortion;
  Index points;
  std::array<Index, 3> rank;  // NILE-Pro, FroMax, NuMax
  std::array<double, 3> seconds;
};
constexpr std::array<DigitsRow, 9> kDigits = {{{0.4, 95, {7, 9, 12}, {25, 102, 71}},
                                               {0.4, 200, {9, 15, 21}, {96, 520, 311}},
                                               {0.4, 500, {11, 27, 25}, {710, 2490, 3477}},
                                               {0.2, 95, {11, 11, 14}, {28, 111, 56}},
                                               {0.2, 200, {14, 16, 18}, {130, 569, 557}},
                                               {0.2, 500, {18, 40, 27}, {751, 1498, 3517}},
                                               {0.1, 95, {15, 15, 16}, {41, 91, 21}},
                                               {0.1, 200, {20, 19, 21}, {165, 823, 279}},
                                               {0.1, 500, {25, 44, 30}, {1285, 650, 3410}}}};

void table72(IsometryRun& run) {
  TextTable& table = run.table(
      "Table 7.2: smallest rank and seconds, images of the digit 5, 7 x 7",
      {"distortion", "points", "auto", "s", "NILE-Pro", "s", "paper", "s", "FroMax", "s", "paper", "s", "NuMax", "s",
       "paper", "s"},
      {"the first rows of our file; the paper's subset is not known. All pairs, verified; rank adjustment with column "
       "generation for every method",
       "'<= r': the budget ended before the rank could be lowered further"});
  const RowMatrix all = read_matrix(data_file("isometry/mnist5_train_7x7_f32.npy"), run.context);
  constexpr std::array kOrder = {Method::nile, Method::fromax, Method::numax};
  for (const DigitsRow& row : kDigits) {
    if (run.options.quick && row.points > 95) continue;
    const RowMatrix X = all.topRows(row.points);
    std::vector<std::string> cells = {number_text(row.distortion), std::to_string(row.points), "", ""};
    const auto measure = [&](Method method) {
      run.tell("Table 7.2, {} points, distortion {}, {}", row.points, row.distortion, name_of(method));
      const auto fit = fitted(run, X, row.distortion, method);
      run.keep(row_json("table7.2", row.points, row.distortion, method, fit));
      return fit;
    };
    if (contains(run.options.methods, "auto")) {
      const auto fit = measure(Method::automatic);
      cells[2] = rank_text(fit);
      cells[3] = time_text(run, fit);
      run.found.rows.back()["paper"] = {{"rank", std::ranges::min(row.rank)}, {"seconds", nullptr}};
    }
    for (std::size_t k = 0; k < kOrder.size(); ++k) {
      cells.insert(cells.end(), {"", "", std::to_string(row.rank[k]), number_text(row.seconds[k])});
      if (!contains(run.options.methods, name_of(kOrder[k]))) continue;
      const auto fit = measure(kOrder[k]);
      cells[cells.size() - 4] = rank_text(fit);
      cells[cells.size() - 3] = time_text(run, fit);
      run.found.rows.back()["paper"] = {{"rank", row.rank[k]}, {"seconds", row.seconds[k]}};
    }
    table.rows.push_back(std::move(cells));
  }
}

// --- Table 7.3 ------------------------------------------------------------------------------------------------------

struct MnistRow {
  double distortion;
  Index rank;
  double numax_error, numax_hours, fromax_error, fromax_hours;
};
constexpr std::array<MnistRow, 3> kMnist = {
    {{0.4, 72, 3.09, 0.926, 3.00, 0.411}, {0.25, 98, 3.15, 1.273, 3.26, 0.811}, {0.1, 167, 3.31, 2.664, 3.42, 1.358}}};
constexpr double kPaperError = 3.47;  // of the images themselves
constexpr Index kQuickImages = 2000;

// The central 20 × 20 of 28 × 28.
RowMatrix cropped(const RowMatrix& images, Index most) {
  constexpr Index kSide = 28, kKept = 20, kMargin = (kSide - kKept) / 2;
  RowMatrix out(std::min(most, images.rows()), kKept * kKept);
  for (Index i = 0; i < out.rows(); ++i)
    for (Index row = 0; row < kKept; ++row)
      out.row(i).segment(row * kKept, kKept) = images.row(i).segment((row + kMargin) * kSide + kMargin, kKept);
  return out;
}

double nearest_error(const RowMatrix& points, const Labels& labels, const RowMatrix& queries, const Labels& truth,
                     const RunContext& context) {
  const NeighbourTable table = cross_neighbours(queries, points, 1, context);
  Index wrong = 0;
  for (Index q = 0; q < queries.rows(); ++q)
    wrong += labels.of[std::size_t(table.rows_of(q)[0])] != truth.of[std::size_t(q)];
  return 100 * double(wrong) / double(queries.rows());
}

void table73(IsometryRun& run) {
  TextTable& table = run.table("Table 7.3: nearest-neighbour error on MNIST, 20 x 20",
                               {"distortion", "method", "measurements", "rank", "error %", "seconds", "paper's rank",
                                "NuMax %", "hours", "FroMax %", "hours"});
  const auto part = [&](const std::string& images, Index most) {
    return cropped(read_dataset(data_file("mnist/" + images + "-images-idx3-ubyte.gz"), {}, run.context).dense(), most);
  };
  const Index most = run.options.quick ? kQuickImages : std::numeric_limits<Index>::max();
  run.tell("Table 7.3, reading MNIST");
  const RowMatrix train = part("train", most), test = part("t10k", most);
  const Labels train_labels = read_labels(data_file("mnist/train-labels-idx1-ubyte.gz"), run.context),
               test_labels = read_labels(data_file("mnist/t10k-labels-idx1-ubyte.gz"), run.context);
  run.tell("Table 7.3, all 400 pixels");
  const double plain = nearest_error(train, train_labels, test, test_labels, run.context);
  table.notes = {
      fmt::format("all pairs of {} images, verified; the paper's ranks are for sampled secants", train.rows()),
      fmt::format("1-NN on all 400 pixels: {:.2f} %, the paper's {} %", plain, kPaperError),
      "NuMax-CG and FroMax-CG: the paper's methods on the pairs that column generation brings in, here of all pairs. "
      "'-': nothing, and '<= r': not within the distortion on all pairs, when the budget ended"};
  // As many measurements as the paper has, and as few as are found: fewer keep less of what tells digits apart.
  const auto measured = [&](const MnistRow& row, Method method, const std::string& name, Index rank) {
    if (!contains(run.options.methods, name_of(method))) return;
    run.tell("Table 7.3, distortion {}, {}, {}", row.distortion, name,
             rank > 0 ? fmt::format("rank {}", rank) : std::string("smallest rank"));
    auto fit = fitted(run, train, row.distortion, method, rank);
    if (fit && fit->rank == train.cols()) fit.reset();  // nothing but all pixels
    double error = kUnknown;
    if (fit && fit->psi.rows() > 0) {
      const Matrix back = fit->psi.transpose();
      error = nearest_error(tall_product(train, back, run.context), train_labels, tall_product(test, back, run.context),
                            test_labels, run.context);
    }
    table.rows.push_back({number_text(row.distortion), name, rank > 0 ? "the paper's" : "smallest found",
                          rank_text(fit), std::isnan(error) ? "-" : fmt::format("{:.2f}", error),
                          fit && fit->reached ? fmt::format("{:.0f}", fit->seconds) : time_text(run, fit),
                          std::to_string(row.rank), number_text(row.numax_error), number_text(row.numax_hours),
                          number_text(row.fromax_error), number_text(row.fromax_hours)});
    Json json = row_json("table7.3", train.rows(), row.distortion, method, fit);
    json["asked_rank"] = rank;
    json["error"] = error;
    json["error_of_all_pixels"] = plain;
    json["paper"] = {{"rank", row.rank}, {"numax_error", row.numax_error}, {"fromax_error", row.fromax_error}};
    run.keep(std::move(json));
  };
  for (const MnistRow& row : kMnist) {
    measured(row, Method::automatic, "auto", row.rank);
    measured(row, Method::automatic, "auto", 0);
    measured(row, Method::numax, "NuMax-CG", 0);
    measured(row, Method::fromax, "FroMax-CG", row.rank);
  }
}

// --- Figure 7.2 -----------------------------------------------------------------------------------------------------

// Sixty images of 16 × 16, a square or a disk on a place drawn at random: what a pixel is covered by, from 8 × 8
// points.
RowMatrix squares_and_disks(std::uint64_t seed) {
  constexpr Index kImages = 60, kSide = 16, kFine = 8;
  constexpr double kHalf = 3.5;
  RowMatrix X = RowMatrix::Zero(kImages, kSide * kSide);
  Rng draw(seed, "squares and disks");
  for (Index i = 0; i < kImages; ++i) {
    const double x = draw.uniform(kHalf, double(kSide) - kHalf), y = draw.uniform(kHalf, double(kSide) - kHalf);
    for (Index r = 0; r < kSide * kFine; ++r)
      for (Index c = 0; c < kSide * kFine; ++c) {
        const double u = (double(c) + 0.5) / kFine - x, v = (double(r) + 0.5) / kFine - y;
        const bool inside = i % 2 == 0 ? std::max(std::abs(u), std::abs(v)) <= kHalf : u * u + v * v <= kHalf * kHalf;
        X(i, r / kFine * kSide + c / kFine) += inside ? 1.0 / (kFine * kFine) : 0.0;
      }
  }
  return X;
}

void figure72(IsometryRun& run) {
  const RowMatrix X = squares_and_disks(run.context.seed);
  const std::vector<double> distortions =
      run.options.quick ? std::vector<double>{0.1, 0.3, 0.5} : std::vector<double>{0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
  LinePlot plot;
  plot.title = "Measurements against distortion";
  plot.subtitle = "sixty squares and disks, 16 x 16 pixels (Figure 7.2)";
  plot.x_label = "distortion of squared distances";
  plot.y_label = "measurements";
  TextTable& table =
      run.table("Figure 7.2: measurements against distortion, squares and disks", {"distortion"},
                {"our own draws; the paper shows curves without numbers: NILE-Pro RA the lowest, then FroMax RA, NuMax "
                 "and PCA"});
  const auto add = [&](const std::string& name, const std::function<double(double)>& rank_at) {
    LineSeries series{name, distortions, {}, {}};
    for (const double distortion : distortions) {
      run.tell("Figure 7.2, distortion {}, {}", distortion, name);
      series.y.push_back(rank_at(distortion));
    }
    plot.series.push_back(std::move(series));
  };
  for (const Method method : {Method::automatic, Method::nile, Method::fromax, Method::numax})
    if (contains(run.options.methods, name_of(method)))
      add(name_of(method), [&](double distortion) {
        const auto fit = fitted(run, X, distortion, method);
        run.keep(row_json("figure7.2", X.rows(), distortion, method, fit));
        return fit && fit->reached ? double(fit->rank) : kUnknown;
      });
  add("PCA", [&](double distortion) {
    const Index rank = isometry::principal_rank(X, distortion, run.context);
    run.keep({{"part", "figure7.2"}, {"distortion", distortion}, {"method", "pca"}, {"rank", rank}});
    return double(rank);
  });
  for (const LineSeries& series : plot.series) table.columns.push_back(series.name);
  for (std::size_t k = 0; k < distortions.size(); ++k) {
    std::vector<std::string> cells = {number_text(distortions[k])};
    for (const LineSeries& series : plot.series)
      cells.push_back(std::isnan(series.y[k]) ? "-" : fmt::format("{:.0f}", series.y[k]));
    table.rows.push_back(std::move(cells));
  }
  run.draw("figure7.2", plot);
}

NearIsometricOptions settled(NearIsometricOptions asked) {
  asked.parts = expanded(asked.parts, kIsometryParts, "only");
  asked.methods = expanded(asked.methods, kIsometryMethods, "methods");
  return asked;
}

void measure(IsometryRun& run) {
  if (run.asked("table7.1")) table71(run);
  if (run.asked("table7.2")) table72(run);
  if (run.asked("figure7.2")) figure72(run);
  if (run.asked("table7.3")) table73(run);
}

}  // namespace

Paper near_isometric() {
  return paper("near-isometric",
               "Tables 7.1, 7.2 and 7.3 and Figure 7.2 of 'Practical Algorithms for Learning Near-Isometric Linear "
               "Embeddings'",
               "SVG picture of Figure 7.2", settled, measure);
}

}  // namespace ritz::reproduce
