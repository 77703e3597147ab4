// SPDX-License-Identifier: MIT
#include "graph/pair_files.hpp"

#include <doctest/doctest.h>

#include "support/errors.hpp"
#include "support/temporary_folder.hpp"

using namespace ritz;

namespace {

struct Files {
  test::TemporaryFolder folder;
  PairSet pairs(const std::string& text, Index samples, const std::vector<std::string>& ids = {}) const {
    return read_pairs(folder.file("pairs.csv", text), samples, {}, ids);
  }
  std::string refused_pairs(const std::string& text, Index samples, const std::vector<std::string>& ids = {}) const {
    return without_folder(test::complaint([&] { pairs(text, samples, ids); }));
  }
  std::string refused_edges(const std::string& text, Index vertices) const {
    const std::string path = folder.file("edges.csv", text);
    return without_folder(test::complaint([&] { read_edges(path, vertices, {}); }));
  }
  std::string without_folder(const test::Complaint& complaint) const {
    std::string text = complaint.message;
    if (const auto at = text.find(folder.path() + "/"); at != std::string::npos)
      text.erase(at, folder.path().size() + 1);
    return text;
  }
};

}  // namespace

TEST_CASE("pairs are read either way round, with every word for their kind, and know their line") {
  const Files files;

  const PairSet set = files.pairs("# of the expert\n0,1,must\n4,2,cannot\n\n1,3,+1\n3,4,-1\n0,4,1\n", 5);

  CHECK(set.points == 5);
  CHECK(set.source.ends_with("pairs.csv"));
  CHECK(set.pairs == std::vector<LinkedPair>{{0, 1, 1, 2}, {2, 4, -1, 3}, {1, 3, 1, 5}, {3, 4, -1, 6}, {0, 4, 1, 7}});
}

TEST_CASE("a header is left out, and samples may be named where they have ids") {
  const Files files;

  CHECK(files.pairs("first,second,link\n0,1,must\n", 2).pairs == std::vector<LinkedPair>{{0, 1, 1, 2}});
  CHECK(files.pairs("i;j;kind\n1;0;cannot\n", 2).pairs == std::vector<LinkedPair>{{0, 1, -1, 2}});
  const PairSet named = files.pairs("a,b,kind\nzoe,\"ann, b\",must\n7,zoe,cannot\n", 3, {"ann, b", "zoe", "7"});
  CHECK(named.pairs == std::vector<LinkedPair>{{0, 1, 1, 2}, {1, 2, -1, 3}});
  CHECK(named.name_of(0) == "ann, b");
}

TEST_CASE("what is wrong with a pairs file is said with its line") {
  const Files files;

  CHECK(files.refused_pairs("0,1,must\n0,150,must\n", 150) ==
        "pairs.csv, line 2: there is no sample 150; the 150 samples are numbered from 0 to 149");
  CHECK(files.refused_pairs("-1,1,must\n", 9) ==
        "pairs.csv, line 1: there is no sample -1; the 9 samples are numbered from 0 to 8");
  CHECK(files.refused_pairs("0,1,must\n3,3,cannot\n", 9) ==
        "pairs.csv, line 2: 3 is paired with itself; two samples are needed");
  CHECK(files.refused_pairs("0,1,maybe\n", 9) == "pairs.csv, line 1: 'maybe' is not one of must, cannot, +1, -1");
  CHECK(files.refused_pairs("0,1,must\n0,1.5,must\n", 9) == "pairs.csv, line 2: '1.5' is not a whole number");
  CHECK(files.refused_pairs("0,1,must\n1,2,must\n2,3\n", 9) == "pairs.csv, line 3: found 2 fields, expected 3");
  CHECK(files.refused_pairs("0 1\n", 9) == "pairs.csv, line 1: found 2 fields, expected 3");
  CHECK(files.refused_pairs("i,j,kind\n", 9) == "pairs.csv has no pair");
  CHECK(files.refused_pairs("# nothing\n", 9) == "pairs.csv has no pair");
  CHECK(files.refused_pairs("", 9) == "pairs.csv is empty");
  CHECK(files.refused_pairs("a,b,must\nb,q,must\n", 2, {"a", "b"}) == "pairs.csv, line 2: no sample has the id 'q'");
  CHECK(files.refused_pairs("a,b,must\n", 3, {"a", "b", "a"}) ==
        "the id 'a' names two samples, 0 and 2; pairs cannot tell them apart");
}

TEST_CASE("edges are sorted, either way round, and count once") {
  const Files files;
  const std::string path = files.folder.file("edges.csv", "from,to\n3,1\n0,2\n1,3\n0,1\n");

  const Graph graph = read_edges(path, 4, {});

  CHECK(graph.vertices == 4);
  CHECK(graph.edges == std::vector<Edge>{{0, 1}, {0, 2}, {1, 3}});
  CHECK(files.refused_edges("0,1\n2,2\n", 4) == "edges.csv, line 2: 2 is paired with itself; two samples are needed");
  CHECK(files.refused_edges("0,4\n", 4) ==
        "edges.csv, line 1: there is no sample 4; the 4 samples are numbered from 0 to 3");
  CHECK(files.refused_edges("0,1,1\n", 4) == "edges.csv, line 1: found 3 fields, expected 2");
  CHECK(files.refused_edges("i,j\n", 4) == "edges.csv has no edge");
}
