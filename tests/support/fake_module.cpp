// SPDX-License-Identifier: MIT
// libritz_cuda.so without a card: the module's table by double loops on the host, so that everything on this side of it
// is tested everywhere. $RITZ_FAKE makes it fail: "driver" (no card), "version", "memory" (nothing fits), "vanish"
// (sums fail).
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "backends/cuda/table.hpp"
#include "model/kernel_list.hpp"
#include "ritz/base/types.hpp"

namespace ritz::device {

namespace {

struct FakeSamples {
  RowMatrix X;
  RowMatrix gamma;
  std::vector<double> distances;
  std::vector<int> a, b;  // the ends of the secants
  std::vector<double> scale;

  RowMatrix secants() const {
    RowMatrix V(Index(a.size()), X.cols());
    for (std::size_t p = 0; p < a.size(); ++p) V.row(Index(p)) = std::sqrt(scale[p]) * (X.row(a[p]) - X.row(b[p]));
    return V;
  }
};
FakeSamples& of(void* samples) { return *static_cast<FakeSamples*>(samples); }

std::string last_message;
bool fails(std::string_view how) {
  const char* asked = std::getenv("RITZ_FAKE");
  return asked && asked == how;
}

struct Values {
  double value = 0, dot_slope = 0, difference_slope = 0, dot_curvature = 0, difference_curvature = 0;
};
template <std::size_t I = 0>
void add(const Term& term, double product, double squared, double scale, Values& sum) {
  if constexpr (I < std::variant_size_v<KernelTypes>) {
    using K = std::variant_alternative_t<I, KernelTypes>;
    if (term.type != int(I)) return add<I + 1>(term, product, squared, scale, sum);
    K kernel;
    std::memcpy(static_cast<void*>(&kernel), term.object, sizeof kernel);
    constexpr bool kDot = K::form == PairForm::dot;
    const double beta = scale * (kDot ? product : squared);
    sum.value += term.weight * kernel.value(beta);
    (kDot ? sum.dot_slope : sum.difference_slope) += term.weight * scale * kernel.slope(beta);
    (kDot ? sum.dot_curvature : sum.difference_curvature) += term.weight * scale * scale * kernel.curvature(beta);
  }
}
Values at(const Sweep& sweep, const RowMatrix& a, Index i, const RowMatrix& b, Index j) {
  Values sum;
  for (int k = 0; k < sweep.count; ++k) {
    const Term& term = sweep.terms[k];
    const double scale = term.row_scale ? term.row_scale[i] * term.column_scale[j] : 1;
    add(term, a.row(i).dot(b.row(j)), (a.row(i) - b.row(j)).squaredNorm(), scale, sum);
  }
  return sum;
}
RowMatrix projected(const FakeSamples& samples, const double* W, long q) {
  return samples.X * Eigen::Map<const Matrix>(W, samples.X.cols(), q);
}

template <class Work>
int stopping(const Sweep& sweep, const Work& work) {
  if (sweep.stop(sweep.ask)) return stopped;
  work();
  return fine;
}

// M with XᵀMX = Φ, and F.
double weights(const FakeSamples& s, const Sweep& sweep, RowMatrix& M) {
  const RowMatrix Z = projected(s, sweep.W, sweep.q);
  const Index n = Z.rows();
  M = RowMatrix::Zero(n, n);
  double objective = 0;
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      const Values pair = at(sweep, Z, i, Z, j);
      objective += s.gamma(i, j) * pair.value;
      M(i, j) += s.gamma(i, j) * (pair.dot_slope - 2 * pair.difference_slope);
      M(i, i) += 2 * s.gamma(i, j) * pair.difference_slope;
    }
  return objective;
}

int sums(void* samples, const Sweep* sweep, int, double* phi, double* objective) {
  if (fails("vanish")) {
    last_message = "the card failed to multiply: it has fallen off the bus";
    return failed;
  }
  return stopping(*sweep, [&] {
    const FakeSamples& s = of(samples);
    RowMatrix M;
    *objective = weights(s, *sweep, M);
    if (phi) Eigen::Map<Matrix>(phi, s.X.cols(), s.X.cols()) = s.X.transpose() * M * s.X;
  });
}

int phi_product(void* samples, const Sweep* sweep, const double* V, long m, double* out, double* objective) {
  return stopping(*sweep, [&] {
    const FakeSamples& s = of(samples);
    RowMatrix M;
    *objective = weights(s, *sweep, M);
    const Index d = s.X.cols();
    Eigen::Map<Matrix>(out, d, m) = s.X.transpose() * (M * (s.X * Eigen::Map<const Matrix>(V, d, m)));
  });
}

int curvature_product(void* samples, const Sweep* sweep, const double* E, long directions, double* out) {
  return stopping(*sweep, [&] {
    const FakeSamples& s = of(samples);
    const Index n = s.X.rows(), d = s.X.cols(), q = sweep->q;
    const RowMatrix Z = projected(s, sweep->W, q);
    for (long k = 0; k < directions; ++k) {
      const RowMatrix e = projected(s, E + k * d * q, q);
      RowMatrix U = RowMatrix::Zero(n, q);
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) {
          const Values pair = at(*sweep, Z, i, Z, j);
          const double along = Z.row(i).dot(e.row(j)) + e.row(i).dot(Z.row(j));
          const double apart = 2 * (Z.row(i) - Z.row(j)).dot(e.row(i) - e.row(j));
          U.row(i) += 2 * s.gamma(i, j) * pair.dot_curvature * along * Z.row(j);
          U.row(i) += 4 * s.gamma(i, j) * pair.difference_curvature * apart * (Z.row(i) - Z.row(j));
        }
      Eigen::Map<Matrix>(out + k * d * q, d, q) = s.X.transpose() * U;
    }
  });
}

int curvature_bound(void* samples, const Sweep* sweep, double* bound) {
  return stopping(*sweep, [&] {
    const FakeSamples& s = of(samples);
    const RowMatrix Z = projected(s, sweep->W, sweep->q);
    *bound = 0;
    for (Index i = 0; i < Z.rows(); ++i)
      for (Index j = 0; j < Z.rows(); ++j) {
        const Values pair = at(*sweep, Z, i, Z, j);
        const double squared = (s.X.row(i) - s.X.row(j)).squaredNorm();
        *bound += 2 * std::abs(s.gamma(i, j)) *
                  (std::abs(pair.dot_curvature) * s.X.row(i).squaredNorm() * s.X.row(j).squaredNorm() +
                   std::abs(pair.difference_curvature) * squared * squared);
      }
  });
}

void kernel_rows(const Sweep& sweep, const RowMatrix& a, const RowMatrix& b, int part, const double* in, long m,
                 double* out) {
  RowMatrix K(a.rows(), b.rows());
  for (Index i = 0; i < a.rows(); ++i)
    for (Index j = 0; j < b.rows(); ++j) {
      const Values pair = at(sweep, a, i, b, j);
      K(i, j) = part == value   ? pair.value
                : part == slope ? pair.dot_slope + pair.difference_slope
                                : pair.dot_curvature + pair.difference_curvature;
    }
  if (m > 0)
    Eigen::Map<RowMatrix>(out, a.rows(), m) = K * Eigen::Map<const RowMatrix>(in, b.rows(), m);
  else
    Eigen::Map<RowMatrix>(out, a.rows(), b.rows()) = K;
}

const Table table = {
    kLayout,
    RITZ_VERSION,
    [] { return last_message.c_str(); },
    [](Facts* facts) -> int {
      last_message = "there is no NVIDIA driver";
      std::strcpy(facts->name, "Fake");
      facts->total_bytes = 1 << 30;
      return fails("driver") ? failed : fine;
    },
    [](double* bytes) -> int {
      *bytes = 1 << 30;
      return fine;
    },
    [](long n, long d, void** samples) -> int {
      last_message = "the card has 0.00 GiB of free memory, and 1.00 GiB more are needed";
      if (fails("memory")) return out_of_memory;
      *samples = new FakeSamples{RowMatrix(n, d), {}, {}};
      return fine;
    },
    [](void* samples, long first, long count, const double* rows, long stride) -> int {
      for (long i = 0; i < count; ++i)
        of(samples).X.row(first + i) = Eigen::Map<const Eigen::RowVectorXd>(rows + i * stride, of(samples).X.cols());
      return fine;
    },
    [](void* samples) { delete &of(samples); },
    [](void* samples, long r, const double* basis, const double* weighted, const int* classes,
       const double* share) -> int {
      FakeSamples& s = of(samples);
      const Index n = s.X.rows();
      s.gamma = Eigen::Map<const RowMatrix>(basis, n, r) * Eigen::Map<const RowMatrix>(weighted, n, r).transpose();
      for (Index i = 0; i < n && classes; ++i)
        for (Index j = 0; j < n; ++j) s.gamma(i, j) = double(classes[i] == classes[j]) - share[i] - share[j];
      return fine;
    },
    sums,
    phi_product,
    curvature_product,
    curvature_bound,
    [](void* samples, const Sweep* sweep, const double* in, long m, double* out) {
      return stopping(*sweep, [&] {
        const RowMatrix Z = projected(of(samples), sweep->W, sweep->q);
        kernel_rows(*sweep, Z, Z, value, in, m, out);
      });
    },
    [](void* a, void* b, const Sweep* sweep, int part, const double* in, long m, double* out) {
      return stopping(*sweep, [&] { kernel_rows(*sweep, of(a).X, of(b).X, part, in, m, out); });
    },
    [](void* samples, double zero, long* zeros) -> int {
      FakeSamples& s = of(samples);
      for (Index i = 0; i < s.X.rows(); ++i)
        for (Index j = 0; j < i; ++j) s.distances.push_back((s.X.row(i) - s.X.row(j)).squaredNorm());
      std::ranges::sort(s.distances);
      *zeros = std::ranges::upper_bound(s.distances, zero) - s.distances.begin();
      return fine;
    },
    [](void* samples, long k, double* squared) -> int {
      *squared = of(samples).distances[std::size_t(k)];
      return fine;
    },
    [](void* samples, const Sweep* sweep, const int* copies, const ScanRequest* r, ScannedTile* tiles,
       ScannedPair* pairs, unsigned* histogram) {
      return stopping(*sweep, [&] {  // every pair is listed while there is room
        const RowMatrix &X = of(samples).X, Y = X * Eigen::Map<const RowMatrix>(r->psi, r->r, X.cols()).transpose();
        const Index n = X.rows(), panels = (n + kScanPanel - 1) / kScanPanel;
        Index tile = 0;
        std::fill_n(histogram, panels * (panels + 1) / 2 * r->bins, 0u);
        for (Index down = 0; down < panels; ++down)
          for (Index across = down; across < panels; ++across, ++tile) {
            tiles[tile] = {0, 0};
            for (Index i = down * kScanPanel; i < std::min(n, (down + 1) * kScanPanel); ++i)
              for (Index j = std::max(i + 1, across * kScanPanel); j < std::min(n, (across + 1) * kScanPanel); ++j) {
                const double ratio = (Y.row(i) - Y.row(j)).squaredNorm() / (X.row(i) - X.row(j)).squaredNorm();
                const double outside = std::abs(ratio - 1) - r->band;
                unsigned char kind = ratio > 1 ? scan_above : scan_below;
                if (outside > 1e-6)
                  tiles[tile].beyond += copies[i] * copies[j];
                else if (outside > -1e-6)
                  kind |= scan_doubtful;
                if (r->bins > 0)
                  ++histogram[tile * r->bins +
                              std::clamp<long>(long((ratio - r->lowest_bin) * r->per_ratio), 0, r->bins - 1)];
                if (const auto place = tiles[tile].count++; place < kScanRoom)
                  pairs[tile * kScanRoom + place] = {static_cast<unsigned short>(i % kScanPanel),
                                                     static_cast<unsigned short>(j % kScanPanel), kind, 1e-6f, ratio};
              }
          }
      });
    },
    [](void* samples, long count, const int* a, const int* b, const double* scale) {
      of(samples).a.assign(a, a + count);
      of(samples).b.assign(b, b + count);
      of(samples).scale.assign(scale, scale + count);
      return int(fine);
    },
    [](void* samples, const double* B, long k, int whole, double* out) {
      const RowMatrix V = of(samples).secants();
      const RowMatrix image = V * Eigen::Map<const Matrix>(B, V.cols(), k);
      Eigen::Map<Vector>(out, V.rows()) = (whole ? V : image).cwiseProduct(image).rowwise().sum();
      return int(fine);
    },
    [](void* samples, const double* y, const double* B, long k, double* out) {
      const RowMatrix V = of(samples).secants();
      const Matrix image =
          Eigen::Map<const Vector>(y, V.rows()).asDiagonal() * (V * Eigen::Map<const Matrix>(B, V.cols(), k));
      Eigen::Map<Matrix>(out, V.cols(), k) = V.transpose() * image;
      return int(fine);
    },
    [](void* queries, void* points, const Sweep* sweep, long k, int own, double, long room, int* counts, int* found) {
      return stopping(*sweep, [&] {  // a few more than needed, and too many for some
        const RowMatrix &Q = of(queries).X, &P = of(points).X;
        for (Index i = 0; i < Q.rows(); ++i) {
          std::vector<std::pair<double, int>> near;
          for (Index j = 0; j < P.rows(); ++j)
            if (!own || j != i) near.emplace_back((Q.row(i) - P.row(j)).squaredNorm(), int(j));
          std::ranges::sort(near);
          counts[i] = i % 7 == 3 ? -1 : int(std::min<std::size_t>(near.size(), std::size_t(std::min(k + 2, room))));
          for (int c = 0; c < counts[i]; ++c) found[i * room + c] = near[std::size_t(c)].second;
        }
      });
    },
    [](const double* A, long n, long count, double* values, double* vectors) -> int {
      const Eigen::SelfAdjointEigenSolver<Matrix> all(Eigen::Map<const Matrix>(A, n, n));
      for (long k = 0; k < std::min(count + 1, n); ++k) values[k] = all.eigenvalues()[n - 1 - k];
      Eigen::Map<Matrix>(vectors, n, count) = all.eigenvectors().rightCols(count).rowwise().reverse();
      return fine;
    },
};

}  // namespace

}  // namespace ritz::device

extern "C" const ritz::device::Table* ritz_device_table() {
  static ritz::device::Table given = ritz::device::table;
  if (ritz::device::fails("version")) given.version = "0.0.1";
  return &given;
}
