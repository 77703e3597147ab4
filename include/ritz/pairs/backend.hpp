// SPDX-License-Identifier: MIT
// Where the heavy sums run. Algorithms ask for passes and do not notice.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "ritz/base/context.hpp"
#include "ritz/pairs/pair_pass.hpp"

namespace ritz {

class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string_view name() const = 0;
  virtual std::string_view description() const = 0;
  virtual bool available() const = 0;  // can it run on this machine, now?
  // Borrows the samples; data go up once.
  virtual std::unique_ptr<PairPass> pair_pass(const Samples& X, Gamma gamma) = 0;
  // Memory that pair_pass(…)->sums(…) takes beyond the samples, Φ included.
  virtual double pair_pass_bytes(const PairSizes& sizes, const KernelSum& kernel, const PairAccuracy& accuracy,
                                 int threads) const = 0;
};

Backend& cpu_backend();
std::span<Backend* const> backends();
Backend& backend_named(std::string_view name);  // throws bad_option naming those there are
Backend& backend_or_cpu(const RunContext& context);

}  // namespace ritz
