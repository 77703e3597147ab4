// SPDX-License-Identifier: MIT
// A second look at an embedding.

#include <limits>

#include "base/memory.hpp"
#include "pairs/neighbours.hpp"
#include "tasks/bounds/bounds.hpp"
#include "tasks/model/samples.hpp"
#include "tasks/unfold/task.hpp"

namespace ritz::unfold {

using namespace model_access;
using namespace second_look;

namespace {

Stored stored_fit(const ModelFile& model, const Json& info) {
  Stored stored;
  const auto method = TextForm<UnfoldMethod>::parse(fact<std::string>(info, "method"));
  if (!method) reject("names a method that is not known");
  stored.method = *method;
  if (is_baseline(*method))
    fail(ErrorCode::unsupported, "{} has no certificate to check", fact<std::string>(info, "method"));
  // An order that nobody violates needs no dual value at all.
  const bool none_needed = *method == UnfoldMethod::spe && fact<std::string>(info, "options", "solver") != "csdp" &&
                           fact<Index>(info, "result", "rounds") > 0;
  if (!model.arrays.contains("alpha") && !none_needed)
    fail(ErrorCode::unsupported,
         "the model holds no dual values, so that there is no bound to check: its solver "
         "was csdp, or was stopped before it had some");
  if (model.arrays.contains("alpha")) stored.alpha = column(model, "alpha", array(model, "alpha").rows()).col(0);
  stored.kernel_alpha = stored.alpha;
  stored.ridge = fact<double>(info, "options", "ridge");
  stored.budget = fact<double>(info, "options", "budget");
  if ((stored.ridge > 0 || stored.budget > 0) && *method != UnfoldMethod::spe)
    stored.kernel_alpha = column(model, "kernel_alpha", stored.alpha.size()).col(0);
  stored.smooth =
      model.arrays.contains("smooth") ? array(model, "smooth") : Matrix(array(model, "embedding").rows(), 0);
  if (*method == UnfoldMethod::spe && stored.alpha.size() > 0) {
    stored.triples = array(model, "triples");
    if (stored.triples.cols() != 3 || stored.triples.rows() != stored.alpha.size())
      reject("has arrays that do not fit together");
  }
  return stored;
}

void require_penalty(double penalty) {
  if (!(penalty > 0) || !std::isfinite(penalty)) reject("holds a number that is out of range: a penalty");
}

// New samples are placed by those of the model, and by as many neighbours as its graph was made of.
void look_at_samples(const ModelFile& model, const Json& info, const Dataset& scaled, const Graph& graph,
                     KernelCheck& check, const RunContext& context) {
  const auto require = [&](bool agrees, const char* note) {
    if (agrees) return;
    check.kept = false;
    check.notes.emplace_back(note);
  };
  require(holds_samples(model, scaled), "the samples in the model are not those of the data");
  const Json told = fact<Json>(info, "result", "graph");
  if (fact<std::string>(told, "source") == "given") {
    check.notes.emplace_back("the graph was given, not made from the data");
    return;
  }
  const auto kind = TextForm<GraphKind>::parse(fact<std::string>(info, "options", "graph_kind"));
  if (!kind) reject("names a graph that is not known");
  const Index k = fact<Index>(info, "options", "neighbours");
  const Graph anew = scaled.visit([&](const auto& X) { return neighbour_graph(X, k, *kind, context).graph; });
  require(anew.edges == graph.edges, "the graph in the model is not that of the data");
}

}  // namespace

KernelCheck check(const ModelFile& model, const Dataset& data, const RunContext& context) {
  const Json info = info_of(model);
  const Stored stored = stored_fit(model, info);
  const Index n = array(model, "embedding").rows();
  for (const char* name : {"embedding", "kernel_factor", "drawn_to", "smooth"})  // products of them are looked at
    if (const auto found = model.arrays.find(name);
        found != model.arrays.end() && !(found->second.squaredNorm() <= kLargestEntry * kLargestEntry))
      reject(fmt::format("holds a number that is out of range, in '{}'", name));
  const bool graph_alone = without_samples(model);
  if (!graph_alone && data.rows() != n)
    fail(ErrorCode::bad_shape, "{} has {} rows, the model was fitted to {}", data.source, data.rows(), n);
  KernelCheck check;
  check.stored_primal = number_or_unknown(info, "certificate", "primal");
  check.stored_dual = number_or_unknown(info, "certificate", "dual");
  check.tolerance = fact<double>(info, "options", "tolerance");
  check.agreement += check.tolerance;
  check.same_data = graph_alone || fact<std::string>(info, "data", "hash") == data_hash(data);
  if (!check.same_data) check.notes.push_back(data.source + " does not hold the data that the model was fitted to");

  Problem problem;
  problem.graph = stored_graph(model, n);
  check.edges = Index(problem.graph.edges.size());
  const Matrix& penalties = array(model, "penalties");
  if (penalties.rows() < 1 || penalties.cols() != 1) reject("has arrays that do not fit together");
  const Matrix& E = array(model, "embedding");
  if (E.cols() != fact<Index>(info, "result", "dimension")) reject("has arrays that do not fit together");
  const bool spe = stored.method == UnfoldMethod::spe;
  if ((stored.ridge > 0 || stored.budget > 0) && stored.smooth.cols() == 0)
    require_memory(8 * 4 * double(n) * double(n), context, fmt::format("a dense check of {} samples", n));
  if (spe) {
    require_penalty(penalties(0, 0));
    if (!graph_alone) look_at_samples(model, info, scaled_like_model(model, data), problem.graph, check, context);
    check_structure(stored, problem, penalties(0, 0), number_or_unknown(info, "result", "slack"), E, check, context);
    check.take_gap();
    return check;
  }
  const Dataset scaled = scaled_like_model(model, data);
  look_at_samples(model, info, scaled, problem.graph, check, context);
  problem.squared = edge_distances(scaled, problem.graph);
  if (stored.alpha.size() != problem.squared.size()) reject("has arrays that do not fit together");
  if (stored.method == UnfoldMethod::cmvu)
    for (const Index colour : numbers(column(model, "colours", n), std::numeric_limits<int>::max()))
      problem.labels.push_back(int(colour) - 1);
  const Matrix drawn_to = stored.method == UnfoldMethod::mve ? array(model, "drawn_to") : Matrix(n, 0);
  const Matrix& F = array(model, "kernel_factor");
  if (drawn_to.rows() != n || F.rows() != n || stored.smooth.rows() != n) reject("has arrays that do not fit together");
  if (stored.smooth.cols() > 0)
    note(check.notes, "of the embeddings within {} smooth vectors of the graph, not of all", stored.smooth.cols());
  if (stored.ridge > 0 || stored.budget > 0) {
    require_penalty(penalties(0, 0));
    if (stored.smooth.cols() > 0) look_at_smooth(stored.smooth, F, problem.graph, check);
    check_capacity(stored, problem, drawn_to, penalties(0, 0), E, check, context);
    check.scale = 0.5 * penalties(0, 0) * problem.squared.squaredNorm();
  } else {
    check.primal = check.dual = 0;
    const std::vector<ProblemPart> parts = problem_parts(problem, connected_components(problem.graph));
    if (Index(parts.size()) != penalties.rows()) reject("has arrays that do not fit together");
    for (std::size_t c = 0; c < parts.size(); ++c) {
      const ProblemPart& part = parts[c];
      const double penalty = penalties(Index(c), 0);
      if (part.rows.size() < 2 || !(part.problem.squared.maxCoeff() > 0)) continue;  // on one spot
      require_penalty(penalty);
      check.scale += 0.5 * penalty * part.problem.squared.squaredNorm();
      Matrix place = E(part.rows, Eigen::all);
      const Matrix factor = F(part.rows, Eigen::all);
      if (parts.size() > 1) place.rowwise() -= place.colwise().mean().eval();  // set side by side
      look_at_embedding(place, factor, check);
      const Matrix own = stored.smooth(part.rows, Eigen::all);
      const Index bound = (own.colwise().squaredNorm().array() > 0).count();  // fewer than the largest part has
      check_free(stored.method, part, stored.alpha(part.edges), factor, drawn_to(part.rows, Eigen::all),
                 own.leftCols(bound), penalty, check, context);
    }
  }
  check.take_gap();
  return check;
}

CheckReport UnfoldTask::check(const ModelFile& model, const Inputs& inputs, const CheckOptions&,
                              const RunContext& context) {
  const bool alone = without_samples(model) && !inputs.data.data && inputs.data.paths.empty();
  const auto data = alone ? std::make_shared<const Dataset>() : inputs.dataset(context);
  return bounds_report(unfold::check(model, *data, context), *data);
}

}  // namespace ritz::unfold
