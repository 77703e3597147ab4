// SPDX-License-Identifier: MIT
#pragma once

#include "app/report_json.hpp"
#include "ritz/app/choose.hpp"

namespace ritz {

// {kernel, reason, score: what it measures, tried: [{kernel, score, standard_error, seconds}], notes}
Json choice_json(const Choice& choice, const ScoreText& say);

}  // namespace ritz
