// SPDX-License-Identifier: MIT
// What a model of `unfold` holds.
#include "tasks/unfold/task.hpp"

namespace ritz::unfold {

ModelForm UnfoldTask::form() {
  const auto maybe = [](std::string name, std::string rows, std::string cols, Entries entries = Entries::numbers,
                        std::string below = "") {
    return ArrayForm{std::move(name), std::move(rows), std::move(cols), entries, std::move(below), -1, false};
  };
  ModelForm form{{{"embedding", "n", "k"},
                  {"edges", "edges", "2", Entries::places, "n"},
                  maybe("kernel_factor", "n", "f"),
                  maybe("penalties", "parts", "1", Entries::any),
                  maybe("alpha", "alpha", "1"),
                  maybe("kernel_alpha", "alpha", "1"),
                  maybe("drawn_to", "n", "drawn"),
                  maybe("smooth", "n", "smooth"),
                  maybe("triples", "triples", "3", Entries::places, "n"),
                  maybe("colours", "n", "1", Entries::places)},
                 {{"method", FactKind::text},
                  {.path = "data.hash", .kind = FactKind::text, .required = false},
                  {"options.neighbours", FactKind::whole, 0},
                  {"options.ridge", FactKind::number, 0},
                  {"options.budget", FactKind::number, 0},
                  {"options.tolerance", FactKind::number, 0},
                  {"certificate.primal", FactKind::number_or_none},
                  {"certificate.dual", FactKind::number_or_none}}};
  append_samples_form(form, false);
  return form;
}

}  // namespace ritz::unfold
