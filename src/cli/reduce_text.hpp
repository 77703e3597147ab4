// SPDX-License-Identifier: MIT
// The human summary of a reduction.
#pragma once

#include <string>

#include "ritz/tasks/reduce.hpp"

namespace ritz::cli {

std::string summary_text(const Reduction& reduction);
// Eigengap, dominance and curvature, with what they mean, and what approximate sums cost.
std::string certificate_text(const ism::Certificate& certificate);
// The papers' inequality; empty where it was not computed.
std::string inequality_text(const ism::Certificate& certificate);
// As kernel_text, with numbers of six digits: for reading, not for parsing.
std::string short_kernel_text(const KernelSum& kernel);

}  // namespace ritz::cli
