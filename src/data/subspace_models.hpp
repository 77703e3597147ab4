// SPDX-License-Identifier: MIT
// Collections of subspaces around a known centre: the two models of section 6 of the minimum-enclosing-ball paper, and
// subspaces that have nothing in common. Distances are squared chordal ones, Σ sin² of the principal angles.
#pragma once

#include <vector>

#include "ritz/base/random.hpp"
#include "ritz/base/types.hpp"

namespace ritz {

struct DrawnSubspaces {
  std::vector<Matrix> bases;  // orthonormal
  Matrix center;              // empty where there is none
};

// `outer` subspaces on the sphere around a centre Z₁ of dimension k, the others on a small one around Z₂, inside the
// ball of the first. Each is then completed by random dimensions to one drawn from own … largest.
struct NestedBall {
  Index n = 10, outer = 70, inner = 30;
  Index k = 3, inner_k = 3;  // Z₂ may have more dimensions than Z₁
  double squared_radius = 1, inner_squared_radius = 1.0 / 64;
  double inner_place = 9.0 / 16;  // squared distance of Z₂ from Z₁
  Index largest = 0;              // 0: not completed
  double noise = 0;               // total standard deviation over a basis
};
DrawnSubspaces draw_nested_ball(const NestedBall& model, Rng& rng);

// On the sphere around Z₁: anywhere, then on an arc between two points of it, then anywhere inside.
struct ArcModel {
  Index n = 15, anywhere = 100, on_arc = 100, inside = 100;
  Index k = 3;
  double squared_radius = 1;
  Index largest = 6;
  double noise = 0;
};
DrawnSubspaces draw_arc(const ArcModel& model, Rng& rng);

// Uniformly random, of dimensions smallest … largest.
DrawnSubspaces draw_unrelated(Index n, Index count, Index smallest, Index largest, Rng& rng);

// The noise of a signal-to-noise ratio in dB when the signal has k dimensions of unit length (section 7.3): √(k /
// 10^(snr/10)).
double noise_of_snr(double decibels, Index k);

}  // namespace ritz
