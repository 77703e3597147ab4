// SPDX-License-Identifier: MIT
// Pictures as PNG, by librsvg where the machine has it: it is loaded when it is first asked for, so that who draws SVG
// needs none of it.
#pragma once

#include <string>

namespace ritz {

// Empty where PNG can be made, else what is missing and what would do.
std::string png_objection();
// The document of open_document as PNG, two pixels a unit. Throws ErrorCode::unsupported where png_objection() says so.
std::string png_of(const std::string& svg);

}  // namespace ritz
