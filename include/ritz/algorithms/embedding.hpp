// SPDX-License-Identifier: MIT
// The leading eigenvectors of a kernel matrix that is never formed, their extension to new samples, and clusters from
// them.
#pragma once

#include <string>
#include <vector>

#include "ritz/cluster/kmeans.hpp"
#include "ritz/pairs/backend.hpp"

namespace ritz {

// Which matrix is decomposed; K the kernel matrix, D = diag(K1), H = I − 11ᵀ/n.
enum class Normalisation {
  centred,        // HKH
  degree,         // D^(−½) K D^(−½)
  degree_centred  // H D^(−½) K D^(−½) H
};
inline bool uses_degrees(Normalisation kind) { return kind != Normalisation::centred; }
inline bool is_centred(Normalisation kind) { return kind != Normalisation::degree; }

// K of the samples seen through W, as a product with blocks. All borrowed. Up to kHeldSize samples, and a sixteenth of
// context.max_memory, its first product forms it: a U step needs dozens of them at one W.
class KernelMatrix {
 public:
  static constexpr Index kHeldSize = 2000;
  // K(XW), on the backend of the pass.
  KernelMatrix(const Samples& X, const KernelSum& kernel, PairPass& pass, const Matrix& W)
      : X_(X), kernel_(kernel), pass_(&pass), W_(&W) {}
  // K(X): all columns, without a product by an identity.
  KernelMatrix(const Samples& X, const KernelSum& kernel) : X_(X), kernel_(kernel) {}

  Index size() const { return X_.rows(); }
  const KernelSum& kernel() const { return kernel_; }
  RowMatrix times(DataView in, const RunContext& context) const;
  // K1. Throws bad_data naming kernel, sample and value unless every degree is positive: D^(−½) has no other meaning.
  Vector positive_degrees(const RunContext& context) const;
  // F with HKH = HFFᵀH where that is thin: linear, squared and polynomial kernels in few columns. Empty: there is none.
  Matrix centred_factor(const RunContext& context) const;

 private:
  const Samples& X_;
  const KernelSum& kernel_;
  PairPass* pass_ = nullptr;
  const Matrix* W_ = nullptr;
  mutable RowMatrix held_;  // K, where it is small

  bool holds(const RunContext& context) const;
};

struct EmbeddingRequest {
  Index count = 2;  // k; at most n, or n − 1 where the matrix is centred
  Normalisation normalisation = Normalisation::centred;
  double tolerance = 1e-8;  // stop when ‖Au − λu‖ <= tolerance·‖A‖ for every pair, A the normalised matrix
  int max_products = 100;   // … or after this many products of a block; the residual then says how far it came
};

// A = L, or HLH where centred; L = K or D^(−½)KD^(−½).
struct Embedding {
  Normalisation normalisation = Normalisation::centred;
  Matrix U;       // n × k, orthonormal; ⟂ 1 where centred
  Vector values;  // of A, largest first
  double next = kUnknown;
  double residual = 0;                           // max ‖Au − λu‖ / ‖A‖
  Vector degrees;                                // empty where the normalisation has none
  Matrix images;                                 // LU, n × k: AU before the outer H
  Index products = 0;                            // blocks multiplied
  std::string how;                               // for Summary::used
  double trace() const { return values.sum(); }  // Tr(UᵀAU)
  // K is a multiple of the identity: no sample is tied to all others together by as much as 1e-4 of what ties it to
  // itself. Every sample is alone, and U is any basis. Known for kernels of positive values where degrees are used.
  bool identity = false;
};
void keep(Archive& archive, Embedding& embedding);

// From the span of `start` (n × any; empty: a random block). Tr(UᵀAU) is never below that of the leading k-dimensional
// part of the start: Rayleigh–Ritz on a space that holds it.
Embedding spectral_embedding(const KernelMatrix& K, const EmbeddingRequest& request, const Matrix& start,
                             const RunContext& context);

// Clusters of an embedding, with all that is needed to label new samples: plain matrices, for a model file.
//   u(x) = s(x)·K(x, Z)·coefficients + offset, s = 1 or (K(x, Z)·1)^(−½): the Nyström extension, which at the training
// samples gives back U. Features are the rows u(x) scaled to length 1 (rows that vanish stay 0); the label is the
// nearest center. Columns of U whose eigenvalue is not positive carry nothing and are left out.
struct ClusterModel {
  RowMatrix Z;       // n × q, training samples in the space of the kernel
  KernelSum kernel;  // resolved
  bool by_degree = false;
  Matrix coefficients;      // n × m, m <= k
  Vector offset;            // m
  RowMatrix centers;        // clusters × m
  bool of_samples = false;  // the points are the rows of Z themselves: no coefficients, centers are clusters × q
};
struct SpectralClusters {
  std::vector<int> labels;  // numbered by first appearance
  ClusterModel model;
  double inertia = 0;
};
// k-means on the features. `Z` and `kernel` are what the embedding was made from.
SpectralClusters cluster_embedding(const Embedding& embedding, DataView Z, const KernelSum& kernel,
                                   const KMeansOptions& options, const RunContext& context);

// u(x) for the rows of Z, and their labels. The training samples get their training labels back, up to ties. Throws
// unsupported for kernels with a width of each sample (rbf-relative): a new sample's width depends on its neighbours
// among the training samples in all columns, which the model does not hold.
Matrix extend_embedding(const ClusterModel& model, DataView Z, const RunContext& context);
// Of an embedding the points that are clustered: its rows, of length 1.
RowMatrix clustered_points(const Matrix& extended);
// Of samples in the space of the kernel the points whose nearest center is their cluster.
RowMatrix cluster_points(const ClusterModel& model, DataView Z, const RunContext& context);
// k-means of the samples themselves, in the space of the kernel.
SpectralClusters cluster_samples(DataView Z, const KernelSum& kernel, const KMeansOptions& options,
                                 const RunContext& context);
std::vector<int> predict_clusters(const ClusterModel& model, DataView Z, const RunContext& context);

// What clustering all columns gives, for comparison with clusters found in a subspace.
struct PlainClusterings {
  std::vector<int> spectral;  // D^(−½)KD^(−½) of the samples themselves, k-means on rows of length 1
  std::vector<int> kmeans;    // of the samples; empty where dense copies of them exceed context.max_memory
  std::string spectral_kernel;
};
// The kernel as given where all its values are positive (gaussian, rbf-relative), else a Gaussian of median width.
PlainClusterings plain_clusterings(const Samples& X, const KernelSum& kernel, const KMeansOptions& options,
                                   const RunContext& context);

}  // namespace ritz
