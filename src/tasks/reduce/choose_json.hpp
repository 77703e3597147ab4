// SPDX-License-Identifier: MIT
#pragma once

#include "report/json.hpp"
#include "tasks/reduce/choose.hpp"

namespace ritz {

// {kernel, reason, score: what it measures, tried: [{kernel, score, standard_error, seconds}], notes}
Json choice_json(const Choice& choice, const ScoreText& say);

}  // namespace ritz
