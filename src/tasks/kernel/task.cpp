// SPDX-License-Identifier: MIT
#include "tasks/kernel/task.hpp"
#include "tasks/projection/prepare.hpp"

#include <iterator>

#include "base/memory.hpp"
#include "data/footprint.hpp"
#include "graph/laplacian.hpp"
#include "graph/pair_files.hpp"
#include "model/loss_list.hpp"
#include "pairs/neighbours.hpp"
#include "ritz/cluster/kmeans.hpp"
#include "tasks/bounds/bounds.hpp"
#include "tasks/model/samples.hpp"

namespace ritz::kernel {

namespace {

constexpr Index kNeighbours = 10;  // of each sample in the graph
constexpr Index kUsualRank = 64;   // for the forecast: the rank is known only afterwards

Index cluster_count(const KernelOptions& options, const Labels& truth, Index n) {
  if (options.clusters == 0 && truth.size() == 0)
    fail(ErrorCode::bad_option, "say how many clusters to make: kernel.clusters K, or give a kernel.truth");
  const Index k = options.clusters > 0 ? options.clusters.value : truth.classes();
  if (options.clusters == 0 && k < 2)
    fail(ErrorCode::bad_option, "all labels are '{}': say how many clusters to make, kernel.clusters K",
         truth.names[0]);
  if (k < 2 || k > n)
    fail(ErrorCode::bad_option, "kernel.clusters is {}; it must lie in [2, {}] because there are {} samples", k, n, n);
  return k;
}

void refuse_two_sources(bool pairs, bool edges, const KernelOptions& options) {
  if (pairs && options.fraction > 0)
    fail(ErrorCode::bad_option,
         "kernel.pairs and kernel.fraction are two sources of the same; give the pairs, or have them drawn");
  if (edges && options.neighbours > 0)
    fail(ErrorCode::bad_option,
         "kernel.edges gives the graph; kernel.neighbours would make another one: give one of them");
}

void check_known(const Dataset& data, const KernelKnowledge& known, const KernelOptions& options) {
  const Index n = data.rows();
  if (n < 2) fail(ErrorCode::bad_data, "{}: one sample only; at least two are needed", data.source);
  const bool given = !known.pairs.pairs.empty();
  refuse_two_sources(given, known.edges.vertices > 0, options);
  if (!given && options.fraction <= 0)
    fail(ErrorCode::bad_option,
         "there is no pair to learn from: give kernel.pairs FILE, or have them drawn from labels by kernel.fraction R");
  if (!given && data.labels.size() == 0)
    fail(ErrorCode::bad_option,
         "kernel.fraction draws pairs from labels: give input.labels FILE or input.label_column NAME");
  if (given && known.pairs.points != n)
    fail(ErrorCode::bad_shape, "the pairs are of {} samples, but {} has {} rows", known.pairs.points, data.source, n);
  if (known.edges.vertices > 0 && known.edges.vertices != n)
    fail(ErrorCode::bad_shape, "the graph has {} vertices, but {} has {} rows", known.edges.vertices, data.source, n);
  if (known.truth.size() > 0 && known.truth.size() != n)
    fail(ErrorCode::bad_shape, "the truth has {} labels, but {} has {} rows", known.truth.size(), data.source, n);
}

// As given or drawn.
PairSet take_pairs(const Dataset& data, const KernelKnowledge& known, const KernelOptions& options,
                   KernelResult& result, const RunContext& context) {
  result.drawn = known.pairs.pairs.empty();
  PairSet given = result.drawn ? drawn_pairs(data.labels.of, options.fraction, context) : known.pairs;
  given.ids = data.ids;
  result.given = Index(given.pairs.size());
  result.settled = settled_pairs(given, options.on_conflict, options.closure, context);
  result.pairs = result.settled.pairs;
  if (result.pairs.pairs.empty()) fail(ErrorCode::bad_data, "every pair is dropped: none is left to learn from");
  return given;
}

void make_graph(const Dataset& data, const KernelKnowledge& known, const KernelOptions& options, KernelResult& result,
                const RunContext& context) {
  result.neighbours = resolved_neighbours(options, result.n);
  result.graph_given = known.edges.vertices > 0;
  if (result.graph_given) {
    result.graph = known.edges;
    return;
  }
  NeighbourGraph made =
      data.visit([&](const auto& X) { return neighbour_graph(X, result.neighbours, options.graph, context); });
  result.graph = std::move(made.graph);
  result.above = made.above;
  result.reach = reach_of(made.neighbours, result.neighbours, result.n);
}

void note_pairs(const KernelResult& result, const KernelOptions& options, std::vector<std::string>& notes) {
  const SettledPairs& settled = result.settled;
  if (!settled.dropped.empty())
    note(notes, "{} of {} pairs are dropped: they contradict the others", settled.dropped.size(), result.given);
  else if (settled.contradicted > 0)
    note(notes, "{} cannot-link{} must-links: kept, and nothing is concluded from their groups", settled.contradicted,
         settled.contradicted == 1 ? " contradicts" : "s contradict");
  if (options.active > 0)
    note(notes, "{} of {} pairs are used: those that name one of {} uncertain samples", result.pairs.pairs.size(),
         settled.pairs.pairs.size(), options.active);
}

void note_defaults(const Dataset& data, const KernelOptions& options, const Choice& choice, KernelResult& result) {
  std::map<std::string, std::string>& used = result.fit.summary.used;
  const npkl::Options& how = options.how;
  const std::string why =
      choice.pairs > 0 ? fmt::format("{} of {} pairs kept back agree", choice.agreed, choice.pairs) : "the default";
  if (options.neighbours == 0) used["neighbours"] = fmt::format("{}: {}", result.neighbours, why);
  if (options.graph == GraphKind::b_matching && !result.graph_given)
    used["graph"] = fmt::format("b-matching: at most {:.2g} % longer than the shortest", 100 * result.above);
  if (how.ridge == 0 && how.budget == 0)
    used["ridge"] = fmt::format("{}: the default for {} samples", number_text(npkl::default_ridge(result.n)), result.n);
  if (options.scale == GraphScaling::automatic)
    used["scale"] = data.sparse()      ? "none: sparse data"
                    : choice.pairs > 0 ? fmt::format("{}: {}", TextForm<GraphScaling>::print(choice.options.scale), why)
                                       : "standard";
}

// Where the samples' own kernel counts.
std::string blend_text(const Choice& choice) {
  const std::string why =
      choice.pairs > 0 ? fmt::format("{} of {} pairs kept back agree", choice.agreed, choice.pairs) : "very few pairs";
  return choice.share == 1 ? fmt::format("k-means of the samples: {}", why)
                           : fmt::format(
                                 "k-means, with the must-links, of the samples' own kernel ({:.0f} %) and the "
                                 "learned one: {}",
                                 100 * choice.share, why);
}

}  // namespace

Index resolved_neighbours(const KernelOptions& options, Index samples) {
  return options.neighbours > 0 ? options.neighbours : std::min<Index>(kNeighbours, samples - 1);
}

Scaling resolved_scaling(const KernelOptions& options, bool sparse) {
  if (options.scale == GraphScaling::automatic) return sparse ? Scaling::none : Scaling::standard;
  return options.scale == GraphScaling::standard ? Scaling::standard
         : options.scale == GraphScaling::center ? Scaling::center
                                                 : Scaling::none;
}

KernelResult fit(const Dataset& data, const KernelKnowledge& known, const KernelOptions& asked, RunContext& context) {
  ritz::check(asked);
  check_known(data, known, asked);
  const Labels& truth = known.truth.size() > 0 ? known.truth : data.labels;
  KernelResult result;
  result.n = data.rows();
  result.d = data.cols();
  result.ids = data.ids;
  std::string counted_by;
  KernelOptions told = asked;
  if (asked.clusters.automatic()) {
    const projection::ScaledSamples X(data, learn_scaling(data, resolved_scaling(asked, data.sparse())));
    const CountedClusters found = projection::cluster_count(X.samples(), context);
    told.clusters = found.count;
    counted_by = found.reason;
  }
  const Index k = cluster_count(told, truth, result.n);
  std::map<std::string, double> seconds;
  std::vector<std::string> notes = data.notes;
  Choice choice;
  {
    const PhaseTimer timer(seconds, "pairs");
    const PairSet given = take_pairs(data, known, asked, result, context);
    choice = chosen_setting(data, given, k, known.edges.vertices > 0, asked, context);
  }
  const KernelOptions& options = choice.options;
  const Scaling kind = resolved_scaling(options, data.sparse());
  const double edges = known.edges.vertices > 0 ? double(known.edges.edges.size())
                                                : double(result.n) * double(resolved_neighbours(options, result.n));
  require_memory(forecast(data_bytes(data) * (kind == Scaling::none ? 1 : 2), result.n, edges,
                          double(result.pairs.pairs.size()), double(std::min(result.n, kUsualRank))),
                 context, fmt::format("learning a kernel of {} samples", result.n));
  result.data_hash = data_hash(data);
  std::shared_ptr<const Dataset> scaled;
  Sparse laplacian;
  {
    const PhaseTimer timer(seconds, "graph");
    result.scaling = learn_scaling(data, kind);
    if (data.sparse()) result.scaling.mean.setZero();
    scaled = scaled_data(data, result.scaling);
    make_graph(*scaled, known, options, result, context);
    laplacian = normalised_laplacian(result.graph);
  }
  {
    const PhaseTimer timer(seconds, "solve");
    if (options.active > 0)
      result.pairs = npkl::active_pairs(laplacian, result.settled.pairs, options.active, options.how, context);
    RunContext inner = context.nested("kernel");
    result.fit = npkl::solve(laplacian, result.pairs, options.how, inner);
  }
  Summary& summary = result.fit.summary;
  note_pairs(result, options, notes);
  std::ranges::move(summary.notes, std::back_inserter(notes));
  summary.notes = std::move(notes);
  result.factor = result.fit.kernel.root();
  {
    const PhaseTimer timer(seconds, "cluster");
    const RunContext calm = context.uninterrupted();  // belongs to the result, also after Ctrl-C
    make_clusters(k, options, choice.share > 0 ? countable(*scaled) : RowMatrix(), choice.share, result, calm);
    if (result.blend.samples > 0) summary.used["clusters"] = blend_text(choice);
    if (truth.size() > 0) compare_with(truth, k, *scaled, options, result, calm);
  }
  if (options.suggest > Index(result.suggestions.size()))
    note(summary.notes, "only {} are worth asking about: the answers to all others are known",
         counted(Index(result.suggestions.size()), "pair"));
  summary.seconds = std::move(seconds);
  if (!counted_by.empty()) summary.used["count"] = counted_by;
  note_defaults(data, asked, choice, result);
  return result;
}

// --- the row --------------------------------------------------------------------------------------------------------

namespace {

// From a file, or from three columns i, j, sign in memory. Names that nobody asked for do not forbid numbers.
PairSet given_pairs(const Inputs& inputs, const Dataset& data, const RunContext& context) {
  if (!inputs.has("pairs")) return {};
  const std::string path = inputs.word("pairs");
  if (!path.empty() && path != "-" && !data.ids.empty() && !inputs.data.data && inputs.data.read.id_column.empty())
    try {
      return read_pairs(path, data.rows(), context);
    } catch (const Error&) {  // by name, then
    }
  return path.empty() ? linked_pairs(rows_of(inputs, "pairs"), data.rows(), data.ids)
                      : read_pairs(path, data.rows(), context, data.ids);
}

std::string pairs_csv(const KernelResult& found) {
  std::string text = "i,j,link,alpha,kernel\n";
  const PairSet& set = found.pairs;
  for (std::size_t k = 0; k < set.pairs.size(); ++k) {
    const LinkedPair& pair = set.pairs[k];
    const double value = found.factor.row(pair.i).dot(found.factor.row(pair.j));
    const double alpha = Index(k) < found.fit.alpha.size() ? found.fit.alpha(Index(k)) : kUnknown;
    text += fmt::format("{},{},{},{},{}\n", set.name_of(pair.i), set.name_of(pair.j), pair.sign > 0 ? "must" : "cannot",
                        number_text(alpha), number_text(value));
  }
  return text;
}

// Rows "i,j" without a header: with a third field they are a pairs file.
std::string suggestions_csv(const KernelResult& found) {
  std::string text;
  for (const Edge& pair : found.suggestions)
    text += fmt::format("{},{}\n", found.pairs.name_of(pair.i), found.pairs.name_of(pair.j));
  return text;
}

}  // namespace

std::vector<InputRow> KernelTask::inputs() {
  return {{"pairs", "file with rows i,j,must or i,j,cannot; samples from 0, or by their ids"},
          {"truth", "file, or column of X, with labels that the clusters are only compared with (default: the labels)"},
          {"edges", "file with the edges i,j of the graph, from 0, in place of neighbours"}};
}

std::vector<Output<KernelTask>> KernelTask::outputs() {
  return {save("kernel", "a factor F of the kernel, a row a sample: K = F F'",
               [](const F& fit) {
                 const RowMatrix& factor = fit.result.factor;
                 return NamedColumns{factor, numbered_names("axis", factor.cols()), RowKind::sample};
               }),
          save("labels", "the clusters found, one a line", [](const F& fit) { return fit.result.labels; }),
          save_model(),
          save("pairs", "the pairs that were used, each with its alpha and its kernel value",
               [](const F& fit) { return pairs_csv(fit.result); }),
          save("suggestions", "where the suggested pairs go (-: standard output)",
               [](const F& fit) { return suggestions_csv(fit.result); }),
          save_trace("objective and gap of every step"),
          plot("picture (SVG or PNG) of the samples in the two leading dimensions of the kernel",
               [](const F& fit) { return plot_svg(fit.result); })};
}

void KernelTask::settle(TaskCall& call, const KernelOptions& options) {
  refuse_two_sources(call.inputs.has("pairs"), call.inputs.has("edges"), options);
  make_loss(options.how.loss, options.how.penalty);  // a slip is told before a large file is read
  if (call.files.contains("model")) require_extension(options);
  const bool placed = call.files.contains("suggestions");
  if (options.suggest == 0 && placed)
    fail(ErrorCode::bad_option, "kernel.save_suggestions says where suggestions go; ask for some by kernel.suggest N");
  // They are asked for to be read: on standard output, unless a file or the JSON object takes them.
  const auto json = call.files.find("json");
  if (options.suggest > 0 && !placed && !(json != call.files.end() && json->second == "-"))
    call.files["suggestions"] = "-";
}

std::shared_ptr<const Dataset> KernelTask::read(const Inputs& inputs, const KernelOptions&, KernelKnowledge& known,
                                                const RunContext& context) {
  Inputs all = inputs;
  auto data = dataset_and_columns(all, {"truth"}, context);
  known.pairs = given_pairs(all, *data, context);
  known.edges = given_graph(all, "edges", data->rows(), context);
  known.truth = all.labels("truth", data->rows(), context);
  return data;
}

}  // namespace ritz::kernel
