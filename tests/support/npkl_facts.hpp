// SPDX-License-Identifier: MIT
// A small kernel-learning case with all its files and known optima, for solvers that take other problems than the dual.
#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "ritz/base/types.hpp"
#include "support/data_folder.hpp"
#include "support/npkl_case.hpp"

namespace ritz::test {

using Rows = std::vector<std::vector<double>>;

struct NpklCase {
  Index n;
  nlohmann::json facts;
  Rows X, edges, pairs;  // pairs: i, j, ±1; those without a file are empty

  double expected(const std::string& name) const { return facts["expected"][name]["objective"]; }

  Matrix laplacian() const { return case_laplacian(n, edges); }
  Matrix weights() const {
    Matrix W = Matrix::Zero(n, n);
    for (const auto& edge : edges) W(Index(edge[0]), Index(edge[1])) = W(Index(edge[1]), Index(edge[0])) = 1;
    return W;
  }
  double squared_distance(Index i, Index j) const {
    double sum = 0;
    for (std::size_t f = 0; f < X[0].size(); ++f)
      sum += (X[std::size_t(i)][f] - X[std::size_t(j)][f]) * (X[std::size_t(i)][f] - X[std::size_t(j)][f]);
    return sum;
  }
};

// Nothing where the program has been taken away from its source tree.
inline std::optional<NpklCase> npkl_case(const std::string& name) {
  const auto facts = case_file(name + ".json");
  if (!facts) return std::nullopt;
  const auto folder = std::filesystem::path(*facts).parent_path();
  NpklCase read;
  read.facts = nlohmann::json::parse(std::ifstream(*facts));
  read.n = read.facts["N"];
  read.X = number_rows(folder / (name + ".X.csv"));
  read.edges = number_rows(folder / (name + ".edges.csv"));
  read.pairs = number_rows(folder / (name + ".pairs.csv"));
  return read;
}

}  // namespace ritz::test
