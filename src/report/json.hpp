// SPDX-License-Identifier: MIT
// The one JSON object that every verb prints: what tests, programs and reports read.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "ritz/algorithms/ism.hpp"
#include "ritz/base/iterate.hpp"
#include "ritz/base/options.hpp"

namespace ritz {

using Json = nlohmann::ordered_json;

Json number_json(double value);  // null for NaN and infinities, which JSON has not
Json vector_json(const Vector& values);
// Names come from files and need not be UTF-8: what is not becomes U+FFFD.
std::string json_text(const Json& json, int indent = -1);
// How the object of every verb begins.
Json head_json(std::string_view verb, std::string_view method, std::string_view status = "fine");
Json certificate_json(const ism::Certificate& certificate);
Json trace_json(const Trace& trace);        // columns by name
Json summary_json(const Summary& summary);  // status, stop_reason, message, iterations, objective

// Values of a field table, numbers as numbers.
template <OptionTable O>
Json options_json(const O& options) {
  Json json = Json::object();
  for (const auto& [name, text] : text_values(options)) {
    const auto number = read_double(text);
    if (number && std::isfinite(*number))
      json[name] =
          *number == std::floor(*number) && std::abs(*number) < 1e15 ? Json((long long)*number) : Json(*number);
    else if (text == "true" || text == "false")
      json[name] = text == "true";
    else
      json[name] = text;
  }
  return json;
}

}  // namespace ritz
