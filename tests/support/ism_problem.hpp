// SPDX-License-Identifier: MIT
// Small ISM problems for the tests of its solvers.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ritz/algorithms/ism.hpp"
#include "support/pair_problem.hpp"

namespace ritz::testing {

struct Owned {  // a problem with the data it borrows
  PairProblem pairs;
  Samples X;
  ism::Problem problem;
  explicit Owned(PairProblem p) : pairs(std::move(p)), X(pairs.X), problem{X, pairs.gamma, pairs.kernel} {}
  Owned(const Owned&) = delete;
};

inline const std::vector<std::string> kKernels = {"linear",
                                                  "squared",
                                                  "gaussian(sigma=0.8)",
                                                  "multiquadric",
                                                  "polynomial(degree=3,offset=1)",
                                                  "rbf-relative",
                                                  "0.7*gaussian(sigma=1)+0.3*polynomial(degree=2)"};

}  // namespace ritz::testing
