// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <algorithm>

#include "ritz/base/error.hpp"
#include "ritz/pairs/backend.hpp"

namespace ritz {

namespace {

void check_sides(const KernelSide& a, const KernelSide& b) {
  if (a.z.cols() != b.z.cols() || a.kernel.size() != b.kernel.size())
    throw Error(ErrorCode::bad_shape,
                fmt::format("kernel between samples with {} and {} columns; there must be as many on both sides",
                            a.z.cols(), b.z.cols()));
  if (!is_resolved(a.kernel, a.z.rows()) || !is_resolved(b.kernel, b.z.rows()))
    throw Error(ErrorCode::bad_option, "the kernel between two sets of samples has a width that is not a number yet");
}

}  // namespace

RowMatrix cross_kernel_product(const KernelSide& a, const KernelSide& b, DataView in, const RunContext& context) {
  check_sides(a, b);
  if (in.rows() != b.z.rows())
    throw Error(ErrorCode::bad_shape,
                fmt::format("a kernel of {} columns times {} rows; there must be as many", b.z.rows(), in.rows()));
  return backend_or_cpu(context).cross_kernel_product(a, b, in, context);
}

RowMatrix cross_kernel(const KernelSide& a, const KernelSide& b, const RunContext& context, KernelPart part) {
  check_sides(a, b);
  const auto is_dot = [](const KernelTerm& term) { return form_of(term.kernel) == PairForm::dot; };
  if (part != KernelPart::value && std::ranges::any_of(b.kernel, is_dot) && !std::ranges::all_of(b.kernel, is_dot))
    throw Error(ErrorCode::bad_option,
                fmt::format("{} has terms of dot products and of differences: they have no common derivative",
                            kernel_text(b.kernel)));
  return backend_or_cpu(context).cross_kernel(a, b, part, context);
}

}  // namespace ritz
