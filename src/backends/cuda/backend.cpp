// SPDX-License-Identifier: MIT
#include "backends/cuda/backend.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "backends/cpu/sweeps.hpp"
#include "backends/dense_eigen.hpp"
#include "backends/distance_quantile.hpp"
#include "backends/neighbour_distance.hpp"
#include "linalg/subspace.hpp"
#include "pairs/pair_sweep.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/parallel.hpp"
#include "ritz/linalg/products.hpp"

namespace ritz::cuda {

namespace {

using device::DeviceSamples;
using device::Table;

// Operations a second of one core and of a card, and the seconds a card takes to start: measured, and rounded.
constexpr double kCoreRate = 2e10, kCardRate = 3e13, kStart = 0.5;
constexpr double kWorthStarting = 4e6;  // bytes of a file: less is read before the card has started
constexpr Index kCrossRows = 65536;     // rows of a large set that are on the card at a time
constexpr Index kQueriesPerTask = 256;  // whose near rows are measured
constexpr Index kQuantileRows = 16384;  // all distances of so many are held

double kernel_operations(double rows, double columns, double inner) { return rows * columns * (2 * inner + 40); }

}  // namespace

std::string_view CudaBackend::description() const {
  const std::lock_guard lock(mutex_);
  const device::Device& found = device::device();
  description_ = found.table ? fmt::format("{}, {:.0f} GiB: cuBLAS, and kernels in double or tf32", found.facts.name,
                                           found.facts.total_bytes / (1 << 30))
                             : found.why;
  return description_;
}

bool CudaBackend::available() const { return device::device().table != nullptr; }

void CudaBackend::expect(double bytes) {
  if (policy_ == Policy::always || bytes >= kWorthStarting) device::start_in_background();
}

std::string CudaBackend::used() const {
  const std::lock_guard lock(mutex_);
  std::string text;
  if (on_card_)
    text = fmt::format("cuda: {}", device::device().facts.name);
  else if (policy_ == Policy::always)
    return elsewhere_.empty() ? "cuda" : fmt::format("cpu: the card has no sweep for {}", fmt::join(elsewhere_, ", "));
  if (on_card_ && policy_ == Policy::when_it_pays)
    text += fmt::format(", which pays for {:.1e} operations over pairs", largest_);
  if (!lost_.empty()) return text + (on_card_ ? "; then the CPU, because " : "cpu: ") + lost_;
  if (!on_card_ && largest_ > 0)
    return fmt::format("cpu: {:.1e} operations over pairs do not pay for a card", largest_);
  if (!on_card_) return "cpu";
  if (!elsewhere_.empty()) text += fmt::format("; on the CPU: {}", fmt::join(elsewhere_, ", "));
  return text;
}

void CudaBackend::keep(Archive& archive) {
  const std::lock_guard lock(mutex_);
  double largest = largest_;
  bool on_card = on_card_;
  std::vector<std::string> elsewhere(elsewhere_.begin(), elsewhere_.end());
  archive(largest, on_card, elsewhere);
  largest_ = std::max(largest_, largest);
  on_card_ |= on_card;
  elsewhere_.insert(elsewhere.begin(), elsewhere.end());
}

void CudaBackend::left_to_cpu(std::string_view sweep) {
  const std::lock_guard lock(mutex_);
  elsewhere_.emplace(sweep);
}

void CudaBackend::failed(bool memory, const std::string& why) {
  if (policy_ == Policy::always) throw Error(memory ? ErrorCode::memory : ErrorCode::unsupported, why);
  const std::lock_guard lock(mutex_);
  if (lost_.empty()) lost_ = why;
}

bool CudaBackend::takes(double operations, const KernelSum* kernel, const RunContext& context) {
  const auto own = kernel ? device::own_functions(*kernel) : std::nullopt;
  if (policy_ == Policy::always) {
    if (!available()) throw Error(ErrorCode::unsupported, "backend \"cuda\" is not there: " + device::device().why);
    if (own)
      throw Error(ErrorCode::unsupported,
                  fmt::format("kernel {} is made of a program's own functions, which cannot run on a card; the backend "
                              "\"cpu\" has it",
                              *own));
    return true;
  }
  {
    const std::lock_guard lock(mutex_);
    if (std::isfinite(operations)) largest_ = std::max(largest_, operations);
    if (!lost_.empty() || own) return false;
  }
  const double here = operations / (kCoreRate * resolved_threads(context)), there = kStart + operations / kCardRate;
  if (std::isfinite(operations) && here <= there) return false;
  if (available()) return true;
  failed(false, device::device().why);
  return false;
}

std::unique_ptr<PairPass> CudaBackend::pair_pass(const Samples& X, Gamma gamma) {
  if (policy_ == Policy::always) takes(0, nullptr, {});  // now rather than at the first sums
  return routed_pass(cuda_pair_sweep(X, *this), std::move(gamma));
}

double CudaBackend::pair_pass_bytes(const PairSizes& sizes, const KernelSum& kernel, const PairAccuracy& accuracy,
                                    int threads) const {
  if (policy_ == Policy::when_it_pays) return cpu_backend().pair_pass_bytes(sizes, kernel, accuracy, threads);
  return routed_bytes(sizes, kernel, 0);
}

RowMatrix CudaBackend::cross_kernel_product(const KernelSide& a, const KernelSide& b, DataView in,
                                            const RunContext& context) {
  const Index n = a.z.rows(), m = in.cols();
  return either(
      kernel_operations(double(n), double(b.z.rows()), double(b.z.cols() + m)), &b.kernel, context,
      [&] {
        const DeviceSamples columns(b.z, {0, b.z.rows()}, context);
        const RowMatrix given = in;
        RowMatrix out(n, m);
        for (Index first = 0; first < n; first += kCrossRows) {
          const Range part{first, std::min(first + kCrossRows, n)};
          const DeviceSamples rows(a.z, part, context);
          const std::vector<device::Term> terms = device::terms_of(a.kernel, b.kernel, first);
          const device::Sweep sweep = device::sweep_of(nullptr, b.z.cols(), terms, context);
          device::run(context, [&](const Table& table) {
            return table.cross(rows.get(), columns.get(), &sweep, device::value, given.data(), m,
                               out.data() + first * m);
          });
        }
        return out;
      },
      [&] { return cpu_backend().cross_kernel_product(a, b, in, context); });
}

RowMatrix CudaBackend::cross_kernel(const KernelSide& a, const KernelSide& b, KernelPart part,
                                    const RunContext& context) {
  return either(
      kernel_operations(double(a.z.rows()), double(b.z.rows()), double(b.z.cols())), &b.kernel, context,
      [&] {
        const DeviceSamples rows(a.z, {0, a.z.rows()}, context), columns(b.z, {0, b.z.rows()}, context);
        const std::vector<device::Term> terms = device::terms_of(a.kernel, b.kernel);
        const device::Sweep sweep = device::sweep_of(nullptr, b.z.cols(), terms, context);
        RowMatrix K(a.z.rows(), b.z.rows());
        device::run(context, [&](const Table& table) {
          return table.cross(rows.get(), columns.get(), &sweep, int(part), nullptr, 0, K.data());
        });
        return K;
      },
      [&] { return cpu_backend().cross_kernel(a, b, part, context); });
}

DistanceQuantile CudaBackend::distance_quantile(const Samples& X, std::span<const Index> rows, double share,
                                                const RunContext& context) {
  const double m = double(rows.size());
  const auto here = [&] { return cpu_backend().distance_quantile(X, rows, share, context); };
  if (rows.size() < 2 || Index(rows.size()) > kQuantileRows) return here();
  return either(
      m * m * double(X.cols()), nullptr, context,
      [&] {
        const CentredRows centred(X, rows);
        const Samples samples(centred.rows);
        const DeviceSamples up(samples, {0, samples.rows()}, context);
        context.poll();
        long zeros = 0;
        device::run(context, [&](const Table& table) { return table.distances(up.get(), centred.zero, &zeros); });
        return quantile_at(Index(rows.size()), zeros, share, [&](Index place) {
          double squared = 0;
          device::run(context, [&](const Table& table) { return table.kth_distance(up.get(), place, &squared); });
          return squared;
        });
      },
      here);
}

double CudaBackend::distance_quantile_bytes(Index rows, Index d, int threads) const {
  return cpu_backend().distance_quantile_bytes(rows, d, threads);
}

// --- nearest neighbours: the card tells which rows may be near, distances are measured here

namespace {

double size_of(DataView X) { return X.rowwise().squaredNorm().maxCoeff(); }
double size_of(const SparseRows& X) {
  double most = 0;
  for (Index i = 0; i < X.rows(); ++i) most = std::max(most, X.row(i).squaredNorm());
  return most;
}
bool whole(DataView X) { return all_whole(X); }
bool whole(const SparseRows& X) { return all_whole(X.coeffs()); }
Samples samples_of(DataView X) {
  return Samples(Eigen::Map<const RowMatrix, 0, Eigen::OuterStride<>>(X.data(), X.rows(), X.cols(),
                                                                      Eigen::OuterStride<>(X.outerStride())));
}
Samples samples_of(const SparseRows& X) { return {X, Vector::Zero(X.cols()), Vector::Ones(X.cols())}; }
double measured(DataView A, Index i, DataView B, Index j) {
  return squared_distance(A.data() + i * A.outerStride(), B.data() + j * B.outerStride(), A.cols());
}
double measured(const SparseRows& A, Index i, const SparseRows& B, Index j) { return squared_distance(A, i, B, j); }

template <class Rows>
NeighbourTable device_neighbours(const Rows& queries, const Rows& points, Index k, OwnRow own,
                                 const RunContext& context) {
  const Index n = queries.rows(), m = points.rows(), room = std::min(m, 2 * k + 64);
  const bool left_out = own == OwnRow::is_left_out;
  const bool exact = whole(queries) && whole(points) && size_of(queries) + size_of(points) < kExact;
  std::vector<int> counts(std::size_t(n), 0), found(std::size_t(n * room), 0);
  {
    const DeviceSamples up(samples_of(queries), {0, n}, context), other(samples_of(points), {0, m}, context);
    const device::Sweep sweep = device::sweep_of(nullptr, queries.cols(), {}, context);
    device::run(context, [&](const Table& table) {
      return table.candidates(up.get(), other.get(), &sweep, k, left_out, exact ? 0 : product_slack(points.cols()),
                              room, counts.data(), found.data());
    });
  }
  NeighbourTable table(n, k);
  for_each_tile(tile_count(n, kQueriesPerTask), context, [&](Index t) {
    NearestRows nearest(k);
    const Range rows = tile_range(n, kQueriesPerTask, t);
    for (Index i = rows.begin; i < rows.end; ++i) {
      const int count = counts[std::size_t(i)];
      for (Index c = 0; c < (count < 0 ? m : count); ++c) {
        const Index j = count < 0 ? c : found[std::size_t(i * room + c)];
        if (!left_out || j != i) nearest.offer({measured(queries, i, points, j), j});
      }
      nearest.write(i, table);
    }
  });
  return table;
}

}  // namespace

NeighbourTable CudaBackend::neighbours(DataView queries, DataView points, Index k, OwnRow own,
                                       const RunContext& context) {
  return either(
      kernel_operations(double(queries.rows()), double(points.rows()), double(points.cols())), nullptr, context,
      [&] { return device_neighbours(queries, points, k, own, context); },
      [&] { return cpu_backend().neighbours(queries, points, k, own, context); });
}
NeighbourTable CudaBackend::neighbours(const SparseRows& queries, const SparseRows& points, Index k, OwnRow own,
                                       const RunContext& context) {
  return either(
      // Here only entries that both rows have are multiplied.
      kernel_operations(double(queries.nonZeros()),
                        double(points.nonZeros()) / double(std::max<Index>(1, points.cols())), 0),
      nullptr, context, [&] { return device_neighbours(queries, points, k, own, context); },
      [&] { return cpu_backend().neighbours(queries, points, k, own, context); });
}

// --- distances under a map: the card looks, the CPU measures what matters

namespace {

class CudaScanner final : public RatioScanner {
 public:
  explicit CudaScanner(CudaBackend& backend) : backend_(backend) {}
  bool scan(const ScanRequest& request, const std::function<RowMatrix()>& points, const std::vector<Index>& copies,
            Scanned& found, const RunContext& context) override {
    const Index n = Index(copies.size()), panels = tile_count(n, kScanPanel);
    const std::size_t tiles = std::size_t(panels * (panels + 1) / 2);
    const double operations = kSweeps * double(n) * double(n) * double(request.r + 40);
    return backend_.either(
        up_ ? std::numeric_limits<double>::infinity() : operations, nullptr, context,
        [&] {
          if (!up_) {
            const RowMatrix X = points();
            up_ = std::make_unique<DeviceSamples>(Samples(X), Range{0, n}, context);
            copies_.assign(copies.begin(), copies.end());
          }
          found.tiles.resize(tiles);
          found.pairs.resize(tiles * kScanRoom);
          found.histogram.resize(tiles * std::size_t(request.bins));
          const device::Sweep sweep = device::sweep_of(nullptr, 0, {}, context);
          device::run(context, [&](const Table& table) {
            return table.scan_ratios(up_->get(), &sweep, copies_.data(), &request, found.tiles.data(),
                                     found.pairs.data(), found.histogram.data());
          });
          return true;
        },
        [&] { return up_.reset(), false; });
  }

 private:
  static constexpr double kSweeps = 10;  // that a search takes at least
  CudaBackend& backend_;
  std::unique_ptr<DeviceSamples> up_;
  std::vector<int> copies_;
};

}  // namespace

std::unique_ptr<DistanceSweep> CudaBackend::distance_sweep(DataView X, std::vector<WeightedPair> pairs,
                                                           const RunContext& context) {
  if (policy_ == Policy::always) takes(0, nullptr, context);
  return cpu::scanned_distance_sweep(X, std::move(pairs), std::make_unique<CudaScanner>(*this), context);
}

// --- the eigen step

bool CudaBackend::in_use() const {
  const std::lock_guard lock(mutex_);
  return on_card_ && lost_.empty();
}

}  // namespace ritz::cuda

namespace ritz {

std::optional<EigenPairs> backend_eigen(const Matrix& A, const EigenRequest& request, const RunContext& context,
                                        double norm) {
  constexpr Index kLeast = 400, kPart = 5;  // below, and for more than a fifth of all, LAPACK is as fast
  auto* backend = dynamic_cast<cuda::CudaBackend*>(context.backend);
  const auto* count = std::get_if<Count>(&request.pick);
  const Index n = A.rows();
  if (!backend || !backend->in_use() || !count || request.end != End::largest || n < kLeast || kPart * count->k > n)
    return std::nullopt;
  using Found = std::optional<EigenPairs>;
  return backend->either(
      std::numeric_limits<double>::infinity(), nullptr, context,
      [&]() -> Found {
        EigenPairs pairs;
        Vector values(count->k + 1);
        pairs.vectors.resize(n, count->k);
        context.poll();
        device::run(context, [&](const device::Table& table) {
          return table.eigen(A.data(), n, count->k, values.data(), pairs.vectors.data());
        });
        fix_signs(pairs.vectors);
        pairs.values = values.head(count->k);
        pairs.next = values[count->k];
        pairs.products = count->k;
        const DenseOperator op{A};
        if (std::isnan(norm)) norm = spectral_bounds(OperatorView(op), context).norm();
        pairs.norm = std::max(values.cwiseAbs().maxCoeff(), norm);
        const Matrix off = product(A, pairs.vectors) - pairs.vectors * pairs.values.asDiagonal();
        pairs.residual = off.colwise().norm().maxCoeff();
        if (!(pairs.residual <= request.tolerance * pairs.norm)) return std::nullopt;
        return pairs;
      },
      []() -> Found { return std::nullopt; });
}

}  // namespace ritz

namespace ritz::cuda {

// --- what the module has no sweep for

std::unique_ptr<OrderSweep> CudaBackend::order_sweep(std::vector<std::vector<Index>> neighbours) {
  left_to_cpu("the order of distances");
  return cpu_backend().order_sweep(std::move(neighbours));
}
AlignmentSums CudaBackend::alignment_sums(const KernelSum& kernel, const Samples& X, const Gamma& gamma,
                                          const RunContext& context) {
  left_to_cpu("the alignment of kernels");
  return cpu_backend().alignment_sums(kernel, X, gamma, context);
}
double CudaBackend::alignment_bytes(const KernelSum& kernel, Index n, Index d, int threads) const {
  return cpu_backend().alignment_bytes(kernel, n, d, threads);
}
}  // namespace ritz::cuda
