// SPDX-License-Identifier: MIT
// From a data set to samples and kernel widths that a projection can be fitted with. `verb` is the task whose options
// messages speak of.
#pragma once

#include "base/memory.hpp"
#include "data/footprint.hpp"
#include "data/whiten.hpp"
#include "ritz/cluster/kmeans.hpp"
#include "ritz/data/preprocess.hpp"
#include "ritz/model/samples.hpp"
#include "ritz/pairs/backend.hpp"
#include "tasks/row.hpp"

namespace ritz::projection {

// The samples as the engines see them, and what keeps them alive.
// Dense samples are a scaled copy; stored and sparse ones are scaled on the fly, the latter as wide as the scaling:
// features that do not occur are zeros. With a frame they are dense, or stored anew, a column a coordinate. Where
// nothing has to be changed the data are borrowed. What is given for good is scaled in place.
class ScaledSamples {
 public:
  ScaledSamples(const Dataset& data, const ColumnScaling& scaling);
  ScaledSamples(const Dataset& data, const ColumnScaling& scaling, const RunContext& context);  // by its threads
  ScaledSamples(Dataset&& data, const ColumnScaling& scaling);

  const Samples& samples() const { return samples_; }
  double bytes() const;
  // Some of the rows, a row as often as it is named.
  ScaledSamples rows(const std::vector<Index>& which) const;

 private:
  struct Parts {
    std::unique_ptr<Dataset> own;  // none: borrowed
    const Dataset* data;           // scaled where dense
  };
  ScaledSamples(Parts parts, const ColumnScaling& scaling);
  static Parts scaled(const Dataset& data, const ColumnScaling& scaling, const RunContext& context);
  static Parts scaled(std::unique_ptr<Dataset> own, const ColumnScaling& scaling);

  Parts parts_;
  ColumnScaling scaling_;
  Samples samples_;
};

struct Prepared {
  ColumnScaling scaling;
  ScaledSamples X;
  KernelSum kernel;  // with widths; weights may be open
  std::map<std::string, std::string> used;
  std::vector<std::string> notes;
};

// The kernel with the width of all its Gaussians put in; not resolved. Throws bad_option where a text cannot be read.
KernelSum asked_kernel(const std::string& kernel, const std::string& sigma, std::string_view verb);

// Throw where there are too few samples, too many dimensions asked for, or a number of clusters that cannot be.
void check_samples(const Dataset& data, const Dimension& dim, std::string_view verb);
CountedClusters cluster_count(const Samples& X, const RunContext& context);  // of samples that may be sparse
void check_clusters(Index clusters, const Dataset& data, std::string_view verb);

// How samples are whitened, where they are. With classes by the covariance around their means; a direction in which the
// classes do not scatter at all is kept, and the shrinkage bounds its weight.
struct Whitening {
  // Eigenpairs of the two covariances of some samples: they are the same for every shrinkage.
  struct Spectra {
    std::optional<SymmetricEigen> all, classes;
  };
  double shrinkage = kUsualShrinkage;
  const Labels* classes = nullptr;  // none: by the covariance of all samples
  Spectra* kept = nullptr;          // of the same samples; filled where it is empty
};

// Throws bad_data where all points are equal. The data are borrowed, or scaled in place where they are given for good.
// Samples with more columns than rows are fitted in their row space, which is exact; whitening is a frame of its own.
// Scaling::automatic is `standard` here.
Prepared prepare(const Dataset& data, Scaling scale, KernelSum asked, const RunContext& context,
                 const Whitening& whitening = {});
Prepared prepare(Dataset&& data, Scaling scale, KernelSum asked, const RunContext& context,
                 const Whitening& whitening = {});
// The scaling that prepare() learns, with its frame.
ColumnScaling learned_scaling(const Dataset& data, Scaling asked, const Whitening& whitening,
                              const RunContext& context);
// The row space of scaled samples where it is smaller than their columns and can be held; else empty.
Frame narrow_frame(const Dataset& data, const ColumnScaling& scaling, const RunContext& context);
// Columns that a fit works with.
Index fitted_columns(const Dataset& data);

// How often the samples are held: as given, and as the scaled copy that dense ones need.
double samples_held(bool sparse, Scaling scale);
// Bytes that a fit takes with its samples.
double fit_bytes(double samples_bytes, const PairSizes& sizes, const KernelSum& kernel, const RunContext& context,
                 const PairAccuracy& accuracy = {});
// Bytes that a clustering's embedding takes beside that.
double embedding_bytes(Index n, Index clusters);

}  // namespace ritz::projection
