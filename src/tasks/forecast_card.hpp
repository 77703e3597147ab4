// SPDX-License-Identifier: MIT
// What the sweeps of a fit would take of a card's memory.
#pragma once

#include "backends/memory_plan.hpp"
#include "tasks/row.hpp"

namespace ritz {

// The line "card" and result.card_bytes, of sweeps that a GPU may do.
inline void add_card(ForecastReport& report, const device::CardBytes& card) {
  report.lines.add("card", "about {} of a GPU's memory at full speed, {} at least", bytes_text(card.full),
                   bytes_text(card.least));
  report.result["card_bytes"] = std::floor(card.full);
  report.result["card_least_bytes"] = std::floor(card.least);
}

}  // namespace ritz
