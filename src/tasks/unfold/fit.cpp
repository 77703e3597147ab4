// SPDX-License-Identifier: MIT

#include <iterator>

#include "base/memory.hpp"
#include "data/footprint.hpp"
#include "pairs/neighbours.hpp"
#include "tasks/model/samples.hpp"
#include "tasks/unfold/task.hpp"

namespace ritz::unfold {

namespace {

constexpr Index kStartColumns = 16;  // principal components that an unfolding starts from
constexpr Index kSoonJudged = 5000;  // samples among which neighbours are counted in less than a second

void check_asked(const Dataset& data, const Graph& given, const UnfoldOptions& options) {
  const Index n = data.rows();
  const Options& how = options.how;
  if (n < 2) fail(ErrorCode::bad_data, "{}: one sample only; at least two are needed", data.source);
  if (given.vertices > 0 && given.vertices != n)
    fail(ErrorCode::bad_shape, "the graph has {} vertices, but {} has {} rows", given.vertices, data.source, n);
  if (data.cols() == 0 && options.method != UnfoldMethod::spe)
    fail(ErrorCode::bad_option, "unfold.method {} needs the samples X: only spe embeds a graph alone",
         TextForm<UnfoldMethod>::print(options.method));
  if (how.dim >= n)
    fail(ErrorCode::bad_option, "unfold.dim is {}; it must lie in [1, {}] because there are {} samples", how.dim, n - 1,
         n);
  if (how.ridge > 0 && how.budget > 0)
    fail(ErrorCode::bad_option, "unfold.ridge and unfold.budget are two forms of the same limit; give one of them");
  if (options.method == UnfoldMethod::cmvu && data.labels.size() == 0)
    fail(ErrorCode::bad_option, "unfold.method cmvu needs labels: give input.labels FILE or input.label_column NAME");
  if (given.vertices > 0 && options.connect)
    fail(ErrorCode::bad_option, "unfold.connect grows the neighbour graph; the one of unfold.graph is taken as it is");
  if (options.components == GraphParts::each && has_capacity(options))
    fail(ErrorCode::bad_option,
         "unfold.components each is for unfolding without a limit: spe, unfold.ridge and unfold.budget embed "
         "all parts at once");
  if (!options.unlabelled.empty() && data.labels.size() == 0)
    fail(ErrorCode::bad_option, "unfold.unlabelled names one of the labels; there are none");
}

ColumnScaling scaling_of(const Dataset& data, UnfoldScaling asked) {
  if (data.cols() == 0) return {};
  const Scaling kind = asked == UnfoldScaling::none     ? Scaling::none
                       : asked == UnfoldScaling::center ? Scaling::center
                                                        : Scaling::standard;
  ColumnScaling scaling = learn_scaling(data, kind);
  if (asked == UnfoldScaling::msn ||
      (asked == UnfoldScaling::automatic && data.sparse())) {  // mean ‖x − μ‖² = Σ variances
    double sum = 0;
    for (double& factor : scaling.factor) sum += factor > 0 ? 1 / (factor * factor) : 0.0;
    if (!(sum > 0))
      throw Error(ErrorCode::bad_data, data.source + ": all samples are equal; there is nothing to unfold");
    scaling.factor.setConstant(1 / std::sqrt(sum));
  }
  if (data.sparse()) scaling.mean.setZero();
  return scaling;
}

bool asks_smooth(const UnfoldOptions& options, Index n) {
  return !is_baseline(options.method) && asked_smooth(resolved(options), n) > 0;
}

// Parts that no edge joins would be pushed apart without end, and the smoothest vectors would only tell them apart.
bool connects_by_itself(const UnfoldOptions& options, Index n) {
  return !is_baseline(options.method) && (!has_capacity(options) || asks_smooth(options, n)) &&
         options.components == GraphParts::together;
}

void make_graph(const Dataset& data, const Graph& given, const UnfoldOptions& options, UnfoldResult& found,
                const RunContext& context) {
  found.graph_given = given.vertices > 0;
  // The default is for tables of any size; a number of the caller's own is refused where there are fewer.
  const bool few = options.neighbours == UnfoldOptions().neighbours && data.rows() <= options.neighbours;
  const Index neighbours = few ? std::max<Index>(1, data.rows() - 1) : options.neighbours;
  found.neighbours = neighbours;
  if (found.graph_given) {
    found.graph = given;
  } else if (options.connect || connects_by_itself(options, data.rows())) {
    NeighbourGraph grown = data.visit(
        [&](const auto& X) { return connected_neighbour_graph(X, neighbours, options.graph_kind, context); });
    found.graph = std::move(grown.graph);
    found.neighbours = grown.k;
  } else {
    found.graph =
        data.visit([&](const auto& X) { return neighbour_graph(X, neighbours, options.graph_kind, context).graph; });
  }
}

void require_connected(const UnfoldResult& found) {
  if (found.parts.size() == 1) return;
  fail(ErrorCode::bad_data,
       "the graph has {} parts that no edge joins (samples: {}), which would be pushed apart without "
       "end: give a graph of one part, embed them one by one by unfold.components each, or bound the kernel by "
       "unfold.ridge or unfold.budget",
       found.parts.size(), parts_text(found.parts));
}

std::vector<int> known_labels(const Dataset& data, const UnfoldOptions& options) {
  std::vector<int> labels = data.labels.of;
  for (int& label : labels)
    if (data.labels.names[std::size_t(label)] == options.unlabelled) label = -1;
  std::vector<int> different = labels;
  std::ranges::sort(different);
  different.erase(std::unique(different.begin(), different.end()), different.end());
  if (std::ranges::count_if(different, [](int label) { return label >= 0; }) < 2)
    fail(ErrorCode::bad_data, "unfold.method cmvu needs labels of at least two classes");
  return labels;
}

struct Prepared {
  std::shared_ptr<const Dataset> data;  // scaled
  RowMatrix pca;                        // leading components
  Components components;
  Problem problem;  // empty for baselines
};

Prepared prepared(const Dataset& data, const Graph& given, const UnfoldOptions& options, UnfoldResult& found,
                  const RunContext& context) {
  Prepared made;
  found.scaling = scaling_of(data, options.scale);
  made.data = scaled_data(data, found.scaling);
  make_graph(*made.data, given, options, found, context);
  made.components = connected_components(found.graph);
  found.parts = made.components.sizes();
  if (found.d > 0) {
    const Index count = std::min<Index>(found.d, std::max<Index>(kStartColumns, options.how.dim + 5));
    made.pca = leading_components(*made.data, "linear", count, context);
  }
  if (options.method == UnfoldMethod::spe) {
    made.problem.graph = found.graph;
  } else if (!is_baseline(options.method)) {
    found.squared = edge_distances(*made.data, found.graph);
    made.problem = {found.graph, found.squared, {}, made.pca};
    if (options.method == UnfoldMethod::cmvu) made.problem.labels = known_labels(data, options);
  }
  return made;
}

void embed(const Prepared& made, const UnfoldOptions& options, UnfoldResult& found, std::vector<std::string>& notes,
           RunContext context) {
  if (is_baseline(options.method)) {
    solve_baseline(*made.data, options.how.dim, made.pca, found, context);
  } else if (found.parts.size() > 1 && options.components == GraphParts::each) {
    solve_parts(made.problem, made.components, resolved(options), found, context);
    note(notes, "{} parts (samples: {}) are embedded by themselves and set side by side", found.parts.size(),
         parts_text(found.parts));
  } else {
    if (!has_capacity(options)) require_connected(found);
    found.fit = solve(made.problem, resolved(options), context);
    found.factor = kernel_factor(found.fit);
    found.penalties = {found.fit.penalty};
  }
}

void note_defaults(const UnfoldOptions& options, UnfoldResult& found) {
  std::map<std::string, std::string>& used = found.fit.summary.used;
  const Options& how = options.how;
  if (how.penalty == 0 && !is_baseline(options.method))
    used["penalty"] =
        options.method == UnfoldMethod::spe ? fmt::format("{}: keeps the order", number_text(found.penalties[0]))
        : has_capacity(options)
            ? "1: the default"
            : fmt::format("{}: lets go about a hundredth of squared distances", number_text(found.penalties[0]));
  if (how.budget == 0 && how.ridge == 0 && options.method == UnfoldMethod::spe)
    used["budget"] = fmt::format("{}: the number of samples", found.n);
}

}  // namespace

bool has_capacity(const UnfoldOptions& options) {
  return !is_baseline(options.method) &&
         (options.how.ridge > 0 || options.how.budget > 0 || options.method == UnfoldMethod::spe);
}

Options resolved(const UnfoldOptions& options) {
  Options how = options.how;
  how.method = options.method == UnfoldMethod::cmvu  ? Method::cmvu
               : options.method == UnfoldMethod::mve ? Method::mve
               : options.method == UnfoldMethod::spe ? Method::spe
                                                     : Method::mvu;
  return how;
}

std::string parts_text(const std::vector<Index>& sizes) {
  constexpr std::size_t kShown = 5;
  std::string text;
  for (std::size_t c = 0; c < std::min(sizes.size(), kShown); ++c)
    text += fmt::format("{}{}", c == 0 ? "" : ", ", sizes[c]);
  return text + (sizes.size() > kShown ? ", …" : "");
}

Vector edge_distances(const Dataset& data, const Graph& graph) {
  Vector squared(Index(graph.edges.size()));
  data.visit([&](const auto& X) {
    for (Index e = 0; e < squared.size(); ++e) {
      const auto [i, j] = graph.edges[std::size_t(e)];
      squared(e) = (X.row(i) - X.row(j)).squaredNorm();
    }
  });
  return squared;
}

UnfoldResult fit(const Dataset& data, const Graph& given, const UnfoldOptions& options, RunContext& context) {
  ritz::check(options);
  check_asked(data, given, options);
  UnfoldResult found;
  found.method = options.method;
  found.n = data.rows();
  found.d = data.cols();
  std::map<std::string, double> seconds;
  std::vector<std::string> notes = data.notes;
  const double edges =
      given.vertices > 0 ? double(given.edges.size()) : double(found.n) * double(std::min(options.neighbours, found.n));
  const double copies = options.scale == UnfoldScaling::none ? 1 : 2;
  require_memory(forecast(copies * data_bytes(data), found.n, edges, options), context,
                 fmt::format("unfolding {} samples", found.n));
  found.data_hash = data_hash(data);
  Prepared made;
  {
    const PhaseTimer timer(seconds, "graph");
    made = prepared(data, given, options, found, context);
  }
  {
    const PhaseTimer timer(seconds, "solve");
    embed(made, options, found, notes, context.nested("unfold"));
  }
  {
    const PhaseTimer timer(seconds, "judge");
    RunContext calm = context.uninterrupted();  // belongs to the result, also after Ctrl-C, unless that would be felt
    if (found.n > kSoonJudged) calm.cancel = context.cancel;
    try {
      judge(*made.data, made.pca, options, found, calm);
    } catch (const Interrupted&) {
      notes.push_back("interrupted before the neighbours that stay neighbours were counted");
    }
  }
  Summary& summary = found.fit.summary;
  summary.seconds = std::move(seconds);
  std::ranges::move(summary.notes, std::back_inserter(notes));
  if (found.parts.size() > 1 && (is_baseline(options.method) || has_capacity(options)))
    note(notes, "the graph has {} parts that no edge joins (samples: {})", found.parts.size(), parts_text(found.parts));
  if (!found.graph_given && found.neighbours < options.neighbours)
    note(notes, "{} neighbours instead of {}: there are {} samples", found.neighbours, options.neighbours, found.n);
  if (found.neighbours > options.neighbours)
    note(notes, "{} neighbours instead of {} make the graph connected", found.neighbours, options.neighbours);
  if (found.fit.smooth.cols() > 0 && options.how.smooth == 0)
    note(notes,
         "the graph of so many samples is too dense to embed them freely: they are embedded within its {} smoothest "
         "vectors, and the certificate is of such embeddings (fewer unfold.neighbours, or fewer samples, would free "
         "them)",
         found.fit.smooth.cols());
  if (summary.termination == Termination::time_limit || summary.termination == Termination::max_iterations)
    note(notes, "more {}, a larger unfold.tolerance, fewer unfold.neighbours or fewer samples would certify it",
         summary.termination == Termination::time_limit ? "time" : "unfold.max_iterations");
  summary.notes = std::move(notes);
  note_defaults(options, found);
  return found;
}

}  // namespace ritz::unfold
