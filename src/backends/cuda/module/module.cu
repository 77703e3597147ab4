// SPDX-License-Identifier: MIT
// libritz_cuda.so: the sweeps over pairs on an NVIDIA card, a strip of rows at a time. What lies between the strips is
// cuBLAS and cuSOLVER. This is its table; a file beside it is what one part of the table does.
#include <memory>
#include <vector>

#include "backends/cuda/module/operations.cuh"
#include "backends/cuda/module/strips.cuh"

namespace ritz::device {

namespace {

std::string last_message;

template <class Work>
int guarded(const Work& work) {
  try {
    work();
    return fine;
  } catch (const Failure& failure) {
    cudaDeviceSynchronize();  // nothing runs on in buffers that are let go
    if (failure.status == out_of_memory) card().strips.release(), card().single_strip.release();
    last_message = failure.message;
    return failure.status;
  } catch (const std::exception& error) {
    last_message = error.what();
    return failed;
  }
}

int open_card(Facts* facts) {
  return guarded([&] {
    int count = 0, driver = 0, runtime = 0;
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    const cudaError_t error = cudaGetDeviceCount(&count);
    const auto version = [](int v) { return std::to_string(v / 1000) + "." + std::to_string(v % 1000 / 10); };
    if (error == cudaErrorInsufficientDriver)
      throw Failure{failed, driver == 0 ? std::string("there is no NVIDIA driver")
                                        : "the NVIDIA driver is for CUDA " + version(driver) +
                                              "; the module needs one for CUDA " + version(runtime)};
    if (error != cudaSuccess || count == 0)
      throw Failure{failed, error == cudaSuccess ? "there is no NVIDIA card" : cudaGetErrorString(error)};
    cudaDeviceProp properties;
    require(cudaGetDeviceProperties(&properties, 0), "describe itself");
    if (properties.major < 8)
      throw Failure{failed, std::string("the ") + properties.name + " is too old: compute capability 8.0 is needed"};
    require(cudaSetDevice(0), "start");
    if (!card().blas) {
      for (cudaEvent_t& event : card().events)
        require(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "start");
      require(cublasCreate(&card().blas), "start cuBLAS");
      require(cusolverDnCreate(&card().solver), "start cuSOLVER");
      // The libraries load their code with the first call: now, while data are read.
      constexpr long kTry = 512;
      std::vector<double> unit(kTry * kTry, 0.0), values(3), vectors(2 * kTry);
      for (long k = 0; k < kTry; ++k) unit[k * (kTry + 1)] = double(k);
      top_eigen(unit.data(), kTry, 2, values.data(), vectors.data());
      gemm(true, false, kTry, kTry, kTry, 1, card().half.data(), kTry, card().half.data(), kTry, 0,
           card().Y.need(kTry * kTry), kTry);
    }
    std::snprintf(facts->name, sizeof facts->name, "%s", properties.name);
    facts->total_bytes = double(properties.totalGlobalMem);
  });
}

Samples& of(void* samples) { return *static_cast<Samples*>(samples); }

const Table table = {
    kLayout,
    RITZ_VERSION,
    [] { return last_message.c_str(); },
    open_card,
    [](double* bytes) { return guarded([&] { *bytes = free_memory(); }); },
    [](long n, long d, void** samples) {
      return guarded([&] {
        auto made = std::make_unique<Samples>();
        made->n = n, made->d = d;
        made->X.need(std::max<std::size_t>(std::size_t(n) * d, 1));
        *samples = made.release();
      });
    },
    [](void* samples, long first, long count, const double* rows, long stride) {
      return guarded([&] {
        const long d = of(samples).d;
        if (count > 0 && d > 0)
          require(cudaMemcpy2D(of(samples).X.data() + std::size_t(first) * d, d * 8, rows, stride * 8, d * 8, count,
                               cudaMemcpyHostToDevice),
                  "take data");
      });
    },
    [](void* samples) { delete &of(samples); },
    [](void* samples, long r, const double* basis, const double* weighted, const int* classes, const double* share) {
      return guarded([&] {
        Samples& s = of(samples);
        s.r = r;
        s.by_class = classes != nullptr;
        if (s.by_class) {
          s.classes.put(classes, s.n);
          s.share.put(share, s.n);
        } else {
          s.basis.put(basis, std::size_t(s.n) * r);
          s.weighted.put(weighted, std::size_t(s.n) * r);
        }
      });
    },
    [](void* samples, const Sweep* sweep, int tf32, double* phi, double* objective) {
      return guarded([&] { pair_sums(of(samples), *sweep, tf32 != 0, phi, objective); });
    },
    [](void* samples, const Sweep* sweep, const double* V, long m, double* out, double* objective) {
      return guarded([&] { pair_phi_product(of(samples), *sweep, V, m, out, objective); });
    },
    [](void* samples, const Sweep* sweep, const double* E, long directions, double* out) {
      return guarded([&] { pair_curvature(of(samples), *sweep, E, directions, out); });
    },
    [](void* samples, const Sweep* sweep, double* bound) {
      return guarded([&] { pair_curvature_bound(of(samples), *sweep, bound); });
    },
    [](void* samples, const Sweep* sweep, const double* in, long m, double* out) {
      return guarded([&] { pair_kernel_product(of(samples), *sweep, in, m, out); });
    },
    [](void* a, void* b, const Sweep* sweep, int part, const double* in, long m, double* out) {
      return guarded([&] { pair_cross(of(a), of(b), *sweep, part, in, m, out); });
    },
    [](void* samples, double zero, long* zeros) { return guarded([&] { all_distances(of(samples), zero, zeros); }); },
    [](void* samples, long k, double* squared) { return guarded([&] { kth(of(samples), k, squared); }); },
    [](void* samples, const Sweep* sweep, const int* copies, const ScanRequest* request, ScannedTile* tiles,
       ScannedPair* pairs, unsigned* histogram) {
      return guarded([&] { scan_all(of(samples), *sweep, copies, *request, tiles, pairs, histogram); });
    },
    [](void* samples, long count, const int* a, const int* b, const double* scale) {
      return guarded([&] { take_secants(of(samples), count, a, b, scale); });
    },
    [](void* samples, const double* B, long k, int whole, double* out) {
      return guarded([&] { secant_values(of(samples), B, k, whole != 0, out); });
    },
    [](void* samples, const double* y, const double* B, long k, double* out) {
      return guarded([&] { secant_adjoint(of(samples), y, B, k, out); });
    },
    [](void* queries, void* points, const Sweep* sweep, long k, int own, double slack, long room, int* counts,
       int* found) {
      return guarded(
          [&] { find_candidates(of(queries), of(points), *sweep, k, own != 0, slack, room, counts, found); });
    },
    [](const double* A, long n, long count, double* values, double* vectors) {
      return guarded([&] { top_eigen(A, n, count, values, vectors); });
    },
};

}  // namespace

}  // namespace ritz::device

extern "C" __attribute__((visibility("default"))) const ritz::device::Table* ritz_device_table() {
  return &ritz::device::table;
}
