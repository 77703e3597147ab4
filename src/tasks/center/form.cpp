// SPDX-License-Identifier: MIT
// What a model of `center` holds.
#include "tasks/center/task.hpp"

namespace ritz::center {

ModelForm CenterTask::form() {
  return {{{"center", "d", "r"}, {"weights", "subspaces", "1"}, {"dims", "subspaces", "1", Entries::places}},
          {{"data.hash", FactKind::text},
           {"certificate.primal", FactKind::number_or_none},
           {"certificate.dual", FactKind::number_or_none},
           {"reading.rank", FactKind::whole, 0},
           {"reading.energy"},
           {"reading.rows", FactKind::flag},
           {"reading.group_column", FactKind::text}}};
}

}  // namespace ritz::center
