// SPDX-License-Identifier: MIT
// Classification by a support vector machine with a Gaussian kernel: how well a space tells the classes apart for a
// classifier that is commonly used. Solved by LIBSVM; results agree with scikit-learn's SVC(kernel="rbf").
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ritz/base/context.hpp"
#include "ritz/base/types.hpp"

namespace ritz {

struct SvmOptions {
  double C = 1;      // > 0; price of a sample inside the margin
  double gamma = 0;  // k(x, y) = exp(−γ‖x − y‖²); 0: "scale", 1/(d·Var(X)) over all entries (1 where Var is 0)
  double tolerance = 1e-3;  // of the optimality conditions
};

// One against one: k(k−1)/2 machines vote; of equally many votes the smaller label wins.
class KernelSvm {
 public:
  // Throws bad_shape when sizes do not match, bad_data when there are not two classes, not_finite for NaN or ∞,
  // bad_option for C, γ or the tolerance. LIBSVM cannot be interrupted: it trains in a thread of its own, and when the
  // context is cancelled this function throws Interrupted at once, leaving that thread to end by itself (it owns copies
  // of what it needs).
  static KernelSvm train(DataView X, const std::vector<int>& labels, const SvmOptions& options,
                         const RunContext& context);

  std::vector<int> predict(DataView X, const RunContext& context) const;

 private:
  struct State;
  explicit KernelSvm(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  std::shared_ptr<const State> state_;
};

// Share of the test rows whose label a machine trained on the others finds. Throws bad_data when there are none.
double svm_accuracy(DataView train, const std::vector<int>& train_labels, DataView test,
                    const std::vector<int>& test_labels, const SvmOptions& options, const RunContext& context);

// Why training on n × d dense values would take too long or too much memory; empty when it would not. Time grows
// between n²d and n³d.
std::string svm_objection(Index n, Index d, const RunContext& context);

}  // namespace ritz
