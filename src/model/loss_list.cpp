// SPDX-License-Identifier: MIT
#include "model/loss_list.hpp"

#include <fmt/format.h>

#include "ritz/base/error.hpp"
#include "ritz/base/text.hpp"

namespace ritz {

namespace {

template <class Visit, std::size_t... I>
void for_each_loss(Visit&& visit, std::index_sequence<I...>) {
  (visit(std::variant_alternative_t<I, AnyLoss>{}), ...);
}
template <class Visit>
void for_each_loss(Visit&& visit) {
  for_each_loss(visit, std::make_index_sequence<std::variant_size_v<AnyLoss>>{});
}

}  // namespace

std::vector<std::string> loss_names() {
  std::vector<std::string> names;
  for_each_loss([&](const PairLoss auto& loss) { names.emplace_back(loss.name); });
  return names;
}

AnyLoss make_loss(std::string_view name, double penalty) {
  AnyLoss made;
  bool found = false;
  for_each_loss([&](auto loss) {
    if (loss.name != name) return;
    loss.penalty = penalty;
    made = loss;
    found = true;
  });
  if (!found)
    throw Error(ErrorCode::bad_option, fmt::format("there is no loss '{}'{}", name, suggestion(name, loss_names())));
  return made;
}

std::string_view loss_name(const AnyLoss& loss) {
  return std::visit([](const auto& each) { return std::string_view(each.name); }, loss);
}

}  // namespace ritz
