// SPDX-License-Identifier: MIT
// The human summary of a reduction.
#pragma once

#include <string>

#include "ritz/app/reduce.hpp"

namespace ritz::cli {

std::string summary_text(const Reduction& reduction);
// Eigengap, dominance and curvature, with what they mean.
std::string certificate_text(const ism::Certificate& certificate);

}  // namespace ritz::cli
