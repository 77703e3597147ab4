// SPDX-License-Identifier: MIT
#include "tasks/reduce/choose_json.hpp"

namespace ritz {

Json choice_json(const Choice& choice, const ScoreText& say) {
  Json json = {{"kernel", choice.kernel}, {"reason", choice.reason}, {"score", say.name}};
  json["tried"] = Json::array();
  for (const Tried& each : choice.tried)
    json["tried"].push_back({{"kernel", each.kernel},
                             {"score", number_json(each.score.value)},
                             {"standard_error", number_json(each.score.standard_error)},
                             {"seconds", each.seconds}});
  json["notes"] = choice.notes;
  return json;
}

}  // namespace ritz
