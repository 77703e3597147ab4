// SPDX-License-Identifier: MIT
// Where pairs of samples are swept. Everything that costs n² is asked for here: algorithms and tasks say what they want
// of all pairs, and do not notice who does it. A request is a whole sweep over data that the backend holds, never a
// call back for a pair or a tile, so that a GPU or many machines can meet the same contract. Results have the same bits
// for any number of threads.
//
// A backend overrides what it offers; the other requests throw `unsupported`, naming the backend and the sweep.
// docs/extend/backend.md walks through adding one.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ritz/base/context.hpp"
#include "ritz/graph/graph.hpp"
#include "ritz/model/alignment.hpp"
#include "ritz/model/kernel_sum.hpp"
#include "ritz/model/samples.hpp"
#include "ritz/pairs/distance_sweep.hpp"
#include "ritz/pairs/pair_pass.hpp"

namespace ritz {

// --- the kernel between two sets of samples, and products with it where it is too large to be held: out-of-sample
// predictions, and the kernel of samples in all their columns

struct KernelSide {
  const Samples& z;
  const KernelSum& kernel;  // the same terms on both sides; per-sample terms carry the scales of this side's samples
};
enum class KernelPart { value, slope, curvature };  // f, f′ or f″ of β

// By context.backend. Both throw bad_shape where sizes do not match, bad_option where a width is not a number yet.
// out_i = Σ_j K(a_i, b_j)·in_j, the rows of `in` belonging to b. Tiles of rows are made dense as they are needed:
// sparse samples stay sparse. The same bits for any number of threads.
RowMatrix cross_kernel_product(const KernelSide& a, const KernelSide& b, DataView in, const RunContext& context);
// The matrix itself, for few samples: many products with it cost less than evaluating it for each. Derivatives are with
// respect to β, of which kernels of dot products and of differences have different ones: bad_option for a sum of both.
RowMatrix cross_kernel(const KernelSide& a, const KernelSide& b, const RunContext& context,
                       KernelPart part = KernelPart::value);

// --- the contract

// A quantile of the distances ‖xᵢ − xⱼ‖ over all n² ordered pairs, each sample with itself included (the convention of
// the published programs), half-way between two where it falls between them.
struct DistanceQuantile {
  double value = 0;
  double positive = 0;  // the same quantile of the distances that are not 0; 0 where all are
};

class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string_view name() const = 0;
  virtual std::string_view description() const = 0;
  virtual bool available() const = 0;                               // can it run on this machine, now?
  virtual std::string used() const { return std::string(name()); }  // for Summary::used: where sweeps ran, and why
  virtual void keep(Archive&) {}  // what used() tells of; reading adds to what is known already
  virtual void expect(double) {}  // about to be asked, as soon as so many bytes of files are read: time to start
  // By how much its sums may differ from the exact ones, relative to the sum of their terms' magnitudes: the tolerance
  // that tests of all backends use.
  virtual double tolerance() const { return 1e-12; }

  // --- sweeps that are made once for a problem and run once an iteration. They borrow the data, which go up once.
  virtual std::unique_ptr<PairPass> pair_pass(const Samples& X, Gamma gamma);
  // Memory that pair_pass(…)->sums(…) takes beyond the samples, Φ included.
  virtual double pair_pass_bytes(const PairSizes& sizes, const KernelSum& kernel, const PairAccuracy& accuracy,
                                 int threads) const;
  // Of the listed pairs, or where none are listed of all.
  virtual std::unique_ptr<DistanceSweep> distance_sweep(DataView X, std::vector<WeightedPair> pairs,
                                                        const RunContext& context);
  // The neighbours of every point, increasing.
  virtual std::unique_ptr<OrderSweep> order_sweep(std::vector<std::vector<Index>> neighbours);

  // --- single sweeps
  // Σ_j K(a_i, b_j)·in_j, and the matrix itself or its derivatives in β; checked by the functions above.
  virtual RowMatrix cross_kernel_product(const KernelSide& a, const KernelSide& b, DataView in,
                                         const RunContext& context);
  virtual RowMatrix cross_kernel(const KernelSide& a, const KernelSide& b, KernelPart part, const RunContext& context);
  // For kernels on the samples themselves (W = I), whose widths are numbers; their weights do not matter.
  virtual AlignmentSums alignment_sums(const KernelSum& kernel, const Samples& X, const Gamma& gamma,
                                       const RunContext& context);
  virtual double alignment_bytes(const KernelSum& kernel, Index n, Index d, int threads) const;  // beyond the samples
  // Of the given rows of X; share in [0, 1]: 0.5 is the median. Distances below 1e-7 of the size of the data are 0.
  virtual DistanceQuantile distance_quantile(const Samples& X, std::span<const Index> rows, double share,
                                             const RunContext& context);
  virtual double distance_quantile_bytes(Index rows, Index d, int threads) const;  // beyond the samples
  // By comparing with all points; nearest_neighbours of neighbours.hpp checks, and takes a tree where that is faster.
  virtual NeighbourTable neighbours(DataView queries, DataView points, Index k, OwnRow own, const RunContext& context);
  virtual NeighbourTable neighbours(const SparseRows& queries, const SparseRows& points, Index k, OwnRow own,
                                    const RunContext& context);

 protected:
  [[noreturn]] void lacks(std::string_view sweep) const;
};

Backend& cpu_backend();
// For one run, whose used() it tells: "auto" takes a GPU for sweeps that pay for it, and the CPU for the others, or
// where there is none or it fails; other names as backend_named.
std::shared_ptr<Backend> backend_for_run(std::string_view name);
std::span<Backend* const> backends();
Backend& backend_named(std::string_view name);  // throws bad_option naming those there are
Backend& backend_or_cpu(const RunContext& context);

}  // namespace ritz
