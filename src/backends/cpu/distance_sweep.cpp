// SPDX-License-Identifier: MIT
// Ratios of all pairs, tile by tile. With p = ‖x_a − x_b‖², q = ‖y_a − y_b‖², y = Ψx, a pair lies beyond the band t
// when
//   q − (1 + t)p > 0   or   (1 − t)p − q > 0,
// both a sum of a part of a, a part of b and products of rows: two GEMMs and four multiply-adds a pair. In single
// precision they err by at most e_a + e_b, which is added, so that no pair beyond the band is missed. A pair whose
// ratio may, within that error, exceed the largest (or undercut the smallest) that was measured in double precision is
// measured, too: the extremes are those of a loop over all pairs.
//
// The points are held in principal coordinates. Of x_a·x_b the leading h products are one GEMM, and the others lie
// within ± (t_a + t_b)/2, t = Σ of the squares behind h: for most pairs that is enough to say that they are inside the
// band, and the others are multiplied out. Which h is fastest is told by some pairs drawn at random.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "backends/cpu/distance_points.hpp"
#include "backends/cpu/sweeps.hpp"
#include "backends/cpu/tile_parts.hpp"
#include "base/shared_tiles.hpp"
#include "ritz/base/parallel.hpp"
#include "ritz/base/random.hpp"

namespace ritz::cpu {

namespace {

constexpr Index kPanel = kScanPanel;  // rows of a tile: both products stay in the cache
constexpr Index kKept = 128;  // pairs of a tile, on each side, that are measured again in any case: the worst by far
constexpr Index kHeads = 8;   // numbers of leading coordinates that are compared
constexpr Index kHeadProbes = 4000;  // by pairs
constexpr double kTailCost = 6;      // of a product behind them, in products of a GEMM
constexpr double kTailRounding = 1e-5;
constexpr Index kPairsPerTask = 8192;       // of listed pairs
constexpr Index kRoundingProbes = 200'000;  // pairs that tell how far the worst one is at least
constexpr Index kProbesShare = 50;          // of the pairs, one in so many at most
constexpr Index kScanBins = 1024;           // of a histogram that a scanner makes
constexpr double kScanSafety = 16;          // times the error that its sums may have
constexpr double kUnit = 0x1p-24;           // rounding of single precision
// Single precision is for images and ratios of about this size at most, and rounds to a multiple of kSmallest.
constexpr double kLargest = 1e12, kSmallest = 0x1p-125;

struct TileFacts {
  std::vector<MeasuredPair> worst;
  Index beyond = 0;  // of the given points, not of the distinct ones
  std::vector<Index> histogram;
  double lowest = std::numeric_limits<double>::infinity(), highest = 0;
  void parts(auto&& io) { io(worst), io(beyond), io(histogram), io(lowest), io(highest); }
};

// By distortion, then by place: one order for any number of threads.
bool worse(const MeasuredPair& a, const MeasuredPair& b) {
  const double da = a.distortion(), db = b.distortion();
  return da != db ? da > db : a.a != b.a ? a.a < b.a : a.b < b.b;
}

class Histogram {
 public:
  Histogram(const DistanceRequest& request, std::vector<Index>& counts)
      : counts_(counts),
        lowest_(request.lowest_bin),
        per_ratio_(double(request.bins) / (request.highest_bin - request.lowest_bin)) {
    counts_.assign(std::size_t(request.bins), 0);
  }
  void add(double ratio, Index times = 1) {
    const double place = (ratio - lowest_) * per_ratio_;
    counts_[place >= 0 ? std::size_t(std::min(place, double(counts_.size() - 1))) : 0] += times;
  }

 private:
  std::vector<Index>& counts_;
  double lowest_, per_ratio_;
};

// What the tiles say, in their order: the worst pairs with at most `per_point` of a point.
void join(std::vector<TileFacts>& tiles, const DistanceRequest& request, DistanceFacts& sweep) {
  std::vector<MeasuredPair> worst;
  sweep.histogram.assign(std::size_t(request.bins), 0);
  for (TileFacts& tile : tiles) {
    worst.insert(worst.end(), tile.worst.begin(), tile.worst.end());
    sweep.beyond += tile.beyond;
    for (std::size_t b = 0; b < tile.histogram.size(); ++b) sweep.histogram[b] += tile.histogram[b];
  }
  std::ranges::sort(worst, worse);
  if (!worst.empty()) {
    sweep.lowest = std::ranges::min(tiles, {}, &TileFacts::lowest).lowest;
    sweep.highest = std::ranges::max(tiles, {}, &TileFacts::highest).highest;
  }
  if (!worst.empty()) sweep.distortion = worst.front().distortion();
  std::unordered_map<Index, Index> of_point;
  for (const MeasuredPair& pair : worst) {
    if (!sweep.worst.empty() && (Index(sweep.worst.size()) >= request.listed || pair.distortion() <= request.band))
      break;
    if (request.per_point > 0) {
      Index &at_a = of_point[pair.a], &at_b = of_point[pair.b];
      if (at_a >= request.per_point || at_b >= request.per_point) continue;
      ++at_a, ++at_b;
    }
    sweep.worst.push_back(pair);
  }
}

struct Suspect {
  Index a, b;           // distinct points
  double ratio, error;  // by single precision
};

// The suspects of one tail: `side` 1 for large ratios, −1 for small ones.
struct Tail {
  double side;
  std::vector<Suspect> suspects{};
  bool worse(const Suspect& a, const Suspect& b) const {
    return a.ratio != b.ratio ? side * a.ratio > side * b.ratio : a.a != b.a ? a.a < b.a : a.b < b.b;
  }
  // How far out it may lie.
  double bound(const Suspect& suspect) const { return side * suspect.ratio + suspect.error; }
};

// One sweep over all pairs of distinct points: what is the same for all tiles.
class AllPairs {
 public:
  // `scanned`: another has looked at the tiles; what it could not list is measured in full.
  AllPairs(const Points& points, const Images& images, const DistanceRequest& request, const Scanned* scanned,
           const RunContext& context)
      : points_(points), images_(images), request_(request), scanned_(scanned), n_(points.single.rows()) {
    told_ = !scanned;
    if (scanned) return;
    embed(context);
    probe();
    bound_errors();
    choose_head();
  }
  Index tiles() const { return panels() * (panels() + 1) / 2; }

  TileFacts tile(Index number) const {
    Index down = 0, across = number;  // the number-th pair down <= across
    while (across >= panels() - down) across -= panels() - down, ++down;
    across += down;
    const Range I = tile_range(n_, kPanel, down), J = tile_range(n_, kPanel, across);
    TileFacts facts;
    Found found;
    Histogram histogram(request_, facts.histogram);
    if (scanned_ && scanned_->tiles[std::size_t(number)].count <= kScanRoom) {
      take_scanned(number, I, J, found, facts, histogram);
      measure_again(found, facts);
      return facts;
    }
    if (!told_) {
      for (Index i = 0; i < I.size(); ++i)
        for (Index j = down == across ? i + 1 : 0; j < J.size(); ++j)
          count({I.begin + i, J.begin + j, 0, 0}, facts, histogram);
      shorten(facts.worst);
      return facts;
    }
    thread_local std::vector<float> rows, images;
    products(points_.single, head_, I, J, rows);
    products(embedded_, embedded_.cols(), I, J, images);
    for (Index i = 0; i < I.size(); ++i)
      scan({I.begin + i, rows.data() + i * J.size(), images.data() + i * J.size(), J, down == across ? i + 1 : 0},
           found, facts, histogram);
    measure_again(found, facts);
    return facts;
  }

 private:
  struct Row {
    Index a;
    float* G;        // products of its points with those of J, of the leading coordinates
    const float* H;  // the same of their images
    Range J;
    Index from;  // in J
  };
  struct Found {
    Tail above{1}, below{-1};       // what may exceed the probes or the band
    std::vector<Suspect> untold;    // too near to tell the ratio: all are measured again
    std::vector<Suspect> doubtful;  // beyond the band or not: single precision cannot tell
  };

  Index panels() const { return tile_count(n_, kPanel); }

  void take_scanned(Index number, Range I, Range J, Found& found, TileFacts& facts, Histogram& histogram) const {
    const ScannedTile& tile = scanned_->tiles[std::size_t(number)];
    facts.beyond = tile.beyond;
    const auto first = scanned_->pairs.begin() + number * kScanRoom;
    std::vector<ScannedPair> pairs(first, first + tile.count);
    std::ranges::sort(pairs, {}, [](const ScannedPair& pair) { return std::pair(pair.i, pair.j); });
    for (Index b = 0; b < request_.bins; ++b)
      facts.histogram[std::size_t(b)] = scanned_->histogram[std::size_t(number * request_.bins + b)];
    for (const ScannedPair& pair : pairs) {
      const Suspect suspect{I.begin + pair.i, J.begin + pair.j, pair.ratio, pair.error};
      if (pair.kind & scan_untold) found.untold.push_back(suspect);
      if (pair.kind & scan_doubtful) found.doubtful.push_back(suspect);
      if (pair.kind & scan_above) found.above.suspects.push_back(suspect);
      if (pair.kind & scan_below) found.below.suspects.push_back(suspect);
      if ((pair.kind & scan_untold) && request_.bins > 0) histogram.add(again(suspect).ratio);
    }
  }

  static void products(const SingleRows& rows, Index leading, Range I, Range J, std::vector<float>& out) {
    out.resize(std::size_t(kPanel * kPanel));
    const Index d = rows.cols();
    tile::tile_gemm(I.size(), J.size(), leading, 1.0f, SingleBlock{rows.data() + I.begin * d, d}, Transpose::no,
                    SingleBlock{rows.data() + J.begin * d, d}, Transpose::yes, false,
                    SingleBlockOut{out.data(), J.size()});
  }

  // The embedded points, centred and scaled as the points are.
  void embed(const RunContext& context) {
    const Index r = images_.psi.rows();
    embedded_ = SingleRows::Zero(n_, std::max<Index>(r, 1));
    embedded_squared_ = Vector::Zero(n_);
    if (r == 0) return;
    Eigen::RowVectorXd centre = points_.centre;
    if (points_.shifted.size() > 0) centre -= points_.X.row(0);
    centre = Eigen::RowVectorXd(centre * images_.psi.transpose());
    for_each_tile(panels(), context, [&](Index t) {
      const Range part = tile_range(n_, kPanel, t);
      for (Index i = part.begin; i < part.end; ++i) {
        const Eigen::RowVectorXd y = points_.scale * (images_.Y.row(points_.rows[std::size_t(i)]) - centre);
        embedded_.row(i) = y.cast<float>();
        embedded_squared_(i) = y.squaredNorm();
      }
    });
  }

  // The extreme ratios are at least those of some probes; only pairs that may exceed them, or the band, matter.
  void probe() {
    Rng draw(0, "isometry probes");
    const Index all = n_ * (n_ - 1) / 2, probes = std::min(kRoundingProbes, all / kProbesShare + 1);
    for (Index k = 0; k < probes; ++k) {
      const Index a = draw.below(n_);
      Index b = draw.below(n_ - 1);
      b += b >= a;
      const double ratio = images_.ratio(points_, points_.rows[std::size_t(a)], points_.rows[std::size_t(b)]);
      low_ = k == 0 ? ratio : std::min(low_, ratio);
      high_ = k == 0 ? ratio : std::max(high_, ratio);
    }
    low_ = std::max(low_, 1 - request_.band), high_ = std::min(high_, 1 + request_.band);
    told_ = images_.grown == 1 && high_ < kLargest && low_ < kLargest && embedded_squared_.maxCoeff() < kLargest;
  }

  // Rounding: of the points, of a product of d terms, and of the sums (docs/algorithms/isometry.md).
  void bound_errors() {
    const double of_points = (double(points_.single.cols()) + 24) * kUnit,
                 of_images = (double(images_.psi.rows()) + 24) * kUnit;
    factor_ = std::max({1.0, high_, low_, request_.band < kLargest ? 1 + request_.band : 1.0});
    const double smallest = double(points_.single.cols() + images_.psi.rows() + 24) * factor_ * kSmallest;
    above_.resize(n_), below_.resize(n_), error_.resize(n_);
    for (Index i = 0; i < n_; ++i) {
      const double x = points_.squared(i), y = embedded_squared_(i);
      error_(i) = factor_ * of_points * x + of_images * y + smallest;
      above_(i) = float(y - high_ * x + error_(i));
      below_(i) = float(low_ * x - y + error_(i));
    }
  }

  float product_of(Index a, Index b, Index from, Index to) const {
    const Index d = points_.single.cols();
    const float *u = points_.single.data() + a * d, *v = points_.single.data() + b * d;
    return tile::functions().single_dot(u + from, v + from, to - from);
  }

  // How much p may be off with the leading coordinates alone, the part of a point: x_a·x_b lies within ± (t_a + t_b)/2.
  void set_head(Index head) {
    head_ = head;
    coarse_above_ = above_, coarse_below_ = below_;
    const Index d = points_.single.cols();
    if (head == d) return;
    const auto behind = points_.single.rightCols(d - head).rowwise().squaredNorm();
    for (Index i = 0; i < n_; ++i) {
      const double tail = (1 + kTailRounding) * double(behind(i));
      coarse_above_(i) += float((1 + kTailRounding) * high_ * tail);
      coarse_below_(i) += float((1 + kTailRounding) * low_ * tail);
    }
  }

  void choose_head() {
    const Index d = points_.single.cols();
    set_head(d);
    if (!points_.principal || request_.bins > 0 || !told_) return;  // a histogram wants every ratio
    double least = double(d);
    Index best = d;
    for (Index k = 1; k < kHeads; ++k) {
      const Index head = std::max<Index>(1, d * k / kHeads);
      set_head(head);
      Rng draw(0, "isometry heads");
      Index open = 0;
      for (Index probe = 0; probe < kHeadProbes; ++probe) {
        const Index a = draw.below(n_), b = draw.below(n_);
        const float G = product_of(a, b, 0, head);
        float H = 0;
        for (Index c = 0; c < embedded_.cols(); ++c) H += embedded_(a, c) * embedded_(b, c);
        open += coarse_above_(a) + coarse_above_(b) - 2 * H + float(2 * high_) * G >= 0 ||
                coarse_below_(a) + coarse_below_(b) + 2 * H - float(2 * low_) * G >= 0;
      }
      const double cost = double(head) + kTailCost * double(open) / double(kHeadProbes) * double(d - head);
      if (cost < least) least = cost, best = head;
    }
    set_head(best);
  }

  double squared_distance(const Row& row, Index j) const {
    return points_.squared(row.a) + points_.squared(row.J.begin + j) - 2 * double(row.G[j]);
  }
  double ratio_of(const Row& row, Index j) const {
    const double q = embedded_squared_(row.a) + embedded_squared_(row.J.begin + j) - 2 * double(row.H[j]);
    return q / squared_distance(row, j);
  }

  void scan(const Row& row, Found& found, TileFacts& facts, Histogram& histogram) const {
    const Index width = row.J.size(), d = points_.single.cols();
    float* G = row.G;
    const float *H = row.H, *ups = coarse_above_.data() + row.J.begin, *lows = coarse_below_.data() + row.J.begin;
    const float up = coarse_above_(row.a), low = coarse_below_(row.a), grow = float(2 * high_),
                shrink = float(2 * low_);
    if (request_.bins > 0)
      for (Index j = row.from; j < width; ++j) histogram.add(ratio_of(row, j), times(row.a, row.J.begin + j));
    std::array<int, kPanel> places;
    const Index from = row.from,
                count = tile::functions().beyond({up, low, grow, shrink, ups + from, lows + from, G + from, H + from},
                                                 width - from, places.data());
    for (Index k = 0; k < count; ++k) {
      const Index j = from + places[std::size_t(k)];
      if (head_ == d) {
        suspect(row, j, (up + ups[j]) - 2 * H[j] + grow * G[j] >= 0, (low + lows[j]) + 2 * H[j] - shrink * G[j] >= 0,
                found, facts);
        continue;
      }
      const Index b = row.J.begin + j;
      G[j] += product_of(row.a, b, head_, d);
      const bool above = (above_(row.a) + above_(b)) - 2 * H[j] + grow * G[j] >= 0,
                 below = (below_(row.a) + below_(b)) + 2 * H[j] - shrink * G[j] >= 0;
      if (above || below) suspect(row, j, above, below, found, facts);
    }
  }

  void suspect(const Row& row, Index j, bool over, bool under, Found& found, TileFacts& facts) const {
    const Index b = row.J.begin + j;
    const double near = ratio_of(row, j), p = squared_distance(row, j), margin = 2 * (error_(row.a) + error_(b));
    const bool told = p > 2 * margin;
    // |q/p − near| ≤ (e + max(q/p − factor, 0)·e/factor)/p with e = margin/2 ≤ p/4.
    const Suspect pair{row.a, b, near, told ? margin / p * std::max(1.0, near / factor_) : 0};
    if (!told) found.untold.push_back(pair);
    if (told && over) found.above.suspects.push_back(pair);
    if (told && under) found.below.suspects.push_back(pair);
    const double outside = (std::abs(near - 1) - request_.band) * p;
    if (told && outside > margin)
      facts.beyond += times(row.a, b);
    else if (!told || outside > -margin)
      found.doubtful.push_back(pair);
  }

  MeasuredPair again(const Suspect& suspect) const {
    const Index a = points_.rows[std::size_t(suspect.a)], b = points_.rows[std::size_t(suspect.b)];
    return {std::min(a, b), std::max(a, b), images_.ratio(points_, a, b)};
  }

  // How many pairs of the given points have these two places.
  Index times(Index a, Index b) const { return points_.copies[std::size_t(a)] * points_.copies[std::size_t(b)]; }

  static void take(const MeasuredPair& pair, TileFacts& facts) {
    facts.worst.push_back(pair);
    facts.lowest = std::min(facts.lowest, pair.ratio);
    facts.highest = std::max(facts.highest, pair.ratio);
  }

  void count(const Suspect& pair, TileFacts& facts, Histogram& histogram) const {
    const MeasuredPair measured = again(pair);
    take(measured, facts);
    if (measured.distortion() > request_.band) facts.beyond += times(pair.a, pair.b);
    if (request_.bins > 0) histogram.add(measured.ratio, times(pair.a, pair.b));
  }

  // As many as a tile may list.
  static void shorten(std::vector<MeasuredPair>& pairs) {
    if (Index(pairs.size()) <= 2 * kKept) return;
    std::ranges::nth_element(pairs, pairs.begin() + 2 * kKept, worse);
    pairs.resize(std::size_t(2 * kKept));
    pairs.shrink_to_fit();  // all tiles are kept, and each may have met all of its pairs
  }

  // In double precision: whatever is too near to tell, the worst of the others, and of the rest what may be farther out
  // than all that was measured.
  void measure_again(Found& found, TileFacts& facts) const {
    for (const Suspect& suspect : found.doubtful)
      if (again(suspect).distortion() > request_.band) facts.beyond += times(suspect.a, suspect.b);
    for (const Suspect& suspect : found.untold) take(again(suspect), facts);
    for (Tail* tail : {&found.above, &found.below}) {
      std::vector<Suspect>& suspects = tail->suspects;
      const std::size_t kept = std::min(suspects.size(), std::size_t(kKept));
      if (kept < suspects.size())
        std::ranges::nth_element(suspects, suspects.begin() + Index(kept),
                                 [&](const Suspect& a, const Suspect& b) { return tail->worse(a, b); });
      for (std::size_t k = 0; k < kept; ++k) take(again(suspects[k]), facts);
      for (std::size_t k = kept; k < suspects.size(); ++k)
        if (tail->bound(suspects[k]) > (tail->side > 0 ? facts.highest : -facts.lowest))
          take(again(suspects[k]), facts);
    }
    shorten(facts.worst);
  }

  const Points& points_;
  const Images& images_;
  const DistanceRequest& request_;
  const Scanned* scanned_;
  Index n_;
  SingleRows embedded_;
  Vector embedded_squared_, error_;
  Eigen::VectorXf above_, below_;  // with all coordinates
  Eigen::VectorXf coarse_above_, coarse_below_;
  Index head_ = 0;  // coordinates of the first look
  double low_ = 1, high_ = 1, factor_ = 1;
  bool told_ = true;  // not: too large or small for single precision, and every pair is measured in double
};

std::vector<TileFacts> listed_tiles(const Points& points, const Images& images, const DistanceRequest& request,
                                    const RunContext& context) {
  const Index count = Index(points.listed.size());
  std::vector<TileFacts> tiles(std::size_t(tile_count(count, kPairsPerTask)));
  fill_tiles(tiles, context, [&](Index t, TileFacts& facts, const RunContext&) {
    const Range range = tile_range(count, kPairsPerTask, t);
    Histogram histogram(request, facts.histogram);
    for (Index k = range.begin; k < range.end; ++k) {
      const WeightedPair& pair = points.listed[std::size_t(k)];
      const MeasuredPair measured{pair.a, pair.b, images.ratio(points, pair.a, pair.b), pair.weight};
      if (measured.distortion() > request.band) ++facts.beyond;
      if (request.bins > 0) histogram.add(measured.ratio);
      facts.lowest = std::min(facts.lowest, measured.ratio);
      facts.highest = std::max(facts.highest, measured.ratio);
      facts.worst.push_back(measured);
    }
    std::ranges::sort(facts.worst, worse);
    facts.worst.resize(std::size_t(std::min<Index>(range.size(), std::max<Index>(request.listed, 1))));
  });
  return tiles;
}

class CpuDistanceSweep final : public DistanceSweep {
 public:
  CpuDistanceSweep(DataView X, std::vector<WeightedPair> pairs, std::unique_ptr<RatioScanner> scanner,
                   const RunContext& context)
      : points_(X, std::move(pairs), context), scanner_(std::move(scanner)) {}
  Index pairs() const override { return points_.pairs; }
  Index coincident() const override { return points_.coincident; }
  DistanceFacts sweep(const Matrix& psi, const DistanceRequest& request, const RunContext& context) const override {
    DistanceFacts facts;
    facts.pairs = points_.pairs;
    facts.coincident = points_.coincident;
    if (!psi.allFinite()) return without_bound(facts);
    if (psi.rows() == points_.X.cols() && psi.isIdentity(0)) return unchanged(facts, request);
    const Images images(points_, psi, context);
    std::vector<TileFacts> tiles;
    if (!points_.all) {
      tiles = listed_tiles(points_, images, request, context);
    } else if (points_.single.rows() > 1) {
      Scanned found;
      const bool scanned = scanner_ && scan(images, request, found, context);
      const AllPairs all(points_, images, request, scanned ? &found : nullptr, context);
      tiles.resize(std::size_t(all.tiles()));
      fill_tiles(tiles, context, [&](Index t, TileFacts& tile, const RunContext&) { tile = all.tile(t); });
    }
    join(tiles, request, facts);
    return facts;
  }

 private:
  // A map that is not one of numbers keeps no distance.
  DistanceFacts without_bound(DistanceFacts facts) const {
    if (facts.pairs == 0) return facts;
    facts.beyond = facts.pairs;
    facts.lowest = 0;
    facts.highest = facts.distortion = std::numeric_limits<double>::infinity();
    facts.worst = {first_pair(facts.highest)};
    return facts;
  }
  // Every ratio is 1, no more and no less: nothing has to be measured. A sweep would take every pair for the worst one.
  DistanceFacts unchanged(DistanceFacts facts, const DistanceRequest& request) const {
    Histogram histogram(request, facts.histogram);
    if (request.bins > 0) histogram.add(1, facts.pairs);
    if (facts.pairs > 0) facts.worst = {first_pair(1)};
    return facts;
  }
  MeasuredPair first_pair(double ratio) const {
    const WeightedPair first = points_.all ? WeightedPair{points_.rows[0], points_.rows[1]} : points_.listed.front();
    return {first.a, first.b, ratio, first.weight};
  }
  // A map of a size that double precision bears; in histograms the scanner counts no copies.
  bool scan(const Images& images, const DistanceRequest& request, Scanned& found, const RunContext& context) const {
    const double size = images.psi.squaredNorm(), d = double(points_.X.cols()), r = double(images.psi.rows());
    const bool copies = std::ranges::any_of(points_.copies, [](Index c) { return c > 1; });
    if (r == 0 || images.grown != 1 || size > kLargest || request.bins > kScanBins || (request.bins > 0 && copies))
      return false;
    const double factor = std::max(1.0, request.band < kLargest ? 1 + request.band : 1.0);
    // Sums of d and r products, and the images themselves, which err by d·ε·‖Ψ‖‖x‖.
    const double slack = kScanSafety * std::numeric_limits<double>::epsilon() * (d + r + 24) * (1 + size / factor);
    const double per_ratio = request.bins > 0 ? double(request.bins) / (request.highest_bin - request.lowest_bin) : 0;
    const ScanRequest ask{images.psi.data(),  long(r),  request.band, factor, slack, kKept, request.bins,
                          request.lowest_bin, per_ratio};
    const auto points = [&] {
      RowMatrix centred(points_.single.rows(), points_.X.cols());
      for (Index i = 0; i < centred.rows(); ++i)
        centred.row(i) = points_.scale * (points_.X.row(points_.rows[std::size_t(i)]) - points_.centre);
      return centred;
    };
    return scanner_->scan(ask, points, points_.copies, found, context);
  }
  Points points_;
  std::unique_ptr<RatioScanner> scanner_;
};

}  // namespace

std::unique_ptr<DistanceSweep> CpuBackend::distance_sweep(DataView X, std::vector<WeightedPair> pairs,
                                                          const RunContext& context) {
  return scanned_distance_sweep(X, std::move(pairs), nullptr, context);
}

std::unique_ptr<DistanceSweep> scanned_distance_sweep(DataView X, std::vector<WeightedPair> pairs,
                                                      std::unique_ptr<RatioScanner> scanner,
                                                      const RunContext& context) {
  return std::make_unique<CpuDistanceSweep>(X, std::move(pairs), std::move(scanner), context);
}

}  // namespace ritz::cpu
