// SPDX-License-Identifier: MIT
// Clusters and the subspace that shows them, together: alternate between a spectral embedding U of the samples seen
// through W, and W = ISM for the weight of the pairs that U gives. Derivation: docs/algorithms/clustering.md.
//
// With L = K or D^(−½)KD^(−½), K = K(XW), D = diag(K1), and a fixed guidance G (n × r, weights g):
//   U step: the k leading eigenvectors of L (HLH where centred);
//   W step: maximise Tr(ΓK) by ISM from the last W, with D held fixed, for
//     Γ = UUᵀ                                     centred (unsupervised; HU = U)
//     Γ = D^(−½)UUᵀD^(−½) + G diag(g) Gᵀ          degree (semi-supervised: G = HS, g = μ)
//     Γ = D^(−½)(UUᵀ + G diag(g) Gᵀ)D^(−½)        degree_centred, guidance by degree (alternative clustering)
// F = Tr(ΓK). Unsupervised both steps raise F. With degrees D moves between the rounds and F may fall: rounds that
// settle give the last one, the only one that is stationary; rounds that are cut short give the best one.
#pragma once

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "ritz/algorithms/embedding.hpp"
#include "ritz/algorithms/ism.hpp"

namespace ritz {

// Where labels come from: the embedding that the subspace was fitted to; spectral clustering of XW with a Gaussian of
// median width, which serves kernels whose own embedding is led by outliers (polynomial); or k-means of XW, which
// looks at all of the subspace where the embedding's k leading directions may all be spent on few far samples.
enum class LabelBy { automatic, embedding, gaussian, subspace };
constexpr auto names_of(LabelBy) { return std::array{"auto", "embedding", "gaussian", "subspace"}; }

namespace clustering {

struct Problem {
  const Samples& X;  // n × d, borrowed
  KernelSum kernel;  // resolved
  Normalisation normalisation = Normalisation::centred;
  SymFactor guidance = {};          // n × r; without columns: none
  bool guidance_by_degree = false;  // D^(−½) stands on both sides of the guidance, too
};
Problem unsupervised(const Samples& X, KernelSum kernel);
// Expert scores S (n × r): with degrees, as in the paper, Γ = D^(−½)UUᵀD^(−½) + weight·HSSᵀH; centred
// Γ = UUᵀ + weight·HSSᵀH, which any kernel allows, and which has no trivial eigenvector of D^(−½)KD^(−½) in U that is
// highest where all samples fall together. Throws bad_shape unless there is a row a sample,
// bad_data naming the column where a score is the same for all samples.
Problem guided(const Samples& X, KernelSum kernel, const RowMatrix& scores, double weight,
               Normalisation normalisation = Normalisation::degree);

// The rows of every loop of rounds over U and W; its defaults are the struct's own.
template <class Loop>
constexpr auto loop_rows() {
  return std::tuple{
      field("clusters", &Loop::clusters, 0, 1 << 24, "clusters to look for"),
      field("dimension", &Loop::dimension, 0, 1 << 24, "columns of W; 0: as many as clusters"),
      field("round_tolerance", &Loop::round_tolerance, 0.0, 1.0,
            "stop when a round moves W and U by at most this part of the largest distance between subspaces"),
      field("max_rounds", &Loop::max_rounds, 1, 1'000'000'000, "at most this many rounds"),
      field("inner_iterations", &Loop::inner_iterations, 1, 1'000'000'000,
            "at most this many iterations of the solver a round"),
      field("inner_tolerance", &Loop::inner_tolerance, 1e-12, 1.0,
            "the subspace of a round is solved to this residual, and better as the rounds settle"),
      field("solver", &Loop::solver,
            "of the subspace: ism, plain (ism without level shift), the rivals dg (dimension growth), sm (Stiefel "
            "manifold) and gm (Grassmann trust region), or best"),
      field("label_by", &Loop::label_by,
            "labels from the fitted embedding, from a Gaussian on the subspace (auto: that for polynomials), or by "
            "k-means of the samples in the subspace"),
      field("kmeans_starts", &Loop::kmeans_starts, 1, 1'000'000, "starts of k-means, of which the best is kept"),
      field("curvature", &Loop::curvature,
            "second-order certificate: the largest eigenvalue of the tangent Hessian (auto: when it is cheap)"),
      rows(&Loop::accuracy)};
}

struct Options {
  static constexpr std::string_view name = "clustering";
  Index clusters = 2;
  Index dimension = 0;
  double round_tolerance = 1e-3;
  int max_rounds = 500;
  int inner_iterations = 5;
  double inner_tolerance = 1e-2;
  Solver solver = Solver::ism;
  LabelBy label_by = LabelBy::automatic;
  int kmeans_starts = 20;
  Effort curvature = Effort::automatic;
  PairAccuracy accuracy = {};
  bool embed_samples = false;  // the first U comes from the samples themselves also where a start is given
  bool extrapolate = false;  // rounds that creep are continued along their last move: fewer rounds, F may fall between
  static constexpr auto fields() { return loop_rows<Options>(); }
};

struct Result {
  Matrix W;                   // d × q, orthonormal
  Embedding embedding;        // at W: U, its eigenvalues and residual
  std::vector<int> labels;    // 0-based, numbered by first appearance; fewer than k clusters for fewer distinct samples
  ClusterModel model;         // labels new samples: predict_clusters(model, samples·W)
  double quality = kUnknown;  // Tr(UᵀLU) = HSIC(XW, U) without 1/(n − 1)²; at most k with degrees
  double objective = kUnknown;        // F = Tr(ΓK) at W, U
  double start_objective = kUnknown;  // of the first round's U and W
  std::string labelled_by;            // how, in words
  Gamma gamma;                        // of the W step at the final U
  ism::Certificate certificate;       // of that step
  Summary summary;
};
void keep(Archive& archive, Result& result);  // all but the model's kernel

// Throws bad_option where clusters or dimension do not fit the data, bad_data where degrees are not positive. Cancelled
// or past the deadline after the first round: the best round so far, with the reason in the summary.
// The first U comes from the samples themselves and the first W from Φ₀, or both from `start` (d × q, orthonormal), or
// with embed_samples W alone.
Result solve(const Problem& problem, const Options& options, RunContext& context, const Matrix& start = {});

// The first-order residual that settled rounds may have. They bound the moves of W (d × q), t = ‖sin θ‖_F / √q of the
// angles θ; with W at those angles from the top eigenvectors of Φ, ‖(I − WWᵀ)ΦW‖_F <= (λ_max − λ_min)‖sin θ‖_F, which
// is at most 2‖Φ‖₂·√q·t.
inline double settled_residual(double tolerance, Index q) { return 2 * std::sqrt(double(q)) * tolerance; }

// Γ of the W step, for the embedding's U and degrees.
Gamma round_gamma(const Problem& problem, const Embedding& embedding);

}  // namespace clustering
}  // namespace ritz
