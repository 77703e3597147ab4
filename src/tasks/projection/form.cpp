// SPDX-License-Identifier: MIT
// What a model of a projection holds.
#include "tasks/projection/report.hpp"

namespace ritz::projection {

ModelForm model_form() {
  const auto maybe = [](std::string name, std::string rows, std::string cols, Entries entries = Entries::numbers,
                        std::string with = "") {
    return ArrayForm{std::move(name), std::move(rows), std::move(cols), entries, "", -1, false, std::move(with)};
  };
  return {{{"W", "d", "q"},
           {"mean", "d", "1"},
           {"factor", "d", "1", Entries::not_negative},
           {"Z", "n", "q"},
           maybe("frame", "d", "f"),
           maybe("frame_W", "f", "q", Entries::numbers, "frame"),
           maybe("targets", "n", "t"),
           maybe("rows", "n", "1", Entries::places),
           maybe("classes", "n", "1", Entries::places),
           maybe("gamma", "n", "g"),
           maybe("gamma_weights", "g", "1", Entries::numbers, "gamma"),
           maybe("cluster_centers", "k", "c"),
           maybe("cluster_coefficients", "n", "m", Entries::numbers, "cluster_centers"),
           maybe("cluster_offset", "m", "1", Entries::numbers, "cluster_centers")},
          {{"objective", FactKind::number_or_none},
           {"certificate.first_order", FactKind::number_or_none},
           {"data.hash", FactKind::text},
           {"options.kernel", FactKind::text},
           {.path = "options.shrinkage", .low = 0, .high = 1, .required = false},
           {.path = "options.whiten_by", .kind = FactKind::text, .required = false},
           {.path = "options.stop", .kind = FactKind::text, .required = false},
           {.path = "options.tolerance", .low = 0, .required = false},
           {.path = "options.round_tolerance", .low = 0, .required = false},
           {.path = "result.classes", .kind = FactKind::texts, .required = false}},
          {{"classes", "gamma"}}};
}

}  // namespace ritz::projection
