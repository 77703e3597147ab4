// SPDX-License-Identifier: MIT
// What page.js and page.css hold.
#pragma once

#include <string_view>

namespace ritz::page {

extern const std::string_view kScript, kStyle;

}  // namespace ritz::page
