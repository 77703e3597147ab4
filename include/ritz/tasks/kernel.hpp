// SPDX-License-Identifier: MIT
// From samples and pairs of them to a kernel and clusters: what `ritz kernel` does between reading and writing files.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "ritz/algorithms/npkl.hpp"
#include "ritz/data/dataset.hpp"
#include "ritz/data/preprocess.hpp"
#include "ritz/graph/graph.hpp"
#include "ritz/graph/pairs.hpp"

namespace ritz {

// automatic: standard for dense data, none for sparse. Neighbours do not change when all samples are shifted, so that
// sparse data are scaled but never centred, and stay sparse.
enum class GraphScaling { automatic, standard, center, none };
template <>
struct EnumNames<GraphScaling> {
  static constexpr std::array<std::string_view, 4> names = {"auto", "standard", "center", "none"};
};

enum class YesNo { no, yes };
template <>
struct EnumNames<YesNo> {
  static constexpr std::array<std::string_view, 2> names = {"false", "true"};
};

// Neighbours where none are asked for: k = 5 below 1000 samples, 50 from there on, at most all others.
Index default_neighbours(Index samples);

struct KernelOptions {
  static constexpr std::string_view name = "kernel";
  Index clusters = 0;  // 0: as many as the truth has
  double fraction = 0;
  Closure closure = Closure::closed;
  OnConflict on_conflict = OnConflict::error;
  Index neighbours = 0;
  GraphKind graph = GraphKind::union_;
  GraphScaling scale = GraphScaling::automatic;
  Index active = 0;
  Index suggest = 0;
  YesNo normalise_rows = YesNo::yes;
  int restarts = 20;
  static constexpr auto fields() {
    return std::tuple{
        field("clusters", &KernelOptions::clusters, 0, 1 << 24,
              "clusters to make with the kernel; 0: as many as the truth has classes"),
        field("fraction", &KernelOptions::fraction, 0.0, 1.0,
              "draw pairs from the labels until the must-links leave this part of n groups; smaller: more pairs"),
        field("closure", &KernelOptions::closure, "add the pairs that follow from the given ones, or take them raw"),
        field("on_conflict", &KernelOptions::on_conflict,
              "contradictory pairs: explain and end, drop as few as can be, or keep all and let the loss weigh them"),
        field("neighbours", &KernelOptions::neighbours, 0, 1 << 24,
              "neighbours of each sample in the graph; 0: 5 below 1000 samples, 50 from there on"),
        field("graph", &KernelOptions::graph, "join samples that are each other's neighbours, or one the other's"),
        field("scale", &KernelOptions::scale,
              "columns: standard (deviation 1), center, none, or auto: standard for dense data, none for sparse"),
        field("active", &KernelOptions::active, 0, 1 << 30,
              "keep only pairs that name one of this many samples of which a linear fit is least certain; 0: all"),
        field("suggest", &KernelOptions::suggest, 0, 1 << 24, "print this many pairs most worth asking about next"),
        field("normalise_rows", &KernelOptions::normalise_rows,
              "cluster the rows of the factor at length 1: the angles that the kernel gives, not its sizes"),
        field("restarts", &KernelOptions::restarts, 1, 1'000'000, "starts of k-means, of which the best is kept")};
  }
};

// What is known beside the samples.
struct KernelKnowledge {
  PairSet pairs;  // as given; without one they are drawn from the data's labels (KernelOptions::fraction)
  Graph edges;    // as given; without vertices the neighbour graph is made
  Labels truth;   // what clusters are compared with; empty: the data's labels, or nothing
};

// Agreement of one clustering with the truth. NaN, with a reason, where it was left out.
struct Agreement {
  std::string name;
  double rand = kUnknown, adjusted = kUnknown;
  std::string left_out{};
};

struct LearnedKernel {
  npkl::Result fit;   // with the summary; its phases are graph, pairs, solve and cluster
  RowMatrix factor;   // F, n × rank: K = F·Fᵀ
  Labels labels;      // clusters "1", "2", … by first appearance; K = 0 makes one
  RowMatrix centers;  // of the clusters, among the rows that were clustered: F's, at length 1 where so asked
  Index n = 0, d = 0;
  std::string data_hash;
  ColumnScaling scaling;  // mean 0 for sparse data
  Graph graph;
  bool graph_given = false;
  Index neighbours = 0;  // k of the graph; of new samples, where the graph was given
  Vector reach;          // squared distance of each sample's k-th neighbour; empty where the graph was given
  SettledPairs settled;
  PairSet pairs;  // what the kernel was fitted to: the settled ones, or the active part of them
  Index given = 0;
  bool drawn = false;
  std::vector<Agreement> baselines;  // with a truth: kernel, k-means, constrained k-means, random, one cluster
  std::vector<Edge> suggestions;     // the most uncertain first
  std::vector<std::string> ids;      // of the samples; empty: their numbers
  double rand = kUnknown, adjusted_rand = kUnknown;
};

// Scales the data in place. Throws Error for what the caller can put right; memory is checked first. Interrupted leaves
// the best kernel so far, or comes through when there is none. clusters = 0 without a truth: bad_option.
LearnedKernel learn_kernel(Dataset& data, const KernelKnowledge& known, const KernelOptions& options,
                           const npkl::Options& how, RunContext& context);

// About what a fit holds at a time: the samples, `edges` and `pairs`, and a few blocks of `rank` vectors.
double kernel_bytes(double data_bytes, Index samples, double edges, double pairs, double rank);

// F's rows as they are clustered: of length 1, or zero where they are (numerically) zero.
RowMatrix unit_rows(const RowMatrix& F);

// Pairs most worth asking about: the samples whose two nearest centers are most nearly equally near, the closest call
// first, at most one of each must-link group, each with the most central sample of its nearest cluster (of the next one
// where that pair follows from the known ones).
std::vector<Edge> suggested_pairs(const RowMatrix& points, const std::vector<int>& labels, const RowMatrix& centers,
                                  const PairSet& known, Index count);

}  // namespace ritz
