// SPDX-License-Identifier: MIT
// What a model of `kernel` holds.
#include "tasks/kernel/task.hpp"

namespace ritz::kernel {

ModelForm KernelTask::form() {
  ModelForm form{
      {{"basis", "n", "r"},
       {"weights", "r", "1"},
       {"eigenvalues", "r", "1"},
       {"degrees", "n", "1", Entries::not_negative},
       {.name = "reach", .rows = "n", .cols = "1", .entries = Entries::not_negative, .required = false},
       {.name = "edges", .rows = "edges", .cols = "2", .entries = Entries::places, .below = "n", .required = false},
       {.name = "pairs", .rows = "pairs", .cols = "3", .entries = Entries::places, .below = "n", .columns = 2},
       {.name = "alpha", .rows = "pairs", .cols = "1", .required = false},
       {"centers", "k", "c"},
       {"labels", "n", "1", Entries::places, "k"}},
      {{"data.hash", FactKind::text},
       {"options.graph", FactKind::text},
       {"result.clusters.by", FactKind::text},
       {"options.neighbours", FactKind::whole, 1},
       {"options.normalise_rows", FactKind::flag},
       {"options.loss", FactKind::text},
       {"options.penalty", FactKind::number, 0},
       {"options.ridge", FactKind::number, 0},
       {"options.budget", FactKind::number, 0},
       {"options.power", FactKind::number, 1},
       {"options.low_rank", FactKind::whole, 0},
       {"options.tolerance", FactKind::number, 0},
       {"certificate.primal", FactKind::number_or_none},
       {"certificate.dual", FactKind::number_or_none}}};
  append_samples_form(form, true);
  return form;
}

}  // namespace ritz::kernel
