// SPDX-License-Identifier: MIT
// The leading part of a symmetric matrix's spectrum, by cuSOLVER.
#include <vector>
#include "backends/cuda/module/operations.cuh"
#include "backends/cuda/module/strips.cuh"

namespace ritz::device {

void top_eigen(const double* A, long n, long count, double* values, double* vectors) {
  const long found_count = std::min(count + 1, n);
  double* a = card().half.put(A, std::size_t(n) * n);
  double* w = card().norms.need(n);
  int* info = card().info.need(1);
  int size = 0, found = 0;
  const auto range = CUSOLVER_EIG_RANGE_I;
  require(cusolverDnDsyevdx_bufferSize(card().solver, CUSOLVER_EIG_MODE_VECTOR, range, CUBLAS_FILL_MODE_LOWER, int(n),
                                       a, int(n), 0, 0, int(n - found_count + 1), int(n), &found, w, &size),
          "prepare eigenvalues");
  require(cusolverDnDsyevdx(card().solver, CUSOLVER_EIG_MODE_VECTOR, range, CUBLAS_FILL_MODE_LOWER, int(n), a, int(n),
                            0, 0, int(n - found_count + 1), int(n), &found, w, card().Y.need(size), size, info),
          "find eigenvalues");
  int state = 0;
  card().info.get(&state, 1);
  if (state != 0 || found != found_count) throw Failure{failed, "the card's eigenvalues did not converge"};
  std::vector<double> increasing(found_count), all(std::size_t(n) * found_count);
  card().norms.get(increasing.data(), found_count);
  require(cudaMemcpy(all.data(), a, all.size() * 8, cudaMemcpyDeviceToHost), "give data back");
  for (long k = 0; k < found_count; ++k) values[k] = increasing[found_count - 1 - k];
  for (long k = 0; k < count; ++k) std::copy_n(all.data() + (found_count - 1 - k) * n, n, vectors + k * n);
}

}  // namespace ritz::device
