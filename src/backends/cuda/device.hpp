// SPDX-License-Identifier: MIT
// The module libritz_cuda.so, looked for once in $RITZ_PLUGINS and then in ../lib/ritz beside the program, and samples
// on the card it drives.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "backends/cuda/table.hpp"
#include "ritz/model/kernel_sum.hpp"
#include "ritz/model/samples.hpp"

namespace ritz::device {

// A card that failed, was taken away or has too little memory: one sentence.
class DeviceFailure : public std::runtime_error {
 public:
  DeviceFailure(bool of_memory, const std::string& message) : std::runtime_error(message), memory(of_memory) {}
  bool memory;
};

// Where the module lies, or empty: a look at the file system, nothing is loaded.
const std::string& module_path();

struct Device {
  const Table* table = nullptr;  // null: there is none to work with
  Facts facts{};
  std::string why;  // there is none
};
// Loads the module and starts the card at the first call, which takes a third of a second.
const Device& device();
void start_in_background();  // so that it is there when the data are read

std::unique_lock<std::mutex> alone();  // the table's calls come one at a time
void check_status(int status, const RunContext& context);
// One call of the table. Throws Interrupted where the context stopped it, or DeviceFailure.
template <class Call>
void run(const RunContext& context, const Call& call) {
  const auto lock = alone();
  check_status(call(*device().table), context);
}

double free_bytes(const RunContext& context);

class DeviceSamples {
 public:
  DeviceSamples(const Samples& X, Range rows, const RunContext& context);  // sparse ones are made dense in strips
  void* get() const { return handle_.get(); }

 private:
  struct Drop {
    void operator()(void* samples) const;
  };
  std::unique_ptr<void, Drop> handle_;
};

// The kernel as the module wants it; borrows the scales.
std::vector<Term> terms_of(const KernelSum& rows, const KernelSum& columns, Index first_row = 0);
// The name of a kernel that is made of a program's own functions and cannot leave it, or nothing.
std::optional<std::string> own_functions(const KernelSum& kernel);

// Whole sweeps, with the context's stop.
Sweep sweep_of(const Matrix* W, Index q, const std::vector<Term>& terms, const RunContext& context);

}  // namespace ritz::device
