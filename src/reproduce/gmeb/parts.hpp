// SPDX-License-Identifier: MIT
// Section 5.1 and Figures 3 to 10 of 'On a Minimum Enclosing Ball of a Collection of Linear Subspaces' (Marrinan, Absil
// & Gillis 2021), measured here.
#pragma once

#include "data/subspace_models.hpp"
#include "reproduce/reproduction.hpp"
#include "ritz/algorithms/center.hpp"

namespace ritz::reproduce {

struct GmebOptions {
  static constexpr std::string_view name = "reproduce";
  std::vector<std::string> parts = {"all"};  // of the list in gmeb.cpp
  int trials = 10;
  bool quick = false;
  static constexpr auto fields() {
    return std::tuple{field("only", &GmebOptions::parts, "parts: example, figure3 to figure10"),
                      field("trials", &GmebOptions::trials, 1, 100'000, "draws of each collection; the paper has 100"),
                      field("quick", &GmebOptions::quick, "few sizes, and at most three draws: a first look")};
  }
};
struct GmebRun : Run<GmebOptions> {};

void gmeb_pictures(GmebRun& run, bool arc);  // Figures 3 and 4
void gmeb_orders(GmebRun& run, int figure);  // Figures 8, 9 and 10

}  // namespace ritz::reproduce
