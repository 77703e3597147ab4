// SPDX-License-Identifier: MIT
// The card, its memory and its errors. One stream, so that sums have one order.
#pragma once

#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cusolverDn.h>

#include <cstdio>
#include <string>

#include "backends/cuda/table.hpp"

namespace ritz::device {

struct Failure {
  Status status;
  std::string message;
};

inline std::string gibibytes(double bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f GiB", bytes / (1 << 30));
  return text;
}

inline void require(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  cudaGetLastError();  // an error that is not fatal is forgotten
  throw Failure{error == cudaErrorMemoryAllocation ? out_of_memory : failed,
                std::string("the card failed to ") + what + ": " + cudaGetErrorString(error)};
}
inline void require(cublasStatus_t status, const char* what) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw Failure{status == CUBLAS_STATUS_ALLOC_FAILED ? out_of_memory : failed,
                  std::string("the card failed to ") + what + ": " + cublasGetStatusString(status)};
}
inline void require(cusolverStatus_t status, const char* what) {
  if (status != CUSOLVER_STATUS_SUCCESS)
    throw Failure{status == CUSOLVER_STATUS_ALLOC_FAILED ? out_of_memory : failed,
                  std::string("the card failed to ") + what + ": cuSOLVER status " + std::to_string(int(status))};
}
// After a launch.
inline void launched(const char* what) { require(cudaGetLastError(), what); }

inline double free_memory() {
  std::size_t free = 0, total = 0;
  require(cudaMemGetInfo(&free, &total), "tell its memory");
  return double(free);
}

template <class T>
class Buffer {
 public:
  Buffer() = default;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { release(); }
  // Room for so many, whatever was in it.
  T* need(std::size_t count) {
    if (count <= count_) return data_;
    release();
    const cudaError_t error = cudaMalloc(&data_, count * sizeof(T));
    if (error != cudaSuccess) {
      data_ = nullptr;
      cudaGetLastError();
      if (error == cudaErrorMemoryAllocation)
        throw Failure{out_of_memory, "the card has " + gibibytes(free_memory()) + " of free memory, and " +
                                         gibibytes(double(count) * sizeof(T)) + " more are needed"};
      require(error, "give memory");
    }
    count_ = count;
    return data_;
  }
  T* put(const T* from, std::size_t count) {
    need(count);
    if (count > 0) require(cudaMemcpy(data_, from, count * sizeof(T), cudaMemcpyHostToDevice), "take data");
    return data_;
  }
  void get(T* to, std::size_t count) const {
    if (count > 0) require(cudaMemcpy(to, data_, count * sizeof(T), cudaMemcpyDeviceToHost), "give data back");
  }
  void release() {
    if (data_) cudaFree(data_);
    data_ = nullptr;
    count_ = 0;
  }
  T* data() const { return data_; }
  std::size_t bytes() const { return count_ * sizeof(T); }

 private:
  T* data_ = nullptr;
  std::size_t count_ = 0;
};

// Work space, shared by all calls: they come one at a time.
struct Card {
  cublasHandle_t blas = nullptr;
  cusolverDnHandle_t solver = nullptr;
  cudaEvent_t events[2] = {};
  Buffer<double> strips, W, Z, other_Z, norms, other_norms, along, other_along, mean, ones, scales;
  Buffer<double> Y, half, degree, row_parts, column_parts, parts, in, out;
  Buffer<float> single_strip, single_Y;
  Buffer<int> info;
  Buffer<Term> terms;
};
// Never destroyed: the driver may be gone before the program's statics.
inline Card& card() {
  static Card& one = *new Card;
  return one;
}

inline unsigned blocks(std::size_t count, unsigned threads = 256) { return unsigned((count + threads - 1) / threads); }

// out (rows × columns, ld) = alpha·op(a)·op(b) + beta·out, column-major.
inline void gemm(bool at, bool bt, long rows, long columns, long inner, double alpha, const double* a, long lda,
                 const double* b, long ldb, double beta, double* out, long ld) {
  require(cublasDgemm(card().blas, at ? CUBLAS_OP_T : CUBLAS_OP_N, bt ? CUBLAS_OP_T : CUBLAS_OP_N, int(rows),
                      int(columns), int(inner), &alpha, a, int(lda), b, int(ldb), &beta, out, int(ld)),
          "multiply");
}

}  // namespace ritz::device
