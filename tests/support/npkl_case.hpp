// SPDX-License-Identifier: MIT
// The small kernel-learning instances with known optima: tests/cases/npkl.
#pragma once

#include <cmath>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "algorithms/kernel_dual.hpp"
#include "support/data_folder.hpp"

namespace ritz::test {

inline std::vector<std::vector<double>> number_rows(const std::string& path) {
  std::vector<std::vector<double>> rows;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    rows.emplace_back();
    for (std::string field; std::getline(fields, field, ',');) rows.back().push_back(std::stod(field));
  }
  return rows;
}

// I − D^(−½)SD^(−½), zero for isolated vertices, written out on its own.
inline SparseRows case_laplacian(Index n, const std::vector<std::vector<double>>& edges) {
  Matrix S = Matrix::Zero(n, n);
  for (const auto& edge : edges) S(Index(edge[0]), Index(edge[1])) = S(Index(edge[1]), Index(edge[0])) = 1;
  const Vector degree = S.rowwise().sum();
  Matrix L = Matrix::Zero(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      if (degree(i) > 0 && degree(j) > 0) L(i, j) = (i == j ? 1.0 : 0.0) - S(i, j) / std::sqrt(degree(i) * degree(j));
  return L.sparseView();
}

// A case as a problem of the dual: pairs count twice, base −L. Nothing, with a line in the output, where it is absent.
inline std::optional<kernel_dual::Problem> pairs_case(const std::string& name, Index n, const std::string& loss,
                                                      double penalty, kernel_dual::Capacity capacity) {
  const auto edges = case_file(name + ".edges.csv");
  const auto pairs = case_file(name + ".pairs.csv");
  if (!edges || !pairs) return std::nullopt;
  std::vector<SignedPair> list;
  for (const auto& row : number_rows(*pairs)) list.push_back({Index(row[0]), Index(row[1]), row[2]});
  kernel_dual::Problem problem;
  problem.base.sparse = -case_laplacian(n, number_rows(*edges));
  problem.measurements = pair_entries(n, list);
  problem.targets = Vector::Ones(Index(list.size()));
  problem.weight = 2;
  problem.loss = make_loss(loss, penalty);
  problem.capacity = capacity;
  return problem;
}

}  // namespace ritz::test
