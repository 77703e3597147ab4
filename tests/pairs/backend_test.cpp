// SPDX-License-Identifier: MIT
#include "ritz/pairs/backend.hpp"

#include <doctest/doctest.h>

#include "support/errors.hpp"

using namespace ritz;

namespace {

struct Bare final : Backend {
  std::string_view name() const override { return "bare"; }
  std::string_view description() const override { return "offers nothing"; }
  bool available() const override { return true; }
};

}  // namespace

TEST_CASE("a backend that lacks a sweep says so in one sentence") {
  Bare bare;
  const RowMatrix X = RowMatrix::Zero(3, 2);
  const SparseRows rows = X.sparseView();
  const Samples samples(X);
  const KernelSum kernel = parse_kernel("linear");
  const KernelSide side{samples, kernel};
  const Gamma gamma = factored_gamma({Matrix::Zero(3, 1), Vector::Ones(1)});
  const std::vector<Index> some = {0, 1};
  const auto answer = [](auto&& ask) {
    const auto complaint = test::complaint(ask);
    CHECK(complaint.code == ErrorCode::unsupported);
    return complaint.message;
  };

  CHECK(answer([&] { bare.distance_sweep(X, {}, {}); }) ==
        "backend \"bare\" has no sweep for the distances of pairs; the backend \"cpu\" has");
  answer([&] { bare.pair_pass(samples, gamma); });
  answer([&] { bare.pair_pass_bytes({3, 2, 1, 1, false}, kernel, {}, 1); });
  answer([&] { bare.order_sweep({{1}, {0}, {}}); });
  answer([&] { bare.cross_kernel_product(side, side, X, {}); });
  answer([&] { bare.cross_kernel(side, side, KernelPart::value, {}); });
  answer([&] { bare.alignment_sums(kernel, samples, gamma, {}); });
  answer([&] { bare.alignment_bytes(kernel, 3, 2, 1); });
  answer([&] { bare.distance_quantile(samples, some, 0.5, {}); });
  answer([&] { bare.distance_quantile_bytes(3, 2, 1); });
  answer([&] { bare.neighbours(DataView(X), DataView(X), 1, OwnRow::is_left_out, {}); });
  answer([&] { bare.neighbours(rows, rows, 1, OwnRow::is_left_out, {}); });
}
