// SPDX-License-Identifier: MIT
#include "ritz/tasks/unfold.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "algorithms/clustering/embedding.hpp"
#include "ritz/base/error.hpp"
#include "ritz/model/bandwidth.hpp"
#include "tasks/model/samples.hpp"
#include "tasks/reduce/prepare.hpp"
#include "tasks/unfold/parts.hpp"

namespace ritz {

namespace {

bool has_capacity(const UnfoldOptions& options, const unfold::Options& how) {
  return how.ridge > 0 || how.budget > 0 || options.method == UnfoldMethod::spe;
}

void check_asked(const Dataset& data, const Graph& given, const UnfoldOptions& options, const unfold::Options& how) {
  const Index n = data.rows();
  if (n < 2) throw Error(ErrorCode::bad_data, fmt::format("{}: one sample only; at least two are needed", data.source));
  if (given.vertices > 0 && given.vertices != n)
    throw Error(ErrorCode::bad_shape,
                fmt::format("the graph has {} vertices, but {} has {} rows", given.vertices, data.source, n));
  if (data.cols() == 0 && options.method != UnfoldMethod::spe)
    throw Error(ErrorCode::bad_option, fmt::format("--method {} needs the samples X: only spe embeds a graph alone",
                                                   TextForm<UnfoldMethod>::print(options.method)));
  if (how.dim >= n)
    throw Error(ErrorCode::bad_option,
                fmt::format("--dim is {}; it must lie in [1, {}] because there are {} samples", how.dim, n - 1, n));
  if (how.ridge > 0 && how.budget > 0)
    throw Error(ErrorCode::bad_option, "--ridge and --budget are two forms of the same limit; give one of them");
  if (options.method == UnfoldMethod::cmvu && data.labels.size() == 0)
    throw Error(ErrorCode::bad_option, "--method cmvu needs labels: give --labels FILE or --label-column NAME");
  if (given.vertices > 0 && options.connect)
    throw Error(ErrorCode::bad_option, "--connect grows the neighbour graph; the one of --graph is taken as it is");
  if (options.components == GraphParts::each && has_capacity(options, how))
    throw Error(
        ErrorCode::bad_option,
        "--components each is for unfolding without a limit: spe, --ridge and --budget embed all parts at once");
  if (!options.unlabelled.empty() && data.labels.size() == 0)
    throw Error(ErrorCode::bad_option, "--unlabelled names one of the labels; there are none");
}

ColumnScaling scale_in_place(Dataset& data, UnfoldScaling asked) {
  if (data.cols() == 0) return {};
  const Scaling kind = asked == UnfoldScaling::none     ? Scaling::none
                       : asked == UnfoldScaling::center ? Scaling::center
                                                        : Scaling::standard;
  ColumnScaling scaling = learn_scaling(data, kind);
  if (asked == UnfoldScaling::msn) {  // mean ‖x − μ‖² = Σ variances
    double sum = 0;
    for (double& factor : scaling.factor) sum += factor > 0 ? 1 / (factor * factor) : 0.0;
    if (!(sum > 0))
      throw Error(ErrorCode::bad_data, data.source + ": all samples are equal; there is nothing to unfold");
    scaling.factor.setConstant(1 / std::sqrt(sum));
  }
  if (data.sparse()) scaling.mean.setZero();
  scale_columns(scaling.mean, scaling.factor, data);
  return scaling;
}

// Leading coordinates √λ·u of HKH.
struct LeadingComponents {
  RowMatrix scores;
  Embedding embedding;
};
LeadingComponents leading_components(const Dataset& data, const KernelSum& kernel, Index count,
                                     const RunContext& context) {
  const Samples X =
      data.sparse() ? Samples(std::get<SparseRows>(data.samples), Vector::Zero(data.cols()), Vector::Ones(data.cols()))
                    : Samples(data.dense());
  const KernelSum resolved = resolve_bandwidths(kernel, X, context).kernel;
  EmbeddingRequest request;
  request.count = std::min(count, data.rows() - 1);
  LeadingComponents found;
  found.embedding = spectral_embedding(KernelMatrix(X, resolved), request, Matrix(), context);
  found.scores = found.embedding.U * found.embedding.values.cwiseMax(0.0).cwiseSqrt().asDiagonal();
  return found;
}

void make_graph(const Dataset& data, const Graph& given, const UnfoldOptions& options, Unfolding& found,
                const RunContext& context) {
  found.graph_given = given.vertices > 0;
  found.neighbours = options.neighbours;
  if (found.graph_given) {
    found.graph = given;
  } else if (options.connect) {
    ConnectedGraph grown = std::visit(
        [&](const auto& X) { return connected_neighbour_graph(X, options.neighbours, options.graph_kind, context); },
        data.samples);
    found.graph = std::move(grown.graph);
    found.neighbours = grown.k;
  } else {
    found.graph = neighbour_graph(
        std::visit([&](const auto& X) { return nearest_neighbours(X, options.neighbours, context); }, data.samples),
        options.graph_kind);
  }
}

std::string sizes_text(const std::vector<Index>& sizes) {
  constexpr std::size_t kShown = 5;
  std::string text;
  for (std::size_t c = 0; c < std::min(sizes.size(), kShown); ++c)
    text += fmt::format("{}{}", c == 0 ? "" : ", ", sizes[c]);
  return text + (sizes.size() > kShown ? ", …" : "");
}

void require_connected(const Unfolding& found) {
  if (found.parts.size() == 1) return;
  throw Error(
      ErrorCode::bad_data,
      fmt::format("the graph has {} parts that no edge joins (samples: {}), which would be pushed apart without "
                  "end: raise --neighbours, give --connect, embed them one by one by --components each, or "
                  "bound the kernel by --ridge or --budget",
                  found.parts.size(), sizes_text(found.parts)));
}

std::vector<int> known_labels(const Dataset& data, const UnfoldOptions& options) {
  std::vector<int> labels = data.labels.of;
  for (int& label : labels)
    if (data.labels.names[std::size_t(label)] == options.unlabelled) label = -1;
  std::vector<int> different = labels;
  std::ranges::sort(different);
  different.erase(std::unique(different.begin(), different.end()), different.end());
  if (std::ranges::count_if(different, [](int label) { return label >= 0; }) < 2)
    throw Error(ErrorCode::bad_data, "--method cmvu needs labels of at least two classes");
  return labels;
}

void solve_baseline(const Dataset& data, Index dim, const RowMatrix& pca, Unfolding& found, const RunContext& context) {
  unfold::Result& fit = found.fit;
  const bool linear = found.method == UnfoldMethod::pca;
  const RowMatrix scores =
      linear
          ? pca
          : leading_components(data, parse_kernel("gaussian(sigma=median)"), std::max<Index>(dim, 10), context).scores;
  const Index d = std::min(dim, scores.cols());
  fit.embedding = RowMatrix::Zero(found.n, dim);
  fit.embedding.leftCols(d) = scores.leftCols(d);
  fit.spectrum = scores.colwise().squaredNorm();
  found.factor = scores;
  if (linear && pca.cols() >= std::min(data.cols(), found.n - 1)) {  // nothing is left out
    fit.trace = fit.spectrum.sum();
    fit.held = fit.trace > 0 ? fit.spectrum.head(d).sum() / fit.trace : 0.0;
  }
  fit.summary.termination = Termination::converged;
  fit.summary.message = "leading eigenvectors";
}

}  // namespace

unfold::Method unfold_method(UnfoldMethod method) {
  switch (method) {
    case UnfoldMethod::cmvu:
      return unfold::Method::cmvu;
    case UnfoldMethod::mve:
      return unfold::Method::mve;
    case UnfoldMethod::spe:
      return unfold::Method::spe;
    default:
      return unfold::Method::mvu;
  }
}

Vector edge_distances(const Dataset& data, const Graph& graph) {
  Vector squared(Index(graph.edges.size()));
  std::visit(
      [&](const auto& X) {
        for (Index e = 0; e < squared.size(); ++e) {
          const auto [i, j] = graph.edges[std::size_t(e)];
          squared(e) = (X.row(i) - X.row(j)).squaredNorm();
        }
      },
      data.samples);
  return squared;
}

double unfold_bytes(double data_bytes, Index samples, double edges, Index dim, bool capacity) {
  constexpr double kEdgeBytes = 900;  // table, edges, A with its copies, and a factor of the springs
  constexpr double kBlocks = 24, kMatrices = 4;
  const double n = double(samples), columns = double(std::max<Index>(10, dim + 5));
  return data_bytes + kEdgeBytes * edges + 8 * kBlocks * n * columns + (capacity ? 8 * kMatrices * n * n : 0.0);
}

Unfolding unfold_data(Dataset& data, const Graph& given, const UnfoldOptions& options, const unfold::Options& asked,
                      RunContext& context) {
  check(options);
  check(asked);
  check_asked(data, given, options, asked);
  const bool baseline = is_baseline(options.method);
  unfold::Options how = asked;
  how.method = unfold_method(options.method);
  Unfolding found;
  found.method = options.method;
  found.n = data.rows();
  found.d = data.cols();
  std::map<std::string, double> seconds;
  std::vector<std::string> notes = data.notes;
  const double edges =
      given.vertices > 0 ? double(given.edges.size()) : double(found.n) * double(std::min(options.neighbours, found.n));
  require_memory(unfold_bytes(data_bytes(data), found.n, edges, how.dim, !baseline && has_capacity(options, how)),
                 context, fmt::format("unfolding {} samples", found.n));
  found.data_hash = data_hash(data);

  RowMatrix pca;
  unfold::Problem problem;
  Components components;
  {
    const PhaseTimer timer(seconds, "graph");
    found.scaling = scale_in_place(data, options.scale);
    make_graph(data, given, options, found, context);
    components = connected_components(found.graph);
    found.parts = components.sizes();
    if (found.d > 0) {
      const Index count = std::min<Index>(found.d, std::max<Index>(8, how.dim + 5));
      pca = leading_components(data, parse_kernel("linear"), count, context).scores;
    }
    if (!baseline && how.method != unfold::Method::spe) {
      found.squared = edge_distances(data, found.graph);
      problem = {found.graph, found.squared, {}, pca};
      if (how.method == unfold::Method::cmvu) problem.labels = known_labels(data, options);
    }
  }
  {
    const PhaseTimer timer(seconds, "solve");
    RunContext inner = context.nested("unfold");
    if (baseline) {
      solve_baseline(data, how.dim, pca, found, inner);
    } else if (how.method != unfold::Method::spe && found.parts.size() > 1 && options.components == GraphParts::each) {
      solve_parts(problem, components, how, found, inner);
      notes.push_back(fmt::format("{} parts (samples: {}) are embedded by themselves and set side by side",
                                  found.parts.size(), sizes_text(found.parts)));
    } else {
      if (!has_capacity(options, how)) require_connected(found);
      if (how.method == unfold::Method::spe) problem.graph = found.graph;
      found.fit = unfold::solve(problem, how, inner);
      found.factor = kernel_factor(found.fit);
      found.penalties = {found.fit.penalty};
    }
  }
  Summary& summary = found.fit.summary;
  {
    const PhaseTimer timer(seconds, "judge");
    judge(data, pca, options, found, context.uninterrupted());  // belongs to the result, also after Ctrl-C
  }
  summary.seconds = std::move(seconds);
  std::ranges::move(summary.notes, std::back_inserter(notes));
  if (found.parts.size() > 1 && (baseline || has_capacity(options, how)))
    notes.push_back(fmt::format("the graph has {} parts that no edge joins (samples: {})", found.parts.size(),
                                sizes_text(found.parts)));
  if (found.neighbours > options.neighbours)
    notes.push_back(
        fmt::format("{} neighbours instead of {} make the graph connected", found.neighbours, options.neighbours));
  summary.notes = std::move(notes);
  if (how.penalty == 0 && !baseline)
    summary.used["penalty"] =
        how.method == unfold::Method::spe || has_capacity(options, how)
            ? "1: the default"
            : fmt::format("{}: lets go about a tenth of a distance", number_text(found.penalties[0]));
  if (how.budget == 0 && how.ridge == 0 && how.method == unfold::Method::spe)
    summary.used["budget"] = fmt::format("{}: the number of samples", found.n);
  return found;
}

}  // namespace ritz
