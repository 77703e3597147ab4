// SPDX-License-Identifier: MIT
// What a model of `isometry` holds.
#include "tasks/isometry/task.hpp"

namespace ritz::isometry {

ModelForm IsometryTask::form() {
  return {{{"projection", "r", "d"},
           {.name = "pairs", .rows = "pairs", .cols = "3", .entries = Entries::places, .columns = 2, .required = false},
           {.name = "prefixes", .rows = "prefixes", .cols = "3", .required = false}},
          {{"data.n", FactKind::whole, 0},
           {"data.hash", FactKind::text},
           {"options.distortion", FactKind::number, 0, 1},
           {"certificate.distortion", FactKind::number_or_none, 0}}};
}

}  // namespace ritz::isometry
