// SPDX-License-Identifier: MIT
#include "ritz/graph/graph.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "graph/pair_files.hpp"
#include "ritz/base/random.hpp"
#include "ritz/data/io.hpp"
#include "support/data_folder.hpp"

using namespace ritz;

namespace {

NeighbourTable nearest(const RowMatrix& X, Index k) { return tree_neighbours(X, X, k, OwnRow::is_left_out, {}); }

}  // namespace

TEST_CASE("an edge joins two vertices when both, or either, name the other") {
  CHECK(rc::check([] {
    const Index n = *rc::gen::inRange<Index>(2, 40), k = *rc::gen::inRange<Index>(1, n);
    const RowMatrix X = Rng(*rc::gen::inRange<std::uint64_t>(0, 1000), "points").normal_matrix(n, 2);
    const NeighbourTable table = nearest(X, k);
    const Index first = *rc::gen::inRange<Index>(1, k + 1);
    const auto names = [&](Index i, Index j) {
      const auto rows = table.rows_of(i).first(std::size_t(first));
      return std::ranges::find(rows, j) != rows.end();
    };

    std::vector<Edge> both, either;
    for (Index i = 0; i < n; ++i)
      for (Index j = i + 1; j < n; ++j) {
        if (names(i, j) && names(j, i)) both.push_back({i, j});
        if (names(i, j) || names(j, i)) either.push_back({i, j});
      }

    RC_ASSERT(neighbour_graph(table, first, GraphKind::mutual).edges == both);
    RC_ASSERT(neighbour_graph(table, first, GraphKind::union_).edges == either);
  }));
}

TEST_CASE("components, degrees and isolated vertices of a small graph") {
  const Graph graph{7, {{0, 3}, {2, 5}, {3, 6}}};

  const Components parts = connected_components(graph);

  CHECK(parts.count == 4);
  CHECK(parts.of == std::vector<Index>{0, 1, 2, 0, 3, 2, 0});
  CHECK(parts.sizes() == std::vector<Index>{3, 1, 2, 1});
  CHECK(isolated_vertices(graph) == std::vector<Index>{1, 4});
  CHECK(degrees(graph) == Vector{{1, 0, 1, 2, 0, 1, 1}});
}

TEST_CASE("names of the kinds of graphs are read and printed") {
  CHECK(TextForm<GraphKind>::parse("union") == GraphKind::union_);
  CHECK(TextForm<GraphKind>::print(GraphKind::mutual) == "mutual");
}

TEST_CASE("mutual graphs of the papers' data are those of the stored cases, edge by edge") {
  for (const std::string name : {"iris", "heart", "wine"}) {
    CAPTURE(name);
    const auto data = test::data_file("npkl/" + name + ".csv");
    const auto edges = test::case_file("mid_" + name + ".edges.csv");
    if (!data || !edges) continue;
    const Dataset samples = read_dataset(*data, {}, {});
    const Graph expected = read_edges(*edges, samples.rows(), {});

    const Graph graph = neighbour_graph(nearest(samples.dense(), 5), GraphKind::mutual);

    CHECK(graph.edges == expected.edges);
    if (name == "heart") CHECK(isolated_vertices(graph).size() == 8);  // as the method page counts them
  }
}
