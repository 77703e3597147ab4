// SPDX-License-Identifier: MIT
// The small kernel-learning problems with known optima: cases/npkl beside the folder of the data sets.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "ritz/base/types.hpp"
#include "support/data_folder.hpp"

namespace ritz::test {

using Rows = std::vector<std::vector<double>>;

inline Rows csv_rows(const std::filesystem::path& path) {
  Rows rows;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    std::vector<double>& row = rows.emplace_back();
    std::istringstream fields(line);
    for (std::string field; std::getline(fields, field, ',');) row.push_back(std::stod(field));
  }
  return rows;
}

struct NpklCase {
  Index n;
  nlohmann::json facts;
  Rows X, edges, pairs;  // pairs: i, j, ±1; those without a file are empty

  double expected(const std::string& name) const { return facts["expected"][name]["objective"]; }

  // Normalised Laplacian of the edges; 0 for an isolated vertex.
  Matrix laplacian() const {
    const Matrix W = weights();
    const Vector degree = W.rowwise().sum();
    Matrix L = Matrix::Zero(n, n);
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) {
        if (i == j && degree[i] > 0) L(i, j) = 1;
        if (W(i, j) != 0) L(i, j) = -W(i, j) / std::sqrt(degree[i] * degree[j]);
      }
    return L;
  }
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

// Nothing, with a line in the test's output, where the folder is absent.
inline std::optional<NpklCase> npkl_case(const std::string& name) {
  const auto folder = data_folder().parent_path() / "cases" / "npkl";
  const auto facts = folder / (name + ".json");
  if (!std::filesystem::is_regular_file(facts)) {
    MESSAGE("skipped: " << facts.string() << " is not there; set RITZ_DATA to the folder of the data sets beside it");
    return std::nullopt;
  }
  NpklCase read;
  read.facts = nlohmann::json::parse(std::ifstream(facts));
  read.n = read.facts["N"];
  read.X = csv_rows(folder / (name + ".X.csv"));
  read.edges = csv_rows(folder / (name + ".edges.csv"));
  read.pairs = csv_rows(folder / (name + ".pairs.csv"));
  return read;
}

}  // namespace ritz::test
