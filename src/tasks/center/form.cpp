// SPDX-License-Identifier: MIT
// What a model of `center` holds.
#include "tasks/center/task.hpp"

namespace ritz::center {

ModelForm CenterTask::form() {
  ArrayForm dropped{"dropped", "dropped", "1", Entries::places, "subspaces"}, bases{"bases", "vectors", "d"},
      means{"means", "subspaces", "d"};
  dropped.required = bases.required = means.required = false;
  bases.with = "means";
  return {{{"center", "d", "r"},
           {"weights", "subspaces", "1"},
           {"dims", "subspaces", "1", Entries::places},
           dropped,
           bases,
           means},
          {{"data.hash", FactKind::text},
           {"certificate.primal", FactKind::number_or_none},
           {"certificate.dual", FactKind::number_or_none},
           {"certificate.slope", FactKind::number_or_none},
           {"options.method", FactKind::text},
           {"reading.rank", FactKind::whole, 0},
           {"reading.energy"},
           {"reading.rows", FactKind::flag},
           {"reading.group_column", FactKind::text},
           {"reading.center_groups", FactKind::flag}}};
}

}  // namespace ritz::center
